package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	// Offsets of fields in a batch of joints: see joint_batch.go.
	jointMassA    = 0 * lane
	jointInertiaA = 1 * lane
	jointMassB    = 2 * lane
	jointInertiaB = 3 * lane
	jointAX       = 4 * lane
	jointAY       = 5 * lane
	jointBX       = 6 * lane
	jointBY       = 7 * lane
	centresX      = 8 * lane
	centresY      = 9 * lane
	impulseX      = 10 * lane
	impulseY      = 11 * lane
	totalX        = 12 * lane
	totalY        = 13 * lane
	jointIndexA   = 14 * lane
	jointIndexB   = 15 * lane
	jointSize     = 17 * lane // the last field has the number of lanes in use

	// Offsets of fields in the part of a batch whose joints have a free axis.
	freeLower  = jointSize + 0*lane
	freeUpper  = jointSize + 1*lane
	freeSpeed  = jointSize + 2*lane
	freeMost   = jointSize + 3*lane
	freeTarget = jointSize + 4*lane
	freeSpring = jointSize + 5*lane
	freeSoft   = jointSize + 9*lane // softness for the solving passes, and after that for the relaxing ones
	freeNow    = jointSize + 17*lane
	freeTotal  = jointSize + 21*lane
	freeSize   = jointSize + 25*lane

	// Offsets of other fields, in batches of joints that slide along an axis of A.
	slideX      = freeSize + 0*lane
	slideY      = freeSize + 1*lane
	wheelSize   = freeSize + 2*lane
	sliderAngle = freeSize + 2*lane
	sliderSize  = freeSize + 3*lane

	// Offsets of other fields, in batches of rods and of welds.
	rodRelaxing = freeSize
	rodSize     = freeSize + 4*lane
	weldZ       = jointSize + 0*lane
	weldTotalZ  = jointSize + 1*lane
	weldAngle   = jointSize + 2*lane
	weldSoft    = jointSize + 3*lane // softness for the solving passes, and after that for the relaxing ones
	weldSize    = jointSize + 11*lane

	// In jointPass.
	invH     = 0
	passSoft = 4
)

// Offsets in freeNow and freeTotal.
const (
	ofMotor = iota * lane
	ofLower
	ofUpper
	ofSpring
)

// joints is a pass over joints of one kind, while its code is written.
type joints struct {
	*kernel
	with       Register // jointPass
	warm, bias bool     // the pass: warm start (warm), solving (bias), or relaxing (neither)
	a, b       *side
	arms       [2][2]Mem // vectors from both centres of mass to the point at which joints hold both bodies, m
	gap        [2]Mem    // the vector from anchor A to that point, m
	gaps       bool      // whether grip sets gap
	slides     bool      // the joints slide along an axis of A
	n          [2]Mem    // that axis
}

// kind describes joints of one kind: how large a batch is, how many vectors put saves at most, and
// what the passes do with a batch.
type kind struct {
	name             string
	size, locals     int
	slides           bool // the joints slide along an axis of A
	spans            bool // the warm start needs the gap
	warmStart, solve func(j *joints)
}

// write writes the code of the three passes. It writes only two if the warm start is the same as that of
// another kind.
func (k kind) write() {
	for _, j := range []*joints{{warm: true}, {bias: true}, {}} {
		if j.slides, j.gaps = k.slides, !j.warm || k.spans; j.warm && k.warmStart == nil {
			continue
		}
		name, of := "relax"+k.name+"AVX2", "the pass without bias over "+k.name
		switch {
		case j.warm:
			name, of = "warmStart"+k.name+"AVX2", "the warm start of "+k.name
		case j.bias:
			name, of = "solve"+k.name+"AVX2", "the pass with bias over "+k.name
		}
		j.kernel = begin(name, of, "func(batches *float32, n int, states, with *float32)", "states", k.size, k.locals)
		if !j.warm {
			j.with = Load(Param("with"), GP64())
		}
		j.loop(func() {
			j.grip()
			j.a, j.b = j.sides(jointSides)
			if j.warm {
				k.warmStart(j)
			} else {
				k.solve(j)
			}
			j.scatter(j.a)
			j.scatter(j.b)
		})
	}
}

// allJoints writes the code of the passes over joints of all kinds.
func allJoints() {
	for _, k := range []kind{
		{"Pins", jointSize, 8, false, false, warmStartPins, solvePins},
		{"Hinges", freeSize, 19, false, false, warmStartHinges, solveHinges},
		{"Welds", weldSize, 15, false, false, warmStartWelds, solveWelds},
		{"SpringWelds", freeSize, 20, false, false, nil, solveSpringWelds},
		{"Sliders", sliderSize, 23, true, false, warmStartSliders, solveSliders},
		{"Wheels", wheelSize, 18, true, false, warmStartWheels, solveWheels},
		{"Rods", rodSize, 18, false, true, warmStartRods, solveRods},
	} {
		k.write()
	}
}

// each calls do with both sides.
func (j *joints) each(do func(i int, s *side)) {
	for i, s := range []*side{j.a, j.b} {
		do(i, s)
	}
}

func (j *joints) invH() VecVirtual { return broadcast(Mem{Base: j.with, Disp: invH}) }

// greater and lesser return b if one of the two numbers is a NaN, like the functions of package soft.
func greater(a VecVirtual, b Op) VecVirtual { r := YMM(); VMAXPS(b, a, r); return r }
func lesser(a VecVirtual, b Op) VecVirtual  { r := YMM(); VMINPS(b, a, r); return r }

// exceeds returns a mask of the lanes in which a > b.
func exceeds(a VecVirtual, b Op) VecVirtual { r := YMM(); VCMPPS(Imm(0x1e), b, a, r); return r }

// inverseOf is 1/x where x is greater than zero, and zero elsewhere.
func inverseOf(x VecVirtual) VecVirtual {
	r := broadcast(one)
	VDIVPS(x, r, r)
	return both(exceeds(x, zero()), r)
}

// cross is the z component of the cross product of a lever arm and the vector (x, y).
func cross(arm [2]Mem, x, y VecVirtual) VecVirtual { return sub(mul(arm[0], y), mul(arm[1], x)) }

// softOf returns a value of a softness: biasRate (0), massScale (1), impulseScale (2) or most (3).
type softOf func(which int) VecVirtual

// softAt is the softness at an offset of the batch.
func (k *kernel) softAt(offset int) softOf {
	return func(which int) VecVirtual { return load(k.of(offset + which*lane)) }
}

// bias is the speed with which a joint corrects an error, computed like softness.bias.
func (soft softOf) bias(err VecVirtual) VecVirtual {
	most := soft(3)
	return greater(sub(zero(), most), lesser(mul(soft(0), err), most))
}

// softened is the new impulse of a soft row whose impulse was old. A rigid row would change by -more.
func (soft softOf) softened(old, more VecVirtual) VecVirtual {
	return sub(sub(old, mul(more, soft(1))), mul(old, soft(2)))
}

// grip computes the arms, the gap and the axis.
func (j *joints) grip() {
	turned := func(side side, p [4]VecVirtual) [2]VecVirtual {
		x, y := load(j.of(side.anchorX)), load(j.of(side.anchorY))
		return [2]VecVirtual{sub(mul(p[3], x), mul(p[2], y)), add(mul(p[2], x), mul(p[3], y))}
	}
	a, b := j.gather(jointSides[0].index, positions), j.gather(jointSides[1].index, positions)
	way, from := turned(jointSides[1], b), [2]VecVirtual{}
	if j.gaps {
		from = turned(jointSides[0], a)
	}
	if j.slides {
		x, y := load(j.of(slideX)), load(j.of(slideY))
		j.n[0] = j.put(sub(mul(a[3], x), mul(a[2], y)))
		j.n[1] = j.put(add(mul(a[2], x), mul(a[3], y)))
	}
	for c, centres := range [...]int{centresX, centresY} {
		j.arms[1][c] = j.put(way[c])
		VADDPS(way[c], sub(b[c], a[c]), way[c])
		VADDPS(j.of(centres), way[c], way[c])
		j.arms[0][c] = j.put(way[c])
		if j.gaps {
			j.gap[c] = j.put(sub(way[c], from[c]))
		}
	}
}

// push applies impulses at the point at which joints hold both bodies.
func (j *joints) push(px, py VecVirtual) {
	j.each(func(i int, s *side) {
		s.change(mul(j.of(s.mass), px), mul(j.of(s.mass), py), mul(j.of(s.inertia), cross(j.arms[i], px, py)))
	})
}

// turn applies angular impulses.
func (j *joints) turn(p VecVirtual) {
	VSUBPS(mul(j.of(j.a.inertia), p), j.a.w, j.a.w)
	VADDPS(mul(j.of(j.b.inertia), p), j.b.w, j.b.w)
}

// sum adds an impulse to the total at an offset, in the pass that ends a sub-step.
func (j *joints) sum(impulse VecVirtual, total int) {
	if !j.bias {
		VMOVUPS(add(impulse, load(j.of(total))), j.of(total))
	}
}

// next stores an impulse and adds it to its total. It returns how much the impulse has changed.
func (j *joints) next(at, total int, next VecVirtual) VecVirtual {
	j.sum(next, total)
	more := sub(next, j.of(at))
	VMOVUPS(next, j.of(at))
	return more
}

// axis is the direction in which each joint pushes its bodies apart, with the lever arms of the two
// forces. All these vectors are saved.
type axis struct{ n, arms [2]Mem }

func (j *joints) speed(x axis) VecVirtual {
	v := add(mul(x.n[0], sub(j.b.vx, j.a.vx)), mul(x.n[1], sub(j.b.vy, j.a.vy)))
	return add(v, sub(mul(x.arms[1], j.b.w), mul(x.arms[0], j.a.w)))
}

// mass is the sum of the inverse masses of both bodies.
func (j *joints) mass() VecVirtual {
	m := load(j.of(jointMassA))
	VADDPS(j.of(jointMassB), m, m)
	return m
}

// yields is how much a unit impulse along an axis changes the speed along the same axis.
func (j *joints) yields(x axis) VecVirtual {
	nx, ny := load(x.n[0]), load(x.n[1])
	k := mul(j.mass(), add(mul(nx, nx), mul(ny, ny)))
	j.each(func(i int, s *side) {
		arm := load(x.arms[i])
		VADDPS(mul(mul(j.of(s.inertia), arm), arm), k, k)
	})
	return k
}

// pushAlong applies impulses along an axis.
func (j *joints) pushAlong(x axis, p VecVirtual) {
	px, py := mul(x.n[0], p), mul(x.n[1], p)
	j.each(func(i int, s *side) {
		s.change(mul(j.of(s.mass), px), mul(j.of(s.mass), py), mul(j.of(s.inertia), mul(x.arms[i], p)))
	})
}

// turned is a coordinate of how far the grip moves, of B and against A, after an angular impulse of one,
// by a quarter turn backwards.
func (j *joints) turned(c int) VecVirtual {
	return add(mul(j.of(jointInertiaA), load(j.arms[0][c])), mul(j.of(jointInertiaB), load(j.arms[1][c])))
}

// pinMatrix is the change of the speeds of pins by impulses: k11, k12 (negated), k22 and 1 over the
// determinant.
type pinMatrix [4]Op

// answers computes the matrices of pins.
func (j *joints) answers() pinMatrix {
	square := func(m, n int) [2]VecVirtual {
		var of [2]VecVirtual
		for s, inertia := range [...]int{jointInertiaA, jointInertiaB} {
			of[s] = mul(j.arms[s][m], load(j.arms[s][n]))
			VMULPS(j.of(inertia), of[s], of[s])
		}
		return of
	}
	xy := square(1, 0)
	k12 := add(xy[0], xy[1])
	m := j.mass()
	yy, xx := square(1, 1), square(0, 0)
	k11 := add(add(m, yy[0]), yy[1])
	k22 := add(add(m, xx[0]), xx[1])
	det := sub(mul(k11, k22), mul(k12, k12))
	some, inverse := YMM(), broadcast(one)
	VCMPPS(Imm(4), zero(), det, some) // det != 0
	VDIVPS(det, inverse, inverse)
	VANDPS(some, inverse, inverse)
	return pinMatrix{k11, k12, k22, inverse}
}

// impulse computes the impulses, N·s, that change the speeds of pins by (vx, vy).
func (m pinMatrix) impulse(vx, vy VecVirtual) (x, y VecVirtual) {
	x = mul(m[3], add(mul(m[2], vx), mul(m[1], vy)))
	return x, mul(m[3], add(mul(m[0], vy), mul(m[1], vx)))
}

func warmStartPins(j *joints) { j.push(load(j.of(impulseX)), load(j.of(impulseY))) }

// solvePins writes the code of one pass over pins; when relaxing they are rigid.
func solvePins(j *joints) {
	if !j.bias {
		j.solvePin(j.answers(), nil)
		return
	}
	j.solvePin(j.answers(), func(which int) VecVirtual { return broadcast(Mem{Base: j.with, Disp: passSoft + 4*which}) })
}

// pointSpeed is the velocity of B at the grip, against A; with a softness it includes that with which
// this takes out the gap.
func (j *joints) pointSpeed(soft softOf) [2]VecVirtual {
	a, b := j.a, j.b
	v := [2]VecVirtual{
		sub(sub(b.vx, mul(j.arms[1][1], b.w)), sub(a.vx, mul(j.arms[0][1], a.w))),
		sub(add(b.vy, mul(j.arms[1][0], b.w)), add(a.vy, mul(j.arms[0][0], a.w))),
	}
	if soft != nil {
		for c := range v {
			VADDPS(soft.bias(load(j.gap[c])), v[c], v[c])
		}
	}
	return v
}

// solvePin solves the point at which joints hold both bodies, rigidly if soft is nil.
func (j *joints) solvePin(m pinMatrix, soft softOf) {
	v := j.pointSpeed(soft)
	mx, my := m.impulse(v[0], v[1])
	step := func(at, total int, more VecVirtual) VecVirtual {
		old := load(j.of(at))
		next := sub(old, more)
		if soft != nil {
			next = soft.softened(old, more)
		}
		return j.next(at, total, next)
	}
	px := step(impulseX, totalX, mx)
	j.push(px, step(impulseY, totalY, my))
}

func warmStartHinges(j *joints) {
	j.turn(j.allFree())
	warmStartPins(j)
}

// allFree is the sum of the impulses along the free axes. heldFree is the same sum for joints without a
// motor.
func (j *joints) allFree() VecVirtual {
	p := add(load(j.of(freeNow+ofMotor)), load(j.of(freeNow+ofLower)))
	return add(sub(p, j.of(freeNow+ofUpper)), load(j.of(freeNow+ofSpring)))
}

func (j *joints) heldFree() VecVirtual {
	return add(sub(load(j.of(freeNow+ofLower)), j.of(freeNow+ofUpper)), load(j.of(freeNow+ofSpring)))
}

// softness returns the softness of the current pass, from the two softnesses at an offset.
func (j *joints) softness(at int) softOf {
	if j.bias {
		return j.softAt(at)
	}
	return j.softAt(at + 4*lane)
}

func solveHinges(j *joints) {
	m := j.answers()
	for i, r := range m {
		m[i] = j.put(r.(VecVirtual))
	}
	f := j.free(j.put(sub(load(j.b.angle), j.a.angle)))
	x, y := m.impulse(j.turned(1), sub(zero(), j.turned(0)))
	VANDPS(f.alone, x, x)
	VANDPS(f.alone, y, y)
	r := axis{n: [2]Mem{j.put(x), j.put(y)}}
	for i := range r.arms {
		r.arms[i] = j.put(add(broadcast(one), cross(j.arms[i], x, y)))
	}
	sum := f.solve(r)
	for c, at := range [...]int{impulseX, impulseY} {
		VMOVUPS(add(mul(r.n[c], sum), load(j.of(at))), j.of(at))
	}
	j.pushAlong(r, sum)
	j.solvePin(m, j.softness(freeSoft))
}

// free is the axis that joints leave free, as in freeAxis.
type free struct {
	*joints
	at             Mem        // the place along it
	speed, bounded Mem        // the speed of the motor, and a mask of the lanes in which a limit reduces that speed
	alone          VecVirtual // a mask: the axis is solved while the other rows hold
	v, k, inverse  VecVirtual // v is the speed along the axis, k is how much a unit impulse adds to it, and inverse is 1/k
	sum            VecVirtual // the sum of all changes of impulses
}

// free computes the speeds that the motors can reach. at has the places of the joints along the axis.
func (j *joints) free(at Mem) *free {
	place := load(at)
	down := mul(j.invH(), lesser(sub(load(j.of(freeLower)), place), zero()))
	up := mul(j.invH(), greater(sub(load(j.of(freeUpper)), place), zero()))
	reach, atLimit := greater(down, lesser(load(j.of(freeSpeed)), up)), YMM()
	VCMPPS(Imm(4), j.of(freeSpeed), reach, atLimit) // reach != speed
	f := &free{joints: j, at: at, speed: j.put(reach), bounded: j.put(atLimit)}
	f.alone = exceeds(load(j.of(freeSpring+lane)), zero())
	VORPS(atLimit, f.alone, f.alone)
	return f
}

// begin begins to solve the rows along an axis.
func (f *free) begin(x axis) {
	f.k = f.yields(x)
	f.v = f.joints.speed(x)
	f.inverse, f.sum = inverseOf(f.k), zero()
}

// beginTurning begins to solve the rows of the angle.
func (f *free) beginTurning() {
	f.k = load(f.of(jointInertiaA))
	VADDPS(f.of(jointInertiaB), f.k, f.k)
	f.v = sub(f.b.w, f.a.w)
	f.inverse, f.sum = inverseOf(f.k), zero()
}

// takes stores the impulse of one part, and adds its change to the sum.
func (f *free) takes(of int, next VecVirtual) {
	more := f.next(freeNow+of, freeTotal+of, next)
	VADDPS(more, f.sum, f.sum)
	VADDPS(mul(f.k, more), f.v, f.v)
}

// solve solves springs, motors and limits. It returns the change of the impulses along the axis.
func (f *free) solve(x axis) VecVirtual {
	// the impulses of the motor and the limits cancel in part, and that part is removed
	motor := load(f.of(freeNow + ofMotor))
	down := both(f.bounded, lesser(greater(sub(zero(), motor), zero()), f.of(freeNow+ofLower)))
	up := both(f.bounded, lesser(greater(motor, zero()), f.of(freeNow+ofUpper)))
	VMOVUPS(add(motor, sub(down, up)), f.of(freeNow+ofMotor))
	VMOVUPS(sub(load(f.of(freeNow+ofLower)), down), f.of(freeNow+ofLower))
	VMOVUPS(sub(load(f.of(freeNow+ofUpper)), up), f.of(freeNow+ofUpper))
	f.begin(x)
	f.spring(f.softAt(freeSpring))
	f.motor(f.speed)
	return f.stops()
}

func (f *free) spring(soft softOf) {
	bias := soft.bias(sub(load(f.at), f.of(freeTarget)))
	f.takes(ofSpring, soft.softened(load(f.of(freeNow+ofSpring)), mul(f.inverse, add(f.v, bias))))
}

func (f *free) motor(speed Mem) {
	most := load(f.of(freeMost))
	next := lesser(sub(load(f.of(freeNow+ofMotor)), mul(f.inverse, sub(f.v, speed))), most)
	f.takes(ofMotor, greater(sub(zero(), most), next))
}

// stops solves both limits, and returns the sum of their impulses.
func (f *free) stops() VecVirtual {
	f.takes(ofLower, f.stopped(ofLower, sub(load(f.at), f.of(freeLower)), f.v))
	next := f.stopped(ofUpper, sub(load(f.of(freeUpper)), f.at), sub(zero(), f.v))
	return sub(f.sum, f.next(freeNow+ofUpper, freeTotal+ofUpper, next))
}

// stopped is the impulse, at least 0, that keeps joints from passing a limit. The limit is at the
// given distance, which changes at the speed v. A sub-step may use up a positive distance.
func (f *free) stopped(of int, distance, v VecVirtual) VecVirtual {
	soft := f.softness(freeSoft)
	ahead, bias, scale, less := exceeds(distance, zero()), soft.bias(distance), soft(1), YMM()
	VBLENDVPS(ahead, mul(f.invH(), distance), bias, bias)
	VBLENDVPS(ahead, broadcast(one), scale, scale)
	VANDNPS(soft(2), ahead, less)
	old := load(f.of(freeNow + of))
	next := sub(old, mul(scale, mul(f.inverse, add(v, bias))))
	return greater(sub(next, mul(less, old)), zero())
}
