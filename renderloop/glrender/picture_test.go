package glrender

import (
	"image"
	"math"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// shot draws a view and reads the picture.
func shot(t *testing.T, r *Renderer, v *view, cam scene.Camera, fb Viewport, l body2d.Layers) *image.NRGBA {
	t.Helper()
	mustDraw(t, r, v, cam, fb, l)
	return r.Screenshot(fb)
}

func fit(v *view, fb Viewport) scene.Camera {
	return scene.Camera{}.Fit(scene.BoundsOf(v), fb.W, fb.H)
}

func TestShowcaseLooksAsBefore(t *testing.T) {
	fb := Viewport{W: 640, H: 360}
	r := newRenderer(t, fb.W, fb.H)
	v := showcase().view(0.5)
	golden(t, "showcase.png", shot(t, r, v, fit(v, fb), fb, DefaultLayers))
}

func TestDebugLayersAndHUDLookAsBefore(t *testing.T) {
	fb := Viewport{W: 640, H: 360}
	r := newRenderer(t, fb.W, fb.H)
	v := showcase().view(0.5)
	v.Debug = &body2d.Debug{
		Boxes:    []body2d.DebugBox{{MinX: 6.2, MinY: 0, MaxX: 7.8, MaxY: 1.6}},
		Contacts: []body2d.DebugContact{{X: 7, NY: 1}, {X: -8.1, Y: 1.2, NX: 0.6, NY: 0.8}},
	}
	mustDraw(t, r, v, fit(v, fb), fb, DefaultLayers|body2d.GhostsLayer)
	h := r.BeginHUD(fb)
	allMarks.Marks(h.Canvas(fit(v, fb), fb), v)
	h.Panel(6, 6, 150, 70, 5, body2d.Colour{8, 10, 13, 200})
	h.Label(12, 8, Medium, body2d.Colour{236, 240, 245, 255}, "halfstep")
	h.Label(12, 24, Regular, body2d.Colour{236, 240, 245, 255}, "16.7 ms µ×α−")
	h.Graph(12, 44, 60, 26, []float32{8, 9, 3, 1, 2, 6, 7}, 2, 10, body2d.Colour{110, 225, 165, 255})
	h.Bars(86, 44, 60, 26, []float32{1, 4, 9, 6, 3, 0, 1}, 10, body2d.Colour{255, 180, 90, 255})
	h.Draw()
	golden(t, "debug.png", r.Screenshot(fb))
}

func TestHighResolutionScalesLinesNotTheScene(t *testing.T) {
	fb := Viewport{W: 640, H: 360, Scale: 2}
	r := newRenderer(t, fb.W, fb.H)
	v := showcase().view(0.5)
	mustDraw(t, r, v, fit(v, fb), fb, DefaultLayers)
	h := r.BeginHUD(fb)
	h.Label(8, 8, Regular, body2d.Colour{236, 240, 245, 255}, "scale 2")
	h.Draw()
	golden(t, "scale2.png", r.Screenshot(fb))
}

// bodyPixels counts pixels that are lighter than any background.
func bodyPixels(m *image.NRGBA) (n int) {
	for i := 0; i < len(m.Pix); i += 4 {
		if max(m.Pix[i], m.Pix[i+1], m.Pix[i+2]) > 100 {
			n++
		}
	}
	return n
}

func TestBodiesAreSeenAndEmptyScenesAreNot(t *testing.T) {
	fb := Viewport{W: 200, H: 200}
	r := newRenderer(t, fb.W, fb.H)
	w := newWorld()
	w.body(dynamic, 0, 0, 0, box(1, 1))
	w.tick()
	cam := scene.Camera{Height: 4}
	if n := bodyPixels(shot(t, r, w.view(0), cam, fb, DefaultLayers)); n < 9000 || n > 10100 {
		t.Errorf("a body of 100×100 pixels covers %d", n)
	}
	cam.X = 50
	if n := bodyPixels(shot(t, r, w.view(0), cam, fb, DefaultLayers)); n != 0 {
		t.Errorf("%d pixels where there is nothing", n)
	}
	cam.X = 0
	w.cur[0].SetBits(0, 0)
	w.tick()
	if n := bodyPixels(shot(t, r, w.view(0), cam, fb, DefaultLayers|body2d.GhostsLayer)); n != 0 {
		t.Errorf("a dead slot covers %d pixels", n)
	}
	if n := bodyPixels(shot(t, r, &view{}, cam, fb, DefaultLayers)); n != 0 {
		t.Errorf("an empty view covers %d pixels", n)
	}
}

func TestACapsuleIsDrawnWithRoundEnds(t *testing.T) {
	fb := Viewport{W: 200, H: 200} // 50 pixels a metre
	r := newRenderer(t, fb.W, fb.H)
	w := newWorld()
	w.body(dynamic, 0, 0, 0, convex(.5, [2]float32{-1, 0}, [2]float32{1, 0}))
	w.tick()
	cam := scene.Camera{Height: 4}
	m := shot(t, r, w.view(0), cam, fb, DefaultLayers)
	if n, want := bodyPixels(m), (math.Pi*.25+2)*2500; math.Abs(float64(n)/want-1) > .06 {
		t.Errorf("it covers %d pixels, not %.0f", n, want)
	}
	for at, inside := range map[[2]float64]bool{{1.4, 0}: true, {-1.4, 0}: true, {0, .4}: true, {1.45, .4}: false, {-1.45, -.4}: false} {
		x, y := cam.WorldToScreen(at[0], at[1], fb.W, fb.H)
		c := m.NRGBAAt(int(x), int(y))
		if lit := max(c.R, c.G, c.B) > 60; lit != inside {
			t.Errorf("at %v: drawn %v, want %v: %v", at, lit, inside, c)
		}
	}
}

// In a small window, the outline of a long, thin polygon that was turned in its body once
// covered the whole polygon.
func TestAThinPolygonKeepsItsColourHoweverItLies(t *testing.T) {
	fb := Viewport{W: 200, H: 200, Scale: 2}
	r := newRenderer(t, fb.W, fb.H)
	middle := func(angle float64) uint8 {
		sin, cos := math.Sincos(angle)
		var corners [][2]float32
		for _, c := range [...][2]float64{{-4, -.1}, {4, -.1}, {4, .1}, {-4, .1}} {
			corners = append(corners, [2]float32{float32(cos*c[0] - sin*c[1]), float32(sin*c[0] + cos*c[1])})
		}
		w := newWorld()
		w.body(0, 0, 0, 0, convex(0, corners...))
		w.tick()
		return shot(t, r, w.view(1), scene.Camera{Height: 10}, fb, 0).NRGBAAt(100, 100).G
	}
	if flat, askew := middle(0), middle(.6); flat < 90 || askew < flat/3*2 {
		t.Errorf("in the middle it has %d askew, and %d flat", askew, flat)
	}
}

func TestScreenshotIsUpright(t *testing.T) {
	fb := Viewport{W: 120, H: 80}
	r := newRenderer(t, fb.W, fb.H)
	w := newWorld()
	w.body(dynamic, -4, 3, 0, disc(0, 0, 0.8))
	w.tick()
	m := shot(t, r, w.view(1), scene.Camera{Height: 8}, fb, 0)
	x, y := scene.Camera{Height: 8}.WorldToScreen(-4, 3, fb.W, fb.H)
	if x > 40 || y > 30 {
		t.Fatalf("the camera puts top left at (%v, %v)", x, y)
	}
	near := m.NRGBAAt(int(x)-2, int(y)+2)
	if max(near.R, near.G, near.B) < 100 || near.A != 255 {
		t.Errorf("top left is %v", near)
	}
	if c := m.NRGBAAt(int(x)-2, fb.H-int(y)); max(c.R, c.G, c.B) > 100 {
		t.Errorf("bottom left is %v", c)
	}
}

func TestTwoRenderersShareAContext(t *testing.T) {
	whole := Viewport{W: 200, H: 100}
	half := [2]Viewport{{W: 100, H: 100}, {X: 100, W: 100, H: 100}}
	left := newRenderer(t, whole.W, whole.H)
	right, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer right.Close()
	a, b := crowd(40), crowd(50) // with equal serials
	cam := scene.Camera{Height: 20}
	pictures := func() (m [2]*image.NRGBA) {
		mustDraw(t, left, a.view(0.5), cam, half[0], DefaultLayers)
		mustDraw(t, right, b.view(0.5), cam, half[1], DefaultLayers)
		return [2]*image.NRGBA{left.Screenshot(half[0]), left.Screenshot(half[1])}
	}
	pictures()
	together := pictures()
	for i, w := range []*world{a, b} {
		r, err := New()
		if err != nil {
			t.Fatal(err)
		}
		left.Clear(body2d.Colour{})
		alone := shot(t, r, w.view(0.5), cam, half[i], DefaultLayers)
		if n, _ := differing(alone, together[i]); n != 0 {
			t.Errorf("half %d differs in %d pixels from the same drawn alone", i, n)
		}
		r.Close()
	}
}

func TestAnotherSceneWithTheSameSerialsIsDrawn(t *testing.T) {
	fb := Viewport{W: 100, H: 100}
	r := newRenderer(t, fb.W, fb.H)
	a, b := crowd(40), crowd(40)
	for i := range b.cur {
		b.cur[i].X, b.prev[i].X = 500, 500
	}
	shot(t, r, a.view(0.5), scene.Camera{Height: 20}, fb, 0)
	if n := bodyPixels(shot(t, r, b.view(0.5), scene.Camera{Height: 20}, fb, 0)); n != 0 {
		t.Errorf("%d pixels of the former scene", n)
	}
}

func TestFarFromTheOriginThePictureIsTheSame(t *testing.T) {
	fb := Viewport{W: 200, H: 200}
	r := newRenderer(t, fb.W, fb.H)
	picture := func(x float64) *image.NRGBA {
		w := newWorld()
		// At 65 km, float32 represents these offsets exactly, but not that of the camera.
		w.body(dynamic, x+0.5, 0.25, 0.5, box(0.7, 0.4))
		w.body(dynamic, x-0.75, -0.5, 0.5, disc(0.25, 0, 0.5))
		w.tick()
		return shot(t, r, w.view(0.5), scene.Camera{X: x + 0.0035, Height: 2}, fb, 0)
	}
	if n, _ := differing(picture(0), picture(65536)); n > 0 {
		t.Errorf("%d pixels differ 65 km from the origin", n)
	}
}

func TestViewportsWithoutPixelsAreDrawnByDoingNothing(t *testing.T) {
	r := newRenderer(t, 16, 16)
	w := crowd(5)
	for _, fb := range []Viewport{{}, {W: 16}, {H: 16}, {W: -3, H: 5}} {
		r.BeginFrame()
		mustDraw(t, r, w.view(0), scene.Camera{}, fb, DefaultLayers)
		h := r.BeginHUD(fb)
		h.Label(0, 0, Regular, body2d.Colour{255, 255, 255, 255}, "x")
		h.Draw()
		if n := r.Stats().Total(); n != (Work{}) {
			t.Errorf("%v cost %+v", fb, n)
		}
		if m := r.Screenshot(fb); len(m.Pix) != 0 && fb.W*fb.H <= 0 {
			t.Errorf("%v gave %d bytes", fb, len(m.Pix))
		}
	}
}

func TestShaderErrorsAreOneLineWithThePlace(t *testing.T) {
	withContext(t)
	if err := gl.Init(); err != nil {
		t.Fatal(err)
	}
	source := mustExpand(t, "broken.glsl", "#include \"frame.glsl\"\nvoid main() {\n    nonsense = 1;\n}\n")
	_, err := compile(gl.FRAGMENT_SHADER, source)
	if err == nil || !strings.HasPrefix(err.Error(), "glrender: broken.glsl:3: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
}

// Geometry is relative to the body's origin, and states are relative to its centre of
// mass. Shapes and joints must be where CentrePose.Origin says.
func TestShapesAndAnchorsFollowTheOriginOfATurnedBody(t *testing.T) {
	fb := Viewport{W: 200, H: 200}
	cam := scene.Camera{Height: 10}
	r := newRenderer(t, fb.W, fb.H)
	w := newWorld()
	w.body(dynamic, 0, 0, 0, disc(0, 0, 0.3))
	w.scene.Apply(&body2d.Structure{Kind: body2d.BodyChanged, BodyType: dynamic, Handle: 1, LocalX: 2, LocalY: -1})
	w.tick()
	w.cur[0].X = 1
	w.cur[0].SetAngle(1)
	v := w.view(0.5)
	pose, _ := scene.PoseOf(v, 0)
	ox, oy := pose.Origin(2, -1)
	sees := func(what string, x, y float64) {
		t.Helper()
		m := shot(t, r, v, cam, fb, body2d.JointsLayer)
		px, py := cam.WorldToScreen(x, y, fb.W, fb.H)
		around := m.SubImage(image.Rect(int(px)-1, int(py)-1, int(px)+2, int(py)+2)).(*image.NRGBA)
		lit := false
		for y := around.Rect.Min.Y; y < around.Rect.Max.Y; y++ {
			for x := around.Rect.Min.X; x < around.Rect.Max.X; x++ {
				c := around.NRGBAAt(x, y)
				lit = lit || max(c.R, c.G, c.B) > 100
			}
		}
		if !lit {
			t.Errorf("no %s at (%.1f, %.1f)", what, px, py)
		}
		if c := m.NRGBAAt(fb.W/2, fb.H/2); max(c.R, c.G, c.B) > 100 {
			t.Errorf("something in the middle: %v", c)
		}
	}
	sees("disc", ox, oy)

	w.scene.Apply(&body2d.Structure{Kind: body2d.ShapeRemoved, Slot: 0, ID: 1})
	w.joint(body2d.JointGeometry{SlotA: -1, A: [2]float32{-4, 4}, SlotB: 0, B: [2]float32{0, 0}})
	sees("anchor of the joint", ox, oy)
	sees("anchor in the world", -4, 4)
	sees("joint", (ox-4)/2, (oy+4)/2)
}

// In a wide view the marks of neighbouring joints would cover the bodies.
func TestTheMarksOfJointsShrinkWhenTheViewIsWide(t *testing.T) {
	fb := Viewport{W: 200, H: 200}
	r := newRenderer(t, fb.W, fb.H)
	w := newWorld()
	w.body(dynamic, 0, 0, 0, disc(0, 0, 0.01))
	w.joint(body2d.JointGeometry{SlotA: -1, SlotB: 0})
	w.tick()
	wide := func(height float64) (lit int) {
		m := shot(t, r, w.view(1), scene.Camera{Height: height}, fb, body2d.JointsLayer)
		for y := range fb.H {
			if c := m.NRGBAAt(fb.W/2, y); min(c.R, c.G) > 100 {
				lit++
			}
		}
		return lit
	}
	if near, far := wide(5), wide(20); near < 5 || far > near-2 || far == 0 {
		t.Errorf("%d pixels from near, %d from afar", near, far)
	}
}
