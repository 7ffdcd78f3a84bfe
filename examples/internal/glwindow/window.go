// Package glwindow has the parts of the examples with a picture that do not concern
// physics: flags, a window with OpenGL, shaders, and pictures in files.
package glwindow

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"log"
	"os"
	"runtime"
	"strings"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// GLFW needs the main thread, and init runs on that thread.
func init() { runtime.LockOSThread() }

// Flags are those of every example with a picture.
type Flags struct {
	Frames     int
	Screenshot string
}

// ErrUsage is the error that the function run of Main returns if flags cannot be
// combined.
var ErrUsage = errors.New("bad usage; see -help")

// Main is the main function of an example. busy is the number of goroutines that are
// always busy. Main parses the flags, runs the program, and reports an error in one
// line.
func Main(name string, busy int, run func(Flags) error) {
	var f Flags
	flag.IntVar(&f.Frames, "frames", 0, "draw that many frames of a 60th of a second in a hidden window, then quit")
	flag.StringVar(&f.Screenshot, "screenshot", "", "write the last frame to this PNG file")
	flag.Parse()
	Processors(busy)
	err := ErrUsage
	if flag.NArg() == 0 && f.Frames >= 0 {
		err = run(f)
	}
	if err == nil {
		return
	}
	fmt.Fprintf(os.Stderr, "%s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
	if err == ErrUsage {
		os.Exit(2)
	}
	os.Exit(1)
}

// Processors sets GOMAXPROCS for the given number of busy goroutines, and two more,
// so that the work of the Go runtime does not delay frames.
func Processors(busy int) {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(max(busy+2, runtime.GOMAXPROCS(0)))
	}
}

// Open makes a window with a current OpenGL 4.1 core context. samples is the number
// of samples in a pixel.
func Open(width, height int, title string, visible bool, samples int) (w *glfw.Window, err error) {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" {
		return nil, errors.New("no display: DISPLAY is not set; without one, run under xvfb-run -a")
	}
	// If no display answers, glfw.Init logs a line and returns nil, and the calls
	// after it panic.
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("no display: DISPLAY=%s: %v", os.Getenv("DISPLAY"), p)
		}
	}()
	if err := glfw.Init(); err != nil {
		return nil, err
	}
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	glfw.WindowHint(glfw.ContextVersionMinor, 1)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
	glfw.WindowHint(glfw.Samples, samples)
	if !visible {
		glfw.WindowHint(glfw.Visible, glfw.False)
	}
	if w, err = glfw.CreateWindow(width, height, title, nil, nil); err != nil {
		glfw.Terminate()
		return nil, err
	}
	w.MakeContextCurrent()
	w.SetInputMode(glfw.StickyKeysMode, glfw.True) // GLFW also reports a key that was pressed and released between two frames
	if visible {
		glfw.SwapInterval(1)
	}
	return w, nil
}

// Link loads OpenGL, and compiles and links a program.
func Link(vertex, fragment string) (uint32, error) {
	if err := gl.Init(); err != nil {
		return 0, err
	}
	program := gl.CreateProgram()
	for kind, source := range map[uint32]string{gl.VERTEX_SHADER: vertex, gl.FRAGMENT_SHADER: fragment} {
		shader := gl.CreateShader(kind)
		text, free := gl.Strs(source + "\x00")
		gl.ShaderSource(shader, 1, text, nil)
		free()
		gl.CompileShader(shader)
		gl.AttachShader(program, shader)
		gl.DeleteShader(shader)
	}
	gl.LinkProgram(program)
	var ok int32
	if gl.GetProgramiv(program, gl.LINK_STATUS, &ok); ok != gl.TRUE {
		var text [1024]uint8
		gl.GetProgramInfoLog(program, int32(len(text)), nil, &text[0])
		return 0, fmt.Errorf("shader: %s", strings.TrimSpace(gl.GoStr(&text[0])))
	}
	return program, nil
}

// Picture returns the picture, w by h pixels. Call it before the swap.
func Picture(w, h int) image.Image {
	picture := image.NewRGBA(image.Rect(0, 0, w, h))
	if len(picture.Pix) == 0 {
		return picture
	}
	pixels := make([]uint8, len(picture.Pix))
	gl.ReadPixels(0, 0, int32(w), int32(h), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(pixels))
	for y := range h { // OpenGL has the lowest row first
		copy(picture.Pix[y*picture.Stride:], pixels[4*w*(h-1-y):4*w*(h-y)])
	}
	for i := 3; i < len(picture.Pix); i += 4 { // after blending, opaque pixels may be transparent
		picture.Pix[i] = 255
	}
	return picture
}

// Save writes a picture to a PNG file.
func Save(path string, picture image.Image) error {
	if picture.Bounds().Empty() {
		return fmt.Errorf("%s: the window has no size", path)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, picture), f.Close())
}
