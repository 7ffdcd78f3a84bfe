package glrender

import (
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// marks holds the boxes and contacts of the tick in View.Debug on the GPU.
type marks struct {
	quads
	list   []markInstance
	filled bool
	serial uint64
	layers Layers
}

// markInstance is one quad of shaders/mark.vert.glsl.
type markInstance struct {
	place  [4]float32 // a box's corners, or a contact's point and normal
	kind   uint32
	colour body2d.Colour
}

const (
	boxMark uint32 = iota
	contactMark

	markBytes = int(unsafe.Sizeof(markInstance{}))
)

var (
	boxColour     = body2d.Colour{120, 230, 160, 150}
	contactColour = body2d.Colour{255, 92, 92, 235}
)

func (m *marks) create() {
	var in markInstance
	m.quads.create(markBytes,
		attribute{4, gl.FLOAT, unsafe.Offsetof(in.place)},
		attribute{1, gl.UNSIGNED_INT, unsafe.Offsetof(in.kind)},
		attribute{4, gl.UNSIGNED_BYTE, unsafe.Offsetof(in.colour)})
}

// follow brings the marks on the GPU up to date.
func (m *marks) follow(c *calls, v *scene.View[body2d.State], layers Layers) {
	layers &= Boxes | Contacts
	if v.Debug == nil {
		m.list, m.filled = m.list[:0], false
		return
	}
	if m.filled && m.serial == v.CurSerial && m.layers == layers {
		return
	}
	m.filled, m.serial, m.layers = true, v.CurSerial, layers
	m.list = m.list[:0]
	if layers&Boxes != 0 {
		for _, b := range v.Debug.Boxes {
			m.list = append(m.list, markInstance{[4]float32{b.MinX, b.MinY, b.MaxX, b.MaxY}, boxMark, boxColour})
		}
	}
	if layers&Contacts != 0 {
		for _, p := range v.Debug.Contacts {
			m.list = append(m.list, markInstance{[4]float32{p.X, p.Y, p.NX, p.NY}, contactMark, contactColour})
		}
	}
	if len(m.list) > 0 {
		c.bindBuffer(gl.ARRAY_BUFFER, m.buffer)
		c.bufferData(gl.ARRAY_BUFFER, len(m.list)*markBytes, unsafe.Pointer(&m.list[0]))
	}
}

// drawDebug draws the debug layers over the bodies. bind must have been called.
func (r *Renderer) drawDebug(v *scene.View[body2d.State], layers Layers) {
	c := &r.gl
	if layers&Ghosts != 0 && r.drawn.shapes > 0 {
		c.useProgram(r.shape)
		for g := int32(ghostPrevious); g <= ghostCurrent; g++ {
			c.uniform1i(r.ghostUniform, g)
			c.drawQuads(r.drawn.shapes)
		}
		c.uniform1i(r.ghostUniform, ghostOff)
	}
	if layers&(Boxes|Contacts) != 0 {
		r.marks.follow(c, v, layers)
		if len(r.marks.list) > 0 {
			c.useProgram(r.mark)
			c.bindVertexArray(r.marks.vao)
			c.drawQuads(len(r.marks.list))
		}
	}
	if layers&Centres != 0 && len(v.Cur) > 0 {
		c.useProgram(r.centre)
		c.bindVertexArray(r.emptyVAO)
		c.drawQuads(len(v.Cur))
	}
}

// Layers is a set of things to draw besides the bodies. shaders/frame.glsl has the
// same bits.
type Layers uint32

const (
	// Joints draws a line for each joint.
	Joints Layers = 1 << iota
	// Boxes draws the bounding boxes in View.Debug.
	Boxes
	// Contacts draws the contact points and normals in View.Debug.
	Contacts
	// Centres marks the centres of mass.
	Centres
	// Ghosts outlines each body at its previous (blue) and current (orange)
	// state.
	Ghosts
	// Sleep dims sleeping bodies.
	Sleep
	// Grid draws the metre grid.
	Grid
)

// DefaultLayers are the layers of an ordinary picture.
const DefaultLayers = Joints | Sleep | Grid

// Payload is the debug data that the layers need in View.Debug.
func (l Layers) Payload() body2d.DebugLayers {
	var d body2d.DebugLayers
	if l&Boxes != 0 {
		d |= body2d.DebugBoxes
	}
	if l&Contacts != 0 {
		d |= body2d.DebugContacts
	}
	return d
}
