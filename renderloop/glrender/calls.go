package glrender

import (
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// calls makes the GL calls of a frame and counts them. All drawing goes through
// it; New, Close and the timer call GL directly.
type calls struct {
	stats FrameStats
	work  *Work // where the next calls are counted
}

func (c *calls) viewport(x, y, w, h int) {
	c.work.Calls++
	gl.Viewport(int32(x), int32(y), int32(w), int32(h))
}

func (c *calls) blend() {
	c.work.Calls += 2
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
}

func (c *calls) clear(r, g, b, a float32) {
	c.work.Calls += 2
	gl.ClearColor(r, g, b, a)
	gl.Clear(gl.COLOR_BUFFER_BIT)
}

func (c *calls) useProgram(p uint32) {
	c.work.Calls++
	gl.UseProgram(p)
}

func (c *calls) bindVertexArray(v uint32) {
	c.work.Calls++
	gl.BindVertexArray(v)
}

func (c *calls) activeTexture(unit uint32) {
	c.work.Calls++
	gl.ActiveTexture(unit)
}

func (c *calls) bindTexture(unit uint32, target, texture uint32) {
	c.activeTexture(gl.TEXTURE0 + unit)
	c.work.Calls++
	gl.BindTexture(target, texture)
}

func (c *calls) bindBuffer(target, b uint32) {
	c.work.Calls++
	gl.BindBuffer(target, b)
}

func (c *calls) bindBufferBase(target, index, b uint32) {
	c.work.Calls++
	gl.BindBufferBase(target, index, b)
}

func (c *calls) bindBufferRange(target, index, b uint32, offset, size int) {
	c.work.Calls++
	gl.BindBufferRange(target, index, b, offset, size)
}

// bufferData gives the buffer bound to target a new store, so that a frame in
// flight keeps the old one. data may be nil.
func (c *calls) bufferData(target uint32, size int, data unsafe.Pointer) {
	c.work.Calls++
	if data != nil {
		c.work.Bytes += size
	}
	gl.BufferData(target, size, data, gl.STREAM_DRAW)
}

func (c *calls) bufferSubData(target uint32, offset, size int, data unsafe.Pointer) {
	c.work.Calls++
	c.work.Bytes += size
	gl.BufferSubData(target, offset, size, data)
}

func (c *calls) uniform1i(location, v int32) {
	c.work.Calls++
	c.work.Bytes += 4
	gl.Uniform1i(location, v)
}

func (c *calls) uniform3f(location int32, x, y, z float32) {
	c.work.Calls++
	c.work.Bytes += 12
	gl.Uniform3f(location, x, y, z)
}

func (c *calls) drawTriangle() {
	c.work.Calls++
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
}

func (c *calls) drawQuads(n int) {
	c.work.Calls++
	gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(n))
}

// The methods below are for the state of a host. An index selects one of several
// viewports, colour attachments or bindings.

func (c *calls) integer(name uint32, to *int32) {
	c.work.Calls++
	gl.GetIntegerv(name, to)
}

func (c *calls) integerAt(name, index uint32, to *int32) {
	c.work.Calls++
	gl.GetIntegeri_v(name, index, to)
}

func (c *calls) longAt(name, index uint32, to *int64) {
	c.work.Calls++
	gl.GetInteger64i_v(name, index, to)
}

func (c *calls) floatsAt(name, index uint32, to *float32) {
	c.work.Calls++
	gl.GetFloati_v(name, index, to)
}

func (c *calls) booleansAt(name, index uint32, to *bool) {
	c.work.Calls++
	gl.GetBooleani_v(name, index, to)
}

func (c *calls) isProgram(p uint32) bool {
	c.work.Calls++
	return gl.IsProgram(p)
}

func (c *calls) isEnabled(name uint32) bool {
	c.work.Calls++
	return gl.IsEnabled(name)
}

func (c *calls) isEnabledAt(name, index uint32) bool {
	c.work.Calls++
	return gl.IsEnabledi(name, index)
}

func (c *calls) set(name uint32, on bool) {
	c.work.Calls++
	if on {
		gl.Enable(name)
	} else {
		gl.Disable(name)
	}
}

func (c *calls) setAt(name, index uint32, on bool) {
	c.work.Calls++
	if on {
		gl.Enablei(name, index)
	} else {
		gl.Disablei(name, index)
	}
}

func (c *calls) viewportAt(index uint32, v [4]float32) {
	c.work.Calls++
	gl.ViewportIndexedf(index, v[0], v[1], v[2], v[3])
}

func (c *calls) blendAt(index uint32, f [4]int32, equation [2]int32) {
	c.work.Calls += 2
	gl.BlendFuncSeparatei(index, uint32(f[0]), uint32(f[1]), uint32(f[2]), uint32(f[3]))
	gl.BlendEquationSeparatei(index, uint32(equation[0]), uint32(equation[1]))
}

func (c *calls) polygonMode(mode uint32) {
	c.work.Calls++
	gl.PolygonMode(gl.FRONT_AND_BACK, mode)
}

func (c *calls) colourMask(index uint32, m [4]bool) {
	c.work.Calls++
	gl.ColorMaski(index, m[0], m[1], m[2], m[3])
}
