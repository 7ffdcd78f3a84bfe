package play

import (
	"slices"

	"halfstep/internal/geometry"
	"halfstep/world"
)

// clip is a copy of some bodies and of the joints between them.
type clip struct {
	bodies []world.BodyDef
	from   []world.Body // from are the bodies that were copied.
	joints []clippedJoint
}

// clippedJoint is a joint of a clip. Some joints hold a body to a static body that is not copied, such as
// the ground. The copy of such a joint holds the copied body to the same static body.
type clippedJoint struct {
	def      world.JointDef
	a, b     int     // a and b are the joint's bodies, as indices of clip.bodies. The index -1 means the static body in def.
	angle    float64 // angle is the angle of that static body in rad.
	one, two int     // one and two are the joints that a gear couples, as indices of clip.joints. If the joint is not a gear they are -1.
}

// clipOf copies bodies of a world, with the joints between them and the joints to static bodies. It runs
// on the physics goroutine.
func clipOf(w *world.World, all []world.Body) (c clip) {
	for _, b := range all {
		if d, err := w.BodyDef(b); err == nil {
			d.Asleep = false // otherwise a copy might stay in the air
			c.bodies, c.from = append(c.bodies, d), append(c.from, b)
		}
	}
	var joints []world.Joint // joints are the joints that were copied to c.joints.
	add := func(gears bool) {
		for j := range w.Joints() {
			i, err := w.Joint(j)
			gear := i.Kind == world.GearJoint
			if err != nil || gear != gears {
				continue
			}
			k := clippedJoint{def: i.Def, a: slices.Index(c.from, i.A), b: slices.Index(c.from, i.B), one: -1, two: -1}
			if gear {
				k.one, k.two = slices.Index(joints, i.Def.Joint1), slices.Index(joints, i.Def.Joint2)
			}
			var ok bool
			if k.angle, ok = k.copyable(w); ok {
				c.joints, joints = append(c.joints, k), append(joints, j)
			}
		}
	}
	add(otherJoints)
	add(gearJoints) // gears come after the joints that they couple
	return c
}

// These are values of the parameter gears in clipOf.
const otherJoints, gearJoints = false, true

// copyable reports whether a joint can be copied. The result angle is the angle of the joint's static body in
// rad.
func (k *clippedJoint) copyable(w *world.World) (angle float64, ok bool) {
	stays := k.def.A // the body that is not copied
	switch {
	case k.def.Kind == world.GearJoint:
		return 0, k.one >= 0 && k.two >= 0
	case k.a >= 0 && k.b >= 0:
		return 0, true
	// A mouse joint belongs to a drag by the user. The second body of a motor joint must be a copy.
	case k.a < 0 && k.b < 0 || k.def.Kind == world.MouseJoint || k.def.Kind == world.MotorJoint && k.b < 0:
		return 0, false
	case k.b < 0:
		stays = k.def.B
	}
	info, err := w.Body(stays)
	return info.Angle, err == nil && info.Kind == world.Static
}

// bounds returns two corners of the axis-aligned box around the bodies of a clip, in m.
func (c *clip) bounds() (low, high world.Vec) {
	all := geometry.Nothing
	for i := range c.bodies {
		l, h := boundsOf(&c.bodies[i])
		all = around(all, l, h)
	}
	return world.Vec(all.Min), world.Vec(all.Max)
}

// around returns the smallest box that contains the box all and the corners low and high.
func around(all geometry.Box, low, high world.Vec) geometry.Box {
	return all.Around(&geometry.Box{Min: geometry.Vec(low), Max: geometry.Vec(high)})
}

// boundsOf returns two corners of the box around a body, in m. For a body without shapes both are the body's
// origin.
func boundsOf(d *world.BodyDef) (low, high world.Vec) {
	all := geometry.Nothing
	for i := range d.Shapes {
		if l, h, err := d.Shapes[i].Bounds(d.Position, d.Angle); err == nil { // a body of the world has valid shapes
			all = around(all, l, h)
		}
	}
	if all == geometry.Nothing {
		return d.Position, d.Position
	}
	return world.Vec(all.Min), world.Vec(all.Max)
}

// put creates the bodies and joints of a clip, moved by a vector in m. Each copy gets a new name, but a
// copy of a nail has the name of the nail.
func (c *clip) put(p *Player, by world.Vec, names freshNames) (made []world.Body) {
	for _, d := range c.bodies {
		d.Position = d.Position.Add(by)
		if d.Name != "" && d.Name != nailName {
			d.Name = names.like(p, d.Name)
		}
		made = append(made, p.CreateBody(d))
	}
	joints := make([]world.Joint, len(c.joints))
	for i, k := range c.joints {
		d, moved := k.def, by.Rotate(-k.angle) // the vector in the frame of the static body
		if k.one >= 0 {                        // a gear has the bodies of the joints that it couples
			d.A, d.B, d.Joint1, d.Joint2 = 0, 0, joints[k.one], joints[k.two]
		}
		if k.a >= 0 {
			d.A = made[k.a]
		} else {
			d.AnchorA, d.LinearOffset = d.AnchorA.Add(moved), d.LinearOffset.Add(moved)
		}
		if k.b >= 0 {
			d.B = made[k.b]
		} else {
			d.AnchorB = d.AnchorB.Add(moved)
		}
		if d.Kind == world.PulleyJoint { // the wheels of a pulley are points of the world
			d.GroundA, d.GroundB = d.GroundA.Add(by), d.GroundB.Add(by)
		}
		joints[i] = p.CreateJoint(d)
	}
	return made
}

// HasClipboard reports whether Copy has copied any bodies.
func (m *Builder) HasClipboard() bool { return len(m.clip.bodies) > 0 }

// take asks the physics goroutine for a copy of bodies, and of the nails (static bodies) to which they are
// pinned. It then calls f with the copy.
func (m *Builder) take(of *Player, all []world.Body, f func(c clip)) {
	all = withNails(of, all)
	world.Ask(of.Commands, func(w *world.World) clip { return clipOf(w, all) }, func(_ uint64, c clip) {
		if len(c.bodies) > 0 { // the bodies may have been removed in the meantime
			f(c)
		}
	})
}

// Copy keeps a copy of the chosen bodies for Paste.
func (m *Builder) Copy() {
	if m.inspect.Body == 0 {
		m.host.Say("nothing is chosen to be copied")
		return
	}
	m.take(m.inspect.Inspected(), m.inspect.Bodies(), func(c clip) {
		m.clip = c
		m.host.Say("copied: " + m.host.Key("paste") + " puts the copy where the pointer is")
	})
}

// Paste puts the copied bodies at a point of the world.
func (m *Builder) Paste(at world.Vec) {
	if !m.HasClipboard() {
		m.host.Say("nothing was copied")
		return
	}
	low, high := m.clip.bounds()
	m.putClip("paste", &m.clip, m.Grid.Snap(at).Sub(world.Vec{X: (low.X + high.X) / 2, Y: (low.Y + high.Y) / 2}))
}

// putClip creates the bodies of a clip, moved by a vector. This is one change for undo, and `what` is its
// name. The new bodies are then chosen.
func (m *Builder) putClip(what string, c *clip, by world.Vec) {
	right := m.inspect.Right
	m.changes.ChangeWorld(what, func(p *Player) { m.await(c.put(p, by, freshNames{}), right) })
}

// await chooses new bodies as soon as the picture has them, unless the user has pinned the choice.
func (m *Builder) await(made []world.Body, right bool) {
	if !m.inspect.Pinned && len(made) > 0 {
		m.inspect.awaited, m.inspect.awaitedOthers, m.inspect.Right = made[0], made[1:], right
	}
}

// Duplicate copies the chosen bodies with their joints, and puts the copies beside them.
func (m *Builder) Duplicate() {
	if m.inspect.Body != 0 {
		m.copyBeside(m.inspect.Inspected(), m.inspect.Bodies())
	}
}

// copyBeside puts a copy of some bodies to the right of them, at a distance of .1 m.
func (m *Builder) copyBeside(of *Player, all []world.Body) {
	m.take(of, all, func(c clip) {
		low, high := c.bounds()
		m.putClip("copy", &c, world.Vec{X: high.X - low.X + .1})
	})
}

// Repetition says how Repeat puts copies in a row.
type Repetition struct {
	Times  int     // the copies
	Gap    float64 // Gap is the gap between neighbours in m.
	Joined bool    // Joined says that a revolute joint connects each copy to the copy before.
}

// Repeat puts copies of the chosen bodies in a row to the right of them, as one change. If Joined is
// set, a joint in the middle of each gap connects the last body of a copy to the first body of the
// next copy.
func (m *Builder) Repeat(r Repetition) {
	if m.inspect.Body == 0 {
		return
	}
	right := m.inspect.Right
	m.take(m.inspect.Inspected(), m.inspect.Bodies(), func(c clip) {
		low, high := c.bounds()
		step := high.X - low.X + r.Gap
		first, last := 0, 0 // the bodies farthest to the left and to the right
		for i := range c.bodies {
			if l, _ := boundsOf(&c.bodies[i]); l.X <= low.X {
				first = i
			}
			if _, h := boundsOf(&c.bodies[i]); h.X >= high.X {
				last = i
			}
		}
		l, h := boundsOf(&c.bodies[last])
		at := world.Vec{X: high.X + r.Gap/2, Y: (l.Y + h.Y) / 2} // the position of the first joint
		m.changes.ChangeWorld("repeat", func(p *Player) {
			before, all, names := c.from[last], []world.Body(nil), freshNames{} // before is the body to which the next copy is joined
			for i := range r.Times {
				made := c.put(p, world.Vec{X: step * float64(i+1)}, names)
				if r.Joined {
					from, to := &c.bodies[last], &c.bodies[first]
					p.CreateJoint(world.JointDef{
						Kind: world.RevoluteJoint, A: before, B: made[first], ReferenceAngle: to.Angle - from.Angle,
						AnchorA: at.Sub(from.Position).Rotate(-from.Angle),
						AnchorB: at.Sub(world.Vec{X: step}).Sub(to.Position).Rotate(-to.Angle),
					})
					before = made[last]
				}
				all = append(all, made...)
			}
			// The copies are chosen in addition to the present choice, even if the choice is pinned.
			m.inspect.awaited, m.inspect.awaitedOthers, m.inspect.Right = m.inspect.Body, append(slices.Clone(m.inspect.More), all...), right
		})
	})
}
