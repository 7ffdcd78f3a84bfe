package glrender

import (
	"math/rand/v2"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
)

var testViewport = Viewport{W: 64, H: 48}

func crowd(n int) *world {
	w := newWorld()
	rng := rand.New(rand.NewPCG(9, uint64(n)))
	shapes := []body2d.Geometry{disc(0, 0, 0.4), box(0.4, 0.4), regular(5, 0.4, 0.1)}
	for i := range n {
		w.body(dynamic, rng.NormFloat64()*10, rng.NormFloat64()*10, rng.Float64(), shapes[i%3])
	}
	w.tick()
	return w
}

// frameCost draws a frame and returns its statistics.
func frameCost(t *testing.T, r *Renderer, v *view, l body2d.Layers) FrameStats {
	t.Helper()
	r.BeginFrame()
	mustDraw(t, r, v, scene.Camera{}, testViewport, l)
	return r.Stats()
}

func TestBytesPerTickAreThirtyTwoABody(t *testing.T) {
	for _, n := range []int{10, 5000} {
		r := newRenderer(t, 64, 48)
		w := crowd(n)
		if b := frameCost(t, r, w.view(0), DefaultLayers).Core.Bytes; b < 64*n || b > 64*n+4096 {
			t.Errorf("%d bodies, first frame: %d bytes", n, b)
		}
		for frame := range 20 {
			if b := frameCost(t, r, w.view(0.5), DefaultLayers).Core.Bytes; b > 1024 {
				t.Errorf("%d bodies, no new tick: %d bytes", n, b)
			}
			w.tick()
			if frame%5 == 4 {
				w.skip()
				if b := frameCost(t, r, w.view(0.5), DefaultLayers).Core.Bytes; b < 64*n || b > 64*n+4096 {
					t.Errorf("%d bodies, a tick skipped: %d bytes", n, b)
				}
				continue
			}
			s := frameCost(t, r, w.view(0.5), DefaultLayers)
			if b := s.Core.Bytes; b < 32*n || b > 32*n+4096 {
				t.Errorf("%d bodies, new tick: %d bytes", n, b)
			}
			if s.Structure != (Work{}) {
				t.Errorf("nothing changed, but structure cost %+v", s.Structure)
			}
		}
	}
}

func TestCallsDoNotDependOnBodies(t *testing.T) {
	type kinds struct{ first, still, next, skipped FrameStats }
	count := func(n int) (k kinds) {
		r := newRenderer(t, 64, 48)
		w := crowd(n)
		layers := DefaultLayers | body2d.GhostsLayer
		k.first = frameCost(t, r, w.view(0), layers)
		k.still = frameCost(t, r, w.view(0.5), layers)
		w.tick()
		k.next = frameCost(t, r, w.view(0), layers)
		w.skip()
		w.tick()
		k.skipped = frameCost(t, r, w.view(0), layers)
		return k
	}
	few, many := count(10), count(5000)
	t.Logf("calls: still %d, new tick %d, skipped %d", few.still.Core.Calls, few.next.Core.Calls, few.skipped.Core.Calls)
	for name, pair := range map[string][2]FrameStats{
		"first": {few.first, many.first}, "still": {few.still, many.still},
		"next": {few.next, many.next}, "skipped": {few.skipped, many.skipped},
	} {
		if pair[0].Core.Calls != pair[1].Core.Calls || pair[0].Debug.Calls != pair[1].Debug.Calls {
			t.Errorf("%s: %+v with 10 bodies, %+v with 5000", name, pair[0], pair[1])
		}
		if pair[1].Core.Calls > 20 {
			t.Errorf("%s: %d calls", name, pair[1].Core.Calls)
		}
	}
}

func TestSteadyFramesDoNotAllocate(t *testing.T) {
	r := newRenderer(t, 64, 48)
	w := crowd(500)
	v := w.view(0)
	v.Debug = &body2d.Debug{
		Boxes:    []body2d.DebugBox{{MaxX: 1, MaxY: 1}},
		Contacts: []body2d.DebugContact{{NY: 1}},
	}
	values := make([]float32, 100)
	line := "frame 16.7 ms"
	frame := func() {
		w.serial++
		v.PrevSerial, v.CurSerial = w.serial-1, w.serial
		r.BeginFrame()
		r.Clear(body2d.Colour{})
		if err := r.Draw(v, scene.Camera{}, testViewport, DefaultLayers|body2d.GhostsLayer); err != nil {
			t.Error(err)
		}
		h := r.BeginHUD(testViewport)
		h.Panel(0, 0, 50, 20, 4, body2d.Colour{0, 0, 0, 128})
		h.Label(1, 1, Regular, body2d.Colour{255, 255, 255, 255}, line)
		h.Graph(0, 0, 50, 20, values, 3, 10, body2d.Colour{255, 255, 255, 255})
		h.Bars(0, 0, 50, 20, values, 10, body2d.Colour{255, 255, 255, 255})
		allMarks.Marks(h.Canvas(scene.Camera{}, testViewport), v)
		h.Draw()
		_ = r.Stats()
	}
	frame()
	if n := testing.AllocsPerRun(100, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestTooManyBodiesAreRefusedInOneLine(t *testing.T) {
	r := newRenderer(t, 64, 48)
	if n := r.maxBodies; n < 32768 { // OpenGL guarantees 65536 texels, and a body takes two
		t.Errorf("room for %d bodies", n)
	}
	r.maxBodies = 4
	if err := r.Draw(crowd(4).view(0), scene.Camera{}, testViewport, DefaultLayers); err != nil {
		t.Error(err)
	}
	err := r.Draw(crowd(5).view(0), scene.Camera{}, testViewport, DefaultLayers)
	if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "5 bodies") {
		t.Errorf("error %v", err)
	}
}

func TestCloseFreesEveryObject(t *testing.T) {
	withContext(t)
	if err := gl.Init(); err != nil {
		t.Fatal(err)
	}
	// the numbers of buffers, textures, vertex arrays and programs that are in use
	names := func() (n [4]int) {
		for name := range uint32(10_000) {
			for i, in := range []bool{gl.IsBuffer(name), gl.IsTexture(name), gl.IsVertexArray(name), gl.IsProgram(name) || gl.IsShader(name)} {
				if in {
					n[i]++
				}
			}
		}
		return n
	}
	before := names()
	for range 3 {
		r, err := New()
		if err != nil {
			t.Fatal(err)
		}
		v := crowd(20).view(0)
		if err := r.Draw(v, scene.Camera{}, testViewport, DefaultLayers|body2d.GhostsLayer); err != nil {
			t.Fatal(err)
		}
		if open := names(); open == before {
			t.Fatal("the objects are not seen")
		}
		r.Close()
	}
	if after := names(); after != before {
		t.Errorf("buffers, textures, vertex arrays, programs: %v, and %v after Close", before, after)
	}
}

func TestNoContextIsAnErrorNotACrash(t *testing.T) {
	withContext(t)
	glfw.DetachCurrentContext()
	if _, err := New(); err == nil || !strings.Contains(err.Error(), "no OpenGL context") {
		t.Errorf("error %v", err)
	}
}
