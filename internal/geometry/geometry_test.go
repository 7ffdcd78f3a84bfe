package geometry

import (
	"math"
	"math/rand/v2"
	"testing"
)

const tolerance = 1e-8 // m, for rounding

func TestDistanceIsTheWidestGapInAnyDirection(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 5_000 {
		a, aAt := random(r)
		b, bAt := random(r)
		a = placed(a, aAt)
		got := Distance(&a, &b, &bAt)
		b = placed(b, bAt)
		if want := gap(&a, &b); math.Abs(got-want) > tolerance {
			t.Fatalf("%d: distance %v, want %v, of\n%+v\n%+v", i, got, want, a, b)
		}
	}
}

func TestAHullContainsItsPointsAndNoMore(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 4_000 {
		points := make([]Vec, 1+r.IntN(MaxPoints))
		for i := range points {
			points[i] = Vec{X: float64(r.IntN(5)), Y: float64(r.IntN(5))} // many of these points are equal or in line
		}
		var s Shape
		s.SetHull(points, 0)
		corners := map[Vec]bool{}
		for i := range s.N {
			corners[s.Points[i]] = true
			if turn := s.Points[wrap(i+1, s.N)].Sub(s.Points[i]).Cross(s.Points[wrap(wrap(i+1, s.N)+1, s.N)].Sub(s.Points[i])); s.N > 2 && turn <= 0 {
				t.Fatalf("%v of %v is not convex", s.Points[:s.N], points)
			}
		}
		given := map[Vec]bool{}
		for _, p := range points {
			given[p] = true
			dot := Shape{N: 1, Points: [MaxPoints]Vec{p}}
			if d := Distance(&dot, &s, &here); d > 1e-12 {
				t.Fatalf("%v is %v outside of the hull %v of %v", p, d, s.Points[:s.N], points)
			}
		}
		for p := range corners {
			if !given[p] {
				t.Fatalf("%v has a corner that is not in %v", s.Points[:s.N], points)
			}
		}
		if len(corners) != s.N {
			t.Fatalf("%v has a corner twice", s.Points[:s.N])
		}
	}
}

func TestAPointIsContainedWhereItsDistanceIsNotPositive(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	inside := 0
	for range 20_000 {
		s, at := random(r)
		p := at.Point(Vec{X: r.NormFloat64(), Y: r.NormFloat64()})
		dot := Shape{N: 1, Points: [MaxPoints]Vec{p}}
		d := Distance(&dot, &s, &at)
		if s.N == 2 && s.Radius == 0 {
			if s.Contains(&at, p) {
				t.Fatal("a segment contains a point")
			}
			continue
		}
		if got := s.Contains(&at, p); got != (d <= 0) && math.Abs(d) > tolerance {
			t.Fatalf("contained %v, distance %v: %+v", got, d, s)
		} else if got {
			inside++
		}
	}
	if inside < 1000 {
		t.Errorf("only %d points were inside", inside)
	}
}

// The test follows a ray in small steps.
func TestARayIsOutsideUpToItsHitAndTouchesThere(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	hits, misses := 0, 0
	for i := range 5_000 {
		s, at := random(r)
		from, to := Vec{X: r.NormFloat64() * 4, Y: r.NormFloat64() * 4}, Vec{X: r.NormFloat64() * 4, Y: r.NormFloat64() * 4}
		distance := func(part float64) float64 {
			dot := Shape{N: 1, Points: [MaxPoints]Vec{partway(from, to, part)}}
			return Distance(&dot, &s, &at)
		}
		f, n, hit := s.RayCast(&at, from, to, 1)
		last := 1.0
		if hit {
			hits++
			last = f
			if d := distance(f); math.Abs(d) > tolerance && !(s.N == 2 && d < 0) {
				t.Fatalf("%d: %v from the outline at the hit: %+v", i, d, s)
			}
			if toward := n.Dot(to.Sub(from)); math.Abs(lengthOf(n)-1) > 1e-9 || toward > tolerance {
				t.Fatalf("%d: normal %v of %+v", i, n, s)
			}
		} else {
			misses++
		}
		starts := distance(0) < tolerance
		for part := 0.0; part < last && !starts; part += 1. / 64 {
			if d := distance(part); d < -tolerance {
				t.Fatalf("%d: the ray is %v inside at %v, hit %v at %v: %+v", i, -d, part, hit, f, s)
			}
		}
		if starts && hit && distance(0) < -tolerance {
			t.Fatalf("%d: a ray hits what it starts in: %+v", i, s)
		}
		if g, _, again := s.RayCast(&at, from, to, f/2); hit && again && f > 0 {
			t.Fatalf("%d: hit at %v, beyond the most of %v", i, g, f/2)
		}
	}
	if hits < 500 || misses < 500 {
		t.Errorf("%d hits, %d misses", hits, misses)
	}
}

func TestACastIsApartUpToItsTouchAndTouchesThere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	hits, misses, overlaps := 0, 0, 0
	for i := range 5_000 {
		a, aAt := random(r)
		b, bAt := random(r)
		aAt.P = aAt.P.Mul(3)
		a = placed(a, aAt)
		way := Vec{X: r.NormFloat64() * 6, Y: r.NormFloat64() * 6}
		if r.IntN(4) == 0 {
			way = Vec{X: 0, Y: -5}
		}
		distance := func(part float64) float64 {
			moved := a
			for k := range a.N {
				moved.Points[k] = a.Points[k].Add(way.Mul(part))
			}
			return Distance(&moved, &b, &bAt)
		}
		c, hit := Cast(&a, way, &b, &bAt)
		if d := distance(0); d <= Slack {
			overlaps++
			if hit && c.Fraction != 0 {
				t.Fatalf("%d: overlaps, and touches at %v", i, c.Fraction)
			}
			if d < -tolerance {
				// after a hit, moving on makes the overlap deeper, and only then
				if after := distance(1e-6 / lengthOf(way)); hit != (after < d-1e-12) && math.Abs(after-d) > 1e-10 {
					t.Fatalf("%d: touches: %v, deeper by %v:\n%+v\n%+v way %v", i, hit, d-after, a, b, way)
				}
			}
			continue
		}
		last := 1.0
		if hit {
			hits++
			last = c.Fraction
			if d := distance(c.Fraction); math.Abs(d) > tolerance {
				t.Fatalf("%d: %v apart at the touch:\n%+v\n%+v way %v", i, d, a, b, way)
			}
			dot := Shape{N: 1, Points: [MaxPoints]Vec{c.Point}}
			if d := Distance(&dot, &b, &bAt); math.Abs(d) > tolerance && !(b.N == 2 && math.Abs(d) < tolerance) {
				t.Fatalf("%d: the point is %v from the shape", i, d)
			}
			dot.Points[0] = c.Point.Sub(way.Mul(c.Fraction))
			if d := Distance(&dot, &a, &here); math.Abs(d) > tolerance {
				t.Fatalf("%d: the point is %v from the shape that moves", i, d)
			}
			if c.Normal.Dot(way) > tolerance || math.Abs(lengthOf(c.Normal)-1) > tolerance {
				t.Fatalf("%d: normal %v, way %v", i, c.Normal, way)
			}
		} else {
			misses++
		}
		for part := 0.0; part < last; part += 1. / 64 {
			if d := distance(part); d < -tolerance {
				t.Fatalf("%d: %v deep at %v, touch %v at %v:\n%+v\n%+v way %v", i, -d, part, hit, c.Fraction, a, b, way)
			}
		}
	}
	if hits < 500 || misses < 500 || overlaps < 500 {
		t.Errorf("%d hits, %d misses, %d overlaps", hits, misses, overlaps)
	}
}

func TestABoxCastOnAFlatLineTouchesItWhereverItFalls(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 10_000 {
		angle := r.Float64() * 7
		at := NewTransform(Vec{X: r.NormFloat64() * 1000, Y: r.NormFloat64() * 1000}, angle)
		var line, box Shape
		line.SetSegment(Vec{X: -1, Y: 0}, Vec{X: 1, Y: 0}, 0)
		h := r.Float64()
		box.SetHull([]Vec{{X: -h, Y: 1}, {X: h, Y: 1}, {X: h, Y: 1 + h}, {X: -h, Y: 1 + h}}, 0)
		if r.IntN(2) == 0 {
			box.SetSegment(Vec{X: -h, Y: 1}, Vec{X: h, Y: 1}, 0) // flat on flat
		}
		standing := box
		box.Place(&standing, &at)
		c, ok := Cast(&box, at.Direction(Vec{X: 0, Y: -2}), &line, &at)
		up := at.Direction(Vec{X: 0, Y: 1})
		if !ok || math.Abs(c.Fraction-.5) > 1e-9 || lengthOf(c.Normal.Sub(up)) > 1e-6 {
			t.Fatalf("%+v, %v; want half way with normal %v", c, ok, up)
		}
	}
}

func TestARayDoesNotPassBetweenTwoSegmentsThatMeet(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for i := range 100_000 {
		at := NewTransform(Vec{X: r.NormFloat64() * 100, Y: r.NormFloat64() * 100}, r.Float64()*7)
		corner := Vec{X: r.NormFloat64() * 10, Y: r.NormFloat64()}
		var left, right Shape
		left.SetSegment(Vec{X: corner.X - 1 - r.Float64(), Y: r.NormFloat64()}, corner, 0)
		right.SetSegment(corner, Vec{X: corner.X + 1 + r.Float64(), Y: r.NormFloat64()}, 0)
		from, to := at.Point(Vec{X: corner.X, Y: 20}), at.Point(Vec{X: corner.X, Y: -20})
		_, _, one := left.RayCast(&at, from, to, 1)
		_, _, two := right.RayCast(&at, from, to, 1)
		if !one && !two {
			t.Fatalf("%d: the ray passes through the corner %v", i, corner)
		}
	}
}

func TestACastAtACornerHitsIt(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for i := range 20_000 {
		s, at := random(r)
		s.Radius = 0
		corner := at.Point(s.Points[r.IntN(s.N)])
		way := Vec{X: r.NormFloat64(), Y: r.NormFloat64()}
		var dot Shape
		dot.SetCircle(corner.Sub(way), 0)
		if Distance(&dot, &s, &at) < 1e-3 {
			continue
		}
		if _, ok := Cast(&dot, way.Mul(2), &s, &at); !ok {
			t.Fatalf("%d: a point passes the corner %v along %v: %+v", i, corner, way, s)
		}
	}
}

// All corners of the difference are on one line, and the origin is on this line as well.
func TestSegmentsInLineAreAsFarApartAsTheirEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for i := range 20_000 {
		from, to := Vec{X: r.NormFloat64(), Y: r.NormFloat64()}, Vec{X: r.NormFloat64(), Y: r.NormFloat64()}
		var a, b Shape
		a.SetSegment(from, partway(from, to, .3), 0)
		b.SetSegment(partway(from, to, .4+r.Float64()), partway(from, to, 2), 0)
		want := lengthOf(b.Points[0].Sub(a.Points[1]))
		if got := Distance(&a, &b, &here); math.Abs(got-want) > tolerance {
			t.Fatalf("%d: distance %v, want %v, of %v and %v", i, got, want, a.Points[:2], b.Points[:2])
		}
	}
}

func TestSenselessInputIsAnsweredToo(t *testing.T) {
	odd := []float64{0, 1, -1, 1e-300, 1e300, math.MaxFloat64, math.Inf(1), math.NaN(), 1e9}
	r := rand.New(rand.NewPCG(8, 8))
	number := func() float64 { return odd[r.IntN(len(odd))] }
	vec := func() Vec { return Vec{X: number(), Y: number()} }
	shape := func() (s Shape) {
		points := make([]Vec, 1+r.IntN(MaxPoints))
		for i := range points {
			points[i] = vec()
		}
		switch r.IntN(3) {
		case 0:
			s.SetHull(points, number())
		case 1:
			s.SetSegment(vec(), vec(), number())
		case 2:
			s.SetCircle(vec(), number())
		}
		return s
	}
	for range 20_000 {
		a, b, at := shape(), shape(), NewTransform(vec(), number())
		Distance(&a, &b, &at)
		Cast(&a, vec(), &b, &at)
		b.RayCast(&at, vec(), vec(), 1)
		b.Contains(&at, vec())
		b.Box(&at)
		b.Area()
	}
}

func TestACastFromWhereOneEndedGoesAlongAndNotIn(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	met := 0
	for range 40000 {
		a, _ := random(r)
		b, at := random(r)
		way := Vec{X: r.NormFloat64(), Y: r.NormFloat64()}.Mul(4)
		hit, ok := Cast(&a, way, &b, &at)
		if !ok || hit.Fraction == 0 || a.Radius < .01 { // a thin shape can leave on the other side
			continue
		}
		step := NewTransform(way.Mul(hit.Fraction), 0)
		a = placed(a, step)
		into, along := hit.Normal.Mul(-1), Vec{X: -hit.Normal.Y, Y: hit.Normal.X}
		if d := Distance(&a, &b, &at); math.Abs(d) > 1e-8 {
			continue // rounding, of large shapes
		}
		met++
		if again, ok := Cast(&a, into, &b, &at); !ok || again.Fraction > 1e-7 {
			t.Fatalf("%+v\n%+v at %+v\ntouching, it goes in: %+v, %v", a, b, at, again, ok)
		}
		for _, way := range []Vec{along, along.Mul(-1)} {
			if again, ok := Cast(&a, way, &b, &at); ok && again.Normal.Dot(way) > -parallel {
				t.Fatalf("%+v\n%+v at %+v\nit does not go along: %+v", a, b, at, again)
			}
		}
	}
	if met < 1000 {
		t.Errorf("only %d touched", met)
	}
}

func TestARayThatStartsOnAnOutlineAndGoesInMeetsIt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 2000 {
		angle := 6 * r.Float64()
		at := Transform{P: Vec{X: 20 * r.NormFloat64(), Y: 20 * r.NormFloat64()}, Sin: math.Sin(angle), Cos: math.Cos(angle)}
		var s Shape
		var on Vec // a point on the outline, in the shape's frame; the outward normal there points up
		switch x := r.Float64()*2 - 1; n % 3 {
		case 0:
			s.SetCircle(Vec{}, .5)
			on = Vec{X: 0, Y: .5}
		case 1:
			s.SetSegment(Vec{X: -1, Y: 0}, Vec{X: 1, Y: 0}, .5)
			on = Vec{X: x, Y: .5}
		case 2:
			s.SetHull([]Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}}, .5)
			on = Vec{X: x, Y: 1.5}
		}
		up := at.Direction(Vec{X: 0, Y: 1})
		from := at.Point(on)
		in, out := from.Add(at.Direction(Vec{X: .1, Y: -1})), from.Add(at.Direction(Vec{X: .1, Y: 1}))
		fraction, normal, hit := s.RayCast(&at, from, in, 1)
		if !hit || fraction > 1e-8 || normal.Dot(up) < 1-1e-6 {
			t.Fatalf("shape %d, inwards: %v at %v, normal %v, want a hit at 0 with %v", n%3, hit, fraction, normal, up)
		}
		if _, _, hit := s.RayCast(&at, from, out, 1); hit {
			t.Fatalf("shape %d: a ray outwards meets it", n%3)
		}
	}
}

func TestARayAlongASegmentMeetsTheEndThatItComesTo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		angle := 6 * r.Float64()
		at := Transform{P: Vec{X: 20 * r.NormFloat64(), Y: 20 * r.NormFloat64()}, Sin: math.Sin(angle), Cos: math.Cos(angle)}
		var s Shape
		s.SetSegment(Vec{X: -1, Y: 0}, Vec{X: 1, Y: 0}, 0)
		along := at.Direction(Vec{X: 1, Y: 0})
		ray := func(from, to float64) (float64, Vec, bool) {
			return s.RayCast(&at, at.Point(Vec{X: from, Y: 0}), at.Point(Vec{X: to, Y: 0}), 1)
		}
		if f, n, hit := ray(-3, 5); !hit || math.Abs(f-.25) > 1e-8 || lengthOf(n.Add(along)) > 1e-6 {
			t.Fatalf("from the left: %v at %v, normal %v", hit, f, n)
		}
		if f, _, hit := ray(2, -2); !hit || math.Abs(f-.25) > 1e-8 {
			t.Fatalf("from the right: %v at %v", hit, f)
		}
		for _, c := range [][2]float64{{-3, -1.1}, {2, 5}, {0, 5}, {0, .5}} {
			if _, _, hit := ray(c[0], c[1]); hit {
				t.Fatalf("from %v to %v: it meets the segment", c[0], c[1])
			}
		}
	}
}
