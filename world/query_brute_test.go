package world

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/test/norace"
)

// questioner asks a world random questions. It finds the answers itself, too, from all
// shapes and with Box2D's own functions.
type questioner struct {
	*rand.Rand
	*rig
	found map[string]int // by kind of question, the number of results that were not empty
	asked int            // questions
}

func (q *questioner) vec(size float64) Vec {
	v := Vec{X: q.NormFloat64() * size, Y: q.NormFloat64() * size}
	if q.IntN(4) == 0 { // whole metres, where corners and edges meet
		v = Vec{X: math.Round(v.X), Y: math.Round(v.Y)}
	}
	return v
}

// shape is a random shape of any kind, for a body.
func (q *questioner) shape() ShapeDef {
	x, y := q.NormFloat64()*.3, q.NormFloat64()*.3
	var d ShapeDef
	switch q.IntN(8) {
	case 6:
		d = Capsule(Vec{X: x, Y: y}, Vec{X: x + .1 + q.Float64(), Y: y - q.Float64()}, .1+q.Float64()/2)
	case 7:
		d = Box(.1+q.Float64(), .1+q.Float64())
		d.Radius = .1 + q.Float64()/4
	case 0:
		d = CircleAt(x, y, .1+q.Float64())
	case 1:
		d = Box(.1+q.Float64(), .1+q.Float64())
	case 2:
		points := make([]Vec, 3+q.IntN(6))
		for i := range points {
			a := 2 * math.Pi * float64(i) / float64(len(points))
			points[i] = Vec{X: x + math.Cos(a), Y: y + (.3+q.Float64()*.1)*math.Sin(a)}
		}
		d = Polygon(points...)
	case 3:
		d = Edge(Vec{X: -1, Y: 0}, Vec{X: 1, Y: float64(q.IntN(3)) - 1})
	default:
		points := make([]Vec, 3+q.IntN(20))
		for i := range points {
			points[i] = Vec{X: float64(i) / 2, Y: float64(q.IntN(3)) / 2}
		}
		if d = Chain(points...); q.IntN(2) == 0 {
			d = ClosedChain(points...)
		}
	}
	d.Sensor = q.IntN(6) == 0
	if q.IntN(3) == 0 {
		d.Filter = Filter{Category: 1 << (16 + q.IntN(3)), Mask: AllCategories &^ (1 << (16 + q.IntN(3)))}
	}
	return d
}

// NormFloat64 is finite: rand may make an infinity from the bytes of a fuzz target.
func (q *questioner) NormFloat64() float64 { return max(-99, min(q.Rand.NormFloat64(), 99)) }

// newQuestioner makes a world with shapes of all kinds, and steps it for a while.
func newQuestioner(t testing.TB, r *rand.Rand) *questioner {
	q := &questioner{Rand: r, rig: newRig(t, gravity()), found: map[string]int{}}
	q.ground()
	for range 10 + q.IntN(40) {
		d := BodyDef{Kind: BodyKind(q.IntN(3)), Position: q.vec(4), Disabled: q.IntN(10) == 0}
		if q.IntN(2) == 0 {
			d.Angle = q.NormFloat64() * 3
		}
		for range 1 + q.IntN(2) {
			d.Shapes = append(d.Shapes, q.shape())
		}
		q.body(d)
	}
	q.start()
	q.run(q.IntN(20))
	return q
}

func (q *questioner) filter() (f QueryFilter) {
	f.Sensors, f.Disabled = q.IntN(2) == 0, q.IntN(3) == 0
	if q.IntN(3) == 0 {
		f.Mask = uint64(q.IntN(8)) << 16
	}
	if q.IntN(3) == 0 {
		f.Category = 1 << (16 + q.IntN(3))
	}
	if q.IntN(3) == 0 {
		n := q.IntN(len(q.registry.bodies))
		for b := range q.Bodies() {
			if n--; n < 0 {
				f.Ignore = b
				break
			}
		}
	}
	return f
}

// each calls yield with every child of every shape that the filter selects.
func (q *questioner) each(f QueryFilter, yield func(s *shape, x *box2d.B2Fixture, child int)) {
	for r := q.registry.first; r != nil; r = r.next {
		for _, s := range r.shapes {
			on := s.filter
			switch {
			case r.handle == f.Ignore, !f.Disabled && !r.b.IsActive(), !f.Sensors && s.fix.IsSensor(),
				f.Mask != 0 && on.Category&f.Mask == 0, f.Category != 0 && on.Mask&f.Category == 0:
				continue
			}
			for child := range s.fix.GetShape().GetChildCount() {
				yield(s, s.fix, child)
			}
		}
	}
}

// ask asks one question of each kind.
func (q *questioner) ask() {
	q.asked += 6
	q.rays()
	q.points()
	q.overlaps()
	q.casts()
	q.nears()
	q.pairs()
}

func (q *questioner) saw(kind string, n int) {
	if n > 0 {
		q.found[kind]++
	}
}

func (q *questioner) rays() {
	f, from, to := q.filter(), q.vec(5), q.vec(5)
	if from == to {
		return
	}
	var want []RayHit
	q.each(f, func(s *shape, x *box2d.B2Fixture, child int) {
		var out box2d.B2RayCastOutput
		cast := x.RayCast
		if round, ok := x.M_shape.(*b2.RoundPolygon); ok {
			cast = func(out *box2d.B2RayCastOutput, in box2d.B2RayCastInput, _ int) bool {
				return rayRound(out, in, round, x.M_body.M_xf)
			}
		}
		if !cast(&out, box2d.B2RayCastInput{P1: b2vec(from), P2: b2vec(to), MaxFraction: 1}, child) {
			return
		}
		h := RayHit{s.of.handle, s.handle, Vec{X: (1-out.Fraction)*from.X + out.Fraction*to.X, Y: (1-out.Fraction)*from.Y + out.Fraction*to.Y}, fromB2(out.Normal), out.Fraction, 0}
		for i := range want {
			if want[i].Shape == h.Shape {
				if h.Fraction < want[i].Fraction {
					want[i] = h
				}
				return
			}
		}
		want = append(want, h)
	})
	slices.SortFunc(want, func(a, b RayHit) int {
		if a.Fraction != b.Fraction {
			return int(math.Copysign(1, a.Fraction-b.Fraction))
		}
		return int(int64(a.Shape) - int64(b.Shape))
	})
	var got []RayHit
	ask := q.Query(f)
	check(q.t, ask.RayCastAll(from, to, func(h RayHit) bool { got = append(got, h); return true }))
	for _, h := range got {
		if way := (Vec{X: to.X - from.X, Y: to.Y - from.Y}); h.Normal.X*way.X+h.Normal.Y*way.Y > 1e-9 {
			q.t.Fatalf("from %v to %v: the normal is along the way: %+v", from, to, h)
		}
	}
	if !slices.EqualFunc(onTheWay(got), onTheWay(want), q.sameHit) && !q.grazes(from, to, f) {
		q.t.Fatalf("all from %v to %v, %+v:\n%+v, want\n%+v", from, to, f, got, want)
	}
	first, ok, err := ask.RayCast(from, to)
	check(q.t, err)
	any, err := ask.RayCastAny(from, to)
	check(q.t, err)
	if ok != (len(got) > 0) || any != ok || ok && first != got[0] {
		q.t.Fatalf("from %v to %v, %+v: %+v, %v, any %v; all are %+v", from, to, f, first, ok, any, got)
	}
	q.saw("rays", len(got))
}

// onTheWay returns the hits without the shapes at the start of the ray, for which Box2D
// finds nothing, or a normal along the ray.
func onTheWay(hits []RayHit) []RayHit {
	return slices.DeleteFunc(slices.Clone(hits), func(h RayHit) bool { return h.Fraction == 0 })
}

// sameHit compares two hits bit for bit. It allows for small differences if the compiler may
// fuse operations, or if Box2D lacks the kind of shape.
func (q *questioner) sameHit(a, b RayHit) bool {
	_, round := q.registry.shapes[a.Shape].fix.M_shape.(*b2.RoundPolygon)
	return a == b || (round || runtime.GOARCH != "amd64") && a.Shape == b.Shape && near(a.Fraction, b.Fraction, 1e-7) && distance(b2vec(a.Normal), b2vec(b.Normal)) < 1e-4
}

// rayRound returns the first hit of a ray on a round polygon: on a circle around a corner,
// or on a side that is moved outwards.
func rayRound(out *box2d.B2RayCastOutput, in box2d.B2RayCastInput, s *b2.RoundPolygon, xf box2d.B2Transform) (hit bool) {
	if coreDistance(s, xf, in.P1) <= s.M_radius {
		return false
	}
	try := func(part box2d.B2ShapeInterface) {
		var o box2d.B2RayCastOutput
		if part.RayCast(&o, in, xf, 0) && (!hit || o.Fraction < out.Fraction) {
			*out, hit = o, true
		}
	}
	for i, v := range s.M_vertices[:s.M_count] {
		circle := box2d.MakeB2CircleShape()
		circle.M_p, circle.M_radius = v, s.M_radius
		try(&circle)
		edge := box2d.MakeB2EdgeShape()
		off := box2d.B2Vec2MulScalar(s.M_radius, s.M_normals[i])
		edge.Set(box2d.B2Vec2Add(v, off), box2d.B2Vec2Add(s.M_vertices[(i+1)%s.M_count], off))
		try(&edge)
	}
	return hit
}

// coreDistance is the distance of a point from a round polygon without its radius.
func coreDistance(s *b2.RoundPolygon, xf box2d.B2Transform, p box2d.B2Vec2) float64 {
	point := box2d.MakeB2CircleShape()
	var at box2d.B2Transform
	at.SetIdentity()
	at.P = p
	return between(&point, 0, at, &box2d.B2Fixture{M_shape: core(s), M_body: &box2d.B2Body{M_xf: xf}}, 0)
}

// core is the library's shape for a round polygon without its radius.
func core(s *b2.RoundPolygon) *box2d.B2PolygonShape {
	c := s.B2PolygonShape
	c.M_type = b2.PolygonShape
	return &c
}

// grazes reports whether a ray ends so near to a shape, or passes the end of a segment so
// closely, that rounding decides about a hit.
func (q *questioner) grazes(from, to Vec, f QueryFilter) (yes bool) {
	ray := box2d.MakeB2EdgeShape()
	q.each(f, func(_ *shape, x *box2d.B2Fixture, child int) {
		var ends []box2d.B2Vec2
		switch s := x.GetShape().(type) {
		case *box2d.B2EdgeShape:
			ends = []box2d.B2Vec2{s.M_vertex1, s.M_vertex2}
		case *box2d.B2ChainShape:
			ends = s.M_vertices
		}
		ray.Set(b2vec(from), b2vec(to))
		for _, e := range ends {
			p := box2d.B2TransformVec2Mul(x.M_body.M_xf, e)
			d := box2d.B2Vec2Sub(ray.M_vertex2, ray.M_vertex1)
			if math.Abs(box2d.B2Vec2Cross(d, box2d.B2Vec2Sub(p, ray.M_vertex1)))/d.Length() < 1e-8 {
				yes = true
			}
		}
	})
	return yes
}

func (q *questioner) points() {
	f, p := q.filter(), q.vec(2)
	want := map[Shape]bool{}
	q.each(f, func(s *shape, x *box2d.B2Fixture, child int) {
		inside := x.TestPoint(b2vec(p))
		if round, ok := x.M_shape.(*b2.RoundPolygon); ok {
			inside = coreDistance(round, x.M_body.M_xf, b2vec(p)) <= round.M_radius
		}
		if inside {
			want[s.handle] = true
		}
	})
	got := map[Shape]bool{}
	check(q.t, q.Query(f).OverlapPoint(p, func(b Body, s Shape) bool {
		if got[s] || q.registry.shapes[s].of.handle != b {
			q.t.Fatalf("%v of %v came twice, or is not its shape", s, b)
		}
		got[s] = true
		return true
	}))
	if !equalSets(got, want) {
		q.t.Fatalf("at %v, %+v: %v, want %v", p, f, got, want)
	}
	q.saw("points", len(got))
}

func equalSets(a, b map[Shape]bool) bool {
	for s := range a {
		if !b[s] {
			return false
		}
	}
	return len(a) == len(b)
}

// probe is a random shape for a question. It returns the definition, Box2D's shape, and the
// radius that Box2D's shape lacks.
func (q *questioner) probe() (d ShapeDef, s box2d.B2ShapeInterface, radius float64) {
	edge := box2d.MakeB2EdgeShape()
	switch q.IntN(4) {
	case 0:
		d = CircleAt(q.NormFloat64()*.2, 0, .05+q.Float64())
		radius = d.Radius
	case 1:
		a, b := q.vec(.5), q.vec(.5)
		edge.Set(b2vec(a), b2vec(b))
		if a == b {
			return q.probe()
		}
		if q.IntN(3) == 0 {
			return Edge(a, b), &edge, 0
		}
		d = Capsule(a, b, .05+q.Float64())
		return d, &edge, d.Radius
	case 2:
		d = Box(.05+q.Float64(), .05+q.Float64())
	default:
		d = Polygon(Vec{X: 0, Y: 0}, Vec{X: .2 + q.Float64(), Y: 0}, Vec{X: 0, Y: .2 + q.Float64()})
	}
	s, err := d.build()
	check(q.t, err)
	if d.Kind == PolygonShape && q.IntN(3) == 0 {
		d.Radius = q.Float64() / 2
		radius = d.Radius
	}
	return d, s, radius
}

// between is Box2D's distance of a probe and a shape, m. It is 0 if they overlap.
func between(probe box2d.B2ShapeInterface, radius float64, at box2d.B2Transform, x *box2d.B2Fixture, child int) float64 {
	return partsApart(probe, 0, radius, at, x, child)
}

// bare is Box2D's form of a shape, without the radius that rounds it.
func bare(shape box2d.B2ShapeInterface) (box2d.B2ShapeInterface, float64) {
	switch s := shape.(type) {
	case *box2d.B2CircleShape:
		return s, s.M_radius
	case *b2.RoundPolygon:
		return core(s), s.M_radius
	}
	return shape, 0
}

func partsApart(probe box2d.B2ShapeInterface, part int, radius float64, at box2d.B2Transform, x *box2d.B2Fixture, child int) float64 {
	in := box2d.MakeB2DistanceInput()
	in.ProxyA.Set(probe, part)
	shape, r := bare(x.M_shape)
	radius += r
	in.ProxyB.Set(shape, child)
	in.TransformA, in.TransformB = at, x.M_body.M_xf
	var out box2d.B2DistanceOutput
	var cache box2d.B2SimplexCache
	box2d.B2Distance(&out, &cache, &in)
	return max(0, out.Distance-radius)
}

// unsure is the distance of two shapes, m, below which Box2D's answer depends on rounding.
const unsure = 1e-6

func (q *questioner) overlaps() {
	f, at, angle := q.filter(), q.vec(4), q.NormFloat64()*3
	d, probe, radius := q.probe()
	ask := func(yield func(Body, Shape) bool) error { return q.Query(f).Overlap(d, at, angle, yield) }
	if q.IntN(3) == 0 {
		low, high := at, Vec{X: at.X + q.Float64()*3, Y: at.Y + q.Float64()*3}
		d, radius, angle = Box((high.X-low.X)/2, (high.Y-low.Y)/2), 0, 0
		made, err := d.build()
		if err != nil {
			return
		}
		at, probe = Vec{X: (low.X + high.X) / 2, Y: (low.Y + high.Y) / 2}, made
		ask = func(yield func(Body, Shape) bool) error { return q.Query(f).OverlapBox(low, high, yield) }
	}
	xf := transform(at, angle)
	distance := map[Shape]float64{}
	q.each(f, func(s *shape, x *box2d.B2Fixture, child int) {
		near := between(probe, radius, xf, x, child)
		if old, ok := distance[s.handle]; !ok || near < old {
			distance[s.handle] = near
		}
	})
	got := map[Shape]bool{}
	check(q.t, ask(func(_ Body, s Shape) bool {
		if got[s] {
			q.t.Fatalf("%v came twice", s)
		}
		got[s] = true
		return true
	}))
	for s, near := range distance {
		if got[s] && near > unsure || !got[s] && near == 0 && !q.barely(probe, radius, xf, s) {
			q.t.Fatalf("overlap %v of %v with %v: found %v, distance %v", d, at, s, got[s], near)
		}
		delete(got, s)
	}
	if len(got) > 0 {
		q.t.Fatalf("found what the filter leaves out: %v", got)
	}
	q.saw("overlaps", len(distance))
}

// barely reports whether two shapes that overlap are apart after a small shift of one of
// them.
func (q *questioner) barely(probe box2d.B2ShapeInterface, radius float64, at box2d.B2Transform, s Shape) bool {
	x := q.registry.shapes[s].fix
	for i := range 16 {
		moved := at
		sin, cos := math.Sincos(float64(i) * math.Pi / 8)
		moved.P.X += cos * unsure
		moved.P.Y += sin * unsure
		apart := true
		for child := range x.M_shape.GetChildCount() {
			apart = apart && between(probe, radius, moved, x, child) > 0
		}
		if apart {
			return true
		}
	}
	return false
}

// interrogate asks a random world n questions.
func interrogate(t testing.TB, r *rand.Rand, n int) *questioner {
	q := newQuestioner(t, r)
	for q.asked < n {
		q.ask()
	}
	if len(q.space.question.Hits) != 0 {
		t.Fatal("hits are left over")
	}
	q.Close()
	return q
}

func TestQuestionsEqualBruteForce(t *testing.T) {
	norace.Only(t)
	total := map[string]int{}
	for seed := range uint64(15) {
		q := interrogate(t, rand.New(rand.NewPCG(seed, 3)), 160)
		for kind, n := range q.found {
			total[kind] += n
		}
	}
	for _, kind := range []string{"rays", "points", "overlaps", "casts", "nears", "pairs"} {
		if total[kind] < 30 {
			t.Errorf("only %d %s found something: %v", total[kind], kind, total)
		}
	}
}
