package main

import (
	"math"

	"halfstep/engine"
	"halfstep/world"
)

// theWorld in place of the second body of a joint is the world: a nail (make.go) holds the first body.
const theWorld = 0

// tool is what the left button does with the world.
type tool int

const (
	handTool tool = iota // pulls a body, and moves it while time stands still
	turnTool
	boxTool
	ballTool
	capsuleTool
	jointTool
)

// tools has the name of the control, the text and the description of each tool.
var tools = [...][3]string{
	{"tool hand", "Hand", "pull a body; while time stands still, move it"},
	{"tool turn", "Turn", "turn a body about its centre"},
	{"tool box", "Box", "draw a box from corner to corner"},
	{"tool ball", "Ball", "draw a ball from its centre"},
	{"tool capsule", "Capsule", "draw a capsule from corner to corner"},
	{"tool joint", "Joint", "drag from one body to another, or to where there is none: that is the world"},
}

// joints are the kinds that the tool Joint makes; jointNames has their names.
var joints = [...]world.JointDef{
	{Kind: world.RevoluteJoint}, {Kind: world.WeldJoint}, {Kind: world.PrismaticJoint}, {Kind: world.WheelJoint, Frequency: 4, Damping: .7},
	{Kind: world.DistanceJoint, CollideConnected: true}, {Kind: world.DistanceJoint, CollideConnected: true, Frequency: 2, Damping: .3}, {Kind: world.RopeJoint, CollideConnected: true},
}

var jointNames = []string{"revolute", "weld", "prismatic", "wheel", "distance", "spring", "rope"}

// sketch is what a tool draws, moves or joins while the button is held.
type sketch struct {
	on       bool
	from, to world.Vec   // where the button was pressed, and where the cursor is
	body     world.Body  // the body that is moved, turned or joined
	was      engine.Pose // the pose of the body when the button was pressed
	changed  bool        // the body has been moved or turned
}

// sketcher is the tool in the user's hand, and what it draws, moves or joins while the button is held.
type sketcher struct {
	stage   *stage
	host    host
	travel  *travel
	changes *changes
	inspect *inspector
	build   *builder

	tool   tool
	joint  int // what the tool Joint makes, an index of joints
	sketch sketch
}

// useTool chooses a tool, and says what it does.
func (d *sketcher) useTool(t tool) {
	d.tool = t
	d.host.say(tools[t][1] + ": " + tools[t][2])
}

// begin begins to draw, move or join with the tool at a point of the world; a body within reach, in m,
// counts as being there. It returns false if the button is to pull a
// body or to pan instead.
func (d *sketcher) begin(at world.Vec, reach float64) bool {
	if d.stage.shown.recording != nil {
		return false
	}
	e := d.stage.under().player
	k := sketch{on: true, from: at, to: at}
	if d.tool < boxTool || d.tool == jointTool {
		k.body = e.near(at, reach)
		k.was, _ = e.pose(k.body)
		// A drag on a static body pans, unless the body is chosen.
		ground := e.kind(k.body) == world.Static && k.body != d.inspect.body
		if k.body == 0 || d.tool == handTool && (!d.travel.stopped() || ground) {
			return false
		}
	}
	d.sketch = k
	return true
}

// goOn follows the cursor: a box grows, a body moves or turns.
func (d *sketcher) goOn(to world.Vec) {
	k := &d.sketch
	if to == k.to {
		return
	}
	k.to = to
	if d.tool > turnTool {
		return
	}
	if !k.changed {
		if !d.changes.beginChange([...]string{"move", "turn"}[d.tool]) {
			*k = sketch{}
			return
		}
		k.changed, d.changes.moments.of(d.changes.moments.last).builds = true, true // the user may want to save it
	}
	x, y, turn := k.was.X+k.to.X-k.from.X, k.was.Y+k.to.Y-k.from.Y, 0.
	if d.tool == turnTool {
		cx, cy := k.was.CentreX, k.was.CentreY
		turn = math.Atan2(k.to.Y-cy, k.to.X-cx) - math.Atan2(k.from.Y-cy, k.from.X-cx)
		sin, cos := math.Sincos(turn) // the centre stays where it is
		x, y = cx+cos*(k.was.X-cx)-sin*(k.was.Y-cy), cy+sin*(k.was.X-cx)+cos*(k.was.Y-cy)
	}
	d.stage.engines(func(e *player) { e.Teleport(k.body, world.Vec{X: x, Y: y}, k.was.Angle+turn) })
}

// end creates the body or joint that was drawn.
func (d *sketcher) end(reach float64) {
	k := d.sketch
	d.sketch = sketch{}
	switch shape, at, ok := k.shape(d.tool); {
	case d.tool == jointTool:
		if b := d.stage.under().player.near(k.to, reach); b != k.body {
			d.build.join(jointNames[d.joint], joints[d.joint], k.body, b, k.from, k.to)
		}
	case ok:
		d.build.create(tools[d.tool][0][len("tool "):], at, shape)
	}
}

// leastSize is the smallest radius, and half of the shortest side, that can be drawn, m.
const leastSize = .01

// shape returns the shape that a tool has drawn, and its centre. ok is false if it is too small.
func (k *sketch) shape(t tool) (s world.ShapeDef, at world.Vec, ok bool) {
	at = world.Vec{X: (k.from.X + k.to.X) / 2, Y: (k.from.Y + k.to.Y) / 2}
	w, h := math.Abs(k.to.X-k.from.X)/2, math.Abs(k.to.Y-k.from.Y)/2
	r := min(w, h)
	switch t {
	case boxTool:
		s = world.Box(w, h)
	case ballTool:
		at, r = k.from, 2*math.Hypot(w, h)
		s = world.Circle(r)
	case capsuleTool:
		if s = world.Capsule(world.Vec{X: r - w, Y: r - h}, world.Vec{X: w - r, Y: h - r}, r); w == h {
			s = world.Circle(r)
		}
	default:
		return s, at, false
	}
	return s, at, r >= leastSize
}

// join makes a joint of kind d.Kind between bodies a and b, which may be theWorld. The user has dragged
// from a point of a to a point of b, in m. what is the name of the change for undo.
func (m *builder) join(what string, d world.JointDef, a, b world.Body, from, to world.Vec) {
	e := m.stage.under().player
	if e.kind(a) != world.Dynamic && e.kind(b) != world.Dynamic {
		m.host.say("a joint needs a body that can move")
		return
	}
	tied := d.Kind == world.DistanceJoint || d.Kind == world.RopeJoint // at two points, not one
	pivot := from
	if d.Kind == world.WheelJoint {
		pivot, d.AxisA = to, world.Vec{Y: 1}
	} else if d.Kind == world.PrismaticJoint {
		d.AxisA = world.Vec{X: to.X - from.X, Y: to.Y - from.Y}
	}
	m.changes.changeWorld(what, func(e *player) {
		d, nail, from, to := d, pivot, from, to // a copy for each half
		end := func(b world.Body, at world.Vec) world.Vec {
			p, ok := e.pose(b)
			if !ok {
				return world.Vec{} // a new nail is not shown yet; its anchor is its origin
			}
			return p.LocalPoint(at)
		}
		if tied {
			nail, d.MaxLength = to, math.Hypot(to.X-from.X, to.Y-from.Y)
		}
		if d.A, d.B = a, b; b == 0 {
			d.A, d.B = e.CreateBody(world.BodyDef{Name: nailName, Position: nail}), a
			from, to = to, from
		}
		if tied {
			d.AnchorA, d.AnchorB = end(d.A, from), end(d.B, to)
		} else {
			d.At = &pivot
		}
		if j := e.CreateJoint(d); !m.inspect.pinned {
			m.inspect.chooseIn(d.B, m.inspect.right)
			m.inspect.joint = j
		}
	})
}
