package glrender

import (
	"testing"
	"time"

	"halfstep/renderloop/scene"

	"github.com/go-gl/gl/v4.1-core/gl"
)

func TestTheTimerKnowsEachFrameOnceAndInAtMostFourCalls(t *testing.T) {
	r := newRenderer(t, 64, 48)
	var known []uint64
	frame := func(n uint64) {
		r.BeginFrame()
		r.BeginTimer(n)
		gl.Clear(gl.COLOR_BUFFER_BIT)
		f, ns, ok := r.EndTimer()
		if calls := r.Stats().Core.Calls; calls > 4 {
			t.Errorf("frame %d: %d calls", n, calls)
		}
		if ok {
			if ns < 0 || ns > int64(time.Minute) || f > n {
				t.Errorf("frame %d took %d ns, known in frame %d", f, ns, n)
			}
			known = append(known, f)
		}
	}
	for n := range uint64(40) {
		frame(n)
		gl.Flush()
	}
	gl.Finish()
	for n := uint64(40); n < 50; n++ {
		frame(n)
		gl.Finish()
	}
	if len(known) < 10 {
		t.Errorf("of 50 frames %d are known", len(known))
	}
	for i := 1; i < len(known); i++ {
		if known[i] <= known[i-1] {
			t.Errorf("frame %d after %d", known[i], known[i-1])
		}
	}
	if e := gl.GetError(); e != gl.NO_ERROR {
		t.Errorf("GL error 0x%x", e)
	}
	if n := testing.AllocsPerRun(20, func() { r.BeginTimer(60); r.EndTimer() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestTheTimerKeepsAFrameWithinItsCalls(t *testing.T) {
	r := newRenderer(t, 64, 48)
	w := crowd(100)
	known := 0
	for n := range uint64(60) {
		r.BeginFrame()
		r.BeginTimer(n)
		w.tick()
		if n%2 == 1 { // the costliest of frames
			w.skip()
			w.tick()
		}
		mustDraw(t, r, w.view(0), scene.Camera{}, testViewport, DefaultLayers)
		if _, _, ok := r.EndTimer(); ok {
			known++
		}
		if calls := r.Stats().Core.Calls; calls > 20 {
			t.Fatalf("frame %d: %d calls", n, calls)
		}
		gl.Finish()
	}
	if known < 20 {
		t.Errorf("of 60 frames %d are known", known)
	}
}
