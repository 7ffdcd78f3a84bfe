package soft_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"halfstep/internal/box/soft"
	"halfstep/test/norace"

	"github.com/ByteArena/box2d"
)

// space returns a yard without gravity, and its stepper with a number of workers.
func space(t testing.TB, workers int) (*yard, *soft.Stepper) {
	w := box2d.MakeB2World(box2d.B2Vec2{})
	w.SetContactFilter(&box2d.B2ContactFilter{})
	s := soft.New(&w, soft.Options{Workers: workers})
	s.ForceParallel()
	t.Cleanup(s.Close)
	return &yard{&w, s.Step}, s
}

// askedFilter records its calls.
type askedFilter struct {
	box2d.B2ContactFilter
	collide bool
	asked   []string
}

func (f *askedFilter) ShouldCollide(a, b *box2d.B2Fixture) bool {
	f.asked = append(f.asked, fmt.Sprint(a.M_body.M_xf.P, b.M_body.M_xf.P))
	return f.collide
}

func TestAFastBodyPassesWhatTheFilterExcludes(t *testing.T) {
	for _, kind := range []uint8{0, 1, 2} {
		for _, bullet := range []bool{false, true} {
			for _, speed := range []float64{30, 60, 120} {
				y, _ := space(t, 1)
				f := &askedFilter{}
				y.SetContactFilter(f)
				wall := y.box(kind, 5.3, 0, .05, 5, 1)
				b := y.disc(0, 0, .2, 1)
				b.SetBullet(bullet)
				b.SetLinearVelocity(box2d.B2Vec2{X: speed})
				y.run(1)
				if x := b.GetPosition().X; math.Abs(x-speed) > .01 {
					t.Errorf("kind %d, bullet %v, %v m/s: it is at %v m", kind, bullet, speed, x)
				}
				f.collide = true
				b.SetTransform(box2d.B2Vec2{}, 0)
				y.run(1)
				if x := b.GetPosition().X; x > wall.GetPosition().X && (kind != 2 || bullet) {
					t.Errorf("kind %d, bullet %v, %v m/s: it is at %v m although the filter changed its mind", kind, bullet, speed, x)
				}
			}
		}
	}
}

// The filter is code of the program, which does not expect several goroutines.
func TestTheFilterIsAskedByOneGoroutineInTheSameOrder(t *testing.T) {
	play := func(workers int) []string {
		y, _ := space(t, workers)
		f := &askedFilter{}
		y.SetContactFilter(f)
		for i := range 20 {
			y.box(uint8(i%2), 5+float64(i), 0, .05, 50, 0)
		}
		for i := range 100 {
			b := y.disc(float64(i%7), float64(i)-50, .1, 1)
			b.SetBullet(i%10 == 0)
			b.SetLinearVelocity(box2d.B2Vec2{X: 50 + float64(i)})
		}
		y.run(.3)
		return f.asked
	}
	want := play(1)
	if len(want) < 1000 {
		t.Fatalf("asked %d times", len(want))
	}
	for _, workers := range []int{2, 3} {
		if got := play(workers); !slices.Equal(got, want) {
			t.Errorf("%d workers: asked %d times, want %d", workers, len(got), len(want))
		}
	}
}

// A door with a thickness of 10 cm moves, and a ball flies towards it.
func TestNoBodyPassesAKinematicOne(t *testing.T) {
	norace.Only(t)
	shapes := map[string]func() box2d.B2ShapeInterface{
		"disc": func() box2d.B2ShapeInterface { s := box2d.MakeB2CircleShape(); s.SetRadius(.1); return &s },
		"box":  func() box2d.B2ShapeInterface { s := box2d.MakeB2PolygonShape(); s.SetAsBox(.1, .08); return &s },
	}
	for name, shape := range shapes {
		for _, bullet := range []bool{false, true} {
			for _, wall := range []float64{0, -3, -20, -60, 3, 20} {
				for _, speed := range []float64{0, 5, 40, 100} {
					if wall >= speed {
						continue
					}
					for phase := range 5 {
						y, _ := space(t, 1)
						door := y.box(1, 10, 0, .05, 5, 0)
						door.SetLinearVelocity(box2d.B2Vec2{X: wall, Y: 1})
						b := y.body(2, .07*float64(phase), 0)
						fix(b, shape(), 1)
						b.SetBullet(bullet)
						b.SetLinearVelocity(box2d.B2Vec2{X: speed})
						for range 40 {
							y.run(1. / 60)
							if x := b.GetPosition().X - door.GetPosition().X; x > 0 {
								t.Errorf("%s, bullet %v, %v m/s, door %v m/s: it is %.2f m behind the door", name, bullet, speed, wall, x)
								break
							}
						}
					}
				}
			}
		}
	}
}

// A gate with a length of 4 m turns about its end. Balls lie or fly near the gate.
func TestNoBallPassesATurningGate(t *testing.T) {
	for _, spin := range []float64{1, 5, 15} {
		for _, speed := range []float64{0, 30, 90} {
			for i := range 8 {
				y, _ := space(t, 1)
				gate := y.body(1, 0, 0)
				s := box2d.MakeB2PolygonShape()
				s.SetAsBoxFromCenterAndAngle(2, .05, box2d.B2Vec2{X: 2}, 0)
				fix(gate, &s, 0)
				gate.SetAngularVelocity(spin)
				b := y.disc(.5+.4*float64(i), 1, .1, 1)
				b.SetLinearVelocity(box2d.B2Vec2{Y: -speed})
				side := 1.0
				for range 15 {
					y.run(1. / 60)
					p := gate.GetLocalPoint(b.GetPosition())
					if p.X < 0 || p.X > 3.9 {
						break // the ball has passed the end
					}
					if side*p.Y < 0 {
						t.Errorf("gate %v rad/s, ball %d at %v m/s: it is on the other side, at %v", spin, i, speed, p)
						break
					}
				}
			}
		}
	}
}

func TestABodyThatLandsFlatDoesNotSpin(t *testing.T) {
	norace.Only(t)
	for _, kind := range []uint8{0, 1} {
		for _, tilt := range []float64{0, .3, -1.2} {
			for _, height := range []float64{5, 10, 12, 15, 20, 20.2, 33, 45, 80, 120, 180} {
				y := yards(t)["soft"]
				sin, cos := math.Sincos(tilt)
				up := box2d.B2Vec2{X: -sin, Y: cos}
				y.SetGravity(box2d.B2Vec2{X: -10 * up.X, Y: -10 * up.Y})
				y.box(kind, 0, 0, 50, .5, 0).SetTransform(box2d.B2Vec2{}, tilt)
				b := y.box(2, 0, 0, .5, .5, 1)
				b.SetTransform(box2d.B2Vec2{X: up.X * (height + 1), Y: up.Y * (height + 1)}, tilt)
				spin, aside := 0.0, 0.0
				for range 480 {
					y.run(1. / 60)
					p := b.GetPosition()
					spin, aside = max(spin, math.Abs(b.GetAngularVelocity())), max(aside, math.Abs(p.X*cos+p.Y*sin))
				}
				if spin > .001 || aside > .001 {
					t.Errorf("kind %d, tilt %v, %v m: it spins at %.4f rad/s and goes %.2f mm to the side", kind, tilt, height, spin, 1e3*aside)
				}
			}
		}
	}
}

// A fall that is even on both sides stays even, to the bit, because neither of two
// points is solved before the other.
func TestAFallThatIsEvenOnBothSidesStaysSo(t *testing.T) {
	norace.Only(t)
	for _, kind := range []uint8{0, 1, 2} {
		for _, restitution := range []float64{0, .5, 1} {
			for _, half := range []float64{.05, .3, .9, 5} {
				for _, height := range []float64{.1, 5, 12, 20.2, 45, 120} {
					y := yards(t)["soft"]
					y.box(0, 0, -3, 5, .5, 0)
					y.box(kind, 0, -2, 4, .5, 1)
					b := y.box(2, 0, height+half-1.5, .5, half, 1)
					b.GetFixtureList().SetRestitution(restitution)
					for range 300 {
						y.run(1. / 60)
						if x, w := b.GetPosition().X, b.GetAngularVelocity(); x != 0 || w != 0 {
							t.Errorf("kind %d, restitution %v, a box of 1 m by %v m from %v m: it is %.1g m to the side and spins at %.1g rad/s",
								kind, restitution, 2*half, height, x, w)
							break
						}
					}
				}
			}
		}
	}
}

// The box presses itself into the floor by some millimetres. It is then lower than
// the upper ends of the sides of the next planks.
func TestAFastBoxDoesNotStopAtTheJointsOfAStaticFloor(t *testing.T) {
	for _, kind := range []uint8{0, 1} {
		for _, speed := range []float64{18, 40, 90} {
			y := yards(t)["soft"]
			for i := range 100 {
				y.box(kind, float64(i), -.1, .5, .1, 0)
			}
			box := y.box(2, 0, .25, .25, .25, 1)
			box.GetFixtureList().SetFriction(0)
			y.SetGravity(box2d.B2Vec2{Y: -60})
			box.SetLinearVelocity(box2d.B2Vec2{X: speed})
			y.run(1)
			if x := box.GetPosition().X; math.Abs(x-speed) > .1 {
				t.Errorf("kind %d: at %v m/s it has gone %.2f m in a second", kind, speed, x)
			}
		}
	}
}

// The core of a ball (a quarter of the ball's radius) is up to 2.5 mm above the ground (erincatto/box2d
// issue 1007).
func TestABodyWhoseCoreTouchesTheGroundFliesOn(t *testing.T) {
	for _, r := range []float64{.1, .5, 1} {
		for _, over := range []float64{.0002, .001, .0024} {
			for _, v := range []box2d.B2Vec2{{Y: 60}, {X: 70}, {X: -50, Y: 20}, {X: 30, Y: 1}} {
				y, _ := space(t, 1)
				y.ground()
				b := y.disc(0, r/4+over, r, 1)
				b.M_fixtureList.M_friction = 0
				b.SetLinearVelocity(v)
				y.run(1)
				if way := box2d.B2Vec2Distance(b.GetPosition(), box2d.B2Vec2{Y: r / 4}); way < .9*v.Length() {
					t.Errorf("a ball of %v m, its core %v m over the ground, at %v m/s: it went %.2f m in a second", r, over, v, way)
				}
			}
		}
	}
}

func TestABallThatIsPressedIsNeverPressedThroughTheGround(t *testing.T) {
	for _, force := range []float64{1000, 12000, 55000, 2e5} {
		for _, aside := range []float64{0, 20, -60} {
			y, _ := space(t, 1)
			y.ground()
			b := y.disc(0, .2, .2, 1)
			for range 120 {
				b.ApplyForceToCenter(box2d.B2Vec2{Y: -force}, true)
				b.SetLinearVelocity(box2d.B2Vec2{X: aside, Y: b.GetLinearVelocity().Y})
				y.run(1. / 60)
				if at := b.GetPosition().Y; !(at > .05) {
					t.Fatalf("%v N, %v m/s aside: it is at a height of %v m", force, aside, at)
				}
			}
			b.SetLinearVelocity(box2d.B2Vec2{Y: 20})
			if y.run(.5); b.GetPosition().Y < 8 {
				t.Errorf("%v N, %v m/s aside: shot up at 20 m/s it comes to %v m in half a second", force, aside, b.GetPosition().Y)
			}
		}
	}
}

// Two bodies meet head on. One of the steps is the step in which they are shot
// (dimforge/rapier issue 984).
func TestABulletPassesNoBodyThatMovesTowardsIt(t *testing.T) {
	for _, bullet := range []bool{true, false} {
		for _, speed := range []float64{20, 60, 110} {
			for _, steps := range []int{0, 3} {
				for k := range 20 {
					y, _ := space(t, 1)
					way := speed / 60
					gap := .21 + 2*way*(float64(steps)+float64(k)/20)
					a, b := y.disc(0, 0, .1, 1), y.disc(gap, 0, .1, 1)
					y.run(1. / 60)
					a.SetBullet(true)
					b.SetBullet(bullet)
					a.SetLinearVelocity(box2d.B2Vec2{X: speed})
					b.SetLinearVelocity(box2d.B2Vec2{X: -speed})
					for range 10 {
						if y.run(1. / 60); a.GetPosition().X > b.GetPosition().X {
							t.Errorf("both bullets %v, %v m/s, %.2f m apart: they are through each other", bullet, speed, gap)
							break
						}
					}
				}
			}
		}
	}
}
