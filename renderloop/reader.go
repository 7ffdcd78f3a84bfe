package renderloop

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// Reader keeps a view of a link for one more goroutine beside the render thread. It
// demands no steps and delays no other goroutine. Its methods belong to its
// goroutine.
type Reader[S any] struct {
	from *buffer.Reader[S]
	log  *buffer.Log[body2d.Structure] // the log that the scene follows
	view scene.View[S]
}

// NewReader returns a reader with an empty view.
func NewReader[S any](from *buffer.Reader[S]) *Reader[S] {
	return &Reader[S]{from: from, view: scene.View[S]{Scene: scene.New()}}
}

// View is the view that the last Newest or At made.
func (r *Reader[S]) View() *scene.View[S] { return &r.view }

// Newest makes the view that of the newest state, unblended: Prev is Cur. It reports
// whether that state is new.
func (r *Reader[S]) Newest() bool {
	fresh := r.from.Acquire()
	cur := r.from.Current()
	return r.show(cur, cur, 0, fresh)
}

// At makes the view that of another view, whose pair ends at a tick, at that view's Alpha and Instant. If
// the pair is not at hand, it shows the nearest instant. It reports whether its states are new.
func (r *Reader[S]) At(tick uint64, alpha float32, instant float64) bool {
	fresh := r.from.AcquireUpTo(tick)
	cur := r.from.Current()
	t := float64(0)
	if cur.Tick < tick {
		t = 1
	}
	r.show(cur, r.from.Previous(), t, fresh)
	if cur.Tick == tick {
		r.view.Alpha, r.view.Instant = alpha, instant // exactly: the instant of show is rounded
	}
	return fresh
}

// show makes the view that of a pair at t, from 0 to 1, with the structure of that pair. A
// new log of the reader begins with all that exists.
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
