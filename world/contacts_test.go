package world_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/test/norace"
	"halfstep/world"
)

// seeds runs a referee of TestAttackContacts a few times.
func seeds(t *testing.T, n uint64, referee func(testing.TB, *rand.Rand, world.Stepper)) {
	norace.Only(t)
	for _, s := range []world.Stepper{world.FastStep, world.SoftStep} {
		t.Run(s.String(), func(t *testing.T) {
			for seed := range n {
				if referee(t, rand.New(rand.NewPCG(seed, 1)), s); t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// Jondolf/avian issue 990: a shot at a wall pushed the box behind it.
func TestAContactNeverActsThroughAWall(t *testing.T) {
	seeds(t, 150, shootAtAWall)
	for _, kind := range []world.BodyKind{world.Static, world.Kinematic, world.Dynamic} {
		for _, speed := range []float64{4, 15, 60} {
			for phase := range 10 {
				x := newSituation(t, world.Config{Stepper: world.SoftStep, NoGravity: true, NoSleep: true})
				half := .02
				if kind == world.Dynamic { // a fast body may pass through a thin dynamic one
					half = .6
				}
				plate := world.Box(half, 3)
				plate.Density = 1e6
				wall := x.body(kind, world.Vec{}, plate)
				behind := x.body(world.Dynamic, world.Vec{X: half + .32}, world.Box(.3, .3))
				shot := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -.5 - half - speed/600*float64(phase)}, Velocity: world.Vec{X: speed}, Shapes: []world.ShapeDef{world.Circle(.1)}})
				if phase%2 == 0 { // a lift that passes by is a wall, too
					x.check(x.SetVelocity(wall, world.Vec{Y: 2 * float64(kind)}))
				}
				x.steps(20)
				for _, e := range x.events {
					if e.Contact.A == shot && e.Contact.B == behind || e.Contact.A == behind && e.Contact.B == shot {
						t.Fatalf("a %v wall, %v m/s, phase %d: %v", kind, speed, phase, e)
					}
				}
				if v := x.info(behind).Velocity; kind != world.Dynamic && v != (world.Vec{}) {
					t.Fatalf("a %v wall, %v m/s, phase %d: what is behind moves at %v", kind, speed, phase, v)
				}
			}
		}
	}
}

// A body that lies on another one does not hide the wall ahead from it.
func TestAWallStopsWhatAnotherBodyLiesOn(t *testing.T) {
	for _, asks := range []bool{false, true} {
		x := newSituation(t, world.Config{Stepper: world.SoftStep, NoGravity: true, NoSleep: true})
		x.rate = 30
		if asks {
			x.SetPreSolve(func(*world.World, *world.PreSolveContact) {})
		}
		x.body(world.Static, world.Vec{}, world.Chain(world.Vec{Y: -6}, world.Vec{Y: 1}, world.Vec{Y: 6}))
		corner := world.Vec{X: .2665, Y: -.16}
		triangle := x.made(world.BodyDef{
			Kind: world.Dynamic, Bullet: true, Position: world.Vec{X: -.2967, Y: -.5748}, Angle: .1873, Velocity: world.Vec{X: 39.8, Y: 11.8}, AngularVelocity: 5.3,
			Shapes: []world.ShapeDef{world.Polygon(corner, world.Vec{Y: .2665}, world.Vec{X: -.2665, Y: -.16})},
		})
		x.made(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{X: -.2508, Y: -.9504}, Angle: -1.0032, Velocity: world.Vec{X: 1.6, Y: 11.2}, AngularVelocity: -48.8,
			Shapes: []world.ShapeDef{world.Capsule(world.Vec{X: -.1734}, world.Vec{X: .1734}, .1156)},
		})
		for range 3 {
			x.steps(1)
			i := x.info(triangle)
			sin, cos := math.Sincos(i.Angle)
			if at := i.Position.X + corner.X*cos - corner.Y*sin; at > .06 {
				t.Errorf("asks %v, tick %d: the corner is %.3f m behind the wall", asks, x.Tick(), at)
			}
		}
	}
}

// A shot passes through a body with which it does not collide, and hits the body behind that
// one.
func TestWhatDoesNotCollideStopsNothing(t *testing.T) {
	for how, veil := range map[string]func(d *world.ShapeDef){
		"a filter": func(d *world.ShapeDef) { d.Filter = world.Filter{Category: 2, Mask: 2} },
		"a sensor": func(d *world.ShapeDef) { d.Sensor = true },
		"one-way":  func(d *world.ShapeDef) { d.OneWay = world.Vec{X: 1} },
	} {
		x := newSituation(t, world.Config{Stepper: world.SoftStep, NoGravity: true, NoSleep: true})
		d := world.Box(.02, 3)
		veil(&d)
		x.body(world.Static, world.Vec{}, d)
		behind := x.body(world.Dynamic, world.Vec{X: .5}, world.Box(.3, .3))
		x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -1}, Velocity: world.Vec{X: 40}, Shapes: []world.ShapeDef{world.Circle(.1)}})
		x.steps(20)
		x.between(how+": speed of what is behind", x.info(behind).Velocity.X, 1, 40)
		for _, e := range x.events {
			if e.Kind == world.ContactBegin {
				x.between(how+": the tick of the hit", float64(e.Tick), 2, 2)
			}
		}
	}
}

// erincatto/box2d issue 1046: a box slid off a swaying plank.
func TestWhatLiesOnAPlankThatSwaysStaysThere(t *testing.T) {
	for _, rate := range []float64{.3, 1} {
		x := newSituation(t, world.Config{Stepper: world.SoftStep, NoSleep: true})
		d, box := world.Box(10, .2), world.Box(.4, .4)
		d.Friction, box.Friction = 1, 1
		plank := x.made(world.BodyDef{Kind: world.Kinematic, Angle: -.3, Shapes: []world.ShapeDef{d}})
		at := x.info(plank).WorldPoint(world.Vec{X: 8, Y: .6})
		b := x.made(world.BodyDef{Kind: world.Dynamic, Angle: -.3, Position: at, Shapes: []world.ShapeDef{box}})
		x.steps(60)
		start, worst, lean := x.info(plank).LocalPoint(x.info(b).Position).X, 0., 0.
		for i := range 900 {
			now := float64(i) / 60
			x.check(x.SetAngularVelocity(plank, (-.3*math.Cos(rate*(now+1./60))+.3*math.Cos(rate*now))*60))
			x.steps(1)
			p := x.info(plank)
			worst = max(worst, math.Abs(p.LocalPoint(x.info(b).Position).X-start))
			for c := range x.Contacts() {
				lean = max(lean, math.Abs(c.Normal.X*math.Cos(p.Angle)+c.Normal.Y*math.Sin(p.Angle)))
			}
		}
		x.between(fmt.Sprintf("swaying as cos %vt it slides, in m, by", rate), worst, 0, .12*rate)
		x.between("the normal leans against the plank by", lean, 0, .02)
	}
}

// erincatto/box2d issue 1046: two welded boxes that touch and spin came to a stop.
func TestTwoBoxesThatSpinTogetherKeepTheirSpin(t *testing.T) {
	for _, spin := range []float64{.05, 1, 3} {
		x := newSituation(t, world.Config{Stepper: world.SoftStep, NoGravity: true, NoSleep: true})
		half := func(at float64) world.Body {
			return x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: at}, Velocity: world.Vec{Y: at * spin}, AngularVelocity: spin, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
		}
		a, b := half(-.5), half(.5)
		x.joint(world.JointDef{Kind: world.WeldJoint, A: a, B: b, AnchorA: world.Vec{X: .5}, AnchorB: world.Vec{X: -.5}, CollideConnected: true})
		x.steps(300)
		x.between(fmt.Sprintf("the spin of %v rad/s, after 5 s,", spin), x.info(a).AngularVelocity/spin, .99, 1.01)
	}
}

func TestAClusterThatSpinsFreelyKeepsItsMomentum(t *testing.T) {
	norace.Only(t)
	for seed := range uint64(40) {
		if spinFreely(t, rand.New(rand.NewPCG(seed, 2)), world.SoftStep); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// erincatto/box3d issue 83: a plank that bounced on a narrow floor went higher than it was.
func TestABounceGainsNoEnergy(t *testing.T) {
	for _, posts := range []int{1, 2, 3} {
		for _, half := range []float64{.02, .1, .3} {
			x := newSituation(t, world.Config{Stepper: world.SoftStep, NoSleep: true})
			for k := range posts {
				x.body(world.Static, world.Vec{X: 1.3*float64(k) - .65*float64(posts-1), Y: -.5}, world.Box(half, .5))
			}
			d := world.Box(2, .1)
			d.Restitution, d.Friction = 1, 0
			b := x.body(world.Dynamic, world.Vec{Y: 4}, d)
			energy := func() float64 {
				i := x.info(b)
				return i.KineticEnergy() + 10*i.Mass*(i.Position.Y-.1)
			}
			before, after := energy(), 0.
			for range 130 {
				if x.steps(1); x.info(b).Velocity.Y > 1 {
					after = max(after, energy())
				}
			}
			x.between(fmt.Sprintf("on %d posts of %v m, the energy after a bounce, of that before,", posts, 2*half), after/before, .9, 1.02)
		}
	}
}

// A plank stood on end when it hit the ground. It turned so fast that its corner changed sides
// in one step, and gained half of its energy.
func TestABounceOfWhatSpinsGainsNoEnergy(t *testing.T) {
	for phase := range 200 {
		x := newSituation(t, world.Config{Stepper: world.SoftStep, NoSleep: true, NoGravity: true})
		x.body(world.Static, world.Vec{Y: -.5}, world.Box(20, .5))
		d := world.Box(.7, .1)
		d.Restitution, d.Friction = 1, 0
		b := x.made(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{Y: .72 + .005*float64(phase%10)}, Angle: 1.2 + .03*float64(phase/10),
			Velocity: world.Vec{Y: -3}, AngularVelocity: 16, Shapes: []world.ShapeDef{d},
		})
		before := x.info(b).KineticEnergy()
		x.steps(30)
		x.between(fmt.Sprintf("in phase %d the energy after a bounce, of that before,", phase), x.info(b).KineticEnergy()/before, .5, 1.01)
	}
}

// A chain that poked into a wide floor was pushed out at the floor's end, 40 m away. Its body
// then hung in the floor, or flew off at 1,000 rad/s.
func TestAChainOfABodyRestsOnAWideFloor(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		x := newSituation(t, world.Config{Stepper: world.SoftStep})
		x.body(world.Static, world.Vec{Y: -.5}, world.Box(40, .5))
		var points []world.Vec
		for i := range 3 + r.IntN(3) {
			points = append(points, world.Vec{X: .7*float64(i) - 1, Y: r.Float64() - .5})
		}
		b := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: r.Float64(), Y: 3}, Angle: 6 * r.Float64(), Shapes: []world.ShapeDef{world.Chain(points...), world.Circle(.3)}})
		x.steps(400)
		i, low := x.info(b), math.MaxFloat64
		for _, p := range points {
			low = min(low, i.WorldPoint(p).Y)
		}
		x.between(fmt.Sprintf("seed %d: the height of the lowest point of the chain", seed), low, -.02, .5)
		x.between(fmt.Sprintf("seed %d: the speed", seed), i.Velocity.Len(), 0, .3)
	}
}

// One in twenty hammers that fell on the end of the handle at 20 m/s flew off with up to 40,000
// times its energy.
func TestAHammerThatFallsOnItsHandleGainsNoEnergy(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		x := newSituation(t, world.Config{Stepper: world.SoftStep, NoGravity: true})
		floor := x.body(world.Static, world.Vec{Y: -.5}, world.Box(40, .5))
		head, handle := world.Box(.15, .15), world.BoxAt(world.Vec{X: .7}, .7, .03, 0)
		head.Density, handle.Density = 10, .01+.5*r.Float64()
		// With an odd seed the hammer falls, and with an even seed the floor hits the hammer.
		fall := world.Vec{Y: -20 * float64(seed%2)}
		x.check(x.SetKind(floor, world.Kinematic))
		x.check(x.SetVelocity(floor, world.Vec{Y: 20 + fall.Y}))
		b := x.made(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{Y: 1.6 + .2*r.Float64()}, Angle: -1.7 + .4*r.Float64(), FixedRotation: seed%3 == 0,
			Velocity: fall, AngularVelocity: 20 * (r.Float64() - .5), Shapes: []world.ShapeDef{head, handle},
		})
		x.steps(1)
		x.check(x.SetFixedRotation(b, false))
		energy := func() float64 {
			i := x.info(b)
			return i.KineticEnergy() + i.Mass*(20+fall.Y)*((20+fall.Y)/2-i.Velocity.Y) // in the frame of the floor
		}
		before := energy()
		x.steps(20)
		x.between(fmt.Sprintf("seed %d: the energy, of that before,", seed), energy()/before, 0, 1)
	}
}

// A filter takes effect in the next step, even under a body that sleeps, and under bodies on
// that one.
func TestAFilterIsHeededUnderASleeper(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s})
		ground := x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
		low, high := x.body(world.Dynamic, world.Vec{Y: .5}, world.Box(.5, .5)), x.body(world.Dynamic, world.Vec{Y: 1.5}, world.Box(.5, .5))
		x.steps(150)
		x.check(x.SetFilter(must(x.Shapes(ground))[0], world.Filter{Category: 2, Mask: 2}))
		x.steps(1)
		x.between("the speed after a step", x.info(low).Velocity.Y, -.1667, -.16)
		x.between("the speed of what lies on it", x.info(high).Velocity.Y, -.1667, -.16)
	})
}

// A ContactBegin came up to 13 mm before the shapes touched, and no event ever had the impulse.
func TestAContactBeginsWhenItPushes(t *testing.T) { seeds(t, 60, hitAndTell) }

// Bodies that approach and move apart again have not touched.
func TestWhatOnlyComesNearDoesNotTouch(t *testing.T) {
	for _, gap := range []float64{.001, .005, .015} {
		x := newSituation(t, world.Config{Stepper: world.SoftStep, NoGravity: true, NoSleep: true})
		x.body(world.Static, world.Vec{}, world.Box(3, .5))
		x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -2, Y: 1 + gap}, Velocity: world.Vec{X: 4}, Shapes: []world.ShapeDef{world.Circle(.5)}})
		x.steps(60)
		x.between(fmt.Sprintf("at %v m, what is told", gap), float64(len(x.events)), 0, 0)
	}
}

// PreSolve got a depth although there was a gap, and otherwise twice the real depth.
func TestTheDepthThatPreSolveIsShownIsThatOfTheOutlines(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, circle := range []bool{false, true} {
			for _, depth := range []float64{-.004, .003, .02} {
				x := newSituation(t, world.Config{Stepper: s, NoGravity: true, NoSleep: true})
				d := world.Box(.5, .5)
				if circle {
					d = world.Circle(.5)
				}
				x.body(world.Static, world.Vec{Y: -1}, world.Box(2, 1))
				b := x.made(world.BodyDef{Kind: world.Dynamic, FixedRotation: true, Position: world.Vec{Y: .5 - depth}, Velocity: world.Vec{X: .5}, Shapes: []world.ShapeDef{d}})
				calls := 0
				x.SetPreSolve(func(w *world.World, c *world.PreSolveContact) {
					calls++
					if is := .5 - must(w.Body(b)).Position.Y; math.Abs(c.Depth-is) > 1e-5 {
						t.Errorf("circle %v, call %d: it lies %.4f m deep, and is told %.4f", circle, calls, is, c.Depth)
					}
					c.Solid = calls < 5
				})
				x.steps(10)
				if calls == 0 && (depth > 0 || s == world.SoftStep || !circle) {
					t.Errorf("circle %v, depth %v: not asked", circle, depth)
				}
			}
		}
	})
}

// rapier.js issue 141: a box that a small force pressed down in each frame sank into the
// ground.
func TestABoxThatIsPressedDownDoesNotSink(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s})
		x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
		b := x.body(world.Dynamic, world.Vec{Y: .5}, world.Box(.5, .5))
		x.AddController(world.ControllerFunc(func(w *world.World, _ float64) { must(0, w.Force(b, world.Vec{Y: -4})) }))
		x.steps(600)
		x.between("its height", x.info(b).Position.Y, .49, .52)
		x.between("its angle", x.info(b).Angle, -.001, .001)
	})
}

// p2.js issue 225: a floor whose height was above 0 threw bodies up.
func TestAFloorActsAlikeAtAnyHeight(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, y := range []float64{-7, .1, .5, 3, 100} {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{Y: y}, world.Edge(world.Vec{X: -20}, world.Vec{X: 20}))
			b := x.body(world.Dynamic, world.Vec{Y: y + 1.5}, world.Box(.5, .5))
			top := 0.
			x.steps(40)
			for range 120 {
				x.steps(1)
				top = math.Max(top, x.info(b).Position.Y-y)
			}
			x.between(fmt.Sprintf("the greatest height after the impact, floor at %g m", y), top, .49, .54)
		}
	})
}
