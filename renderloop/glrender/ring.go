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

	// A frame draws two entries, and the GPU may still be reading two others for the frame
	// before.
	ringSize = 4
)

// ring has the states of the last ticks on the GPU, by serial. Each entry is a texture
// buffer.
type ring struct {
	entries [ringSize]ringEntry
	clock   uint64 // the number of calls of hold
}

type ringEntry struct {
	buffer, texture uint32
	filled          bool
	serial          uint64
	bodies          int
	used            uint64 // the value of ring.clock when the entry was last used
}

func (r *ring) create() {
	for i := range r.entries {
		e := &r.entries[i]
		gl.GenBuffers(1, &e.buffer)
		gl.BindBuffer(gl.TEXTURE_BUFFER, e.buffer)
		// A texture buffer without memory is not complete.
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

// forget drops all states, because serials start at 0 again.
func (r *ring) forget() {
	for i := range r.entries {
		r.entries[i].filled = false
	}
}

// hold returns the entry with the states of a serial. If there is none, it updates the
// entry that has not been used for longest: it uploads the states that have changed since
// the serial of that entry. With nil changes it uploads all states.
func (r *ring) hold(c *calls, serial uint64, states []body2d.State, changes *buffer.Changes) int {
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
	known := changes != nil && was.filled && was.bodies == len(states) && was.serial < serial
	if !known || !c.writeChanged(states, changes, was.serial) {
		c.bufferData(gl.TEXTURE_BUFFER, len(states)*stateBytes, unsafe.Pointer(&states[0]))
	}
	return oldest
}

// writeChanged writes the states that have changed since a serial to the bound texture
// buffer, which has the other states already. If more than half have changed, it does
// nothing, because it is faster to upload all. It reports whether the buffer now has all
// states.
func (c *calls) writeChanged(states []body2d.State, changes *buffer.Changes, serial uint64) bool {
	first, last, n := 0, -1, 0
	for i := range changes.Since(serial) {
		if last < 0 {
			first = i
		}
		last = i
		n++
	}
	if n == 0 || 2*n > len(states) {
		return n == 0
	}
	c.work.Calls++
	// the driver keeps the bytes of the range that are not written
	to := gl.MapBufferRange(gl.TEXTURE_BUFFER, first*stateBytes, (last+1-first)*stateBytes, gl.MAP_WRITE_BIT)
	if to == nil {
		return false
	}
	mapped := unsafe.Slice((*body2d.State)(to), last+1-first)
	for i := range changes.Since(serial) {
		mapped[i-first] = states[i]
	}
	c.work.Calls++
	c.work.Bytes += n * stateBytes
	return gl.UnmapBuffer(gl.TEXTURE_BUFFER)
}
