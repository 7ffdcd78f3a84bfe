package history

import (
	"cmp"
	"slices"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/lane"
	"halfstep/internal/monotime"
	"halfstep/internal/shifted"
	"halfstep/internal/within"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// Log carries out entries on a world, and hands each entry to its keepers. An Entry is one call
// that the loop makes to the world: a frame begins or ends, a command is applied, a step is
// done, or the run went back. A Rewinder, a Predictor and a Player each embed or drive a Log. It
// belongs to the physics goroutine, unless a method says otherwise.
type Log struct {
	*world.Simulation
	where
	o       Options
	frame   Entry         // the Begin of the last frame: its Carry/Whole is the part of a step left in the clock
	length  float64       // s, of the steps of the last frame
	failing float64       // s, of the step that is being done, or 0
	took    time.Duration // what the last step took to compute

	keepers []keeper
	kept    Entry // scratch of keep
	ticks   ticks // the last ticks, of a Rewinder and a Predictor

	numbered *Kept               // what commands keep under numbers
	adopted  map[*moment]*moment // by what other runs keep
	events   router              // decides where the world's events go
	shown    broadcaster         // hands on the states that are shown
	shifts   []shifted.Body      // for Shifts, beside those of the world: from a recording of states, or of ticks that a rollback ran again
	blend    blend               // moves shown bodies smoothly after a correction
}

// keeper keeps the entries of a Log: a recording, the black box, or a feed that is watched.
type keeper interface {
	begin(l *Log)               // a frame begins
	wantsHash(tick uint64) bool // whether it wants the world's hash after the step to that tick
	keep(l *Log, e *Entry)      // an entry was carried out; the keeper may not hold on to it
	closure()                   // a function without a name changed the world, which no entry can keep
	leave()                     // the world is at another tick, without an entry that leads there
	ended() bool                // whether it keeps nothing more
}

// Options say what a Log is for.
type Options struct {
	Rate clock.Rate // steps per second, at first
	Box  *Box       // or nil
	Lane *lane.Lane // records the phases of steps; or nil
	// EventsAtOnce has the events of predicted steps told with the prediction.
	EventsAtOnce bool
	// Blend is how long the picture takes to follow a correction, in s.
	Blend float64
	// Start is the state to begin with; without a Snapshot the world is as it is.
	Start Saved
	// Feeds are those that are told of the run.
	Feeds []*Feed
}

var inside = within.World

// New takes a world that has been set up.
func New(w *world.Simulation, o Options) (*Log, error) {
	l := &Log{Simulation: w, o: o, blend: blend{cutAt: noCut}}
	if o.Box != nil {
		l.keepers = append(l.keepers, o.Box)
	}
	if s := o.Start; s.Snapshot != nil {
		if err := inside.Resume(w, s.Snapshot); err != nil {
			return nil, err
		}
		l.numbered = s.Kept
		l.reach(inside.Tick(s.Snapshot), 0)
	}
	return l, nil
}

// Tick is the number of steps done.
func (l *Log) Tick() uint64 { return l.tick }

// Failing is the length of the step that is being done, in s, or 0. On the physics
// goroutine, after a failure, it is the length of the step that failed.
func (l *Log) Failing() float64 { return l.failing }

// Lasted is the length of the step to the due tick, in s, for the loop: a replay does not do
// steps of the length that the loop asks for.
func (l *Log) Lasted() float64 { return l.dt }

// close frees memory that a closed engine does not need: the kept ticks, and the events that the
// router holds back.
func (l *Log) close() {
	l.events.aside.End()
	k := &l.ticks
	k.list, k.spare, k.free, k.last = nil, nil, nil, nil
}

// ObserveFrame notes the frame that begins next, before the loop calls BeginFrame.
func (l *Log) ObserveFrame(f *buffer.Frame) {
	l.frame.Carry, l.frame.Whole, l.frame.Still, l.length = f.Remainder.Units, f.Remainder.Step, f.Still, f.Dt
}

// rate is the rate of the last frame's steps, or Options.Rate before the first frame.
func (l *Log) rate() clock.Rate {
	if r, err := clock.RateOf(1 / cmp.Or(l.length, l.dt)); err == nil {
		return r
	}
	return l.o.Rate
}

// must panics with an error: the loop makes a Failure of it.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// keeps reports whether there are keepers. They need the world at the tick of each entry.
func (l *Log) keeps() bool { return len(l.keepers) > 0 }

// keepDue does nothing: a Log keeps no ticks to go back to.
func (l *Log) keepDue() {}

// do carries out an entry, and hands it to the keepers.
func (l *Log) do(e *Entry) {
	switch e.Kind {
	case Begin:
		l.frame = *e
		l.keepers = slices.DeleteFunc(l.keepers, keeper.ended)
		for _, k := range l.keepers {
			k.begin(l)
		}
		l.keep(e)
		inside.BeginFrame(l.Simulation, e.Still)
	case Apply:
		if inside.IsClosure(e.Command) {
			for _, k := range l.keepers {
				k.closure()
			}
		} else {
			l.keep(e)
		}
		l.apply(e)
	case Step:
		l.failing = e.Dt
		began := monotime.Now()
		if e.Rewinds != steps {
			l.stepBack(e)
			if l.ticks.rolls() {
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
		// A recording lacks the entries of ticks from which a run went back, so the world is
		// at this tick already. Handles given out in these ticks are not given out again.
		inside.SkipHandles(l.Simulation, e.Made)
		l.keep(e)
	}
}

// keep hands an entry to the keepers, a step with the hash of the world after it.
func (l *Log) keep(e *Entry) {
	if len(l.keepers) == 0 {
		return
	}
	l.kept = e.kept()
	l.kept.Hash, l.kept.Values = 0, nil // in a replay they come from the recorded run
	if e.Kind == Step && slices.ContainsFunc(l.keepers, func(k keeper) bool { return k.wantsHash(e.Tick) }) {
		l.kept.Hash = l.World().StateHash()
	}
	for _, k := range l.keepers {
		k.keep(l, &l.kept)
	}
}

// wentBack tells the keepers that a rollback has taken the world back to a tick.
func (l *Log) wentBack(tick uint64) {
	l.reach(tick, l.dt)
	l.keep(&Entry{Kind: Back, Tick: tick, Made: inside.HandlesMade(l.Simulation)})
}

// left tells the keepers that the world went to another tick without entries, by a seek. The
// broadcaster then begins anew with all states, not with changes.
func (l *Log) left() {
	for _, k := range l.keepers {
		k.leave()
	}
	l.shown.follows = false
}

// start is the Start of a segment that begins now, with s as its snapshot, which the caller takes.
func (l *Log) start(s *world.Snapshot) Start {
	return Start{Tick: l.tick, Carry: l.frame.Carry, Whole: l.frame.Whole, saved: Saved{s, l.numbered}}
}

// The orders, which commands carry (within.World.NewOrder) and which are carried out between
// entries. No recording has them. A Rewinder handles GoBack and SetRewind, a Player Seek and Grow, before
// they come to Log.order, which handles the recordings.
type (
	// GoBack is a rollback.
	GoBack struct {
		To       uint64                            // tick
		Commands []buffer.Scheduled[world.Command] // they replace those of the same tick and source
		Blend    float64                           // s, that the picture takes to follow
	}
	// Seek takes a Player to the tick before another one, which the loop then steps to.
	Seek struct{ Tick uint64 }
	// Grow gives a Player the newest version of the file that it plays.
	Grow struct{ *File }
	// StartRecording begins a recording at this place among the commands.
	StartRecording struct{ *Writer }
	// EndRecording ends it.
	EndRecording struct{ *Writer }
	// SetRewind begins or ends a rewind: ticks that show earlier states.
	SetRewind struct{ On bool }
	// Republish makes the loop publish the world again, as it does after every command.
	Republish struct{}
)

// order carries out a command that is no entry: an order, or a question to the world. Republish
// needs no case, as the loop publishes after every command.
func (l *Log) order(c *world.Command) {
	switch o := inside.Order(c).(type) {
	case nil: // a question
		l.Simulation.Apply(l.tick, c, false)
	case StartRecording:
		l.startRecording(o.Writer)
	case EndRecording:
		l.EndRecording(o.Writer, true)
	}
	l.events.settle(0) // no step has become due
}

// Shifts returns a function that applies the shifts since the last call to earlier states, or nil.
// The loop publishes these again. A shift (World.Shift) moves a body together with its shown past.
func (l *Log) Shifts() func(earlier []body2d.State) {
	shifts := append(l.shifts, inside.Shifts(l.Simulation)...)
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
	for i := range l.blend.seen { // the shift is not to be blended out
		move(l.blend.seen[i].states)
	}
	return move
}

// Capture writes the states to be shown.
func (l *Log) Capture(dst []body2d.State) []body2d.State { return l.show(l.Simulation.Capture(dst)) }

// CaptureChanged is Capture for the bodies that have changed.
func (l *Log) CaptureChanged(to *buffer.Slot[body2d.State]) {
	if l.blend.moves(l.at) {
		to.States = l.Capture(to.States[:0])
		return
	}
	l.Simulation.CaptureChanged(to)
	l.show(to.States)
}

// show moves captured bodies to where they are shown, which is elsewhere while the picture follows
// a correction, and gives the states to the broadcaster.
func (l *Log) show(states []body2d.State) []body2d.State {
	if l.blend.follows { // predictions are shown, and their corrections blended
		l.blend.follow(l, states)
	} else {
		l.blend.show(l.at, states)
	}
	l.tellShown(states)
	return states
}
