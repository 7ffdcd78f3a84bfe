package soft

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"halfstep/internal/trig"
	"halfstep/test/norace"
)

// The generator contains the offsets of the layout as numbers.
func TestBatchesHaveTheLayoutOfTheKernel(t *testing.T) {
	var b batch
	var p jointBatch
	var h hingeBatch
	var sl sliderBatch
	var wh wheelBatch
	var ro rodBatch
	var we weldBatch
	var in jointPass
	var c contact
	var m motion
	var with common
	for name, at := range map[string][2]uintptr{
		"nx": {unsafe.Offsetof(b.nx), 0}, "friction": {unsafe.Offsetof(b.friction), 27 * 32},
		"base": {unsafe.Offsetof(b.base), 23 * 32}, "normalMass": {unsafe.Offsetof(b.normalMass), 25 * 32}, "coupling": {unsafe.Offsetof(b.coupling), 22 * 32},
		"roundA": {unsafe.Offsetof(b.roundA), 6 * 32}, "a": {unsafe.Offsetof(b.a), 8 * 32}, "b": {unsafe.Offsetof(b.b), 9 * 32},
		"tangentMass": {unsafe.Offsetof(b.tangentMass), 29 * 32}, "total of friction": {unsafe.Offsetof(b.totalTangent), 33 * 32},
		"contacts": {unsafe.Offsetof(b.contacts), 35 * 32}, "points": {unsafe.Offsetof(b.points), 10 * 32},
		"point": {unsafe.Sizeof(b.points[0]), 6 * 32}, "used": {unsafe.Offsetof(b.used), 36 * 32},
		"batch": {unsafe.Sizeof(b), 37 * 32}, "contact": {unsafe.Sizeof(contact{}), contactSize}, "state": {unsafe.Sizeof(state{}), stateSize},
		"joint's iB": {unsafe.Offsetof(p.iB), 3 * 32}, "joint's by": {unsafe.Offsetof(p.by), 7 * 32},
		"joint's cy": {unsafe.Offsetof(p.cy), 9 * 32}, "joint's y": {unsafe.Offsetof(p.y), 11 * 32},
		"joint's total": {unsafe.Offsetof(p.totalY), 13 * 32}, "joint's b": {unsafe.Offsetof(p.b), 15 * 32},
		"joints":        {unsafe.Sizeof(p), 17 * 32},
		"hinge's lower": {unsafe.Offsetof(h.lower), 17 * 32}, "hinge's target": {unsafe.Offsetof(h.target), 21 * 32},
		"hinge's spring": {unsafe.Offsetof(h.spring), 22 * 32}, "hinge's softness": {unsafe.Offsetof(h.soft), 26 * 32},
		"hinge's impulses": {unsafe.Offsetof(h.free), 34 * 32}, "hinge's totals": {unsafe.Offsetof(h.total), 38 * 32}, "hinges": {unsafe.Sizeof(h), 42 * 32},
		"slider's axis": {unsafe.Offsetof(sl.axisX), 42 * 32}, "slider's angle": {unsafe.Offsetof(sl.angle), 44 * 32}, "sliders": {unsafe.Sizeof(sl), 45 * 32},
		"wheels": {unsafe.Sizeof(wh), 44 * 32}, "rod's softness": {unsafe.Offsetof(ro.relaxing), 42 * 32}, "rods": {unsafe.Sizeof(ro), 46 * 32},
		"weld's z": {unsafe.Offsetof(we.z), 17 * 32}, "weld's total": {unsafe.Offsetof(we.totalZ), 18 * 32}, "weld's angle": {unsafe.Offsetof(we.angle), 19 * 32},
		"weld's softness": {unsafe.Offsetof(we.soft), 20 * 32}, "welds": {unsafe.Sizeof(we), 28 * 32}, "softness of a pass": {unsafe.Offsetof(in.soft), 4},
		"friction of a contact": {unsafe.Offsetof(c.friction), 8}, "restitution": {unsafe.Offsetof(c.restitution), 16},
		"flags": {unsafe.Offsetof(c.flags), 20}, "count": {unsafe.Offsetof(c.count), 22}, "bodies": {unsafe.Offsetof(c.bodyB), 28},
		"points of a contact": {unsafe.Offsetof(c.points), 32}, "point of a contact": {unsafe.Sizeof(c.points[0]), 44},
		"separation": {unsafe.Offsetof(c.points[0].separation), 16}, "impulses": {unsafe.Offsetof(c.points[0].normal), 24},
		"total": {unsafe.Offsetof(c.points[0].total), 32}, "radii": {unsafe.Offsetof(c.radiusA), 120}, "mass": {unsafe.Sizeof(mass{}), 8}, "body": {unsafe.Sizeof(body{}), 64},
		"dv": {unsafe.Offsetof(m.dv), 12}, "damping": {unsafe.Offsetof(m.linearScale), 24}, "motion": {unsafe.Sizeof(m), 32},
		"copies": {unsafe.Offsetof(with.copies), 4}, "softness": {unsafe.Offsetof(with.soft), 8}, "still": {unsafe.Offsetof(with.still), 24},
	} {
		if at[0] != at[1] {
			t.Errorf("%s is at %d, the kernel has %d", name, at[0], at[1])
		}
	}
}

// randomBatches makes batches that use the given states. Two contacts never have a state in
// common.
func randomBatches(r *rand.Rand, n int) ([]batch, []state) {
	f := func() float32 { return float32(r.NormFloat64()) }
	states := make([]state, 2*lanes*n+1)
	for i := range states {
		q := smallRotation(f() * 0.1)
		states[i] = state{v: vec{f(), f()}, w: f(), da: f(), d: vec{f(), f()}.times(0.01), q: q}
	}
	places := r.Perm(2 * lanes * n)
	batches := make([]batch, n)
	for i := range batches {
		b := &batches[i]
		b.used = lanes
		for k := range lanes {
			b.a[k], b.b[k] = int32(places[0])*stateSize, int32(places[1])*stateSize
			places = places[2:]
			sin, cos := trig.SinCos(r.Float64() * 7)
			b.nx[k], b.ny[k] = float32(sin), float32(cos)
			b.mA[k], b.iA[k], b.mB[k], b.iB[k] = abs(f()), abs(f()), abs(f()), abs(f())
			if r.IntN(4) == 0 {
				b.mA[k], b.iA[k] = 0, 0
			}
			b.friction[k], b.tangentSpeed[k] = abs(f()), float32(r.IntN(2))*f()
			b.coupling[k] = 0.3 * f()
			b.roundA[k], b.roundB[k] = float32(r.IntN(2))*abs(f()), float32(r.IntN(2))*abs(f())
			for p := range b.points[:1+r.IntN(2)] {
				pt := &b.points[p]
				pt.farA[k], pt.armA[k], pt.farB[k], pt.armB[k] = f(), f(), f(), f()
				b.base[p][k] = f() * 0.1
				b.normalMass[p][k], b.tangentMass[p][k] = abs(f()), abs(f())
				pt.normal[k], pt.tangent[k], b.total[p][k], b.totalTangent[p][k] = abs(f()), f(), abs(f()), f()
			}
		}
	}
	// Some lanes of the last batch are idle.
	last := &batches[n-1]
	used := 1 + r.IntN(lanes)
	kept := *last
	*last = batch{used: int64(used)}
	for k := range lanes {
		last.a[k], last.b[k] = int32(len(states)-1)*stateSize, int32(len(states)-1)*stateSize
	}
	for k := range used {
		last.a[k], last.b[k] = kept.a[k], kept.b[k]
		last.nx[k], last.ny[k], last.mB[k], last.iB[k] = kept.nx[k], kept.ny[k], kept.mB[k], kept.iB[k]
		last.normalMass[0][k], last.base[0][k] = kept.normalMass[0][k], kept.base[0][k]
	}
	states[len(states)-1] = atRest
	return batches, states
}

func TestTheKernelHasTheBitsOfThePlainVersion(t *testing.T) {
	if !wide {
		t.Skip("no kernel for this processor")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		batches, states := randomBatches(r, 1+r.IntN(4))
		with := &common{copies: int32(len(states)/2) * stateSize, soft: soften(30, 10, 1.0/240), still: soften(60, 10, 1.0/240)}
		for _, pass := range []struct {
			name string
			run  func([]batch, []state)
		}{
			{"warm start", warmStart},
			{"solve", func(b []batch, s []state) { solve(b, s, with, 240, true) }},
			{"relax", func(b []batch, s []state) { solve(b, s, with, 240, false) }},
		} {
			plainB, plainS := append([]batch(nil), batches...), append([]state(nil), states...)
			pass.run(batches, states)
			wide = false
			pass.run(plainB, plainS)
			wide = true
			if !sameBits(states, plainS) {
				t.Fatalf("round %d: %s: other states", round, pass.name)
			}
			if !sameImpulses(batches, plainB) {
				t.Fatalf("round %d: %s: other impulses", round, pass.name)
			}
		}
	}
}

func TestTheKernelHasTheBitsOfThePlainVersionForPins(t *testing.T) {
	samePlain(t, pins, func(*rand.Rand, *pinBatch, int, float32) {})
}

func TestTheKernelHasTheBitsOfThePlainVersionForHinges(t *testing.T) {
	samePlain(t, hinges, func(r *rand.Rand, b *hingeBatch, k int, turn float32) {
		randomFree(r, &b.freeBatch, k, turn)
	})
}

func TestTheKernelHasTheBitsOfThePlainVersionForWelds(t *testing.T) {
	samePlain(t, welds, func(r *rand.Rand, b *weldBatch, k int, turn float32) {
		b.z[k], b.totalZ[k], b.angle[k] = float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64())*.1-turn
		b.soft[0].set(k, soften(60, 2, 1.0/240).within(float32(r.Float64())))
		b.soft[1].set(k, []softness{rigid, soften(3, .1, 1.0/240).within(1)}[r.IntN(2)])
	})
	samePlain(t, springWelds, func(r *rand.Rand, b *springWeldBatch, k int, turn float32) {
		randomFree(r, &b.freeBatch, k, turn)
		b.free[0][k], b.free[1][k], b.free[2][k] = 0, 0, 0 // these have neither motor nor limits
	})
}

func TestTheKernelHasTheBitsOfThePlainVersionForSlidersAndWheels(t *testing.T) {
	slide := func(r *rand.Rand, b *slideBatch, k int) {
		sin, cos := trig.SinCos(r.Float64() * 7)
		b.axisX[k], b.axisY[k] = float32(cos), float32(sin)
		randomFree(r, &b.freeBatch, k, float32(r.NormFloat64()))
	}
	samePlain(t, sliders, func(r *rand.Rand, b *sliderBatch, k int, turn float32) {
		slide(r, &b.slideBatch, k)
		b.angle[k] = float32(r.NormFloat64())*.1 - turn
	})
	samePlain(t, wheels, func(r *rand.Rand, b *wheelBatch, k int, _ float32) {
		slide(r, &b.slideBatch, k)
		b.y[k] = 0 // these do not hold the angle
	})
}

func TestTheKernelHasTheBitsOfThePlainVersionForRods(t *testing.T) {
	samePlain(t, rods, func(r *rand.Rand, b *rodBatch, k int, _ float32) {
		randomFree(r, &b.freeBatch, k, abs(float32(r.NormFloat64())))
		b.free[0][k] = 0 // they have no motor
		b.relaxing.set(k, []softness{{}, rigid, soften(3, .1, 1.0/240).within(1)}[r.IntN(3)])
		if r.IntN(8) == 0 { // both anchors are at the same place
			b.ax[k], b.ay[k], b.bx[k], b.by[k], b.cx[k], b.cy[k] = 0, 0, 0, 0, 0, 0
		}
	})
}

// samePlain requires that the passes over a kind of joints give the same bits as the Go version.
// The function set sets the values of joint k that only this kind has. The parameter turn is the
// rotation of the joint's second body relative to the first.
func samePlain[B any, P batchOf[B]](t *testing.T, kind int, set func(r *rand.Rand, b P, k int, turn float32)) {
	t.Helper()
	if !wide {
		t.Skip("no kernel for this processor")
	}
	r := rand.New(rand.NewPCG(9, 10))
	for round := range 300 {
		of, states := randomBatches(r, 1+r.IntN(4))
		if round%4 == 0 { // these bodies have not moved
			for i := range states {
				states[i].d, states[i].q, states[i].da = vec{}, rot{0, 1}, 0
			}
		}
		batches := make([]B, len(of))
		for i := range of {
			b := P(&batches[i])
			j := b.joints()
			randomJoints(r, j, &of[i])
			for k := range int(j.used) {
				set(r, b, k, states[j.b[k]/stateSize].da-states[j.a[k]/stateSize].da)
			}
		}
		samePasses[B, P](t, kind, batches, states, &jointPass{240, soften(60, 2, 1.0/240).within(1)}, round)
	}
}

// randomFree makes the free axis of a joint at a position.
func randomFree(r *rand.Rand, b *freeBatch, k int, place float32) {
	f := func() float32 { return float32(r.NormFloat64()) }
	b.lower[k], b.upper[k] = -inf, inf
	if r.IntN(2) == 0 {
		b.lower[k] = place + f()*.01
		b.upper[k] = b.lower[k] + abs(f())*.01
		b.free[1][k], b.free[2][k] = abs(f()), float32(r.IntN(2))*abs(f())
	}
	if r.IntN(2) == 0 {
		b.speed[k], b.most[k], b.free[0][k] = float32(r.IntN(2))*f(), abs(f()), f()
	}
	if r.IntN(2) == 0 {
		b.target[k], b.free[3][k] = f(), f()
		b.spring.set(k, soften(5, .5, 1.0/240).within(.1))
	}
	b.soft[0].set(k, soften(60, 2, 1.0/240).within(abs(f())))
	b.soft[1].set(k, []softness{rigid, soften(3, .1, 1.0/240).within(1)}[r.IntN(2)])
}

func randomJoints(r *rand.Rand, b *jointBatch, of *batch) {
	b.a, b.b, b.used = of.a, of.b, of.used
	b.mA, b.iA, b.mB, b.iB = of.mA, of.iA, of.mB, of.iB
	for k := range int(b.used) {
		for _, x := range []*lane8{&b.ax, &b.ay, &b.bx, &b.by, &b.cx, &b.cy, &b.x, &b.y, &b.totalX, &b.totalY} {
			x[k] = float32(r.NormFloat64())
		}
		if r.IntN(8) == 0 { // two that nothing moves
			b.mA[k], b.iA[k], b.mB[k], b.iB[k] = 0, 0, 0, 0
		}
	}
}

// samePasses requires that passes over batches give the same bits as the Go versions.
func samePasses[B any, P batchOf[B]](t *testing.T, kind int, batches []B, states []state, in *jointPass, round int) {
	t.Helper()
	of := newBatched()[kind].(*coloured[B, P])
	for _, pass := range []stage{stageWarmStart, stageSolve, stageRelax} {
		plainB, plainS := slices.Clone(batches), slices.Clone(states)
		of.batches = batches
		of.pass(pass, states, in)
		of.batches = plainB
		WithoutKernel(func() { of.pass(pass, plainS, in) })
		if !sameBits(states, plainS) {
			t.Fatalf("round %d: pass %d: other states", round, pass)
		}
		for i := range batches {
			for n, x := range lanesOf(&batches[i]) {
				if y := lanesOf(&plainB[i])[n]; n%lanes < usedOf(&plainB[i]) && math.Float32bits(x) != math.Float32bits(y) {
					t.Fatalf("round %d: pass %d: number %d of lane %d is %v, want %v", round, pass, n/lanes, n%lanes, x, y)
				}
			}
		}
	}
}

// lanesOf returns the numbers in all lanes of a batch.
func lanesOf[B any](b *B) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(b)), unsafe.Sizeof(*b)/4)
}

// usedOf returns the number of lanes that are in use.
func usedOf[B any](b *B) int { return int((*jointBatch)(unsafe.Pointer(b)).used) }

func TestTheKernelHasTheBitsOfThePlainVersionForContacts(t *testing.T) {
	if !wide {
		t.Skip("no kernel for this processor")
	}
	r := rand.New(rand.NewPCG(5, 6))
	f := func() float32 { return float32(r.NormFloat64()) }
	v := func() vec { return vec{f(), f()} }
	masses := make([]mass, 20)
	for i := range masses {
		masses[i] = mass{abs(f()), abs(f())}
	}
	masses[0] = mass{}
	const copies = 30
	with := common{0.9, copies * stateSize, softness{f(), f(), f(), 0}, softness{f(), f(), f(), 0}}
	for round := range 300 {
		contacts := make([]contact, 40)
		for i := range contacts {
			c := &contacts[i]
			*c = contact{normal: v(), friction: f(), tangentSpeed: f(), restitution: f(), bodyA: int32(r.IntN(20)), bodyB: int32(r.IntN(20)), radiusA: abs(f()), radiusB: float32(r.IntN(2)) * abs(f())}
			c.flags, c.count = uint16(r.Uint32()), uint8(1+r.IntN(2))
			for p := range c.points {
				c.points[p] = point{v(), v(), f(), f(), f(), f(), f(), f(), uint16(r.Uint32())}
			}
			if r.IntN(4) == 0 { // almost one point
				c.points[1].rA, c.points[1].rB = c.points[0].rA, c.points[0].rB
			}
		}
		places := r.Perm(len(contacts))
		batches := make([]batch, 4)
		for i := range batches {
			b := &batches[i]
			for i := range numbers(b) {
				numbers(b)[i] = f() // of the step before
			}
			var entries []entry
			for _, n := range places[:1+r.IntN(lanes)] {
				entries = append(entries, entry{int32(n), int32(r.IntN(40)), int32(r.IntN(copies))})
				if r.IntN(2) == 0 {
					e := &entries[len(entries)-1]
					e.a, e.b = e.b, e.a
				}
			}
			places = places[len(entries):]
			b.hold(entries, copies-1)
		}
		plainB, plainC := append([]batch(nil), batches...), append([]contact(nil), contacts...)
		prepare(batches, contacts, masses, &with)
		preparePlain(plainB, contacts, masses, &with)
		for i := range batches {
			for n, x := range numbers(&batches[i]) {
				if y := numbers(&plainB[i])[n]; n%lanes < int(plainB[i].used) && math.Float32bits(x) != math.Float32bits(y) {
					t.Fatalf("round %d: number %d of lane %d is %v, want %v", round, n/lanes, n%lanes, x, y)
				}
			}
			for p := range batches[i].points {
				b := &batches[i]
				for _, l := range []*lane8{&b.points[p].normal, &b.points[p].tangent, &b.total[p], &b.totalTangent[p]} {
					l[r.IntN(lanes)] = []float32{inf, -inf, nan}[r.IntN(3)]
				}
			}
		}
		storeBatches(batches, contacts)
		storePlain(batches, plainC)
		for i, x := range floats(contacts) {
			if math.Float32bits(x) != math.Float32bits(floats(plainC)[i]) {
				t.Fatalf("round %d: number %d of a contact is %v, want %v", round, i%(contactSize/4), x, floats(plainC)[i])
			}
		}
	}
}

func TestTheKernelHasTheBitsOfThePlainVersionForStates(t *testing.T) {
	if !wide {
		t.Skip("no kernel for this processor")
	}
	r := rand.New(rand.NewPCG(7, 8))
	f := func() float32 { return float32(r.NormFloat64()) }
	for round := range 300 {
		_, states := randomBatches(r, 3)
		motions, bodies := make([]motion, len(states)), make([]int32, 1+r.IntN(len(states)))
		for i := range motions {
			motions[i] = motion{dv: vec{f(), f()}, dw: f(), linearScale: f(), angularScale: f()}
		}
		for i, k := range r.Perm(len(states))[:len(bodies)] {
			bodies[i] = int32(k)
		}
		if s := &states[r.IntN(len(states))]; round%8 == 0 {
			s.v.x, s.w = []float32{inf, -inf, nan, 1}[r.IntN(4)], []float32{inf, -inf, nan, 1}[r.IntN(4)]
		}
		plain := append([]state(nil), states...)
		integrateVelocities(states, bodies, motions)
		integrateVelocitiesPlain(plain, bodies, motions)
		if !sameBits(states, plain) {
			t.Fatalf("round %d: other velocities", round)
		}
		n := len(bodies)
		maxSpeed := float32(r.IntN(4) + 1)
		integratePositions(states[:n], 0.1, maxSpeed, 2)
		integratePositionsPlain(plain[:n], 0.1, maxSpeed, 2)
		if !sameBits(states, plain) {
			t.Fatalf("round %d: other positions", round)
		}
	}
}

var inf, nan = float32(math.Inf(1)), float32(math.NaN())

func numbers(b *batch) []float32 { return unsafe.Slice(&b.nx[0], unsafe.Offsetof(b.used)/4) }

func floats(contacts []contact) []float32 {
	return unsafe.Slice(&contacts[0].normal.x, len(contacts)*contactSize/4)
}

func sameBits(a, b []state) bool {
	for i := range a {
		x, y := (*[8]float32)(unsafe.Pointer(&a[i])), (*[8]float32)(unsafe.Pointer(&b[i]))
		for k := range x {
			if math.Float32bits(x[k]) != math.Float32bits(y[k]) {
				return false
			}
		}
	}
	return true
}

func sameImpulses(a, b []batch) bool {
	for i := range a {
		for p := range a[i].points {
			x, y := &a[i].points[p], &b[i].points[p]
			for k := range int(a[i].used) {
				if math.Float32bits(x.normal[k]) != math.Float32bits(y.normal[k]) ||
					math.Float32bits(x.tangent[k]) != math.Float32bits(y.tangent[k]) ||
					math.Float32bits(a[i].total[p][k]) != math.Float32bits(b[i].total[p][k]) ||
					math.Float32bits(a[i].totalTangent[p][k]) != math.Float32bits(b[i].totalTangent[p][k]) {
					return false
				}
			}
		}
	}
	return true
}

// The test needs the generator's modules; without them it is skipped.
func TestTheKernelIsWhatTheGeneratorWrites(t *testing.T) {
	norace.Only(t)
	if testing.Short() {
		t.Skip("runs the generator")
	}
	want, err := os.ReadFile("kernel_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join("..", "..", "..", "tools", "softkernel")
	list := exec.Command("go", "list", "-deps", ".")
	list.Dir = dir
	if out, err := list.CombinedOutput(); err != nil {
		t.Skipf("no modules of the generator: %s", out)
	}
	out := filepath.Join(t.TempDir(), "kernel.s")
	run := exec.Command("go", "run", ".", "-out", out)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	_, want, _ = bytes.Cut(want, []byte("\n")) // the first line contains the command
	_, got, _ = bytes.Cut(got, []byte("\n"))
	if !bytes.Equal(want, got) {
		t.Error("kernel_amd64.s is not current: go generate ./internal/box/soft")
	}
}

func BenchmarkSolve(b *testing.B) {
	batches, states := randomBatches(rand.New(rand.NewPCG(1, 2)), 100)
	for _, kind := range []struct {
		name string
		wide bool
	}{{"kernel", true}, {"plain", false}} {
		b.Run(kind.name, func(b *testing.B) {
			defer func(was bool) { wide = was }(wide)
			wide = wide && kind.wide
			for range b.N {
				solve(batches, states, &common{}, 240, true)
				solve(batches, states, &common{}, 240, false)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(2*b.N*len(batches)*lanes), "ns/contact")
		})
	}
}
