package scene

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/internal/geometry"
	"halfstep/internal/query"
)

// at returns the handles of the shapes that are shown at a point.
func at(v *View[body2d.State], x, y float64, f query.Filter) (found []uint64) {
	index := indexOf(v)
	q := index.Begin()
	q.Point(f, geometry.Vec{X: x, Y: y})
	index.Search(q)
	i, end := q.Found()
	for _, h := range q.Hits[i:end] {
		found = append(found, h.Shape)
	}
	q.Release(i)
	slices.Sort(found)
	return found
}

// populated returns a view with many random bodies. The states of the view
// may be blended.
func populated(r *rand.Rand, bodies int) *View[body2d.State] {
	v := &View[body2d.State]{Scene: New(), Dt: 1. / 60, PrevSerial: 1, CurSerial: 2, Alpha: .4}
	id := uint32(0)
	for slot := range int32(bodies) {
		kind := uint8(r.IntN(3))
		x, y, angle := r.Float32()*8, r.Float32()*8, r.NormFloat64()*5
		f := body2d.Flags(0)
		if r.IntN(3) == 0 {
			f = f.WithSmoothing(modes[r.IntN(len(modes))])
		}
		if r.IntN(8) == 0 {
			f |= body2d.Jump
		}
		p, c := state(x, y, angle, 0, 1), state(x+r.Float32(), y+r.Float32(), angle+r.Float64(), f, 1)
		c.VX, c.VY, c.Omega = r.Float32()*20, r.Float32()*20, r.Float32()*20
		if r.IntN(10) == 0 {
			c.SetBits(0, 1) // gone
		}
		v.Prev, v.Cur = append(v.Prev, *p), append(v.Cur, *c)
		if r.IntN(10) == 0 {
			continue // not known yet
		}
		v.Scene.Apply(&body2d.Structure{Kind: body2d.BodyAdded, Slot: slot, Handle: uint64(slot) + 1, BodyType: kind, LocalX: r.Float32(), LocalY: r.Float32()})
		for range 1 + r.IntN(2) {
			id++
			g := body2d.Geometry{Kind: body2d.Disc, N: 1, Radius: .2 + r.Float32(), Sensor: r.IntN(5) == 0}
			g.Points[0] = [2]float32{r.Float32(), r.Float32()}
			switch r.IntN(3) {
			case 0:
				g.Kind, g.Radius, g.N = body2d.Convex, 0, 4
				w, h := r.Float32(), r.Float32()
				g.Points = [8][2]float32{{-w, -h}, {w, -h}, {w, h}, {-w, h}}
			case 1:
				g.Kind, g.Radius, g.N = body2d.Polyline, 0, uint8(2+r.IntN(7))
				for k := range g.Points {
					g.Points[k] = [2]float32{float32(k) / 2, r.Float32()}
				}
			}
			v.Scene.Apply(&body2d.Structure{Kind: body2d.ShapeAdded, Slot: slot, ID: id, Handle: uint64(id), Shape: g})
		}
	}
	return v
}

// withinBy reports whether a shape contains a point. It also returns the
// distance of the point from the outline.
func (g *Shape) withinBy(v *View[body2d.State], x, y float64) (inside bool, margin float64) {
	p, ok := PoseOf(v, int(g.Slot))
	if !ok || g.Kind == body2d.Polyline {
		return false, 1
	}
	b := &v.Scene.Bodies[g.Slot]
	ox, oy := p.Origin(b.LocalX, b.LocalY)
	sin, cos := math.Sincos(float64(p.Angle))
	lx, ly := cos*(x-ox)+sin*(y-oy), cos*(y-oy)-sin*(x-ox)
	if g.Kind == body2d.Disc {
		d := float64(g.Radius) - math.Hypot(lx-float64(g.Points[0][0]), ly-float64(g.Points[0][1]))
		return d >= 0, math.Abs(d)
	}
	w, h := float64(g.Points[2][0]), float64(g.Points[2][1])
	d := min(w-math.Abs(lx), h-math.Abs(ly))
	return d >= 0, math.Abs(d)
}

// The shapes at a point are those that contain the point when they are at
// their PoseOf. Pick returns the topmost of the shapes that move. If none
// moves, it returns the topmost shape.
func TestWhatIsAtAPointIsWhatIsShownThere(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	found, picked, static := 0, 0, 0
	for range 100 {
		v := populated(r, 1+r.IntN(60))
		for _, v.Smoothing = range modes {
			for range 10 {
				v.Alpha = r.Float32()
				x, y := r.Float64()*10-1, r.Float64()*10-1
				var want []uint64
				best, moves, clear := -1, false, true
				for i := range v.Scene.Shapes {
					s := &v.Scene.Shapes[i]
					inside, margin := s.withinBy(v, x, y)
					clear = clear && margin > 1e-5
					if !inside {
						continue
					}
					want = append(want, s.Handle)
					dynamic := !v.Scene.Bodies[s.Slot].Static()
					if dynamic && !moves || dynamic == moves && int(s.Slot) > best {
						best, moves = int(s.Slot), dynamic
					}
				}
				if !clear {
					continue
				}
				slices.Sort(want)
				if got := at(v, x, y, query.Filter{Sensors: true}); !slices.Equal(got, want) {
					t.Fatalf("%v: shapes %v at (%v, %v), want %v", v.Smoothing, got, x, y, want)
				}
				slot, ok := Pick(v, x, y)
				if ok != (best >= 0) || ok && slot != best {
					t.Fatalf("picked %v, %v, want %v", slot, ok, best)
				}
				found += len(want)
				if ok && moves {
					picked++
				} else if ok {
					static++
				}
			}
		}
	}
	if found < 1000 || picked < 500 || static < 100 {
		t.Errorf("%d shapes, %d bodies that move and %d static ones", found, picked, static)
	}
}

func TestTheIndexFollowsEveryChangeOfThePicture(t *testing.T) {
	for kind := range uint8(3) {
		followChanges(t, kind)
	}
}

func followChanges(t *testing.T, kind uint8) {
	v := &View[body2d.State]{Scene: New(), Dt: 1. / 60, PrevSerial: 1, CurSerial: 2}
	v.Prev, v.Cur = []body2d.State{*state(0, 0, 0, 0, 1)}, []body2d.State{*state(10, 0, 0, 0, 1)}
	v.Cur[0].VX = 60
	disc := body2d.Structure{Kind: body2d.ShapeAdded, ID: 1, Handle: 7, Shape: body2d.Geometry{Radius: .5}}
	v.Scene.Apply(&body2d.Structure{Kind: body2d.BodyAdded, Handle: 1, BodyType: kind})
	v.Scene.Apply(&disc)
	for _, c := range []struct {
		what   string
		change func()
		x      float64
	}{
		{"nothing", func() {}, 0},
		{"the instant", func() { v.Alpha = .5 }, 5},
		{"the smoothing", func() { v.Smoothing = body2d.Newest }, 10},
		{"the time of a tick", func() { v.Smoothing, v.Dt = body2d.Extrapolate, 1 }, 40},
		{"the states", func() { v.Cur[0].X, v.CurSerial, v.Smoothing = 20, 3, body2d.Interpolate }, 10},
		{"the states before", func() { v.Prev[0].X, v.PrevSerial = 10, 2 }, 15},
		{"the centre of mass", func() {
			v.Scene.Apply(&body2d.Structure{Kind: body2d.BodyChanged, Handle: 1, LocalX: 3, BodyType: kind})
		}, 12},
		{"the shape", func() {
			v.Scene.Apply(&body2d.Structure{Kind: body2d.ShapeRemoved, ID: 1})
			disc.Shape.Points[0][0] = 1
			v.Scene.Apply(&disc)
		}, 13},
	} {
		c.change()
		for range 2 {
			if got := at(v, c.x, 0, query.Filter{}); !slices.Equal(got, []uint64{7}) {
				t.Errorf("kind %d: after a change of %s there is %v at %v", kind, c.what, got, c.x)
			}
		}
	}
	v.Scene.Apply(&body2d.Structure{Kind: body2d.BodyRemoved})
	if got := at(v, 13, 0, query.Filter{}); got != nil {
		t.Errorf("the body that was removed is still at its place: %v", got)
	}
}

func TestTheIndexIsBuiltOnceForAPicture(t *testing.T) {
	v := populated(rand.New(rand.NewPCG(8, 8)), 50)
	for slot := range v.Scene.Bodies {
		if v.Scene.Bodies[slot].Static() { // static bodies do not move
			v.Cur[slot].VX, v.Cur[slot].VY, v.Cur[slot].Omega = 0, 0, 0
			v.Prev[slot] = v.Cur[slot]
		}
	}
	x := indexOf(v)
	spoilt := geometry.Box{}
	moving, resting := &x.moving.leaves[0].box, &x.resting.nodes[0].box
	for _, c := range []struct {
		what                    string
		change                  func()
		keepMoving, keepResting bool
	}{
		{"nothing", func() {}, true, true},
		{"the instant", func() { v.Alpha = .7 }, false, true},
		{"the serial", func() { v.CurSerial++ }, false, true},
	} {
		*moving, *resting = spoilt, spoilt
		c.change()
		indexOf(v)
		if (*moving == spoilt) != c.keepMoving || (*resting == spoilt) != c.keepResting {
			t.Errorf("after a change of %s: built again: moving %v, resting %v", c.what, *moving != spoilt, *resting != spoilt)
		}
	}
}

func TestDisabledBodiesAreFoundOnRequest(t *testing.T) {
	v := &View[body2d.State]{Scene: New(), Cur: []body2d.State{*state(0, 0, 0, body2d.Disabled, 1)}}
	v.Scene.Apply(&body2d.Structure{Kind: body2d.BodyAdded, Handle: 1})
	v.Scene.Apply(&body2d.Structure{Kind: body2d.ShapeAdded, ID: 1, Handle: 7, Shape: body2d.Geometry{Radius: .5}})
	if got := at(v, 0, 0, query.Filter{}); got != nil {
		t.Errorf("found %v", got)
	}
	if got := at(v, 0, 0, query.Filter{Disabled: true}); !slices.Equal(got, []uint64{7}) {
		t.Errorf("found %v on request", got)
	}
	if _, ok := Pick(v, 0, 0); !ok {
		t.Error("a disabled body is drawn and can not be picked")
	}
}

func TestAnyNumberOfShapesMayBeInOnePlace(t *testing.T) {
	v := &View[body2d.State]{Scene: New(), Cur: []body2d.State{*state(3, 4, 1, 0, 1)}}
	v.Scene.Apply(&body2d.Structure{Kind: body2d.BodyAdded, Handle: 1, BodyType: 2})
	var want []uint64
	for id := range uint32(100) {
		v.Scene.Apply(&body2d.Structure{Kind: body2d.ShapeAdded, ID: id, Handle: uint64(id), Shape: body2d.Geometry{Radius: .5}})
		want = append(want, uint64(id))
	}
	if got := at(v, 3, 4, query.Filter{}); !slices.Equal(got, want) {
		t.Errorf("found %v", got)
	}
}

func TestASceneOfSenselessStatesAnswers(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	v := populated(rand.New(rand.NewPCG(9, 9)), 60)
	var clear []uint64
	for i := range v.Cur {
		switch i % 4 {
		case 0:
			v.Cur[i].X = nan
		case 1:
			v.Cur[i].Y, v.Cur[i].VX = inf, -inf
		case 2:
			v.Cur[i].Angle = nan
		}
	}
	for i := range v.Scene.Shapes {
		if s := &v.Scene.Shapes[i]; s.Slot%4 == 3 && s.Kind == body2d.Disc {
			p, ok := PoseOf(v, int(s.Slot))
			if !ok {
				continue
			}
			b := &v.Scene.Bodies[s.Slot]
			x, y := p.Origin(b.LocalX, b.LocalY)
			sin, cos := math.Sincos(float64(p.Angle))
			px, py := float64(s.Points[0][0]), float64(s.Points[0][1])
			if !slices.Contains(at(v, x+cos*px-sin*py, y+sin*px+cos*py, query.Filter{Sensors: true}), s.Handle) {
				t.Errorf("shape %d is hidden by others that are nowhere", s.Handle)
			}
			clear = append(clear, s.Handle)
		}
	}
	if len(clear) == 0 {
		t.Fatal("no shape to find")
	}
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		if _, ok := Pick(v, x, 0); ok {
			t.Errorf("something is at %v", x)
		}
	}
}

// Queries accept a view that a program has made itself, as BoundsOf and the renderer do.
func TestInAViewWithoutASceneNothingIsFound(t *testing.T) {
	if slot, ok := Pick(&View[body2d.State]{}, 0, 0); ok {
		t.Errorf("body %d", slot)
	}
}
