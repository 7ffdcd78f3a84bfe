package world

import (
	"fmt"
	"iter"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

// madeHere marks names that the world made, as opposed to names chosen by
// whoever sends commands: the two can not collide, and a replay makes the same.
const madeHere = 1 << 63

// body is what the world keeps of a body besides Box2D's own.
type body struct {
	handle Body
	b      *box2d.B2Body // nil once destroyed
	slot   int32
	name   string
	colour body2d.Colour
	user   any
	mass   *Mass
	shapes []*shape // in order of creation

	frame, once load   // forces for the frame, for the next step
	given       uint64 // the frame that frame is of
	loaded      bool   // listed in World.loaded

	prev, next *body
}

type load struct {
	force  Vec
	torque float64
}

type shape struct {
	handle Shape
	of     *body
	fix    *box2d.B2Fixture // nil once destroyed
	id     uint32
	name   string
	colour body2d.Colour
	user   any
}

type joint struct {
	handle Joint
	j      box2d.B2JointInterface
	kind   JointKind
	id     uint32
	name   string
	user   any
	gears  []*joint // that couple this joint
	parts  [2]*joint
}

// slot is a place in the states. It holds what capturing and settling read, so
// that they walk one array.
type slot struct {
	b          *box2d.B2Body // nil: free, or held for a body that died
	rec        *body
	generation uint32
	flags      body2d.Flags // Alive and smoothing
	awake      bool         // as last told by an event
	kicked     bool         // a command changed the velocity since the last step
	jump       uint64       // tick that shows it, noJump or jumpPending
	impact     uint64       // tick + 1
	vx, vy     float64      // after the last step
	omega      float64
	origin     box2d.B2Vec2 // after the last step, and the angle
	angle      float64
}

const (
	noJump      = ^uint64(0)
	jumpPending = noJump - 1
)

func handleString(n uint64) string {
	if n&madeHere != 0 {
		return fmt.Sprintf("w%d", n&^uint64(madeHere))
	}
	return fmt.Sprint(n)
}

// String returns a short form for messages.
func (b Body) String() string { return "body " + handleString(uint64(b)) }

// String returns a short form for messages.
func (s Shape) String() string { return "shape " + handleString(uint64(s)) }

// String returns a short form for messages.
func (j Joint) String() string { return "joint " + handleString(uint64(j)) }

func (w *World) body(b Body) (*body, error) {
	w.own()
	if r := w.bodies[b]; r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("box: %v %w", b, ErrStale)
}

func (w *World) shape(s Shape) (*shape, error) {
	w.own()
	if r := w.shapes[s]; r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("box: %v %w", s, ErrStale)
}

func (w *World) joint(j Joint) (*joint, error) {
	w.own()
	if r := w.joints[j]; r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("box: %v %w", j, ErrStale)
}

// edit is body for changes, which Box2D forbids while it steps.
func (w *World) edit(b Body) (*body, error) {
	if w.phase == stepping {
		return nil, ErrStepping
	}
	return w.body(b)
}

func (w *World) name() uint64 {
	w.made++
	return madeHere | w.made
}

// newSlot finds a free slot for r.
func (w *World) newSlot(r *body) {
	var i int32
	if n := len(w.free); n > 0 {
		i = w.free[n-1]
		w.free = w.free[:n-1]
	} else {
		i = int32(len(w.slots))
		w.slots = append(w.slots, slot{})
	}
	r.slot = i
	b := r.b
	w.slots[i] = slot{
		b: b, rec: r, generation: w.slots[i].generation, flags: body2d.Alive,
		awake: b.M_flags&box2d.B2Body_Flags.E_awakeFlag != 0,
		jump:  jumpPending,
		vx:    b.M_linearVelocity.X, vy: b.M_linearVelocity.Y, omega: b.M_angularVelocity,
		origin: b.M_xf.P, angle: b.M_sweep.A,
	}
}

// freeSlot lets another body have the slot, as another generation.
func (w *World) freeSlot(i int32) {
	w.slots[i] = slot{generation: (w.slots[i].generation + 1) & body2d.GenerationMask, jump: noJump}
	w.free = append(w.free, i)
}

func (w *World) link(r *body) {
	r.prev = w.last
	if w.last != nil {
		w.last.next = r
	} else {
		w.first = r
	}
	w.last = r
}

// unlink leaves r.next as it is: Bodies may be standing on r.
func (w *World) unlink(r *body) {
	if r.prev != nil {
		r.prev.next = r.next
	} else {
		w.first = r.next
	}
	if r.next != nil {
		r.next.prev = r.prev
	} else {
		w.last = r.prev
	}
}

// Bodies yields all bodies in order of creation. Bodies may be destroyed
// meanwhile.
func (w *World) Bodies() iter.Seq[Body] {
	return func(yield func(Body) bool) {
		w.own()
		for r := w.first; r != nil; r = r.next {
			if r.b != nil && !yield(r.handle) {
				return
			}
		}
	}
}

// Alive reports whether the body exists.
func (w *World) Alive(b Body) bool {
	w.own()
	return w.bodies[b] != nil
}

// Find returns the first body of that name, in order of creation.
func (w *World) Find(label string) (Body, bool) {
	w.own()
	for r := w.first; r != nil; r = r.next {
		if r.name == label {
			return r.handle, true
		}
	}
	return 0, false
}

// BodyPointer returns Box2D's body, nil if n does not exist. See the package
// comment for what may be done with it.
func (w *World) BodyPointer(handle Body) *box2d.B2Body {
	w.own()
	if r := w.bodies[handle]; r != nil {
		return r.b
	}
	return nil
}

// NameOf returns the name of one of Box2D's bodies, zero if it has none.
func (w *World) HandleOf(b *box2d.B2Body) Body {
	if r := recordOf(b); r != nil {
		return r.handle
	}
	return 0
}

func recordOf(b *box2d.B2Body) *body {
	if b == nil {
		return nil
	}
	r, _ := b.M_userData.(*body)
	return r
}

func shapeOf(f *box2d.B2Fixture) *shape {
	s, _ := f.M_userData.(*shape)
	return s
}
