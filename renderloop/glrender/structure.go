package glrender

import (
	"unsafe"

	"halfstep/renderloop/scene"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// structure has the instances of a scene on the GPU. After a change of the scene it
// makes the instances anew in memory, and uploads those that differ. So it takes
// little time to create and destroy bodies in every tick.
type structure struct {
	quads
	capacity int // the number of instances for which the buffer has memory

	scene                  *scene.Scene
	bodies, shapes, joints uint64 // versions of the scene from which the instances were made

	version   uint64     // grows with every change of the instances
	instances []instance // the instances on the GPU
	next      []instance // scratch memory
	order     []int32    // scratch memory
	nShapes   int        // the number of instances that are shapes; joints come after them
}

const (
	instanceBytes = int(unsafe.Sizeof(instance{}))

	mergeGap = 16 // changes with fewer instances between them are uploaded together
	maxRuns  = 6  // if there are more separate changes, all instances are uploaded
)

func createInstances(q *quads) {
	var in instance
	points := unsafe.Offsetof(in.points)
	q.create(instanceBytes,
		attribute{4, gl.FLOAT, points}, attribute{4, gl.FLOAT, points + 16}, attribute{4, gl.FLOAT, points + 32}, attribute{4, gl.FLOAT, points + 48},
		attribute{2, gl.INT, unsafe.Offsetof(in.slotA)},
		attribute{1, gl.UNSIGNED_INT, unsafe.Offsetof(in.what)},
		attribute{4, gl.UNSIGNED_BYTE, unsafe.Offsetof(in.ownColour)},
		attribute{1, gl.FLOAT, unsafe.Offsetof(in.radius)})
}

// follow updates the instances if the scene has changed.
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

// upload uploads the parts of next that differ from instances, or all of next if
// there are many such parts.
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
		c.bufferData(gl.ARRAY_BUFFER, s.capacity*instanceBytes, nil) // allocate only
		s.send(c, 0, len(s.next))
		return
	}
	for _, run := range runs[:n] {
		s.send(c, run[0], run[1])
	}
}

// send uploads the instances next[from:to].
func (s *structure) send(c *calls, from, to int) {
	c.bufferSubData(gl.ARRAY_BUFFER, from*instanceBytes, (to-from)*instanceBytes, unsafe.Pointer(&s.next[from]))
}
