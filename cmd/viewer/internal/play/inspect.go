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
	Body   world.Body   // 0 means none
	More   []world.Body // the other chosen bodies
	Right  bool         // Right says that the body is in the right half of a comparison.
	Shape  world.Shape  // Shape is the chosen shape of the body, or 0.
	Joint  world.Joint  // Joint is the chosen joint of the body, or 0.
	Name   string       // Name is the text in the name field of the page.
	Pinned bool         // Pinned says that a click does not choose another body.
	Path   bool         // Path makes the picture show the path of the body's centre of mass.

	awaited       world.Body   // awaited is a new or restored body. It is chosen when the picture has it.
	awaitedOthers []world.Body // awaitedOthers are other bodies that are then chosen with it.

	asked      bool                      // asked says that physics was asked for a report and has not answered.
	edits      int                       // edits counts the user's changes of the world. An answer from before the last change is ignored.
	Last       time.Time                 // Last is when physics was last asked.
	Info       BodyReport                // Info is the newest answer of physics.
	Quantity   int                       // Quantity is the plotted value, as an index of Plotted.
	PathPoints [MostPathPoints]world.Vec // PathPoints is a ring of the shown positions of the centre of mass, in m.
	PathAdded  int                       // PathAdded is the number of points that were added so far.
}

const (
	MostPathPoints    = 600
	queryInterval     = 100 * time.Millisecond
	idleQueryInterval = time.Second // idleQueryInterval is the time between two questions while nothing moves.
	mostNear          = 12          // mostNear is the greatest number of contacts and of joints that are listed.
)

// BodyReport is the physics goroutine's report about a body.
type BodyReport struct {
	Known     bool   // Known is false if there is no answer, or no such body.
	Tick      uint64 // Tick is the tick of the answer.
	Body      world.BodyInfo
	Def       world.BodyDef // Def is the present definition of the body.
	Handles   []world.Shape // Handles are the handles of the body's shapes.
	Contacts  []touching    // Contacts are at most mostNear contacts of the body.
	Joints    []jointReport // Joints are at most mostNear joints of the body.
	NContacts int           // the number of all
	More      []OtherBody   // More are the other chosen bodies.
	Joint     jointReport   // the chosen joint
	JointGone bool          // JointGone says that the chosen joint is no longer a joint of the body.
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
	Tangent float64 // Tangent is the impulse of friction in N·s.
}

// jointReport is a joint of the body.
type jointReport struct {
	world.JointInfo
	Handle world.Joint
	Name   string           // Name is the kind of the joint and the name of the other body.
	gears  []world.JointDef // gears, for the chosen joint, are the gears that couple it.
}

// forget drops the body and the user's settings for the body, because another scene is opened.
func (n *Inspector) forget() { n.Chosen = Chosen{} }

// Choose chooses a body in the left half, or in an undivided picture. If b is 0, no body is chosen.
func (n *Inspector) Choose(b world.Body) {
	const right = false
	n.ChooseIn(b, right)
}

// ChooseIn chooses a body in one half of the picture. If b is 0, no body is chosen.
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

// removed removes a body from the choice. The next chosen body becomes the described body.
func (n *Inspector) removed(b world.Body) {
	if n.Body == b {
		n.ChooseAll(n.More, n.Right)
	}
}

// follow is called once per frame. It chooses awaited bodies, and records the shown position of the
// chosen body. If ask is true (the page Body is open), it asks physics about the body ten times a
// second.
func (n *Inspector) follow(of *Player, ask bool) {
	gone := func(b world.Body) bool { _, there := of.View().Scene.Slot(uint64(b)); return !there }
	// The awaited bodies were created in order. If the picture has the first and the last, it has all of
	// them.
	if n.awaited != 0 && !gone(n.awaited) && (len(n.awaitedOthers) == 0 || !gone(n.awaitedOthers[len(n.awaitedOthers)-1])) {
		n.ChooseAll(append([]world.Body{n.awaited}, n.awaitedOthers...), n.Right)
		n.awaited, n.awaitedOthers = 0, nil
	}
	n.More = slices.DeleteFunc(n.More, gone)
	if n.Body == 0 {
		return
	}
	if gone(n.Body) {
		n.Choose(0) // the world was restored to a moment before the creation of the body
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
					n.Joint = 0 // the joint was undone, or was removed with its other body
				}
			}
		})
	}
}

// stale is called when the world changes. Physics is then asked again, and earlier answers are ignored.
func (n *Inspector) stale() {
	n.edits++
	n.Last = time.Time{}
}

// gearsOf returns the gears of a world. If no joint is chosen it returns none, because nothing else
// needs them.
func gearsOf(s *scene.Scene, joint world.Joint) (all []world.Joint) {
	for i := range s.Joints {
		if j := &s.Joints[i]; joint != 0 && world.JointKind(j.Kind) == world.GearJoint {
			all = append(all, world.Joint(j.Handle))
		}
	}
	return all
}

// report describes a body, its contacts and joints, the chosen joint, and the other chosen bodies. It
// runs on the physics goroutine. The parameter gears has all gears of the world.
func report(w *world.World, b world.Body, chosen world.Joint, gears []world.Joint, more ...world.Body) (r BodyReport) {
	info, err := w.Body(b)
	if err != nil {
		return r
	}
	r.Known, r.Body = true, info
	r.Def, _ = w.BodyDef(b)
	r.Handles, _ = w.Shapes(b)
	r.Joint.Handle, r.JointGone = chosen, chosen != 0 // JointGone stays true if the joint is not found below
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

// Shapes returns the shapes that SetShape changes, as indices of Info.Def.Shapes. This is the chosen
// shape, or all shapes if none is chosen.
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

// ShapeFieldsShown returns the fields of the shapes that SetShape changes. The size is included only if
// there is a single shape.
func (n *Inspector) ShapeFieldsShown() []Field[world.ShapeDef] {
	if len(n.Shapes()) == 1 {
		return ShapeFields
	}
	return ShapeFields[sizes:]
}

// ChosenLabel returns the name of the chosen body for -stats.
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
