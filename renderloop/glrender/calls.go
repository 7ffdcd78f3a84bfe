package glrender

import (
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// calls makes the GL calls of a frame and counts them. All code that draws uses it. Only
// New, Close, the timer (timer.go) and hostState (host.go, which saves and restores the
// context's state for Overlay) call GL directly.
type calls struct {
	stats FrameStats // counters since BeginFrame, by purpose
	work  *Work      // the field of stats in which the next calls are counted; each method of Renderer and HUD sets it
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

// bufferData gives a new memory to the buffer that is bound to target, because the GPU
// may still read the old memory. With nil data it only allocates the memory.
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
