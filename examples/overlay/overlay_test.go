package main

import (
	"fmt"
	"image"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/engine"
	"halfstep/examples/internal/glwindow"
	"halfstep/renderloop/glrender"
)

const width, height = 240, 135

var (
	window   *glfw.Window
	noWindow error
)

// TestMain runs the tests on GLFW's thread. Each test makes the context current itself.
func TestMain(m *testing.M) {
	if window, noWindow = glwindow.Open(width, height, "overlay", false, 4); noWindow == nil {
		glfw.DetachCurrentContext()
	}
	done := make(chan int)
	go func() { done <- m.Run() }()
	code := <-done
	if noWindow == nil {
		glfw.Terminate()
	}
	os.Exit(code)
}

// begin returns the program after one second.
func begin(t *testing.T) *program {
	t.Helper()
	if noWindow != nil {
		if strings.Contains(noWindow.Error(), "no display") {
			t.Skip(noWindow)
		}
		t.Fatal(noWindow)
	}
	runtime.LockOSThread()
	window.MakeContextCurrent()
	p, err := newProgram(true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.close()
		glfw.DetachCurrentContext()
		runtime.UnlockOSThread()
	})
	p.show(true)
	for range 60 {
		p.scene.engine.Advance(time.Second / 60)
	}
	return p
}

// state is the GL state that the program has set, and that the overlay sets for itself.
func state() (lines []string) {
	for name, id := range map[string]uint32{
		"program": gl.CURRENT_PROGRAM, "array": gl.VERTEX_ARRAY_BINDING, "buffer": gl.ARRAY_BUFFER_BINDING,
		"texture buffer": gl.TEXTURE_BUFFER, "uniform buffer": gl.UNIFORM_BUFFER_BINDING,
		"unit": gl.ACTIVE_TEXTURE, "texture": gl.TEXTURE_BINDING_BUFFER, "texture 2D": gl.TEXTURE_BINDING_2D,
		"draw to": gl.DRAW_FRAMEBUFFER_BINDING, "read from": gl.READ_FRAMEBUFFER_BINDING,
		"viewport": gl.VIEWPORT, "scissor": gl.SCISSOR_BOX, "clear": gl.COLOR_CLEAR_VALUE,
		"depth func": gl.DEPTH_FUNC, "depth mask": gl.DEPTH_WRITEMASK, "mask": gl.COLOR_WRITEMASK,
		"cull": gl.CULL_FACE_MODE, "front": gl.FRONT_FACE, "polygons": gl.POLYGON_MODE, "lines": gl.LINE_WIDTH,
		"source": gl.BLEND_SRC_RGB, "target": gl.BLEND_DST_RGB, "source alpha": gl.BLEND_SRC_ALPHA,
		"target alpha": gl.BLEND_DST_ALPHA, "equation": gl.BLEND_EQUATION_RGB, "equation alpha": gl.BLEND_EQUATION_ALPHA,
		"pack": gl.PACK_ALIGNMENT, "unpack": gl.UNPACK_ALIGNMENT,
	} {
		v := [16]float32{} // GL converts other types to float
		gl.GetFloatv(id, &v[0])
		lines = append(lines, fmt.Sprint(name, v))
	}
	for name, id := range map[string]uint32{
		"depth test": gl.DEPTH_TEST, "culling": gl.CULL_FACE, "blend": gl.BLEND, "stencil": gl.STENCIL_TEST,
		"scissor test": gl.SCISSOR_TEST, "multisample": gl.MULTISAMPLE, "sRGB": gl.FRAMEBUFFER_SRGB,
	} {
		lines = append(lines, fmt.Sprint(name, gl.IsEnabled(id)))
	}
	slices.Sort(lines)
	return lines
}

func (p *program) picture(t *testing.T, overlay bool) *image.NRGBA {
	t.Helper()
	p.overlay = overlay
	if err := p.draw(width, height, 1); err != nil {
		t.Fatal(err)
	}
	return p.debug.Screenshot(glrender.Viewport{W: width, H: height})
}

func TestTheOverlayLeavesTheProgramsStateAlone(t *testing.T) {
	p := begin(t)
	p.picture(t, false)
	before := state()
	for range 3 {
		p.picture(t, true)
		if after := state(); !slices.Equal(before, after) {
			t.Fatalf("before\n%q\nafter\n%q", before, after)
		}
		p.scene.engine.Advance(time.Second / 60)
	}
	if e := gl.GetError(); e != gl.NO_ERROR {
		t.Errorf("GL error 0x%x", e)
	}
}

func TestTheProgramsPictureIsTheSameAfterTheOverlayAsBefore(t *testing.T) {
	p := begin(t)
	before, with, after := p.picture(t, false), p.picture(t, true), p.picture(t, false)
	if !slices.Equal(before.Pix, after.Pix) {
		t.Error("the overlay changed how the program draws")
	}
	changed := 0
	for i := 0; i < len(with.Pix); i += 4 {
		if !slices.Equal(with.Pix[i:i+4], before.Pix[i:i+4]) {
			changed++
		}
	}
	if n := width * height; changed < n/50 || changed > n/2 {
		t.Errorf("the overlay changed %d of %d pixels", changed, n)
	}
}

func TestTheSceneKeepsAllItsVariables(t *testing.T) {
	s, err := newScene(engine.Config{Time: engine.Time{Simulated: true}, Testing: engine.Testing{SyncTest: 5}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.engine.Close()
	for range 200 {
		s.engine.Advance(time.Second / 60)
		if err := s.engine.Failure(); err != nil {
			t.Fatal(err)
		}
	}
}
