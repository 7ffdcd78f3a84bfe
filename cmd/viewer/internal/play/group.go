package play

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"halfstep/internal/geometry"
	"halfstep/world"
)

// Several bodies can be chosen: Chosen.Body, about which the page Body tells, and those of Chosen.More.

// Bodies returns the chosen bodies.
func (n *Chosen) Bodies() []world.Body {
	if n.Body == 0 {
		return nil
	}
	return append([]world.Body{n.Body}, n.More...)
}

// Has reports whether a body is chosen.
func (n *Chosen) Has(b world.Body) bool {
	return b != 0 && (b == n.Body || slices.Contains(n.More, b))
}

// ChooseAll chooses some bodies in one half of the picture, and tells of the first.
func (n *Inspector) ChooseAll(all []world.Body, right bool) {
	if len(all) == 0 {
		n.ChooseIn(0, right)
		return
	}
	n.ChooseIn(all[0], right)
	n.Shape, n.Joint = 0, 0
	n.More = slices.Clone(all[1:])
	n.stale()
}

// Toggle adds a body to those that are chosen, or takes it out again.
func (n *Inspector) Toggle(b world.Body, right bool) {
	all := n.Bodies()
	switch i := slices.Index(all, b); {
	case b == 0:
		return
	case right != n.Right || len(all) == 0:
		all = []world.Body{b}
	case i >= 0:
		all = slices.Delete(all, i, i+1)
	default:
		all = append(all, b)
	}
	n.ChooseAll(all, right)
}

// ChooseEach chooses all bodies that are not static.
func (n *Inspector) ChooseEach() {
	var all []world.Body
	s := n.Inspected().View().Scene
	for i := range s.Bodies {
		if b := &s.Bodies[i]; b.Exists && world.BodyKind(b.Type) != world.Static {
			all = append(all, world.Body(b.Handle))
		}
	}
	n.ChooseAll(all, n.Right)
}

// framed returns the bodies that a player shows whole in a frame from one corner to the other.
func framed(e *Player, from, to world.Vec) (all []world.Body) {
	low := world.Vec{X: min(from.X, to.X), Y: min(from.Y, to.Y)}
	high := world.Vec{X: max(from.X, to.X), Y: max(from.Y, to.Y)}
	s := e.View().Scene
	for slot := range s.Bodies {
		if !s.Bodies[slot].Exists {
			continue
		}
		b, none, inside := world.Body(s.Bodies[slot].Handle), true, true
		p, ok := e.Pose(b)
		for g := range s.ShapesOf(slot) {
			none = false
			for i := range max(int(g.N), 1) {
				at, r := p.WorldPoint(world.Vec{X: float64(g.Points[i][0]), Y: float64(g.Points[i][1])}), float64(g.Radius)
				inside = inside && at.X-r >= low.X && at.Y-r >= low.Y && at.X+r <= high.X && at.Y+r <= high.Y
			}
		}
		if ok && inside && !none {
			all = append(all, b)
		}
	}
	return all
}

// clip is a copy of bodies with the joints between them.
type clip struct {
	bodies []world.BodyDef
	joints []clippedJoint
	names  []world.Body // of the bodies when they were copied
}

// clippedJoint is a joint of a clip. Its bodies and the joints that it couples are indices, or -1: def names
// a body that is none of the clip, which is static and turned by angle.
type clippedJoint struct {
	def      world.JointDef
	a, b     int
	one, two int
	angle    float64
}

// clipOf copies bodies of a world, and the joints that hold them to each other or to a static body. It runs
// on the physics goroutine.
func clipOf(w *world.World, all []world.Body) (c clip) {
	for _, b := range all {
		if d, err := w.BodyDef(b); err == nil {
			d.Asleep = false // or a copy might hang in the air
			c.bodies, c.names = append(c.bodies, d), append(c.names, b)
		}
	}
	var joints []world.Joint
	gears := func(wanted bool) {
		for j := range w.Joints() {
			i, err := w.Joint(j)
			gear := i.Kind == world.GearJoint
			if err != nil || gear != wanted {
				continue
			}
			k := clippedJoint{def: i.Def, a: slices.Index(c.names, i.A), b: slices.Index(c.names, i.B), one: -1, two: -1}
			if gear {
				k.one, k.two = slices.Index(joints, i.Def.Joint1), slices.Index(joints, i.Def.Joint2)
			}
			if k.copied(w) {
				c.joints, joints = append(c.joints, k), append(joints, j)
			}
		}
	}
	gears(false)
	gears(true) // a gear comes after the joints that it couples
	return c
}

// copied reports whether a joint of a world is copied. It notes how the static body is turned that stays as
// it is.
func (k *clippedJoint) copied(w *world.World) bool {
	stays := k.def.A
	switch {
	case k.def.Kind == world.GearJoint:
		return k.one >= 0 && k.two >= 0
	case k.a >= 0 && k.b >= 0:
		return true
	case k.a < 0 && k.b < 0 || k.def.Kind == world.MouseJoint || k.def.Kind == world.MotorJoint && k.b < 0:
		return false
	case k.b < 0:
		stays = k.def.B
	}
	info, err := w.Body(stays)
	k.angle = info.Angle
	return err == nil && info.Kind == world.Static
}

// bounds is the box in which the bodies of a clip lie, m.
func (c *clip) bounds() (low, high world.Vec) {
	all := geometry.Nothing
	for i := range c.bodies {
		l, h := boundsOf(&c.bodies[i])
		all = around(all, l, h)
	}
	return all.Min, all.Max
}

// around is a box around another one and the one from low to high.
func around(all geometry.Box, low, high world.Vec) geometry.Box {
	return all.Around(&geometry.Box{Min: low, Max: high})
}

// boundsOf is the box in which a body lies, m: its origin if it has no shapes.
func boundsOf(d *world.BodyDef) (low, high world.Vec) {
	all := geometry.Nothing
	for i := range d.Shapes {
		if l, h, err := d.Shapes[i].Bounds(d.Position, d.Angle); err == nil { // a body of the world has no wrong ones
			all = around(all, l, h)
		}
	}
	if all == geometry.Nothing {
		return d.Position, d.Position
	}
	return all.Min, all.Max
}

// put creates the bodies and joints of a clip, moved by a way. names are those that the world will have:
// each copy gets a name of its own.
func (c *clip) put(e *Player, by world.Vec, names freshNames) (made []world.Body) {
	for _, d := range c.bodies {
		d.Position = d.Position.Add(by)
		if d.Name != "" && d.Name != nailName {
			d.Name = names.like(e, d.Name)
		}
		made = append(made, e.CreateBody(d))
	}
	joints := make([]world.Joint, len(c.joints))
	for i, k := range c.joints {
		d, moved := k.def, by.Rotate(-k.angle) // seen from the static body that stays
		if k.one >= 0 {
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
		if d.Kind == world.PulleyJoint {
			d.GroundA, d.GroundB = d.GroundA.Add(by), d.GroundB.Add(by)
		}
		joints[i] = e.CreateJoint(d)
	}
	return made
}

// freshNames are names that were given within one change; the picture does not have their bodies yet.
type freshNames map[string]bool

// like returns a name that no body has, such as "wheel 3" for a copy of "wheel" or of "wheel 2".
func (f freshNames) like(e *Player, name string) string {
	kind, n := name, 1
	if i := strings.LastIndexByte(name, ' '); i > 0 {
		if x, err := strconv.Atoi(name[i+1:]); err == nil && x > 0 {
			kind, n = name[:i], x
		}
	}
	for f[name] || e.Has(name) {
		n++
		name = fmt.Sprint(kind, " ", n)
	}
	f[name] = true
	return name
}

// Taken reports whether Copy has copied something.
func (m *Builder) Taken() bool { return len(m.clip.bodies) > 0 }

// withNails adds the nails that pin some bodies.
func withNails(of *Player, all []world.Body) []world.Body {
	for _, b := range slices.Clone(all) {
		for _, nail := range NailsOf(of, b, AnyJoint) {
			if !slices.Contains(all, nail) {
				all = append(all, nail)
			}
		}
	}
	return all
}

// take asks a world for a copy of bodies, with their nails, and calls f with it.
func (m *Builder) take(of *Player, all []world.Body, f func(c clip)) {
	all = withNails(of, all)
	world.Ask(of.Commands, func(w *world.World) clip { return clipOf(w, all) }, func(_ uint64, c clip) {
		if len(c.bodies) > 0 { // they may have been removed meanwhile
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

// Paste puts what Copy has kept at a point of the world.
func (m *Builder) Paste(at world.Vec) {
	if !m.Taken() {
		m.host.Say("nothing was copied")
		return
	}
	low, high := m.clip.bounds()
	m.putAll("paste", &m.clip, m.Grid.Snap(at).Sub(world.Vec{X: (low.X + high.X) / 2, Y: (low.Y + high.Y) / 2}))
}

// putAll creates a clip once more for each way, as one change, and chooses the newest copies.
func (m *Builder) putAll(what string, c *clip, ways ...world.Vec) {
	right := m.inspect.Right
	m.changes.ChangeWorld(what, func(e *Player) {
		var made []world.Body
		names := freshNames{}
		for _, by := range ways {
			made = c.put(e, by, names)
		}
		m.await(made, right)
	})
}

// await chooses bodies that were just made when the picture has them.
func (m *Builder) await(made []world.Body, right bool) {
	if !m.inspect.Pinned && len(made) > 0 {
		m.inspect.awaited, m.inspect.awaitedMore, m.inspect.Right = made[0], made[1:], right
	}
}

// Duplicate copies the chosen bodies with their joints, and puts the copies beside them.
func (m *Builder) Duplicate() {
	if m.inspect.Body != 0 {
		m.copyBeside(m.inspect.Inspected(), m.inspect.Bodies())
	}
}

func (m *Builder) copyBeside(of *Player, all []world.Body) {
	m.take(of, all, func(c clip) {
		low, high := c.bounds()
		m.putAll("copy", &c, world.Vec{X: high.X - low.X + .1})
	})
}

// Repetition says how Repeat puts copies in a row.
type Repetition struct {
	Times  int     // the copies
	Gap    float64 // between one and the next, m
	Joined bool    // a revolute joint holds each one to the one before
}

// Repeat puts copies of the chosen bodies in a row to the right of them, as one change. Joined, the last
// body of each is held to the first one of the next, in the middle of the gap.
func (m *Builder) Repeat(r Repetition) {
	if m.inspect.Body == 0 {
		return
	}
	right := m.inspect.Right
	m.take(m.inspect.Inspected(), m.inspect.Bodies(), func(c clip) {
		low, high := c.bounds()
		step := high.X - low.X + r.Gap
		first, last := 0, 0
		for i := range c.bodies {
			if l, _ := boundsOf(&c.bodies[i]); l.X <= low.X {
				first = i
			}
			if _, h := boundsOf(&c.bodies[i]); h.X >= high.X {
				last = i
			}
		}
		l, h := boundsOf(&c.bodies[last])
		at := world.Vec{X: high.X + r.Gap/2, Y: (l.Y + h.Y) / 2}
		m.changes.ChangeWorld("repeat", func(e *Player) {
			before, all, names := c.names[last], []world.Body(nil), freshNames{}
			for i := range r.Times {
				made := c.put(e, world.Vec{X: step * float64(i+1)}, names)
				if r.Joined {
					from, to := &c.bodies[last], &c.bodies[first]
					e.CreateJoint(world.JointDef{
						Kind: world.RevoluteJoint, A: before, B: made[first], ReferenceAngle: to.Angle - from.Angle,
						AnchorA: at.Sub(from.Position).Rotate(-from.Angle),
						AnchorB: at.Sub(world.Vec{X: step}).Sub(to.Position).Rotate(-to.Angle),
					})
					before = made[last]
				}
				all = append(all, made...)
			}
			m.inspect.awaited, m.inspect.awaitedMore, m.inspect.Right = m.inspect.Body, append(slices.Clone(m.inspect.More), all...), right
		})
	})
}

// Grid is the distance of the lines to which what is drawn, moved and pasted is snapped, m; 0 is none.
type Grid float64

// Grids are those that can be chosen, and GridNames their names.
var (
	Grids     = []Grid{0, .1, .25, .5, 1}
	GridNames = []string{"none", "0.1 m", "0.25 m", "0.5 m", "1 m"}
)

// Snap returns the nearest crossing of the grid.
func (g Grid) Snap(p world.Vec) world.Vec {
	if g <= 0 {
		return p
	}
	return world.Vec{X: math.Round(p.X/float64(g)) * float64(g), Y: math.Round(p.Y/float64(g)) * float64(g)}
}

// snapTurn is the step in which bodies turn on a grid, rad.
const snapTurn = 15 * degree
