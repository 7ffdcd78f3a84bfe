package engine_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// The files in testdata/recordings were written by released builds. They are
// never written again: what a later build records goes into a file of its own.
//
// A NAME that begins with soft is that of a recording of the soft stepper. One of an
// older method of it is refused, and stays to show that.
var newRecording = flag.String("new-recording", "", "write testdata/recordings/`NAME`.rec, which must not exist")

func init() {
	world.Register("old recording: kick", func(w *world.World, args []float64) {
		for b := range w.Bodies() {
			w.Impulse(b, world.Vec{X: args[0], Y: args[1]})
		}
	})
}

// everyDef is a scene in which every field of every definition counts.
func everyDef(w *world.World) error {
	ground, err := w.CreateBody(world.BodyDef{Name: "ground", Shapes: []world.ShapeDef{
		world.Chain(world.Vec{X: -20, Y: 8}, world.Vec{X: -20}, world.Vec{X: 20}, world.Vec{X: 20, Y: 8}),
	}})
	if err != nil {
		return err
	}
	for i := range 12 {
		b, err := w.CreateBody(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{X: float64(i%4)*1.3 - 3, Y: 1 + float64(i/4)*1.2},
			Shapes: []world.ShapeDef{world.Box(.5, .4)}, Name: "box",
		})
		if err != nil {
			return err
		}
		if i == 11 {
			_, err = w.CreateJoint(world.JointDef{Kind: world.RopeJoint, A: ground, B: b, AnchorA: world.Vec{Y: 9}, MaxLength: 8})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// everyShape are shapes of all kinds, with all their fields.
func everyShape() []world.ShapeDef {
	circle := world.CircleAt(.1, -.1, .3)
	circle.Density, circle.Friction, circle.Restitution = 2, .4, .5
	circle.Filter = world.Filter{Category: 2, Mask: 0xfffb, Group: 3}
	circle.Name, circle.Colour, circle.User = "round", body2d.Colour{200, 0, 0, 255}, 7
	poly := world.Polygon(world.Vec{X: -.5}, world.Vec{X: .5}, world.Vec{Y: .7})
	poly.Filter = world.Filter{Category: 4, Mask: 0xffff, Group: -2}
	sensor := world.Box(1, 1)
	sensor.Sensor = true
	edge := world.Edge(world.Vec{X: -1, Y: -.5}, world.Vec{X: 1, Y: -.5})
	edge.Before, edge.After = &world.Vec{X: -2, Y: -.4}, &world.Vec{X: 2, Y: -.4}
	loop := world.ClosedChain(world.Vec{X: -1, Y: -1}, world.Vec{X: 1, Y: -1}, world.Vec{Y: 1})
	loop.Restitution = .8
	chain := world.Chain(world.Vec{X: -1, Y: 1}, world.Vec{Y: 1.2}, world.Vec{X: 1, Y: 1})
	chain.Before, chain.After = &world.Vec{X: -2, Y: 1}, &world.Vec{X: 2, Y: 1}
	return []world.ShapeDef{circle, poly, sensor, edge, loop, chain}
}

// everyCommand gives every command there is, some with a frame, some at a tick
// of their own. One is rejected.
func everyCommand(e *engine.Engine, t *testing.T) {
	frames := func(n int) {
		for range n {
			e.Advance(time.Second / 90)
		}
	}
	frames(3)
	body := func(x float64, shapes ...world.ShapeDef) world.Body {
		return e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: x, Y: 7}, Shapes: shapes})
	}
	a := e.CreateBody(world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: -6, Y: 6}, Angle: .3, Velocity: world.Vec{X: 1, Y: 2},
		AngularVelocity: .5, LinearDamping: .1, AngularDamping: .2, GravityScale: .8, Bullet: true, NoSleep: true,
		Mass:   &world.Mass{Mass: 3, Centre: world.Vec{X: .1}, Inertia: 2},
		Shapes: everyShape()[:3], Name: "all", Colour: body2d.Colour{0, 90, 0, 255}, User: "mine",
	})
	b := body(-4, everyShape()[0])
	e.CreateBody(world.BodyDef{Position: world.Vec{X: 8, Y: 3}, Shapes: everyShape()[3:], NoGravity: true, FixedRotation: true})
	e.CreateBody(world.BodyDef{Kind: world.Kinematic, Position: world.Vec{X: 5, Y: 6}, Velocity: world.Vec{X: -.5},
		Shapes: everyShape()[1:2], Asleep: true})
	e.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: everyShape()[:1], Disabled: true})
	frames(5)
	e.Force(b, world.Vec{X: 30, Y: 60})
	e.ForceAt(a, world.Vec{Y: 80}, world.Vec{X: -6, Y: 7})
	e.Torque(b, 5)
	e.Impulse(b, world.Vec{X: 1})
	e.ImpulseAt(a, world.Vec{X: 1, Y: 1}, world.Vec{X: -5, Y: 6})
	e.AngularImpulse(a, .7)
	frames(4)
	s := e.CreateShape(b, everyShape()[1])
	e.SetVelocity(a, world.Vec{X: 3})
	e.SetAngularVelocity(a, -2)
	frames(4)
	e.DestroyShape(s)
	e.Teleport(b, world.Vec{X: 2, Y: 9}, 1.2)
	e.SetKind(a, world.Kinematic)
	frames(3)
	e.SetKind(a, world.Dynamic)
	e.SetAwake(b, false)
	frames(2)
	e.SetAwake(b, true)
	e.SetEnabled(a, false)
	e.SetBullet(b, true)
	frames(3)
	e.SetEnabled(a, true)
	e.SetGravityScale(b, .5)
	e.SetDamping(b, .3, .4)
	e.SetFixedRotation(a, true)
	e.SetBodySmoothing(a, body2d.Hermite)
	frames(3)
	e.ClearBodySmoothing(a)
	e.SetGravity(world.Vec{X: 1, Y: -9})
	e.DoNamed("old recording: kick", .2, .4)
	e.At(e.Demanded()+7).Impulse(b, world.Vec{X: -2})
	e.At(e.Demanded()+9).Force(b, world.Vec{Y: 200})

	// Every joint, each with all the fields that it uses.
	var p [14]world.Body
	for i := range p {
		p[i] = body(float64(i)*1.5-10, world.Box(.3, .3))
	}
	down, up := world.Vec{Y: -.3}, world.Vec{Y: .3}
	revolute := e.CreateJoint(world.JointDef{Kind: world.RevoluteJoint, A: p[0], B: p[1], AnchorA: world.Vec{X: .7}, AnchorB: world.Vec{X: -.7},
		ReferenceAngle: .1, EnableLimit: true, Lower: -1, Upper: 1, EnableMotor: true, MotorSpeed: 2, MaxMotorForce: 20, CollideConnected: true, Name: "hinge"})
	prismatic := e.CreateJoint(world.JointDef{Kind: world.PrismaticJoint, A: p[2], B: p[3], AnchorA: up, AnchorB: down, AxisA: world.Vec{X: 1, Y: 1},
		EnableLimit: true, Lower: -2, Upper: 2, EnableMotor: true, MotorSpeed: 1, MaxMotorForce: 30})
	e.CreateJoint(world.JointDef{Kind: world.DistanceJoint, A: p[3], B: p[4], Length: 1.4, Frequency: 4, Damping: .3})
	e.CreateJoint(world.JointDef{Kind: world.PulleyJoint, A: p[4], B: p[5], GroundA: world.Vec{X: -4, Y: 14}, GroundB: world.Vec{X: -2, Y: 14}, LengthA: 7, LengthB: 7.5, Ratio: 1.5})
	mouse := e.CreateJoint(world.JointDef{Kind: world.MouseJoint, B: p[6], Target: world.Vec{X: -1, Y: 7}, MaxForce: 200, Frequency: 3, Damping: .5})
	e.CreateJoint(world.JointDef{Kind: world.GearJoint, Joint1: revolute, Joint2: prismatic, Ratio: 2})
	e.CreateJoint(world.JointDef{Kind: world.WheelJoint, A: p[7], B: p[8], AnchorA: world.Vec{X: 1.5}, AxisA: world.Vec{Y: 1},
		EnableMotor: true, MotorSpeed: -3, MaxMotorForce: 10, Frequency: 3, Damping: .7})
	weld := e.CreateJoint(world.JointDef{Kind: world.WeldJoint, A: p[9], B: p[10], AnchorA: world.Vec{X: .75}, AnchorB: world.Vec{X: -.75}, ReferenceAngle: .2, Frequency: 5, Damping: .5})
	e.CreateJoint(world.JointDef{Kind: world.FrictionJoint, A: p[10], B: p[11], MaxForce: 3, MaxTorque: 2})
	e.CreateJoint(world.JointDef{Kind: world.RopeJoint, A: p[11], B: p[12], MaxLength: 1.8})
	motor := e.CreateJoint(world.JointDef{Kind: world.MotorJoint, A: p[12], B: p[13], LinearOffset: world.Vec{X: 1.2}, AngularOffset: .1, MaxForce: 50, MaxTorque: 40, Correction: .4})
	frames(12)
	e.SetTarget(mouse, world.Vec{X: 3, Y: 8})
	e.SetMotor(revolute, true, -4, 25)
	e.SetLimits(prismatic, true, -1, .5)
	e.SetMotorOffset(motor, world.Vec{X: 1, Y: .5}, .3)
	frames(8)
	e.DestroyJoint(weld)
	e.DestroyBody(p[13])
	e.Impulse(p[13], world.Vec{X: 1}) // stale
	e.SetPaused(true)
	frames(2)
	e.Teleport(p[0], world.Vec{X: -12, Y: 10}, 0)
	frames(2)
	e.Step(1)
	frames(2)
	e.SetPaused(false)
	if err := e.SetRate(clock.Hz(75)); err != nil {
		t.Fatal(err)
	}
	e.Remote().Impulse(b, world.Vec{Y: 3})
	everyEdit(e, frames)
	frames(60)
	e.DestroyBody(b)
	frames(2)
}

func TestARecordingOfAnOlderBuildReplaysUnchanged(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("results are the same for one architecture, and these were recorded on amd64")
	}
	if *newRecording != "" {
		var file bytes.Buffer
		c := world.Config{Gravity: world.Vec{X: .5, Y: -9.5}, VelocityIterations: 6, PositionIterations: 2, SubStepping: true}
		if strings.HasPrefix(*newRecording, "soft") {
			c.Stepper = world.SoftStep
		}
		e, err := engine.New(engine.Config{
			Setup: everyDef, Time: engine.Time{Simulated: true}, World: c,
			Record: &engine.RecordOptions{W: &file, Scene: "every command", Data: []byte{1, 2, 3}},
		})
		if err != nil {
			t.Fatal(err)
		}
		everyCommand(e, t)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join("testdata", "recordings", *newRecording+".rec")
		out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write(file.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("testdata/recordings/*.rec")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, name := range files {
		r, err := engine.OpenRecording(name)
		if strings.HasPrefix(filepath.Base(name), "soft") && err != nil && strings.Contains(err.Error(), " of the soft stepper; this build has method ") {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Scene != "every command" || !bytes.Equal(r.Data, []byte{1, 2, 3}) || r.Cut || r.Ticks < 60 {
			t.Errorf("%s: %+v", name, r)
		}
		hash, err := r.Verify(everyDef)
		if err != nil || hash != r.FinalHash() {
			t.Errorf("%s: hash %x, recorded %x: %v", name, hash, r.FinalHash(), err)
		}
	}
}
