package world

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/test/norace"
	"halfstep/test/whole"
)

// withRound runs a test with each stepper that has capsules.
func withRound(t *testing.T, test func(t *testing.T, r *rig)) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		t.Run(stepper.String(), func(t *testing.T) {
			r := newRig(t, Config{Stepper: stepper, Workers: 1})
			defer r.Close()
			test(t, r)
		})
	}
}

// gapOf is the range of the gap, m, at which shapes of these kinds come to rest. With
// FastStep, shapes that are not round have a skin, and sink in a little.
func gapOf(r *rig, skins int) (low, high float64) {
	if r.soft != nil {
		return -.006, .001
	}
	return .01*float64(skins) - .006, .01*float64(skins) + .001
}

func TestACapsuleRestsAtItsHeightOnEveryKindOfShape(t *testing.T) {
	withRound(t, func(t *testing.T, r *rig) {
		round := Box(1, .4)
		round.Radius = .1
		grounds := []struct {
			name  string
			shape ShapeDef
			top   float64
			skins int
		}{
			{"box", Box(2, .5), .5, 1}, {"edge", Edge(Vec{X: -2, Y: 0}, Vec{X: 2, Y: 0}), 0, 1},
			{"edge with neighbours", withGhosts(Edge(Vec{X: -2, Y: 0}, Vec{X: 2, Y: 0})), 0, 1},
			{"chain", Chain(Vec{X: 2, Y: 0}, Vec{X: .3, Y: 0}, Vec{X: -.2, Y: 0}, Vec{X: -2, Y: 0}), 0, 1}, {"capsule", Capsule(Vec{X: -2, Y: 0}, Vec{X: 2, Y: 0}, .5), .5, 0},
			{"round box", round, .5, 0}, {"circle", CircleAt(0, -20, 20), 0, 0},
		}
		round.Radius = .2 // 0.6 m high in all, with half the height of the box 0.4 m
		tops := []struct {
			name  string
			shape ShapeDef
			half  float64
		}{{"capsule", Capsule(Vec{X: -.5, Y: 0}, Vec{X: .5, Y: 0}, .3), .3}, {"round box", round, .6}, {"standing capsule", Capsule(Vec{X: 0, Y: -.5}, Vec{X: 0, Y: .5}, .3), .8}}
		type rests struct {
			name      string
			b         Body
			low, high float64
		}
		var all []rests
		for i, g := range grounds {
			for k, top := range tops {
				at := Vec{X: 10 * float64(i), Y: 100 * float64(k)}
				r.body(BodyDef{Position: at, Shapes: []ShapeDef{g.shape}})
				b := r.body(BodyDef{Kind: Dynamic, FixedRotation: top.half > .7, Position: Vec{X: at.X, Y: at.Y + g.top + top.half + .1}, Shapes: []ShapeDef{top.shape}})
				low, high := gapOf(r, g.skins)
				all = append(all, rests{top.name + " on " + g.name, b, at.Y + g.top + top.half + low, at.Y + g.top + top.half + high})
			}
		}
		for _, other := range []struct {
			name  string
			shape ShapeDef
			half  float64
			skins int
		}{{"box", Box(.3, .3), .3, 1}, {"circle", Circle(.3), .3, 0}} {
			at := Vec{X: -10 - 10*all[0].high, Y: 100 * float64(len(all))}
			r.body(BodyDef{Position: at, Shapes: []ShapeDef{Capsule(Vec{X: -2, Y: 0}, Vec{X: 2, Y: 0}, .5)}})
			b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: at.X, Y: at.Y + .9}, Shapes: []ShapeDef{other.shape}})
			low, high := gapOf(r, other.skins)
			all = append(all, rests{other.name + " on capsule", b, at.Y + .8 + low, at.Y + .8 + high})
		}
		r.start()
		r.run(180)
		for _, a := range all {
			if y := r.info(a.b).Position.Y; !(y >= a.low && y <= a.high) {
				t.Errorf("%s rests at %.4f, right is %.4f to %.4f", a.name, y, a.low, a.high)
			}
			if in := r.info(a.b); in.Awake {
				t.Errorf("%s does not sleep: %v", a.name, in.Velocity)
			}
		}
	})
}

func withGhosts(d ShapeDef) ShapeDef {
	d.Before, d.After = &Vec{X: -3, Y: 1}, &Vec{X: 3, Y: 1}
	return d
}

func TestACapsuleMovesAsTwoCirclesAndABoxOnOneBodyDo(t *testing.T) {
	withRound(t, func(t *testing.T, r *rig) {
		const half, radius = .5, .25
		compound := []ShapeDef{Box(half, radius-.02), CircleAt(-half, 0, radius), CircleAt(half, 0, radius)}
		capsule := []ShapeDef{Capsule(Vec{X: -half, Y: 0}, Vec{X: half, Y: 0}, radius)}
		type pair struct {
			name string
			of   [2]Body
		}
		var pairs []pair
		for i, start := range []struct {
			name  string
			slope float64
			BodyDef
		}{
			{"falls flat", 0, BodyDef{Position: Vec{X: 0, Y: 2}}},
			{"falls on its end", 0, BodyDef{Position: Vec{X: 0, Y: 2}, Angle: 1.3}},
			{"slides", 0, BodyDef{Position: Vec{X: 0, Y: .27}, Velocity: Vec{X: 5, Y: 0}}},
			{"slides down", -.4, BodyDef{Position: Vec{X: 0, Y: .3}, Angle: -.38}},
			{"tumbles", 0, BodyDef{Position: Vec{X: 0, Y: 1}, AngularVelocity: 4, Velocity: Vec{X: 2, Y: 1}}},
		} {
			p := pair{name: start.name}
			for k, shapes := range [...][]ShapeDef{capsule, compound} {
				shift := Vec{X: 200 * float64(k), Y: 50 * float64(i)}
				r.body(BodyDef{Position: shift, Angle: start.slope, Shapes: []ShapeDef{Edge(Vec{X: -60, Y: 0}, Vec{X: 60, Y: 0})}})
				d := start.BodyDef
				d.Kind, d.Position, d.Shapes = Dynamic, d.Position.Add(shift), shapes
				// The parts of the compound overlap, so its definition gives the mass.
				area := math.Pi*radius*radius + 4*half*radius
				d.Mass = &Mass{Mass: area, Inertia: area * .16}
				p.of[k] = r.body(d)
			}
			pairs = append(pairs, p)
		}
		r.start()
		for tick := range 90 {
			r.run(1)
			for _, p := range pairs {
				a, b := r.info(p.of[0]), r.info(p.of[1])
				b.Position.X -= 200
				// One body may land a step before the other.
				if !nearVec(a.Position, b.Position, .05) || tick > 60 && !nearVec(a.Velocity, b.Velocity, .1) {
					t.Fatalf("%s, tick %d: at %v with %v, and the compound at %v with %v", p.name, tick, a.Position, a.Velocity, b.Position, b.Velocity)
				}
			}
		}
	})
}

// heap is a world with a thousand bodies above a pit, turned at random.
func heap(t testing.TB, cfg Config, shape ShapeDef) *rig {
	cfg.Workers = 1
	r := newRig(t, cfg)
	r.body(BodyDef{Shapes: []ShapeDef{BoxAt(Vec{X: 0, Y: -1}, 40, 1, 0), BoxAt(Vec{X: -12, Y: 20}, 1, 21, 0), BoxAt(Vec{X: 12, Y: 20}, 1, 21, 0)}})
	p := rand.New(rand.NewPCG(1, 2))
	shape.Friction = .5
	for i := range 1000 {
		at := Vec{X: float64(i%16)*1.3 - 10, Y: 1 + float64(i/16)*.9}
		r.body(BodyDef{Kind: Dynamic, Angle: p.Float64() * 3, Position: at, Shapes: []ShapeDef{shape}})
	}
	return r
}

// BenchmarkHeap times a step of each kind of heap in turn, so that all kinds suffer from the
// same disturbances.
func BenchmarkHeap(b *testing.B) {
	round := Box(.4, .1)
	round.Radius = .1
	shapes := map[string]ShapeDef{"boxes": Box(.5, .2), "capsules": Capsule(Vec{X: -.3, Y: 0}, Vec{X: .3, Y: 0}, .2), "round": round}
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		b.Run(stepper.String(), func(b *testing.B) {
			rigs, spent := map[string]*rig{}, map[string]time.Duration{}
			for name, shape := range shapes {
				r := heap(b, Config{Stepper: stepper, NoSleep: true}, shape)
				defer r.Close()
				for r.tick < 300 {
					r.tick++
					r.Step(r.tick, dt)
				}
				rigs[name] = r
			}
			for b.Loop() {
				for name, r := range rigs {
					r.tick++
					from := time.Now()
					r.Step(r.tick, dt)
					spent[name] += time.Since(from)
				}
			}
			for name := range shapes {
				b.ReportMetric(float64(spent[name])/float64(spent["boxes"]), name+"/boxes")
			}
		})
	}
}

// maxOverlap is the depth, m, of the deepest overlap of touching shapes at the beginning of
// the last step. With the fast step the skins of polygons count.
func (r *rig) maxOverlap() (deepest float64) {
	if r.soft != nil {
		return r.soft.MaxOverlap()
	}
	for c := range r.World.box.EachContact() {
		if c.IsSolid() {
			for _, separation := range r.contacts.placed(c).Separations[:c.Points()] {
				deepest = max(deepest, -separation)
			}
		}
	}
	return deepest
}

// With the fast step, which has the library's results, a heap of boxes does not fall asleep in
// 100 s.
func TestAHeapOfAThousandCapsulesSleepsAndOverlapsNoMoreThanBoxes(t *testing.T) {
	norace.Only(t)
	for stepper, rests := range map[Stepper]uint64{FastStep: 2400, SoftStep: 600} {
		if stepper == FastStep && !whole.Asked() {
			continue
		}
		overlap := map[string]float64{}
		for name, shape := range map[string]ShapeDef{"boxes": Box(.5, .2), "capsules": Capsule(Vec{X: -.3, Y: 0}, Vec{X: .3, Y: 0}, .2)} {
			r := heap(t, Config{Stepper: stepper}, shape)
			r.start()
			awake := func() bool {
				for b := range r.Bodies() {
					if in := r.info(b); in.Kind == Dynamic && in.Awake {
						return true
					}
				}
				return false
			}
			sleeps := name == "capsules" || stepper == SoftStep
			for r.tick < 300 || sleeps && r.tick < rests && awake() {
				r.tick++
				r.Step(r.tick, dt)
				if r.tick > 240 { // all have fallen
					overlap[name] = max(overlap[name], r.maxOverlap())
				}
			}
			if sleeps && awake() {
				t.Errorf("%v: %s are awake after %d steps", stepper, name, r.tick)
			}
			t.Logf("%v: %d steps of %s, which overlap by %.3f m at most", stepper, r.tick, name, overlap[name])
			r.Close()
		}
		if overlap["capsules"] > overlap["boxes"] || overlap["capsules"] == 0 {
			t.Errorf("%v: capsules overlap by %v m, boxes by %v m", stepper, overlap["capsules"], overlap["boxes"])
		}
	}
}

func TestAStackOfCapsulesOfOneLengthStandsAndSleeps(t *testing.T) {
	withRound(t, func(t *testing.T, r *rig) {
		r.ground()
		var stack []Body
		for i := range 6 {
			stack = append(stack, r.body(BodyDef{Kind: Dynamic, FixedRotation: true, LinearDamping: .1,
				Position: Vec{X: 0, Y: .2 + .41*float64(i)}, Shapes: []ShapeDef{Capsule(Vec{X: -.5, Y: 0}, Vec{X: .5, Y: 0}, .2)}}))
		}
		r.start()
		r.run(300)
		for i, b := range stack {
			if in := r.info(b); in.Awake || !near(in.Position.Y, .2+.4*float64(i), .03) {
				t.Errorf("capsule %d: awake %v at %v", i, in.Awake, in.Position)
			}
		}
	})
}

func TestAFastCapsuleGoesThroughNoWallWhicheverWayItLies(t *testing.T) {
	withRound(t, func(t *testing.T, r *rig) {
		thin := map[string]ShapeDef{
			"edge": Edge(Vec{X: 0, Y: -5}, Vec{X: 0, Y: 5}), "box": Box(.02, 5), "chain": Chain(Vec{X: 0, Y: -5}, Vec{X: 0, Y: .1}, Vec{X: 0, Y: 5}),
			"capsule": Capsule(Vec{X: 0, Y: -5}, Vec{X: 0, Y: 5}, .02),
		}
		type shot struct {
			name string
			b    Body
			wall float64
		}
		var shots []shot
		y := 0.0
		for name, wall := range thin {
			for _, angle := range []float64{0, math.Pi / 2, 1} {
				for _, spin := range []float64{0, 30} {
					r.body(BodyDef{Position: Vec{X: 0, Y: y}, Shapes: []ShapeDef{wall}})
					b := r.body(BodyDef{Kind: Dynamic, NoGravity: true, Position: Vec{X: -3, Y: y}, Angle: angle, AngularVelocity: spin,
						Velocity: Vec{X: 110, Y: 0}, Shapes: []ShapeDef{Capsule(Vec{X: -.1, Y: 0}, Vec{X: .1, Y: 0}, .1)}})
					shots = append(shots, shot{fmt.Sprintf("%s, angle %v, spin %v", name, angle, spin), b, 0})
					y += 20
				}
			}
		}
		// The body passes a corner of a box at a distance of 1 cm, because its own corners are
		// round.
		r.body(BodyDef{Position: Vec{X: 0, Y: -20}, Shapes: []ShapeDef{Box(.5, .5)}})
		passes := r.body(BodyDef{Kind: Dynamic, NoGravity: true, Position: Vec{X: -6, Y: -20 + 1 + .21*math.Sqrt2 + 6}, Velocity: Vec{X: 60, Y: -60},
			Shapes: []ShapeDef{Capsule(Vec{X: -.1, Y: .1}, Vec{X: .1, Y: -.1}, .2)}})
		r.start()
		r.run(20)
		for _, s := range shots {
			if x := r.info(s.b).Position.X; x > 0 {
				t.Errorf("%s: it is at %v", s.name, x)
			}
		}
		if in := r.info(passes); math.Abs(in.Velocity.X-60) > .05 || math.Abs(in.AngularVelocity) > .05 {
			t.Errorf("what passes a corner is deflected: %v, %v rad/s", in.Velocity, in.AngularVelocity)
		}
	})
}

func TestACapsuleSlidesOverTheInnerCornersOfAChain(t *testing.T) {
	withRound(t, func(t *testing.T, r *rig) {
		var points []Vec
		for i := range 40 {
			points = append(points, Vec{X: 40 - float64(i)*2, Y: 0})
		}
		line := Chain(points...)
		line.Friction = 0
		r.body(BodyDef{Shapes: []ShapeDef{line}})
		lies, stands := Capsule(Vec{X: -.5, Y: 0}, Vec{X: .5, Y: 0}, .25), Capsule(Vec{X: 0, Y: -.5}, Vec{X: 0, Y: .5}, .25)
		lies.Friction, stands.Friction = 0, 0
		bodies := []Body{
			r.body(BodyDef{Kind: Dynamic, Position: Vec{X: -30, Y: .26}, Velocity: Vec{X: 8, Y: 0}, Shapes: []ShapeDef{lies}}),
			r.body(BodyDef{Kind: Dynamic, FixedRotation: true, Position: Vec{X: -20, Y: .76}, Velocity: Vec{X: 8, Y: 0}, Shapes: []ShapeDef{stands}}),
		}
		r.start()
		r.run(30) // they land
		for range 210 {
			r.run(1)
			for i, b := range bodies {
				if in := r.info(b); math.Abs(in.Velocity.X-8) > .005 || math.Abs(in.AngularVelocity) > .05 {
					t.Fatalf("capsule %d at %v: %v, %v rad/s", i, in.Position, in.Velocity, in.AngularVelocity)
				}
			}
		}
	})
}

func TestASensorHearsOfACapsuleWhileItIsInIt(t *testing.T) {
	withRound(t, func(t *testing.T, r *rig) {
		zone := Box(1, 1)
		zone.Sensor = true
		r.body(BodyDef{Shapes: []ShapeDef{zone}})
		// The body passes above one corner: its box overlaps the sensor's box, but the body does not
		// touch the sensor.
		r.body(BodyDef{Kind: Dynamic, NoGravity: true, Position: Vec{X: -4, Y: 1.6}, Velocity: Vec{X: 6, Y: 0}, Shapes: []ShapeDef{Capsule(Vec{X: -.5, Y: 0}, Vec{X: .5, Y: 0}, .5)}})
		r.body(BodyDef{Kind: Dynamic, NoGravity: true, Position: Vec{X: -4, Y: 0}, Velocity: Vec{X: 6, Y: 0}, Shapes: []ShapeDef{Capsule(Vec{X: -.5, Y: 0}, Vec{X: .5, Y: 0}, .25)}})
		r.start()
		begun, ended := 0, 0
		for range 120 {
			r.run(1)
			for _, e := range r.events() {
				switch e.Kind {
				case SensorBegin:
					begun++
				case SensorEnd:
					ended++
				}
			}
		}
		if begun != 1 || ended != 1 {
			t.Errorf("%d began and %d ended", begun, ended)
		}
	})
}

// A capsule that rolls without slipping turns about the end on which it stands. When it lies
// flat, it begins to turn about its other end. Its angular momentum about that end stays the
// same, so it loses a part of its speed. Between these moments it exchanges height and
// speed.
func TestACapsuleRollsOverItsRoundEndsAsEnergyAndMomentumSay(t *testing.T) {
	const radius, g = .5, 10
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		for _, half := range []float64{.02, .05} {
			r := newRig(t, Config{Stepper: stepper, Workers: 1, NoSleep: true})
			floor, shape := Edge(Vec{X: -100, Y: 0}, Vec{X: 100, Y: 0}), Capsule(Vec{X: -half, Y: 0}, Vec{X: half, Y: 0}, radius)
			floor.Friction, shape.Friction = .9, .9
			r.body(BodyDef{Shapes: []ShapeDef{floor}})
			const spin = 8.0
			b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: -90, Y: half + radius}, Angle: math.Pi / 2, AngularVelocity: -spin,
				Velocity: Vec{X: spin * (half + radius)}, Shapes: []ShapeDef{shape}})
			r.start()
			in := r.info(b)
			lying := in.Inertia/in.Mass + radius*radius + half*half
			stands := in.Inertia/in.Mass + (radius+half)*(radius+half)
			part := (lying - 2*half*half) / lying
			square := spin * spin
			for turn := 1; turn <= 8; turn++ {
				last := in
				for in = r.info(b); in.Angle > math.Pi/2-math.Pi*float64(turn); in = r.info(b) {
					if last = in; r.tick > 600 {
						t.Fatalf("%v, %v: it lies at %+v", stepper, half, in)
					}
					r.run(1)
				}
				low := (square*stands + 2*g*half) / lying
				square = (low*part*part*lying - 2*g*half) / stands
				x := (last.Angle - (math.Pi/2 - math.Pi*float64(turn))) / (last.Angle - in.Angle)
				got := -(last.AngularVelocity*(1-x) + in.AngularVelocity*x)
				if want := math.Sqrt(square); !near(got, want, .02*want) {
					t.Errorf("%v, half a length of %v m, after %d half turns: %v rad/s, want %v", stepper, half, turn, got, want)
				}
			}
			r.Close()
		}
	}
}

func TestAShortCapsuleRollsDownASlopeAsABallDoes(t *testing.T) {
	withRound(t, func(t *testing.T, r *rig) {
		const shortest = .0026
		if _, err := r.CreateBody(BodyDef{Shapes: []ShapeDef{Capsule(Vec{}, Vec{X: .0024, Y: 0}, .5)}}); !oneLine(err) {
			t.Errorf("a capsule of 2.4 mm: %v", err)
		}
		const slope = .2
		floor := Edge(Vec{X: -100, Y: 100 * slope}, Vec{X: 100, Y: -100 * slope})
		floor.Friction = .9
		r.body(BodyDef{Shapes: []ShapeDef{floor}})
		at := Vec{X: slope, Y: 1}.Unit().Mul(.51)
		var all []Body
		for _, s := range []ShapeDef{Circle(.5), Capsule(Vec{X: -shortest / 2, Y: 0}, Vec{X: shortest / 2, Y: 0}, .5)} {
			s.Friction, s.Filter.Group = .9, -1
			all = append(all, r.body(BodyDef{Kind: Dynamic, Position: at, Shapes: []ShapeDef{s}}))
		}
		r.start()
		r.run(180)
		cos := 1 / math.Hypot(1, slope)
		way := 10 * slope * cos / 1.5 * 3 * 3 / 2
		for i, b := range all {
			in := r.info(b)
			if gone := in.Position.Sub(at).Len(); !near(gone, way, .01*way) || !near(in.Angle*-.5, way, .01*way) {
				t.Errorf("body %d: it went %v m and turned by %v rad, want %v m", i, gone, in.Angle, way)
			}
		}
	})
}
