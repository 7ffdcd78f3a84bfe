package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func warmStartWelds(j *joints) {
	j.turn(load(j.of(weldZ)))
	warmStartPins(j)
}

// solveWelds writes code that solves the point and the angle together, like
// weldBatch.solve.
func solveWelds(j *joints) {
	soft := j.softness(weldSoft)
	inertia := load(j.of(jointInertiaA))
	VADDPS(j.of(jointInertiaB), inertia, inertia)
	perTurn := j.put(inverseOf(inertia))
	angle := add(load(j.of(weldAngle)), sub(load(j.b.angle), j.a.angle))
	turn := mul(perTurn, add(sub(j.b.w, j.a.w), soft.bias(angle)))
	v := j.pointSpeed(soft)
	wayX, wayY := j.put(j.turned(0)), j.put(j.turned(1))
	VADDPS(mul(wayY, turn), v[0], v[0])
	VSUBPS(mul(wayX, turn), v[1], v[1])
	var d [2]Mem
	for c := range d {
		d[c] = j.put(sub(load(j.arms[0][c]), j.arms[1][c]))
	}
	i := mul(perTurn, mul(j.of(jointInertiaA), load(j.of(jointInertiaB))))
	dx, dy := load(d[0]), load(d[1])
	bent := mul(i, sub(mul(d[0], v[1]), mul(d[1], v[0])))
	m := j.mass()
	bent = mul(bent, inverseOf(add(m, mul(i, add(mul(dx, dx), mul(dy, dy))))))
	perPush := inverseOf(m)
	x := mul(perPush, add(v[0], mul(d[1], bent)))
	y := mul(perPush, sub(v[1], mul(d[0], bent)))
	VSUBPS(mul(perTurn, sub(mul(wayX, y), mul(wayY, x))), turn, turn)
	step := func(at, total int, more VecVirtual) VecVirtual {
		return j.next(at, total, soft.softened(load(j.of(at)), more))
	}
	x, y = step(impulseX, totalX, x), step(impulseY, totalY, y)
	j.turn(step(weldZ, weldTotalZ, turn))
	j.push(x, y)
}

func solveSpringWelds(j *joints) {
	f := &free{joints: j, at: j.put(sub(load(j.b.angle), j.a.angle))}
	f.beginTurning()
	f.spring(j.softAt(freeSpring))
	j.turn(f.sum)
	j.solvePin(j.answers(), j.softness(freeSoft))
}

// slide returns the axis across and the axis along, and saves how far joints have moved
// along each.
func (j *joints) slide() (across, along axis, off, at Mem) {
	nx, ny := load(j.n[0]), load(j.n[1])
	across.n, along.n = [2]Mem{j.put(sub(zero(), ny)), j.n[0]}, j.n
	gx, gy := load(j.gap[0]), load(j.gap[1])
	off, at = j.gap[0], j.gap[1]
	VMOVUPS(add(mul(across.n[0], gx), mul(nx, gy)), off)
	VMOVUPS(add(mul(nx, gx), mul(ny, gy)), at)
	for i := range 2 {
		across.arms[i] = j.put(cross(j.arms[i], load(across.n[0]), nx))
		along.arms[i] = j.put(cross(j.arms[i], nx, ny))
	}
	return across, along, off, at
}

// warmStartSlide applies the impulses along the axis, the impulses across it, and the
// angular impulses.
func (j *joints) warmStartSlide(along, turn VecVirtual) {
	j.turn(turn)
	nx, ny, x := load(j.n[0]), load(j.n[1]), load(j.of(impulseX))
	j.push(sub(mul(nx, along), mul(ny, x)), add(mul(ny, along), mul(nx, x)))
}

func warmStartSliders(j *joints) { j.warmStartSlide(j.allFree(), load(j.of(impulseY))) }

func solveSliders(j *joints) {
	across, x, off, at := j.slide()
	weigh := func(with func(i int, s *side) VecVirtual) VecVirtual { return add(with(0, j.a), with(1, j.b)) }
	inertia := func(s *side) VecVirtual { return load(j.of(s.inertia)) }

	turns := func(i int, s *side) VecVirtual { return mul(across.arms[i], inertia(s)) }
	m := slideMatrix{both: j.put(weigh(turns))}
	m.perTurn = j.put(inverseOf(weigh(func(i int, s *side) VecVirtual { return inertia(s) })))
	arm := sub(load(across.arms[1]), across.arms[0])
	VMULPS(arm, arm, arm)
	m.perShift = j.put(inverseOf(add(j.mass(), mul(mul(m.perTurn, mul(j.of(jointInertiaA), load(j.of(jointInertiaB)))), arm))))

	f := j.free(at)
	held := func(i int, s *side) VecVirtual { return mul(x.arms[i], inertia(s)) }
	heldAcross := func(i int, s *side) VecVirtual { return mul(across.arms[i], held(i, s)) }
	shift, turn := m.impulse(sub(zero(), weigh(heldAcross)), sub(zero(), weigh(held)))
	VANDPS(f.alone, shift, shift)
	VANDPS(f.alone, turn, turn)
	with := [2]Mem{j.put(shift), j.put(turn)}
	VMOVUPS(add(load(x.n[1]), mul(across.n[1], shift)), x.n[1])
	x.n[0] = j.put(add(load(x.n[0]), mul(across.n[0], shift))) // a new place, because across still needs the old value
	for c := range x.arms {
		VMOVUPS(add(load(x.arms[c]), add(mul(across.arms[c], shift), turn)), x.arms[c])
	}
	sum := f.solve(x)
	j.pushAlong(x, sum)
	for c, at := range [...]int{impulseX, impulseY} {
		VMOVUPS(add(mul(with[c], sum), load(j.of(at))), j.of(at))
	}

	soft := j.softness(freeSoft)
	angle := add(load(j.of(sliderAngle)), sub(load(j.b.angle), j.a.angle))
	shift, turn = m.impulse(add(j.speed(across), soft.bias(load(off))), add(sub(j.b.w, j.a.w), soft.bias(angle)))
	j.pushAlong(across, j.next(impulseX, totalX, soft.softened(load(j.of(impulseX)), shift)))
	j.turn(j.next(impulseY, totalY, soft.softened(load(j.of(impulseY)), turn)))
}

// slideMatrix has the values that sliderBatch.stiffness returns.
type slideMatrix struct{ both, perTurn, perShift Mem }

func (m slideMatrix) impulse(v, w VecVirtual) (shift, turn VecVirtual) {
	turn = mul(m.perTurn, w)
	shift = mul(m.perShift, sub(v, mul(m.both, turn)))
	return shift, sub(turn, mul(m.perTurn, mul(m.both, shift)))
}

func warmStartWheels(j *joints) { j.warmStartSlide(j.heldFree(), load(j.of(freeNow+ofMotor))) }

func solveWheels(j *joints) {
	across, along, off, at := j.slide()
	f := &free{joints: j}
	f.beginTurning()
	f.motor(j.of(freeSpeed))
	j.turn(f.sum)
	j.solveHeld(along, at, j.softAt(freeSpring))
	soft := j.softness(freeSoft)
	more := mul(inverseOf(j.yields(across)), add(j.speed(across), soft.bias(load(off))))
	j.pushAlong(across, j.next(impulseX, totalX, soft.softened(load(j.of(impulseX)), more)))
}

// solveHeld solves the springs and the limits along an axis.
func (j *joints) solveHeld(x axis, at Mem, spring softOf) {
	f := &free{joints: j, at: at}
	f.begin(x)
	f.spring(spring)
	j.pushAlong(x, f.stops())
}

// span returns the axis between the two anchors, and saves the distance between them.
func (j *joints) span() (x axis, length Mem) {
	gx, gy := load(j.gap[0]), load(j.gap[1])
	l, none := YMM(), YMM()
	VSQRTPS(add(mul(gx, gx), mul(gy, gy)), l)
	VCMPPS(Imm(1), broadcast(shortest), l, none) // l < shortest
	inverse := broadcast(one)
	VDIVPS(l, inverse, inverse)
	without := func(r VecVirtual) VecVirtual { VANDNPS(r, none, r); return r }
	nx, ny := without(mul(gx, inverse)), without(mul(gy, inverse))
	length = j.put(without(l))
	x.n = [2]Mem{j.put(nx), j.put(ny)}
	for i := range x.arms {
		x.arms[i] = j.put(cross(j.arms[i], nx, ny))
	}
	return x, length
}

func warmStartRods(j *joints) {
	x, _ := j.span()
	j.pushAlong(x, j.heldFree())
}

func solveRods(j *joints) {
	x, length := j.span()
	spring := freeSpring
	if !j.bias {
		spring = rodRelaxing
	}
	j.solveHeld(x, length, j.softAt(spring))
}
