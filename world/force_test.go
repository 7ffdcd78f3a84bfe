package world

import "testing"

// pushed returns the speeds of a body of 1 kg after each frame; frames lists
// steps and forces.
type pushFrame struct {
	steps  int
	forces []float64
}

func pushed(t *testing.T, frames ...pushFrame) []float64 {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(0, 0)
	r.start()
	var speeds []float64
	for _, f := range frames {
		var c []Command
		for _, x := range f.forces {
			c = append(c, Command{Op: opForce, Body: b, V: Vec{X: x, Y: 0}})
		}
		r.frame(f.steps, c...)
		speeds = append(speeds, r.speed(b).X/dt)
	}
	return speeds
}

func f(steps int, forces ...float64) pushFrame { return pushFrame{steps, forces} }

// Speeds are in units of dt, so that they count newtons times steps.
func TestAForceActsOnEveryStepOfItsFrameAndWaitsForOne(t *testing.T) {
	for name, c := range map[string]struct {
		frames []pushFrame
		want   []float64
	}{
		"acts on every step of its frame":    {[]pushFrame{f(3, 2)}, []float64{6}},
		"ends with its frame":                {[]pushFrame{f(1, 2), f(2), f(1)}, []float64{2, 2, 2}},
		"adds up within a frame":             {[]pushFrame{f(2, 2, 3, -1)}, []float64{8}},
		"waits in a frame without a step":    {[]pushFrame{f(0, 2), f(2), f(1)}, []float64{0, 4, 4}},
		"waits through many frames":          {[]pushFrame{f(0, 2), f(0), f(0), f(1)}, []float64{0, 0, 0, 2}},
		"is replaced by a later frame's":     {[]pushFrame{f(0, 2), f(0, 2), f(1, 2)}, []float64{0, 0, 2}},
		"total is replaced by a later total": {[]pushFrame{f(0, 2, 3), f(0, 4, 5), f(2), f(1)}, []float64{0, 0, 18, 18}},
		"nought replaces":                    {[]pushFrame{f(0, 2), f(2, 0)}, []float64{0, 0}},
		"is the frame's once it stepped":     {[]pushFrame{f(0, 2), f(1, 3), f(0, 4), f(1)}, []float64{0, 3, 3, 7}},
	} {
		got := pushed(t, c.frames...)
		for i, w := range c.want {
			if !near(got[i], w, tiny) {
				t.Errorf("a force %s: speeds %v, want %v", name, got, c.want)
				break
			}
		}
	}
}

func TestEndFrameWithoutAStepEndsNothing(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(0, 0)
	r.start()
	r.frame(0, Command{Op: opForce, Body: b, V: Vec{X: 2, Y: 0}})
	r.EndFrame()
	r.frame(1)
	if v := r.speed(b).X / dt; !near(v, 2, tiny) {
		t.Errorf("speed %v, want 2", v)
	}
}

func TestAForceOnAnotherBodyReplacesNothing(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	a, b := r.box(0, 0), r.box(9, 0)
	r.start()
	r.frame(0, Command{Op: opForce, Body: a, V: Vec{X: 2, Y: 0}})
	r.frame(1, Command{Op: opForce, Body: b, V: Vec{X: 3, Y: 0}})
	if x, y := r.speed(a).X/dt, r.speed(b).X/dt; !near(x, 2, tiny) || !near(y, 3, tiny) {
		t.Errorf("speeds %v and %v, want 2 and 3", x, y)
	}
}

func TestAScheduledForceActsOnOneStep(t *testing.T) {
	// Tick 3 alone is pushed, for any number of steps in a frame.
	for _, steps := range []int{1, 2, 5} {
		r := newRig(t, Config{NoGravity: true})
		b := r.box(0, 0)
		r.start()
		for r.tick < 10 {
			r.BeginFrame()
			for i := range steps {
				if r.tick == 2 {
					c := Command{Op: opForce, Body: b, V: Vec{X: 2, Y: 0}}
					r.Apply(r.tick, &c, true)
					do := Command{Op: opDo, Do: func(w *World) { w.Force(b, Vec{X: 3, Y: 0}) }}
					r.Apply(r.tick, &do, true)
				}
				r.tick++
				r.Step(r.tick, dt)
				if i == steps-1 {
					r.EndFrame()
				}
			}
		}
		if v := r.speed(b).X / dt; !near(v, 5, tiny) {
			t.Errorf("%d steps a frame: speed %v, want 5", steps, v)
		}
	}
}

func TestAControllersForceActsOnItsStep(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(0, 0)
	r.AddController(ControllerFunc(func(w *World, _ float64) {
		if w.Tick() == 1 {
			w.Force(b, Vec{X: 2, Y: 0})
		}
	}))
	r.start()
	var got []float64
	for range 4 {
		r.frame(1)
		got = append(got, r.speed(b).X/dt)
	}
	for i, want := range []float64{0, 2, 2, 2} {
		if !near(got[i], want, tiny) {
			t.Fatalf("speeds %v", got)
		}
	}
}

func TestAHooksForceActsOnTheNextStep(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(0, 0)
	r.AddContactHook(func(w *World, _ []Event) {
		if w.Tick() == 1 {
			w.Force(b, Vec{X: 2, Y: 0})
		}
	})
	r.start()
	var got []float64
	for range 3 {
		r.frame(1)
		got = append(got, r.speed(b).X/dt)
	}
	for i, want := range []float64{0, 2, 2} {
		if !near(got[i], want, tiny) {
			t.Fatalf("speeds %v", got)
		}
	}
}

func TestImpulsesActOnce(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(0, 0)
	r.start()
	r.frame(0, Command{Op: opImpulse, Body: b, V: Vec{X: 2, Y: 0}}, Command{Op: opImpulse, Body: b, V: Vec{X: 1, Y: 0}})
	r.frame(3)
	r.frame(2)
	if v := r.speed(b).X; !near(v, 3, tiny) {
		t.Errorf("speed %v, want 3", v)
	}
	_, inertia := r.massOf(b)
	r.frame(1, Command{Op: opImpulseAt, Body: b, V: Vec{X: 0, Y: 1}, P: Vec{X: r.at(b).X + 2, Y: 0}}, Command{Op: opAngularImpulse, Body: b, X: 1})
	if w := r.info(b).AngularVelocity; !near(w, 3/inertia, tiny) {
		t.Errorf("spin %v, want %v", w, 3/inertia)
	}
}

func TestTorqueAndLeverArmTurn(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	a, b := r.box(0, 0), r.box(9, 0)
	r.start()
	_, inertia := r.massOf(a)
	r.frame(2, Command{Op: opTorque, Body: a, X: 3}, Command{Op: opForceAt, Body: b, V: Vec{X: 0, Y: 1}, P: Vec{X: 12, Y: 5}})
	for _, n := range []Body{a, b} {
		if w := r.info(n).AngularVelocity; !near(w, 2*dt*3/inertia, tiny) {
			t.Errorf("%v: spin %v, want %v", n, w, 2*dt*3/inertia)
		}
	}
	if v := r.speed(b).Y; !near(v, 2*dt, tiny) {
		t.Errorf("speed %v", v)
	}
}

func TestAForceKeepsItsBodyAwake(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	b := r.box(0, .51)
	r.start()
	push := Command{Op: opForce, Body: b, V: Vec{X: .01, Y: 0}} // friction holds it
	for range 120 {
		r.frame(1, push)
		if !r.isAwake(b) {
			t.Fatalf("asleep at tick %d", r.tick)
		}
	}
	r.run(60)
	if r.isAwake(b) {
		t.Fatal("awake without a force")
	}
	r.frame(1, push)
	if !r.isAwake(b) {
		t.Error("a force does not wake")
	}
	r.run(60)
	// the body falls asleep after the force and before the step
	r.frame(0, push)
	r.frame(1, Command{Op: opSetAwake, Body: b})
	if !r.isAwake(b) || r.speed(b) == (Vec{}) {
		t.Error("the force was lost")
	}
}

func TestForcesDoNothingToWhatIsNotDynamic(t *testing.T) {
	r := newRig(t, gravity())
	g := r.ground()
	k := r.body(BodyDef{Kind: Kinematic, Shapes: []ShapeDef{Box(1, 1)}})
	r.start()
	for _, b := range []Body{g, k} {
		r.frame(2, Command{Op: opForce, Body: b, V: Vec{X: 9, Y: 9}}, Command{Op: opImpulse, Body: b, V: Vec{X: 9, Y: 9}})
		if r.at(b) != (Vec{}) || r.speed(b) != (Vec{}) {
			t.Errorf("%v moves", b)
		}
	}
	if r.news.rejected != 0 {
		t.Errorf("%d rejected", r.news.rejected)
	}
}
