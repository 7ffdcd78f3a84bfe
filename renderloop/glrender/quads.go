package glrender

import "github.com/go-gl/gl/v4.1-core/gl"

// quads is a buffer with data for each quad, and the vertex array through
// which shaders read it.
type quads struct{ vao, buffer uint32 }

// attribute is n numbers of one of GL's types. The shader reads bytes as
// fractions of 255.
type attribute struct {
	n      int32
	kind   uint32
	offset uintptr
}

func (q *quads) create(stride int, attributes ...attribute) {
	gl.GenVertexArrays(1, &q.vao)
	gl.GenBuffers(1, &q.buffer)
	gl.BindVertexArray(q.vao)
	gl.BindBuffer(gl.ARRAY_BUFFER, q.buffer)
	for i, a := range attributes {
		index := uint32(i)
		gl.EnableVertexAttribArray(index)
		gl.VertexAttribDivisor(index, 1)
		if a.kind == gl.INT || a.kind == gl.UNSIGNED_INT {
			gl.VertexAttribIPointerWithOffset(index, a.n, a.kind, int32(stride), a.offset)
		} else {
			gl.VertexAttribPointerWithOffset(index, a.n, a.kind, a.kind == gl.UNSIGNED_BYTE, int32(stride), a.offset)
		}
	}
}

func (q *quads) close() {
	gl.DeleteVertexArrays(1, &q.vao)
	gl.DeleteBuffers(1, &q.buffer)
}
