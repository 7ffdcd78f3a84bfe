package world

import (
	"fmt"
	"math"
	"testing"

	"github.com/ByteArena/box2d"
)

// eachWay has two configurations, with one worker and with two. Both have the same
// results.
func eachWay(cfg Config) map[string]Config {
	cfg.Workers = 1
	two := cfg
	two.Workers = 2
	return map[string]Config{"one worker": cfg, "two workers": two}
}

// A joint's force and torque on its second body equal the change of that body's
// momentum: nothing else acts on it. The soft stepper turns axes and anchors during
// the step, and computes with seven digits.
func TestAJointsReactionIsWhatChangesItsSecondBody(t *testing.T) {
	for name, cfg := range eachWay(Config{NoGravity: true}) {
		r := newRig(t, cfg)
		joints, pairs := everyJoint(r)
		gear, err := r.Joint(joints[GearJoint])
		check(t, err)
		for s := range r.registry.shapes {
			check(t, r.SetFilter(s, Filter{Group: -1})) // nothing touches anything
		}
		r.start()
		for k, p := range pairs { // the two bodies start apart, and turn
			check(t, r.Impulse(p[1], Vec{X: 4, Y: float64(k) / 10}))
			check(t, r.AngularImpulse(p[1], .2))
		}
		busy := [len(joints)]bool{}
		for range 40 {
			var before [len(joints)]BodyInfo
			var axes [len(joints)]float64
			for k, p := range pairs {
				before[k], axes[k] = r.info(p[1]), r.axisOf(joints[k])
			}
			r.run(1)
			for k, j := range joints {
				i, err := r.Joint(j)
				check(t, err)
				force, torque := i.Force, i.Torque
				was, is := before[k], r.info(pairs[k][1])
				arm := was.WorldVector(i.Def.AnchorB)
				centre := was.WorldVector(was.LocalPoint(was.Centre))
				torque += (arm.X-centre.X)*force.Y - (arm.Y-centre.Y)*force.X
				if JointKind(k) == GearJoint { // a joint of the gear acts on that body, too
					torque = i.Torque
					part, err := r.Joint(gear.Def.Joint2)
					check(t, err)
					force.X += part.Force.X
					force.Y += part.Force.Y
				}
				busy[k] = busy[k] || math.Hypot(i.Force.X, i.Force.Y) > .01
				if softly && r.tick < 10 {
					continue // the bodies begin a metre apart, and turn far while the joint pulls them together
				}
				slack, turnSlack := 1e-9, 1e-9
				if softly {
					is := is.WorldVector(i.Def.AnchorB)
					push := math.Hypot(force.X, force.Y)*dt + .02 // a tolerance for pushes that later sub-steps take back
					slack = 1e-5 + push*math.Abs(math.Remainder(r.axisOf(j)-axes[k], 2*math.Pi))
					turnSlack = slack*(1+math.Hypot(arm.X, arm.Y)) + push*math.Hypot(is.X-arm.X, is.Y-arm.Y)
				}
				got := Vec{X: is.Mass * (is.Velocity.X - was.Velocity.X), Y: is.Mass * (is.Velocity.Y - was.Velocity.Y)}
				if want := (Vec{X: force.X * dt, Y: force.Y * dt}); !nearVec(got, want, slack) {
					t.Fatalf("%s, %v, tick %d: the momentum changed by %v, the force says %v", name, i.Kind, r.tick, got, want)
				}
				if i.Kind == MouseJoint || i.Kind == GearJoint {
					continue // Box2D damps the rotation of one kind, and another joint turns the body of the other
				}
				if got := is.Inertia * (is.AngularVelocity - was.AngularVelocity); !near(got, torque*dt, turnSlack) {
					t.Fatalf("%s, %v, tick %d: the angular momentum changed by %v, the torque says %v", name, i.Kind, r.tick, got, torque*dt)
				}
			}
		}
		for k, did := range busy {
			if !did {
				t.Errorf("%s: the %v joint did nothing", name, JointKind(k))
			}
		}
	}
}

// axisOf is the angle of the axis along which a joint pushes, if the joint has an
// axis.
func (r *rig) axisOf(j Joint) float64 {
	i, err := r.Joint(j)
	check(r.t, err)
	from := i.PointA
	switch i.Kind {
	case PrismaticJoint, WheelJoint, GearJoint:
		return r.info(i.A).Angle
	case PulleyJoint:
		from = i.Def.GroundB
	case DistanceJoint, RopeJoint:
	default:
		return 0
	}
	return math.Atan2(i.PointB.Y-from.Y, i.PointB.X-from.X)
}

func TestAJointsDefinitionCanBeReadBack(t *testing.T) {
	r := newRig(t, gravity())
	joints, _ := everyJoint(r)
	for k, j := range joints {
		first, err := r.Joint(j)
		check(t, err)
		if first.Def.MaxForce == 0 && (first.Kind == FrictionJoint || first.Kind == MotorJoint || first.Kind == MouseJoint) {
			t.Errorf("%v: %+v", first.Kind, first.Def)
		}
		again, err := r.Joint(r.joint(first.Def))
		check(t, err)
		if !nearVec(first.Def.AnchorB, again.Def.AnchorB, 1e-12) { // a mouse joint computes its anchor, so the last bits may differ
			t.Errorf("kind %d: it holds %v, not %v", k, again.Def.AnchorB, first.Def.AnchorB)
		}
		again.Def.AnchorB = first.Def.AnchorB
		if first.Def != again.Def || first.Angle != again.Angle || first.Translation != again.Translation {
			t.Errorf("kind %d: %+v\nmade anew: %+v", k, first, again)
		}
	}
}

func TestAJointsPlaceAndSpeedAreTold(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	rail := r.body(BodyDef{Angle: math.Pi / 2})
	slider := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 3}, Velocity: Vec{X: 0, Y: 2}, Shapes: []ShapeDef{Box(.5, .5)}})
	slide := r.joint(JointDef{Kind: PrismaticJoint, A: rail, B: slider})
	wheel := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 5, Y: 0}, Angle: 1, AngularVelocity: 4, Shapes: []ShapeDef{Circle(1)}})
	hinge := r.joint(JointDef{Kind: RevoluteJoint, A: rail, B: wheel, AnchorA: Vec{X: 0, Y: -5}, ReferenceAngle: .25})
	load := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 9, Y: 0}, Shapes: []ShapeDef{Box(.5, .5)}})
	other := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 12, Y: 0}, Shapes: []ShapeDef{Box(.5, .5)}})
	pulley := r.joint(JointDef{Kind: PulleyJoint, A: load, B: other, GroundA: Vec{X: 9, Y: 4}, GroundB: Vec{X: 12, Y: 5}, Ratio: 2})
	get := func(j Joint) JointInfo {
		i, err := r.Joint(j)
		check(t, err)
		return i
	}
	if i := get(slide); !near(i.Translation, 3, 1e-12) || !near(i.Speed, 2, 1e-12) || !nearVec(i.PointB, Vec{X: 0, Y: 3}, 1e-12) || !near(i.Length, 3, 1e-12) {
		t.Errorf("slide %+v", i)
	}
	if i := get(hinge); !near(i.Angle, 1-math.Pi/2-.25, 1e-12) || i.AngularSpeed != 4 || !nearVec(i.PointA, Vec{X: 5, Y: 0}, 1e-12) {
		t.Errorf("hinge %+v", i)
	}
	if i := get(pulley); !near(i.Length, 4+2*5, 1e-12) {
		t.Errorf("pulley %+v", i)
	}
}

func TestAHangingWeightIsReadOffItsJoint(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r := newRig(t, cfg)
		hook := r.body(BodyDef{Position: Vec{X: 0, Y: 5}})
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 3}, Shapes: []ShapeDef{Box(.5, .5)}})
		j := r.joint(JointDef{Kind: RopeJoint, A: hook, B: b, MaxLength: 2})
		r.start()
		if i, _ := r.Joint(j); i.Force != (Vec{}) {
			t.Errorf("%s: a force of %v before the first step", name, i.Force)
		}
		r.run(600)
		i, err := r.Joint(j)
		check(t, err)
		if !nearVec(i.Force, Vec{X: 0, Y: 10}, .01) {
			t.Errorf("%s: a force of %v", name, i.Force)
		}
		if r.isAwake(b) {
			t.Fatalf("%s: the weight does not sleep", name)
		}
		check(t, r.SetEnabled(b, false))
		if i, _ := r.Joint(j); i.Force != (Vec{}) {
			t.Errorf("%s: a disabled body pulls with %v", name, i.Force)
		}
	}
}

func TestContactsTellFriction(t *testing.T) {
	for name, cfg := range eachWay(gravity()) {
		r := newRig(t, cfg)
		r.ground()
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: .5}, Velocity: Vec{X: 9, Y: 0}, Shapes: []ShapeDef{Box(.5, .5)}})
		var hit Contact
		r.AddContactHook(func(_ *World, events []Event) {
			for _, e := range events {
				if e.Kind == ContactBegin {
					hit = e.Contact
				}
			}
		})
		r.start()
		r.run(1)
		if hit.Impulse <= 0 || !near(math.Abs(hit.TangentImpulse), .2*hit.Impulse, .02*hit.Impulse) {
			t.Errorf("%s: the first touch: %+v", name, hit)
		}
		r.run(9)
		found := 0
		for c := range r.Contacts() {
			found++
			// The box slides to the right, so friction pushes it to the left.
			turned := Vec{X: c.Normal.Y, Y: -c.Normal.X}
			onBox := c.TangentImpulse * turned.X
			if c.A == b {
				onBox = -onBox
			}
			if !near(onBox, -.2*c.Impulse, tiny) {
				t.Errorf("%s: %+v pushes the box by %v", name, c, onBox)
			}
		}
		if found != 1 {
			t.Errorf("%s: %d contacts", name, found)
		}
	}
}

func TestBox2DsObjectsLeadBackToTheirHandles(t *testing.T) {
	r := newRig(t, gravity())
	joints, pairs := everyJoint(r)
	for raw := r.Box2D().GetJointList(); raw != nil; raw = raw.GetNext() {
		j := r.HandleOfJoint(raw)
		if i, err := r.Joint(j); err != nil || i.B != r.HandleOf(raw.GetBodyB()) {
			t.Errorf("%T is %v: %+v, %v", raw, j, i, err)
		}
	}
	shapes, _ := r.Shapes(pairs[0][0])
	fixture := r.BodyPointer(pairs[0][0]).GetFixtureList()
	if s := r.HandleOfShape(fixture); s != shapes[0] {
		t.Errorf("%v, not %v", s, shapes[0])
	}
	raw := r.registry.joints[joints[0]].j
	check(t, r.DestroyShape(shapes[0]))
	check(t, r.DestroyJoint(joints[0]))
	if s, j := r.HandleOfShape(fixture), r.HandleOfJoint(raw); s != 0 || j != 0 {
		t.Errorf("of what is gone: %v, %v", s, j)
	}
	other := box2d.MakeB2World(box2d.B2Vec2{})
	def := box2d.MakeB2BodyDef()
	foreign := other.CreateBody(&def).CreateFixture(box2d.NewB2CircleShape(), 1)
	if s, j := r.HandleOfShape(foreign), r.HandleOfJoint((*box2d.B2RopeJoint)(nil)); s != 0 || j != 0 {
		t.Errorf("of a stranger: %v, %v", s, j)
	}
	if got := fmt.Sprint(r.HandleOfShape(nil), r.HandleOfJoint(nil), r.HandleOf(nil)); got != "shape 0 joint 0 body 0" {
		t.Errorf("of nothing: %s", got)
	}
}
