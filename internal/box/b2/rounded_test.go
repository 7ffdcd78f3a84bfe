package b2

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/trig"
)

// likeLibrary skips a test if the library itself is compiled with fused operations.
func likeLibrary(t *testing.T) *rand.Rand {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		if v, w := vec(r), vec(r); box2d.B2Vec2Dot(v, w) != Dot(v, w) {
			t.Skip("the library's products are fused on this machine")
		}
	}
	return r
}

func vec(r *rand.Rand) box2d.B2Vec2 {
	return box2d.B2Vec2{X: math.Round(4*r.NormFloat64()) / 4 * float64(r.IntN(2)), Y: r.NormFloat64()}
}

func near(r *rand.Rand) box2d.B2Transform {
	return box2d.B2Transform{P: vec(r), Q: box2d.MakeB2RotFromAngle(9 * r.NormFloat64())}
}

// same compares bits, so it tells -0 from 0.
func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: %v; the library has %v", what, got, want)
		}
	}
}

func flat(vs ...box2d.B2Vec2) (f []float64) {
	for _, v := range vs {
		f = append(f, v.X, v.Y)
	}
	return f
}

func TestRoundedProductsHaveTheBitsOfTheLibrary(t *testing.T) {
	r := likeLibrary(t)
	for range 10000 {
		v, w, k, xf := vec(r), vec(r), r.NormFloat64(), near(r)
		same(t, "products", []float64{Dot(v, w), Cross(v, w)}, []float64{box2d.B2Vec2Dot(v, w), box2d.B2Vec2Cross(v, w)})
		sin, cos := trig.SinCos(9 * k)
		same(t, "angle", []float64{sin, cos}, []float64{math.Sin(9 * k), math.Cos(9 * k)})
		same(t, "hypot", []float64{trig.Hypot(v.X, v.Y)}, []float64{math.Hypot(v.X, v.Y)})
		u := v
		u.Normalize()
		same(t, "unit", flat(Unit(v)), flat(u))
		same(t, "length", []float64{Length(v)}, []float64{v.Length()})
		same(t, "plus", flat(Plus(v, k, w)), flat(box2d.B2Vec2Add(v, box2d.B2Vec2MulScalar(k, w))))
		same(t, "rotation", flat(Rotate(xf.Q, v), RotateBack(xf.Q, v)), flat(box2d.B2RotVec2Mul(xf.Q, v), box2d.B2RotVec2MulT(xf.Q, v)))
		same(t, "transform", flat(Transform(&xf, v), TransformBack(&xf, v)), flat(box2d.B2TransformVec2Mul(xf, v), box2d.B2TransformVec2MulT(xf, v)))
	}
	for _, h := range [][2]float64{{0, 0}, {0, 3}, {math.NaN(), 0}, {0, math.NaN()}, {1e-300, 1e300}} {
		same(t, "hypot", []float64{trig.Hypot(h[0], h[1])}, []float64{math.Hypot(h[0], h[1])})
	}
}

// polygon makes a polygon from random points. It returns false if they have no area.
func polygon(t *testing.T, r *rand.Rand) (*box2d.B2PolygonShape, bool) {
	points := make([]box2d.B2Vec2, 0, 8)
	for n := 3 + r.IntN(6); len(points) < n; {
		points = append(points, vec(r))
	}
	if r.IntN(2) == 0 { // the point is on a line with two other points
		points[2] = Plus(points[0], r.Float64(), box2d.B2Vec2Sub(points[1], points[0]))
	}
	for i, p := range points {
		for _, q := range points[:i] {
			if Length(box2d.B2Vec2Sub(p, q)) < box2d.B2_linearSlop {
				return nil, false
			}
		}
	}
	ours, theirs := box2d.MakeB2PolygonShape(), box2d.MakeB2PolygonShape()
	made := SetPolygon(&ours, points)
	if made != setByLibrary(&theirs, points) || made && ours != theirs {
		t.Fatalf("%v: another polygon: %v; the library has %v", points, ours, theirs)
	}
	return &ours, made
}

// setByLibrary makes a polygon with the library. It returns false if an assertion of the
// library fails.
func setByLibrary(s *box2d.B2PolygonShape, points []box2d.B2Vec2) (ok bool) {
	defer func() { ok = recover() == nil }()
	s.Set(points, len(points))
	return
}

func TestPolygonsAreThoseOfTheLibrary(t *testing.T) {
	r, made := likeLibrary(t), 0
	for range 10000 {
		if _, ok := polygon(t, r); ok {
			made++
		}
	}
	if made < 5000 {
		t.Fatalf("only %d polygons", made)
	}
}

// heavy is a moving body with shapes.
func heavy(t *testing.T, r *rand.Rand) *box2d.B2Body {
	w := box2d.MakeB2World(box2d.B2Vec2{})
	xf := near(r)
	b := w.CreateBody(&box2d.B2BodyDef{
		Type: DynamicBody, Position: xf.P, Angle: r.NormFloat64(), LinearVelocity: vec(r), AngularVelocity: r.NormFloat64(),
		FixedRotation: r.IntN(5) == 0, Active: true,
	})
	for range r.IntN(4) {
		f := box2d.MakeB2FixtureDef()
		if s, ok := polygon(t, r); ok && r.IntN(3) > 0 && MassOf(s, 1).Mass > 1e-3 {
			f.Shape = s
		} else {
			s := box2d.MakeB2CircleShape()
			s.M_p, s.M_radius = vec(r), .1+r.Float64()
			f.Shape = &s
		}
		b.CreateFixtureFromDef(&f).M_density = float64(r.IntN(3)) * r.Float64()
	}
	return b
}

func numbers(b *box2d.B2Body) []float64 {
	return append(flat(b.M_linearVelocity, b.M_sweep.C, b.M_sweep.C0, b.M_sweep.LocalCenter),
		b.M_angularVelocity, b.M_mass, b.M_invMass, b.M_I, b.M_invI)
}

func TestMassesAndImpulsesAreThoseOfTheLibrary(t *testing.T) {
	r := likeLibrary(t)
	for range 3000 {
		b := heavy(t, r)
		v, at, k := vec(r), vec(r), r.NormFloat64()
		given := box2d.B2MassData{Mass: r.Float64(), Center: v, I: 100}
		for _, edit := range []struct {
			what      string
			ours, its func(b *box2d.B2Body)
		}{
			{"mass", ResetMass, (*box2d.B2Body).ResetMassData},
			{"impulse", func(b *box2d.B2Body) { Push(b, v) }, func(b *box2d.B2Body) { b.ApplyLinearImpulseToCenter(v, true) }},
			{"impulse at", func(b *box2d.B2Body) { PushAt(b, v, at) }, func(b *box2d.B2Body) { b.ApplyLinearImpulse(v, at, true) }},
			{"turn", func(b *box2d.B2Body) { Turn(b, k) }, func(b *box2d.B2Body) { b.ApplyAngularImpulse(k, true) }},
			{"given mass", func(b *box2d.B2Body) { SetMass(b, &given) }, func(b *box2d.B2Body) { b.SetMassData(&given) }},
		} {
			other := *b
			edit.ours(b)
			edit.its(&other)
			same(t, edit.what, numbers(b), numbers(&other))
			same(t, "velocity at", flat(VelocityAt(b, at)), flat(b.GetLinearVelocityFromWorldPoint(at)))
		}
	}
}

func TestManifoldsArePlacedAsByTheLibrary(t *testing.T) {
	r := likeLibrary(t)
	for range 3000 {
		fixture := func() *box2d.B2Fixture {
			s := box2d.MakeB2CircleShape()
			s.M_radius = r.Float64()
			return &box2d.B2Fixture{M_shape: &s, M_body: &box2d.B2Body{M_xf: near(r)}}
		}
		m := box2d.B2Manifold{Type: uint8(r.IntN(3)), LocalPoint: vec(r), LocalNormal: vec(r), PointCount: r.IntN(3)}
		m.Points[0].LocalPoint, m.Points[1].LocalPoint = vec(r), vec(r)
		a, b := fixture(), fixture()
		var got, want box2d.B2WorldManifold
		PlaceManifold(&got, &box2d.B2Contact{M_fixtureA: a, M_fixtureB: b, M_manifold: &m})
		want.Initialize(&m, a.M_body.M_xf, a.M_shape.GetRadius(), b.M_body.M_xf, b.M_shape.GetRadius())
		same(t, "manifold", append(flat(got.Normal, got.Points[0], got.Points[1]), got.Separations[:]...),
			append(flat(want.Normal, want.Points[0], want.Points[1]), want.Separations[:]...))
	}
}
