package renderloop

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// Reader has a view of the published states for one goroutine that is not the render thread. It
// demands no steps and delays no other goroutine. Only that one goroutine may call its methods.
type Reader[S any] struct {
	from *buffer.Reader[S]
	log  *buffer.Log[body2d.Structure] // the log whose records were applied to the view's scene
	view scene.View[S]
}

// NewReader returns a Reader with an empty view.
func NewReader[S any](from *buffer.Reader[S]) *Reader[S] {
	return &Reader[S]{from: from, view: scene.View[S]{Scene: scene.New()}}
}

// View returns the view. Only Newest, At and Close change it.
func (r *Reader[S]) View() *scene.View[S] { return &r.view }

// Newest sets the view to the newest state, without a blend: Prev is the same as Cur. It reports
// whether the view had another state before.
func (r *Reader[S]) Newest() bool {
	fresh := r.from.Acquire()
	cur := r.from.Current()
	return r.show(cur, cur, 0, fresh)
}

// At sets the view to the picture of a Loop's view with the given Tick, Alpha and Instant. If the
// Reader has no states for that picture, its view shows the nearest instant. At reports whether the
// view had other states before.
func (r *Reader[S]) At(tick uint64, alpha float32, instant float64) bool {
	fresh := r.from.AcquireUpTo(tick)
	cur := r.from.Current()
	t := float64(0)
	if cur.Tick < tick {
		t = 1
	}
	r.show(cur, r.from.Previous(), t, fresh)
	if cur.Tick == tick {
		r.view.Alpha, r.view.Instant = alpha, instant // these values are exact; the values from show are rounded
	}
	return fresh
}

// show sets the view to a pair and its structure. The parameter t is the position in the pair, from
// 0 to 1.
func (r *Reader[S]) show(cur, prev *buffer.Slot[S], t float64, fresh bool) bool {
	log, limit := r.from.Structure()
	if log != nil {
		if log != r.log {
			r.log = log
			r.view.Scene.Empty()
		}
		follow(r.view.Scene, log, limit)
	}
	v := &r.view
	fill(v, cur, prev)
	v.Fresh, v.Alpha = fresh, float32(t)
	if v.Instant = float64(cur.Tick); cur != prev {
		v.Instant = float64(max(cur.Tick, 1)-1) + t
	}
	return fresh
}

// Close releases the reader's states and empties its view.
func (r *Reader[S]) Close() {
	r.from.Close()
	r.log = nil
	r.view.Scene.Empty()
	r.show(r.from.Current(), r.from.Current(), 0, false)
}
