package glrender

import (
	"unsafe"

	"halfstep/renderloop/scene"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// structure keeps the instances of a scene on the GPU. After a change of the scene
// it rebuilds the instances in memory and uploads those that differ. So bodies that
// come and go in every tick cost little.
type structure struct {
	vao, buffer uint32
	capacity    int // instances that the buffer has room for

	scene                  *scene.Scene
	bodies, shapes, joints uint64 // versions of what is there

	version   uint64     // increases with every change of instances
	instances []instance // what is on the GPU
	next      []instance // scratch
	order     []int32    // scratch
	nShapes   int        // instances that are shapes; joints follow
}

const (
	instanceBytes = int(unsafe.Sizeof(instance{}))

	mergeGap = 16 // instances; closer changes are uploaded together
	maxRuns  = 6  // with more separate changes, everything is uploaded
)

func (s *structure) create() { createInstances(&s.vao, &s.buffer) }

func createInstances(vao, buffer *uint32) {
	gl.GenVertexArrays(1, vao)
	gl.GenBuffers(1, buffer)
	gl.BindVertexArray(*vao)
	gl.BindBuffer(gl.ARRAY_BUFFER, *buffer)
	var in instance
	points := unsafe.Offsetof(in.points)
	for i := range uint32(4) {
		floatAttribute(i, 4, instanceBytes, points+16*uintptr(i))
	}
	integerAttribute(4, 2, gl.INT, instanceBytes, unsafe.Offsetof(in.slotA))
	integerAttribute(5, 1, gl.UNSIGNED_INT, instanceBytes, unsafe.Offsetof(in.what))
	colourAttribute(6, instanceBytes, unsafe.Offsetof(in.own))
	floatAttribute(7, 1, instanceBytes, unsafe.Offsetof(in.radius))
}

func (s *structure) close() {
	gl.DeleteVertexArrays(1, &s.vao)
	gl.DeleteBuffers(1, &s.buffer)
}

func floatAttribute(index uint32, n int32, stride int, offset uintptr) {
	gl.EnableVertexAttribArray(index)
	gl.VertexAttribPointerWithOffset(index, n, gl.FLOAT, false, int32(stride), offset)
	gl.VertexAttribDivisor(index, 1)
}

func integerAttribute(index uint32, n int32, kind uint32, stride int, offset uintptr) {
	gl.EnableVertexAttribArray(index)
	gl.VertexAttribIPointerWithOffset(index, n, kind, int32(stride), offset)
	gl.VertexAttribDivisor(index, 1)
}

func colourAttribute(index uint32, stride int, offset uintptr) {
	gl.EnableVertexAttribArray(index)
	gl.VertexAttribPointerWithOffset(index, 4, gl.UNSIGNED_BYTE, true, int32(stride), offset)
	gl.VertexAttribDivisor(index, 1)
}

func (s *structure) follow(c *calls, scene *scene.Scene) {
	if s.scene == scene && (scene == nil ||
		s.bodies == scene.BodiesVersion && s.shapes == scene.ShapesVersion && s.joints == scene.JointsVersion) {
		return
	}
	s.scene = scene
	s.next = s.next[:0]
	s.nShapes = 0
	if scene != nil {
		s.bodies, s.shapes, s.joints = scene.BodiesVersion, scene.ShapesVersion, scene.JointsVersion
		s.next = appendShapes(s.next, scene)
		s.nShapes = len(s.next)
		s.next = appendJoints(s.next, scene, &s.order)
	}
	s.upload(c)
	s.instances, s.next = s.next, s.instances
	s.version++
}

func (s *structure) upload(c *calls) {
	var runs [maxRuns][2]int
	n, changed := 0, 0
	for i := range s.next {
		if i < len(s.instances) && s.next[i] == s.instances[i] {
			continue
		}
		changed++
		if n > 0 && i-runs[n-1][1] < mergeGap {
			runs[n-1][1] = i + 1
			continue
		}
		if n == maxRuns {
			n++
			break
		}
		runs[n] = [2]int{i, i + 1}
		n++
	}
	if n == 0 {
		return
	}
	c.bindBuffer(gl.ARRAY_BUFFER, s.buffer)
	if len(s.next) > s.capacity || n > maxRuns || 2*changed > len(s.next) {
		s.capacity = len(s.next) + len(s.next)/2
		c.bufferData(gl.ARRAY_BUFFER, s.capacity*instanceBytes, nil)
		s.send(c, 0, len(s.next))
		return
	}
	for _, run := range runs[:n] {
		s.send(c, run[0], run[1])
	}
}

func (s *structure) send(c *calls, from, to int) {
	c.bufferSubData(gl.ARRAY_BUFFER, from*instanceBytes, (to-from)*instanceBytes, unsafe.Pointer(&s.next[from]))
}
