package world

import (
	"math"
	"testing"
)

var bothSteppers = []Stepper{FastStep, SoftStep}

// rolled lets a ball roll on a floor until it lies still, and returns the distance that
// it has rolled.
func rolled(t *testing.T, stepper Stepper, slope, speed, resistance float64, ticks int) (r *rig, ball Body, way float64) {
	t.Helper()
	r = newRig(t, Config{Stepper: stepper, NoSleep: true})
	floor, circle := Edge(Vec{X: -100, Y: -100 * slope}, Vec{X: 100, Y: 100 * slope}), Circle(.5)
	floor.Friction, circle.Friction, circle.RollingResistance = .9, .9, resistance
	r.body(BodyDef{Shapes: []ShapeDef{floor}})
	up := Vec{X: -slope, Y: 1}.Unit().Mul(.5)
	ball = r.body(BodyDef{Kind: Dynamic, Position: up, Velocity: Vec{X: speed}, AngularVelocity: -speed / .5, Shapes: []ShapeDef{circle}})
	r.start()
	r.run(10) // the ball rises onto the skin of the fast stepper
	at := r.at(ball)
	v := r.speed(ball)
	if speed != 0 {
		way = v.X * v.X
	}
	r.run(ticks)
	moved := r.at(ball).X - at.X
	if speed == 0 {
		return r, ball, moved
	}
	return r, ball, moved / way
}

// Rolling resistance brakes a rolling disc by resistance·g/1.5, because it brakes its
// spin as well.
func TestABallRollsOutByItsRollingResistance(t *testing.T) {
	for _, stepper := range bothSteppers {
		for _, resistance := range []float64{.02, .1} {
			r, ball, way := rolled(t, stepper, 0, 4, resistance, 2000)
			want := .75 / (resistance * 10) // the factor of the square of the speed
			if !near(way, want, .02*want) {
				t.Errorf("%v, %v: it rolls %v m²/s² of the square of its speed, want %v", stepper, resistance, way, want)
			}
			if v := r.speed(ball).Len(); v > 1e-3 {
				t.Errorf("%v, %v: it still goes at %v m/s", stepper, resistance, v)
			}
		}
	}
}

func TestABallStaysOnASlopeThatItsRollingResistanceHolds(t *testing.T) {
	for _, stepper := range bothSteppers {
		r, ball, moved := rolled(t, stepper, .1, 0, .11, 600)
		if turned := r.angle(ball); math.Abs(moved) > 1e-3 || math.Abs(turned) > 2e-3 {
			t.Errorf("%v: held, it moved by %v m and turned by %v rad", stepper, moved, turned)
		}
		// On a slope of 0.1 the acceleration is (0.1 - 0.05)·g·cos(slope)/1.5.
		_, _, moved = rolled(t, stepper, .1, 0, .05, 60)
		cos := 1 / math.Hypot(.1, 1)
		a := .05 * 10 * cos / 1.5
		want := -cos * (a*10/60*1 + a/2)
		if !near(moved, want, .05*-want) {
			t.Errorf("%v: not held, it moved by %v m, want %v", stepper, moved, want)
		}
	}
}

// dropped lets a ball fall on a floor with the given speed, and returns the speed at
// which it leaves the floor.
func dropped(t *testing.T, cfg Config, speed, restitution float64) float64 {
	t.Helper()
	cfg.NoGravity = true
	r := newRig(t, cfg)
	ball := Circle(.5)
	ball.Restitution = restitution
	r.body(BodyDef{Shapes: []ShapeDef{Edge(Vec{X: -9, Y: 0}, Vec{X: 9, Y: 0})}})
	b := r.body(BodyDef{Kind: Dynamic, Position: Vec{Y: .6}, Velocity: Vec{Y: -speed}, Shapes: []ShapeDef{ball}})
	r.start()
	r.run(120)
	return r.speed(b).Y
}

func TestABallBouncesAboveTheRestitutionThresholdAlone(t *testing.T) {
	for _, stepper := range bothSteppers {
		for threshold, at := range map[float64]map[float64]bool{
			0: {.9: false, 1.1: true}, .25: {.2: false, .3: true, .9: true}, 3: {2.9: false, 3.1: true},
		} {
			for speed, bounces := range at {
				cfg := Config{Stepper: stepper, Surfaces: Surfaces{RestitutionThreshold: threshold}}
				want := 0.0
				if bounces {
					want = .8 * speed
				}
				if got := dropped(t, cfg, speed, .8); !near(got, want, .02) {
					t.Errorf("%v, threshold %v: a ball at %v m/s leaves at %v, want %v", stepper, threshold, speed, got, want)
				}
			}
		}
	}
}

const (
	ice Material = iota + 1
	rubber
)

func TestTheTableOfMixesDecidesFrictionAndRestitution(t *testing.T) {
	rules := Surfaces{Mixes: []Mix{
		{A: ice, B: rubber, Friction: .3, Restitution: .7},
		{A: rubber, B: rubber, FrictionRule: MixAverage, RestitutionRule: MixProduct},
		{A: ice, B: AnyMaterial, FrictionRule: MixMinimum, RestitutionRule: MixMinimum},
		{A: AnyMaterial, B: rubber, FrictionRule: MixMaximum, RestitutionRule: MixGeometric},
		{A: 7, B: 0, FrictionRule: MixProduct, RestitutionRule: MixAverage},
	}}
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		for _, late := range []bool{false, true} {
			for _, c := range []struct {
				floor, box            Material
				friction, restitution float64
			}{
				{0, 0, .4, .5}, {ice, rubber, .3, .7}, {rubber, ice, .3, .7}, {rubber, rubber, .5, .1},
				{ice, ice, .2, .2}, {0, ice, .2, .2}, {0, rubber, .8, math.Sqrt(.1)}, {rubber, 9, .8, math.Sqrt(.1)},
				{7, 0, .16, .35}, {0, 7, .16, .35}, {7, 7, .4, .5},
			} {
				cfg := Config{Stepper: stepper, Surfaces: rules}
				floor, box := Box(9, .5), Box(.5, .5)
				floor.Friction, floor.Restitution, floor.Material = .2, .2, c.floor
				box.Friction, box.Restitution, box.Material = .8, .5, c.box
				if late {
					cfg.Surfaces, floor.Material, box.Material = Surfaces{}, 5, 5
				}
				r := newRig(t, cfg)
				ground := r.body(BodyDef{Position: Vec{Y: -.5}, Shapes: []ShapeDef{floor}})
				b := r.body(BodyDef{Kind: Dynamic, Position: Vec{Y: .5}, Shapes: []ShapeDef{box}})
				r.start()
				r.run(90)
				if late {
					r.apply(Command{Op: opSetSurfaces, Surfaces: &rules})
					for body, m := range map[Body]Material{ground: c.floor, b: c.box} {
						s, _ := r.Shapes(body)
						r.apply(Command{Op: opSetMaterial, Shape: s[0], N: int32(m)})
					}
					r.run(2)
				}
				for at := range r.World.box.EachContact() {
					n := at.Surface()
					if !near(n.Friction, c.friction, 1e-12) || !near(n.Restitution, c.restitution, 1e-12) {
						t.Errorf("%v, late %v, %d on %d: friction %v and restitution %v, want %v and %v",
							stepper, late, c.box, c.floor, n.Friction, n.Restitution, c.friction, c.restitution)
					}
				}
				for n := range r.Contacts() {
					if n.MaterialA+n.MaterialB != c.floor+c.box {
						t.Errorf("%v: the contact is of materials %d and %d", stepper, n.MaterialA, n.MaterialB)
					}
				}
			}
		}
	}
}

// The segments of a chain have materials of their own, and a box slides only on the icy
// ones.
func TestSegmentsOfAChainHaveMaterialsOfTheirOwn(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		r := newRig(t, Config{Stepper: stepper, Surfaces: Surfaces{Mixes: []Mix{{A: ice, B: AnyMaterial, RestitutionRule: MixMaximum}}}})
		floor := Chain(Vec{X: -20, Y: 0}, Vec{X: 0, Y: 0}, Vec{X: 40, Y: 0})
		floor.Friction, floor.SegmentMaterials = .8, []Material{ice, rubber}
		ground := r.body(BodyDef{Shapes: []ShapeDef{floor}})
		box := Box(.5, .5)
		box.Friction = .8
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: -10, Y: .52}, Velocity: Vec{X: 6}, Shapes: []ShapeDef{box}})
		r.start()
		r.run(85)
		if v := r.speed(b).X; !near(v, 6, .02) {
			t.Errorf("%v: on ice it goes at %v m/s, not 6", stepper, v)
		}
		r.events()
		r.run(120)
		if v := r.speed(b).X; !near(v, 0, .02) {
			t.Errorf("%v: on rubber it goes at %v m/s", stepper, v)
		}
		found := false
		for _, e := range only(r.events(), ContactBegin) {
			found = found || e.MaterialA == rubber
		}
		if !found {
			t.Errorf("%v: no event of the material", stepper)
		}
		// A segment gets the icy material, and the box on it slides.
		chain, _ := r.Shapes(ground)
		r.apply(Command{Op: opSetSegmentMaterial, Shape: chain[0], X: 1, N: int32(ice)}, Command{Op: opVelocity, Body: b, V: Vec{X: 6}})
		r.run(30)
		if v := r.speed(b).X; !near(v, 6, .02) {
			t.Errorf("%v: where it is ice now it goes at %v m/s, not 6", stepper, v)
		}
		r.apply(Command{Op: opSetSegmentMaterial, Shape: chain[0], N: int32(rubber)})
		for x, m := range map[float64]Material{-19: rubber, 39: ice} {
			hit, ok, err := r.Query(QueryFilter{Ignore: b}).RayCast(Vec{X: x, Y: 5}, Vec{X: x, Y: -5})
			if !ok || err != nil || hit.Material != m {
				t.Errorf("%v: at %v a ray meets %+v, %v, %v", stepper, x, hit, ok, err)
			}
		}
	}
}

func TestAHitSaysHowFastTheTwoCameTogether(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		for _, speed := range []float64{.5, 3, 20} {
			r := newRig(t, Config{Stepper: stepper, NoGravity: true, Surfaces: Surfaces{HitSpeed: 2}})
			ball := Circle(.5)
			r.body(BodyDef{Shapes: []ShapeDef{Edge(Vec{X: -9, Y: 0}, Vec{X: 9, Y: 0})}})
			r.body(BodyDef{Kind: Dynamic, Position: Vec{Y: 2}, Velocity: Vec{X: 2, Y: -speed}, Shapes: []ShapeDef{ball}})
			r.start()
			r.run(240)
			all := r.events()
			begun, hits := only(all, ContactBegin), only(all, ContactHit)
			if len(begun) != 1 || !near(begun[0].Speed, speed, 1e-3*speed) {
				t.Errorf("%v: at %v m/s: %+v", stepper, speed, begun)
			}
			if want := speed >= 2; (len(hits) == 1) != want {
				t.Errorf("%v: %d hits at %v m/s, with a threshold of 2", stepper, len(hits), speed)
			} else if want && hits[0].Speed != begun[0].Speed {
				t.Errorf("%v: the hit is at %v m/s, the beginning at %v", stepper, hits[0].Speed, begun[0].Speed)
			}
		}
	}
}

func TestABodySleepsAtSpeedsOfItsOwn(t *testing.T) {
	for _, stepper := range bothSteppers {
		for _, c := range []struct {
			speed, spin         float64 // of the body
			mostSpeed, mostSpin float64
			sleeps              bool
		}{
			{.3, 0, 0, 0, false}, {.3, 0, .4, 0, true}, {.5, 0, .4, 0, false},
			{0, .3, 0, 0, false}, {0, .3, 0, .4, true}, {0, .5, 0, .4, false}, {.3, .3, .4, 0, false}, {.3, .3, .4, .4, true},
			{.005, 0, 0, 0, true}, {.005, 0, .001, 0, false}, {0, .01, 0, .001, false},
		} {
			for _, late := range []bool{false, true} {
				r := newRig(t, Config{Stepper: stepper, NoGravity: true})
				def := BodyDef{Kind: Dynamic, Velocity: Vec{X: c.speed}, AngularVelocity: c.spin, Shapes: []ShapeDef{Circle(1)}}
				if !late {
					def.SleepSpeed, def.SleepSpin = c.mostSpeed, c.mostSpin
				}
				b := r.body(def)
				r.start()
				if late {
					r.apply(Command{Op: opSetSleepSpeeds, Body: b, X: c.mostSpeed, Y: c.mostSpin})
				}
				if i := r.info(b); i.SleepSpeed != c.mostSpeed || i.SleepSpin != c.mostSpin {
					t.Errorf("it has %v and %v", i.SleepSpeed, i.SleepSpin)
				}
				r.run(60)
				if got := !r.isAwake(b); got != c.sleeps {
					t.Errorf("%v, late %v: %+v, but sleeps is %v", stepper, late, c, got)
				}
			}
		}
	}
}

func TestAWorldThatIsLoadedHasTheSurfacesOfTheOther(t *testing.T) {
	for _, stepper := range bothSteppers {
		cfg := Config{Stepper: stepper}
		r := newRig(t, cfg)
		floor := Chain(Vec{X: -20, Y: 0}, Vec{X: 0, Y: 0}, Vec{X: 20, Y: 0})
		floor.SegmentMaterials = []Material{ice, rubber}
		r.body(BodyDef{Shapes: []ShapeDef{floor}})
		for i := range 8 {
			ball := Circle(.3)
			ball.RollingResistance, ball.Material, ball.Restitution = .02*float64(i), Material(i%3), .3
			r.body(BodyDef{Kind: Dynamic, Position: Vec{X: float64(i) - 6, Y: 1}, Velocity: Vec{X: 3}, SleepSpeed: .4, SleepSpin: 2, Shapes: []ShapeDef{ball}})
		}
		r.start()
		r.apply(Command{Op: opSetSurfaces, Surfaces: &Surfaces{
			Mixes: []Mix{{A: ice, B: AnyMaterial, Restitution: .9}}, RestitutionThreshold: .1, HitSpeed: 1,
		}})
		r.run(30)
		s, err := LoadSnapshot(bytesOf(t, r))
		check(t, err)
		other := newRig(t, cfg)
		check(t, other.Restore(s))
		other.start()
		other.run(0)
		for range 4 {
			r.run(60)
			other.run(60)
			if r.StateHash() != other.StateHash() {
				t.Fatalf("%v: it goes on in another way", stepper)
			}
		}
	}
}
