package glrender

import (
	"unsafe"

	"halfstep/buffer"
	"halfstep/buffer/body2d"

	"github.com/go-gl/gl/v4.1-core/gl"
)

const (
	stateBytes    = int(unsafe.Sizeof(body2d.State{}))
	texelsPerBody = 2

	// A frame draws from two entries, and a frame in flight may read two others.
	ringSize = 4
)

// ring holds the states of the last ticks on the GPU by serial, each in its own
// texture buffer.
type ring struct {
	entries [ringSize]ringEntry
	clock   uint64
}

type ringEntry struct {
	buffer, texture uint32
	filled          bool
	serial          uint64
	bodies          int
	used            uint64 // ring.clock when it was last asked for
}

func (r *ring) create() {
	for i := range r.entries {
		e := &r.entries[i]
		gl.GenBuffers(1, &e.buffer)
		gl.BindBuffer(gl.TEXTURE_BUFFER, e.buffer)
		// A texture buffer without a store is not complete.
		gl.BufferData(gl.TEXTURE_BUFFER, stateBytes, nil, gl.STREAM_DRAW)
		gl.GenTextures(1, &e.texture)
		gl.BindTexture(gl.TEXTURE_BUFFER, e.texture)
		gl.TexBuffer(gl.TEXTURE_BUFFER, gl.RGBA32UI, e.buffer)
	}
}

func (r *ring) close() {
	for i := range r.entries {
		gl.DeleteTextures(1, &r.entries[i].texture)
		gl.DeleteBuffers(1, &r.entries[i].buffer)
	}
}

// forget drops all contents, because serials start anew.
func (r *ring) forget() {
	for i := range r.entries {
		r.entries[i].filled = false
	}
}

// hold returns the entry with the states of a serial. If there is none, it brings the
// least recently used entry up to date, which takes what has changed since the serial
// of that one. Without stamps nobody knows what that is.
func (r *ring) hold(c *calls, serial uint64, states []body2d.State, stamps *buffer.Stamps) int {
	r.clock++
	oldest := 0
	for i := range r.entries {
		e := &r.entries[i]
		if e.filled && e.serial == serial && e.bodies == len(states) {
			e.used = r.clock
			return i
		}
		if e.used < r.entries[oldest].used {
			oldest = i
		}
	}
	e := &r.entries[oldest]
	was := *e
	e.filled, e.serial, e.bodies, e.used = true, serial, len(states), r.clock
	if len(states) == 0 {
		return oldest
	}
	c.bindBuffer(gl.TEXTURE_BUFFER, e.buffer)
	if stamps != nil && was.filled && was.bodies == len(states) && was.serial < serial {
		if parts, n, all := spans(stamps, was.serial, len(states)); !all {
			for _, p := range parts[:n] {
				c.bufferSubData(gl.TEXTURE_BUFFER, p.from*stateBytes, (p.to-p.from)*stateBytes, unsafe.Pointer(&states[p.from]))
			}
			return oldest
		}
	}
	c.bufferData(gl.TEXTURE_BUFFER, len(states)*stateBytes, unsafe.Pointer(&states[0]))
	return oldest
}
