package glrender

import (
	"errors"
	"fmt"
	"sync"

	"halfstep/buffer/body2d"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// Viewport is a rectangle of the framebuffer in pixels. X and Y count from the
// lower left corner, as in glViewport.
type Viewport struct {
	X, Y, W, H int
	// Scale is the content scale: the number of framebuffer pixels in a unit, which
	// gives lines and text their size. 0 means 1.
	Scale float64
}

func (v Viewport) scale() float64 {
	if !(v.Scale > 0) {
		return 1
	}
	return min(v.Scale, 8)
}

// Renderer draws views. It must be created with New. Use and close it on the thread
// on which its context is current.
type Renderer struct {
	gl        calls
	maxBodies int

	ring      ring
	structure structure
	culling   culling
	hud       HUD
	timer     timer

	frame             *frame     // allocated on its own, without pointers, so that it can be passed to cgo
	host              *hostState // like the field above
	frameBuffer       uint32     // the uniform buffer for frame
	grid, shape       uint32     // programs
	ghostUniform      int32
	previous, current int // the entries of the ring that this frame draws
	drawn             drawn
}

// New returns a renderer for the context that is current on the calling thread. The
// context must be OpenGL 4.1 core or newer. New leaves the state of the context as
// it found it, except that it discards waiting GL errors.
func New() (*Renderer, error) {
	if err := loadFunctions(); err != nil {
		return nil, fmt.Errorf("glrender: OpenGL 4.1: %w", err)
	}
	if err := checkVersion(); err != nil {
		return nil, err
	}
	for gl.GetError() != gl.NO_ERROR {
	}
	r := &Renderer{frame: new(frame), host: new(hostState)}
	host, c := r.host, &calls{work: new(Work)} // these calls are not counted
	host.saveBindings(c)
	defer host.restoreBindings(c)
	gl.ActiveTexture(gl.TEXTURE0)
	r.gl.work = &r.gl.stats.Core
	var texels int32
	gl.GetIntegerv(gl.MAX_TEXTURE_BUFFER_SIZE, &texels)
	r.maxBodies = int(texels) / texelsPerBody
	if err := r.create(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

var (
	loading sync.Mutex
	loaded  bool
)

// loadFunctions loads the functions of GL only once. Their addresses are variables
// of package gl, which a renderer on another thread may be using.
func loadFunctions() error {
	loading.Lock()
	defer loading.Unlock()
	if loaded {
		return nil
	}
	err := gl.Init()
	loaded = err == nil
	return err
}

// checkVersion checks the version of the context, because loaders also return
// functions that the context does not support.
func checkVersion() error {
	if gl.GetString(gl.VERSION) == nil {
		return errors.New("glrender: no OpenGL context is current on this thread")
	}
	var major, minor int32
	gl.GetIntegerv(gl.MAJOR_VERSION, &major)
	gl.GetIntegerv(gl.MINOR_VERSION, &minor)
	if major < 4 || major == 4 && minor < 1 {
		return fmt.Errorf("glrender: OpenGL %d.%d, but 4.1 is needed", major, minor)
	}
	return nil
}

func (r *Renderer) create() error {
	for _, p := range []struct {
		id               *uint32
		vertex, fragment string
	}{
		{&r.grid, "grid.vert.glsl", "grid.frag.glsl"},
		{&r.shape, "shape.vert.glsl", "shape.frag.glsl"},
		{&r.hud.program, "hud.vert.glsl", "hud.frag.glsl"},
	} {
		id, err := loadProgram(p.vertex, p.fragment)
		if err != nil {
			return err
		}
		*p.id = id
		connect(id)
	}
	r.ghostUniform = gl.GetUniformLocation(r.shape, gl.Str("ghost\x00"))
	gl.GenBuffers(1, &r.frameBuffer)
	r.ring.create()
	createInstances(&r.structure.quads)
	createInstances(&r.culling.quads)
	r.hud.create(r)
	if e := gl.GetError(); e != gl.NO_ERROR {
		return fmt.Errorf("glrender: GL error 0x%x while setting up", e)
	}
	return nil
}

// forget makes the next Draw upload all states. It is called when a view has a new
// Scene, whose serials start at 0 again.
func (r *Renderer) forget() {
	r.ring.forget()
	r.culling.version = 0
}

// BeginFrame resets the statistics.
func (r *Renderer) BeginFrame() {
	r.gl.stats = FrameStats{}
	r.gl.work = &r.gl.stats.Core
}

// Stats returns the statistics since BeginFrame.
func (r *Renderer) Stats() FrameStats { return r.gl.stats }

// Clear fills the whole framebuffer. Draw needs no Clear for its viewport.
func (r *Renderer) Clear(c body2d.Colour) {
	r.gl.work = &r.gl.stats.Core
	r.gl.clear(float32(c[0])/255, float32(c[1])/255, float32(c[2])/255, float32(c[3])/255)
}

// Close frees all GL objects. The context must be current. If the context no longer
// exists, do not call Close, because in another context the same names may belong
// to other objects.
func (r *Renderer) Close() {
	r.ring.close()
	r.structure.close()
	r.culling.close()
	r.hud.close()
	r.timer.close()
	gl.DeleteBuffers(1, &r.frameBuffer)
	for _, p := range []uint32{r.grid, r.shape, r.hud.program} {
		gl.DeleteProgram(p)
	}
	*r = Renderer{}
}
