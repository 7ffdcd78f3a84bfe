package world

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ByteArena/box2d"
)

func TestShapesCollideByDefault(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	b := r.box(0, 1)
	r.start()
	r.run(120)
	if y := r.at(b).Y; !near(y, .5, .02) {
		t.Errorf("the box lies at y = %v, not on the ground", y)
	}
}

func TestFiltersAreHonoured(t *testing.T) {
	for name, f := range map[string][2]Filter{
		"negative group":   {{Group: -1}, {Group: -1}},
		"mask":             {{Category: 2, Mask: 0xffff}, {Category: 1, Mask: 1}},
		"mask of nothing":  {{Category: 1}, {}},
		"a high category":  {{Category: 1 << 63, Mask: AllCategories}, {Category: 1, Mask: AllCategories &^ (1 << 63)}},
		"a high mask":      {{Category: 1 << 40, Mask: 1 << 41}, {Category: 1 << 42, Mask: 1 << 40}},
		"group beats mask": {{Category: 1, Mask: 1, Group: -2}, {Category: 1, Mask: 1, Group: -2}},
	} {
		r := newRig(t, gravity())
		edge := Edge(Vec{X: -9, Y: 0}, Vec{X: 9, Y: 0})
		edge.Filter = f[0]
		r.body(BodyDef{Shapes: []ShapeDef{edge}})
		box := Box(.5, .5)
		box.Filter = f[1]
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 1}, Shapes: []ShapeDef{box}})
		r.start()
		r.run(120)
		if y := r.at(b).Y; y > -1 {
			t.Errorf("%s: stopped at y = %v", name, y)
		}
	}
}

// In the library's 16 categories all shapes collide, because the filters of the world
// decide.
func TestCategoriesBeyondTheSixteenthLetShapesMeet(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		for name, c := range map[string]struct {
			ground, box Filter
			speed       float64 // down, m/s; the step sweeps a fast body
			held        bool
		}{
			"each has the other":         {Filter{Category: 1 << 40, Mask: 1 << 63}, Filter{Category: 1 << 63, Mask: 1 << 40}, 0, true},
			"each has the other, fast":   {Filter{Category: 1 << 40, Mask: 1 << 63}, Filter{Category: 1 << 63, Mask: 1 << 40}, 90, true},
			"one has not the other":      {Filter{Category: 1 << 40, Mask: 1 << 63}, Filter{Category: 1 << 63, Mask: 1 << 24}, 0, false},
			"low bits alike, fast":       {Filter{Category: 1<<40 | 1, Mask: 1 << 16}, Filter{Category: 1 << 32, Mask: 1<<40 | 1}, 90, false},
			"the zero filter has all":    {Filter{}, Filter{Category: 1 << 50, Mask: 1}, 0, true},
			"sixteen bits are no more":   {Filter{Category: 1, Mask: 0xffff}, Filter{Category: 1 << 16, Mask: AllCategories}, 0, false},
			"a group, whatever the mask": {Filter{Category: 1 << 40, Group: 3}, Filter{Category: 1 << 50, Group: 3}, 0, true},
		} {
			r := newRig(t, Config{Stepper: stepper})
			edge, box := Edge(Vec{X: -9, Y: 0}, Vec{X: 9, Y: 0}), Box(.5, .5)
			edge.Filter, box.Filter = c.ground, c.box
			r.body(BodyDef{Shapes: []ShapeDef{edge}})
			b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 3}, Velocity: Vec{Y: -c.speed}, Shapes: []ShapeDef{box}})
			r.start()
			r.run(120)
			if held := r.at(b).Y > 0; held != c.held {
				t.Errorf("%v, %s: held is %v, and it is at y = %v", stepper, name, held, r.at(b).Y)
			}
		}
	}
}

// A fixture that was made through Box2D has the library's filter, and no record.
func TestAFixtureOfBox2DsHasTheLibrarysSixteenCategories(t *testing.T) {
	for name, c := range map[string]struct {
		bits box2d.B2Filter
		held bool
	}{
		"by default":   {box2d.MakeB2Filter(), true},
		"another mask": {box2d.B2Filter{CategoryBits: 1, MaskBits: 0xfffe}, false},
	} {
		r := newRig(t, gravity())
		fd := box2d.MakeB2FixtureDef()
		edge := box2d.MakeB2EdgeShape()
		edge.Set(box2d.B2Vec2{X: -9}, box2d.B2Vec2{X: 9})
		fd.Shape, fd.Filter = &edge, c.bits
		r.BodyPointer(r.body(BodyDef{})).CreateFixtureFromDef(&fd)
		box := Box(.5, .5)
		box.Filter = Filter{Category: 1 << 40, Mask: AllCategories}
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 1}, Shapes: []ShapeDef{box}})
		r.start()
		r.run(120)
		if held := r.at(b).Y > 0; held != c.held {
			t.Errorf("%s: held is %v", name, held)
		}
	}
}

func TestSetKindKeepsColliding(t *testing.T) {
	r := newRig(t, gravity())
	ground := r.ground()
	b := r.box(0, .51)
	r.start()
	r.run(30)
	r.apply(Command{Op: opSetKind, Body: ground, N: int32(Kinematic)})
	for range 60 {
		r.run(1)
		if n := r.Counts().Contacts; n != 1 {
			t.Errorf("%d contacts", n)
		}
		if y := r.at(b).Y; y < .49 {
			t.Fatalf("the box sank to y = %v", y)
		}
	}
}

func TestSetKindAnnouncesTheBodyAnew(t *testing.T) {
	r := newRig(t, gravity())
	b := r.body(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{CircleAt(1, 0, .5)}})
	r.start()
	r.run(2)
	r.structure()
	r.frame(1, Command{Op: opSetKind, Body: b, N: int32(Static)})
	got := records(r.structure(), 1)
	if len(got) != 1 || BodyKind(got[0].BodyType) != Static || got[0].LocalX != 0 {
		t.Errorf("announced %+v", got)
	}
	if !r.has(b, 1<<1) {
		t.Error("its centre went to the origin, which is blended")
	}
}

func TestChangesWhileBox2DStepsArePutOff(t *testing.T) {
	r := newRig(t, gravity())
	g := r.ground()
	b := r.box(0, .6)
	order := []string{}
	r.SetPreSolve(func(w *World, c *PreSolveContact) {
		if c.A != g || c.B != b || c.Began != (len(order) == 0) {
			t.Errorf("asked about %+v", c)
		}
		if len(order) > 0 {
			return
		}
		order = append(order, "in the step")
		if err := w.DestroyBody(b); err != nil || !w.Alive(b) {
			t.Errorf("destroy in the step: %v, alive %v", err, w.Alive(b))
		}
		w.DestroyBody(b) // twice: the second call finds no body
		if _, err := w.CreateBody(BodyDef{}); !errors.Is(err, ErrStepping) {
			t.Errorf("create in the step: %v", err)
		}
		if err := w.Teleport(b, Vec{}, 0); !errors.Is(err, ErrStepping) {
			t.Errorf("teleport in the step: %v", err)
		}
		w.Later(func(w *World) {
			order = append(order, "later")
			if w.Alive(b) {
				t.Error("not destroyed once the step was over")
			}
		})
	})
	r.AddContactHook(func(w *World, contacts []Event) {
		if len(contacts) > 0 {
			order = append(order, "hook")
		}
	})
	r.start()
	r.run(60)
	if got := strings.Join(order, ", "); got != "in the step, later, hook" {
		t.Errorf("order: %s", got)
	}
	if r.news.rejected != 0 {
		t.Errorf("%d rejected", r.news.rejected)
	}
}

func TestPreSolveLetsBodiesPass(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	b := r.box(0, 1)
	r.SetPreSolve(func(_ *World, c *PreSolveContact) { c.Solid = false })
	r.start()
	r.run(120)
	if y := r.at(b).Y; y > -1 {
		t.Errorf("stopped at y = %v", y)
	}
}

func TestDestroyedBodiesAreCollected(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	const n = 32
	var gone sync.WaitGroup
	gone.Add(n)
	var bodies []Body
	for range n {
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 4}, Shapes: []ShapeDef{Box(.5, .5), CircleAt(2, 0, 1)}})
		runtime.AddCleanup(r.BodyPointer(b), func(int) { gone.Done() }, 0)
		bodies = append(bodies, b)
	}
	r.start()
	r.run(3)
	for i, b := range bodies {
		if i%2 == 0 {
			shapes, _ := r.Shapes(b)
			check(t, r.DestroyShape(shapes[0]))
		}
		check(t, r.DestroyBody(b))
	}
	r.run(1) // state that lasts only until the next step ends with it
	r.events()
	r.structure()
	done := make(chan bool)
	go func() { gone.Wait(); close(done) }()
	for range 200 {
		runtime.GC()
		select {
		case <-done:
			runtime.KeepAlive(r)
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
	t.Error("destroyed bodies are still reachable")
	runtime.KeepAlive(r)
}

func TestEndOfADestroyedContactHasATick(t *testing.T) {
	r, platform, b := sleepers(t)
	r.events()
	r.apply(Command{Op: opDestroyBody, Body: platform})
	got := only(r.events(), ContactEnd)
	if len(got) != 1 || got[0].Tick != 120 || got[0].A != platform || got[0].B != b {
		t.Errorf("ends: %+v", got)
	}
	var heard []Event
	r.AddContactHook(func(_ *World, c []Event) { heard = append(heard, c...) })
	r.run(1)
	if len(heard) != 1 || heard[0].Kind != ContactEnd {
		t.Errorf("the hooks heard %+v", heard)
	}
}

func TestStaleNamesNeverReachAnotherBody(t *testing.T) {
	r := newRig(t, gravity())
	old := r.box(0, 0)
	r.start()
	check(t, r.DestroyBody(old))
	b := r.box(0, 0)
	was, _ := r.slotOf(b)
	if was != 0 {
		t.Fatalf("slot %d: the test wants the slot used again", was)
	}
	before := r.at(b)
	ops := []opcode{opDestroyBody, opForce, opForceAt, opTorque, opImpulse, opImpulseAt, opAngularImpulse, opVelocity,
		opAngularVelocity, opTeleport, opShift, opMoveTo, opSetKind, opSetAwake, opSetEnabled, opSetBullet, opSetGravityScale,
		opSetDamping, opSetFixedRotation, opSetFixedAxes, opSetSmoothing, opSetName}
	for _, op := range ops {
		r.apply(Command{Op: op, Body: old, V: Vec{X: 1, Y: 1}, P: Vec{X: 5, Y: 5}, X: 2})
	}
	r.apply(Command{Op: opDestroyShape, Shape: 99}, Command{Op: opDestroyJoint, Joint: 99})
	got := only(r.events(), CommandRejected)
	if len(got) != len(ops)+2 || r.news.rejected != uint64(len(got)) {
		t.Errorf("%d of %d rejected, %d counted", len(got), len(ops)+2, r.news.rejected)
	}
	for _, e := range got {
		if !errors.Is(e.Err, ErrStale) || strings.Contains(e.Err.Error(), "\n") {
			t.Errorf("error %q", e.Err)
		}
	}
	if r.at(b) != before || r.speed(b) != (Vec{}) {
		t.Error("the command reached another body")
	}
}

func TestBox2DsGlobalsAreReadyBeforeAnyWorldSteps(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			w := newDriven(Config{Gravity: Vec{X: 0, Y: -10}, NoContinuous: true})
			w.CreateBody(BodyDef{Shapes: []ShapeDef{Edge(Vec{X: -9, Y: 0}, Vec{X: 9, Y: 0})}})
			w.CreateBody(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: .6}, Shapes: []ShapeDef{Box(.5, .5)}})
			for i := range 60 {
				w.Step(uint64(i+1), dt)
			}
		})
	}
	wg.Wait()
}

func TestBoxesOfTheDebugLayerHoldTheirShapes(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	r.body(BodyDef{Position: Vec{X: 3, Y: 4}, Angle: math.Pi / 2, Shapes: []ShapeDef{Box(2, 1), Circle(.5),
		Edge(Vec{X: 0, Y: 0}, Vec{X: 2, Y: 0}), Chain(Vec{X: 0, Y: 0}, Vec{X: 1, Y: 0}, Vec{X: 1, Y: 1})}})
	r.start()
	d := debugOf(r)
	want := [][4]float32{{2, 2, 4, 6}, {2.5, 3.5, 3.5, 4.5}, {3, 4, 3, 6}, {3, 4, 3, 5}, {2, 5, 3, 5}}
	if len(d.Boxes) != len(want) {
		t.Fatalf("%d boxes", len(d.Boxes))
	}
	for i, b := range d.Boxes {
		for k, x := range [4]float32{b.MinX, b.MinY, b.MaxX, b.MaxY} {
			if !near(float64(x), float64(want[i][k]), 1e-5) {
				t.Errorf("box %d: %+v, want %v", i, b, want[i])
				break
			}
		}
	}
}

func TestRawAccessNamesBodies(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(1, 2)
	raw := r.BodyPointer(b)
	if raw == nil || r.HandleOf(raw) != b {
		t.Errorf("pointer %v, name %v", raw, r.HandleOf(raw))
	}
	def := box2d.MakeB2BodyDef()
	if n := r.HandleOf(r.Box2D().CreateBody(&def)); n != 0 {
		t.Errorf("a body of somebody else's is called %v", n)
	}
	check(t, r.DestroyBody(b))
	if r.BodyPointer(b) != nil || r.HandleOf(raw) != 0 {
		t.Error("a dead body has a pointer or a name")
	}
}
