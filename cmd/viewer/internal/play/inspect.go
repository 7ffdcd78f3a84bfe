package play

import (
	"slices"
	"time"

	"halfstep/renderloop/scene"
	"halfstep/world"
)

// Inspector is the state of the page Body: the chosen body, and the data about it.
type Inspector struct {
	stage *Stage
	Chosen
}

// Chosen is the chosen body, and the data about it.
type Chosen struct {
	Body   world.Body   // 0: none
	More   []world.Body // the other chosen bodies
	Right  bool         // it is in the right half of a comparison
	Shape  world.Shape  // the chosen shape of the body, or 0
	Joint  world.Joint  // the chosen joint of the body, or 0
	Name   string       // the text in the name field of the page
	Pinned bool         // a click does not choose another body
	Path   bool         // draw the path of its centre of mass

	awaited       world.Body   // a new or restored body, which is chosen when the picture has it
	awaitedOthers []world.Body // others that are chosen with it

	asked      bool                      // physics was asked for a report, and has not answered
	edits      int                       // counts the user's changes of the world: an answer from before the last one is ignored
	Last       time.Time                 // when physics was asked last
	Info       BodyReport                // its newest answer
	Quantity   int                       // the plotted value, an index of Plotted
	PathPoints [MostPathPoints]world.Vec // a ring of the shown places of the centre of mass, m
	PathAdded  int                       // how many points were added so far
}

const (
	MostPathPoints    = 600
	queryInterval     = 100 * time.Millisecond
	idleQueryInterval = time.Second // while nothing moves
	mostNear          = 12          // the most contacts and joints that are listed
)

// BodyReport is the physics goroutine's report about a body.
type BodyReport struct {
	Known     bool   // false: there is no answer, or no such body
	Tick      uint64 // the tick of the answer
	Body      world.BodyInfo
	Def       world.BodyDef // as the body is now
	Handles   []world.Shape // of its shapes
	Contacts  []touching    // at most mostNear
	Joints    []jointReport // at most mostNear
	NContacts int           // the number of all
	More      []OtherBody   // the others that are chosen
	Joint     jointReport   // the chosen joint
	JointGone bool          // the chosen joint is no longer a joint of the body
}

// OtherBody is the report about another chosen body.
type OtherBody struct {
	Body    world.Body
	Mass    float64 // kg
	Def     world.BodyDef
	Handles []world.Shape
}

// touching is a contact of the body, with the impulses of the last step.
type touching struct {
	With    world.Body
	Name    string
	Impulse float64 // along the normal, N·s
	Tangent float64 // by friction, N·s
}

// jointReport is a joint of the body.
type jointReport struct {
	world.JointInfo
	Handle world.Joint
	Name   string           // its kind and the other body
	gears  []world.JointDef // for the chosen joint: the gears that couple it
}

// forget drops the body and the user's settings for it, because another scene is opened.
func (n *Inspector) forget() { n.Chosen = Chosen{} }

// Choose chooses a body in the left half, or in the only picture; 0 is none.
func (n *Inspector) Choose(b world.Body) {
	const right = false
	n.ChooseIn(b, right)
}

// ChooseIn chooses a body in one half of the picture; 0 is none.
func (n *Inspector) ChooseIn(b world.Body, right bool) {
	if n.Body != b || n.Right != right {
		n.Chosen = Chosen{Body: b, Right: right, Path: n.Path && b != 0, Last: n.Last, Quantity: n.Quantity, edits: n.edits}
	}
}

// Inspected returns the player of the half in which the body was chosen.
func (n *Inspector) Inspected() *Player {
	if n.Right && n.stage.Right != nil {
		return n.stage.Right.Player
	}
	return n.stage.Player
}

// removed removes a body from the choice. The next chosen body takes its place.
func (n *Inspector) removed(b world.Body) {
	if n.Body == b {
		n.ChooseAll(n.More, n.Right)
	}
}

// follow is called once per frame. It chooses awaited bodies, records the shown place of the chosen
// one, and with ask (its page is open) asks physics about it ten times a second.
func (n *Inspector) follow(of *Player, ask bool) {
	gone := func(b world.Body) bool { _, there := of.View().Scene.Slot(uint64(b)); return !there }
	// All awaited bodies were created in order: if the picture has the first and the last, it has all.
	if n.awaited != 0 && !gone(n.awaited) && (len(n.awaitedOthers) == 0 || !gone(n.awaitedOthers[len(n.awaitedOthers)-1])) {
		n.ChooseAll(append([]world.Body{n.awaited}, n.awaitedOthers...), n.Right)
		n.awaited, n.awaitedOthers = 0, nil
	}
	n.More = slices.DeleteFunc(n.More, gone)
	if n.Body == 0 {
		return
	}
	if gone(n.Body) {
		n.Choose(0) // the world was restored to a moment before its creation
		return
	}
	if p, ok := of.Pose(n.Body); ok && n.Path {
		at := world.Vec{X: p.CentreX, Y: p.CentreY}
		if n.PathAdded == 0 || n.PathPoints[(n.PathAdded-1)%MostPathPoints] != at {
			n.PathPoints[n.PathAdded%MostPathPoints] = at
			n.PathAdded++
		}
	}
	of.Samples.Choose(n.Body, n.Quantity)
	of.Samples.noteShown(of, n.Body)
	every := queryInterval
	if n.Info.Joint.Handle != n.Joint {
		every = 0 // another joint was chosen
	} else if of.Paused() && n.Info.Known && n.Info.Tick == of.View().Tick {
		every = idleQueryInterval // an answer makes a paused engine publish its state again
	}
	if now := time.Now(); ask && !n.asked && now.Sub(n.Last) >= every {
		n.asked, n.Last = true, now
		body, joint, right, edits := n.Body, n.Joint, n.Right, n.edits
		gears, more := gearsOf(of.View().Scene, joint), slices.Clone(n.More)
		world.Ask(of.Commands, func(w *world.World) BodyReport { return report(w, body, joint, gears, more...) }, func(tick uint64, r BodyReport) {
			n.asked = false
			if n.Body == body && n.Right == right && n.edits == edits {
				r.Tick = tick
				n.Info = r
				if r.JointGone {
					n.Joint = 0 // undone, or removed with its other body
				}
			}
		})
	}
}

// stale says that the world changes now: physics is asked again, and earlier answers are ignored.
func (n *Inspector) stale() {
	n.edits++
	n.Last = time.Time{}
}

// gearsOf returns the gears of a world. It returns none without a chosen joint, because only that needs
// them.
func gearsOf(s *scene.Scene, joint world.Joint) (all []world.Joint) {
	for i := range s.Joints {
		if j := &s.Joints[i]; joint != 0 && world.JointKind(j.Kind) == world.GearJoint {
			all = append(all, world.Joint(j.Handle))
		}
	}
	return all
}

// report describes a body, its contacts and its joints, the chosen joint, and the other chosen bodies. It
// runs on the physics goroutine. gears are all gears of the world.
func report(w *world.World, b world.Body, chosen world.Joint, gears []world.Joint, more ...world.Body) (r BodyReport) {
	info, err := w.Body(b)
	if err != nil {
		return r
	}
	r.Known, r.Body = true, info
	r.Def, _ = w.BodyDef(b)
	r.Handles, _ = w.Shapes(b)
	r.Joint.Handle, r.JointGone = chosen, chosen != 0 // unless it is found below
	for _, m := range more {
		if info, err := w.Body(m); err == nil {
			d, _ := w.BodyDef(m)
			shapes, _ := w.Shapes(m)
			r.More = append(r.More, OtherBody{m, info.Mass, d, shapes})
		}
	}
	_ = w.BodyContacts(b, func(c world.Contact) bool {
		if r.NContacts++; len(r.Contacts) == mostNear {
			return true
		}
		other := c.A
		if c.A == b {
			other = c.B
		}
		o, _ := w.Body(other)
		r.Contacts = append(r.Contacts, touching{other, o.Name, c.Impulse, c.TangentImpulse})
		return true
	})
	for j := range w.JointsOf(b) {
		if i, err := w.Joint(j); err == nil && (len(r.Joints) < mostNear || j == chosen) {
			other := i.A
			if other == b {
				other = i.B
			}
			o, _ := w.Body(other)
			this := jointReport{JointInfo: i, Handle: j, Name: i.Kind.String() + ", " + BodyName(o.Name, other)}
			if len(r.Joints) < mostNear {
				r.Joints = append(r.Joints, this)
			}
			if j == chosen {
				r.Joint, r.JointGone = this, false
			}
		}
	}
	for _, g := range gears {
		if i, err := w.Joint(g); err == nil && (i.Def.Joint1 == chosen || i.Def.Joint2 == chosen) {
			r.Joint.gears = append(r.Joint.gears, i.Def)
		}
	}
	return r
}

// Shapes returns the indices in Info.Def.Shapes of the shapes that SetShape changes: of the chosen one,
// or else of all.
func (n *Inspector) Shapes() []int {
	if n.Shape != 0 {
		if i := slices.Index(n.Info.Handles, n.Shape); i >= 0 {
			return []int{i}
		}
		return nil
	}
	all := make([]int, len(n.Info.Handles))
	for i := range all {
		all[i] = i
	}
	return all
}

// ShapeFieldsShown returns the fields of the shapes that SetShape changes. Only a single shape has a size.
func (n *Inspector) ShapeFieldsShown() []Field[world.ShapeDef] {
	if len(n.Shapes()) == 1 {
		return ShapeFields
	}
	return ShapeFields[sizes:]
}

// ChosenLabel is the name of the chosen body in -stats.
func (s *Session) ChosenLabel() string {
	if s.Inspect.Body == 0 {
		return ""
	}
	slot, ok := s.Stage.View.Scene.Slot(uint64(s.Inspect.Body))
	if !ok {
		return ""
	}
	return label(s.Stage.View, slot)
}
