package glrender

import (
	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/scene"
)

// hostState is the state of a context that Overlay and New change. It has no
// pointers, so its fields can be passed to cgo.
//
// State that has an index is saved and changed at index 0 only, because our shaders
// write only there. GL calls without an index would change the state at all
// indices.
type hostState struct {
	program, vertexArray                      int32
	arrayBuffer, textureBuffer, uniformBuffer int32
	frameBuffer                               int32 // at frameBinding
	frameStart, frameSize                     int64
	unit                                      int32 // active texture unit
	textures                                  [len(textures)]int32

	viewport       [4]float32
	blend, scissor bool
	blendFunc      [4]int32 // source and target factors, of colour and of alpha
	blendEquation  [2]int32
	polygonMode    [2]int32 // GL may return one value for the front and one for the back
	drawBuffers    int32    // number of draw buffers
	colourMask     [maxDrawBuffers][4]bool
	switches       [len(switches)]bool // which of the global list switches are on

	pixels      [4]int32 // the values of transfer.names that plainPixels has saved
	pixelBuffer int32    // the buffer that was bound to transfer.target before plainPixels
}

const maxDrawBuffers = 16 // 8 in all drivers that we know

// textures are the texture bindings that Overlay and New change.
var textures = [...]struct{ unit, target, binding uint32 }{
	{previousUnit, gl.TEXTURE_BUFFER, gl.TEXTURE_BINDING_BUFFER}, {currentUnit, gl.TEXTURE_BUFFER, gl.TEXTURE_BINDING_BUFFER},
	{glyphsUnit, gl.TEXTURE_2D, gl.TEXTURE_BINDING_2D},
}

// switches are the capabilities that would change or discard our pixels. Overlay
// turns them off while it draws.
var switches = [...]uint32{
	gl.DEPTH_TEST, gl.STENCIL_TEST, gl.CULL_FACE, gl.RASTERIZER_DISCARD,
	gl.COLOR_LOGIC_OP, gl.FRAMEBUFFER_SRGB, gl.POLYGON_SMOOTH,
	gl.SAMPLE_ALPHA_TO_COVERAGE, gl.SAMPLE_ALPHA_TO_ONE, gl.SAMPLE_COVERAGE, gl.SAMPLE_MASK,
	// Our shaders write no clip distances, so the result of a clip by them would be
	// undefined.
	gl.CLIP_DISTANCE0, gl.CLIP_DISTANCE1, gl.CLIP_DISTANCE2, gl.CLIP_DISTANCE3,
	gl.CLIP_DISTANCE4, gl.CLIP_DISTANCE5, gl.CLIP_DISTANCE6, gl.CLIP_DISTANCE7,
}

var blendNames = [...]uint32{gl.BLEND_SRC_RGB, gl.BLEND_DST_RGB, gl.BLEND_SRC_ALPHA, gl.BLEND_DST_ALPHA}

// The methods below make most of their GL calls directly. At its beginning, each counts
// these calls.

func (h *hostState) saveBindings(c *calls) {
	c.work.Calls += 9 + 2*len(textures)
	gl.GetIntegerv(gl.CURRENT_PROGRAM, &h.program)
	gl.GetIntegerv(gl.VERTEX_ARRAY_BINDING, &h.vertexArray)
	gl.GetIntegerv(gl.ARRAY_BUFFER_BINDING, &h.arrayBuffer)
	gl.GetIntegerv(gl.TEXTURE_BUFFER, &h.textureBuffer) // in GL 4.1 this name reads the binding
	gl.GetIntegerv(gl.UNIFORM_BUFFER_BINDING, &h.uniformBuffer)
	gl.GetIntegeri_v(gl.UNIFORM_BUFFER_BINDING, frameBinding, &h.frameBuffer)
	gl.GetInteger64i_v(gl.UNIFORM_BUFFER_START, frameBinding, &h.frameStart)
	gl.GetInteger64i_v(gl.UNIFORM_BUFFER_SIZE, frameBinding, &h.frameSize)
	gl.GetIntegerv(gl.ACTIVE_TEXTURE, &h.unit)
	for i, t := range textures {
		gl.ActiveTexture(gl.TEXTURE0 + t.unit)
		gl.GetIntegerv(t.binding, &h.textures[i])
	}
}

func (h *hostState) restoreBindings(c *calls) {
	c.work.Calls += 2 // the two calls that c does not count itself
	if !gl.IsProgram(uint32(h.program)) {
		h.program = 0 // the program was deleted while it was in use, and does not exist any more
	}
	c.useProgram(uint32(h.program))
	c.bindVertexArray(uint32(h.vertexArray))
	c.bindBuffer(gl.ARRAY_BUFFER, uint32(h.arrayBuffer))
	c.bindBuffer(gl.TEXTURE_BUFFER, uint32(h.textureBuffer))
	if h.frameSize > 0 {
		gl.BindBufferRange(gl.UNIFORM_BUFFER, frameBinding, uint32(h.frameBuffer), int(h.frameStart), int(h.frameSize))
	} else {
		gl.BindBufferBase(gl.UNIFORM_BUFFER, frameBinding, uint32(h.frameBuffer))
	}
	c.bindBuffer(gl.UNIFORM_BUFFER, uint32(h.uniformBuffer))
	for i, t := range textures {
		c.bindTexture(t.unit, t.target, uint32(h.textures[i]))
	}
	c.activeTexture(uint32(h.unit))
}

func (h *hostState) save(c *calls) {
	h.saveBindings(c)
	gl.GetFloati_v(gl.VIEWPORT, 0, &h.viewport[0])
	h.blend = gl.IsEnabledi(gl.BLEND, 0)
	h.scissor = gl.IsEnabledi(gl.SCISSOR_TEST, 0)
	for i, name := range blendNames {
		gl.GetIntegeri_v(name, 0, &h.blendFunc[i])
	}
	gl.GetIntegeri_v(gl.BLEND_EQUATION_RGB, 0, &h.blendEquation[0])
	gl.GetIntegeri_v(gl.BLEND_EQUATION_ALPHA, 0, &h.blendEquation[1])
	gl.GetIntegerv(gl.POLYGON_MODE, &h.polygonMode[0])
	gl.GetIntegerv(gl.MAX_DRAW_BUFFERS, &h.drawBuffers)
	h.drawBuffers = min(h.drawBuffers, maxDrawBuffers)
	c.work.Calls += 7 + len(blendNames) + int(h.drawBuffers) + len(switches)
	for i := range h.drawBuffers {
		gl.GetBooleani_v(gl.COLOR_WRITEMASK, uint32(i), &h.colourMask[i][0])
	}
	for i, name := range switches {
		h.switches[i] = gl.IsEnabled(name)
	}
}

// prepare sets the state in which Overlay draws.
func (h *hostState) prepare(c *calls, fb Viewport) {
	ours := hostState{
		viewport: [4]float32{float32(fb.X), float32(fb.Y), float32(fb.W), float32(fb.H)}, blend: true,
		blendFunc:     [4]int32{gl.ONE, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA},
		blendEquation: [2]int32{gl.FUNC_ADD, gl.FUNC_ADD}, polygonMode: [2]int32{gl.FILL},
		drawBuffers: h.drawBuffers, colourMask: [maxDrawBuffers][4]bool{{true, true, true, true}}, switches: h.switches,
	}
	ours.apply(c, false) // turns off all switches that the host has turned on
}

// apply sets all of the state except the bindings. If on is true, it turns the
// host's switches on again, and otherwise off.
func (h *hostState) apply(c *calls, on bool) {
	c.work.Calls += 6 + int(h.drawBuffers)
	v, f, e := h.viewport, h.blendFunc, h.blendEquation
	gl.ViewportIndexedf(0, v[0], v[1], v[2], v[3])
	turn(gl.BLEND, h.blend)
	turn(gl.SCISSOR_TEST, h.scissor)
	gl.BlendFuncSeparatei(0, uint32(f[0]), uint32(f[1]), uint32(f[2]), uint32(f[3]))
	gl.BlendEquationSeparatei(0, uint32(e[0]), uint32(e[1]))
	gl.PolygonMode(gl.FRONT_AND_BACK, uint32(h.polygonMode[0]))
	for i := range h.drawBuffers {
		m := h.colourMask[i]
		gl.ColorMaski(uint32(i), m[0], m[1], m[2], m[3])
	}
	for i, name := range switches {
		if !h.switches[i] {
			continue
		}
		c.work.Calls++
		if on {
			gl.Enable(name)
		} else {
			gl.Disable(name)
		}
	}
}

// turn turns a capability on or off at index 0.
func turn(name uint32, on bool) {
	if on {
		gl.Enablei(name, 0)
	} else {
		gl.Disablei(name, 0)
	}
}

// transfer is the state of pixel transfers in one direction, from or to the GPU.
type transfer struct {
	target, binding uint32
	names           [4]uint32 // parameters: the alignment, and three that leave gaps in memory
}

var (
	reading = transfer{gl.PIXEL_PACK_BUFFER, gl.PIXEL_PACK_BUFFER_BINDING, [4]uint32{
		gl.PACK_ALIGNMENT, gl.PACK_ROW_LENGTH, gl.PACK_SKIP_ROWS, gl.PACK_SKIP_PIXELS,
	}}
	writing = transfer{gl.PIXEL_UNPACK_BUFFER, gl.PIXEL_UNPACK_BUFFER_BINDING, [4]uint32{
		gl.UNPACK_ALIGNMENT, gl.UNPACK_ROW_LENGTH, gl.UNPACK_SKIP_ROWS, gl.UNPACK_SKIP_PIXELS,
	}}
)

// plainPixels makes pixel transfers use memory without gaps, until restorePixels.
func (h *hostState) plainPixels(t *transfer) {
	gl.GetIntegerv(t.binding, &h.pixelBuffer)
	gl.BindBuffer(t.target, 0)
	for i, name := range t.names {
		gl.GetIntegerv(name, &h.pixels[i])
	}
	for i, plain := range [...]int32{1, 0, 0, 0} {
		gl.PixelStorei(t.names[i], plain)
	}
}

func (h *hostState) restorePixels(t *transfer) {
	for i, name := range t.names {
		gl.PixelStorei(name, h.pixels[i])
	}
	gl.BindBuffer(t.target, uint32(h.pixelBuffer))
}

// Overlay draws a view over an existing picture. It draws the bodies and joints
// without the background and the grid, always in front of the picture, and over
// them the layers of a painter, if there is one. The fill of the bodies is
// transparent enough that the picture is visible through it. The painter's layers
// are drawn with the HUD, which Overlay empties.
//
// m transforms (x, y, 0, 1) to clip space, with x and y in metres in the world of
// the bodies. For a 3D scene it is projection × view × model, where model places
// the plane of physics in the scene. Lines and edges have the same width in pixels
// as in Draw, wherever the plane is. m is float32 and so exact to about 1e-7 of the
// distance from the origin.
//
// Overlay draws to the first colour attachment of the bound framebuffer, and leaves
// the state of the context as it found it; see the package comment. It returns the
// same errors as Draw. It draws nothing if m shows the plane edge-on or is not
// finite.
func (r *Renderer) Overlay(v *scene.View[body2d.State], m mgl32.Mat4, fb Viewport, layers body2d.Layers, marks *draw.Painter) error {
	f, ok := overlayFrame(v, m, fb, layers)
	if fb.W <= 0 || fb.H <= 0 || !ok {
		return r.check(v)
	}
	c := &r.gl
	c.work = &c.stats.State
	r.host.save(c)
	r.host.prepare(c, fb)
	err := r.Upload(v)
	if err == nil {
		*r.frame = f
		r.bind()
		r.drawBodies(layers)
		if marks != nil {
			hud := r.BeginHUD(fb)
			marks.Marks(hud.through(m), v)
			hud.draw()
		}
	}
	c.work = &c.stats.State
	r.host.restoreBindings(c)
	r.host.apply(c, true) // turns the host's switches on again
	c.work = &c.stats.Core
	return err
}
