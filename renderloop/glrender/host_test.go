package glrender

import (
	"fmt"
	"image"
	"slices"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/draw"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
)

// contextState returns all state of a context that drawing could change, as
// lines of the form "name value".
func contextState() (lines []string) {
	add := func(name string, value any) { lines = append(lines, fmt.Sprintf("%s %v", name, value)) }
	values := func(name string, id uint32) {
		v := [16]float32{} // GL converts other types to float
		gl.GetFloatv(id, &v[0])
		add(name, v)
	}
	for name, id := range map[string]uint32{
		"program": gl.CURRENT_PROGRAM, "pipeline": gl.PROGRAM_PIPELINE_BINDING,
		"vertex array": gl.VERTEX_ARRAY_BINDING, "array buffer": gl.ARRAY_BUFFER_BINDING,
		"element buffer": gl.ELEMENT_ARRAY_BUFFER_BINDING, "texture buffer": gl.TEXTURE_BUFFER,
		"uniform buffer": gl.UNIFORM_BUFFER_BINDING, "copy read": gl.COPY_READ_BUFFER, "copy write": gl.COPY_WRITE_BUFFER,
		"feedback buffer": gl.TRANSFORM_FEEDBACK_BUFFER_BINDING, "indirect": gl.DRAW_INDIRECT_BUFFER_BINDING,
		"pack buffer": gl.PIXEL_PACK_BUFFER_BINDING, "unpack buffer": gl.PIXEL_UNPACK_BUFFER_BINDING,
		"draw framebuffer": gl.DRAW_FRAMEBUFFER_BINDING, "read framebuffer": gl.READ_FRAMEBUFFER_BINDING,
		"renderbuffer": gl.RENDERBUFFER_BINDING, "active texture": gl.ACTIVE_TEXTURE,
		"draw buffer 0": gl.DRAW_BUFFER0, "draw buffer 1": gl.DRAW_BUFFER1, "read buffer": gl.READ_BUFFER,
		"depth func": gl.DEPTH_FUNC, "depth mask": gl.DEPTH_WRITEMASK, "depth clear": gl.DEPTH_CLEAR_VALUE,
		"stencil func": gl.STENCIL_FUNC, "stencil ref": gl.STENCIL_REF, "stencil mask": gl.STENCIL_WRITEMASK,
		"stencil value mask": gl.STENCIL_VALUE_MASK, "stencil fail": gl.STENCIL_FAIL,
		"stencil depth fail": gl.STENCIL_PASS_DEPTH_FAIL, "stencil pass": gl.STENCIL_PASS_DEPTH_PASS,
		"stencil back func": gl.STENCIL_BACK_FUNC, "stencil back ref": gl.STENCIL_BACK_REF,
		"stencil back pass": gl.STENCIL_BACK_PASS_DEPTH_PASS, "stencil clear": gl.STENCIL_CLEAR_VALUE,
		"cull mode": gl.CULL_FACE_MODE, "front face": gl.FRONT_FACE, "polygon mode": gl.POLYGON_MODE,
		"polygon offset": gl.POLYGON_OFFSET_FACTOR, "polygon offset units": gl.POLYGON_OFFSET_UNITS,
		"line width": gl.LINE_WIDTH, "point size": gl.POINT_SIZE, "provoking vertex": gl.PROVOKING_VERTEX,
		"clear colour": gl.COLOR_CLEAR_VALUE, "blend colour": gl.BLEND_COLOR, "logic op": gl.LOGIC_OP_MODE,
		"sample coverage": gl.SAMPLE_COVERAGE_VALUE, "sample invert": gl.SAMPLE_COVERAGE_INVERT,
		"restart index":  gl.PRIMITIVE_RESTART_INDEX,
		"pack alignment": gl.PACK_ALIGNMENT, "pack row": gl.PACK_ROW_LENGTH, "pack rows": gl.PACK_SKIP_ROWS,
		"pack pixels": gl.PACK_SKIP_PIXELS, "pack swap": gl.PACK_SWAP_BYTES,
		"unpack alignment": gl.UNPACK_ALIGNMENT, "unpack row": gl.UNPACK_ROW_LENGTH, "unpack rows": gl.UNPACK_SKIP_ROWS,
		"unpack pixels": gl.UNPACK_SKIP_PIXELS, "unpack swap": gl.UNPACK_SWAP_BYTES,
	} {
		values(name, id)
	}
	for name, id := range hostSwitches {
		add(name, gl.IsEnabled(id))
	}
	for i := range uint32(8) {
		v := [20]int32{}
		for k, name := range []uint32{
			gl.BLEND_SRC_RGB, gl.BLEND_DST_RGB, gl.BLEND_SRC_ALPHA, gl.BLEND_DST_ALPHA,
			gl.BLEND_EQUATION_RGB, gl.BLEND_EQUATION_ALPHA,
		} {
			gl.GetIntegeri_v(name, i, &v[k])
		}
		mask := [4]bool{}
		gl.GetBooleani_v(gl.COLOR_WRITEMASK, i, &mask[0])
		add(fmt.Sprint("colour attachment ", i), fmt.Sprint(gl.IsEnabledi(gl.BLEND, i), v, mask))

		gl.GetIntegeri_v(gl.UNIFORM_BUFFER_BINDING, i, &v[0])
		size := [2]int64{}
		gl.GetInteger64i_v(gl.UNIFORM_BUFFER_START, i, &size[0])
		gl.GetInteger64i_v(gl.UNIFORM_BUFFER_SIZE, i, &size[1])
		add(fmt.Sprint("uniform block ", i), fmt.Sprint(v[0], size))
	}
	for i := range uint32(16) {
		v, box := [4]float32{}, [4]int32{}
		gl.GetFloati_v(gl.VIEWPORT, i, &v[0])
		gl.GetIntegeri_v(gl.SCISSOR_BOX, i, &box[0])
		add(fmt.Sprint("viewport ", i), fmt.Sprint(v, box, gl.IsEnabledi(gl.SCISSOR_TEST, i)))
	}
	var unit int32
	gl.GetIntegerv(gl.ACTIVE_TEXTURE, &unit)
	for i := range uint32(8) {
		gl.ActiveTexture(gl.TEXTURE0 + i)
		v := [6]int32{}
		for k, name := range []uint32{
			gl.TEXTURE_BINDING_1D, gl.TEXTURE_BINDING_2D, gl.TEXTURE_BINDING_3D,
			gl.TEXTURE_BINDING_CUBE_MAP, gl.TEXTURE_BINDING_BUFFER, gl.SAMPLER_BINDING,
		} {
			gl.GetIntegerv(name, &v[k])
		}
		add(fmt.Sprint("texture unit ", i), v)
	}
	gl.ActiveTexture(uint32(unit))
	slices.Sort(lines)
	return lines
}

var hostSwitches = map[string]uint32{
	"depth test": gl.DEPTH_TEST, "stencil test": gl.STENCIL_TEST, "cull face": gl.CULL_FACE,
	"discard": gl.RASTERIZER_DISCARD, "logic op on": gl.COLOR_LOGIC_OP, "sRGB": gl.FRAMEBUFFER_SRGB,
	"polygon smooth": gl.POLYGON_SMOOTH, "line smooth": gl.LINE_SMOOTH, "dither": gl.DITHER,
	"multisample": gl.MULTISAMPLE, "alpha to coverage": gl.SAMPLE_ALPHA_TO_COVERAGE,
	"alpha to one": gl.SAMPLE_ALPHA_TO_ONE, "coverage": gl.SAMPLE_COVERAGE, "sample mask": gl.SAMPLE_MASK,
	"depth clamp": gl.DEPTH_CLAMP, "offset fill": gl.POLYGON_OFFSET_FILL, "restart": gl.PRIMITIVE_RESTART,
	"point size by program": gl.PROGRAM_POINT_SIZE, "seamless": gl.TEXTURE_CUBE_MAP_SEAMLESS,
	"clip 0": gl.CLIP_DISTANCE0, "clip 1": gl.CLIP_DISTANCE1, "clip 2": gl.CLIP_DISTANCE2, "clip 3": gl.CLIP_DISTANCE3,
	"clip 4": gl.CLIP_DISTANCE4, "clip 5": gl.CLIP_DISTANCE5, "clip 6": gl.CLIP_DISTANCE6, "clip 7": gl.CLIP_DISTANCE7,
}

// changed returns the lines of a that are not in b.
func changed(a, b []string) (lines []string) {
	for _, line := range a {
		if !slices.Contains(b, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// host is a context whose state differs completely from that of a new context.
// It draws to two colour attachments.
type host struct {
	fb     Viewport
	second uint32 // second is the framebuffer that reads the second attachment.
}

func newHost(t *testing.T) *host {
	t.Helper()
	use(t, anotherContext(t))
	if err := loadFunctions(); err != nil {
		t.Fatal(err)
	}
	return &host{fb: Viewport{W: 96, H: 64}}
}

// beOdd sets the state. It is a separate call, so that there can be a picture
// without this state.
func (h *host) beOdd(t *testing.T) {
	t.Helper()
	w, height := int32(h.fb.W), int32(h.fb.H)
	var textures [16]uint32
	gl.GenTextures(16, &textures[0])
	var buffers [8]uint32
	gl.GenBuffers(8, &buffers[0])
	var targets [2]uint32
	gl.GenFramebuffers(2, &targets[0])
	var vao, sampler, pipeline, depth uint32
	gl.GenVertexArrays(1, &vao)
	gl.GenSamplers(1, &sampler)
	gl.GenProgramPipelines(1, &pipeline)
	gl.GenRenderbuffers(1, &depth)

	gl.BindRenderbuffer(gl.RENDERBUFFER, depth)
	gl.RenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH24_STENCIL8, w, height)
	attach := func(target, point, texture uint32) {
		gl.BindTexture(gl.TEXTURE_2D, texture)
		gl.TexImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, w, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, nil)
		gl.FramebufferTexture2D(target, point, gl.TEXTURE_2D, texture, 0)
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, targets[0])
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, depth)
	attach(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, textures[0])
	attach(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT1, textures[1])
	both := [2]uint32{gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1}
	gl.DrawBuffers(2, &both[0])
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, targets[1])
	gl.FramebufferTexture2D(gl.READ_FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, textures[1], 0)
	if s := gl.CheckFramebufferStatus(gl.DRAW_FRAMEBUFFER); s != gl.FRAMEBUFFER_COMPLETE {
		t.Fatalf("framebuffer status 0x%x", s)
	}
	gl.ClearColor(0.25, 0.5, 0.75, 1)
	gl.ClearDepth(0.125) // this is nearer than everything that is drawn
	gl.ClearStencil(9)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT)

	gl.UseProgram(hostProgram(t))
	gl.BindProgramPipeline(pipeline)
	gl.BindVertexArray(vao)
	for i, target := range []uint32{
		gl.ARRAY_BUFFER, gl.ELEMENT_ARRAY_BUFFER, gl.TEXTURE_BUFFER, gl.UNIFORM_BUFFER,
		gl.PIXEL_PACK_BUFFER, gl.PIXEL_UNPACK_BUFFER, gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER,
	} {
		gl.BindBuffer(target, buffers[i])
		gl.BufferData(target, 1<<16, nil, gl.STATIC_DRAW)
	}
	gl.EnableVertexAttribArray(3)
	var align int32
	gl.GetIntegerv(gl.UNIFORM_BUFFER_OFFSET_ALIGNMENT, &align)
	gl.BindBufferRange(gl.UNIFORM_BUFFER, frameBinding, buffers[0], int(align), 64)
	gl.BindBufferBase(gl.UNIFORM_BUFFER, 1, buffers[1])
	gl.BindBuffer(gl.UNIFORM_BUFFER, buffers[3])
	for i := range uint32(3) {
		gl.ActiveTexture(gl.TEXTURE0 + i)
		for k, target := range []uint32{gl.TEXTURE_1D, gl.TEXTURE_3D, gl.TEXTURE_CUBE_MAP, gl.TEXTURE_BUFFER} {
			gl.BindTexture(target, textures[2+4*min(i, 2)+uint32(k)])
		}
		gl.BindTexture(gl.TEXTURE_2D, textures[14+i%2])
		gl.BindSampler(i, sampler)
	}
	gl.ActiveTexture(gl.TEXTURE0 + 5)

	for i := range uint32(8) {
		gl.BlendFuncSeparatei(i, gl.DST_COLOR, gl.SRC_ALPHA, gl.ZERO, gl.ONE-i%2)
		gl.BlendEquationSeparatei(i, gl.FUNC_REVERSE_SUBTRACT, gl.MAX)
		gl.ColorMaski(i, i%2 == 1, i%3 == 1, true, i%2 == 1)
		if i%2 == 1 {
			gl.Enablei(gl.BLEND, i)
		}
	}
	gl.BlendColor(0.1, 0.2, 0.3, 0.4)
	for i := range uint32(16) {
		gl.ViewportIndexedf(i, 3, 5+float32(i), 17.5, 13)
		gl.ScissorIndexed(i, 1, int32(i), 7, 5)
		if i%3 == 0 {
			gl.Enablei(gl.SCISSOR_TEST, i)
		}
	}
	gl.DepthFunc(gl.LESS)
	gl.DepthMask(false)
	gl.StencilFuncSeparate(gl.FRONT, gl.NEVER, 3, 0x55)
	gl.StencilFuncSeparate(gl.BACK, gl.EQUAL, 4, 0x66)
	gl.StencilOpSeparate(gl.FRONT, gl.INCR, gl.DECR, gl.INVERT)
	gl.StencilMask(0x77)
	gl.CullFace(gl.FRONT_AND_BACK)
	gl.FrontFace(gl.CW)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.LINE)
	gl.PolygonOffset(2, 3)
	gl.LineWidth(0.5)
	gl.PointSize(3)
	gl.LogicOp(gl.XOR)
	gl.SampleCoverage(0.25, true)
	gl.ProvokingVertex(gl.FIRST_VERTEX_CONVENTION)
	gl.PrimitiveRestartIndex(1)
	for i, name := range []uint32{
		gl.PACK_ROW_LENGTH, gl.PACK_SKIP_ROWS, gl.PACK_SKIP_PIXELS,
		gl.UNPACK_ROW_LENGTH, gl.UNPACK_SKIP_ROWS, gl.UNPACK_SKIP_PIXELS,
	} {
		gl.PixelStorei(name, 200+int32(i))
	}
	gl.PixelStorei(gl.PACK_ALIGNMENT, 8)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 2)
	for _, name := range hostSwitches {
		if gl.IsEnabled(name) {
			gl.Disable(name)
		} else {
			gl.Enable(name)
		}
	}
	h.second = targets[1]
	if e := gl.GetError(); e != gl.NO_ERROR {
		t.Fatalf("GL error 0x%x while setting the host's state", e)
	}
}

func hostProgram(t *testing.T) uint32 {
	t.Helper()
	p := gl.CreateProgram()
	for kind, text := range map[uint32]string{
		gl.VERTEX_SHADER:   "void main() { gl_Position = vec4(0.0); }\n",
		gl.FRAGMENT_SHADER: "layout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }\n",
	} {
		s, err := compile(kind, mustExpand(t, "host.glsl", text))
		if err != nil {
			t.Fatal(err)
		}
		gl.AttachShader(p, s)
	}
	if err := link(p, "host"); err != nil {
		t.Fatal(err)
	}
	return p
}

// crowdWithMarks returns a view with something to draw in every layer.
func crowdWithMarks() (*world, *view) {
	w := crowd(30)
	w.joint(body2d.JointGeometry{SlotA: -1, SlotB: 3})
	w.tick()
	w.cur[5].X++
	v := w.view(0.5)
	v.Scene.Bodies[3].Name = "three"
	v.Debug = &body2d.Debug{
		Boxes:    []body2d.DebugBox{{MinX: -3, MinY: -3, MaxX: 3, MaxY: 3}},
		Contacts: []body2d.DebugContact{{X: 1, NY: 1}},
	}
	return w, v
}

const allLayers = DefaultLayers | body2d.GhostsLayer

var allMarks = draw.NewPainter(body2d.BoxesLayer | body2d.ContactsLayer | body2d.CentresLayer | body2d.NamesLayer)

var hostMatrix = mgl32.Perspective(1, 1.5, 0.1, 100).Mul4(mgl32.LookAt(8, 6, 30, 0, 0, 0, 0, 1, 0))

func TestOverlayLeavesTheStateOfTheHostAsItFoundIt(t *testing.T) {
	h := newHost(t)
	fresh := contextState()
	h.beOdd(t)
	odd := contextState()
	if n := len(odd) - len(changed(odd, fresh)); n > 40 {
		t.Errorf("%d of %d lines of state are as in a new context", n, len(odd))
	}
	same := func(what string) {
		t.Helper()
		if now := contextState(); !slices.Equal(now, odd) {
			t.Fatalf("%s changed\n%q\nto\n%q", what, changed(odd, now), changed(now, odd))
		}
		if e := gl.GetError(); e != gl.NO_ERROR {
			t.Fatalf("%s: GL error 0x%x", what, e)
		}
	}
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	same("New")
	w, v := crowdWithMarks()
	overlay := func(what string) {
		t.Helper()
		if err := r.Overlay(v, hostMatrix, h.fb, allLayers, allMarks); err != nil {
			t.Fatal(err)
		}
		same(what)
	}
	overlay("the first Overlay")
	overlay("Overlay without a new tick")
	w.tick()
	w.body(dynamic, 1, 1, 0, box(1, 1))
	next := w.view(0.25)
	next.Debug = v.Debug
	v = next
	overlay("Overlay with a new tick and a new body")
	var whole int32
	gl.GetIntegerv(gl.UNIFORM_BUFFER_BINDING, &whole)
	gl.BindBufferBase(gl.UNIFORM_BUFFER, frameBinding, uint32(whole))
	odd = contextState()
	overlay("Overlay beside a uniform buffer that is bound as a whole")
	r.Screenshot(h.fb)
	same("Screenshot")
	r.Close()
	same("Close")
}

// overlayed returns the pictures in both attachments of a host after Overlay.
func (h *host) overlayed(t *testing.T, layers body2d.Layers) (first, second *image.NRGBA) {
	t.Helper()
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	_, v := crowdWithMarks()
	if err := r.Overlay(v, hostMatrix, h.fb, layers, allMarks); err != nil {
		t.Fatal(err)
	}
	if h.second != 0 {
		second = r.Screenshot(h.fb) // from the framebuffer that the host reads
		var draw int32
		gl.GetIntegerv(gl.DRAW_FRAMEBUFFER_BINDING, &draw)
		gl.BindFramebuffer(gl.READ_FRAMEBUFFER, uint32(draw))
	}
	return r.Screenshot(h.fb), second
}

func TestOverlayDrawsTheSameWhateverTheHostHasSet(t *testing.T) {
	h := newHost(t)
	newTarget(h.fb.W, h.fb.H)
	gl.ClearColor(0.25, 0.5, 0.75, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	want, _ := h.overlayed(t, allLayers)
	h.beOdd(t)
	got, second := h.overlayed(t, allLayers)
	if n, _ := differing(got, want); n != 0 {
		t.Errorf("%d pixels differ from those in a new context", n)
	}
	blank := image.NewNRGBA(got.Rect)
	for i := range blank.Pix {
		blank.Pix[i] = [4]uint8{64, 128, 191, 255}[i%4]
	}
	if n, _ := differing(want, blank); n < 300 {
		t.Errorf("the overlay covers %d pixels", n)
	}
	if n, _ := differing(second, blank); n != 0 {
		t.Errorf("%d pixels of the second colour attachment changed", n)
	}
}
