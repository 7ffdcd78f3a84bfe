package engine_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/world"
)

// assorted returns a world with all shapes and filters, sensors, and disabled bodies.
func assorted(r *rand.Rand, bodies int) func(w *world.World) error {
	return func(w *world.World) error {
		shape := func() (d world.ShapeDef) {
			switch r.IntN(6) {
			case 0:
				d = world.CircleAt(.2, 0, .2+r.Float64()/2)
			case 1:
				d = world.Polygon(world.Vec{X: -.3}, world.Vec{X: .6}, world.Vec{X: .2, Y: .7}, world.Vec{X: -.2, Y: .5})
			case 2:
				d = world.Edge(world.Vec{X: -1}, world.Vec{X: 1, Y: .2})
			case 3:
				points := make([]world.Vec, 3+r.IntN(30)) // some take several pieces
				for i := range points {
					points[i] = world.Vec{X: float64(i) / 3, Y: r.Float64()}
				}
				if d = world.Chain(points...); r.IntN(2) == 0 {
					d = world.ClosedChain(points...)
					d.SegmentMaterials = make([]world.Material, len(points))
				}
				for i := range d.SegmentMaterials {
					d.SegmentMaterials[i] = world.Material(r.IntN(3))
				}
			default:
				d = world.Box(.1+r.Float64()/2, .1+r.Float64()/2)
			}
			d.Sensor, d.Material = r.IntN(5) == 0, world.Material(r.IntN(3))
			if r.IntN(3) == 0 {
				d.Filter = world.Filter{Category: 1 << (30 * r.IntN(3)), Mask: world.AllCategories &^ (1 << (30 * r.IntN(3)))}
			}
			return d
		}
		ground := world.Box(30, 1)
		if _, err := w.CreateBody(world.BodyDef{Name: "ground", Position: world.Vec{Y: -8}, Shapes: []world.ShapeDef{ground}}); err != nil {
			return err
		}
		for range bodies {
			d := world.BodyDef{
				Kind: world.BodyKind(r.IntN(3)), Disabled: r.IntN(10) == 0,
				Position: world.Vec{X: r.NormFloat64() * 5, Y: r.NormFloat64() * 5}, Angle: r.NormFloat64() * 4,
				Shapes: []world.ShapeDef{shape(), shape()}[:1+r.IntN(2)],
			}
			if d.Kind != world.Static {
				d.Velocity, d.AngularVelocity = world.Vec{X: r.NormFloat64(), Y: r.NormFloat64()}, r.NormFloat64()*3
			}
			if _, err := w.CreateBody(d); err != nil {
				return err
			}
		}
		return nil
	}
}

// found is a shape, and the fraction of the path before it.
type found struct {
	shape world.Shape
	body  world.Body
	world.RayHit
}

// question is a random query, which is made from a seed.
type question struct{ seed uint64 }

// ask returns all found shapes, in the order of shapes, and the length of the path.
func (s question) ask(q func(world.QueryFilter) world.Query) (kind string, all []found, length float64, err error) {
	r := rand.New(rand.NewPCG(s.seed, 99))
	f := world.QueryFilter{Sensors: r.IntN(2) == 0, Disabled: r.IntN(2) == 0}
	if r.IntN(2) == 0 {
		f.Mask = uint64(r.IntN(2) | r.IntN(2)<<30 | r.IntN(2)<<60)
		f.Category = uint64(r.IntN(2)) << (30 * r.IntN(3))
	}
	vec := func() world.Vec { return world.Vec{X: r.NormFloat64() * 5, Y: r.NormFloat64() * 5} }
	from, to, angle := vec(), vec(), r.NormFloat64()
	shape := world.Box(.2+r.Float64(), .3)
	switch r.IntN(3) {
	case 0:
		shape = world.Circle(.1 + r.Float64())
	case 1:
		shape = world.Capsule(world.Vec{X: -.5}, world.Vec{X: .4, Y: .2}, .3)
	}
	over := func(b world.Body, s world.Shape) bool {
		all = append(all, found{shape: s, body: b})
		return true
	}
	on := func(h world.RayHit) bool {
		all = append(all, found{h.Shape, h.Body, h})
		return true
	}
	length = math.Hypot(to.X-from.X, to.Y-from.Y)
	switch r.IntN(7) {
	case 0:
		kind, err = "ray", q(f).RayCastAll(from, to, on)
	case 1:
		kind, err = "cast", q(f).ShapeCastAll(shape, from, to, angle, on)
	case 2:
		kind, err = "overlap", q(f).Overlap(shape, from, angle, over)
	case 3:
		kind, err = "box", q(f).OverlapBox(world.Vec{X: min(from.X, to.X), Y: min(from.Y, to.Y)}, world.Vec{X: max(from.X, to.X), Y: max(from.Y, to.Y)}, over)
	case 4:
		kind, err = "point", q(f).OverlapPoint(from, over)
	case 5:
		kind, err = "near", q(f).Near(shape, from, angle, 1, func(h world.NearHit) bool {
			if !slices.ContainsFunc(all, func(a found) bool { return a.shape == h.Shape }) { // a chain once
				all = append(all, found{h.Shape, h.Body, world.RayHit{Fraction: h.Distance / length}})
			}
			return true
		})
	case 6: // from the nearest point of one shape to the nearest point of the other, and the shapes that overlap one of them
		kind = "shape"
		a, _, _ := q(f).NearestPoint(from, 20)
		b, ok, _ := q(f).NearestPoint(to, 20)
		if ok && a.Shape != b.Shape {
			h, failed := q(f).Distance(a.Shape, b.Shape)
			all, err = append(all, found{h.Shape, h.Body, world.RayHit{Fraction: max(h.Distance, 0) / length}}), failed
			_ = q(f).OverlapShape(a.Shape, func(o world.Body, s world.Shape) bool { return s == b.Shape || over(o, s) })
		}
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(a.shape, b.shape) })
	return kind, all, length, err
}

// rounding is the greatest distance of a shown shape from its real position, in m.
// Published states are float32. A centre at most 16 m from the origin is off by at most
// 2^-21 m (0.5 µm). An angle below π is off by at most 2^-23, which moves a corner 10 m
// away by 1.2 µm. The corner itself is off by 0.5 µm.
const rounding = 3e-6

// At 50 frames a second and 50 Hz every frame shows exactly one tick.
func TestShownQuestionsEqualTheWorldsAtATick(t *testing.T) {
	norace.Only(t)
	const n = 40 // questions a tick
	type answer struct {
		all []found
		err error
	}
	type answers struct {
		tick uint64
		list [n]answer
	}
	total, differ, asked := map[string]int{}, 0, 0
	for seed := range uint64(4) {
		e, err := engine.New(engine.Config{
			Setup: assorted(rand.New(rand.NewPCG(seed, 4)), 40),
			Time:  engine.Time{Simulated: true, Rate: clock.Hz(50)},
			World: world.Config{Gravity: world.Vec{Y: -10}},
		})
		if err != nil {
			t.Fatal(err)
		}
		of := func(tick uint64, i int) question { return question{seed<<32 + tick<<16 + uint64(i)} }
		said := make(chan answers, 20)
		byTick := map[uint64]answers{}
		for range cap(said) {
			e.Inspect(func(w *world.World) {
				a := answers{tick: w.Tick()}
				for i := range a.list {
					_, a.list[i].all, _, a.list[i].err = of(a.tick, i).ask(w.Query)
				}
				said <- a
			})
			instant := e.Advance(time.Second / 50).Instant
			for len(said) > 0 {
				a := <-said
				byTick[a.tick] = a
			}
			want, ok := byTick[uint64(instant)]
			if !ok || instant != float64(want.tick) {
				continue
			}
			for i := range want.list {
				asked++
				kind, got, length, err := of(want.tick, i).ask(e.Shown)
				if err != nil || want.list[i].err != nil {
					t.Fatal(err, want.list[i].err)
				}
				total[kind] += len(got)
				if all := want.list[i].all; !sameShapes(got, all, length) || kind == "ray" && !sameMaterials(got, all) {
					differ++
					t.Logf("seed %d, tick %d, question %d, %s:\n%v, the world says\n%v", seed, want.tick, i, kind, got, all)
				}
			}
		}
		e.Close()
	}
	if asked < 4*15*n {
		t.Errorf("only %d questions could be compared", asked)
	}
	// if a shape is touched only within the rounding, one side may find it and the other
	// may not
	if differ > asked/2000 {
		t.Errorf("%d of %d answers differ", differ, asked)
	}
	for _, kind := range []string{"ray", "cast", "overlap", "box", "point", "near", "shape"} {
		if total[kind] < 30 {
			t.Errorf("only %d shapes found: %v", total[kind], total)
		}
	}
}

// sameShapes compares two answers. If a ray or a cast meets a surface at a small angle,
// the rounding is divided by the sine of the angle.
func sameShapes(a, b []found, length float64) bool {
	return slices.EqualFunc(a, b, func(a, b found) bool {
		sine := 1.0
		if a.Normal != (world.Vec{}) {
			sine = 1e-3
		}
		return a.shape == b.shape && a.body == b.body && math.Abs(a.Fraction-b.Fraction)*length <= rounding/sine
	})
}

// sameMaterials compares the materials that rays meet. A cast shape may meet two
// segments of a chain at once, and then either answer is right.
func sameMaterials(a, b []found) bool {
	return slices.EqualFunc(a, b, func(a, b found) bool { return a.Material == b.Material })
}

func TestThePictureTellsTheMaterialsThatTheWorldHas(t *testing.T) {
	e, err := engine.New(engine.Config{Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var line []world.Vec // a line of 20 segments, which are several pieces in the picture
	for i := range 21 {
		line = append(line, world.Vec{X: float64(i)})
	}
	chain := world.Chain(line...)
	chain.SegmentMaterials = make([]world.Material, 20)
	chain.SegmentMaterials[8] = 7
	_, shapes := e.CreateBodyWithShapes(world.BodyDef{Shapes: []world.ShapeDef{chain}})
	box := world.BoxAt(world.Vec{X: -5}, 1, 1, 0)
	box.Material = 3
	_, boxes := e.CreateBodyWithShapes(world.BodyDef{Shapes: []world.ShapeDef{box}})
	has := func(when string, at map[float64]world.Material) {
		t.Helper()
		for x, want := range at {
			from, to := world.Vec{X: x, Y: 5}, world.Vec{X: x, Y: -5}
			hit, ok, err := e.Shown(world.QueryFilter{}).RayCast(from, to)
			if !ok || err != nil || hit.Material != want {
				t.Errorf("%s, at %v: %+v, %v, %v; want the material %v", when, x, hit, ok, err, want)
			}
			e.Inspect(func(w *world.World) {
				if hit, _, _ := w.Query(world.QueryFilter{}).RayCast(from, to); hit.Material != want {
					t.Errorf("%s, at %v: the world has %v", when, x, hit.Material)
				}
			})
		}
		e.Step(1)
	}
	e.Step(2)
	first := map[float64]world.Material{-5: 3, .5: 0, 7.5: 0, 8.5: 7, 9.5: 0, 19.5: 0}
	has("at first", first)
	e.KeepSnapshot(0)
	e.SetMaterial(boxes[0], 4)
	e.SetSegmentMaterial(shapes[0], 15, 9)
	e.Step(2)
	has("after a change", map[float64]world.Material{-5: 4, 8.5: 7, 14.5: 0, 15.5: 9, 16.5: 0})
	e.SetMaterial(shapes[0], 5)
	e.Step(2)
	has("after a change of all", map[float64]world.Material{-5: 4, .5: 5, 8.5: 5, 15.5: 5})
	e.RestoreSnapshot(0)
	e.Step(2)
	has("after going back", first)
}

// The test uses every smoothing, for all bodies or for one body, and also between two
// ticks.
func TestShownQuestionsFindBodiesWhereTheyAreDrawn(t *testing.T) {
	for _, mode := range []body2d.Smoothing{body2d.Interpolate, body2d.Newest, body2d.Extrapolate, body2d.Hermite} {
		e, err := engine.New(engine.Config{
			Time: engine.Time{Simulated: true, Smoothing: mode},
			Setup: func(w *world.World) error {
				weight := world.CircleAt(0, .4, .1) // this moves the centre of mass away from the origin and from the circle
				weight.Sensor = true
				for i := range 40 {
					b, err := w.CreateBody(world.BodyDef{
						Kind: world.Dynamic, Position: world.Vec{X: float64(i) * 3}, NoGravity: true,
						Velocity: world.Vec{Y: float64(i) * 2}, AngularVelocity: float64(i),
						Shapes: []world.ShapeDef{world.CircleAt(.3, 0, .2), weight},
					})
					if err == nil && i%5 == 0 {
						err = w.SetBodySmoothing(b, body2d.Smoothing(i/5%4))
					}
					if err != nil {
						return err
					}
				}
				return nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		between := 0
		for range 30 {
			alpha := e.Advance(time.Second / 144).Alpha
			if alpha > 0 && alpha < 1 {
				between++
			}
			for b, p := range e.Poses() {
				sin, cos := math.Sincos(p.Angle)
				centre := world.Vec{X: p.X + .3*cos, Y: p.Y + .3*sin}
				for _, c := range []struct {
					dx   float64
					want bool
				}{{0, true}, {.199, true}, {-.199, true}, {.7, false}} {
					var got []world.Body
					at := world.Vec{X: centre.X + c.dx, Y: centre.Y}
					if err := e.Shown(world.QueryFilter{}).OverlapPoint(at, func(b world.Body, _ world.Shape) bool {
						got = append(got, b)
						return true
					}); err != nil {
						t.Fatal(err)
					}
					if c.want != slices.Equal(got, []world.Body{b}) || !c.want && len(got) > 0 {
						t.Fatalf("%v, alpha %v: %v from the centre of %v there is %v", mode, alpha, c.dx, b, got)
					}
				}
				if h, ok, err := e.Shown(world.QueryFilter{}).RayCast(world.Vec{X: centre.X + 1, Y: centre.Y}, centre); err != nil || !ok || h.Body != b || math.Abs(h.Point.X-centre.X-.2) > 1e-4 {
					t.Fatalf("%v, alpha %v: a ray to %v hits %+v, %v, %v", mode, alpha, b, h, ok, err)
				}
			}
		}
		if between < 10 {
			t.Errorf("%v: only %d frames between two ticks", mode, between)
		}
		last := e.View().Tick
		if err := e.Close(); err != nil || last == 0 {
			t.Fatal(last, err)
		}
		if _, ok, err := e.Shown(world.QueryFilter{}).RayCast(world.Vec{X: -5}, world.Vec{X: 500}); !ok || err != nil {
			t.Errorf("after Close, the last picture does not answer: %v, %v", ok, err)
		}
	}
}

func TestABodyThatIsGoneFromThePictureIsNotFound(t *testing.T) {
	e, err := engine.New(engine.Config{Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	seen := func() bool {
		ok, err := e.Shown(world.QueryFilter{}).RayCastAny(world.Vec{X: -5}, world.Vec{X: 5})
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if seen() {
		t.Error("there is something before the first frame")
	}
	b := e.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Circle(1)}})
	for frame, before := 0, false; frame < 12; frame++ {
		if frame == 6 {
			e.DestroyBody(b)
		}
		e.Advance(time.Second / 60)
		if _, drawn := e.Pose(b); drawn != seen() {
			t.Errorf("frame %d: drawn %v, found %v", frame, drawn, seen())
		} else if before = before || drawn; frame == 11 && (drawn || !before) {
			t.Error("the body was never drawn, or still is")
		}
	}
}

func TestShownQuestionsAllocateNothing(t *testing.T) {
	norace.Only(t)
	e := settled(t, 200)
	e.SetPaused(true)
	e.Advance(0)
	from, to := rays(50)
	found, frame := 0, 0
	on := func(world.RayHit) bool { found++; return true }
	var wanted world.Shape
	over := func(_ world.Body, s world.Shape) bool { found++; wanted = s; return true }
	nearby := func(world.NearHit) bool { found++; return true }
	ask := func() {
		frame++
		e.View().Alpha = float32(frame%7) / 7 // another picture, for which the index is built
		q := e.Shown(world.QueryFilter{Sensors: true})
		for k := range from {
			if _, ok, _ := q.RayCast(from[k], to[k]); ok {
				found++
			}
			q.RayCastAny(from[k], to[k])
			q.RayCastAll(from[k], to[k], on)
			q.ShapeCast(world.Capsule(world.Vec{}, world.Vec{Y: 1}, .2), from[k], to[k], .5)
			q.OverlapBox(world.Vec{X: -40}, world.Vec{X: 40, Y: 2}, over)
			q.Overlap(world.Polygon(world.Vec{}, world.Vec{X: 2}, world.Vec{Y: 2}), from[k], .1, over)
			q.Near(world.Circle(1), from[k], 0, .5, nearby)
			q.NearestPointOf(wanted, from[k])
			q.Distance(wanted, wanted)
			q.OverlapShape(wanted, over)
			e.Pick(from[k].X, from[k].Y)
		}
	}
	for range 7 {
		ask()
	}
	if allocs := testing.AllocsPerRun(20, ask); allocs != 0 || found == 0 {
		t.Errorf("%v allocations a frame, %d found", allocs, found)
	}
}
