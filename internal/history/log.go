package history

import (
	"cmp"
	"slices"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/monotime"
	"halfstep/internal/phasetrace"
	"halfstep/internal/privateapi"
	"halfstep/internal/shifted"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// Log carries out entries on a world, and passes each entry to its sinks. A RollbackLog, a Predictor
// and a Player each contain a Log. Only the physics goroutine may call methods of a Log, unless a
// method says otherwise.
type Log struct {
	*world.Simulation
	where
	o       Options
	frame   Entry         // Begin of the last frame; Units/StepUnits of a step is left in the clock
	length  float64       // length of the steps of the last frame, in s
	failing float64       // length of the step in progress, in s, or 0
	took    time.Duration // cost of the last step

	sinks []sink
	kept  Entry // scratch memory of keep
	ticks ticks // ticks are the last ticks. A RollbackLog and a Predictor use them.

	numbered *Kept                           // the snapshots that commands have kept
	adopted  map[*keptSnapshot]*keptSnapshot // this run's copy of each snapshot of another run
	events   router                          // decides where the world's events go
	shown    broadcaster                     // passes the shown states on
	shifts   []shifted.Body                  // results of Shifts besides the world's own shifts: from a recording of states, and from ticks that a rollback ran again
	blend    blend                           // moves shown bodies smoothly after a correction
}

// sink keeps the entries of a Log. A recording, the black box and a watched feed are sinks.
type sink interface {
	begin(l *Log)               // a frame begins
	wantsHash(tick uint64) bool // reports whether the sink wants the world's hash after the step to a tick
	keep(l *Log, e *Entry)      // called when an entry has been carried out; the sink must not keep the pointer
	closure()                   // called when a function without a name has changed the world, which no entry can record
	leave()                     // called when the world is at another tick, and no entry leads there
	ended() bool                // reports whether the sink keeps nothing more
}

// Options configure a Log.
type Options struct {
	Rate   clock.Rate           // Rate is the number of steps per second at the beginning.
	Box    *Box                 // may be nil
	Phases *phasetrace.Recorder // Recorder records the phases of steps. It may be nil.
	// EventsAtOnce delivers the events of predicted steps with the prediction.
	EventsAtOnce bool
	// Blend is how long the picture takes to follow a correction, in s.
	Blend float64
	// Start is the state with which the run begins. If it has no Snapshot, the run begins with the present world.
	Start Saved
	// Feeds are the feeds of the run.
	Feeds []*Feed
}

var private = privateapi.World

// New returns a Log for a world that has been set up.
func New(w *world.Simulation, o Options) (*Log, error) {
	l := &Log{Simulation: w, o: o, blend: blend{jumpAt: noJump}}
	private.Number(w, l.keepNumbered, l.restoreNumbered)
	if o.Box != nil {
		l.sinks = append(l.sinks, o.Box)
	}
	if s := o.Start; s.Snapshot != nil {
		if err := private.Resume(w, s.Snapshot); err != nil {
			return nil, err
		}
		l.numbered = s.Kept
		l.reach(private.Tick(s.Snapshot), 0)
	}
	return l, nil
}

// Tick returns the number of steps done.
func (l *Log) Tick() uint64 { return l.tick }

// Failing returns the length of the step in progress, in s, or 0. After a failure it returns the length of the
// step that failed; then only the physics goroutine may call it.
func (l *Log) Failing() float64 { return l.failing }

// Lasted returns the length of the step to the due tick, in s. The loop asks for it, because a replay chooses the
// lengths of its steps.
func (l *Log) Lasted() float64 { return l.dt }

// close frees memory that a closed engine does not need.
func (l *Log) close() {
	l.events.deferred.End()
	k := &l.ticks
	k.list, k.spare, k.free, k.last = nil, nil, nil, nil
}

// ObserveFrame records the next frame. The loop calls it before BeginFrame.
func (l *Log) ObserveFrame(f *buffer.Frame) {
	l.frame.Units, l.frame.StepUnits, l.frame.Still, l.length = f.Remainder.Units, f.Remainder.Step, f.Still, f.Dt
}

// rate returns the rate of the last frame's steps, or Options.Rate before the first frame.
func (l *Log) rate() clock.Rate {
	if r, err := clock.RateOf(1 / cmp.Or(l.length, l.dt)); err == nil {
		return r
	}
	return l.o.Rate
}

// must panics with an error. The loop turns the panic into a Failure.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// needsEachTick reports whether there are sinks, which need the world at the tick of each entry.
func (l *Log) needsEachTick() bool { return len(l.sinks) > 0 }

// keepDue does nothing, because a Log keeps no ticks for rollbacks.
func (l *Log) keepDue() {}

// do carries out an entry, and passes it to the sinks.
func (l *Log) do(e *Entry) {
	switch e.Kind {
	case Begin:
		l.frame = *e
		l.sinks = slices.DeleteFunc(l.sinks, sink.ended)
		for _, k := range l.sinks {
			k.begin(l)
		}
		l.keep(e)
		private.BeginFrame(l.Simulation, e.Still)
	case Apply:
		if private.IsClosure(e.Command) {
			for _, k := range l.sinks {
				k.closure()
			}
		} else {
			l.keep(e)
		}
		l.Simulation.Apply(e.Tick, e.Command, e.Scheduled)
	case Step:
		l.failing = e.Dt
		began := monotime.Now()
		if e.Rewinds != steps {
			l.stepBack(e)
			if l.ticks.canRollBack() {
				l.showState(e)
			}
		} else {
			l.Simulation.Step(e.Tick, e.Dt)
		}
		l.took = monotime.Since(began)
		l.failing = 0
		l.reach(e.Tick, e.Dt)
		l.rewound = e.Rewinds
		l.keep(e)
	case End:
		l.keep(e)
		l.Simulation.EndFrame()
	case Back:
		// A recording does not have the entries that a rollback has replaced, so the world is already at this tick.
		// The handles of those entries must be skipped.
		private.SkipHandles(l.Simulation, e.Handles)
		l.keep(e)
	}
}

// keep passes an entry to the sinks. To a step it adds the hash of the world.
func (l *Log) keep(e *Entry) {
	if len(l.sinks) == 0 {
		return
	}
	l.kept = e.kept()
	l.kept.Hash, l.kept.Values = 0, nil // in a replay, these values come from the recorded run
	if e.Kind == Step && slices.ContainsFunc(l.sinks, func(k sink) bool { return k.wantsHash(e.Tick) }) {
		l.kept.Hash = l.World().StateHash()
	}
	for _, k := range l.sinks {
		k.keep(l, &l.kept)
	}
}

// left tells the sinks that a seek has moved the world to another tick without entries. The broadcaster must then
// send all states.
func (l *Log) left() {
	for _, k := range l.sinks {
		k.leave()
	}
	l.shown.follows = false
}

// start returns the Start of a segment that begins now. The snapshot s belongs to it, and the caller must take it.
func (l *Log) start(s *world.Snapshot) Start {
	return Start{Tick: l.tick, Units: l.frame.Units, StepUnits: l.frame.StepUnits, saved: Saved{s, l.numbered}}
}

// An order is carried out between two entries. It is part of a command (see privateapi.World.NewOrder), and
// recordings do not contain it. A Predictor handles Rollback, a Player handles Seek and Grow, and Log.order handles
// all other orders.
type (
	// Rollback goes back to a tick, and then forward again to the present tick.
	Rollback struct {
		To       uint64                            // the tick to go back to
		Commands []buffer.Scheduled[world.Command] // replace commands of the same tick and source
		Blend    float64                           // how long the picture takes to follow, in s
	}
	// Seek moves a Player to the tick before Tick. The loop then steps to Tick.
	Seek struct{ Tick uint64 }
	// Grow gives a Player the newest version of the file that it plays.
	Grow struct{ *File }
	// StartRecording begins a recording. The recording begins after the commands that were sent earlier.
	StartRecording struct{ *Writer }
	// EndRecording ends a recording.
	EndRecording struct{ *Writer }
	// SetRewind begins or ends a rewind, in which ticks show earlier states.
	SetRewind struct{ On bool }
	// Republish makes the loop publish the world again. The loop does this after every command.
	Republish struct{}
)

// order carries out an order, or answers a question to the world. Republish needs no case in the switch, because
// the loop publishes after every command.
func (l *Log) order(c *world.Command) {
	switch o := private.Order(c).(type) {
	case nil: // the command is a question
		l.Simulation.Apply(l.tick, c, false)
	case StartRecording:
		l.startRecording(o.Writer)
	case EndRecording:
		l.EndRecording(o.Writer, true)
	case SetRewind:
		l.ticks.rewinding.on = o.On
	}
	l.events.settle(0) // no step has become due
}

// Shifts returns a function that applies the new shifts to earlier states. It returns nil if there are none since
// the last call. The loop then publishes these states again. A shift (World.Shift) moves a body together with its
// shown past.
func (l *Log) Shifts() func(earlier []body2d.State) {
	shifts := append(l.shifts, private.Shifts(l.Simulation)...)
	l.shifts = nil
	if len(shifts) == 0 {
		return nil
	}
	l.shown.shifts = append(l.shown.shifts, shifts...)
	move := func(earlier []body2d.State) {
		for i := range shifts {
			shifts[i].Apply(earlier)
		}
	}
	for i := range l.blend.seen { // the blend must not undo the shift
		move(l.blend.seen[i].states)
	}
	return move
}

// Capture writes the states that are to be shown.
func (l *Log) Capture(dst []body2d.State) []body2d.State { return l.show(l.Simulation.Capture(dst)) }

// CaptureChanged writes the states of the bodies that have changed.
func (l *Log) CaptureChanged(to *buffer.Slot[body2d.State]) {
	if l.blend.moves(l.at) {
		to.States = l.Capture(to.States[:0])
		return
	}
	l.Simulation.CaptureChanged(to)
	l.show(to.States)
}

// show moves captured bodies to the positions at which they are shown. These differ from the real positions while
// the picture follows a correction. The function also gives the states to the broadcaster.
func (l *Log) show(states []body2d.State) []body2d.State {
	if l.blend.follows { // the loop shows predictions, and their corrections are blended
		l.blend.follow(l, states)
	} else {
		l.blend.show(l.at, states)
	}
	l.broadcastShown(states)
	return states
}
