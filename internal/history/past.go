package history

import (
	"cmp"
	"errors"
	"fmt"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/lane"
	"halfstep/internal/monotime"
	"halfstep/internal/within"
	"halfstep/physicsloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// Past stands between the loop and the world. It belongs to the physics goroutine,
// unless a method says otherwise.
type Past struct {
	*world.Simulation
	o     Options
	tick  uint64
	dt    float64 // s, of the last step
	frame Entry   // the last Begin that was carried out
	next  float64 // s, of the steps of the last frame

	failing float64 // s, of the step that is being done, or 0

	writer  *Writer                  // of the recording under way, or nil
	first   uint64                   // tick that the recording can go back to
	outer   *buffer.Log[world.Event] // the loop's
	shower  shower
	puppet  *puppet                     // or nil
	shifts  []body2d.Shift              // of the puppet, or before ticks ran again
	out     *buffer.Outbox[world.Event] // the world's
	watched *Writer                     // of the feed, while it has watchers; or nil

	rollback *rollbackBuffer // or nil
	replay   *replay         // or nil
	ahead    ahead
	told     told
	blend    blend
	blends   bool // at the last capture, bodies were shown elsewhere than they are
}

// Options say what a Past is for.
type Options struct {
	Rate     clock.Rate // of steps, at first
	Box      *Box       // or nil
	Rollback RollbackOptions
	Lane     *lane.Lane // of steps, or nil
	Replay   *ReplayOptions
	// EventsAtOnce has the events of predicted steps told with the prediction.
	EventsAtOnce bool
	// Blend is how long the picture takes to follow a correction, in s.
	Blend float64
	// Start is the state to begin with, or nil.
	Start *world.Snapshot
	// Feeds are those that are told of the run.
	Feeds []*Feed
}

var inside = within.World

var (
	_ physicsloop.Simulation[body2d.State, world.Event, world.Command] = (*Past)(nil)
	_ physicsloop.FrameObserver                                        = (*Past)(nil)
	_ physicsloop.Shifter[body2d.State]                                = (*Past)(nil)
	_ physicsloop.Timed                                                = (*Past)(nil)
	_ physicsloop.Jumper                                               = (*Past)(nil)
	_ physicsloop.Visited                                              = (*Past)(nil)
	_ physicsloop.Predictor                                            = (*Past)(nil)
)

// New takes a world that has been set up. A replay takes it to where the recording
// begins. The error is that of the replay, or says that no snapshot can be taken of the
// world.
func New(w *world.Simulation, o Options) (p *Past, err error) {
	p = &Past{Simulation: w, o: o, blend: blend{cutAt: noCut}}
	if o.Start != nil {
		if err := inside.Resume(w, o.Start); err != nil {
			return nil, err
		}
		p.tick = inside.Tick(o.Start)
	}
	if o.Replay != nil {
		p.replay, err = newReplay(p, o.Replay)
	} else if o.Rollback.Ticks > 0 {
		p.rollback, err = newRollbackBuffer(p, o.Rollback)
	}
	return p, err
}

// Close ends the goroutines that help with keyframes.
func (p *Past) Close() {
	if p.replay != nil {
		p.replay.keys.finish(true)
	}
}

// Tick is the number of steps done.
func (p *Past) Tick() uint64 { return p.tick }

// Failing is the length of the step that is being done, in s, or 0. On the physics
// goroutine, after a failure, it is that of the step that failed.
func (p *Past) Failing() float64 { return p.failing }

// The orders that commands carry (within.World.NewOrder): what is to happen between two
// entries. No recording has them.
type (
	// GoBack is a rollback, see rollback.go.
	GoBack struct {
		To       uint64                            // tick
		Commands []buffer.Scheduled[world.Command] // in place of others, by tick and source
		Blend    float64                           // s
	}
	// Seek takes a replay to the tick before another one, which the loop then steps to.
	Seek struct{ Tick uint64 }
	// StartRecording begins a recording with what follows.
	StartRecording struct{ *Writer }
	// EndRecording ends it.
	EndRecording struct{ *Writer }
	// Republish has the world published again.
	Republish struct{}
)

// Start begins the run, as the loop does.
func (p *Past) Start(out *buffer.Outbox[world.Event]) {
	p.outer = out.Events
	if p.o.EventsAtOnce && p.Predicts() {
		out = p.told.start(out)
	}
	switch {
	case p.replay != nil:
		out = p.replay.start(out)
	case p.rollback != nil:
		out = p.ahead.start(p.rollback.start(out))
	default:
		out = p.ahead.start(out)
	}
	p.out = out
	p.Simulation.Start(out)
	if p.puppet != nil {
		p.announce(p.puppet.structure(), p.tick)
	}
}

// ObserveFrame notes the frame that begins next.
func (p *Past) ObserveFrame(f *buffer.Frame) {
	p.frame.Carry, p.frame.Whole = f.Remainder.Units, f.Remainder.Step
	p.next = f.Dt
	if f.Ahead > 0 {
		p.blend.stays = f.Needs
	} else if !p.ahead.on {
		p.blend.stays = 0
	}
}

// BeginFrame is of physicsloop.Simulation, as are the following.
func (p *Past) BeginFrame() {
	p.make(Entry{Kind: Begin, Tick: p.tick, Carry: p.frame.Carry, Whole: p.frame.Whole})
}

// EndFrame ends the frame's forces.
func (p *Past) EndFrame() { p.make(Entry{Kind: End, Tick: p.tick}) }

// Apply carries out a command or an order.
func (p *Past) Apply(tick uint64, c *world.Command, scheduled bool) {
	if !inside.OnlyReads(c) {
		p.make(Entry{Kind: Apply, Tick: p.tick, Scheduled: scheduled, Command: c})
		return
	}
	if p.replay != nil && tick == p.replay.Ticks {
		p.finish()
	}
	p.present()
	p.keepDue() // a step that was confirmed in this frame has not been
	switch o := inside.Order(c).(type) {
	case nil:
		p.Simulation.Apply(p.tick, c, scheduled)
		if p.rollback != nil {
			p.rollback.collect(p.rollback.last, true)
		}
	case *GoBack:
		p.ahead.forget()
		p.again(func() { p.goBack(o) })
	case Seek:
		p.seek(max(o.Tick, p.replay.First+1) - 1)
	case StartRecording:
		p.startRecording(o.Writer)
	case EndRecording:
		p.EndRecording(o.Writer, true)
	case Grow:
		p.grow(o.File)
	case Republish: // whoever has applied anything publishes
	}
	p.told.pass(0)
}

// Step does a step, in a replay the one that was recorded. If the world is another one
// afterwards it panics with an error.
func (p *Past) Step(tick uint64, dt float64) {
	if p.replay == nil {
		p.make(Entry{Kind: Step, Tick: tick, Dt: dt})
		return
	}
	if p.tick != tick-1 {
		panic(fmt.Errorf("replay: the recording is at tick %d before tick %d", p.tick, tick))
	}
	must(p.replayNext(true))
}

// Shifts is of physicsloop.Shifter.
func (p *Past) Shifts() func(earlier []body2d.State) {
	shifts := append(p.shifts, inside.Shifts(p.Simulation)...)
	if p.shifts = nil; len(shifts) == 0 {
		return nil
	}
	p.shower.shifts = append(p.shower.shifts, shifts...)
	move := func(earlier []body2d.State) {
		for i := range shifts {
			shifts[i].Apply(earlier)
		}
	}
	for i := range p.blend.seen { // what was shown, and is not to be blended out
		move(p.blend.seen[i].states)
	}
	return move
}

// again runs ticks again. What is shifted in them has been: the picture is not moved twice.
func (p *Past) again(run func()) {
	p.shifts = append(p.shifts, inside.Shifts(p.Simulation)...)
	run()
	inside.Shifts(p.Simulation)
}

// Lasted is of physicsloop.Timed.
func (p *Past) Lasted() float64 { return p.dt }

// rate is the rate of steps now.
func (p *Past) rate() clock.Rate {
	if r, err := clock.RateOf(1 / cmp.Or(p.next, p.dt)); err == nil {
		return r
	}
	return p.o.Rate
}

// must panics with an error: the loop makes a Failure of it.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// make makes a call of the loop's. In a replay nobody does: the recording has calls of
// its own.
func (p *Past) make(e Entry) {
	if p.Predicts() {
		p.follow(&e)
	}
	if p.ahead.on {
		if !p.enter(&e) {
			return
		}
		defer p.entered(&e)
	}
	switch {
	case p.replay != nil:
	case p.rollback != nil:
		m := p.rollback.last
		m.add(e)
		p.do(&m.Entries[len(m.Entries)-1])
		p.rollback.collect(m, true)
	default:
		p.do(&e)
	}
	if step := uint64(0); e.Kind == Apply || e.Kind == Step {
		if e.Kind == Step {
			step = e.Tick
		}
		p.told.pass(step)
	}
}

// do carries out an entry, and hands it to those who keep it.
func (p *Past) do(e *Entry) {
	switch e.Kind {
	case Begin:
		p.frame = *e
		if p.writer != nil && p.writer.ended() {
			p.writer = nil
		}
		if p.watched != nil && p.watched.ended() {
			p.watched = nil
		}
		p.o.Box.begin(p)
		p.keep(e)
		p.Simulation.BeginFrame()
	case Apply:
		if e.shown != nil {
			p.showNext(e.shown, e.Tick)
			return
		}
		if inside.IsClosure(e.Command) {
			p.closure()
		} else {
			p.keep(e)
		}
		if p.replay != nil {
			p.replay.unknown = cmp.Or(inside.Unregistered(p.World(), e.Command), p.replay.unknown)
		}
		p.Simulation.Apply(e.Tick, e.Command, e.Scheduled)
	case Step:
		if e.shown != nil {
			p.showNext(e.shown, e.Tick)
			p.tick, p.dt = e.Tick, e.Dt
			return
		}
		p.failing = e.Dt
		began := monotime.Now()
		p.Simulation.Step(e.Tick, e.Dt)
		p.failing = 0
		if p.o.Box != nil {
			p.o.Box.took = monotime.Since(began)
		}
		p.tick, p.dt = e.Tick, e.Dt
		p.keep(e)
	case End:
		p.keep(e)
		p.Simulation.EndFrame()
	case Back:
		inside.SkipHandles(p.Simulation, e.Made)
		p.keep(e)
	}
}

// keep hands an entry to those who keep it, a step with what it led to.
func (p *Past) keep(e *Entry) {
	if p.writer == nil && p.o.Box == nil && p.watched == nil {
		return
	}
	kept := e.kept()
	if kept.Hash, kept.Values = 0, nil; e.Kind == Step && (p.writer != nil || p.watched != nil || p.o.Box.wantsHash(e.Tick)) {
		kept.Hash = p.World().StateHash()
	}
	p.o.Box.add(&kept)
	p.watched.add(&kept)
	if p.writer != nil && e.Kind == Step {
		kept.Values = inside.Fingerprint(p.Simulation, nil)
	}
	p.writer.add(&kept)
}

// closure deals with a change that cannot be kept.
func (p *Past) closure() {
	if p.writer != nil {
		p.writer.Fail(errors.New("record: a closure given to Do before the recording began cannot be recorded"))
	}
	p.breakWatch("a function given to Do has changed the world")
	p.o.Box.breakOff()
}

// wentBack keeps that the world is at a tick again.
func (p *Past) wentBack(tick uint64) {
	p.tick = tick
	back := Entry{Kind: Back, Tick: tick, Made: inside.HandlesMade(p.Simulation)}
	if p.writer != nil && tick < p.first {
		p.writer.Fail(errors.New("record: a rollback went back to before the recording began"))
	}
	p.writer.add(&back)
	p.watched.add(&back)
	p.o.Box.back(p, &back)
}

// start is the Start of a segment that begins now, with a snapshot to be taken.
func (p *Past) start(s *world.Snapshot) Start {
	return Start{Tick: p.tick, Carry: p.frame.Carry, Whole: p.frame.Whole, snapshot: s}
}

// startRecording begins a recording: where the world is now, or as far back as a
// rollback can go.
func (p *Past) startRecording(w *Writer) {
	if p.writer != nil || w.ended() {
		return
	}
	since := p.rollback.recordable()
	h := p.header(fromSnapshot, w.o.Scene, w.o.Data, since == nil) // at since it is not known any more
	h.States = w.o.States
	start := p.start(new(world.Snapshot))
	var err error
	if since != nil {
		start = since.Start
		err = start.encode() // now, because a rollback may restore the snapshot
	} else {
		err = inside.Snapshot(p.World(), start.snapshot)
	}
	if err != nil {
		w.End(recordError(err), nil)
		return
	}
	w.start(start.Tick, func() error { return encodeHead(&h, &start, w.put) })
	p.writer, p.first = w, p.tick+1
	if since != nil {
		p.first = since.Start.Tick
		p.copySince(since, w)
	}
}

// copySince gives a writer what followed a kept tick.
func (p *Past) copySince(since *keptTick, w *Writer) {
	for tick := since.Start.Tick; tick <= p.rollback.last.Start.Tick; tick++ { // p.tick may not be kept yet
		for _, e := range p.rollback.at(tick).Entries {
			w.add(new(e.kept()))
		}
	}
}

// Record begins a recording with the run: its head is written at once. The loop has not
// been started. A world that cannot be saved is left to the setup of who replays it.
func (p *Past) Record(w *Writer) error {
	begins, start := fromSnapshot, p.start(new(world.Snapshot))
	if w.o.FromSetup || inside.Snapshot(p.World(), start.snapshot) != nil {
		begins, start = fromSetup, Start{}
	}
	h := p.header(begins, w.o.Scene, w.o.Data, true)
	h.States = w.o.States
	if err := encodeHead(&h, &start, w.put); err != nil {
		return recordError(err)
	}
	w.start(p.tick, nil)
	p.writer = w
	return nil
}

// EndRecording ends a recording where it is, with an end unless the run was not clean:
// then it replays to its last whole tick. On the physics goroutine, or after its end.
func (p *Past) EndRecording(w *Writer, clean bool) {
	switch {
	case !w.Begun() && w.o.From <= p.tick:
		w.End(errors.New("record: the recording has not begun: it begins with the next frame"), nil)
	case !w.Begun():
		w.End(fmt.Errorf("record: the recording was to begin at tick %d; it ended at tick %d", w.o.From, p.tick), nil)
	case clean && p.writer == w:
		w.End(nil, &Ending{Ticks: p.tick, Hash: p.World().Hash()})
	default:
		w.End(nil, nil)
	}
	if p.writer == w {
		p.writer = nil
	}
}

// EndWatch ends feeds with the run, as EndRecording does a recording.
func (p *Past) EndWatch(clean bool, feeds ...*Feed) {
	if w := p.watched; w != nil && clean {
		w.End(nil, &Ending{Ticks: p.tick, Hash: p.World().Hash()})
	} else if w != nil {
		w.End(nil, nil)
	}
	p.watched = nil
	if w := p.shower.Writer; w != nil {
		w.End(nil, &Ending{Ticks: p.shower.tick})
	}
	p.shower = shower{}
	for _, f := range feeds {
		f.Shut()
	}
}

// Announce is of physicsloop.Announcer.
func (p *Past) Announce(to *buffer.Log[body2d.Structure]) {
	if p.puppet == nil {
		p.Simulation.Announce(to)
		return
	}
	for _, r := range p.puppet.structure() {
		r.Tick = p.tick
		to.Append(r)
	}
}

// Counts is of physicsloop.Simulation.
func (p *Past) Counts() body2d.Counts {
	if p.puppet != nil {
		return p.puppet.counts
	}
	return p.Simulation.Counts()
}

// Capture writes the states to be shown, and keeps the tick for rollback.
func (p *Past) Capture(dst []body2d.State) []body2d.State {
	dst = p.Simulation.Capture(dst)
	if p.puppet != nil {
		return append(dst[:0], p.puppet.states...)
	}
	if p.rollback != nil {
		dst = p.captured(dst)
	}
	if p.o.Blend > 0 && p.ahead.on {
		p.blend.follow(p, dst)
	} else {
		p.blend.show(p.shown(), dst)
	}
	p.tellShown(dst)
	return dst
}

// captured keeps a due tick, of which dst has the states.
func (p *Past) captured(dst []body2d.State) []body2d.State {
	if p.shown() != p.tick {
		return dst
	}
	if p.keepTick(); p.rollback.SyncTest > 0 {
		p.again(func() { dst = p.syncTest(dst) })
	}
	return dst
}

// CaptureChanged is Capture for what has changed: all while bodies are shown
// elsewhere than they are, and in the tick after it.
func (p *Past) CaptureChanged(to *buffer.Slot[body2d.State]) {
	was := p.blends
	p.blends = p.blend.shows(p.shown()) || p.o.Blend > 0 && p.ahead.on
	if was || p.blends || p.puppet != nil || p.rollback != nil && p.rollback.SyncTest > 0 {
		to.States = p.Capture(to.States[:0])
		return
	}
	p.Simulation.CaptureChanged(to)
	if p.rollback != nil {
		p.captured(nil)
	}
	p.tellShown(to.States)
}
