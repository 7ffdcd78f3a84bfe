package renderloop

import (
	"halfstep/buffer/body2d"
	"halfstep/renderloop/present"
)

// motion measures how evenly the shown instant moves.
type motion struct {
	meter present.Meter

	base  uint64 // the instant of the frame before, as Loop has it
	t     float64
	epoch uint32
	scale float64 // in that frame
	input int64   // when the input came that the next commands answer, ns
	due   bool    // whether there is one
}

// Motion returns the animation error and the input latency of the last seconds, as
// measured from the reports to Presented or, without any, inferred.
func (l *Loop[S, E, C]) Motion() present.Figures { return l.motion.meter.Figures() }

// Input says that the commands of the next frame answer an input event, which came at
// nanoseconds after the first frame's start. Motion measures when their effect is seen.
func (l *Loop[S, E, C]) Input(at int64) { l.motion.input, l.motion.due = at, true }

// entered tells the meter about this frame's commands, which follow a tick.
func (l *Loop[S, E, C]) entered(commands bool, after uint64) {
	if l.motion.due && commands {
		l.motion.meter.Input(l.motion.input, after)
	}
	l.motion.due = false
}

// measure enters the frame into the meter.
func (l *Loop[S, E, C]) measure() {
	m := &l.motion
	perTick, scale := l.nanosPerTick(), l.clock.Scale()
	base, t := l.base, l.t
	if l.view.Smoothing == body2d.Newest {
		base, t = l.view.Tick, 0
	}
	advance := float64(int64(base)-int64(m.base)) + t - m.t
	// Until the first step can be shown, the picture has nothing to move to.
	moving := m.base > 0 || m.t > 0
	whole := moving && perTick > 0 && scale == m.scale && l.view.Epoch == m.epoch && !l.stepped && !l.clock.Ended()
	m.meter.Frame(l.stats.Frames, l.stats.RealNanos, float64(base)+t, advance*perTick, whole)
	m.base, m.t, m.epoch, m.scale = base, t, l.view.Epoch, scale
}
