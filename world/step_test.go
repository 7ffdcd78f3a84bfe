package world

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
)

func TestControllersRunBeforeEveryNthStep(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	var fast, slow []uint64
	var slowDt float64
	r.AddController(ControllerFunc(func(w *World, d float64) {
		if d != dt {
			t.Errorf("dt %v", d)
		}
		fast = append(fast, w.Tick())
	}))
	r.AddControllerEvery(6, ControllerFunc(func(w *World, d float64) {
		slow, slowDt = append(slow, w.Tick()), d
	}))
	r.start()
	for range 5 {
		r.frame(3) // however the frames fall
	}
	if len(fast) != 15 || fast[0] != 0 || fast[14] != 14 {
		t.Errorf("fast ran after %v", fast)
	}
	if !slices.Equal(slow, []uint64{0, 6, 12}) || !near(slowDt, 6*dt, 1e-12) {
		t.Errorf("slow ran after %v with dt %v", slow, slowDt)
	}
}

func TestDestroyingEverythingInAHookIsSafe(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	for i := range 40 {
		r.box(float64(i%8)*1.2, 1+float64(i/8)*1.1)
	}
	r.AddContactHook(func(w *World, contacts []Event) {
		for _, c := range contacts {
			if i, err := w.Body(c.B); err == nil && i.Kind == Dynamic {
				check(t, w.DestroyBody(c.B))
			}
		}
	})
	r.start()
	r.run(200)
	if n := r.Counts().Bodies; n > 2 {
		t.Errorf("%d bodies are left", n)
	}
	if n := r.World.box.Contacts.Count(); n != 0 {
		t.Errorf("%d contacts are left", n)
	}
}

func TestHooksHearEachContactOnceWithItsImpulse(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	r.box(0, 2)
	var heard []Event
	r.AddContactHook(func(w *World, c []Event) { heard = append(heard, c...) })
	r.start()
	r.run(100)
	if len(heard) != 1 || heard[0].Kind != ContactBegin || heard[0].Impulse < 1 {
		t.Errorf("heard %+v", heard)
	}
	n := 0
	for c := range r.Contacts() {
		n++
		if !near(c.Normal.Y, 1, 1e-3) {
			t.Errorf("contact %+v", c)
		}
	}
	if n != 1 {
		t.Errorf("%d contacts at rest", n)
	}
}

func TestDoRunsOnTheWorld(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	r.start()
	var b Body
	r.apply(Command{Op: opDo, Name: "spawn", Do: func(w *World) { b, _ = w.CreateBody(BodyDef{Name: "made"}) }})
	if i, err := r.Body(b); i.Name != "made" || err != nil || b&madeHere == 0 {
		t.Errorf("%v is called %q, %v", b, i.Name, err)
	}
}

func TestBodiesAreInOrderOfCreation(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	a, b, c := r.box(0, 0), r.box(1, 0), r.box(2, 0)
	check(t, r.DestroyBody(b))
	d := r.body(BodyDef{Name: "twin"}) // in b's slot
	e := r.body(BodyDef{Name: "twin"})
	if got := slices.Collect(r.Bodies()); !slices.Equal(got, []Body{a, c, d, e}) {
		t.Errorf("bodies %v", got)
	}
	if n, ok := r.Find("twin"); !ok || n != d {
		t.Errorf("found %v, %v", n, ok)
	}
	if _, ok := r.Find("nobody"); ok {
		t.Error("found nobody")
	}
	var seen []Body
	for n := range r.Bodies() {
		seen = append(seen, n)
		check(t, r.DestroyBody(n))
		if n == a {
			check(t, r.DestroyBody(c))
		}
	}
	if !slices.Equal(seen, []Body{a, d, e}) || r.Counts().Bodies != 0 {
		t.Errorf("saw %v while destroying", seen)
	}
}

func TestNamesMadeHereAndByCommandsDoNotCollide(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	mine := r.body(BodyDef{})
	r.start()
	r.apply(Command{Op: opCreateBody, Body: mine &^ madeHere, BodyDef: &BodyDef{}})
	if r.news.rejected != 0 || r.Counts().Bodies != 2 {
		t.Errorf("%d rejected", r.news.rejected)
	}
}

func TestCountsLeaveOutTheHiddenGroundOfAMouseJoint(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	a, b := r.box(0, .51), r.box(1.2, .51)
	r.joint(JointDef{Kind: MouseJoint, B: a, Target: Vec{X: 0, Y: .51}, MaxForce: 1}) // makes a hidden ground
	r.joint(JointDef{Kind: RopeJoint, A: a, B: b, MaxLength: 5})
	r.start()
	r.run(5)
	if c := r.Counts(); c != (body2d.Counts{Bodies: 3, Awake: 2, Contacts: 2, Joints: 2}) {
		t.Errorf("counts %+v", c)
	}
}

func TestOurPartOfAStepAllocatesNothing(t *testing.T) {
	r := newRig(t, gravity())
	r.step = func(float64, int, int) {}
	var bodies []Body
	for i := range 100 {
		bodies = append(bodies, r.box(float64(i), 9))
	}
	r.AddController(ControllerFunc(func(w *World, _ float64) { w.Impulse(bodies[0], Vec{X: 1, Y: 0}) }))
	r.AddContactHook(func(*World, []Event) {})
	r.start()
	force := Command{Op: opForce, V: Vec{X: 1, Y: 1}}
	frame := func() {
		r.BeginFrame()
		for _, b := range bodies {
			force.Body = b
			r.Apply(r.tick, &force, false)
		}
		r.tick++
		r.Step(r.tick, dt)
		r.EndFrame()
		r.capture()
	}
	frame()
	if n := testing.AllocsPerRun(50, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
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
