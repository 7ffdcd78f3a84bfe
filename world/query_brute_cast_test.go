package world

import (
	"fmt"
	"math"
	"testing"

	"github.com/ByteArena/box2d"
)

// sweep is a cast that is answered with Box2D's distance function.
type sweep struct {
	probe    box2d.B2ShapeInterface
	radius   float64
	from, to Vec
	angle    float64
}

func (c *sweep) length() float64 { return distance(b2vec(c.from), b2vec(c.to)) }

// apart is the distance, m, between the cast shape and the fixture x, at a
// fraction of the way. The way is moved to the left by aside, m.
func (c *sweep) apart(t, aside float64, x *box2d.B2Fixture, child int) float64 {
	way, length := Vec{X: c.to.X - c.from.X, Y: c.to.Y - c.from.Y}, c.length()
	p := Vec{X: c.from.X + t*way.X - aside*way.Y/length, Y: c.from.Y + t*way.Y + aside*way.X/length}
	return between(c.probe, c.radius, transform(p, c.angle), x, child)
}

// patience is the greatest number of steps of brute force for one shape. After
// that brute force gives up, as when the cast only moves past the shape.
const patience = 1000

// first returns the fraction of the way at which the cast meets a shape, and the
// number of steps. It advances by the distance of the two shapes again and again,
// until the distance is 0.
func (c *sweep) first(aside float64, x *box2d.B2Fixture, child int) (t float64, steps int, ok bool) {
	for length := c.length(); t <= 1; steps++ {
		apart := c.apart(t, aside, x, child)
		if apart < unsure || steps > patience {
			return t, steps, true
		}
		t += apart / length
	}
	return t, steps, false
}

// touches reports whether the shapes touch at the given fraction of the way.
func (c *sweep) touches(x *box2d.B2Fixture, t float64) bool {
	for child := range x.M_shape.GetChildCount() {
		if c.apart(t, 0, x, child) <= unsure {
			return true
		}
	}
	return false
}

// slips reports whether the cast, moved a little to one side, passes a shape up to
// a fraction of the way. Then the cast itself may pass the shape at a distance
// below unsure, which brute force cannot tell from a touch.
func (c *sweep) slips(x *box2d.B2Fixture, until float64) bool {
	for _, aside := range []float64{3 * unsure, -3 * unsure} {
		hit := false
		for child := range x.M_shape.GetChildCount() {
			t, steps, ok := c.first(aside, x, child)
			hit = hit || ok && t < until && steps <= patience
		}
		if !hit {
			return true
		}
	}
	return false
}

// late is a tolerance, as a fraction of the way: a cast may meet a shape this much
// later than brute force, which stops at a distance of unsure.
const late = 1e-3

// castFault describes an error in the fractions at which a cast has met shapes. It
// returns "" if there is none.
func (q *questioner) castFault(f QueryFilter, c *sweep, got map[Shape]float64) error {
	hits, vague := map[Shape]float64{}, map[Shape]bool{}
	q.each(f, func(s *shape, x *box2d.B2Fixture, child int) {
		if t, steps, ok := c.first(0, x, child); ok {
			vague[s.handle] = vague[s.handle] || t == 0 || steps > 100 || t > 1-unsure
			if old, ok := hits[s.handle]; !ok || t < old {
				hits[s.handle] = t
			}
		}
	})
	for s, t := range hits {
		g, ok := got[s]
		if !ok {
			g = math.Inf(1) // a shape that is not met counts as met last
		}
		if g > t+late && !vague[s] && !c.slips(q.registry.shapes[s].fix, g-late) {
			return fmt.Errorf("%v at %v, want %v", s, g, t)
		}
	}
	for s, g := range got {
		if _, ok := hits[s]; !ok && (1-g)*c.length() > unsure {
			return fmt.Errorf("%v at %v, want none", s, g)
		}
		if !c.touches(q.registry.shapes[s].fix, g) {
			return fmt.Errorf("%v at %v does not touch; want %v", s, g, hits[s])
		}
	}
	return nil
}

func (q *questioner) casts() {
	f, from, to, angle := q.filter(), q.vec(4), q.vec(4), q.NormFloat64()*3
	if from == to {
		return
	}
	d, probe, radius := q.probe()
	got := map[Shape]float64{}
	last := 0.0
	ask := q.Query(f)
	check(q.t, ask.ShapeCastAll(d, from, to, angle, func(h RayHit) bool {
		if _, again := got[h.Shape]; again || h.Fraction < last {
			q.t.Fatalf("%v came twice or late", h)
		}
		got[h.Shape] = h.Fraction
		last = h.Fraction
		return true
	}))
	if err := q.castFault(f, &sweep{probe, radius, from, to, angle}, got); err != nil {
		q.t.Fatalf("cast %v from %v to %v turned by %v: %v", d, from, to, angle, err)
	}
	h, ok, err := ask.ShapeCast(d, from, to, angle)
	check(q.t, err)
	if ok != (len(got) > 0) {
		q.t.Fatalf("closest %+v, %v of %v", h, ok, got)
	}
	for s, g := range got {
		if g < h.Fraction || g == h.Fraction && s < h.Shape {
			q.t.Fatalf("closest is %v at %v, not %v at %v", s, g, h.Shape, h.Fraction)
		}
	}
	q.saw("casts", len(got))
}

// The end of an edge passes a corner of a chain at a distance of 0.23 µm, which is
// too far to touch it, and meets a segment behind it.
func TestBruteForceTellsACastThatSlipsPastACornerFromAWrongOne(t *testing.T) {
	q := &questioner{rig: newRig(t, Config{NoGravity: true})}
	defer q.Close()
	q.body(BodyDef{
		Position: Vec{X: -1, Y: 3}, Angle: math.Atan2(-0.9428804285616185, 0.33313135162493906),
		Shapes: []ShapeDef{Chain(Vec{X: 2.5, Y: 0}, Vec{X: 3, Y: 1}, Vec{X: 3.5, Y: .5}, Vec{X: 4, Y: .5}, Vec{X: 4.5, Y: 1})},
	})
	q.start()
	d := Edge(Vec{X: -0.22088002585200373, Y: 0.0035303137260959683}, Vec{X: 0.47254788051204194, Y: 0.8521943607182303})
	probe, err := d.build()
	check(t, err)
	c := &sweep{probe, 0, Vec{X: 2.1384529687321496, Y: 4.5278452771398445}, Vec{X: -1, Y: -5}, -2.4614988450350186}
	h, ok, err := q.Query(QueryFilter{}).ShapeCast(d, c.from, c.to, c.angle)
	check(t, err)
	if corner, _, _ := c.first(0, q.registry.shapes[h.Shape].fix, 0); !ok || h.Fraction < corner+late {
		t.Fatalf("met %v at %v, want behind the corner at %v", ok, h.Fraction, corner)
	}
	answer := func(fraction float64) map[Shape]float64 { return map[Shape]float64{h.Shape: fraction} }
	if err := q.castFault(QueryFilter{}, c, answer(h.Fraction)); err != nil {
		t.Errorf("the right answer is called wrong: %v", err)
	}
	for what, wrong := range map[string]map[Shape]float64{
		"nothing":            {},
		"before the corner":  answer(h.Fraction - .01),
		"behind the corner":  answer(h.Fraction - .004),
		"behind the segment": answer(h.Fraction + .002),
	} {
		if q.castFault(QueryFilter{}, c, wrong) == nil {
			t.Errorf("an answer is called right that meets %s", what)
		}
	}
}
