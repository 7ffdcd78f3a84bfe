package engine_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

// recordEvery records a run that gives every command.
func recordEvery(t testing.TB) (*engine.Engine, *bytes.Buffer) {
	file := new(bytes.Buffer)
	e, err := engine.New(engine.Config{
		Setup: everyDef, Time: engine.Time{Simulated: true, EventsAtOnce: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: file, FromSetup: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	everyCommand(e, t)
	return e, file
}

func TestARecordingOfEveryCommandReplaysWithEveryStepper(t *testing.T) {
	norace.Only(t)
	e, file := recordEvery(t)
	rejected, broke := 0, 0
	for ev := range e.Events() {
		switch ev.Kind {
		case world.CommandRejected:
			if rejected++; rejected > 1 {
				t.Error(ev)
			}
		case world.JointBroke:
			broke++
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if broke != 1 {
		t.Errorf("%d joints broke", broke)
	}

	given := read(t, file.Bytes()).Operations()
	for _, name := range operations() {
		if given[name] == 0 && name != "Inspect" { // this command is never recorded
			t.Errorf("everyCommand does not give %s", name)
		}
	}
	for name, set := range map[string]func(*engine.Config){
		"fast":          func(*engine.Config) {},
		"two workers":   func(c *engine.Config) { c.World.Workers = 2 },
		"seven workers": func(c *engine.Config) { c.World.Workers = 7 },
		"the library":   func(c *engine.Config) { c.Setup = asLibrary(c.Setup) },
	} {
		r := read(t, file.Bytes())
		c := r.Config(everyDef)
		c.Time.Simulated = true
		set(&c)
		if err := replayed(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestARecordingOfSpringsLimitsAndVelocitiesOfJointsReplays(t *testing.T) {
	for _, s := range []world.Stepper{world.FastStep, world.SoftStep} {
		file := new(bytes.Buffer)
		cfg := world.Config{Stepper: s}
		e, err := engine.New(engine.Config{
			World: cfg, Time: engine.Time{Simulated: true, EventsAtOnce: true},
			History: engine.HistoryOptions{Record: &engine.RecordOptions{W: file, FromSetup: true}},
		})
		if err != nil {
			t.Fatal(err)
		}
		frames := func(n int) {
			for range n {
				e.Advance(time.Second / 60)
			}
		}
		frames(1)
		ground := e.CreateBody(world.BodyDef{})
		join := func(d world.JointDef) world.Joint {
			d.A, d.B = ground, e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: .5}, Shapes: []world.ShapeDef{world.Box(.4, .3)}})
			return e.CreateJoint(d)
		}
		hinge := join(world.JointDef{Kind: world.RevoluteJoint, Frequency: 2, Damping: .1, SpringTarget: 1})
		slider := join(world.JointDef{Kind: world.PrismaticJoint, AxisA: world.Vec{Y: 1}, Frequency: 3})
		rod := join(world.JointDef{Kind: world.DistanceJoint, EnableLimit: true, Lower: .2, Upper: 1})
		wheel := join(world.JointDef{Kind: world.WheelJoint, AxisA: world.Vec{Y: 1}, EnableLimit: true, Lower: -.5, Upper: .5})
		motor := join(world.JointDef{Kind: world.MotorJoint, AnchorB: world.Vec{X: .2}, EnableMotor: true, LinearVelocity: world.Vec{Y: 1}, AngularVelocity: 1, MaxForce: 90, MaxTorque: 9})
		frames(20)
		e.SetSpringTarget(hinge, -1)
		e.SetSpring(slider, 1, .2)
		e.SetLimits(rod, true, .1, 1.5)
		e.SetLimits(wheel, true, -1, .2)
		e.SetMotorVelocity(motor, true, world.Vec{X: -1}, -2)
		if s == world.SoftStep {
			e.SetSoftness(rod, 9, .3)
		}
		frames(30)
		for ev := range e.Events() {
			if ev.Kind == world.CommandRejected {
				t.Error(ev)
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		c := read(t, file.Bytes()).Config(nil)
		c.Time.Simulated = true
		if err := replayed(c); err != nil {
			t.Errorf("%v: %v", s, err)
		}
	}
}

// replayed runs a replay to its end. Every tick and the end are then compared with the
// recording.
func replayed(c engine.Config) error {
	e, err := engine.New(c)
	if err != nil {
		return err
	}
	defer e.Close()
	for i := 0; e.View().Tick < c.History.Replay.Ticks && e.Failure() == nil && i < 10_000; i++ {
		e.Advance(time.Second / 60)
	}
	var hash uint64
	done := make(chan struct{})
	e.Inspect(func(w *world.World) { hash = w.Hash(); close(done) })
	e.Advance(0)
	if err := e.Failure(); err != nil {
		return err
	}
	<-done
	if hash != c.History.Replay.FinalHash() {
		return fmt.Errorf("it ends with %x, not %x", hash, c.History.Replay.FinalHash())
	}
	return nil
}
