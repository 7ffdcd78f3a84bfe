package glrender

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
	"halfstep/shaders"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
)

var (
	testWindow *glfw.Window
	noWindow   = "no DISPLAY: run under xvfb-run"
	onMain     = make(chan func()) // calls for GLFW's thread
)

func init() { runtime.LockOSThread() }

// TestMain keeps the main thread for GLFW. Tests use the context on threads of
// their own.
func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if runtime.GOOS == "windows" || os.Getenv("DISPLAY") != "" {
		if err := glfw.Init(); err != nil {
			noWindow = fmt.Sprintf("no GLFW: %v", err)
		} else {
			defer glfw.Terminate()
			testWindow, noWindow = openWindow()
		}
	}
	done := make(chan int)
	go func() { done <- m.Run() }()
	for {
		select {
		case f := <-onMain:
			f()
		case code := <-done:
			return code
		}
	}
}

func openWindow() (w *glfw.Window, failure string) {
	glfw.WindowHint(glfw.Visible, glfw.False)
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	glfw.WindowHint(glfw.ContextVersionMinor, 1)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
	w, err := glfw.CreateWindow(64, 64, "glrender tests", nil, nil)
	if err != nil {
		return nil, fmt.Sprintf("no OpenGL 4.1 context: %v", err)
	}
	return w, ""
}

// mainly runs f on GLFW's thread.
func mainly(f func()) {
	done := make(chan bool)
	onMain <- func() { f(); done <- true }
	<-done
}

// anotherContext returns a window whose context shares nothing with others. It
// is closed at the end of the test.
func anotherContext(t *testing.T) *glfw.Window {
	t.Helper()
	if testWindow == nil {
		t.Skip(noWindow)
	}
	var w *glfw.Window
	var failure string
	mainly(func() { w, failure = openWindow() })
	if w == nil {
		t.Fatal(failure)
	}
	t.Cleanup(func() { mainly(w.Destroy) })
	return w
}

// withContext makes the context current for the rest of the test.
func withContext(t testing.TB) {
	t.Helper()
	if testWindow == nil {
		t.Skip(noWindow)
	}
	use(t, testWindow)
}

// use makes a window's context current for the rest of the test.
func use(t testing.TB, w *glfw.Window) {
	runtime.LockOSThread()
	before := glfw.GetCurrentContext() // cleanups that were added while this context was current need it again
	w.MakeContextCurrent()
	t.Cleanup(func() {
		if before != nil {
			before.MakeContextCurrent()
		} else {
			glfw.DetachCurrentContext()
		}
		runtime.UnlockOSThread()
	})
}

// newRenderer returns a renderer that draws into a picture of w by h pixels of
// its own.
func newRenderer(t testing.TB, w, h int) *Renderer {
	t.Helper()
	withContext(t)
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	texture, target := newTarget(w, h)
	if s := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); s != gl.FRAMEBUFFER_COMPLETE {
		t.Fatalf("framebuffer status 0x%x", s)
	}
	t.Cleanup(func() {
		if e := gl.GetError(); e != gl.NO_ERROR {
			t.Errorf("GL error 0x%x", e)
		}
		r.Close()
		gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
		gl.DeleteFramebuffers(1, &target)
		gl.DeleteTextures(1, &texture)
	})
	return r
}

// newTarget makes and binds a framebuffer of w by h pixels.
func newTarget(w, h int) (texture, target uint32) {
	gl.GenTextures(1, &texture)
	gl.BindTexture(gl.TEXTURE_2D, texture)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, int32(w), int32(h), 0, gl.RGBA, gl.UNSIGNED_BYTE, nil)
	gl.GenFramebuffers(1, &target)
	gl.BindFramebuffer(gl.FRAMEBUFFER, target)
	gl.FramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
	return texture, target
}

func mustDraw(t testing.TB, r *Renderer, v *view, cam scene.Camera, fb Viewport, l body2d.Layers) {
	t.Helper()
	if err := r.Draw(v, cam, fb, l); err != nil {
		t.Fatal(err)
	}
}

func mustExpand(t testing.TB, name, text string) shaders.Source {
	t.Helper()
	s, err := shaders.Expand(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
