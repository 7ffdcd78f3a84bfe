package glrender

import (
	"cmp"
	"math"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// instance is one quad of shaders/shape.vert.glsl: a disc, a convex polygon, or a
// part of a polyline or of a joint's line.
type instance struct {
	// Points are relative to the centre of mass of their body, m.
	points       [body2d.MaxPoints][2]float32
	slotA, slotB int32         // -1 is the world
	what         uint32        // one of the kinds below, with the bits after it
	ownColour    body2d.Colour // the zero Colour leaves the choice to the shader
	radius       float32       // m
}

// The kinds of instance, with the numbers that the shader uses.
const (
	discInstance uint32 = iota
	convexInstance
	segmentInstance
	jointInstance
)

// The bits of instance.what that are higher than the kind.
const (
	pointsShift = 4       // the number of points, or 1 for a joint's line without marks
	bodyShift   = 8       // the type of the body
	sensorBit   = 1 << 10 // the shape is a sensor
)

// appendShapes appends the instances of a scene's shapes in drawing order: static
// bodies first, sensors last, otherwise by slot. So the picture of a world does not
// depend on the past, and is the same after a seek.
func appendShapes(to []instance, s *scene.Scene) []instance {
	for pass := range 3 {
		for slot := range s.Bodies {
			body := &s.Bodies[slot]
			for shape := range s.ShapesOf(slot) {
				if pass == drawPass(body, shape) {
					to = appendShape(to, body, shape)
				}
			}
		}
	}
	return to
}

func drawPass(b *scene.Body, s *scene.Shape) int {
	switch {
	case s.Sensor:
		return 2
	case b.Static():
		return 0
	}
	return 1
}

func appendShape(to []instance, b *scene.Body, s *scene.Shape) []instance {
	in := instance{
		slotA:     s.Slot,
		slotB:     s.Slot,
		what:      uint32(b.Type) << bodyShift,
		ownColour: s.Colour,
		radius:    s.Radius,
	}
	if s.Colour[3] == 0 {
		in.ownColour = b.Colour
	}
	if s.Sensor {
		in.what |= sensorBit
	}
	n := min(int(s.N), body2d.MaxPoints)
	at := func(i int) [2]float32 {
		return [2]float32{s.Points[i][0] - b.LocalX, s.Points[i][1] - b.LocalY}
	}
	switch s.Kind {
	case body2d.Disc:
		in.points[0] = at(0)
		in.what |= discInstance
		return append(to, in)
	case body2d.Convex:
		if n < 2 {
			return to
		}
		for i := range in.points {
			in.points[i] = at(min(i, n-1))
		}
		in.what |= convexInstance | uint32(n)<<pointsShift
		return append(to, in)
	case body2d.Polyline:
		in.what |= segmentInstance
		for i := 1; i < n; i++ {
			in.points[0], in.points[1] = at(i-1), at(i)
			to = append(to, in)
		}
	}
	return to
}

// appendJoints appends the lines of a scene's joints, by ID. order is scratch.
func appendJoints(to []instance, s *scene.Scene, order *[]int32) []instance {
	*order = (*order)[:0]
	for i := range s.Joints {
		*order = append(*order, int32(i))
	}
	slices.SortFunc(*order, func(a, b int32) int { return cmp.Compare(s.Joints[a].ID, s.Joints[b].ID) })
	for _, i := range *order {
		j := &s.Joints[i].JointGeometry
		if j.Hidden || int(j.SlotA) >= len(s.Bodies) || int(j.SlotB) >= len(s.Bodies) {
			continue
		}
		a, b := anchor(s, j.SlotA, j.A), anchor(s, j.SlotB, j.B)
		if j.Arms {
			to = appendArm(appendArm(to, s, j.SlotA, a), s, j.SlotB, b)
		}
		if !j.HasVia {
			to = append(to, jointLine(j.SlotA, a, j.SlotB, b))
			continue
		}
		to = append(to,
			jointLine(j.SlotA, a, -1, j.Via[0]),
			jointLine(-1, j.Via[0], -1, j.Via[1]),
			jointLine(-1, j.Via[1], j.SlotB, b))
	}
	return to
}

// appendArm appends a line without marks from the centre of mass of a body to an anchor.
func appendArm(to []instance, s *scene.Scene, slot int32, anchor [2]float32) []instance {
	if slot < 0 || s.Bodies[slot].Static() || anchor == ([2]float32{}) {
		return to
	}
	in := jointLine(slot, [2]float32{}, slot, anchor)
	in.what |= 1 << pointsShift
	return append(to, in)
}

// anchor is a point of a body relative to its centre of mass. Slot -1 is the world.
func anchor(s *scene.Scene, slot int32, p [2]float32) [2]float32 {
	if slot < 0 {
		return p
	}
	b := &s.Bodies[slot]
	return [2]float32{p[0] - b.LocalX, p[1] - b.LocalY}
}

func jointLine(slotA int32, a [2]float32, slotB int32, b [2]float32) instance {
	in := instance{slotA: slotA, slotB: slotB, what: jointInstance}
	in.points[0], in.points[1] = a, b
	return in
}

// finite reports whether a camera has a finite position, so that it can be used.
func finite(c scene.Camera) bool {
	s := c.X + c.Y
	return !math.IsNaN(s) && !math.IsInf(s, 0)
}
