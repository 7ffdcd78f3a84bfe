package soft_test

import (
	"math"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/test/norace"
)

func energy(b *box2d.B2Body) float64 {
	v, w := b.M_linearVelocity, b.M_angularVelocity
	return b.M_mass*(v.X*v.X+v.Y*v.Y)/2 + b.M_I*w*w/2 + b.M_mass*10*b.M_sweep.C.Y
}

// Five balls hang side by side with gaps of 4 cm. The first ball is released at 45 degrees.
func TestNewtonsCradleSwings(t *testing.T) {
	norace.Only(t)
	for name, y := range yards(t) {
		frame := y.body(0, 0, 0)
		var balls []*box2d.B2Body
		for i := range 5 {
			x, angle := 1.04*float64(i), 0.0
			if i == 0 {
				angle = -math.Pi / 4
			}
			b := y.disc(x+4*math.Sin(angle), -4*math.Cos(angle), .5, 4)
			b.M_fixtureList.M_restitution, b.M_fixtureList.M_friction = 1, 0
			balls = append(balls, b)
			y.hinge(frame, b, x, 0)
		}
		rest := 0.0
		for _, b := range balls {
			rest -= b.M_mass * 10 * 4
		}
		sum := func() (e float64) {
			for _, b := range balls {
				e += energy(b)
			}
			return e - rest
		}
		start, first, last := sum(), 0.0, 0.0 // how far the outer balls swing in the last 5 s
		for i := range 900 {
			y.step(1./60, 8, 3)
			if i >= 600 {
				first = max(first, -balls[0].M_sweep.C.X/4)
				last = max(last, (balls[4].M_sweep.C.X-4.16)/4)
			}
		}
		t.Logf("%s: after 15 s %.0f %% of the energy are left; the first ball swings to %.0f degrees, the last to %.0f", name, 100*sum()/start,
			math.Asin(min(first, 1))*180/math.Pi, math.Asin(min(last, 1))*180/math.Pi)
		if name == "soft" && (sum() < .25*start || sum() > 1.02*start) {
			t.Errorf("%v of the energy is left", sum()/start)
		}
	}
}

// A car of 1000 kg on two springs of 4 Hz drives over five bumps, at several rates.
func TestACarDrivesAlikeAtAnyStepRate(t *testing.T) {
	norace.Only(t)
	for rate, most := range map[int]float64{30: .17, 60: .06, 240: .003} { // m
		for name, y := range yards(t) {
			y.ground()
			for i := range 5 {
				y.box(0, 10+4*float64(i), 0, .4, .1, 0)
			}
			chassis := y.box(2, 0, 1, 1.5, .3, 1000/1.8)
			var wheels []*box2d.B2Body
			for _, x := range []float64{-1, 1} {
				w := y.disc(x, .4, .4, 50)
				w.M_fixtureList.M_friction = .9
				d := box2d.MakeB2WheelJointDef()
				d.Initialize(chassis, w, w.GetPosition(), box2d.B2Vec2{Y: 1})
				d.FrequencyHz, d.DampingRatio = 4, .7
				d.EnableMotor, d.MotorSpeed, d.MaxMotorTorque = true, -15, 400
				y.CreateJoint(&d)
				wheels = append(wheels, w)
			}
			lowest, highest, sideways := 9.0, 0.0, 0.0
			for i := range 8 * rate {
				y.step(1/float64(rate), 8, 3)
				if i > 2*rate {
					lowest, highest = min(lowest, chassis.M_sweep.C.Y), max(highest, chassis.M_sweep.C.Y)
				}
				for k, w := range wheels {
					sideways = max(sideways, math.Abs(chassis.GetLocalPoint(w.GetPosition()).X-[]float64{-1, 1}[k]))
				}
			}
			t.Logf("%s at %d Hz: it is at %.1f m after 8 s; the chassis is between %.0f and %.0f mm high, a wheel leaves its axis by %.1f mm at most",
				name, rate, chassis.M_sweep.C.X, 1e3*lowest, 1e3*highest, 1e3*sideways)
			if name == "soft" && (chassis.M_sweep.C.X < 33 || lowest < .55 || highest > .8 || sideways > most) {
				t.Errorf("at %d Hz it came to %v m, a wheel left its axis by %v m", rate, chassis.M_sweep.C.X, sideways)
			}
		}
	}
}

// A grid of 10 by 10 discs, joined like cloth and held by its upper corners, carries 50
// times the weight of a disc.
func TestALoadedJointGridHolds(t *testing.T) {
	norace.Only(t)
	const n = 10
	for name, y := range yards(t) {
		var grid [n][n]*box2d.B2Body
		for i := range n {
			for k := range n {
				kind := uint8(2)
				if i == 0 && (k == 0 || k == n-1) {
					kind = 0
				}
				b := y.body(kind, float64(k), -float64(i))
				s := box2d.MakeB2CircleShape()
				s.SetRadius(.4)
				fix(b, &s, 1)
				b.M_fixtureList.M_filter.MaskBits = 0
				grid[i][k] = b
			}
		}
		var joints []*box2d.B2RevoluteJoint
		join := func(a, b *box2d.B2Body) {
			d := box2d.MakeB2RevoluteJointDef()
			pa, pb := a.GetPosition(), b.GetPosition()
			d.Initialize(a, b, box2d.B2Vec2{X: (pa.X + pb.X) / 2, Y: (pa.Y + pb.Y) / 2})
			joints = append(joints, y.CreateJoint(&d).(*box2d.B2RevoluteJoint))
		}
		for i := range n {
			for k := range n {
				if k+1 < n {
					join(grid[i][k], grid[i][k+1])
				}
				if i+1 < n {
					join(grid[i][k], grid[i+1][k])
				}
			}
		}
		load := y.body(2, n/2-.5, -n-1)
		s := box2d.MakeB2CircleShape()
		s.SetRadius(1)
		fix(load, &s, 50*.4*.4)
		load.M_fixtureList.M_filter.MaskBits = 0
		join(grid[n-1][n/2], load)
		stretch, moving := 0.0, 0.0
		for i := range 600 {
			y.step(1./60, 8, 3)
			if i < 540 {
				continue
			}
			for _, j := range joints {
				stretch = max(stretch, box2d.B2Vec2Distance(j.GetAnchorA(), j.GetAnchorB()))
			}
			moving = max(moving, load.M_linearVelocity.Length())
		}
		t.Logf("%s: in the 10th second a joint comes apart by %.1f mm at most; the load moves at %.0f mm/s", name, 1e3*stretch, 1e3*moving)
		if name == "soft" && stretch > .04 {
			t.Errorf("a joint came apart by %v m", stretch)
		}
	}
}

// Two free bodies are at rest, far from the position that their joint requires (dimforge/rapier
// reports joints far outside their limits).
func TestAJointThatComesBackKeepsMomentum(t *testing.T) {
	for name, def := range map[string]func(a, b *box2d.B2Body) box2d.B2JointDefInterface{
		"slider": func(a, b *box2d.B2Body) box2d.B2JointDefInterface {
			d := box2d.MakeB2PrismaticJointDef()
			d.BodyA, d.BodyB, d.EnableLimit, d.LowerTranslation, d.UpperTranslation = a, b, true, 5, 6
			return &d
		},
		"hinge far apart": func(a, b *box2d.B2Body) box2d.B2JointDefInterface {
			d := box2d.MakeB2RevoluteJointDef()
			d.BodyA, d.BodyB, d.LocalAnchorA = a, b, box2d.B2Vec2{X: -8}
			return &d
		},
		"hinge out of its limits": func(a, b *box2d.B2Body) box2d.B2JointDefInterface {
			d := box2d.MakeB2RevoluteJointDef()
			d.BodyA, d.BodyB, d.LocalAnchorB, d.EnableLimit, d.LowerAngle, d.UpperAngle = a, b, box2d.B2Vec2{X: -2}, true, 20, 21
			return &d
		},
		"weld": func(a, b *box2d.B2Body) box2d.B2JointDefInterface {
			d := box2d.MakeB2WeldJointDef()
			d.BodyA, d.BodyB, d.LocalAnchorA, d.ReferenceAngle = a, b, box2d.B2Vec2{X: -8}, 3
			return &d
		},
		"rod": func(a, b *box2d.B2Body) box2d.B2JointDefInterface {
			d := box2d.MakeB2DistanceJointDef()
			d.BodyA, d.BodyB, d.Length = a, b, 12
			return &d
		},
		"rope": func(a, b *box2d.B2Body) box2d.B2JointDefInterface {
			d := box2d.MakeB2RopeJointDef()
			d.BodyA, d.BodyB, d.MaxLength = a, b, .1
			return &d
		},
		"motor": func(a, b *box2d.B2Body) box2d.B2JointDefInterface {
			d := box2d.MakeB2MotorJointDef()
			d.BodyA, d.BodyB, d.LinearOffset, d.MaxForce, d.MaxTorque = a, b, box2d.B2Vec2{X: -9}, 1e6, 1e6
			return &d
		},
		"hinge with a motor": func(a, b *box2d.B2Body) box2d.B2JointDefInterface {
			d := box2d.MakeB2RevoluteJointDef()
			d.BodyA, d.BodyB, d.LocalAnchorB, d.EnableMotor, d.MotorSpeed, d.MaxMotorTorque = a, b, box2d.B2Vec2{X: -2}, true, 400, 1e7
			return &d
		},
	} {
		y, _ := space(t, 1)
		a, b := y.box(2, 0, 0, .5, .5, 1), y.box(2, 2, 0, .5, .2, 1)
		d := def(a, b)
		d.SetCollideConnected(false)
		y.CreateJoint(d)
		y.run(2)
		p := box2d.B2Vec2Add(times(a.M_mass, a.GetLinearVelocity()), times(b.M_mass, b.GetLinearVelocity()))
		if v := p.Length() / (a.M_mass + b.M_mass); !(v < .01) {
			t.Errorf("%s: the two fly off at %.3f m/s", name, v)
		}
	}
}

func times(k float64, v box2d.B2Vec2) box2d.B2Vec2 { return box2d.B2Vec2{X: k * v.X, Y: k * v.Y} }

// The planks and the net hang, the telescopes lean against their stops, and the cars roll.
func TestManyJointsOfAKindHold(t *testing.T) {
	norace.Only(t)
	for name, most := range map[string][2]float64{ // m, rad
		"cars": {.001, 0}, "welds": {.03, .11}, "springy welds": {.005, 0}, "sliders": {.022, .12}, "rods": {.005, 0}, "hinges": {.006, .015},
	} {
		y := yards(t)["soft"]
		jointScenes[name](y)
		y.run(1)
		off, turned := 0.0, 0.0
		for j := y.M_jointList; j != nil; j = j.GetNext() {
			a, b := j.GetBodyA(), j.GetBodyB()
			h := j.(interface {
				GetAnchorA() box2d.B2Vec2
				GetAnchorB() box2d.B2Vec2
			})
			gap := box2d.B2Vec2Sub(h.GetAnchorB(), h.GetAnchorA())
			angle := b.M_sweep.A - a.M_sweep.A
			switch j := j.(type) {
			case *box2d.B2WheelJoint:
				off = max(off, math.Abs(box2d.B2Vec2Dot(gap, a.GetWorldVector(box2d.B2Vec2{X: 1}))))
			case *box2d.B2WeldJoint:
				off = max(off, gap.Length())
				if j.M_frequencyHz == 0 {
					turned = max(turned, math.Abs(angle))
				}
			case *box2d.B2PrismaticJoint:
				axis := a.GetWorldVector(j.M_localXAxisA)
				at := box2d.B2Vec2Dot(axis, gap)
				off = max(off, math.Abs(box2d.B2Vec2Cross(axis, gap)), at-.2, -.2-at)
				turned = max(turned, math.Abs(angle))
			case *box2d.B2DistanceJoint:
				off = max(off, math.Abs(gap.Length()-j.M_length))
			case *box2d.B2RevoluteJoint:
				off = max(off, gap.Length())
				turned = max(turned, math.Abs(angle)-.3)
			}
		}
		t.Logf("%s: a joint is off by %.1f mm and %.4f rad at most", name, 1e3*off, turned)
		if !(off < most[0]) || !(turned <= most[1]) {
			t.Errorf("%s: a joint is off by %v m and %v rad", name, off, turned)
		}
	}
}
