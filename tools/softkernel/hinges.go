package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The fields of a batch of hinges after those of a batch of pins: see joint_hinges.go.
const (
	hingeLower  = pinSize + 0*lane
	hingeUpper  = pinSize + 1*lane
	hingeSpeed  = pinSize + 2*lane
	hingeMost   = pinSize + 3*lane
	hingeTarget = pinSize + 4*lane
	hingeSpring = pinSize + 5*lane
	hingeSoft   = pinSize + 9*lane // when solving, and then when relaxing
	hingeFree   = pinSize + 17*lane
	hingeTotal  = pinSize + 21*lane
	hingeSize   = pinSize + 25*lane
)

// Offsets in hingeFree and hingeTotal.
const (
	ofMotor = iota * lane
	ofLower
	ofUpper
	ofSpring
)

// greater and lesser give b where one of the two is NaN, as those of package soft do.
func greater(a VecVirtual, b Op) VecVirtual { r := YMM(); VMAXPS(b, a, r); return r }
func lesser(a VecVirtual, b Op) VecVirtual  { r := YMM(); VMINPS(b, a, r); return r }

// exceeds is a mask of the lanes where a > b.
func exceeds(a VecVirtual, b Op) VecVirtual { r := YMM(); VCMPPS(Imm(0x1e), b, a, r); return r }

// inverseOf is 1/x where x is greater than zero, and zero elsewhere.
func inverseOf(x VecVirtual) VecVirtual {
	r := broadcast(one)
	VDIVPS(x, r, r)
	return both(exceeds(x, zero()), r)
}

func warmStartHinges() {
	k := begin("warmStartHingesAVX2", "warmStartHingesPlain", "func(batches *float32, n int, states *float32)", "states", hingeSize, 6)
	k.loop(func() {
		arms, _ := k.grip(nil)
		a, b := k.sides(pinSides)
		turn := add(load(k.of(hingeFree+ofMotor)), load(k.of(hingeFree+ofLower)))
		VSUBPS(k.of(hingeFree+ofUpper), turn, turn)
		VADDPS(k.of(hingeFree+ofSpring), turn, turn)
		VSUBPS(mul(k.of(a.inertia), turn), a.w, a.w)
		VADDPS(mul(k.of(b.inertia), turn), b.w, b.w)
		k.pushPins(a, b, arms, load(k.of(impulseX)), load(k.of(impulseY)))
	})
}

func solveHinges(bias bool) {
	name, plain, from := "solveHingesAVX2", "solveHingesPlain with bias", hingeSoft
	if !bias {
		name, plain, from = "relaxHingesAVX2", "solveHingesPlain without bias", hingeSoft+4*lane
	}
	k := begin(name, plain, "func(batches *float32, n int, states *float32, invH float32)", "states", hingeSize, 24)
	soft := func(which int) Op { return k.of(from + which*lane) }
	k.loop(func() {
		arms, errors := k.grip(soft)
		a, b := k.sides(pinSides)
		m := k.answers(arms)
		for i, r := range m {
			m[i] = k.put(r.(VecVirtual))
		}
		k.turn(a, b, arms, m, soft)
		k.solvePin(a, b, arms, errors, m, soft, !bias)
		if !bias {
			for _, at := range [...]int{ofMotor, ofLower, ofUpper, ofSpring} {
				k.sum(load(k.of(hingeFree+at)), hingeTotal+at)
			}
		}
	})
}

// turn solves the motors, limits and springs of hinges, as hingeBatch.turn does.
func (k *kernel) turn(a, b *side, arms [2][2]Mem, m pinMatrix, soft softOf) {
	angle := sub(load(b.angle), a.angle)
	down := mul(param("invH"), lesser(sub(load(k.of(hingeLower)), angle), zero()))
	up := mul(param("invH"), greater(sub(load(k.of(hingeUpper)), angle), zero()))
	reach, atLimit := greater(down, lesser(load(k.of(hingeSpeed)), up)), YMM()
	VCMPPS(Imm(4), k.of(hingeSpeed), reach, atLimit) // reach != speed
	speed, bounded, at := k.put(reach), k.put(atLimit), k.put(angle)

	// The row of the angle; where alone is set, an impulse along it comes with (x, y) of the pin.
	alone := exceeds(load(k.of(hingeSpring+lane)), zero())
	VORPS(atLimit, alone, alone)
	turning := func(arm int) VecVirtual {
		return add(mul(k.of(a.inertia), load(arms[0][arm])), mul(k.of(b.inertia), load(arms[1][arm])))
	}
	x, y := m.impulse(turning(1), sub(zero(), turning(0)))
	VANDPS(alone, x, x)
	VANDPS(alone, y, y)
	mass := load(k.of(a.mass))
	VADDPS(k.of(b.mass), mass, mass)
	answers := mul(mass, add(mul(x, x), mul(y, y)))
	v := add(mul(x, sub(b.vx, a.vx)), mul(y, sub(b.vy, a.vy)))
	var turns [2]Mem
	var spins [2]VecVirtual
	for i, s := range []*side{a, b} {
		turn := add(broadcast(one), sub(mul(arms[i][0], y), mul(arms[i][1], x)))
		VADDPS(mul(mul(k.of(s.inertia), turn), turn), answers, answers)
		spins[i] = mul(turn, s.w)
		turns[i] = k.put(turn)
	}
	VADDPS(sub(spins[1], spins[0]), v, v)
	with := [2]Mem{k.put(x), k.put(y)}

	// The parts of the motor's and the limits' impulses that cancel are taken out.
	motor := load(k.of(hingeFree + ofMotor))
	down = both(bounded, lesser(greater(sub(zero(), motor), zero()), k.of(hingeFree+ofLower)))
	up = both(bounded, lesser(greater(motor, zero()), k.of(hingeFree+ofUpper)))
	was := map[int]Mem{
		ofMotor:  k.put(add(motor, sub(down, up))),
		ofLower:  k.put(sub(load(k.of(hingeFree+ofLower)), down)),
		ofUpper:  k.put(sub(load(k.of(hingeFree+ofUpper)), up)),
		ofSpring: k.of(hingeFree + ofSpring),
	}
	effective := inverseOf(answers)
	sum := zero()
	// takes stores an impulse, and returns by how much it has changed.
	takes := func(of int, next VecVirtual) VecVirtual {
		more := sub(next, was[of])
		VMOVUPS(next, k.of(hingeFree+of))
		return more
	}
	push := func(of int, next VecVirtual) {
		more := takes(of, next)
		VADDPS(more, sum, sum)
		VADDPS(mul(answers, more), v, v)
	}

	old := load(was[ofSpring])
	spring := softOf(func(which int) Op { return k.of(hingeSpring + which*lane) })
	bias := spring.bias(sub(load(at), k.of(hingeTarget)))
	next := sub(old, mul(k.of(hingeSpring+lane), mul(effective, add(v, bias))))
	push(ofSpring, sub(next, mul(k.of(hingeSpring+2*lane), old)))

	most := load(k.of(hingeMost))
	next = lesser(sub(load(was[ofMotor]), mul(effective, sub(v, speed))), most)
	push(ofMotor, greater(sub(zero(), most), next))

	push(ofLower, stopped(was[ofLower], sub(load(at), k.of(hingeLower)), v, effective, soft))
	VSUBPS(takes(ofUpper, stopped(was[ofUpper], sub(load(k.of(hingeUpper)), at), sub(zero(), v), effective, soft)), sum, sum)

	px, py := mul(with[0], sum), mul(with[1], sum)
	for _, c := range [...]struct {
		p  VecVirtual
		at int
	}{{px, impulseX}, {py, impulseY}} {
		VMOVUPS(add(c.p, load(k.of(c.at))), k.of(c.at))
	}
	for i, s := range []*side{a, b} {
		s.change(mul(k.of(s.mass), px), mul(k.of(s.mass), py), mul(k.of(s.inertia), mul(turns[i], sum)))
	}
}

// stopped is the impulse, not below 0, that keeps an angle from passing a limit. The limit is at
// a distance, rad, which changes at v. If that is positive, the sub-step may use it up.
func stopped(was Mem, distance, v, mass VecVirtual, soft softOf) VecVirtual {
	ahead, bias, scale, less := exceeds(distance, zero()), soft.bias(distance), load(soft(1).(Mem)), YMM()
	VBLENDVPS(ahead, mul(param("invH"), distance), bias, bias)
	VBLENDVPS(ahead, broadcast(one), scale, scale)
	VANDNPS(soft(2), ahead, less)
	old := load(was)
	next := sub(old, mul(scale, mul(mass, add(v, bias))))
	return greater(sub(next, mul(less, old)), zero())
}
