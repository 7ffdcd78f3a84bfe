// Softkernel writes the AVX2 version of the solver of package soft, which works on eight
// contacts, joints or states at once, and of the separations of polygons. The AVX2 version does
// the operations of the Go version in the same order and without fused multiply-add, so that both
// give the same bits. The Go version is in batch.go, contact_solve.go, joint_batch.go and its
// like, joint_free.go, manifold.go and solve.go. The functions of Softkernel do not compute
// anything. For each instruction they call avo, which adds the instruction to the file. Operands
// are in the order of Go's assembler: VSUBPS(b, a, r) sets r to a - b.
//
//	go generate ./internal/box/soft
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets of fields in bytes; the first ones are in a batch of contacts (batch.go). The test
// TestBatchesHaveTheLayoutOfTheKernel of package soft checks them.
const (
	lane = 32 // bytes of eight lanes with a float32 or an int32 each

	normalX      = 0 * lane
	normalY      = 1 * lane
	massA        = 2 * lane
	inertiaA     = 3 * lane
	massB        = 4 * lane
	inertiaB     = 5 * lane
	roundA       = 6 * lane
	roundB       = 7 * lane
	indexA       = 8 * lane
	indexB       = 9 * lane
	firstPoint   = 10 * lane
	pointSize    = 6 * lane
	coupling     = 22 * lane
	friction     = 27 * lane
	tangentSpeed = 28 * lane
	contactIndex = 35 * lane
	used         = 36 * lane // the number of lanes in use, in the first 8 bytes
	batchSize    = 37 * lane

	// In a point.
	farA    = 0 * lane
	armA    = 1 * lane
	farB    = 2 * lane
	armB    = 3 * lane
	normal  = 4 * lane
	tangent = 5 * lane

	// Two neighbouring values, one for each point.
	base         = 23 * lane
	normalMass   = 25 * lane
	tangentMass  = 29 * lane
	total        = 31 * lane
	totalTangent = 33 * lane

	// Offsets in a state, at each of which are four float32.
	velocities = 0  // x, y, angular, angle
	positions  = 16 // x and y of the motion in the step; sine and cosine of the rotation
	stateSize  = 32

	// Offsets in a contact: see contact.go.
	surface       = 0  // normal, friction, tangent speed
	bodies        = 16 // restitution, flags and count, bodies
	contactPoint  = 32 // anchors
	radii         = 120
	impulses      = 24 // in a point, after the separation and the base
	sizeOfPoint   = 44
	massSize      = 8
	motionChange  = 12 // in a motion (body.go): first the change of velocity by forces, then the factor of damping
	motionDamping = 16

	// In common: see batch.go.
	warmScale = 0
	copies    = 4
	soft      = 8
	softStill = 24
)

// kernel is a function over batches whose code is being written. It has registers for the current
// batch and for the table to which the batch refers, and memory on the stack for vectors.
type kernel struct {
	batch, states Register // states is the address of the table, which may also be one of contacts
	n             Register // the number of batches that are left
	size          int      // of a batch, bytes
	spill         Mem
	spilled       int // the number of vectors that put has saved on the stack
	locals        int // how many it may
}

// of is a field of the current batch.
func (k *kernel) of(offset int) Mem { return Mem{Base: k.batch, Disp: offset} }

// point is a field of point p. The field is in a batchPoint, or is one of two neighbours.
func (k *kernel) point(p, offset int) Mem {
	if offset < pointSize {
		return k.of(firstPoint + p*pointSize + offset)
	}
	return k.of(offset + p*lane)
}

// put saves a register on the stack, and returns the place.
func (k *kernel) put(r VecVirtual) Mem {
	if k.spilled == k.locals {
		panic("no room for another vector")
	}
	m := k.spill.Offset(k.spilled * lane)
	k.spilled++
	VMOVUPS(r, m)
	return m
}

func load(m Mem) VecVirtual {
	r := YMM()
	VMOVUPS(m, r)
	return r
}

func mul(a Op, b VecVirtual) VecVirtual { r := YMM(); VMULPS(a, b, r); return r }
func add(a, b VecVirtual) VecVirtual    { r := YMM(); VADDPS(b, a, r); return r }

func sub(a VecVirtual, b Op) VecVirtual { r := YMM(); VSUBPS(b, a, r); return r }

// gather loads four consecutive numbers of each of the eight states of a side, one register for
// each number.
func (k *kernel) gather(index, offset int) (c [4]VecVirtual) {
	return columns(func(i int) Mem { return k.state(index+4*i, offset) })
}

// state is the field at offset in a state or contact. The batch has the offset of that state in
// its table at index.
func (k *kernel) state(index, offset int) Mem {
	at := GP64()
	MOVL(k.of(index), at.As32())
	return Mem{Base: k.states, Index: at, Scale: 1, Disp: offset}
}

// columns loads four consecutive numbers from each of eight places, one register for each number.
func columns(place func(i int) Mem) [4]VecVirtual {
	var rows [4]VecVirtual
	for i := range rows {
		rows[i] = YMM()
		low, high := place(i), place(i+4)
		VBROADCASTF128(low, rows[i])
		VINSERTF128(Imm(1), high, rows[i], rows[i])
	}
	return transpose(rows)
}

// putColumns is the inverse of columns: it stores the numbers.
func putColumns(c [4]VecVirtual, place func(i int) Mem) {
	for i, r := range transpose(c) {
		low, high := place(i), place(i+4)
		VMOVUPS(r.AsX(), low)
		VEXTRACTF128(Imm(1), r, high)
	}
}

// transpose turns rows into columns, separately in both halves of the registers.
func transpose(r [4]VecVirtual) (c [4]VecVirtual) {
	a, b, d, e := YMM(), YMM(), YMM(), YMM()
	VUNPCKLPS(r[1], r[0], a) // 0x 1x 0y 1y
	VUNPCKHPS(r[1], r[0], b) // 0z 1z 0w 1w
	VUNPCKLPS(r[3], r[2], d)
	VUNPCKHPS(r[3], r[2], e)
	for i := range c {
		c[i] = YMM()
	}
	VUNPCKLPD(d, a, c[0])
	VUNPCKHPD(d, a, c[1])
	VUNPCKLPD(e, b, c[2])
	VUNPCKHPD(e, b, c[3])
	return c
}

// side has the velocities of the eight bodies A of a batch, or of the eight bodies B, and the
// offsets of their fields in the batch.
type side struct {
	vx, vy, w        VecVirtual
	angle            Mem // saved
	index            int
	mass, inertia    int
	anchorX, anchorY int  // of a joint
	far, arm, round  int  // of a contact
	sign             bool // true if impulses are added (for B), false if they are subtracted (for A)
}

// contactSides and jointSides are the two sides of a batch. They have no velocities yet.
var (
	contactSides = [2]side{
		{index: indexA, mass: massA, inertia: inertiaA, far: farA, arm: armA, round: roundA},
		{index: indexB, mass: massB, inertia: inertiaB, far: farB, arm: armB, round: roundB, sign: true},
	}
	jointSides = [2]side{
		{index: jointIndexA, mass: jointMassA, inertia: jointInertiaA, anchorX: jointAX, anchorY: jointAY},
		{index: jointIndexB, mass: jointMassB, inertia: jointInertiaB, anchorX: jointBX, anchorY: jointBY, sign: true},
	}
)

// sides loads the velocities of both sides.
func (k *kernel) sides(of [2]side) (a, b *side) {
	for i := range of {
		c := k.gather(of[i].index, velocities)
		of[i].vx, of[i].vy, of[i].w = c[0], c[1], c[2]
		of[i].angle = k.put(c[3])
	}
	return &of[0], &of[1]
}

// scatter stores the velocities of a side, and the angle, which is next to them.
func (k *kernel) scatter(s *side) {
	putColumns([4]VecVirtual{s.vx, s.vy, s.w, load(s.angle)}, func(i int) Mem { return k.state(s.index+4*i, velocities) })
}

// change adds to the velocities of a side, or subtracts from them, according to its sign.
func (s *side) change(dx, dy, dw VecVirtual) {
	for _, c := range []struct{ v, d VecVirtual }{{s.vx, dx}, {s.vy, dy}, {s.w, dw}} {
		if s.sign {
			VADDPS(c.d, c.v, c.v)
		} else {
			VSUBPS(c.d, c.v, c.v)
		}
	}
}

// levers are the lever arms of a point after the bodies have turned, m, by side: arms for the
// normal impulse, and slides for the friction.
type levers struct{ arms, slides [2]Mem }

// outer adds to a distance along the normal how far a round corner reaches from its centre.
func (k *kernel) outer(s *side, far VecVirtual) VecVirtual {
	r := YMM()
	if s.sign {
		VSUBPS(k.of(s.round), far, r)
	} else {
		VADDPS(k.of(s.round), far, r)
	}
	return r
}

// separations computes the distance between the shapes, in m, at both points, and calls use with
// each. It returns the levers of both points, with those of friction only if slides is true.
func (k *kernel) separations(slides bool, use func(p int, s VecVirtual)) (of [2]levers) {
	a, b := k.gather(indexA, positions), k.gather(indexB, positions)
	moved := add(mul(k.of(normalX), sub(b[0], a[0])), mul(k.of(normalY), sub(b[1], a[1])))
	for p := range 2 {
		var far [2]VecVirtual
		for i, q := range [...][4]VecVirtual{a, b} {
			s := &contactSides[i]
			x, y := load(k.point(p, s.far)), load(k.point(p, s.arm))
			far[i] = add(mul(q[3], x), mul(q[2], y))
			of[p].arms[i] = k.put(sub(mul(q[3], y), mul(q[2], x)))
			if slides {
				of[p].slides[i] = k.put(k.outer(s, far[i]))
			}
		}
		s := YMM()
		VADDPS(k.point(p, base), moved, s)
		VADDPS(sub(far[1], far[0]), s, s)
		use(p, s)
	}
	return of
}

// constant declares a number in memory that broadcast can load.
func constant(name string, bits uint32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	DATA(0, U32(bits))
	return m
}

func broadcast(m Mem) VecVirtual {
	r := YMM()
	VBROADCASTSS(m, r)
	return r
}

// param loads a parameter of the function into all lanes.
func param(name string) VecVirtual {
	m, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return broadcast(m.Addr)
}

func zero() VecVirtual {
	r := YMM()
	VXORPS(r, r, r)
	return r
}

// Constants of the code.
var (
	one, shortest, pushSpeed, mostCoupling, greatest, signBit, absolute, oneInt Mem

	lanes        Mem   // 0 to 7
	sine, cosine []Mem // coefficients of series
)

// open begins the function name, the AVX2 version of the Go function plain.
func open(name, plain, signature string) {
	TEXT(name, NOSPLIT, signature)
	Doc(name + " is " + plain + " for processors with AVX2.")
}

// begin begins a function over batches of the given size. table is the parameter with the table
// to which the batches refer, and locals is the greatest number of vectors that put saves.
func begin(name, plain, signature, table string, size, locals int) *kernel {
	open(name, plain, signature)
	k := &kernel{size: size, locals: locals, batch: Load(Param("batches"), GP64()), states: Load(Param(table), GP64())}
	k.spill = AllocLocal(locals * lane)
	return k
}

// loop writes a loop with body over the n batches, and the end of the function.
func (k *kernel) loop(body func()) {
	k.n = Load(Param("n"), GP64())
	repeat(k.n, func() {
		k.spilled = 0
		body()
		ADDQ(U32(k.size), k.batch)
	})
	VZEROUPPER()
	RET()
}

// repeat writes a loop that runs body n times.
func repeat(n Register, body func()) {
	Label("loop")
	TESTQ(n, n)
	JLE(LabelRef("done"))
	body()
	DECQ(n)
	JMP(LabelRef("loop"))
	Label("done")
}

// warmStart writes the code that applies the impulses of the last sub-step.
func warmStart() {
	k := begin("warmStartAVX2", "warmStartPlain", "func(batches *float32, n int, states *float32)", "states", batchSize, 2)
	k.loop(func() {
		a, b := k.sides(contactSides)
		nx, ny := load(k.of(normalX)), load(k.of(normalY))
		for p := range 2 {
			n, t := load(k.point(p, normal)), load(k.point(p, tangent))
			px := add(mul(n, nx), mul(t, ny))
			py := sub(mul(n, ny), mul(t, nx))
			for _, s := range []*side{a, b} {
				x, y := load(k.point(p, s.far)), load(k.point(p, s.arm))
				arm := mul(n, sub(y, mul(s.angle, x)))
				VSUBPS(mul(t, k.outer(s, add(x, mul(s.angle, y)))), arm, arm)
				s.change(mul(k.of(s.mass), px), mul(k.of(s.mass), py), mul(k.of(s.inertia), arm))
			}
		}
		k.scatter(a)
		k.scatter(b)
	})
}

// push solves the normal impulses of both points at once, like solvePair. Each impulse changes
// the speed at the other point, and neither may be below 0. The parameter push is the speed, m/s,
// that is added at each point. massScale and impulseScale are the values of a soft contact; if
// they are empty, the contact is rigid.
func (k *kernel) push(a, b *side, of [2]levers, push, massScale, impulseScale [2]Mem) {
	nx, ny := load(k.of(normalX)), load(k.of(normalY))
	linear := add(mul(nx, sub(b.vx, a.vx)), mul(ny, sub(b.vy, a.vy)))
	var alone, shared [2]VecVirtual
	for p := range 2 {
		vn := linear
		for i, s := range []*side{b, a} {
			if arm := mul(of[p].arms[1-i], s.w); s.sign {
				vn = add(vn, arm)
			} else {
				vn = sub(vn, arm)
			}
		}
		m := load(k.point(p, normalMass))
		if massScale[p].Base != nil {
			VMULPS(massScale[p], vn, vn)
		}
		VADDPS(push[p], vn, vn)
		VMULPS(m, vn, vn)
		if massScale[p].Base != nil {
			old := load(k.point(p, normal))
			VMULPS(impulseScale[p], old, old)
			VADDPS(old, vn, vn)
			VMULPS(massScale[p], m, m)
		}
		alone[p] = vn
		VMULPS(k.of(coupling), m, m)
		shared[p] = m
	}
	scale := broadcast(one)
	det := sub(scale, mul(shared[0], shared[1]))
	VDIVPS(det, scale, scale)
	var more [2]VecVirtual
	old := [2]VecVirtual{load(k.point(0, normal)), load(k.point(1, normal))}
	for p := range 2 {
		q := 1 - p
		held := sub(alone[q], mul(shared[q], alone[p]))
		VMULPS(scale, held, held)
		held = sub(old[q], held)
		VMAXPS(zero(), held, held)
		VSUBPS(old[q], held, held)
		VMULPS(shared[p], held, held)
		next := sub(sub(old[p], alone[p]), held)
		VMAXPS(zero(), next, next)
		VMOVUPS(next, k.point(p, normal))
		more[p] = sub(next, old[p])
	}
	sum := add(more[0], more[1])
	px, py := mul(k.of(normalX), sum), mul(k.of(normalY), sum)
	for i, s := range []*side{b, a} {
		arm := add(mul(of[0].arms[1-i], more[0]), mul(of[1].arms[1-i], more[1]))
		s.change(mul(k.of(s.mass), px), mul(k.of(s.mass), py), mul(k.of(s.inertia), arm))
	}
}

// solve writes the code of one pass over contacts: with bias, the pass pushes overlapping shapes
// apart softly. Without bias, it removes the speed that such a push has caused, and applies
// friction.
func solve(bias bool) {
	name, plain, tables := "solveAVX2", "solvePlain with bias", "states, with"
	if !bias {
		name, plain, tables = "relaxAVX2", "solvePlain without bias", "states"
	}
	k := begin(name, plain, "func(batches *float32, n int, "+tables+" *float32, invH float32)", "states", batchSize, 18)
	scale := k.spill.Offset(17 * lane)
	VMOVUPS(param("invH"), scale)
	var with Register
	if bias {
		with = Load(Param("with"), GP64())
	}
	k.loop(func() {
		var moves Mem // a mask of the lanes in which both bodies are dynamic
		if bias {
			m, n := k.moves(with)
			moves = k.put(both(m, n))
		}
		softness := func(which int) VecVirtual {
			r, mask := broadcast(Mem{Base: with, Disp: softStill + 4*which}), load(moves)
			VBLENDVPS(mask, broadcast(Mem{Base: with, Disp: soft + 4*which}), r, r)
			return r
		}
		var push, ms, is [2]Mem // by point, for kernel.push: ms scales the mass, is scales the impulse
		of := k.separations(!bias, func(p int, s VecVirtual) {
			mask := YMM()
			VCMPPS(Imm(0x1e), zero(), s, mask) // s > 0
			ahead := mul(scale, s)
			if !bias {
				VANDPS(mask, ahead, ahead)
				push[p] = k.put(ahead)
				return
			}
			soft := softness(0)
			VMULPS(s, soft, soft)
			VMAXPS(broadcast(pushSpeed), soft, soft)
			VBLENDVPS(mask, ahead, soft, soft)
			push[p] = k.put(soft)
			m := softness(1)
			VBLENDVPS(mask, broadcast(one), m, m)
			ms[p] = k.put(m)
			i := YMM()
			VANDNPS(softness(2), mask, i) // 0 in lanes where mask is set
			is[p] = k.put(i)
		})
		a, b := k.sides(contactSides)
		k.push(a, b, of, push, ms, is)
		nx, ny := load(k.of(normalX)), load(k.of(normalY))
		if !bias {
			for p := range 2 {
				vt := sub(mul(ny, sub(b.vx, a.vx)), mul(nx, sub(b.vy, a.vy)))
				VSUBPS(mul(of[p].slides[1], b.w), vt, vt)
				VADDPS(mul(of[p].slides[0], a.w), vt, vt)
				VSUBPS(k.of(tangentSpeed), vt, vt)
				VMULPS(k.point(p, tangentMass), vt, vt)
				old := load(k.point(p, tangent))
				next := sub(old, vt)
				most := load(k.of(friction))
				VMULPS(k.point(p, normal), most, most)
				VMINPS(most, next, next)
				least := sub(zero(), most)
				VMAXPS(next, least, next)
				VMOVUPS(next, k.point(p, tangent))
				for _, c := range [...]struct {
					impulse VecVirtual
					total   int
				}{{load(k.point(p, normal)), total}, {next, totalTangent}} {
					sum := YMM()
					VADDPS(k.point(p, c.total), c.impulse, sum)
					VMOVUPS(sum, k.point(p, c.total))
				}
				VSUBPS(old, next, next)
				px := mul(next, ny)
				py := sub(zero(), mul(next, nx))
				back := sub(zero(), next)
				for i, s := range []*side{a, b} {
					s.change(mul(k.of(s.mass), px), mul(k.of(s.mass), py), mul(k.of(s.inertia), mul(of[p].slides[i], back)))
				}
			}
		}
		k.scatter(a)
		k.scatter(b)
	})
}

// numbers declares numbers in memory that broadcast can load.
func numbers(name string, of ...float32) (all []Mem) {
	for i, x := range of {
		all = append(all, constant(fmt.Sprint(name, i), math.Float32bits(x)))
	}
	return all
}

func main() {
	ConstraintExpr("!purego")
	one = constant("one", 0x3f800000)
	shortest = constant("shortest", math.Float32bits(1e-12))
	pushSpeed = constant("pushSpeed", 0xc0400000) // -3 m/s
	mostCoupling = constant("mostCoupling", math.Float32bits(0.9))
	greatest = constant("greatest", math.Float32bits(math.MaxFloat32))
	signBit, absolute = constant("signBit", 1<<31), constant("absolute", 1<<31-1)
	oneInt = constant("oneInt", 1)
	lanes = GLOBL("lanes", RODATA|NOPTR)
	for i := range 8 {
		DATA(4*i, U32(i))
	}
	// The coefficients of the series for the sine and cosine of an angle in rad, the highest power
	// first.
	sine = numbers("sine", 2.7557319e-6, -1.9841270e-4, 8.3333333e-3, -1.6666667e-1)
	cosine = numbers("cosine", -2.7557319e-7, 2.4801587e-5, -1.3888889e-3, 4.1666667e-2, -0.5)
	warmStart()
	solve(true)
	solve(false)
	allJoints()
	separations("separationsAVX2", 1)
	separations("separations8AVX2", 2)
	nearest()
	meeting()
	prepare()
	store()
	integrateVelocities()
	integratePositions()
	fetchRows()
	fetchSides()
	fetchPointed()
	Generate()
}
