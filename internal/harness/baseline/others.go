package baseline

import (
	"math"

	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
)

// fixed steps once a frame, whatever the frame took: right at one frame rate,
// slow or fast motion at every other.
type fixed[S, E, C any] struct{ stage[S, E, C] }

func (f *fixed[S, E, C]) Frame(ns int64) *scene.View[S] {
	n := f.extra()
	if ns > 0 {
		n++
	}
	n = f.left(n)
	f.begin(n > 0)
	for range n {
		f.step(f.config.dt())
	}
	if n > 0 {
		f.sim.EndFrame()
	}
	return f.newest(n)
}

// variable steps once a frame by what the frame took: smooth, never the same
// twice, and stiff springs explode when a frame is late.
type variable[S, E, C any] struct{ stage[S, E, C] }

func (v *variable[S, E, C]) Frame(ns int64) *scene.View[S] {
	counted := min(max(ns, 0), clock.DefaultClamp)
	v.dropped += float64(max(ns, 0)-counted) / 1e9
	return v.pieces(counted, math.Inf(1))
}

// semiFixed cuts what the frame took into pieces of at most a step: stable, but
// the last piece is of another size every frame.
type semiFixed[S, E, C any] struct{ stage[S, E, C] }

func (s *semiFixed[S, E, C]) Frame(ns int64) *scene.View[S] {
	counted := min(max(ns, 0), clock.DefaultClamp)
	s.dropped += float64(max(ns, 0)-counted) / 1e9
	return s.pieces(counted, s.config.dt())
}

// pieces steps by a time in nanoseconds, in pieces of at most so many seconds,
// and shows where that leads.
func (s *stage[S, E, C]) pieces(ns int64, longest float64) *scene.View[S] {
	n, left := 0, float64(ns)/1e9
	more := s.left(s.extra())
	s.begin(more > 0 || left > 0 && s.left(1) > 0)
	for ; more > 0; more-- {
		s.step(s.config.dt())
		n++
	}
	for ; left > 0 && s.left(1) > 0; n++ {
		dt := min(left, longest)
		s.step(dt)
		left -= dt
	}
	if n > 0 {
		s.sim.EndFrame()
	}
	return s.newest(n)
}

// free ("free the physics") runs the accumulator and draws the newest state
// without blending: deterministic, and it stutters.
type free[S, E, C any] struct{ *Single[S, E, C] }

func (f *free[S, E, C]) Frame(ns int64) *scene.View[S] { return f.newest(f.run(ns)) }
