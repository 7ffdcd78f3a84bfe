package world

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
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
	if e[1].Tick != 5 || r.World.Tick() != 2 || s.Tick() != 2 || s.At() != 2 {
		t.Errorf("told at tick %d; the world is at %d, the snapshot of %d and %d", e[1].Tick, r.World.Tick(), s.Tick(), s.At())
	}
	r.run(1)
	if r.World.Tick() != 3 {
		t.Errorf("after a step the world is at tick %d", r.World.Tick())
	}
	if again := r.take(); again.Tick() != 3 || again.At() != 6 {
		t.Errorf("a new snapshot is of ticks %d and %d", again.Tick(), again.At())
	}
}

func TestOnlyWhatARestoreMovesIsKeptFromBlending(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	r.start()
	still, falls := r.body(BodyDef{Position: Vec{9, 9}, Shapes: []ShapeDef{Circle(1)}}), r.box(0, 30)
	r.run(5)
	s := r.take()
	r.run(5)
	jumps := func(b Body) bool {
		r.capture()
		return r.states[r.bodies[b].slot].Flags()&body2d.Jump != 0
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
	check(t, r.Rewind(s))
	if jumps(falls) || len(r.events()) != 0 || events == 0 {
		t.Error("Rewind shows that it went back")
	}
}

func TestForcesThatWaitForAStepAreInASnapshot(t *testing.T) {
	for _, first := range []opcode{opForce, opNone} {
		r := newRig(t, Config{NoGravity: true})
		b := r.box(0, 0)
		r.start()
		push := Command{Op: opForce, Body: b, V: Vec{3, 0}}
		r.BeginFrame()
		r.apply(Command{Op: first, Body: b, V: Vec{1, 0}})
		s := r.take()
		r.apply(push) // of the same frame: the two add up
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
	asked := false
	r.SetPreSolve(func(w *World, _ Contact, _ bool) bool {
		asked = true
		if err := w.Snapshot(&s); !errors.Is(err, ErrStepping) {
			t.Errorf("in a step: %v", err)
		}
		if err := w.Restore(&s); !errors.Is(err, ErrStepping) {
			t.Errorf("in a step: %v", err)
		}
		return true
	})
	r.start()
	r.run(3)
	if !asked {
		t.Error("nobody asked")
	}
	r.AddState(broken{})
	if err := r.World.Snapshot(&s); !errors.Is(err, errBroken) {
		t.Errorf("a state that can not be had: %v", err)
	}
	if err := r.World.Restore(&s); !errors.Is(err, errEmpty) {
		t.Errorf("a snapshot that failed: %v", err)
	}
	r.states = nil
	r.World.states = nil
	r.b2.CreateBody(&box2d.B2BodyDef{}).CreateFixture(&strange{}, 1)
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

func TestSnapshotsByCommandAreKeptUnderNumbers(t *testing.T) {
	r := newRig(t, gravity())
	b := r.box(0, 30)
	r.start()
	give := func(number int, restore bool) Command {
		var q sent
		if c := NewCommands(&q, nil); restore {
			c.Restore(number)
		} else {
			c.Snapshot(number)
		}
		return q[0]
	}
	r.frame(1, give(3, false))
	first := r.info(b)
	r.frame(4, give(0, false))
	r.frame(1, give(3, true))
	if r.info(b) != first {
		t.Errorf("the body is at %v, not %v", r.info(b).Position, first.Position)
	}
	rejected := r.rejected
	for _, n := range []int{-1, MaxSnapshots, 1 << 40, 5} {
		r.frame(0, give(n, true))
	}
	r.frame(0, give(-1, false), give(MaxSnapshots, false))
	if r.rejected != rejected+6 {
		t.Errorf("%d were rejected", r.rejected-rejected)
	}
}

type sent []Command

func (s *sent) Send(_ uint64, c Command) { *s = append(*s, c) }
func (s *sent) Room() int                { return 1 }

func TestASnapshotTakenAnewLetsGoOfWhatItHeld(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	r.start()
	var s Snapshot
	gone := make([]weak.Pointer[box2d.B2Body], 20)
	func() {
		for i := range gone {
			b := r.box(float64(i), .4)
			gone[i] = weak.Make(r.bodies[b].b)
			if i > 0 {
				r.joint(JointDef{Kind: RevoluteJoint, A: b, B: r.last.prev.handle})
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
}

// The structure log, the states and the world agree wherever the world goes back:
// between steps, in controllers, in hooks.
func TestStructureAndStatesAgreeAcrossRestores(t *testing.T) {
	restores := 0
	for seed := range uint64(12) {
		r := newRig(t, gravity())
		c := &chaos{Rand: rand.New(rand.NewPCG(seed, 13)), w: r.World}
		var kept [3]Snapshot
		travel := func(w *World) {
			s := &kept[c.IntN(len(kept))]
			switch c.IntN(12) {
			case 0:
				check(t, w.Snapshot(s))
			case 1:
				if s.of != nil {
					check(t, w.Restore(s))
					restores++
				}
			}
		}
		r.AddController(ControllerFunc(func(w *World, _ float64) { travel(w) }))
		r.AddContactHook(func(w *World, contacts []Event) {
			for _, k := range contacts {
				if c.IntN(4) == 0 {
					w.DestroyBody(k.A)
				}
			}
			travel(w)
			if c.IntN(9) == 0 {
				w.CreateBody(BodyDef{Kind: Dynamic, Position: Vec{Y: 4}, Shapes: []ShapeDef{Circle(.4)}})
			}
		})
		r.start()
		p := newPicture(r)
		for range 150 {
			r.BeginFrame()
			for range c.IntN(5) {
				k := c.command()
				r.Apply(r.tick, &k, false)
			}
			travel(r.World)
			if c.IntN(3) == 0 {
				r.capture() // as the loop does where no step follows
				p.check(seed)
				continue
			}
			r.frame(1)
			p.check(seed)
		}
		r.Close()
	}
	if restores < 100 {
		t.Errorf("only %d restores", restores)
	}
}

// picture is what the structure log says of a world.
type picture struct {
	r      *rig
	slots  map[int32]uint64 // handles
	shapes map[uint32]int32 // slots
	joints map[uint32]bool
	last   []body2d.State
	shown  map[int32]uint64 // handles, as of last
}

func newPicture(r *rig) *picture {
	return &picture{r: r, slots: map[int32]uint64{}, shapes: map[uint32]int32{}, joints: map[uint32]bool{}, shown: map[int32]uint64{}}
}

// check compares them. Handles that stand for a slot change with its generation.
func (p *picture) check(seed uint64) {
	r := p.r
	r.t.Helper()
	generations := map[int32]uint32{}
	for _, s := range r.structure() {
		if s.Tick > r.tick {
			r.t.Fatalf("seed %d: a record of tick %d at %d", seed, s.Tick, r.tick)
		}
		switch s.Kind {
		case body2d.BodyAdded:
			if p.slots[s.Slot] != 0 {
				r.t.Fatalf("seed %d, tick %d: slot %d is taken", seed, r.tick, s.Slot)
			}
			p.slots[s.Slot], generations[s.Slot] = s.Handle, s.Generation
		case body2d.BodyRemoved:
			delete(p.slots, s.Slot)
			for id, slot := range p.shapes {
				if slot == s.Slot {
					delete(p.shapes, id)
				}
			}
		case body2d.ShapeAdded:
			p.shapes[s.ID] = s.Slot
		case body2d.ShapeRemoved:
			delete(p.shapes, s.ID)
		case body2d.JointAdded:
			p.joints[s.ID] = true
		case body2d.JointRemoved:
			delete(p.joints, s.ID)
		}
	}
	for i, s := range r.states {
		handle := p.slots[int32(i)]
		if alive := s.Flags()&body2d.Alive != 0; alive != (handle != 0) {
			r.t.Fatalf("seed %d, tick %d: slot %d: announced %v, state %+v", seed, r.tick, i, Body(handle), s)
		}
		if handle == 0 {
			continue
		}
		if g, ok := generations[int32(i)]; ok && g != s.Generation() {
			r.t.Fatalf("seed %d, tick %d: slot %d is of generation %d, announced %d", seed, r.tick, i, s.Generation(), g)
		}
		if was := p.shown[int32(i)]; was != 0 && was != handle && p.last[i].Generation() == s.Generation() {
			r.t.Fatalf("seed %d, tick %d: slot %d goes from %v to %v in one generation", seed, r.tick, i, Body(was), Body(handle))
		}
	}
	p.last = append(p.last[:0], r.states...)
	clear(p.shown)
	for i, handle := range p.slots {
		p.shown[i] = handle
	}
	if len(r.late) > 0 {
		return // not announced yet
	}
	if len(p.joints) != len(r.joints) || len(p.shapes) != len(r.shapes) || len(p.slots) != len(r.bodies) {
		r.t.Fatalf("seed %d, tick %d: announced %d bodies, %d shapes, %d joints; there are %d, %d, %d",
			seed, r.tick, len(p.slots), len(p.shapes), len(p.joints), len(r.bodies), len(r.shapes), len(r.joints))
	}
}
