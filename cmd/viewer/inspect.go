package main

import (
	"time"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/world"
)

// inspector is the state of the page Body: the body that the user has chosen, and what is known of it.
type inspector struct {
	stage *stage
	chosen
}

// chosen is the body that the user has chosen, and what is known of it.
type chosen struct {
	body   world.Body  // 0: none
	right  bool        // it is in the right half of a comparison
	shape  world.Shape // the one of its shapes that is chosen, or 0
	joint  world.Joint // the one of its joints that is chosen, or 0
	name   string      // the text of the name field
	pinned bool        // a click does not choose another body
	path   bool        // draw the path of its centre of mass

	awaited world.Body // a body that was just created or restored: to be chosen when the picture has it

	asked   bool                 // physics has been asked for a report, and has not answered
	last    time.Time            // when it was asked last
	info    bodyReport           // its newest answer
	what    int                  // the value that is plotted, an index of plotted
	trail   [trailLong]world.Vec // a ring of where the centre of mass was shown, m
	trailed int                  // points so far
}

const (
	trailLong = 600 // points
	askEvery  = 100 * time.Millisecond
	askSlowly = time.Second // while nothing moves
	mostNear  = 12          // contacts and joints that are listed
)

// bodyReport is what the physics goroutine reports about a body.
type bodyReport struct {
	known     bool   // false: there is no answer, or no such body
	tick      uint64 // the tick of the answer
	body      world.BodyInfo
	def       world.BodyDef // as the body is now; Shapes are at most mostNear
	handles   []world.Shape // of these shapes
	nShapes   int           // the number of all its shapes
	contacts  []touching    // at most mostNear
	joints    []jointReport // at most mostNear
	nContacts int           // the number of all
}

// touching is a contact of the body, with the impulses of the last step.
type touching struct {
	with    world.Body
	name    string
	impulse float64 // along the normal, N·s
	tangent float64 // by friction, N·s
}

// jointReport is a joint of the body.
type jointReport struct {
	world.JointInfo
	name string // its kind and the other body
}

// forget forgets the body, with all that the user has set for it: another scene is open.
func (n *inspector) forget() { n.chosen = chosen{} }

// choose chooses a body in the left half, or in the only picture; 0 is none.
func (n *inspector) choose(b world.Body) { n.chooseIn(b, false) }

// chooseIn chooses a body in one half of the picture; 0 is none.
func (n *inspector) chooseIn(b world.Body, right bool) {
	if n.body != b || n.right != right {
		n.chosen = chosen{body: b, right: right, path: n.path && b != 0, last: n.last, what: n.what}
	}
}

// inspected returns the engine of the half in which the body was chosen.
func (n *inspector) inspected() *player {
	if n.right && n.stage.right != nil {
		return n.stage.right.player
	}
	return n.stage.player
}

// removed chooses no body if the chosen one has been removed.
func (n *inspector) removed(b world.Body) {
	if n.body == b {
		n.choose(0)
	}
}

// follow is called once per frame. It notes where the body is shown, and with ask (its page is
// open) asks physics about it ten times a second.
func (n *inspector) follow(e *player, ask bool) {
	if _, back := e.View().Scene.Slot(uint64(n.awaited)); back && n.awaited != 0 {
		n.chooseIn(n.awaited, n.right)
	}
	if n.body == 0 {
		return
	}
	if _, there := e.View().Scene.Slot(uint64(n.body)); !there {
		n.choose(0) // the world was restored to a moment before it was created
		return
	}
	if p, ok := e.pose(n.body); ok && n.path {
		at := world.Vec{X: p.CentreX, Y: p.CentreY}
		if n.trailed == 0 || n.trail[(n.trailed-1)%trailLong] != at {
			n.trail[n.trailed%trailLong] = at
			n.trailed++
		}
	}
	e.samples.choose(n.body, n.what)
	e.samples.follow(e, n.body)
	every := askEvery
	if e.Paused() && n.info.known && n.info.tick == e.View().Tick {
		every = askSlowly // an answer makes a paused engine publish its state again
	}
	if now := time.Now(); ask && !n.asked && now.Sub(n.last) >= every {
		n.asked, n.last = true, now
		body, right := n.body, n.right
		world.Ask(e.Commands, func(w *world.World) bodyReport { return report(w, body) }, func(tick uint64, r bodyReport) {
			n.asked = false
			if n.body == body && n.right == right {
				r.tick = tick
				n.info = r
			}
		})
	}
}

// report describes a body, its contacts and its joints. It runs on the physics goroutine.
func report(w *world.World, b world.Body) (r bodyReport) {
	info, err := w.Body(b)
	if err != nil {
		return r
	}
	r.known, r.body = true, info
	r.def, _ = w.BodyDef(b)
	r.handles, _ = w.Shapes(b)
	r.nShapes = len(r.handles)
	shown := min(r.nShapes, mostNear)
	r.def.Shapes, r.handles = r.def.Shapes[:shown], r.handles[:shown]
	_ = w.BodyContacts(b, func(c world.Contact) bool {
		if r.nContacts++; len(r.contacts) == mostNear {
			return true
		}
		other := c.A
		if c.A == b {
			other = c.B
		}
		o, _ := w.Body(other)
		r.contacts = append(r.contacts, touching{other, o.Name, c.Impulse, c.TangentImpulse})
		return true
	})
	for j := range w.JointsOf(b) {
		if i, err := w.Joint(j); err == nil && len(r.joints) < mostNear {
			other := i.A
			if other == b {
				other = i.B
			}
			o, _ := w.Body(other)
			r.joints = append(r.joints, jointReport{i, i.Kind.String() + ", " + bodyName(o.Name, other)})
		}
	}
	return r
}

// chosenLabel is the name of the chosen body in -stats.
func (s *session) chosenLabel() string {
	if s.inspect.body == 0 {
		return ""
	}
	slot, ok := s.stage.view.Scene.Slot(uint64(s.inspect.body))
	if !ok {
		return ""
	}
	return label(s.stage.view, slot)
}

// bodyName is the name of a body, or its handle.
func bodyName(name string, b world.Body) string {
	if name == "" {
		return b.String()
	}
	return words.Printable(name)
}
