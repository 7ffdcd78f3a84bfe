package renderloop

import (
	"halfstep/buffer/body2d"
	"halfstep/internal/meter"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/present"
)

// Stats has the counters of a Loop since New.
type Stats struct {
	Frames uint64
	// Held is the number of frames that showed the newest state because physics was late.
	Held uint64
	// Backward is the number of frames that have shown an earlier instant than the frame before.
	// Without a fault of the loop it is 0.
	Backward uint64
	// Demanded is the last demanded tick.
	Demanded uint64
	// MaxBacklog is the greatest number of ticks that were demanded and not done at the same time.
	MaxBacklog uint64
	// RealNanos is the sum of all frame times, in ns.
	RealNanos int64
	// Lag is the number of ticks by which the shown instant of Pipelined is behind the clock's
	// instant of the frame before.
	Lag float64
	// WaitNanos is the time for which the last frame has waited for its steps, in ns. In Lockstep
	// on a simulated clock it is 0.
	WaitNanos int64
	// Missed is the number of frames of RunAhead that stopped waiting for their steps after
	// Config.WaitBudget.
	Missed uint64
	// Start has the times from which the last Delay was computed.
	Start present.Start
	// DroppedEvents is the number of unread events that were dropped; see MaxPendingEvents.
	DroppedEvents uint64
}

// MaxPendingEvents is the greatest number of unread events from earlier frames. If there are more,
// a frame drops the oldest events, so that a program that never reads events does not fill the
// memory. A program that reads all events in each frame loses no event.
const MaxPendingEvents = 1 << 15

// Stats returns the counters.
func (l *Loop[S, E, C]) Stats() Stats {
	s := l.stats
	s.Demanded = l.clock.Demand()
	return s
}

// motion measures how evenly the shown instant moves.
type motion struct {
	meter meter.Meter

	shown clock.Instant // the instant that the last frame has shown
	epoch uint32        // View.Epoch in the last frame
	scale float64       // the clock's time scale in the last frame
	unit  float64       // Loop.unit in the last frame, in s
	input int64         // the time of the input that the next frame's commands answer, in ns after the first frame's start
	due   bool          // true if input was set and not used yet

	waiting [32]answer // the inputs whose commands have not changed an acquired state yet; only in RunAhead
	waits   int        // the number of elements of waiting that are set
}

// answer is the time of an input, and the number of the posted frame with the commands that
// answer it.
type answer struct {
	at    int64 // ns
	frame uint64
}

// Motion returns the animation error and the input latency of the last seconds. Without reports to
// Presented, both are estimates from frame times.
func (l *Loop[S, E, C]) Motion() present.Figures { return l.motion.meter.Figures() }

// Input says that the commands of the next frame answer an input event. The parameter at is the
// time of the event, in nanoseconds after the first frame's start. Motion then measures the time
// from the event until the effect of the commands is seen.
func (l *Loop[S, E, C]) Input(at int64) { l.motion.input, l.motion.due = at, true }

// entered gives the meter the input that this frame's commands answer. The parameter commands is
// true if the frame has commands, which are applied after the tick given as after.
func (l *Loop[S, E, C]) entered(commands bool, after uint64) {
	m := &l.motion
	switch {
	case !m.due || !commands:
	case !l.lead.on:
		m.meter.Input(m.input, after)
	case m.waits < len(m.waiting):
		// The picture is already beyond that tick. So the input counts as answered when the first
		// state with the commands is seen.
		m.waiting[m.waits] = answer{m.input, l.physics.posted() + 1}
		m.waits++
	}
	m.due = false
}

// measure gives the meter the advance of the shown instant in this frame.
func (l *Loop[S, E, C]) measure() {
	m := &l.motion
	perTick, scale := l.nanosPerTick(), l.clock.Scale()
	at := l.shown.at
	if l.view.Smoothing == body2d.Newest {
		at = clock.Instant{Tick: l.view.Tick + 1}
	}
	advance := in(m.shown.Tick, at) - m.shown.Part
	if !l.clock.Alike() {
		advance = l.clock.Between(m.shown, at) / l.unit
	}
	// before the first step the picture stands still
	moving := m.shown != start
	// If whole is false, the advance need not be the frame time, so the frame is not measured.
	whole := moving && perTick > 0 && scale == m.scale && l.unit == m.unit && l.view.Epoch == m.epoch && !l.stepped && !l.rested && !l.clock.Ended()
	m.meter.Frame(l.stats.Frames, l.stats.RealNanos, float64(at.Tick-1)+at.Part, advance*perTick, whole)
	for m.waits > 0 && m.waiting[0].frame <= l.link.Exchange.Current().Frames {
		m.meter.Answered(m.waiting[0].at)
		m.waits = copy(m.waiting[:], m.waiting[1:m.waits])
	}
	m.shown, m.epoch, m.scale, m.unit = at, l.view.Epoch, scale, l.unit
}
