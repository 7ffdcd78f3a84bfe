package baseline

import "halfstep/renderloop"

// fixed steps once a frame, whatever the frame took: right at one frame rate,
// slow or fast motion at every other.
type fixed[S, E, C any] struct{ stage[S, E, C] }

func (f *fixed[S, E, C]) Frame(int64) *renderloop.View[S] {
	if f.view.Tick >= f.config.Last {
		return f.newest(0)
	}
	f.sim.BeginFrame()
	f.step(f.dt)
	f.sim.EndFrame()
	return f.newest(1)
}

// variable steps once a frame by what the frame took: smooth, never the same
// twice, and stiff springs explode when a frame is late.
type variable[S, E, C any] struct{ stage[S, E, C] }

func (v *variable[S, E, C]) Frame(ns int64) *renderloop.View[S] {
	if ns <= 0 || v.view.Tick >= v.config.Last {
		return v.newest(0)
	}
	v.sim.BeginFrame()
	counted := min(ns, renderloop.DefaultClamp)
	v.dropped += float64(ns-counted) / 1e9
	v.step(float64(counted) / 1e9)
	v.sim.EndFrame()
	return v.newest(1)
}

// semiFixed cuts what the frame took into pieces of at most a step: stable, but
// the last piece is of another size every frame.
type semiFixed[S, E, C any] struct{ stage[S, E, C] }

func (s *semiFixed[S, E, C]) Frame(ns int64) *renderloop.View[S] {
	counted := min(max(ns, 0), renderloop.DefaultClamp)
	s.dropped += float64(max(ns, 0)-counted) / 1e9
	left := float64(counted) / 1e9
	n := 0
	for ; left > 0 && s.view.Tick < s.config.Last; n++ {
		if n == 0 {
			s.sim.BeginFrame()
		}
		dt := min(left, s.dt)
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

func (f *free[S, E, C]) Frame(ns int64) *renderloop.View[S] { return f.newest(f.run(ns)) }
