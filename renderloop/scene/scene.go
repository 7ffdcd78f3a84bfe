package scene

import (
	"iter"
	"slices"

	"halfstep/buffer/body2d"
)

// Scene lists the bodies, shapes and joints that exist, for the render side. Structure records
// update the Scene. Renderers and Pick read the Scene in place of the world. Only the render thread
// may use it.
type Scene struct {
	// Bodies has the bodies, by slot. Body.Exists is false for a slot without a body.
	Bodies []Body
	// Shapes and Joints are not in order. When an element is removed, the last element moves to its
	// place.
	Shapes []Shape
	Joints []Joint

	// BodiesVersion, ShapesVersion and JointsVersion increase with every change
	// of Bodies, Shapes and Joints.
	BodiesVersion, ShapesVersion, JointsVersion uint64

	slots  map[uint64]int32 // by handle
	joints map[uint32]int   // index in Joints, by ID
	index  index            // answers queries about the view (index.go)
}

// Body is the data of a body that its structure records contain.
type Body struct {
	Exists     bool
	Type       uint8 // 0 static, 1 kinematic, 2 dynamic
	Generation uint32
	Handle     uint64
	Name       string
	Mass       float32 // kg; 0 unless the body is dynamic
	// LocalX, LocalY is the centre of mass relative to the body's origin, in m.
	LocalX, LocalY float32
	Colour         body2d.Colour

	shapes []int32 // indices in Scene.Shapes
}

// Static reports whether the body never moves.
func (b *Body) Static() bool { return b.Type == 0 }

// Shape is one shape, or one part of a long chain.
type Shape struct {
	Slot   int32
	ID     uint32
	Handle uint64
	Colour body2d.Colour
	body2d.Geometry
	Filter body2d.Filter
	Name   string
}

// Joint is one joint.
type Joint struct {
	ID     uint32
	Handle uint64
	Name   string
	body2d.JointGeometry
}

// New returns an empty scene.
func New() *Scene {
	return &Scene{slots: map[uint64]int32{}, joints: map[uint32]int{}}
}

// Slot returns the slot of the body with a handle, and false if there is no such
// body.
func (s *Scene) Slot(handle uint64) (int, bool) {
	i, ok := s.slots[handle]
	return int(i), ok
}

// ShapesOf yields each shape of the body in the slot.
func (s *Scene) ShapesOf(slot int) iter.Seq[*Shape] {
	return func(yield func(*Shape) bool) {
		if slot < 0 || slot >= len(s.Bodies) {
			return
		}
		for _, i := range s.Bodies[slot].shapes {
			if !yield(&s.Shapes[i]) {
				return
			}
		}
	}
}

// Apply applies one structure record.
func (s *Scene) Apply(r *body2d.Structure) {
	switch r.Kind {
	case body2d.BodyAdded, body2d.BodyChanged:
		s.setBody(r)
	case body2d.BodyRemoved:
		s.removeBody(r.Slot)
	case body2d.ShapeAdded:
		s.addShape(r)
	case body2d.ShapeRemoved:
		s.removeShapes(r.Slot, r.ID, false) // false, because only the shapes with this ID are removed
	case body2d.JointAdded:
		s.joints[r.ID] = len(s.Joints)
		s.Joints = append(s.Joints, Joint{r.ID, r.Handle, r.Name, r.Joint})
		s.JointsVersion++
	case body2d.JointRemoved:
		s.removeJoint(r.ID)
	}
}

func (s *Scene) setBody(r *body2d.Structure) {
	for len(s.Bodies) <= int(r.Slot) {
		s.Bodies = append(s.Bodies, Body{})
	}
	b := &s.Bodies[r.Slot]
	if r.Kind == body2d.BodyAdded && b.Exists {
		s.removeBody(r.Slot)
	}
	s.index.loosen(r.Slot)
	*b = Body{
		Exists: true, Type: r.BodyType, Generation: r.Generation, Handle: r.Handle, Name: r.Name,
		Mass: r.Mass, LocalX: r.LocalX, LocalY: r.LocalY, Colour: r.Colour, shapes: b.shapes,
	}
	s.slots[r.Handle] = r.Slot
	s.BodiesVersion++
}

func (s *Scene) removeBody(slot int32) {
	if int(slot) >= len(s.Bodies) || !s.Bodies[slot].Exists {
		return // the scene has no record of this body
	}
	b := &s.Bodies[slot]
	s.removeShapes(slot, 0, true) // true, because all shapes are removed
	s.index.loosen(slot)
	delete(s.slots, b.Handle)
	*b = Body{shapes: b.shapes[:0]}
	s.BodiesVersion++
}

func (s *Scene) addShape(r *body2d.Structure) {
	b := &s.Bodies[r.Slot]
	s.index.loosen(r.Slot)
	b.shapes = append(b.shapes, int32(len(s.Shapes)))
	s.Shapes = append(s.Shapes, Shape{r.Slot, r.ID, r.Handle, r.Colour, r.Shape, r.Filter, r.Name})
	s.index.addShape()
	s.ShapesVersion++
}

// removeShapes removes all shapes of a body if all is true, and otherwise the shapes of the body
// with the given ID.
func (s *Scene) removeShapes(slot int32, id uint32, all bool) {
	if int(slot) >= len(s.Bodies) {
		return
	}
	b := &s.Bodies[slot]
	s.index.loosen(slot)
	for k := len(b.shapes) - 1; k >= 0; k-- {
		i := b.shapes[k]
		if !all && s.Shapes[i].ID != id {
			continue
		}
		b.shapes = slices.Delete(b.shapes, k, k+1)
		last := int32(len(s.Shapes) - 1)
		if i != last {
			s.Shapes[i] = s.Shapes[last]
			own := s.Bodies[s.Shapes[i].Slot].shapes
			own[slices.Index(own, last)] = i
			s.index.moveShape(last, i)
		}
		s.index.dropShape()
		s.Shapes = s.Shapes[:last]
		s.ShapesVersion++
	}
}

func (s *Scene) removeJoint(id uint32) {
	i, ok := s.joints[id]
	if !ok {
		return
	}
	delete(s.joints, id)
	last := len(s.Joints) - 1
	if i != last {
		s.Joints[i] = s.Joints[last]
		s.joints[s.Joints[i].ID] = i
	}
	s.Joints = s.Joints[:last]
	s.JointsVersion++
}

// Empty removes all bodies, shapes and joints.
func (s *Scene) Empty() {
	for slot := range s.Bodies {
		s.removeBody(int32(slot))
	}
	for len(s.Joints) > 0 {
		s.removeJoint(s.Joints[len(s.Joints)-1].ID)
	}
}
