package glrender

import (
	"image"
	"runtime"
	"testing"

	"halfstep/renderloop/scene"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// onItsOwnThread runs f on a new thread with the window's context current.
func onItsOwnThread(w *glfw.Window, f func()) (done chan bool) {
	done = make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		w.MakeContextCurrent()
		defer glfw.DetachCurrentContext()
		f()
	}()
	return done
}

// framesOf makes a renderer, draws frames of a world, and returns the last picture.
func framesOf(t *testing.T, w *world, frames int) (last *image.NRGBA) {
	fb := Viewport{W: 96, H: 64}
	r, err := New()
	if err != nil {
		t.Error(err)
		return image.NewNRGBA(image.Rectangle{})
	}
	defer r.Close()
	newTarget(fb.W, fb.H)
	cam := scene.Camera{Height: 30}
	for range frames {
		w.tick()
		v := w.view(0.5)
		if err := r.Draw(v, cam, fb, DefaultLayers); err != nil {
			t.Error(err)
		}
		if err := r.Overlay(v, hostMatrix, fb, DefaultLayers, nil); err != nil {
			t.Error(err)
		}
	}
	return r.Screenshot(fb)
}

func TestTwoRenderersOnTwoContextsWorkAtOnce(t *testing.T) {
	windows := [2]*glfw.Window{anotherContext(t), anotherContext(t)}
	bodies := [2]int{60, 300}
	var alone, together [2]*image.NRGBA
	for i, w := range windows {
		<-onItsOwnThread(w, func() { alone[i] = framesOf(t, crowd(bodies[i]), 1) })
	}
	var done [2]chan bool
	for i, w := range windows {
		done[i] = onItsOwnThread(w, func() { together[i] = framesOf(t, crowd(bodies[i]), 30) })
	}
	<-done[0]
	<-done[1]
	for i := range windows {
		if n, _ := differing(alone[i], together[i]); n != 0 {
			t.Errorf("context %d: %d pixels differ from those drawn alone", i, n)
		}
	}
	if n, _ := differing(alone[0], alone[1]); n < 100 {
		t.Errorf("the two pictures differ in %d pixels", n)
	}
}

// A context is lost with its window, and its renderer is dropped. A new renderer draws
// the same picture in a new context.
func TestAContextThatIsMadeAnewGetsARendererOfItsOwn(t *testing.T) {
	if testWindow == nil {
		t.Skip(noWindow)
	}
	fb := Viewport{W: 96, H: 64}
	w := crowd(60)
	v := w.view(0.5)
	var pictures [3]*image.NRGBA
	for i := range pictures {
		var window *glfw.Window
		var failure string
		mainly(func() { window, failure = openWindow() })
		if window == nil {
			t.Fatal(failure)
		}
		<-onItsOwnThread(window, func() {
			r, err := New()
			if err != nil {
				t.Error(err)
				return
			}
			newTarget(fb.W, fb.H)
			runtime.GC() // parts of the renderer before may be freed late
			if err := r.Draw(v, scene.Camera{Height: 30}, fb, DefaultLayers); err != nil {
				t.Error(err)
			}
			if err := r.Overlay(v, hostMatrix, fb, allLayers, allMarks); err != nil {
				t.Error(err)
			}
			pictures[i] = r.Screenshot(fb)
		})
		mainly(window.Destroy)
	}
	for _, m := range pictures[1:] {
		if m == nil || pictures[0] == nil {
			t.Fatal("no picture")
		}
		if n, _ := differing(pictures[0], m); n != 0 || bodyPixels(m) < 100 {
			t.Errorf("%d pixels differ from those in the first context, %d show bodies", n, bodyPixels(m))
		}
	}
}
