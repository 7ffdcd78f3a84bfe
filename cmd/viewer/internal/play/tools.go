package play

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"halfstep/engine"
	"halfstep/world"
)

// Tool is a use of the left button in the world.
type Tool int

const (
	HandTool Tool = iota // HandTool pulls a body while time passes, and moves a body while time stands still.
	turnTool
	boxTool
	BallTool
	capsuleTool
	JointTool
)

// Tools has the texts about each tool.
var Tools = [...]struct {
	Control string // Control is "tool " followed by what the tool makes, if it makes a body.
	Name    string
	Help    string
}{
	{"tool hand", "Hand", "pull a body; while time stands still, move it"},
	{"tool turn", "Turn", "turn a body about its centre"},
	{"tool box", "Box", "draw a box from corner to corner"},
	{"tool ball", "Ball", "draw a ball from its centre"},
	{"tool capsule", "Capsule", "draw a capsule from corner to corner"},
	{"tool joint", "Joint", "drag from one body to another, or to where there is none: that is the world. It holds where you let go"},
}

// moves reports whether a tool moves existing bodies. The other tools make bodies and joints.
func (t Tool) moves() bool { return t == HandTool || t == turnTool }

// Joints are the joints that the tool Joint makes, without their bodies and positions.
var Joints = [...]world.JointDef{
	{Kind: world.RevoluteJoint}, {Kind: world.WeldJoint}, {Kind: world.PrismaticJoint}, {Kind: world.WheelJoint, Frequency: 4, Damping: .7},
	{Kind: world.DistanceJoint, CollideConnected: true}, {Kind: world.DistanceJoint, CollideConnected: true, Frequency: 2, Damping: .3}, {Kind: world.RopeJoint, CollideConnected: true},
}

// JointNames are the names of Joints, in the same order.
var JointNames = []string{"revolute", "weld", "prismatic", "wheel", "distance", "spring", "rope"}

// Sketch is the shape that a tool draws while the button is held, or the body that the tool moves or joins.
type Sketch struct {
	On       bool
	From, To world.Vec   // From is where the button was pressed, and To is the position of the cursor.
	Body     world.Body  // Body is the body that is moved, turned or joined.
	was      engine.Pose // was is the pose of the body when the button was pressed.
	with     []movedBody // with are the bodies that are moved or turned together with it.
	changed  bool        // changed says that the body was moved or turned, so that the change for undo has begun.
	Frame    bool        // Frame says that the sketch is a frame. No tool is used then, and the bodies inside the frame are chosen at the end.
}

// movedBody is a body that moves together with the held body.
type movedBody struct {
	body world.Body
	was  engine.Pose
}

// Sketcher has the chosen tool, and the work of the tool while the button is held.
type Sketcher struct {
	stage   *Stage
	host    Host
	travel  *Travel
	changes *Changes
	inspect *Inspector
	build   *Builder

	Tool   Tool
	Joint  int // Joint is the joint that the tool Joint makes, as an index of Joints.
	Sketch Sketch
}

// UseTool chooses a tool, and shows what the tool does.
func (d *Sketcher) UseTool(t Tool) {
	d.Tool = t
	d.host.Say(Tools[t].Name + ": " + Tools[t].Help)
}

// Begin begins to draw, move or join with the tool at a point of the world. A body at most `reach` m
// away counts as being at the point. The result is false if the button pulls a body or pans instead.
func (d *Sketcher) Begin(at world.Vec, reach float64) bool {
	if d.stage.Shown.Recorded() {
		if d.Tool != HandTool {
			d.travel.RefusesChange() // tells the user
		}
		return false
	}
	under := d.stage.Under().Player
	k := Sketch{On: true, From: at, To: at}
	if d.Tool.moves() || d.Tool == JointTool {
		k.Body = under.Near(at, reach)
		k.was, _ = under.Pose(k.Body)
		// a drag on a static body pans, unless the body is chosen
		ground := under.Kind(k.Body) == world.Static && k.Body != d.inspect.Body
		if k.Body == 0 && d.Tool == JointTool {
			d.host.Say("Joint: the drag begins on a body")
		}
		// while time passes, the hand pulls (see Stage.Grab)
		if k.Body == 0 || d.Tool == HandTool && (!d.travel.Stopped() || ground) {
			return false
		}
	}
	if !d.Tool.moves() {
		k.From, k.To = d.drawn(k.From), d.drawn(k.To)
	}
	all := []world.Body{k.Body}
	if d.Tool.moves() && d.inspect.Has(k.Body) {
		all = d.inspect.Bodies()
	}
	if len(all) > 1 { // a body that is moved alone leaves its nails behind
		for _, b := range withNails(under, all) {
			if p, ok := under.Pose(b); ok && b != k.Body {
				k.with = append(k.with, movedBody{b, p})
			}
		}
	}
	d.Sketch = k
	return true
}

// drawn returns a point as it is drawn. A box begins and ends on the grid, but a joint does not.
func (d *Sketcher) drawn(at world.Vec) world.Vec {
	if d.Tool == JointTool {
		return at
	}
	return d.build.Grid.Snap(at)
}

// BeginFrame begins a frame. At its end the bodies inside the frame are chosen.
func (d *Sketcher) BeginFrame(at world.Vec) {
	d.Sketch = Sketch{On: true, Frame: true, From: at, To: at}
}

// GoOn follows the cursor: a box grows, and a body moves or turns.
func (d *Sketcher) GoOn(to world.Vec) {
	k := &d.Sketch
	if !d.Tool.moves() && !k.Frame {
		to = d.drawn(to)
	}
	if to == k.To {
		return
	}
	k.To = to
	if !d.Tool.moves() || k.Frame {
		return
	}
	if !k.changed {
		what := "move"
		if d.Tool == turnTool {
			what = "turn"
		}
		if !d.changes.BeginChange(what) {
			*k = Sketch{}
			return
		}
		k.changed = true
		d.changes.Moments.lastBuilds()
	}
	grid, turn, cx, cy := d.build.Grid, 0., k.was.CentreX, k.was.CentreY
	by := world.Vec{X: k.To.X - k.From.X, Y: k.To.Y - k.From.Y}
	if d.Tool == turnTool {
		by, turn = world.Vec{}, math.Atan2(k.To.Y-cy, k.To.X-cx)-math.Atan2(k.From.Y-cy, k.From.X-cx)
		if grid > 0 {
			turn = math.Round((k.was.Angle+turn)/snapTurn)*snapTurn - k.was.Angle
		}
	} else if grid > 0 {
		origin := world.Vec{X: k.was.X, Y: k.was.Y}
		by = grid.Snap(origin.Add(by)).Sub(origin)
	}
	sin, cos := math.Sincos(turn)
	d.inspect.stale()
	for _, m := range append([]movedBody{{k.Body, k.was}}, k.with...) {
		at := world.Vec{X: m.was.X + by.X, Y: m.was.Y + by.Y}
		if turn != 0 { // the centre of the held body stays where it is
			at = world.Vec{X: cx + cos*(m.was.X-cx) - sin*(m.was.Y-cy), Y: cy + sin*(m.was.X-cx) + cos*(m.was.Y-cy)}
		}
		d.stage.EachPlayer(func(p *Player) { p.Teleport(m.body, at, m.was.Angle+turn) })
	}
}

// End creates the body or joint that was drawn, or chooses the bodies in the frame. A body that is at most
// `reach` m from the end of the drag is joined.
func (d *Sketcher) End(reach float64) {
	k := d.Sketch
	d.Sketch = Sketch{}
	switch shape, at, ok := k.Shape(d.Tool); {
	case k.Frame:
		var all []world.Body // bodies that were chosen before stay chosen if they are in the same half
		if d.inspect.Right == d.stage.CursorOnRight() {
			all = d.inspect.Bodies()
		}
		for _, b := range framed(d.stage.Under().Player, k.From, k.To) {
			if !slices.Contains(all, b) {
				all = append(all, b)
			}
		}
		d.inspect.ChooseAll(all, d.stage.CursorOnRight())
		d.host.Say(fmt.Sprintf("%d chosen", len(all)))
	case d.Tool == JointTool:
		if b := d.stage.Under().Player.Near(k.To, reach); b != k.Body {
			d.build.Join(JointNames[d.Joint], Joints[d.Joint], k.Body, b, k.From, k.To)
		}
	case ok:
		d.build.Create(strings.TrimPrefix(Tools[d.Tool].Control, "tool "), at, shape)
	case !d.Tool.moves() && k.From != k.To:
		d.host.Say(Tools[d.Tool].Name + ": too thin; " + Tools[d.Tool].Help)
	}
}

// leastSize is the smallest radius, and half of the shortest side, of a shape that can be drawn, in m.
const leastSize = .01

// Shape returns the shape that a tool has drawn, and the centre of the shape. The result ok is false if the
// shape is too small.
func (k *Sketch) Shape(t Tool) (s world.ShapeDef, at world.Vec, ok bool) {
	at = world.Vec{X: (k.From.X + k.To.X) / 2, Y: (k.From.Y + k.To.Y) / 2}
	w, h := math.Abs(k.To.X-k.From.X)/2, math.Abs(k.To.Y-k.From.Y)/2
	r := min(w, h)
	switch t {
	case boxTool:
		s = world.Box(w, h)
	case BallTool:
		at, r = k.From, 2*math.Hypot(w, h)
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
