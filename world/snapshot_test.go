package world

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

// take takes a snapshot.
func (r *rig) take() *Snapshot {
	r.t.Helper()
	s := new(Snapshot)
	check(r.t, r.World.Snapshot(s))
	return s
}

func TestHandlesOfThenAreGoodAgainAndLaterOnesStayStale(t *testing.T) {
	r := newRig(t, gravity())
	ground, old := r.ground(), r.box(0, 3)
	joint := r.joint(JointDef{Kind: RevoluteJoint, A: ground, B: old})
	shapes, _ := r.Shapes(old)
	r.start()
	r.run(3)
	s := r.take()

	check(t, r.DestroyBody(old))
	later := r.box(5, 5)
	r.frame(1, Command{Op: opCreateBody, Body: 7, BodyDef: &BodyDef{}})
	r.run(5)
	check(t, r.World.Restore(s))
	if _, err := r.Joint(joint); err != nil || !r.Alive(old) {
		t.Errorf("the old body is %v, its joint: %v", r.Alive(old), err)
	}
	if i, err := r.Shape(shapes[0]); err != nil || i.Body != old {
		t.Errorf("its shape is %+v: %v", i, err)
	}
	for _, b := range []Body{later, 7} {
		if err := r.SetVelocity(b, Vec{}); !errors.Is(err, ErrStale) {
			t.Errorf("%v: %v", b, err)
		}
	}
	if made := r.box(5, 5); made == later || made == old {
		t.Errorf("a new body has the handle %v again", made)
	}
	r.frame(1, Command{Op: opCreateBody, Body: 7, BodyDef: &BodyDef{Name: "again"}})
	if r.info(7).Name != "again" {
		t.Error("a command that is run again did not keep its handle")
	}
}

func TestARestoreTellsWhatIsGoneAndThatTheWorldWentBack(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	r.start()
	r.run(2)
	s := r.take()
	r.body(BodyDef{Name: "late", User: "mine"})
	r.run(3)
	r.events()
	check(t, r.World.Restore(s))
	e := r.events()
	if len(e) != 2 || e[0].Kind != BodyRemoved || e[0].User != "mine" || e[0].NameA != "late" || e[1].Kind != WorldRestored {
		t.Fatalf("told %v", e)
	}
	if e[1].Tick != 5 || r.World.Tick() != 2 || s.Tick() != 2 || (private{}).Tick(s) != 2 {
		t.Errorf("told at tick %d; the world is at %d, the snapshot of %d and %d", e[1].Tick, r.World.Tick(), s.Tick(), (private{}).Tick(s))
	}
	r.run(1)
	if r.World.Tick() != 3 {
		t.Errorf("after a step the world is at tick %d", r.World.Tick())
	}
	if again := r.take(); again.Tick() != 3 || (private{}).Tick(again) != 6 {
		t.Errorf("a new snapshot is of ticks %d and %d", again.Tick(), (private{}).Tick(again))
	}
}

func TestOnlyWhatARestoreMovesIsKeptFromBlending(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	r.start()
	still, falls := r.body(BodyDef{Position: Vec{X: 9, Y: 9}, Shapes: []ShapeDef{Circle(1)}}), r.box(0, 30)
	r.run(5)
	s := r.take()
	r.run(5)
	jumps := func(b Body) bool {
		r.capture()
		return r.states[r.registry.bodies[b].slot].Flags()&body2d.Jump != 0
	}
	check(t, r.World.Restore(s))
	if jumps(still) || !jumps(falls) {
		t.Errorf("still: %v, falling: %v", jumps(still), jumps(falls))
	}
	r.run(1)
	if jumps(falls) {
		t.Error("it is not blended in the next tick either")
	}
	events := len(r.events())
	check(t, r.restore(s, asBefore, 0))
	if jumps(falls) || len(r.events()) != 0 || events == 0 {
		t.Error("GoBack shows that it went back")
	}
}

func TestWhatLooksOtherwiseAfterARestoreIsAnnouncedAnew(t *testing.T) {
	r := newRig(t, gravity())
	b, plain := r.box(0, 30), r.box(5, 30)
	j := r.joint(JointDef{Kind: MouseJoint, B: plain, Target: Vec{X: 5, Y: 31}, MaxForce: 1})
	shapes, _ := r.Shapes(plain)
	r.start()
	r.run(1)
	s := r.take()
	check(t, r.SetKind(b, Static))
	check(t, r.SetTarget(j, Vec{X: 6, Y: 30}))
	check(t, r.SetSensor(shapes[0], true))
	r.run(1)
	r.structure()
	check(t, r.World.Restore(s))
	told := map[body2d.StructureKind]int{}
	for _, s := range r.structure() {
		told[s.Kind]++
		switch s.Kind {
		case body2d.BodyChanged:
			if s.Handle != uint64(b) || s.BodyType != uint8(Dynamic) {
				t.Errorf("told %+v", s)
			}
		case body2d.JointAdded:
			if s.Joint.A != [2]float32{5, 31} {
				t.Errorf("the joint is drawn to %v", s.Joint.A)
			}
		case body2d.ShapeAdded:
			if s.Shape.Sensor || s.ID != r.registry.shapes[shapes[0]].id {
				t.Errorf("told %+v", s)
			}
		}
	}
	if len(told) != 5 || told[body2d.BodyChanged] != 1 || told[body2d.JointAdded] != 1 || told[body2d.ShapeAdded] != 1 {
		t.Errorf("told %v", told)
	}
	check(t, r.World.Restore(s))
	if more := r.structure(); len(more) != 0 {
		t.Errorf("nothing has changed, and it told %+v", more)
	}
}

func TestForcesThatWaitForAStepAreInASnapshot(t *testing.T) {
	for _, first := range []opcode{opForce, opNone} {
		r := newRig(t, Config{NoGravity: true})
		b := r.box(0, 0)
		r.start()
		push := Command{Op: opForce, Body: b, V: Vec{X: 3, Y: 0}}
		r.BeginFrame()
		r.apply(Command{Op: first, Body: b, V: Vec{X: 1, Y: 0}})
		s := r.take()
		r.apply(push) // a push of the same frame, which adds to the first
		r.tick++
		r.Step(r.tick, dt)
		r.EndFrame()
		want := r.info(b).Velocity
		r.run(3)
		check(t, r.World.Restore(s))
		r.frame(1, push)
		if got := r.info(b).Velocity; got != want && first == opNone {
			t.Errorf("%v after the restore, %v the first time", got, want)
		}
		r.BeginFrame()
		check(t, r.World.Restore(s))
		r.apply(push)
		r.tick++
		r.Step(r.tick, dt)
		if got := r.info(b).Velocity; got != want {
			t.Errorf("after %v: %v after the restore, %v the first time", first, got, want)
		}
	}
}

func TestASnapshotIsRefusedInOneLine(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	r.box(0, .4)
	var s Snapshot
	if err := r.World.Restore(&s); !errors.Is(err, errEmpty) {
		t.Errorf("an empty snapshot: %v", err)
	}
	other := newRig(t, gravity())
	if err := other.World.Restore(r.take()); !errors.Is(err, errForeign) {
		t.Errorf("a snapshot of another world: %v", err)
	}
	if !softly {
		soft := NewSimulation(Config{Stepper: SoftStep}).World()
		if err := soft.Restore(r.take()); !errors.Is(err, errForeign) || !strings.HasSuffix(err.Error(), " stepper; this one has soft") {
			t.Errorf("a snapshot of another stepper: %v", err)
		}
	}
	asked, good := false, r.take()
	r.SetPreSolve(func(w *World, _ *PreSolveContact) {
		asked = true
		if err := w.Snapshot(good); !errors.Is(err, ErrStepping) {
			t.Errorf("in a step: %v", err)
		}
		if err := w.Restore(&s); !errors.Is(err, ErrStepping) {
			t.Errorf("in a step: %v", err)
		}
	})
	r.start()
	r.run(3)
	if !asked {
		t.Error("nobody asked")
	}
	check(t, r.World.Restore(good)) // the snapshot still has its content
	r.AddState(broken{})
	if err := r.World.Snapshot(&s); !errors.Is(err, errBroken) {
		t.Errorf("a state that can not be had: %v", err)
	}
	if err := r.World.Restore(&s); !errors.Is(err, errEmpty) {
		t.Errorf("a snapshot that failed: %v", err)
	}
	r.states = nil
	r.World.states = nil
	r.Box2D().CreateBody(&box2d.B2BodyDef{}).CreateFixture(&strange{}, 1)
	if err := r.World.Snapshot(&s); err == nil || s.of != nil {
		t.Errorf("a shape that is not Box2D's: %v", err)
	}
}

type strange struct{ box2d.B2CircleShape }

func (s *strange) Clone() box2d.B2ShapeInterface { return s }

var errBroken = errors.New("broken")

type broken struct{}

func (broken) AppendBinary(b []byte) ([]byte, error) { return b, errBroken }
func (broken) UnmarshalBinary([]byte) error          { return errBroken }

// counter is a controller that counts.
type counter struct{ n uint64 }

func (c *counter) BeforeStep(*World, float64) { c.n++ }
func (c *counter) AppendBinary(b []byte) ([]byte, error) {
	return binary.LittleEndian.AppendUint64(b, c.n), nil
}
func (c *counter) UnmarshalBinary(b []byte) error {
	if len(b) != 8 {
		return errBroken
	}
	c.n = binary.LittleEndian.Uint64(b)
	return nil
}

func TestControllersGoBackWithTheWorld(t *testing.T) {
	r := newRig(t, gravity())
	c, pcg := &counter{}, rand.NewPCG(1, 2)
	r.AddController(c)
	r.AddState(pcg)
	every := 0
	r.AddControllerEvery(4, ControllerFunc(func(*World, float64) { every++ }))
	r.start()
	r.run(2)
	s := r.take()
	n := pcg.Uint64()
	later := &counter{}
	r.AddController(later)
	r.run(3)
	before := every
	check(t, r.World.Restore(s))
	if c.n != 2 || pcg.Uint64() != n {
		t.Errorf("it counts %d", c.n)
	}
	r.run(3)
	if c.n != 5 || later.n != 3 {
		t.Errorf("they count %d, and %d, which was added later", c.n, later.n)
	}
	if every != before+1 {
		t.Errorf("the one that runs every 4 steps ran %d times in ticks 3 to 5", every-before)
	}
}

func TestTheStepGoesOnAfterARestoreInAControllerOrHook(t *testing.T) {
	for _, hook := range []bool{false, true} {
		r := newRig(t, gravity())
		b := r.box(0, 50)
		var s Snapshot
		n := 0
		travel := func(w *World) {
			switch n++; n {
			case 3:
				check(t, w.Snapshot(&s))
			case 7:
				check(t, w.Restore(&s))
			}
		}
		var at [20]Vec // by the world's tick
		r.AddController(ControllerFunc(func(w *World, _ float64) {
			if !hook {
				travel(w)
			}
		}))
		r.AddContactHook(func(w *World, _ []Event) {
			if hook {
				travel(w)
			}
			i := r.info(b)
			if tick := w.Tick(); at[tick] == (Vec{}) {
				at[tick] = i.Position
			} else if at[tick] != i.Position {
				t.Errorf("at tick %d it is at %v, not %v", tick, i.Position, at[tick])
			}
		})
		r.start()
		r.run(12)
		if r.World.Tick() != 8 {
			t.Errorf("after 12 steps and a restore of the 3rd in the 7th the world is at tick %d", r.World.Tick())
		}
	}
}

func TestSnapshotsOfDifferentBranchesDoNotMix(t *testing.T) {
	for seed := range uint64(8) {
		r := newRig(t, Config{Gravity: Vec{Y: -10}, Stepper: Stepper(seed % 2)})
		c := &chaos{Rand: rand.New(rand.NewPCG(seed, 11))}
		c.frames(r, 30)
		first := r.take()
		branch := func() {
			check(t, r.World.Restore(first))
			c.frames(r, 10)
		}
		hashes := func() (h []uint64) {
			for range 20 {
				r.run(1)
				h = append(h, r.World.hashes.walkedHash())
			}
			return h
		}
		branch()
		second := r.take()
		want := hashes()
		branch() // with other commands
		check(t, r.World.Restore(second))
		if got := hashes(); !slices.Equal(got, want) {
			t.Errorf("seed %d: the world goes on in another way", seed)
		}
	}
}

func TestVariablesThatAreKeptGoBackWithTheWorld(t *testing.T) {
	r := newRig(t, gravity())
	type flight struct {
		body Body
		age  float64
	}
	n, name, list := 3, "a", []flight{{1, 2}, {3, 4}}
	r.Keep(&n, &name, &list)
	s := r.take()
	n, name, list = 4, "bc", append(list[:1], flight{5, 6}, flight{7, 8})
	check(t, r.World.Restore(s))
	if n != 3 || name != "a" || len(list) != 2 || list[1] != (flight{3, 4}) {
		t.Error(n, name, list)
	}
	if n := testing.AllocsPerRun(10, func() { check(t, r.World.Snapshot(s)); check(t, r.World.Restore(s)) }); n > 1 { // the string
		t.Errorf("%v allocations", n)
	}
	for _, bad := range []any{3, nil, (*int)(nil), &map[int]int{}, &struct{ p *int }{}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Keep took a %T", bad)
				}
			}()
			r.Keep(bad)
		}()
	}
}

func TestAWorldWithoutAHistoryRejectsSnapshotsUnderNumbersInOneLine(t *testing.T) {
	r := newRig(t, gravity())
	r.start()
	r.frame(1, Command{Op: opSnapshot, N: 3}, Command{Op: opRestore, N: 3})
	rejected := only(r.events(), CommandRejected)
	if len(rejected) != 2 || !strings.Contains(fmt.Sprint(rejected[0]), "only an engine keeps snapshots under numbers") {
		t.Errorf("told %v", rejected)
	}
}

func TestASnapshotTakenAnewLetsGoOfWhatItHeld(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	r.start()
	var s Snapshot
	gone := make([]weak.Pointer[box2d.B2Body], 20)
	func() {
		for i := range gone {
			b := r.box(float64(i), .4)
			gone[i] = weak.Make(r.registry.bodies[b].b)
			if i > 0 {
				r.joint(JointDef{Kind: RevoluteJoint, A: b, B: r.registry.last.prev.handle})
			}
		}
		r.run(3)
		check(t, r.World.Snapshot(&s))
		for _, p := range gone {
			check(t, r.DestroyBody(r.HandleOf(p.Value())))
		}
	}()
	r.run(3)
	r.events()
	runtime.GC()
	if gone[0].Value() == nil {
		t.Error("the snapshot does not keep what was destroyed")
	}
	check(t, r.World.Snapshot(&s))
	for range 3 {
		runtime.GC()
	}
	for i, p := range gone {
		if p.Value() != nil {
			t.Errorf("body %d is still reachable", i)
		}
	}
	runtime.KeepAlive(&s)
}

// In every other step, each of three controllers pushes a box. The second one draws a random number
// and makes the snapshot.
func TestASnapshotTakenInAControllerGoesOnAlike(t *testing.T) {
	build := func(snap *Snapshot) (r *rig, b Body) {
		r = newRig(t, gravity())
		r.ground()
		b = r.box(0, .4)
		for i := range 3 {
			r.AddControllerEvery(2, ControllerFunc(func(w *World, _ float64) {
				check(t, w.Impulse(b, Vec{X: float64(i + 1)}))
				if w.DrawLine(Vec{}, Vec{X: 1}, body2d.Colour{}); i == 1 && w.Tick() == 10 && snap.of == nil {
					check(t, w.Snapshot(snap))
				}
			}))
		}
		r.start()
		return r, b
	}
	var snap Snapshot
	r, b := build(&snap)
	r.run(31)
	x, hash, drawn := r.info(b).Position.X, r.World.Hash(), len(r.World.sheet.drawings)
	goesOn := func(what string, r *rig) {
		t.Helper()
		if r.run(21); r.info(b).Position.X != x || r.World.Hash() != hash || len(r.World.sheet.drawings) != drawn {
			t.Errorf("%s: x is %v, not %v; %d drawings, not %d", what, r.info(b).Position.X, x, len(r.World.sheet.drawings), drawn)
		}
	}
	data, err := snap.MarshalBinary()
	check(t, err)
	check(t, r.World.Restore(&snap))
	goesOn("restored", r)
	loaded, err := LoadSnapshot(data)
	check(t, err)
	other, _ := build(&snap)
	check(t, other.World.Restore(loaded))
	goesOn("from bytes", other)
}

func TestASnapshotBeforeTheLastHookOfAStepIsRefused(t *testing.T) {
	r := newRig(t, gravity())
	var s Snapshot
	var errs []error
	hook := func(w *World, _ []Event) { errs = append(errs, w.Snapshot(&s)) }
	r.AddContactHook(hook)
	r.AddContactHook(hook)
	r.start()
	r.run(1)
	if len(errs) != 2 || !errors.Is(errs[0], errHooks) || errs[1] != nil || r.World.Snapshot(&s) != nil {
		t.Error(errs)
	}
}
