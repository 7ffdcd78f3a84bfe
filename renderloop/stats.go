package renderloop

import (
	"halfstep/buffer/body2d"
	"halfstep/internal/meter"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/present"
)

// Stats are the counters of a Loop since New.
type Stats struct {
	Frames uint64
	// Held counts the frames that were held at the newest state because physics
	// was late.
	Held uint64
	// Backward counts the frames that showed an earlier instant than the frame
	// before. It is always 0.
	Backward uint64
	// Demanded is the number of ticks demanded.
	Demanded uint64
	// MaxBacklog is the largest number of ticks that were demanded and not done.
	MaxBacklog uint64
	// RealNanos is the sum of all frame times, ns.
	RealNanos int64
	// Lag is the present distance of the shown instant behind the clock, beyond
	// the one frame of Pipelined, in ticks.
	Lag float64
	// WaitNanos is the time for which the last frame waited for its steps, ns; in
	// Lockstep only on the wall clock.
	WaitNanos int64
	// Missed counts the frames of RunAhead that gave up waiting for their steps.
	Missed uint64
	// Start is the decision of Delay for the newest frame.
	Start present.Start
	// DroppedEvents counts the dropped events that were not read; see MaxPendingEvents.
	DroppedEvents uint64
}

// MaxPendingEvents is the number of unread events from earlier frames that are
// kept. A frame drops older events, so that a program that never reads events
// does not collect them for ever. A program that reads all events in every frame
// loses none.
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

	shown clock.Instant // the instant of the frame before
	epoch uint32        // View.Epoch in that frame; a seek changes it
	scale float64       // the clock's scale in that frame
	unit  float64       // Loop.unit in that frame, s
	input int64         // when the input came that the next commands answer, ns
	due   bool          // input has been set and not used yet

	waiting [32]answer // inputs of RunAhead whose commands the states do not contain yet
	waits   int        // number of them
}

// answer is the time of an input, and the number of the posted frame whose commands answer it.
type answer struct {
	at    int64 // ns
	frame uint64
}

// Motion returns the animation error and the input latency of the last seconds:
// measured from the reports to Presented or, without reports, inferred.
func (l *Loop[S, E, C]) Motion() present.Figures { return l.motion.meter.Figures() }

// Input says that the commands of the next frame answer an input event, which came at
// nanoseconds after the first frame's start. Motion measures the time until their
// effect is seen.
func (l *Loop[S, E, C]) Input(at int64) { l.motion.input, l.motion.due = at, true }

// entered gives the meter an input that this frame's commands answer. commands says whether
// there are any commands; they follow the tick after.
func (l *Loop[S, E, C]) entered(commands bool, after uint64) {
	m := &l.motion
	switch {
	case !m.due || !commands:
	case !l.lead.on:
		m.meter.Input(m.input, after)
	case m.waits < len(m.waiting):
		// The picture is beyond the tick after already, so the input counts as answered with
		// the first state that contains the commands.
		m.waiting[m.waits] = answer{m.input, l.physics.posted() + 1}
		m.waits++
	}
	m.due = false
}

// measure gives the meter the distance that the picture has moved in this frame.
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
	// until the first step can be shown, the picture stands still
	moving := m.shown != start
	// Otherwise the picture need not have moved by a frame's time, and its motion cannot be
	// measured.
	whole := moving && perTick > 0 && scale == m.scale && l.unit == m.unit && l.view.Epoch == m.epoch && !l.stepped && !l.rested && !l.clock.Ended()
	m.meter.Frame(l.stats.Frames, l.stats.RealNanos, float64(at.Tick-1)+at.Part, advance*perTick, whole)
	for m.waits > 0 && m.waiting[0].frame <= l.link.Exchange.Current().Frames {
		m.meter.Answered(m.waiting[0].at)
		m.waits = copy(m.waiting[:], m.waiting[1:m.waits])
	}
	m.shown, m.epoch, m.scale, m.unit = at, l.view.Epoch, scale, l.unit
}
