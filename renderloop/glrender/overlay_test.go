package glrender

import (
	"image"
	"math"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/scene"

	"github.com/go-gl/mathgl/mgl32"
)

var meadow = body2d.Colour{30, 90, 60, 255}

// over draws an overlay over a plain picture.
func over(t *testing.T, r *Renderer, v *view, m mgl32.Mat4, fb Viewport, l body2d.Layers) *image.NRGBA {
	t.Helper()
	r.Clear(meadow)
	var marks *draw.Painter
	if l == allLayers {
		marks = allMarks
	}
	if err := r.Overlay(v, m, fb, l, marks); err != nil {
		t.Fatal(err)
	}
	return r.Screenshot(fb)
}

// untouched reports whether a pixel still has the colour from over, to the bit.
func untouched(m *image.NRGBA, x, y int) bool {
	c := m.NRGBAAt(x, y)
	return c.R == meadow[0] && c.G == meadow[1] && c.B == meadow[2]
}

func touched(m *image.NRGBA) (n int) {
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if !untouched(m, x, y) {
				n++
			}
		}
	}
	return n
}

// on returns the pixel of a point of the plane z = 0.
func on(m mgl32.Mat4, x, y float64, fb Viewport) (px, py int) {
	p := m.Mul4x1(mgl32.Vec4{float32(x), float32(y), 0, 1})
	return int(math.Floor(float64((1 + p[0]/p[3]) / 2 * float32(fb.W)))),
		int(math.Floor(float64((1 - p[1]/p[3]) / 2 * float32(fb.H))))
}

// tilted returns the matrix of a camera that looks at the origin of the plane from below
// and from the right.
func tilted(fb Viewport, x, y, z float32) mgl32.Mat4 {
	return mgl32.Perspective(0.9, float32(fb.W)/float32(fb.H), 0.1, 100).
		Mul4(mgl32.LookAt(x, y, z, 0, 0, 0, 0, 1, 0))
}

func TestOverlayLooksAsBefore(t *testing.T) {
	fb := Viewport{W: 640, H: 360}
	r := newRenderer(t, fb.W, fb.H)
	v := showcase().view(0.5)
	v.Debug = &body2d.Debug{
		Boxes:    []body2d.DebugBox{{MinX: 6.2, MinY: 0, MaxX: 7.8, MaxY: 1.6}},
		Contacts: []body2d.DebugContact{{X: 7, NY: 1}, {X: -8.1, Y: 1.2, NX: 0.6, NY: 0.8}},
	}
	m := tilted(fb, -9, -4, 15).Mul4(mgl32.Translate3D(0, -3.5, 0))
	golden(t, "overlay.png", over(t, r, v, m, fb, allLayers))
}

func TestOverlayPaintsNoBackground(t *testing.T) {
	fb := Viewport{W: 200, H: 200}
	r := newRenderer(t, fb.W, fb.H)
	w := newWorld()
	w.body(dynamic, 0, 0, 0, box(1, 1))
	w.tick()
	m := over(t, r, w.view(0), scene.Camera{Height: 10}.Matrix(fb.W, fb.H), fb, allLayers)
	for y := range fb.H {
		for x := range fb.W {
			inside := max(max(x, 199-x), max(y, 199-y)) < 120
			outside := max(max(x, 199-x), max(y, 199-y)) > 121
			if inside && untouched(m, x, y) || outside && !untouched(m, x, y) {
				t.Fatalf("pixel (%d, %d) of a box of 40×40 in the middle is %v", x, y, m.NRGBAAt(x, y))
			}
		}
	}
	if c := m.NRGBAAt(85, 100); c.G < 60 || c.G > 200 {
		t.Errorf("the picture behind does not show through: %v", c)
	}
}

func TestOverlayThroughTheMatrixOfACameraIsWhereDrawDraws(t *testing.T) {
	fb := Viewport{W: 320, H: 240}
	r := newRenderer(t, fb.W, fb.H)
	for name, w := range map[string]*world{"crowd": crowd(30), "showcase": showcase()} {
		v := w.view(0.5)
		cam := fit(v, fb)
		drawn := shot(t, r, v, cam, fb, body2d.JointsLayer)
		empty := shot(t, r, &view{}, cam, fb, 0)
		overlay := over(t, r, v, cam.Matrix(fb.W, fb.H), fb, body2d.JointsLayer)
		apart, all := 0, 0
		for y := range fb.H {
			for x := range fb.W {
				body := drawn.NRGBAAt(x, y) != empty.NRGBAAt(x, y)
				if body {
					all++
				}
				if body == untouched(overlay, x, y) {
					apart++
				}
			}
		}
		if all < 400 || apart > all/100 {
			t.Errorf("%s: %d of %d pixels are drawn by one of the two only", name, apart, all)
		}
	}
}

func TestOverlayFollowsAPerspective(t *testing.T) {
	fb := Viewport{W: 320, H: 240}
	r := newRenderer(t, fb.W, fb.H)
	m := tilted(fb, 3, -9, 6)
	// the camera looks at the plane from behind
	mirrored := tilted(fb, 3, -9, -6)
	for name, c := range map[string]struct {
		shape  body2d.Geometry
		radius func(angle float64) float64 // radius is the distance from the centre to the outline.
	}{
		"disc": {disc(0, 0, 2), func(float64) float64 { return 2 }},
		"box": {box(2, 2), func(a float64) float64 {
			return 2 / max(math.Abs(math.Cos(a)), math.Abs(math.Sin(a)))
		}},
	} {
		w := newWorld()
		w.body(dynamic, 0.5, 0.5, 0, c.shape)
		w.tick()
		for _, m := range []mgl32.Mat4{m, mirrored} {
			picture := over(t, r, w.view(0), m, fb, 0)
			for i := range 32 {
				a := float64(i) / 32 * 2 * math.Pi
				at := func(part float64) (x, y int) {
					d := part * c.radius(a)
					return on(m, 0.5+d*math.Cos(a), 0.5+d*math.Sin(a), fb)
				}
				if x, y := at(0.94); untouched(picture, x, y) {
					t.Errorf("%s: nothing at (%d, %d), inside at angle %.2f", name, x, y, a)
				}
				if x, y := at(1.06); !untouched(picture, x, y) {
					t.Errorf("%s: something at (%d, %d), outside at angle %.2f", name, x, y, a)
				}
			}
		}
	}
}

// Outlines and lines have the same width in pixels near and far.
func TestOverlaysLinesAreAsWideFarAwayAsNear(t *testing.T) {
	fb := Viewport{W: 240, H: 320}
	r := newRenderer(t, fb.W, fb.H)
	w := newWorld()
	w.body(dynamic, 0, 0, 0, box(0.8, 7)) // away from the eye
	w.body(dynamic, 0, 0, 0, polyline([2]float32{-1.4, -7}, [2]float32{-1.1, 7}))
	w.tick()
	m := tilted(fb, 0, -9, 4)
	picture := over(t, r, w.view(0), m, fb, 0)
	width := func(x, y float64) (n int) {
		px, py := on(m, x, y, fb)
		for dx := -6; dx <= 6; dx++ {
			c := picture.NRGBAAt(px+dx, py)
			if max(c.R, c.G, c.B) > 150 { // brighter than the fill
				n++
			}
		}
		return n
	}
	for _, y := range []float64{-5.5, 0, 6} {
		outline, line := width(0.8, y), width(-1.25+y*0.3/14, y)
		if outline < 1 || outline > 3 || line < 2 || line > 4 {
			t.Errorf("at y = %v the outline is %d pixels wide and the line %d", y, outline, line)
		}
	}
}

func TestOverlayDoesNotShowWhatIsBehindTheEye(t *testing.T) {
	fb := Viewport{W: 160, H: 120}
	r := newRenderer(t, fb.W, fb.H)
	m := tilted(fb, 0, -10, 3)
	w := newWorld()
	w.body(dynamic, 0.3, -30, 0, box(1, 1), disc(0, 0, 1), polyline([2]float32{-2, 0}, [2]float32{2, 1}))
	w.joint(body2d.JointGeometry{SlotA: -1, A: [2]float32{0, -20}, SlotB: 0})
	w.tick()
	w.cur[0].X++
	v := w.view(0.5)
	v.Debug = &body2d.Debug{
		Boxes:    []body2d.DebugBox{{MinX: -1, MinY: -31, MaxX: 1, MaxY: -29}},
		Contacts: []body2d.DebugContact{{X: 1, Y: -20, NY: 1}},
	}
	if n := touched(over(t, r, v, m, fb, allLayers)); n != 0 {
		t.Errorf("%d pixels of what is behind the eye", n)
	}
	// a shape that extends from the front to behind the eye is seen in front
	w = newWorld()
	w.body(static, 0, -20, 0, box(1, 20), polyline([2]float32{-2, -20}, [2]float32{-2, 20}))
	w.joint(body2d.JointGeometry{SlotA: -1, A: [2]float32{2, -40}, SlotB: -1, B: [2]float32{2, 0}})
	w.tick()
	picture := over(t, r, w.view(0.5), m, fb, body2d.JointsLayer)
	for _, p := range [][2]float64{{0, -1}, {0, -5}, {-2, -1}, {2, -1}, {-2, -4}, {2, -4}} {
		if x, y := on(m, p[0], p[1], fb); untouched(picture, x, y) {
			t.Errorf("nothing at %v, pixel (%d, %d)", p, x, y)
		}
	}
}

func TestOverlayWithoutAPlaneToSeeDrawsNothing(t *testing.T) {
	fb := Viewport{W: 64, H: 48}
	r := newRenderer(t, fb.W, fb.H)
	w, nan := crowd(40), float32(math.NaN())
	for name, m := range map[string]mgl32.Mat4{
		"zero": {}, "NaN": {0: nan, 5: 1, 15: 1}, "infinite": {0: float32(math.Inf(1)), 5: 1, 15: 1},
		"edge on": mgl32.HomogRotate3DX(math.Pi / 2).Mul4(mgl32.Scale3D(1, 0, 1)),
	} {
		if n := touched(over(t, r, w.view(0), m, fb, allLayers)); n != 0 {
			t.Errorf("%s: %d pixels", name, n)
		}
	}
	for _, none := range []Viewport{{}, {W: 16}, {W: -3, H: 5}} {
		r.BeginFrame()
		if err := r.Overlay(w.view(0), mgl32.Ident4(), none, allLayers, allMarks); err != nil || r.Stats().Total() != (Work{}) {
			t.Errorf("%v: %v, cost %+v", none, err, r.Stats())
		}
	}
	r.maxBodies = 4
	if err := r.Overlay(w.view(0), mgl32.Ident4(), fb, 0, nil); err == nil {
		t.Error("too many bodies are no error")
	}
}

func TestOverlayCostsTheSameForAnyNumberOfBodiesAndAllocatesNothing(t *testing.T) {
	var cost [2]FrameStats
	for i, n := range []int{10, 1000} {
		r := newRenderer(t, testViewport.W, testViewport.H)
		w := crowd(n)
		v := w.view(0.5)
		overlay := func() {
			r.BeginFrame()
			if err := r.Overlay(v, hostMatrix, testViewport, allLayers, allMarks); err != nil {
				t.Error(err)
			}
		}
		overlay()
		overlay()
		cost[i] = r.Stats()
		cost[i].HUD.Bytes = 0 // the marks need more bytes for each additional body
		if a := testing.AllocsPerRun(10, overlay); a != 0 {
			t.Errorf("%v allocations with %d bodies", a, n)
		}
	}
	t.Logf("calls: %d, and %d for the state of the host", cost[0].Core.Calls+cost[0].Debug.Calls, cost[0].State.Calls)
	if cost[0] != cost[1] || cost[0].State.Calls == 0 {
		t.Errorf("%+v with 10 bodies, %+v with 1000", cost[0], cost[1])
	}
}
