package world

import (
	"math/rand/v2"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2"
	"halfstep/test/norace"
)

// crowdAsleep is a world of sleepers in the air, and of a few awake bodies.
func crowdAsleep(t testing.TB, asleep, awake int) *rig {
	r := newRig(t, gravity())
	r.ground()
	for i := range asleep + awake {
		r.body(BodyDef{
			Kind: Dynamic, Position: Vec{X: float64(i)*2 - 100, Y: 30}, Asleep: i >= awake, NoSleep: i < awake,
			Shapes: []ShapeDef{Box(.5, .5)},
		})
	}
	r.start()
	return r
}

// written is the number of states in which the newest slot of an exchange differs from
// the one before.
func written(x *buffer.Exchange[body2d.State]) (n int) {
	x.Acquire()
	s := x.Current()
	for range s.Changes.Since(s.Serial - 1) {
		n++
	}
	return n
}

func TestACaptureLooksAtWhatIsAwakeOrEdited(t *testing.T) {
	const asleep, awake = 400, 7
	r := crowdAsleep(t, asleep, awake)
	r.run(10)
	for range 20 {
		r.run(1)
		if n := written(r.exchange); n != awake {
			t.Fatalf("%d states written with %d bodies awake", n, awake)
		}
	}
	bodies := make([]Body, 0, asleep)
	for b := range r.Bodies() {
		bodies = append(bodies, b)
	}
	sleeper := bodies[len(bodies)-1]
	for _, c := range []struct {
		what string
		edit func() error
		more int // how many states are captured besides those of the awake bodies
	}{
		{"a smoothing mode", func() error { return r.SetBodySmoothing(sleeper, body2d.Newest) }, 1},
		{"a wake-up", func() error { return r.SetAwake(sleeper, true) }, 1},
		{"a sleep", func() error { return r.SetAwake(sleeper, false) }, 1},
		{"a destroyed body", func() error { return r.DestroyBody(sleeper) }, 2}, // and the ground
		{"a question", func() error { _, err := r.Body(bodies[9]); return err }, 0},
	} {
		check(t, c.edit())
		r.capture()
		if n := written(r.exchange); n > c.more {
			t.Errorf("%s: %d states written", c.what, n)
		}
		r.run(3)
	}
}

// A program that has Box2D's own objects may have changed anything.
func TestRawAccessHasEverythingCaptured(t *testing.T) {
	r := crowdAsleep(t, 100, 2)
	r.run(5)
	raw := r.BodyPointer(r.places.slots[50].rec.handle)
	raw.SetTransform(b2vec(Vec{X: 3, Y: 70}), 1)
	r.capture()
	if n := written(r.exchange); n != len(r.places.slots) {
		t.Errorf("%d states written of %d", n, len(r.places.slots))
	}
	r.run(1)
	if n := written(r.exchange); n > 3 {
		t.Errorf("%d states written in the tick after", n)
	}
}

func TestARestoreHasEverythingCaptured(t *testing.T) {
	r := crowdAsleep(t, 100, 2)
	r.run(5)
	var s Snapshot
	check(t, r.Snapshot(&s))
	check(t, r.Teleport(r.places.slots[50].rec.handle, Vec{X: 3, Y: 70}, 1))
	r.run(5)
	check(t, r.Restore(&s))
	r.capture()
	r.run(1)
	if got, want := r.Counts().Awake, int32(2); got != want {
		t.Errorf("%d bodies awake, want %d", got, want)
	}
}

// A world that goes back in time captures other ticks than the first time.
func TestWhoIsAwakeIsCountedRightlyWhateverWasCapturedBeforeASnapshot(t *testing.T) {
	r := crowdAsleep(t, 100, 2)
	r.run(5)
	sleeper := r.places.slots[50].rec.handle
	count := func(when string) {
		t.Helper()
		want := int32(0)
		for i := range r.places.slots {
			if b := r.places.slots[i].b; b != nil && b2.IsAwake(b) {
				want++
			}
		}
		if got := r.Counts().Awake; got != want {
			t.Errorf("%s: %d bodies awake, want %d", when, got, want)
		}
	}
	check(t, r.SetAwake(sleeper, true))
	var early, late Snapshot
	check(t, r.Snapshot(&early))
	r.capture()
	check(t, r.Snapshot(&late))
	if d := early.Difference(&late); d != "" {
		t.Error(d)
	}
	check(t, r.SetAwake(sleeper, false))
	count("asleep")
	check(t, r.Restore(&early))
	count("restored")
	r.capture()
	r.run(1)
	count("a step later")
}

// If a step is longer than the time of rest before sleep, a body can wake, move and fall
// asleep again in one step.
func TestABodyThatMovesInAStepInWhichItWakesAndFallsAsleepIsCaptured(t *testing.T) {
	r := newRig(t, Config{NoGravity: true, Stepper: SoftStep})
	r.body(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Box(.5, .5)}})
	other := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: .98}, Shapes: []ShapeDef{Box(.5, .5)}})
	for i := range 20 { // a capture that contains most bodies captures all
		r.body(BodyDef{Position: Vec{X: 10 + float64(i)}})
	}
	r.start()
	moved := 0
	for range 10 {
		was := r.states[0]
		check(t, r.SetAwake(other, true)) // no other body wakes before the step
		r.tick++
		r.Step(r.tick, 1.2)
		r.capture()
		if is := r.states[0]; is.X != was.X && (is.Flags()|was.Flags())&body2d.Awake == 0 {
			moved++
		}
	}
	if moved == 0 {
		t.Error("it did not wake and fall asleep in a step")
	}
}

func TestACaptureOfWhatChangedAllocatesNothing(t *testing.T) {
	r := crowdAsleep(t, 300, 5)
	r.run(20)
	step := func() {
		r.tick++
		r.Step(r.tick, dt)
		r.CaptureChanged(r.exchange.Next())
		r.exchange.Publish()
	}
	capture := func() {
		for slot := range int32(5) {
			r.places.changed.Mark(slot)
		}
		r.CaptureChanged(r.exchange.Next())
		r.exchange.Publish()
	}
	step()
	if n := testing.AllocsPerRun(100, capture); n != 0 {
		t.Errorf("%v allocations a capture", n)
	}
}

// Without a step, a command can change the look of a body or wake other bodies. The rig
// compares the states in the exchange with the states of all bodies.
func TestWhatACommandChangesIsCapturedAtOnce(t *testing.T) {
	norace.Only(t)
	for seed := range uint64(30) {
		r := crowdAsleep(t, 60, 0)
		c := &chaos{Rand: rand.New(rand.NewPCG(seed, 21)), w: r.World, names: 1000}
		for range 300 {
			if c.IntN(4) == 0 {
				for b := range r.Bodies() {
					check(t, r.SetAwake(b, false))
				}
				r.capture()
			}
			k := c.command()
			if k.Op == opRestore || k.Op == opDestroyBody && c.IntN(2) == 0 {
				continue // a restore would cause a capture of everything, and a few bodies should stay
			}
			r.apply(k)
			r.capture()
			if c.IntN(5) == 0 {
				r.frame(1)
			}
			r.events()
			r.structure()
		}
		r.Close()
	}
}

// Box2D wakes the neighbours of a body that is destroyed, or loses a shape or
// joint, and so changes their states as well.
func TestNeighboursThatWakeAreCapturedAtOnce(t *testing.T) {
	for name, edit := range map[string]func(r *rig, b Body, s Shape, j Joint) error{
		"body":     func(r *rig, b Body, _ Shape, _ Joint) error { return r.DestroyBody(b) },
		"shape":    func(r *rig, _ Body, s Shape, _ Joint) error { return r.DestroyShape(s) },
		"joint":    func(r *rig, _ Body, _ Shape, j Joint) error { return r.DestroyJoint(j) },
		"motor":    func(r *rig, _ Body, _ Shape, j Joint) error { return r.SetMotor(j, true, 3, 5) },
		"friction": func(r *rig, _ Body, s Shape, _ Joint) error { return r.SetFriction(s, .9) },
		"blast": func(r *rig, _ Body, _ Shape, _ Joint) error {
			return r.Explode(Explosion{Centre: Vec{X: 0, Y: 1}, Radius: 2, ImpulsePerLength: 1, Mask: 1})
		},
		"centre of mass": func(r *rig, b Body, _ Shape, _ Joint) error {
			_, err := r.CreateShape(b, CircleAt(.3, .3, .2))
			return err
		},
	} {
		r := crowdAsleep(t, 60, 0)
		low, high, beside := r.box(0, .5), r.box(0, 1.5), r.box(3, .5)
		shapes, _ := r.Shapes(low)
		j := r.joint(JointDef{Kind: RevoluteJoint, A: low, B: beside, AnchorA: Vec{X: 1.5, Y: 0}, AnchorB: Vec{X: -1.5, Y: 0}})
		r.run(5)
		for _, b := range []Body{low, high, beside} {
			check(t, r.SetAwake(b, false))
		}
		r.capture()
		for range 10 {
			r.capture() // every slot of the exchange shows the bodies asleep
		}
		if err := edit(r, low, shapes[0], j); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		r.capture()
	}
}

// Box2D moves a static body that was made with a velocity, together with the bodies that
// touch it.
func TestAStaticBodyHasNoVelocity(t *testing.T) {
	for stepper := range Stepper(3) {
		r := newRig(t, Config{Stepper: stepper, NoGravity: true})
		b := r.body(BodyDef{Velocity: Vec{X: .1, Y: 0}, AngularVelocity: 1, Shapes: []ShapeDef{Box(.5, .5)}})
		other := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 3, Y: 0}, Shapes: []ShapeDef{Box(.5, .5)}})
		r.joint(JointDef{Kind: RopeJoint, A: b, B: other, MaxLength: 10})
		r.run(100)
		if s := r.states[0]; s.X != 0 || s.Angle != 0 || s.VX != 0 || s.Omega != 0 {
			t.Errorf("%v: the body has moved: %+v", stepper, s)
		}
		r.Close()
	}
}
