package world

import (
	"fmt"
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/soft"
)

// SetShouldCollide sets a function that decides whether two shapes collide, if their Filters
// and joints let them. a was created before b. Before the next step the function is asked
// again about all pairs, also touching ones. It is called often, also in the middle of a
// step, and should allocate nothing. It must not change the world; see the package comment.
//
// It must depend only on the two shapes and the world, or two runs differ. If its answer for
// a body changes, call [World.Refilter]. A recording does not hold the function: set it in
// Setup, or in a function that [Register] knows, and a replay sets it too. Nil removes it.
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

// Refilter makes the world ask the ShouldCollide hook again about all pairs of a body, before
// the next step.
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

// openToAll are the library's bits of each shape of the world. The library has only 16 bits
// for categories, so only the world's filters decide.
var openToAll = box2d.B2Filter{CategoryBits: math.MaxUint16, MaskBits: math.MaxUint16}

// filterOf is the filter of a fixture. A fixture that was made through [World.Box2D] has the
// library's filter, whose default mask means all categories.
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

// filter is the world's filter in the library's form. The library asks it before it makes a
// contact; only there can a step with too many contacts be stopped.
type filter struct{ w *World }

// pass reports whether the filters of two shapes let them collide.
func pass(a, b *box2d.B2Fixture) bool {
	f, g := filterOf(a), filterOf(b)
	return f.Collides(&g)
}

// Of is the filter of a shape, which SoftStep compares without asking ShouldCollide.
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

// WantsShouldCollide reports whether there is a hook.
func (f *filter) WantsShouldCollide() bool { return f.w.shouldCollide != nil }

var _ soft.Filter = (*filter)(nil)

// ReadOnlyCallbacks promises that the filter changes nothing in the world, so that FastStep
// searches for times of impact only after its own changes.
func (f *filter) ReadOnlyCallbacks() bool { return true }

// decides asks the ShouldCollide hook. Shapes made through [World.Box2D] have no handle for it.
func (w *World) decides(a, b *box2d.B2Fixture) bool {
	s, t := shapeOf(a), shapeOf(b)
	if s == nil || t == nil {
		return true
	}
	if s.id > t.id {
		s, t = t, s
	}
	was := w.when.phase
	w.when.phase = stepping // the search for pairs also runs between two steps
	defer func() { w.when.phase = was }()
	return w.shouldCollide(w, s.handle, t.handle)
}
