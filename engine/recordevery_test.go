package engine_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

// operations are the names of all commands there are.
func operations() (all []string) {
	c := world.Command{}
	for c.Op++; c.Op.String() != "unknown"; c.Op++ {
		all = append(all, c.Op.String())
	}
	return all
}

// everyEdit gives every command that edits shapes and joints, while they touch,
// turn and swing.
func everyEdit(e *engine.Engine, frames func(int)) {
	v := func(x, y float64) world.Vec { return world.Vec{X: x, Y: y} }
	ramp := e.CreateBody(world.BodyDef{Position: v(10, 3), Angle: -.3})
	slope := e.CreateShape(ramp, world.Box(4, .2))
	var b [10]world.Body
	for i := range b {
		b[i] = e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: v(float64(i)+5, 6), Shapes: []world.ShapeDef{world.Box(.4, .4)}})
	}
	ball := e.CreateShape(b[0], world.CircleAt(.2, .1, .45))
	join := func(d world.JointDef, a, b world.Body) world.Joint {
		d.A, d.B = a, b
		return e.CreateJoint(d)
	}
	spring := join(world.JointDef{Kind: world.DistanceJoint, Frequency: 2, Damping: .1}, ramp, b[1])
	rope := join(world.JointDef{Kind: world.RopeJoint, MaxLength: 5}, ramp, b[2])
	slow := join(world.JointDef{Kind: world.FrictionJoint, MaxForce: 5, MaxTorque: 5}, ramp, b[3])
	weld := join(world.JointDef{Kind: world.WeldJoint, At: new(v(8, 7))}, b[4], b[5])
	wheel := join(world.JointDef{Kind: world.WheelJoint, AxisA: v(0, 1), Frequency: 4}, b[6], b[7])
	pulley := join(world.JointDef{Kind: world.PulleyJoint, GroundA: v(13, 12), GroundB: v(14, 12)}, b[8], b[9])
	frames(10)
	e.SetFriction(slope, .02)
	e.SetRestitution(ball, .9)
	e.SetDensity(ball, 6)
	e.SetSpring(spring, 5, .3)
	e.SetSpring(wheel, 8, .7)
	e.SetLength(rope, 3)
	e.SetLength(pulley, 11)
	frames(10)
	e.SetMaxForce(slow, 50)
	e.SetMaxTorque(slow, 20)
	e.SetBreakLimits(weld, 15, 2)
	e.SetFilter(slope, world.Filter{Category: 2, Mask: 1})
	e.SetSensor(ball, true)
	frames(10)
	hull := world.Polygon(v(-5, -1), v(5, -.5), v(4, .8), v(-4, .3))
	hull.Restitution = .3
	e.ReplaceShape(slope, hull)
	frames(10)
	e.SetSensor(ball, false)
	e.ReplaceShape(ball, world.Box(.3, .6))
	e.SetFilter(slope, world.Filter{})
	belt := world.Box(30, .3)
	belt.OneWay, belt.SurfaceSpeed, belt.Friction = v(0, 1), 2, .9
	floor := e.CreateShape(e.CreateBody(world.BodyDef{Position: v(10, -1)}), belt)
	frames(10)
	e.SetSurfaceSpeed(floor, -3)
	e.Explode(world.Explosion{At: v(9, 2), Radius: 2, Falloff: 4, ImpulsePerLength: 3, Mask: 1})
	frames(10)
	for _, b := range b {
		e.DropThrough(b)
	}
	frames(10)
	e.SetOneWay(floor, world.Vec{})
	e.Snapshot(1)
	frames(10)
	e.Restore(1)
}

func TestARecordingOfEveryCommandReplaysWithEveryStepper(t *testing.T) {
	var file bytes.Buffer
	e, err := engine.New(engine.Config{
		Setup: everyDef, Time: engine.Time{Simulated: true, EventsAtOnce: true}, Record: &engine.RecordOptions{W: &file},
	})
	if err != nil {
		t.Fatal(err)
	}
	everyCommand(e, t)
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
		if given[name] == 0 && name != "Inspect" { // that one is never recorded
			t.Errorf("everyCommand does not give %s", name)
		}
	}
	for name, set := range map[string]func(*world.Config){
		"fast":          func(*world.Config) {},
		"two workers":   func(c *world.Config) { c.Workers = 2 },
		"seven workers": func(c *world.Config) { c.Workers = 7 },
		"stock":         func(c *world.Config) { c.Stepper = world.StockStep },
	} {
		r := read(t, file.Bytes())
		c := r.Config(everyDef)
		c.Time.Simulated = true
		set(&c.World)
		if err := replayed(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// replayed runs a replay to its end, where every tick and the end have been
// compared with the recording.
func replayed(c engine.Config) error {
	e, err := engine.New(c)
	if err != nil {
		return err
	}
	defer e.Close()
	for i := 0; e.View().Tick < c.Replay.Ticks && e.Failure() == nil && i < 10_000; i++ {
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
	if hash != c.Replay.FinalHash() {
		return fmt.Errorf("it ends with %x, not %x", hash, c.Replay.FinalHash())
	}
	return nil
}
