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
	// Held is the number of frames that were held at the newest state because physics was late.
	Held uint64
	// Backward is the number of frames that have shown an earlier instant than the frame
	// before. It is always 0.
	Backward uint64
	// Demanded is the number of demanded ticks.
	Demanded uint64
	// MaxBacklog is the greatest number of ticks that were demanded and not done at one time.
	MaxBacklog uint64
	// RealNanos is the sum of all frame times, ns.
	RealNanos int64
	// Lag is the present distance of the shown instant behind the clock, beyond the one frame
	// of Pipelined, ticks.
	Lag float64
	// WaitNanos is the time for which the last frame has waited for its steps, ns. In Lockstep
	// it is measured only on the wall clock.
	WaitNanos int64
	// Missed is the number of frames of RunAhead that gave up the wait for their steps.
	Missed uint64
	// Start is the plan of Delay for the newest frame.
	Start present.Start
	// DroppedEvents is the number of unread events that were dropped; see MaxPendingEvents.
	DroppedEvents uint64
}

// MaxPendingEvents is the greatest number of unread events from earlier frames. A frame
// drops the oldest events beyond that number, so that a program that never reads events
// does not fill the memory. A program that reads all events in every frame loses none.
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

	shown clock.Instant // the instant that the frame before has shown
	epoch uint32        // View.Epoch in the frame before; a seek changes it
	scale float64       // the clock's time scale in the frame before
	unit  float64       // Loop.unit in the frame before, s
	input int64         // the time of the input that the next commands answer, ns
	due   bool          // input was set and not used yet

	waiting [32]answer // inputs of RunAhead whose commands are not in the states yet
	waits   int        // number of them
}

// answer is the time of an input, and the number of the posted frame with the commands that
// answer it.
type answer struct {
	at    int64 // ns
	frame uint64
}

// Motion returns the animation error and the input latency of the last seconds. They are
// measured from the reports to Presented, or are estimated if there are no reports.
func (l *Loop[S, E, C]) Motion() present.Figures { return l.motion.meter.Figures() }

// Input says that the commands of the next frame answer an input event. The event came at a
// time in nanoseconds after the first frame's start. Motion measures the time until the
// effect of the commands is seen.
func (l *Loop[S, E, C]) Input(at int64) { l.motion.input, l.motion.due = at, true }

// entered gives the meter an input that this frame's commands answer. commands is true if
// there are any commands. The commands follow the tick after.
func (l *Loop[S, E, C]) entered(commands bool, after uint64) {
	m := &l.motion
	switch {
	case !m.due || !commands:
	case !l.lead.on:
		m.meter.Input(m.input, after)
	case m.waits < len(m.waiting):
		// The picture is already beyond the tick after. So the input counts as answered when the
		// first state with the commands is seen.
		m.waiting[m.waits] = answer{m.input, l.physics.posted() + 1}
		m.waits++
	}
	m.due = false
}

// measure gives the meter the distance by which the picture has moved in this frame.
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
	// the picture stands still until the first step can be shown
	moving := m.shown != start
	// If whole is false, the picture may have moved by another distance than that of a frame's
	// time, and its motion cannot be measured.
	whole := moving && perTick > 0 && scale == m.scale && l.unit == m.unit && l.view.Epoch == m.epoch && !l.stepped && !l.rested && !l.clock.Ended()
	m.meter.Frame(l.stats.Frames, l.stats.RealNanos, float64(at.Tick-1)+at.Part, advance*perTick, whole)
	for m.waits > 0 && m.waiting[0].frame <= l.link.Exchange.Current().Frames {
		m.meter.Answered(m.waiting[0].at)
		m.waits = copy(m.waiting[:], m.waiting[1:m.waits])
	}
	m.shown, m.epoch, m.scale, m.unit = at, l.view.Epoch, scale, l.unit
}
