package scene

import (
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/buffer/body2d"
)

func TestScreenAndWorldAreInverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		c := Camera{rng.NormFloat64() * 1000, rng.NormFloat64() * 1000, math.Exp(rng.NormFloat64() * 4)}
		w, h := 1+rng.IntN(3000), 1+rng.IntN(2000)
		x, y := rng.Float64()*float64(w), rng.Float64()*float64(h)
		wx, wy := c.ScreenToWorld(x, y, w, h)
		sx, sy := c.WorldToScreen(wx, wy, w, h)
		// in pixels: the coordinates of the world have an error of 2^-52 of their size
		slack := 1e-9 + 1e-12*c.Scale(h)
		if math.Abs(sx-x) > slack || math.Abs(sy-y) > slack {
			t.Fatalf("%v %dx%d: (%v, %v) came back as (%v, %v)", c, w, h, x, y, sx, sy)
		}
	}
}

func TestScreenRunsDownAndWorldUp(t *testing.T) {
	c := Camera{X: 3, Y: -2, Height: 10}
	if x, y := c.ScreenToWorld(0, 0, 200, 100); x != 3-10 || y != -2+5 {
		t.Errorf("top left is (%v, %v)", x, y)
	}
	if x, y := c.WorldToScreen(3, -7, 200, 100); x != 100 || y != 100 {
		t.Errorf("bottom centre is (%v, %v)", x, y)
	}
}

func TestMatrixAgreesWithWorldToScreen(t *testing.T) {
	c := Camera{X: 3, Y: -2, Height: 7}
	w, h := 640, 360
	m := c.Matrix(w, h)
	for _, p := range [][2]float64{{0, 0}, {3, -2}, {5.5, 1.25}, {-4, -6}} {
		cx := float64(m[0])*p[0] + float64(m[4])*p[1] + float64(m[12])
		cy := float64(m[1])*p[0] + float64(m[5])*p[1] + float64(m[13])
		x, y := c.WorldToScreen(p[0], p[1], w, h)
		if math.Abs((cx+1)/2*float64(w)-x) > 1e-3 || math.Abs((1-cy)/2*float64(h)-y) > 1e-3 {
			t.Errorf("%v: clip (%v, %v), screen (%v, %v)", p, cx, cy, x, y)
		}
	}
}

func TestZoomKeepsThePointUnderTheCursor(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		c := Camera{rng.NormFloat64() * 100, rng.NormFloat64() * 100, math.Exp(rng.NormFloat64() * 6)}
		x, y := rng.Float64()*1280, rng.Float64()*720
		wx, wy := c.ScreenToWorld(x, y, 1280, 720)
		c = c.ZoomAt(x, y, 1280, 720, math.Exp(rng.NormFloat64()*0.5))
		sx, sy := c.WorldToScreen(wx, wy, 1280, 720)
		slack := 1e-9 + 1e-15*(math.Abs(c.X)+math.Abs(c.Y)+c.Height)*c.Scale(720)
		if math.Abs(sx-x) > slack || math.Abs(sy-y) > slack {
			t.Fatalf("(%v, %v) moved to (%v, %v) with %v", x, y, sx, sy, c)
		}
		if c.Height < minHeight || c.Height > maxHeight {
			t.Fatalf("height %v", c.Height)
		}
	}
	c := Camera{X: 12, Y: 5, Height: 30}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if got := c.ZoomAt(1, 2, 1280, 720, bad); got != c {
			t.Errorf("factor %v gave %v", bad, got)
		}
	}
}

func TestPanFollowsTheCursor(t *testing.T) {
	c := Camera{X: 1, Y: 2, Height: 10}
	wx, wy := c.ScreenToWorld(100, 50, 640, 360)
	x, y := c.Pan(30, -20, 360).WorldToScreen(wx, wy, 640, 360)
	if math.Abs(x-130) > 1e-9 || math.Abs(y-30) > 1e-9 {
		t.Errorf("the point is at (%v, %v)", x, y)
	}
}

func TestFitShowsAllOfTheBounds(t *testing.T) {
	for _, b := range []Bounds{{-1, -2, 30, 5}, {-1, -20, 3, 50}, {7, 8, 7, 8}, {100, 0, 101, 0}} {
		for _, size := range [][2]int{{1280, 720}, {300, 900}, {1, 1}} {
			w, h := size[0], size[1]
			c := Camera{}.Fit(b, w, h)
			x0, y1 := c.WorldToScreen(b.MinX, b.MinY, w, h)
			x1, y0 := c.WorldToScreen(b.MaxX, b.MaxY, w, h)
			if x0 < 0 || y0 < 0 || x1 > float64(w) || y1 > float64(h) {
				t.Errorf("%v in %v: (%v, %v) to (%v, %v)", b, size, x0, y0, x1, y1)
			}
			if math.Abs((x0+x1)/2-float64(w)/2) > 1e-6 || math.Abs((y0+y1)/2-float64(h)/2) > 1e-6 {
				t.Errorf("%v in %v is off centre", b, size)
			}
		}
	}
	c := Camera{1, 2, 3}
	if got := c.Fit(noBounds, 640, 360); got != c {
		t.Errorf("no bounds gave %v", got)
	}
}

func TestViewBoundsTurnWithTheBody(t *testing.T) {
	s := New()
	s.Apply(&body2d.Structure{Kind: body2d.BodyAdded, Slot: 0, Handle: 1, LocalX: 1})
	s.Apply(&body2d.Structure{Kind: body2d.ShapeAdded, Slot: 0, ID: 1, Shape: body2d.Geometry{
		Kind: body2d.Disc, N: 1, Radius: 0.5, Points: [8][2]float32{{3, 0}},
	}})
	var state body2d.State
	state.X, state.Y = 10, 20
	state.SetAngle(math.Pi / 2)
	state.SetBits(body2d.Alive, 0)
	v := &View[body2d.State]{Prev: []body2d.State{state}, Cur: []body2d.State{state}, Scene: s}
	got := BoundsOf(v)
	// the disc is 2 m from the centre of mass, now upwards
	want := Bounds{9.5, 21.5, 10.5, 22.5}
	for _, d := range []float64{got.MinX - want.MinX, got.MinY - want.MinY, got.MaxX - want.MaxX, got.MaxY - want.MaxY} {
		if math.Abs(d) > 1e-5 {
			t.Fatalf("%v, not %v", got, want)
		}
	}
	v.Cur[0].SetBits(0, 0)
	if b := BoundsOf(v); !b.Empty() {
		t.Errorf("a dead slot has bounds %v", b)
	}
}
