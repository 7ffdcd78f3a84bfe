package b2

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/geometry"
	"halfstep/test/norace"
)

// randomRound makes a capsule or a polygon with round corners.
func randomRound(t *testing.T, r *rand.Rand) *RoundPolygon {
	for {
		points := []box2d.B2Vec2{vec(r), vec(r)}
		if r.IntN(2) == 0 {
			s, ok := polygon(t, r)
			if !ok || MassOf(s, 1).Mass < 1e-2 {
				continue
			}
			points = s.M_vertices[:s.M_count]
		}
		if Length(box2d.B2Vec2Sub(points[0], points[1])) < .1 {
			continue
		}
		if s, ok := NewRoundPolygon(points, .1+r.Float64()); ok {
			return s
		}
	}
}

func TestTheMassOfARoundPolygonIsTheSumOverItsArea(t *testing.T) {
	norace.Only(t)
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		s := randomRound(t, r)
		xf := box2d.MakeB2Transform()
		xf.SetIdentity()
		box := s.Box(&xf)
		var outline geometry.Shape
		s.SetOutline(&outline)
		at := TransformOf(&xf)
		const n = 1000
		var want box2d.B2MassData
		dx, dy := (box.UpperBound.X-box.LowerBound.X)/n, (box.UpperBound.Y-box.LowerBound.Y)/n
		for i := range n {
			for j := range n {
				p := box2d.B2Vec2{X: box.LowerBound.X + (float64(i)+.5)*dx, Y: box.LowerBound.Y + (float64(j)+.5)*dy}
				if outline.Contains(&at, geometry.Vec(p)) {
					m := 3 * dx * dy
					want.Mass += m
					want.Center = Plus(want.Center, m, p)
					want.I += m * Dot(p, p)
				}
			}
		}
		want.Center = Times(1/want.Mass, want.Center)
		got := MassOf(s, 3)
		if math.Abs(got.Mass/want.Mass-1) > 1e-3 || math.Abs(got.I/want.I-1) > 2e-3 || Length(box2d.B2Vec2Sub(got.Center, want.Center)) > 2e-3 {
			t.Errorf("%d corners, radius %v: %+v; the sum is %+v", s.M_count, s.M_radius, got, want)
		}
	}
}

func TestACapsuleIsAsHeavyAsItsRectangleAndItsTwoHalfDiscs(t *testing.T) {
	s, _ := NewRoundPolygon([]box2d.B2Vec2{{X: -1}, {X: 1}}, .3)
	m := MassOf(s, 1)
	if want := math.Pi*.09 + 2*.6; math.Abs(m.Mass-want) > 1e-12 || Length(m.Center) > 1e-12 {
		t.Errorf("%+v; the mass is %v, about the origin", m, want)
	}
	// The centroid of a half disc is 4r/3π from its flat side.
	half, c := math.Pi*.09/2, 4*.3/(3*math.Pi)
	if want := 1.2*(4+.36)/12 + 2*(half*.09/2-half*c*c+half*(1+c)*(1+c)); math.Abs(m.I-want) > 1e-12 {
		t.Errorf("inertia %v; it is %v", m.I, want)
	}
}

func TestTheBoxOfARoundPolygonTouchesIt(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 1000 {
		s, xf := randomRound(t, r), near(r)
		var outline geometry.Shape
		s.SetOutline(&outline)
		at := TransformOf(&xf)
		want, got := outline.Box(&at), s.Box(&xf)
		for i, d := range []float64{
			got.LowerBound.X - want.Min.X, got.LowerBound.Y - want.Min.Y, got.UpperBound.X - want.Max.X, got.UpperBound.Y - want.Max.Y,
		} {
			if math.Abs(d) > 1e-12 {
				t.Fatalf("side %d is off by %v", i, d)
			}
		}
	}
}
