package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/world"
	"halfstep/world/forces"
)

// operations are the names of all commands.
func operations() (all []string) {
	c := world.Command{}
	for c.Op++; c.Op.String() != "unknown"; c.Op++ {
		all = append(all, c.Op.String())
	}
	return all
}

func init() {
	world.Register("kick every body", func(w *world.World, args []float64) {
		for b := range w.Bodies() {
			w.Impulse(b, world.Vec{X: args[0], Y: args[1]})
		}
	})
}

// everyDef is a scene in which every field of every definition has an effect.
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
	circle.Filter = world.Filter{Category: 1 << 40, Mask: world.AllCategories &^ 4, Group: 3}
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
	chain.Material, chain.SegmentMaterials = 1, []world.Material{7, 1}
	return []world.ShapeDef{circle, poly, sensor, edge, loop, chain}
}

// everyCommand gives every command, some with a frame, some at a tick. One is rejected.
func everyCommand(e *engine.Engine, t testing.TB) {
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
	e.Shift(b, world.Vec{X: .5})
	e.SetKind(a, world.Kinematic)
	e.MoveTo(a, world.Vec{X: -5, Y: 7}, .5)
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
	e.SetBodySmoothing(a, body2d.Inherit)
	e.SetGravity(world.Vec{X: 1, Y: -9})
	e.DoNamed("kick every body", .2, .4)
	e.At(e.Demanded()+7).Impulse(b, world.Vec{X: -2})
	e.At(e.Demanded()+9).Force(b, world.Vec{Y: 200})

	// every joint, each with all the fields that it uses
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
	e.SetCollideConnected(revolute, false)
	e.SetSpringTarget(revolute, .5) // of no spring, like the next two: Box2D's joints have none
	e.SetMotorVelocity(motor, false, world.Vec{X: 1}, 2)
	e.SetSoftness(prismatic, 0, .5)
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

// everyEdit gives every command that edits shapes and joints, while they touch, turn and
// swing.
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
	weld := join(world.JointDef{Kind: world.WeldJoint, Anchor: new(v(8, 7))}, b[4], b[5])
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
	e.SetFilter(slope, world.Filter{Category: 2, Mask: 1 << 63})
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
	e.SetMaterial(floor, 7)
	e.SetSegmentMaterial(e.CreateShape(e.CreateBody(world.BodyDef{Position: v(60, 0)}), world.Chain(v(0, 0), v(1, 0), v(2, 0))), 1, 7)
	e.SetSurfaces(world.Surfaces{Mixes: []world.Mix{{A: 7, B: world.AnyMaterial, Friction: .6, Restitution: .3}, {A: 1, RestitutionRule: world.MixProduct}}, HitSpeed: 1})
	e.SetRollingResistance(floor, 0)
	e.SetSleepSpeeds(b[0], 0, 0)
	e.SetFixedAxes(b[0], false, false)
	e.SetName(b[0], "renamed")
	e.Explode(world.Explosion{Centre: v(9, 2), Radius: 2, Falloff: 4, ImpulsePerLength: 3, Mask: 1})
	frames(10)
	for _, b := range b {
		e.DropThrough(b)
	}
	frames(10)
	e.SetOneWay(floor, world.Vec{})
	e.KeepSnapshot(1)
	frames(10)
	e.RestoreSnapshot(1)
}

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
		if given[name] == 0 && name != "Inspect" { // that one is never recorded
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

// replayed runs a replay to its end, where every tick and the end have been compared with
// the recording.
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

// harbour has a pool, wind, a one-way pier, and hooks, one of which a registered function
// sets.
func harbour(w *world.World) error {
	pool := []world.Vec{{X: -9, Y: -6}, {X: 9, Y: -6}, {X: 8}, {X: 0, Y: -.3}, {X: -8}}
	w.AddController(&forces.Fluid{Outline: pool, Density: 2, Drag: 1, Flow: world.Vec{X: 1}})
	w.AddController(&forces.Wind{Velocity: world.Vec{X: 4}, Density: .1, Wakes: true,
		Gust: func(at world.Vec, s float64) world.Vec { return world.Vec{X: at.Y * .1, Y: s * .2} }})
	pier := world.Box(3, .2)
	pier.OneWay, pier.SurfaceSpeed = world.Vec{Y: 1}, -1
	if _, err := w.CreateBody(world.BodyDef{Position: world.Vec{X: -6, Y: 1}, Shapes: []world.ShapeDef{pier}}); err != nil {
		return err
	}
	for i := range 40 {
		s := world.Box(.3, .2)
		if i%2 == 0 {
			s = world.Circle(.3)
		}
		if _, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i%8)*1.6 - 7, Y: float64(i / 8)}, Shapes: []world.ShapeDef{s}}); err != nil {
			return err
		}
	}
	w.SetPreSolve(func(_ *world.World, c *world.PreSolveContact) {
		c.Restitution = .1 * float64(c.A%5)
		c.Solid = (c.A+c.B)%3 != 0
	})
	w.Register("ghosts", func(w *world.World, args []float64) {
		n := world.Shape(args[0])
		w.SetShouldCollide(func(_ *world.World, a, b world.Shape) bool { return (a+b)%n != 0 })
	})
	return nil
}

func TestHooksAndControllersReplayWithEveryStepper(t *testing.T) {
	norace.Only(t)
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: harbour, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, FromSetup: true}}})
	if err != nil {
		t.Fatal(err)
	}
	e.SetLastTick(150)
	for i := 0; e.View().Tick < 150 && e.Failure() == nil; i++ {
		if i%40 == 10 {
			e.DoNamed("ghosts", float64(2+i/40))
		}
		e.Advance(17 * time.Millisecond)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]func(*engine.Config){
		"one worker":   func(c *engine.Config) { c.World.Workers = 1 },
		"four workers": func(c *engine.Config) { c.World.Workers = 4 },
		"the library":  func(c *engine.Config) { c.Setup = asLibrary(c.Setup) },
	} {
		c := read(t, file.Bytes()).Config(harbour)
		c.Time.Simulated = true
		set(&c)
		if err := replayed(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// the hooks have an effect: with another one the run differs
	other := func(w *world.World) error {
		err := harbour(w)
		w.SetPreSolve(nil)
		return err
	}
	if _, err := read(t, file.Bytes()).Verify(other); err == nil {
		t.Error("without the PreSolve hook nothing differs")
	}
}

type ring struct{ Next *ring }

type team int

type ownUser struct{ Name string }

// users are User values and whether a recording keeps them.
func users() map[any]bool {
	cycle := &ring{}
	cycle.Next = cycle
	var none *ring
	all := map[any]bool{
		true: true, 7: true, int8(-7): true, uint64(1 << 63): true, 1.5: true, math.Inf(1): true, "red \xff": true, 2i: true,
		none: false, cycle: false, make(chan int): false, team(3): false, struct{ A, b int }{1, 2}: false,
		time.Second: false, ownUser{"x"}: false, &[]func(){nil}: false,
	}
	return all
}

func TestAUserValueOfAnyTypeLeavesTheRecordingWhole(t *testing.T) {
	for user, keeps := range users() {
		var file bytes.Buffer
		e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true, EventsAtOnce: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{
			W: &file, OnError: func(err error) { t.Errorf("%T: %v", user, err) },
		}}})
		if err != nil {
			t.Fatal(err)
		}
		shape := world.Circle(.3)
		shape.User = user
		def := world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 9}, Shapes: []world.ShapeDef{shape}, User: user}
		a, b := e.CreateBody(def), e.CreateBody(def)
		e.CreateShape(a, shape)
		e.CreateJoint(world.JointDef{Kind: world.RopeJoint, A: a, B: b, MaxLength: 3, User: user})
		e.Advance(time.Second / 20)
		e.DestroyBody(a)
		e.Advance(time.Second / 20)
		e.Advance(time.Second / 20)
		if got := removedUser(t, e); got != user {
			t.Errorf("%T: Removed hands back %v, given %v", user, got, user)
		}
		if err := e.Close(); err != nil {
			t.Fatalf("%T: %v", user, err)
		}

		r := read(t, file.Bytes())
		if hash, err := r.Verify(stack); err != nil || r.Cut || r.Ticks == 0 || hash != r.FinalHash() {
			t.Errorf("%T: %d ticks, cut %v: %v", user, r.Ticks, r.Cut, err)
		}
		c := r.Config(stack)
		c.Time.Simulated, c.Time.EventsAtOnce = true, true
		if e, err = engine.New(c); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			e.Advance(time.Second / 20)
		}
		want := user
		if !keeps {
			want = nil
		}
		if got := removedUser(t, e); got != want {
			t.Errorf("%T: a replay hands back %v, not %v", user, got, want)
		}
		e.Close()
	}
}

// removedUser is the user data of the one body removed.
func removedUser(t *testing.T, e *engine.Engine) any {
	t.Helper()
	for ev := range e.Events() {
		if ev.Kind == world.BodyRemoved {
			return ev.User
		}
	}
	t.Error("no body was removed")
	return nil
}

func TestAUserValueThatCanNotBeComparedLeavesTheRecordingWhole(t *testing.T) {
	loop := map[string]any{}
	loop["self"] = loop
	for _, user := range []any{loop, []any{func() {}}, func() {}, []int{1}} {
		var file bytes.Buffer
		e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}})
		if err != nil {
			t.Fatal(err)
		}
		e.CreateBody(world.BodyDef{User: user})
		e.Advance(time.Second / 20)
		if err := e.Close(); err != nil {
			t.Errorf("%T: %v", user, err)
		}
		if r := read(t, file.Bytes()); r.Cut || r.Ticks != 3 {
			t.Errorf("%T: %d ticks, cut %v", user, r.Ticks, r.Cut)
		}
	}
}

// lastShown is the final picture of an engine: the places of bodies, by handle, and the
// number of joints.
type lastShown struct {
	tick   uint64
	poses  map[uint64][2]float32
	joints int
}

// lastPicture makes an engine show its last tick.
func lastPicture(e *engine.Engine) lastShown {
	e.SetPaused(false)
	e.SetSync(renderloop.Lockstep)
	e.Step(1)
	e.Step(1)
	return pictureOf(e)
}

func pictureOf(e *engine.Engine) lastShown {
	v := e.View()
	l := lastShown{v.Tick, map[uint64][2]float32{}, len(v.Scene.Joints)}
	for i := range v.Scene.Bodies {
		if b := &v.Scene.Bodies[i]; b.Exists {
			l.poses[b.Handle] = [2]float32{v.Cur[i].X, v.Cur[i].Y}
		}
	}
	return l
}

// shownBy reports whether the states of a recording end with the same picture.
func (l lastShown) shownBy(data []byte) error {
	r, err := engine.ReadOptions{States: true}.Read(bytes.NewReader(data))
	if err != nil {
		return err
	}
	e, err := engine.New(r.Config(nil))
	if err != nil {
		return err
	}
	defer e.Close()
	e.SetSync(renderloop.Lockstep)
	for e.View().Tick < r.Ticks && e.Failure() == nil {
		e.Step(1)
	}
	e.Inspect(func(*world.World) {}) // commands after the last step come before
	e.Advance(0)
	e.Advance(0)
	got := pictureOf(e)
	if e.Failure() != nil || r.Cut || got.tick != l.tick || got.joints != l.joints || !maps.Equal(got.poses, l.poses) {
		maps.DeleteFunc(got.poses, func(b uint64, at [2]float32) bool { return l.poses[b] == at })
		return fmt.Errorf("cut %v, %v: it ends with tick %d and %d joints, not with %d and %d, and bodies elsewhere at %v", r.Cut, e.Failure(), got.tick, got.joints, l.tick, l.joints, got.poses)
	}
	return nil
}

// The recording begins in the middle; rates change, snapshots are restored, and bodies and
// joints are created, changed and destroyed.
func TestTheStatesOfARecordingEndWithWhatIsShown(t *testing.T) {
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{InMemory: true, Length: time.Second}}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for round := range 3 {
		e.Step(10)
		s := newSink()
		o := s.options()
		if o.States = true; round == 1 {
			o.From = e.Demanded() + 5
		}
		if err := e.History().StartRecording(o); err != nil {
			t.Fatal(err)
		}
		var late []world.Body
		for i := range 60 {
			switch i % 12 {
			case 1:
				late = append(late, e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i), Y: 30}, Shapes: []world.ShapeDef{world.Circle(1)}}))
			case 3:
				e.SetKind(late[len(late)-1], []world.BodyKind{world.Static, world.Kinematic, world.Dynamic}[round])
			case 5:
				if b, ok := e.Find("box 2"); ok {
					e.CreateJoint(world.JointDef{Kind: world.DistanceJoint, A: b, B: late[len(late)-1], Length: 3})
				}
			case 6:
				if err := e.SetRate(clock.Hz([]int64{30, 60, 120}[i/12%3])); err != nil {
					t.Fatal(err)
				}
			case 7:
				e.Commands.KeepSnapshot(1)
			case 9:
				e.DestroyBody(late[0])
				late = late[1:]
				e.SetPaused(i%2 == 0)
			case 10:
				if e.SetPaused(false); i > 30 {
					e.Commands.RestoreSnapshot(1)
				}
			}
			e.Advance(time.Second / 45)
		}
		last := lastPicture(e)
		if err := e.History().StopRecording(); err != nil {
			t.Fatal(err)
		}
		e.Advance(0)
		if err := <-s.over; err != nil {
			t.Fatal(err)
		}
		if err := last.shownBy(s.Bytes()); err != nil {
			t.Errorf("round %d: the recording: %v", round, err)
		}
		data, err := e.History().BlackBox()
		if err == nil {
			err = last.shownBy(data)
		}
		if err != nil {
			t.Errorf("round %d: the black box: %v", round, err)
		}
	}
}

// It begins and ends with one frame, so no state is published in between.
func TestARecordingWithoutATickHasTheStatesOfItsPicture(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.RunAhead} {
		e := start(t, engine.Config{Setup: stack, Time: engine.Time{Simulated: true, Sync: sync}})
		e.Step(10)
		e.Teleport(e.CreateBody(ball(3, 30)), world.Vec{X: 5, Y: 30}, 1)
		last := lastPicture(e)
		s := newSink()
		o := s.options()
		o.States = true
		if err := errors.Join(e.History().StartRecording(o), e.History().StopRecording()); err != nil {
			t.Fatal(err)
		}
		e.Advance(0)
		if err := <-s.over; err != nil {
			t.Fatal(err)
		}
		if err := last.shownBy(s.Bytes()); err != nil {
			t.Errorf("%v: %v", sync, err)
		}
	}
}
