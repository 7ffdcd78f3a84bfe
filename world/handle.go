package world

import (
	"errors"
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/internal/stamps"
)

// Body is the handle of a body. Handles are never used twice, so the handle of a destroyed body never
// refers to another body. The zero Body means no body.
type Body uint64

// Shape is the handle of a shape. Box2D calls a shape a fixture. Handles are never used twice. The zero
// Shape means no shape.
type Shape uint64

// Joint is the handle of a joint. Handles are never used twice. The zero Joint means no joint.
type Joint uint64

// madeHere is a bit of each handle that the world made. Handles that commands chose lack the bit, so the
// world and commands never make the same handle, and a replay makes the same handles.
const madeHere = 1 << 63

// handleString returns the number of a handle, with a w before the number if the world made the handle.
func handleString(n uint64) string {
	if n&madeHere != 0 {
		return fmt.Sprintf("w%d", n&^uint64(madeHere))
	}
	return fmt.Sprint(n)
}

// String returns a short form for messages, such as "body 7". Handles that were made on the
// physics goroutine have a w: "body w7".
func (b Body) String() string { return "body " + handleString(uint64(b)) }

// String returns a short form for messages.
func (s Shape) String() string { return "shape " + handleString(uint64(s)) }

// String returns a short form for messages.
func (j Joint) String() string { return "joint " + handleString(uint64(j)) }

// registry has the existing bodies, shapes and joints.
type registry struct {
	bodies      map[Body]*body
	shapes      map[Shape]*shape
	joints      map[Joint]*joint
	first, last *body         // in order of creation
	edits       stamps.Stamps // the changed records, by slot
	removed     removed
	removals    uint64 // bodies removed so far

	made             uint64 // the number of handles that the world has given out
	chosen           chosen // handles that commands have chosen
	shapeID, jointID uint32
}

// newHandle makes a handle that no command can have chosen.
func (g *registry) newHandle() uint64 {
	g.made++
	return madeHere | g.made
}

// chosen are the highest handles that commands have chosen.
type chosen struct{ body, shape, joint uint64 }

// raise makes each handle in c at least as high as the handle in the same field of to.
func (c *chosen) raise(to chosen) {
	c.body, c.shape, c.joint = max(c.body, to.body), max(c.shape, to.shape), max(c.joint, to.joint)
}

// choose accepts the handle that a command has chosen for a new object, or returns an error.
func choose[H Body | Shape | Joint, R, D any](in map[H]*R, h H, highest *uint64, def *D) error {
	n := uint64(h)
	switch {
	case def == nil:
		return errNoDef
	case n == 0:
		return errors.New("world: a new handle is zero")
	case n&madeHere != 0:
		return fmt.Errorf("world: the handle %#x has the top bit set, which is the world's", n)
	case in[h] != nil:
		return fmt.Errorf("world: the handle %d is in use", n)
	}
	*highest = max(*highest, n)
	return nil
}

// chooseShapes accepts the consecutive handles that a command has chosen for the n shapes of a body, or
// returns an error.
func (g *registry) chooseShapes(first Shape, n int) error {
	if n > MaxBodyShapes { // the definition will be refused with an error
		return nil
	}
	for i := range n {
		if err := choose(g.shapes, first+Shape(i), &g.chosen.shape, &n); err != nil {
			return err
		}
	}
	return nil
}

// lookup returns the record of a handle, or an error that wraps ErrStale.
func lookup[H Body | Shape | Joint, R any](g *registry, in map[H]*R, h H) (*R, error) {
	if r := in[h]; r != nil {
		return r, nil
	}
	name, why := "", ""
	if h == 0 {
		why = ": 0 is the handle of none"
	} else if b, is := any(h).(Body); is {
		name, why = g.removed.find(b)
	}
	return nil, fmt.Errorf("world: %v%s %w%s", h, name, ErrStale, why)
}

// removed has the bodies that were removed last, in a ring. Messages use their names.
type removed [64]struct {
	Body
	name string
}

// add adds a removed body. The parameter n is the number of earlier removals.
func (r *removed) add(b Body, name string, n uint64) {
	r[n%uint64(len(r))].Body, r[n%uint64(len(r))].name = b, name
}

// find looks for b in the ring. It returns the name of b, and a text that says that b was removed.
func (r *removed) find(b Body) (name, why string) {
	for _, gone := range r {
		if gone.Body != b {
			continue
		}
		if gone.name != "" {
			name = fmt.Sprintf(" (%q)", gone.name)
		}
		return name, ": it has been removed"
	}
	return "", ""
}

func (g *registry) findBody(b Body) (*body, error)    { return lookup(g, g.bodies, b) }
func (g *registry) findShape(s Shape) (*shape, error) { return lookup(g, g.shapes, s) }
func (g *registry) findJoint(j Joint) (*joint, error) { return lookup(g, g.joints, j) }

func (w *World) lookupBody(b Body) (*body, error) {
	w.checkGoroutine()
	return w.registry.findBody(b)
}

func (w *World) lookupShape(s Shape) (*shape, error) {
	w.checkGoroutine()
	return w.registry.findShape(s)
}

func (w *World) lookupJoint(j Joint) (*joint, error) {
	w.checkGoroutine()
	return w.registry.findJoint(j)
}

// edit finds a record before a change. It returns an error while Box2D steps, because Box2D then forbids
// changes. The parameter bad has the results of checks of the arguments: errors or nils.
func edit[H Body | Shape | Joint, R any](phase stage, find func(H) (*R, error), h H, bad []error) (*R, error) {
	if phase == stepping {
		return nil, ErrStepping
	}
	r, err := find(h)
	if err == nil {
		err = firstError(bad...)
	}
	return r, err
}

// edit finds the record of a body before a change, and marks it as changed for the next
// snapshot.
func (w *World) edit(b Body, bad ...error) (*body, error) {
	r, err := w.mutable(b, bad...)
	if err == nil {
		w.registry.edited(r)
	}
	return r, err
}

// mutable does the same as edit, but does not mark the record: it is for values that steps
// change too, such as velocities, forces and sleep. Snapshots do not get these from the
// record.
func (w *World) mutable(b Body, bad ...error) (*body, error) {
	return edit(w.when.phase, w.lookupBody, b, bad)
}

// editShape finds the record of a shape before a change. It marks the record of the shape's body, which
// contains the record of the shape.
func (w *World) editShape(s Shape, bad ...error) (*shape, error) {
	r, err := edit(w.when.phase, w.lookupShape, s, bad)
	if err == nil {
		w.registry.edited(r.of)
	}
	return r, err
}

// editJoint finds the record of a joint before a change. It marks the record of the joint's second body,
// which contains the record of the joint.
func (w *World) editJoint(j Joint, bad ...error) (*joint, error) {
	r, err := edit(w.when.phase, w.lookupJoint, j, bad)
	if err == nil {
		w.box.EditJoint(r.j, false) // false: the bodies need not wake
		w.registry.jointEdited(r.j)
	}
	return r, err
}

// edited marks the record of a body as changed for the next snapshot. It is called after a change of a body
// or of its shapes between two steps.
func (g *registry) edited(r *body) { g.edits.Mark(r.slot) }

// jointEdited marks the record that contains a joint as changed for the next snapshot.
func (g *registry) jointEdited(j box2d.B2JointInterface) {
	if r := recordOf(j.GetBodyB()); r != nil {
		g.edited(r)
	}
}

// editedRaw marks all records as changed if the program may hold Box2D's own objects.
func (w *World) editedRaw() {
	if w.box.Exposed() {
		w.registry.edits.MarkAll(len(w.places.slots))
	}
}

// takeBack is called after the functions in which a program could use Box2D's own objects.
func (w *World) takeBack() {
	if w.box.Exposed() {
		w.editedRaw()
		clear(w.masses.weighed)
		w.box.TakeBack()
	}
}

const notKept = "world: a World was used on another goroutine than the one that steps it: it must not be kept beyond the function that was given it (give commands, or use Do)"

// checkGoroutine panics in race builds if the calling goroutine does not step the world. In other builds it
// does nothing. Before Start and after Close any goroutine may use the world.
func (w *World) checkGoroutine() {
	w.guard.Check(notKept)
}
