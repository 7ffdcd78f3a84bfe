package walker

import (
	"math"
	"strings"
	"testing"

	"halfstep/test/norace"
	"halfstep/world"
	"halfstep/world/tiles"
)

const dt = 1. / 60

var steppers = []world.Stepper{world.FastStep, world.SoftStep}

// scene is a world with a figure in it.
type scene struct {
	*testing.T
	*world.Simulation
	w    *world.World
	hero *Walker
}

// each runs a test with every stepper. build makes the world before the figure is made.
func each(t *testing.T, def Def, build func(s *scene), test func(s *scene)) {
	for _, stepper := range steppers {
		t.Run(stepper.String(), func(t *testing.T) {
			sim := world.NewSimulation(world.Config{Stepper: stepper, Workers: 1})
			s := &scene{T: t, Simulation: sim, w: sim.World()}
			defer sim.Close()
			build(s)
			var err error
			s.hero, err = New(s.w, def)
			s.check(err)
			test(s)
		})
	}
}

func (s *scene) check(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *scene) body(d world.BodyDef) world.Body {
	s.Helper()
	b, err := s.w.CreateBody(d)
	s.check(err)
	return b
}

// box is a static box between two corners.
func (s *scene) box(low, high world.Vec) world.Body {
	half := high.Sub(low).Mul(.5)
	return s.body(world.BodyDef{Position: low.Add(half), Shapes: []world.ShapeDef{world.Box(half.X, half.Y)}})
}

func (s *scene) run(n int) {
	for range n {
		s.BeginFrame()
		s.Step(s.w.Tick()+1, dt)
		s.EndFrame()
	}
}

func (s *scene) info(b world.Body) world.BodyInfo {
	s.Helper()
	in, err := s.w.Body(b)
	s.check(err)
	return in
}

// feet is the place of the figure's feet after the step.
func (s *scene) feet() world.Vec { return s.info(s.hero.Body).Position }

func (s *scene) walks(way float64) { s.hero.Set(Input{Walk: way}) }

func near(a, b, most float64) bool { return math.Abs(a-b) <= most }

func TestAWalkerKeepsHeightAndSpeedOverAThousandTiles(t *testing.T) {
	norace.Only(t)
	each(t, Def{Position: world.Vec{X: 2, Y: 1.5}}, func(s *scene) {
		_, err := tiles.New(s.w, tiles.Def{Rows: []string{strings.Repeat("#", 1010)}})
		s.check(err)
	}, func(s *scene) {
		s.run(60)
		s.walks(1)
		s.run(1)
		from := s.feet()
		for s.feet().X < 1000 {
			last := s.feet()
			s.run(1)
			if at := s.feet(); !near(at.Y, 1, .001) || !near(at.X-last.X, 5*dt, .01*5*dt) || !s.hero.Stands {
				s.Fatalf("tick %d: from %v to %v", s.w.Tick(), last, at)
			}
		}
		if at, want := s.feet().X-from.X, 5*dt*float64(s.w.Tick()-61); !near(at, want, 1e-6) {
			s.Errorf("%v m, not %v", at, want)
		}
	})
}

// ramps returns the corners of a ground with slopes up and down, 6 m long each.
func ramps() (points []world.Vec, slopes []float64) {
	at := world.Vec{X: -5}
	points = append(points, at)
	for i := range 20 {
		at.X += 6
		points = append(points, at)
		angle := .04 * float64(i+1)
		if i%2 == 1 {
			angle = -angle
		}
		slopes = append(slopes, angle)
		at = at.Add(world.Vec{X: 6}.Rotate(angle))
		points = append(points, at)
	}
	return append(points, world.Vec{X: at.X + 10, Y: at.Y}), slopes
}

func TestAWalkerFollowsTwentySlopesUpAndDown(t *testing.T) {
	norace.Only(t)
	points, slopes := ramps()
	each(t, Def{Position: world.Vec{X: -3, Y: .2}}, func(s *scene) {
		s.body(world.BodyDef{Shapes: []world.ShapeDef{world.Chain(points...)}})
	}, func(s *scene) {
		s.run(30)
		s.walks(1)
		seen := 0
		for s.feet().X < points[len(points)-1].X-2 {
			last := s.feet()
			if s.run(1); s.w.Tick() > 9000 {
				s.Fatalf("stuck at %v", s.feet())
			}
			at := s.feet()
			for i, angle := range slopes {
				a, b := points[2*i+1], points[2*i+2]
				if last.X < a.X+.6 || at.X > b.X-.6 {
					continue
				}
				seen++
				// The centre of the lower circle is 0.3 m, its radius, away from the slope.
				want := a.Y + math.Tan(angle)*(at.X-a.X) + .3/math.Cos(angle) - .3
				if speed := at.Sub(last).Len() / dt; !near(at.Y, want, .001) || !near(speed, 5, .05) {
					s.Fatalf("on a slope of %v at %v: it should be at %v; speed %v", angle, at, want, speed)
				}
			}
		}
		if seen < 20*40 {
			s.Errorf("it was seen %d times on slopes", seen)
		}
	})
}

func TestAWalkerClimbsFiftyStepsAndComesDownAgain(t *testing.T) {
	const rise, tread = .3, .8
	height := func(x float64) float64 { // 25 up, 25 down
		n := math.Floor(x / tread)
		return rise * max(0, min(n, 50-n, 25))
	}
	each(t, Def{Position: world.Vec{X: -3, Y: .2}}, func(s *scene) {
		s.box(world.Vec{X: -5, Y: -1}, world.Vec{X: 60})
		for i := 1; i <= 25; i++ {
			s.box(world.Vec{X: tread * float64(i), Y: rise * float64(i-1)}, world.Vec{X: tread * float64(51-i), Y: rise * float64(i)})
		}
	}, func(s *scene) {
		s.run(30)
		s.walks(1)
		s.run(1)
		from, tick, seen := s.feet(), s.w.Tick(), 0
		for s.feet().X < 50*tread+2 {
			if s.run(1); s.w.Tick() > 2000 {
				s.Fatalf("stuck at %v", s.feet())
			}
			at := s.feet()
			if want := from.X + 5*dt*float64(s.w.Tick()-tick); !near(at.X, want, .01*(want-from.X)+.001) {
				s.Fatalf("tick %d: at %v, want %v", s.w.Tick(), at, want)
			}
			if part := math.Mod(at.X+8*tread, tread); part > .3 && part < tread-.3 { // wholly on a tread
				seen++
				if !near(at.Y, height(at.X), .001) {
					s.Fatalf("at %v the tread is at %v", at, height(at.X))
				}
			}
		}
		if seen < 50 {
			s.Errorf("%d ticks wholly on treads", seen)
		}
	})
}

func TestAWalkerRidesALiftThatMovesAndTurns(t *testing.T) {
	var lift world.Body
	each(t, Def{Position: world.Vec{X: 0, Y: .6}}, func(s *scene) {
		lift = s.body(world.BodyDef{Kind: world.Kinematic, Shapes: []world.ShapeDef{world.Box(6, .5)}})
		s.w.AddController(world.ControllerFunc(func(w *world.World, dt float64) {
			t := float64(w.Tick()) * dt
			_ = w.SetVelocity(lift, world.Vec{X: math.Sin(t), Y: 3 * math.Copysign(1, math.Sin(1.3*t+.1))})
			_ = w.SetAngularVelocity(lift, .9*math.Cos(1.7*t))
		}))
	}, func(s *scene) {
		s.run(5)
		for i := range 600 {
			way := math.Copysign(1, math.Sin(float64(i)/20))
			local := s.info(lift).LocalPoint(s.feet().Add(world.Vec{Y: .3}))
			s.walks(way)
			s.run(1)
			next := s.info(lift).LocalPoint(s.feet().Add(world.Vec{Y: .3})) // the lower circle's centre
			if !near(next.Y, .8, .001) || !near(next.X-local.X, way*5*dt, .01*5*dt) {
				s.Fatalf("tick %d: it is at %v on the lift, and was at %v", s.w.Tick(), next, local)
			}
		}
	})
}

func TestAWalkerStopsAtWallsAndAtSlopesThatAreTooSteep(t *testing.T) {
	norace.Only(t)
	for name, wall := range map[string]world.ShapeDef{
		"wall":           world.BoxAt(world.Vec{X: 4, Y: 2}, 1, 2, 0),
		"steep":          world.Polygon(world.Vec{X: 3}, world.Vec{X: 6}, world.Vec{X: 6, Y: 5}), // 59°
		"high step":      world.BoxAt(world.Vec{X: 4, Y: .2}, 1, .2, 0),
		"low ceiling":    world.BoxAt(world.Vec{X: 4, Y: 2.5}, 1, 1, 0),
		"leaning wall":   world.Polygon(world.Vec{X: 3.6}, world.Vec{X: 6}, world.Vec{X: 6, Y: 5}, world.Vec{X: 2, Y: 5}),
		"step to a wall": world.BoxAt(world.Vec{X: 4, Y: 1.9}, 1, 1.5, 0),
	} {
		each(t, Def{Position: world.Vec{Y: .01}}, func(s *scene) {
			s.box(world.Vec{X: -9, Y: -1}, world.Vec{X: 9})
			s.body(world.BodyDef{Shapes: []world.ShapeDef{wall}})
		}, func(s *scene) {
			s.run(5)
			s.walks(1)
			s.run(200)
			if at := s.feet(); at.X < 2 || at.X > 3 || at.Y > .25 || at.Y < -1e-6 || len(s.hero.Met) == 0 || !s.hero.Stands {
				s.Errorf("%s: at %v, it met %v", name, at, s.hero.Met)
			}
		})
	}
}

func TestAWalkerStandsOnASlopeItCanClimbAndSlidesDownOthers(t *testing.T) {
	for angle, stays := range map[float64]bool{.4: true, .85: true, .9: false, 1.2: false} {
		each(t, Def{Position: world.Vec{Y: .4}}, func(s *scene) {
			s.body(world.BodyDef{Shapes: []world.ShapeDef{world.Chain(world.Vec{X: -40}.Rotate(angle), world.Vec{X: 40}.Rotate(angle))}})
		}, func(s *scene) {
			s.run(40)
			from := s.feet()
			s.run(30)
			if moved := s.feet().Sub(from).Len(); (moved == 0) != stays || s.hero.Stands != stays || !stays && moved < 1 {
				s.Errorf("on %v rad it moved by %v m; stands: %v", angle, moved, s.hero.Stands)
			}
		})
	}
}

func TestAJumpIsAsHighAsItsSpeedSaysAndCountsShortlyAfterAnEdge(t *testing.T) {
	each(t, Def{Position: world.Vec{X: -2}}, func(s *scene) {
		s.box(world.Vec{X: -9, Y: -1}, world.Vec{})
	}, func(s *scene) {
		s.run(5)
		s.hero.Set(Input{Jump: true})
		high := 0.0
		for range 120 {
			s.run(1)
			high = max(high, s.feet().Y)
		}
		if want := 7 * 7 / 20.; !near(high, want, 7*dt) || !s.hero.Stands || s.feet().Y != 0 && !near(s.feet().Y, 0, 1e-6) {
			s.Errorf("%v m high, want %v; then %v", high, want, s.feet())
		}
		s.walks(1)
		for s.hero.Stands {
			s.run(1)
		}
		s.run(3)
		s.hero.Set(Input{Walk: 1, Jump: true})
		s.run(1)
		if v := s.info(s.hero.Body).Velocity; v.Y < 6 {
			s.Errorf("4 steps after the edge it jumps with %v", v)
		}
		s.run(20)
		s.hero.Set(Input{Walk: 1, Jump: true})
		if s.run(1); s.hero.Velocity.Y > 6.9-20*10*dt {
			s.Errorf("it jumps in the air: %v", s.hero.Velocity)
		}
	})
}

func TestAWalkerPassesOneWayShapesFromBelowAndDropsThrough(t *testing.T) {
	each(t, Def{Settings: Settings{Jump: 8}}, func(s *scene) {
		s.box(world.Vec{X: -9, Y: -1}, world.Vec{X: 9})
		for x := -3.; x <= 3; x++ { // planks that abut
			plank := world.BoxAt(world.Vec{X: x, Y: 2.5}, .5, .1, 0)
			plank.OneWay = world.Vec{Y: 1}
			s.body(world.BodyDef{Shapes: []world.ShapeDef{plank}})
		}
	}, func(s *scene) {
		s.run(5)
		s.hero.Set(Input{Jump: true})
		s.run(90)
		if at := s.feet(); !near(at.Y, 2.6, 1e-6) || !s.hero.Stands {
			s.Fatalf("it did not jump onto the planks: %v", at)
		}
		s.walks(1)
		for s.feet().X < 2 {
			if s.run(1); !near(s.feet().Y, 2.6, 1e-6) {
				s.Fatalf("on the planks: %v", s.feet())
			}
		}
		s.hero.Set(Input{Drop: true})
		s.run(80)
		if at := s.feet(); !near(at.Y, 0, 1e-6) || s.hero.Dropping {
			s.Errorf("it did not drop through: %v", at)
		}
	})
}

func TestAWalkerPushesWithItsForceAndBearsDownWithItsWeight(t *testing.T) {
	each(t, Def{Settings: Settings{Push: 30}}, func(s *scene) {
		s.box(world.Vec{X: -9, Y: -1}, world.Vec{X: 30})
		crate := world.Box(.5, .5)
		crate.Friction, crate.Density = 0, 20
		s.body(world.BodyDef{Name: "crate", Kind: world.Dynamic, Position: world.Vec{X: 1.5, Y: .51}, Shapes: []world.ShapeDef{crate}})
		// A raft hangs on a spring. The weight of the figure lowers the raft by m·g/k.
		deck := world.Box(1, .1)
		deck.Density = 500
		raft := s.body(world.BodyDef{Name: "raft", Kind: world.Dynamic, Position: world.Vec{X: -3, Y: .6}, FixedRotation: true, Shapes: []world.ShapeDef{deck}})
		s.w.AddController(world.ControllerFunc(func(w *world.World, dt float64) {
			in, _ := w.Body(raft)
			_ = w.Force(raft, world.Vec{Y: 10*in.Mass - 7000*(in.Position.Y-.6) - 2000*in.Velocity.Y})
		}))
	}, func(s *scene) {
		crate, _ := s.w.Find("crate")
		s.run(30)
		s.walks(1)
		for s.info(crate).Velocity.X == 0 {
			if s.run(1); s.w.Tick() > 100 {
				s.Fatalf("nothing is pushed: it is at %v", s.feet())
			}
		}
		v, n := s.info(crate).Velocity.X, 60
		s.run(n)
		if a := (s.info(crate).Velocity.X - v) / (float64(n) * dt); !near(a, 30/20., .03) {
			s.Errorf("30 N on 20 kg: %v m/s²", a)
		}
		raft, _ := s.w.Find("raft")
		s.check(s.w.Teleport(s.hero.Body, world.Vec{X: -3, Y: .9}, 0))
		s.walks(0)
		s.run(200)
		if y := s.info(raft).Position.Y; !near(y, .6-70*10/7000., .003) || s.hero.Ground.Body != raft || !near(s.feet().Y, y+.1, .003) {
			s.Errorf("the raft is at %v, the figure at %v", y, s.feet())
		}
	})
}

func TestBodiesLandOnAWalkerAndSensorsTellOfIt(t *testing.T) {
	for _, ghost := range []bool{false, true} {
		each(t, Def{Name: "hero", Ghost: ghost}, func(s *scene) {
			s.box(world.Vec{X: -9, Y: -1}, world.Vec{X: 9})
			s.body(world.BodyDef{Name: "stone", Kind: world.Dynamic, Position: world.Vec{Y: 4}, Shapes: []world.ShapeDef{world.Box(.5, .1)}})
			coin := world.CircleAt(3, .5, .2)
			coin.Sensor = true
			s.body(world.BodyDef{Name: "coin", Shapes: []world.ShapeDef{coin}})
		}, func(s *scene) {
			stone, _ := s.w.Find("stone")
			got := ""
			s.w.AddContactHook(func(w *world.World, events []world.Event) {
				for _, e := range events {
					if e.Kind == world.SensorBegin && e.NameA == "coin" && e.B == s.hero.Body {
						got += "coin"
					}
				}
			})
			s.run(120)
			if y := s.info(stone).Position.Y; ghost != (y < .2) || s.feet().Y > .22 {
				s.Errorf("ghost %v: the stone is at %v, the figure at %v", ghost, y, s.feet())
			}
			s.walks(1)
			s.run(60)
			if got != "coin" {
				s.Errorf("the coin says %q", got)
			}
		})
	}
}

func TestAWallThatComesPushesAWalkerAlong(t *testing.T) {
	each(t, Def{}, func(s *scene) {
		s.box(world.Vec{X: -9, Y: -1}, world.Vec{X: 9})
		s.body(world.BodyDef{Kind: world.Kinematic, Position: world.Vec{X: -2, Y: 1.1}, Velocity: world.Vec{X: 2}, Shapes: []world.ShapeDef{world.Box(.5, 1)}})
	}, func(s *scene) {
		s.run(180)
		if at := s.feet(); !near(at.X, -2+.5+.3+2*180*dt, 3*dt) || !near(at.Y, 0, 1e-6) {
			s.Errorf("%v", at)
		}
	})
}

func TestAWalkerGoesBackWithItsWorld(t *testing.T) {
	each(t, Def{}, func(s *scene) {
		s.box(world.Vec{X: -9, Y: -1}, world.Vec{X: 9})
	}, func(s *scene) {
		s.hero.Set(Input{Walk: .7, Jump: true})
		s.run(20)
		var shot world.Snapshot
		s.check(s.w.Snapshot(&shot))
		s.run(50)
		want, hash := s.feet(), s.w.StateHash()
		s.hero.Set(Input{Walk: -1})
		s.run(40)
		s.check(s.w.Restore(&shot))
		s.run(50)
		if got := s.feet(); got != want || s.w.StateHash() != hash {
			s.Errorf("%v, at first %v", got, want)
		}
	})
}

func TestBadFiguresAndInputsAreRefused(t *testing.T) {
	w := world.NewSimulation(world.Config{}).World()
	nan := math.NaN()
	for _, d := range []Def{{Radius: -1}, {Radius: nan}, {Height: .5, Radius: .4}, {Height: math.Inf(1)}, {Position: world.Vec{X: nan}}} {
		if _, err := New(w, d); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v", d, err)
		}
	}
	h, err := New(w, Def{Settings: Settings{Speed: nan, Jump: math.Inf(1), MaxSlope: 99, StepHeight: -1, Push: nan}})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]float64{nil, {1}, {nan, 0, 0}, {math.Inf(1), 1, 1}, {1, 2, 3, 4}} {
		h.obey(w, args)
		h.BeforeStep(w, dt)
	}
	h.BeforeStep(w, nan)
	if h.Position != h.Position || h.Input.Walk != 1 {
		t.Errorf("%+v", h.State)
	}
	if err := w.DestroyBody(h.Body); err != nil {
		t.Fatal(err)
	}
	h.BeforeStep(w, dt)
	if err := h.UnmarshalBinary([]byte{1, 2}); err == nil {
		t.Error("two bytes are a state")
	}
}

func TestAWalkersStepAllocatesNothing(t *testing.T) {
	norace.Only(t)
	each(t, Def{}, func(s *scene) {
		s.box(world.Vec{X: -9, Y: -1}, world.Vec{X: 9})
		s.box(world.Vec{X: 2}, world.Vec{X: 3, Y: .3})
	}, func(s *scene) {
		s.run(5)
		s.walks(1)
		if n := testing.AllocsPerRun(100, func() { s.hero.BeforeStep(s.w, dt) }); n > 0 {
			s.Errorf("%v allocations", n)
		}
	})
}

func TestAWalkerCrossesGapsBetweenOneWayShapesAndStepsOntoThem(t *testing.T) {
	each(t, Def{Position: world.Vec{X: -3}}, func(s *scene) {
		s.box(world.Vec{X: -9, Y: -1}, world.Vec{X: 30})
		for i := range 10 { // planks 0.2 m apart; the last five are higher
			plank := world.BoxAt(world.Vec{X: 1.2 * float64(i), Y: 1.5 + .2*float64(i/5)}, .5, .1, 0)
			plank.OneWay = world.Vec{Y: 1}
			s.body(world.BodyDef{Shapes: []world.ShapeDef{plank}})
		}
	}, func(s *scene) {
		s.check(s.w.Teleport(s.hero.Body, world.Vec{Y: 1.7}, 0))
		s.run(30)
		s.walks(1)
		for s.feet().X < 1.2*9 {
			if s.run(1); s.feet().Y < 1.57 || s.w.Tick() > 300 {
				s.Fatalf("it is at %v", s.feet())
			}
		}
		if at := s.feet(); !near(at.Y, 1.8, 1e-6) {
			s.Errorf("in the end at %v", at)
		}
	})
}

func floor(s *scene) { s.box(world.Vec{X: -50, Y: -1}, world.Vec{X: 50}) }

func TestACrateIsTakenAlongAtTheFiguresPace(t *testing.T) {
	for _, density := range []float64{.2, 1, 5, 20, 60} {
		for _, walk := range []float64{1, -.5} {
			var crate world.Body
			each(t, Def{}, func(s *scene) {
				floor(s)
				d := world.Box(.4, .4)
				d.Density = density
				crate = s.body(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: math.Copysign(2, walk), Y: .4}, Shapes: []world.ShapeDef{d}})
			}, func(s *scene) {
				pace := defaults.Speed * math.Abs(walk)
				fastest, spin := 0., 0.
				for tick := range uint64(150) {
					s.hero.Set(Input{Walk: walk})
					s.Step(tick+1, dt)
					b, err := s.w.Body(crate)
					s.check(err)
					fastest, spin = max(fastest, math.Abs(b.Velocity.X)), max(spin, math.Abs(b.AngularVelocity))
				}
				if fastest > 1.1*pace || fastest < .4*pace || spin > .5 {
					s.Errorf("density %v, walking at %v m/s: the crate goes at %v m/s and turns at %v rad/s", density, pace, fastest, spin)
				}
			})
		}
	}
}

func TestAWallThatMovesAgainstAFigureDoesNotLieInIt(t *testing.T) {
	for _, speed := range []float64{1, 8, -8} {
		for _, walk := range []float64{-1, 0, 1} {
			var wall world.Body
			each(t, Def{}, func(s *scene) {
				floor(s)
				wall = s.body(world.BodyDef{
					Kind: world.Kinematic, Position: world.Vec{X: math.Copysign(3, speed), Y: 1.1}, Velocity: world.Vec{X: -speed},
					Shapes: []world.ShapeDef{world.Box(.5, 1)},
				})
			}, func(s *scene) {
				for tick := range uint64(200) {
					s.hero.Set(Input{Walk: walk})
					s.Step(tick+1, dt)
					b, err := s.w.Body(wall)
					s.check(err)
					in, err := s.w.Body(s.hero.Body)
					s.check(err)
					side := math.Copysign(1, speed)
					if deep := .8 - side*(b.Position.X-in.Position.X); deep > .005 {
						s.Fatalf("tick %d: a wall at %v m/s lies %v m in a figure that walks %v", tick, speed, deep, walk)
					}
				}
			})
		}
	}
}

// touched returns the events of a figure that walks to the right for two seconds, as
// text.
func touched(t *testing.T, build func(s *scene)) (all []string) {
	each(t, Def{Name: "hero", Position: world.Vec{Y: .01}}, func(s *scene) {
		floor(s)
		build(s)
	}, func(s *scene) {
		s.w.AddContactHook(func(_ *world.World, events []world.Event) {
			for _, e := range events {
				if e.A == s.hero.Body || e.B == s.hero.Body || s.hero.Is(e.A) && s.hero.Is(e.B) {
					all = append(all, e.String())
				}
			}
		})
		for tick := range uint64(120) {
			s.hero.Set(Input{Walk: 1})
			s.Step(tick+1, dt)
		}
	})
	return all
}

func TestTheSensorOfACoinOfAnyKindTellsOnceOfTheFigure(t *testing.T) {
	for _, kind := range []world.BodyKind{world.Static, world.Kinematic, world.Dynamic} {
		events := touched(t, func(s *scene) {
			coin := world.Circle(.3)
			coin.Sensor = true
			s.body(world.BodyDef{Name: "coin", Kind: kind, NoGravity: true, Position: world.Vec{X: 3, Y: .6}, Shapes: []world.ShapeDef{coin}})
		})
		n := 0
		for _, e := range events {
			if strings.HasSuffix(e, `"hero" entered a sensor of "coin"`) {
				n++
			}
			if strings.Contains(e, `"hero" entered a sensor of "hero"`) {
				t.Errorf("%v: %s", kind, e)
			}
		}
		if n != len(steppers) {
			t.Errorf("%v: the coin tells %d times of the figure, with %d steppers: %v", kind, n, len(steppers), events)
		}
	}
}
