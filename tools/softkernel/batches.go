package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The functions of this file write the code that runs before, between and after the passes of the
// solver: it fills and empties batches, and integrates states.

// both returns a AND b, bit by bit: the number a in lanes whose mask b is set, and 0 in other
// lanes.
func both(a Op, b VecVirtual) VecVirtual { r := YMM(); VANDPS(a, b, r); return r }

// prepare writes the code that fills batches from their contacts.
func prepare() {
	k := begin("prepareAVX2", "preparePlain", "func(batches *float32, n int, contacts, masses, with *float32)", "contacts", batchSize, 13)
	masses, with := Load(Param("masses"), GP64()), Load(Param("with"), GP64())
	given := func(offset int) Mem { return Mem{Base: with, Disp: offset} }
	k.loop(func() {
		k.fetchLater(0, 64, radii+4)
		// masks of the lanes in use, and of the lanes in which each body is dynamic
		inUse := YMM()
		VPCMPGTD(lanes, integers(k.of(used)), inUse)
		a, b := k.moves(with)
		moves := [2]Mem{k.put(both(a, inUse)), k.put(both(b, inUse))}
		c := k.gather(contactIndex, surface)
		VMOVUPS(both(c[0], inUse), k.of(normalX))
		VMOVUPS(both(c[1], inUse), k.of(normalY))
		VMOVUPS(c[2], k.of(friction))
		VMOVUPS(c[3], k.of(tangentSpeed))
		c = k.gather(contactIndex, bodies)
		VPSRLD(Imm(16), c[1], c[1])
		count := both(c[1], inUse)
		var has [2]Mem
		for p, least := range [...]VecVirtual{zero(), integers(oneInt)} {
			VPCMPGTD(least, count, least)
			has[p] = k.put(least)
		}
		for i, to := range [...][2]int{{massA, inertiaA}, {massB, inertiaB}} {
			mass := func(lane int) Mem {
				body := GP64()
				MOVLQSX(k.state(contactIndex+4*lane, bodies+8+4*i), body)
				return Mem{Base: masses, Index: body, Scale: massSize}
			}
			var rows [2]VecVirtual // each row has four lanes, two in each half of the register; a gather instruction would be slower
			for h := range rows {
				var half [2]VecVirtual
				for q := range half {
					half[q] = XMM()
					VMOVSD(mass(4*q+2*h), half[q])
					VMOVHPS(mass(4*q+2*h+1), half[q], half[q])
				}
				rows[h] = YMM()
				VINSERTF128(Imm(1), half[1], half[0].AsY(), rows[h])
			}
			for part, order := range [...]uint64{0x88, 0xdd} {
				m := YMM()
				VSHUFPS(Imm(order), rows[1], rows[0], m)
				VANDPS(moves[i], m, m)
				VMOVUPS(m, k.of(to[part]))
			}
		}
		c = k.gather(contactIndex, radii)
		VMOVUPS(c[0], k.of(roundA))
		VMOVUPS(c[1], k.of(roundB))
		for p := range 2 {
			at := contactPoint + sizeOfPoint*p
			r := k.gather(contactIndex, at)
			for i := range contactSides {
				s := &contactSides[i]
				x, y := mul(k.of(normalX), load(k.of(s.round))), mul(k.of(normalY), load(k.of(s.round)))
				for c, to := range [...]VecVirtual{x, y} {
					if s.sign {
						VADDPS(to, r[2*i+c], to)
					} else {
						VSUBPS(to, r[2*i+c], to)
					}
				}
				nx, ny := load(k.of(normalX)), load(k.of(normalY))
				VMOVUPS(both(has[p], add(mul(x, nx), mul(y, ny))), k.point(p, s.far))
				VMOVUPS(both(has[p], sub(mul(x, ny), mul(y, nx))), k.point(p, s.arm))
			}
			VMOVUPS(inverse(k, has[p], func(s *side) VecVirtual { return load(k.point(p, s.arm)) }), k.point(p, normalMass))
			VMOVUPS(inverse(k, has[p], func(s *side) VecVirtual { return k.outer(s, load(k.point(p, s.far))) }), k.point(p, tangentMass))
			r = k.gather(contactIndex, at+impulses-8)
			far := load(k.point(p, farB))
			VSUBPS(k.point(p, farA), far, far)
			VMOVUPS(both(has[p], sub(r[0], far)), k.point(p, base))
			warm := broadcast(given(warmScale))
			VMOVUPS(both(has[p], mul(warm, r[2])), k.point(p, normal))
			VMOVUPS(both(has[p], mul(warm, r[3])), k.point(p, tangent))
			VMOVUPS(zero(), k.point(p, total))
			VMOVUPS(zero(), k.point(p, totalTangent))
		}
		// Compute the coupling of the two points, like couple in batch.go.
		m := add(load(k.of(massA)), load(k.of(massB)))
		for i, inertia := range [...]int{inertiaA, inertiaB} {
			arm := contactSides[i].arm
			VADDPS(mul(k.point(1, arm), mul(k.of(inertia), load(k.point(0, arm)))), m, m)
		}
		most := broadcast(mostCoupling)
		share := mul(mul(k.point(0, normalMass), m), mul(k.point(1, normalMass), m))
		over := YMM()
		VCMPPS(Imm(0x1e), most, share, over) // share > most
		VDIVPS(share, most, most)
		VSQRTPS(most, most)
		VMULPS(m, most, most)
		VBLENDVPS(over, most, m, m)
		VMOVUPS(both(has[1], m), k.of(coupling))
	})
}

// integers loads an integer into all lanes.
func integers(m Mem) VecVirtual { r := YMM(); VPBROADCASTD(m, r); return r }

// moves returns masks of the lanes in which A is dynamic and in which B is dynamic.
func (k *kernel) moves(with Register) (a, b VecVirtual) {
	a, b = YMM(), YMM()
	first := integers(Mem{Base: with, Disp: copies})
	VPCMPGTD(k.of(indexA), first, a)
	VPCMPGTD(k.of(indexB), first, b)
	return a, b
}

// inverse computes the effective mass at a point from its lever arms on both bodies: 1 over the
// change of speed by a unit impulse. It is 0 in lanes whose mask in some is not set, and in lanes
// with two infinite masses.
func inverse(k *kernel, some Mem, arm func(*side) VecVirtual) VecVirtual {
	sum := add(load(k.of(massA)), load(k.of(massB)))
	for i := range contactSides {
		s := &contactSides[i]
		a := arm(s)
		VADDPS(mul(mul(k.of(s.inertia), a), a), sum, sum)
	}
	positive := YMM()
	VCMPPS(Imm(0x1e), zero(), sum, positive)
	VANDPS(some, positive, positive)
	r := broadcast(one)
	VDIVPS(sum, r, r)
	VANDPS(positive, r, r)
	return r
}

// store writes the code that copies the impulses of batches to their contacts. It limits them to
// finite numbers.
func store() {
	k := begin("storeAVX2", "storePlain", "func(batches *float32, n int, contacts *float32)", "contacts", batchSize, 0)
	k.loop(func() {
		k.fetchLater(contactPoint+impulses, contactPoint+sizeOfPoint+impulses)
		high, low := broadcast(greatest), YMM()
		VXORPS(broadcast(signBit), high, low)
		// a lane that is not in use refers to the contact of the first lane, so the first lane is written
		// last
		for p := range 2 {
			var v [4]VecVirtual
			for i, from := range [...]int{normal, tangent, total, totalTangent} {
				v[i] = load(k.point(p, from))
				VMINPS(v[i], high, v[i]) // NaN stays
				VMAXPS(v[i], low, v[i])
			}
			rows := transpose(v)
			for l := 7; l >= 0; l-- {
				to := k.state(contactIndex+4*l, contactPoint+sizeOfPoint*p+impulses)
				if r := rows[l%4]; l >= 4 {
					VEXTRACTF128(Imm(1), r, to)
				} else {
					VMOVUPS(r.AsX(), to)
				}
			}
		}
	})
}

// integrateVelocities writes code that handles one state after the other, without a
// transposition.
func integrateVelocities() {
	open("integrateVelocitiesAVX2", "integrateVelocitiesPlain", "func(states *float32, bodies *int32, n int, motions *float32)")
	states, bodies := Load(Param("states"), GP64()), Load(Param("bodies"), GP64())
	n, motions := Load(Param("n"), GP64()), Load(Param("motions"), GP64())
	repeat(n, func() {
		body := GP64()
		MOVL(Mem{Base: bodies}, body.As32())
		SHLQ(Imm(5), body)
		old, v, scale := XMM(), XMM(), XMM()
		VMOVUPS(Mem{Base: states}, old)
		VADDPS(Mem{Base: motions, Index: body, Scale: 1, Disp: motionChange}, old, v)
		VPERMILPS(Imm(0xfa), Mem{Base: motions, Index: body, Scale: 1, Disp: motionDamping}, scale) // linear, linear, angular
		VMULPS(scale, v, v)
		VBLENDPS(Imm(8), old, v, v) // the angle stays
		VMOVUPS(v, Mem{Base: states})
		ADDQ(Imm(stateSize), states)
		ADDQ(Imm(4), bodies)
	})
	RET()
}

// integratePositions writes code that handles eight neighbouring states at once.
func integratePositions() {
	TEXT("integratePositionsAVX2", NOSPLIT, "func(states *float32, n int, h, maxSpeed, maxSpin float32)")
	Doc("integratePositionsAVX2 is integratePositionsPlain for processors with AVX2, and n times eight states.")
	states, n := Load(Param("states"), GP64()), Load(Param("n"), GP64())
	part := func(offset int) func(i int) Mem {
		return func(i int) Mem { return Mem{Base: states, Disp: stateSize*i + offset} }
	}
	repeat(n, func() {
		v := columns(part(velocities))
		vx, vy, w, angle := v[0], v[1], v[2], v[3]
		// The bounds of speeds.
		square, most := add(mul(vx, vx), mul(vy, vy)), param("maxSpeed")
		fast, turning := YMM(), YMM()
		VCMPPS(Imm(0x1e), mul(most, most), square, fast)
		VANDPS(broadcast(absolute), w, turning)
		VCMPPS(Imm(0x1e), param("maxSpin"), turning, turning)
		any, some := YMM(), GP32()
		VORPS(fast, turning, any)
		VMOVMSKPS(any, some)
		TESTL(some, some)
		JE(LabelRef("slow"))
		{
			VSQRTPS(square, square)
			VDIVPS(square, most, most)
			VBLENDVPS(fast, mul(vx, most), vx, vx)
			VBLENDVPS(fast, mul(vy, most), vy, vy)
			high, low, bounded := param("maxSpin"), YMM(), YMM()
			VXORPS(broadcast(signBit), high, low)
			VMINPS(high, w, bounded)
			VMAXPS(bounded, low, bounded)
			VBLENDVPS(turning, bounded, w, w)
		}
		Label("slow")
		h := param("h")
		VADDPS(mul(h, w), angle, angle)
		d := columns(part(positions))
		VADDPS(mul(h, vx), d[0], d[0])
		VADDPS(mul(h, vy), d[1], d[1])
		putColumns([4]VecVirtual{vx, vy, w, angle}, part(velocities))
		// smallRotation.
		q := mul(angle, angle)
		series := func(c []Mem) VecVirtual {
			r := broadcast(c[0])
			for _, x := range c[1:] {
				VMULPS(q, r, r)
				VADDPS(broadcast(x), r, r)
			}
			return r
		}
		sin := series(sine)
		VMULPS(sin, mul(angle, q), sin)
		VADDPS(sin, angle, sin)
		cos := series(cosine)
		VMULPS(cos, q, cos)
		VADDPS(broadcast(one), cos, cos)
		putColumns([4]VecVirtual{d[0], d[1], sin, cos}, part(positions))
		ADDQ(U32(8*stateSize), states)
	})
	VZEROUPPER()
	RET()
}
