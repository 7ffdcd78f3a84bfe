package world

import (
	"fmt"
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/soft"
)

// SetShouldCollide sets a function that decides whether two shapes collide. It is called only if
// the shapes' filters and joints let them collide. a was created before b. Before the next step
// the function is called again for all pairs, including those that touch. It is called often,
// also in the middle of a step, and should allocate nothing. It must not change the world; see
// the package comment.
//
// The answer must depend only on the two shapes and the world. With other answers, two runs may
// differ. If the answer for a body changes, call [World.Refilter]. A recording does not contain
// the function. A replay sets it again if it is set in Setup, or by a function that [Register]
// knows. Nil removes the function.
func (w *World) SetShouldCollide(f func(w *World, a, b Shape) bool) {
	w.checkGoroutine()
	if w.when.phase == stepping {
		w.Later(func(w *World) { w.SetShouldCollide(f) })
		return
	}
	w.shouldCollide = f
	for r := w.registry.first; r != nil; r = r.next {
		w.box.Refilter(r.b)
	}
}

// Refilter makes the world call the ShouldCollide hook again for all pairs of a body, before the
// next step.
func (w *World) Refilter(b Body) error {
	r, err := w.edit(b)
	if err == nil {
		w.box.Refilter(r.b)
	}
	return err
}

// withDefaults replaces zero fields by their defaults.
func (f Filter) withDefaults() Filter {
	if f.Category == 0 && f.Mask == 0 {
		f.Category, f.Mask = 1, AllCategories
	}
	return f
}

// openToAll is the library's filter for every shape. It lets all shapes collide, because the
// library has only 16 bits for categories. The world's own filters decide.
var openToAll = box2d.B2Filter{CategoryBits: math.MaxUint16, MaskBits: math.MaxUint16}

// filterOf returns the filter of a fixture. A fixture made through [World.Box2D] has the library's
// filter. Its default mask means all categories.
func filterOf(f *box2d.B2Fixture) box.Filter {
	if s := shapeOf(f); s != nil {
		return box.Filter(s.filter)
	}
	own := box.FilterOf(f)
	if f.M_filter.MaskBits == math.MaxUint16 {
		own.Mask = AllCategories
	}
	return own
}

// filter gives the library the world's filters. The library asks the filter before it makes a contact.
// There the world can stop a step with too many contacts.
type filter struct{ w *World }

// pass reports whether the filters of two shapes let them collide.
func pass(a, b *box2d.B2Fixture) bool {
	f, g := filterOf(a), filterOf(b)
	return f.Collides(&g)
}

// Of returns the filter of a shape. SoftStep compares filters itself if there is no ShouldCollide hook.
func (f *filter) Of(fixture *box2d.B2Fixture) box.Filter { return filterOf(fixture) }

func (f *filter) ShouldCollide(a, b *box2d.B2Fixture) bool {
	if !pass(a, b) || f.w.shouldCollide != nil && !f.w.decides(a, b) {
		return false
	}
	if n := f.w.cfg.MaxContacts; f.w.box.Contacts.Count() > n {
		panic(fmt.Errorf("world: %w: the world holds more than %d contacts", ErrCrowded, n))
	}
	return true
}

// WantsShouldCollide reports whether there is a ShouldCollide hook.
func (f *filter) WantsShouldCollide() bool { return f.w.shouldCollide != nil }

var _ soft.Filter = (*filter)(nil)

// ReadOnlyCallbacks promises that the filter does not change the world. Without the promise, FastStep would
// search for times of impact again after each call.
func (f *filter) ReadOnlyCallbacks() bool { return true }

// decides asks the ShouldCollide hook about two shapes. It does not ask about a shape made through
// [World.Box2D], because such a shape has no handle.
func (w *World) decides(a, b *box2d.B2Fixture) bool {
	s, t := shapeOf(a), shapeOf(b)
	if s == nil || t == nil {
		return true
	}
	if s.id > t.id {
		s, t = t, s
	}
	was := w.when.phase
	w.when.phase = stepping // the hook must not change the world, even between two steps
	defer func() { w.when.phase = was }()
	return w.shouldCollide(w, s.handle, t.handle)
}
