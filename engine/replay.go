package engine

import (
	"fmt"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/monotime"
	"halfstep/physicsloop"
	"halfstep/world"
)

// Mismatch is the error of a replay that differs from its recording.
type Mismatch struct {
	Tick uint64 // the first tick at which the worlds differ
	// Body and Name are the first body that differs, Value says which of its
	// values does, and Got is that value in the replay. Body is 0 if the number
	// of bodies differs (Got is that number), or if only the hashes differ.
	Body  world.Body
	Name  string
	Value string
	Got   float64 // m, rad, m/s or rad/s

	Recorded, Replayed uint64 // hashes of the world
}

// Error returns a sentence with the tick, the hashes and what differs first.
func (m *Mismatch) Error() string {
	where := "the bodies are still alike, what they will do next is not"
	switch {
	case m.Value == "bodies":
		where = fmt.Sprintf("there are %v bodies now, another number than then", m.Got)
	case m.Body != 0:
		who := m.Body.String()
		if m.Name != "" {
			who += fmt.Sprintf(" (%q)", m.Name)
		}
		where = fmt.Sprintf("the first is %s, whose %s is now %v", who, m.Value, m.Got)
	}
	return fmt.Sprintf("replay: tick %d differs from the recording (hash %016x, recorded %016x): %s",
		m.Tick, m.Replayed, m.Recorded, where)
}

// replayer stands between the loop and the world and makes the calls of a
// recording in place of the loop's. It can go to any tick of it.
type replayer struct {
	*world.Simulation
	to        *recorder // of the world, which may have a black box
	recording *Recording

	next    int    // op
	tick    uint64 // steps done
	checked uint64 // up to this tick nothing differed
	keys    *keyframes

	out    *physicsloop.Outbox[world.Event] // nil without a loop
	own    physicsloop.Outbox[world.Event]  // the world's
	unread outbox                           // what nobody is to read

	wanted *uint64 // tick of a seek
	jumped bool
}

var (
	_ physicsloop.Simulation[body2d.State, world.Event, world.Command] = (*replayer)(nil)
	_ physicsloop.Jumper                                               = (*replayer)(nil)
)

// newReplayer takes the world, which setup has built, to where the recording
// begins. memory is that of Config.SeekMemory.
func newReplayer(rec *Recording, to *recorder, memory int64) (*replayer, error) {
	r := &replayer{
		Simulation: to.Simulation, to: to, recording: rec, unread: newOutbox(),
		tick: rec.First, checked: rec.First,
	}
	if err := rec.start.load(to.Simulation); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	to.ticks = rec.First
	if h := rec.header.hash(r.World()); h != rec.header.Hash && !(rec.header.Hash == 0 && rec.start.State != nil) {
		return nil, fmt.Errorf("replay: the scene is not the one recorded (hash %016x, recorded %016x)", h, rec.header.Hash)
	}
	r.keys = newKeyframes(rec.First, memory)
	r.keys.add(r)
	return r, nil
}

func (r *replayer) Start(out *physicsloop.Outbox[world.Event]) {
	r.out, r.own = out, *out
	r.to.Start(&r.own)
}

func (r *replayer) BeginFrame() {}
func (r *replayer) EndFrame()   {}

// Apply lets through only what looks.
func (r *replayer) Apply(tick uint64, c *world.Command, scheduled bool) {
	if !c.OnlyReads() {
		return
	}
	if tick == r.recording.Ticks {
		r.finish()
	}
	r.Simulation.Apply(tick, c, scheduled)
	if r.wanted != nil {
		to := *r.wanted
		r.wanted = nil
		r.quietly(func() error { return r.goTo(to) })
		r.jumped = true
	}
}

// Jumped is of physicsloop.Jumper.
func (r *replayer) Jumped() (tick uint64, ok bool) {
	ok = r.jumped
	r.jumped = false
	return r.tick, ok
}

// quietly lets f step without events. It panics with its error.
func (r *replayer) quietly(f func() error) {
	r.own.Events = r.unread.Events
	defer func() { r.own.Events = r.out.Events }()
	if err := f(); err != nil {
		panic(err)
	}
}

// Step makes the recorded calls up to and including the step to the tick, and
// panics with a *Mismatch if the world is another afterwards: the loop turns
// that into a Failure.
func (r *replayer) Step(tick uint64, _ float64) {
	if r.tick != tick-1 {
		panic(fmt.Errorf("replay: the recording is at tick %d before tick %d", r.tick, tick))
	}
	if err := r.step(true); err != nil {
		panic(err)
	}
}

// step makes the calls up to and including the next step. A step that did not
// differ before is compared again only on request.
func (r *replayer) step(compare bool) error {
	ops := r.recording.ops
	began := monotime.Now()
	for r.next < len(ops) {
		if r.betweenFrames() {
			r.keys.add(r)
			began = monotime.Now()
		}
		op := &ops[r.next]
		r.next++
		r.call(op)
		if op.Kind != opStep {
			continue
		}
		r.tick = op.Tick
		r.keys.spent(op.Tick, monotime.Since(began))
		r.unread.clear()
		if !compare && r.tick <= r.checked {
			return nil
		}
		return r.compare(op)
	}
	return fmt.Errorf("replay: the recording ends before tick %d", r.tick+1)
}

func (r *replayer) call(op *recordOp) {
	switch op.Kind {
	case opBegin:
		r.to.ObserveFrame(&buffer.Frame{Carry: op.Carry, Step: op.Whole})
		r.to.BeginFrame()
	case opApply:
		r.to.Apply(op.Tick, op.Command, op.Scheduled)
	case opStep:
		r.to.Step(op.Tick, op.Dt)
	case opEnd:
		r.to.EndFrame()
	case opBack:
		r.to.skipHandles(op.Made)
	}
}

// compare compares the world with what was recorded of it.
func (r *replayer) compare(op *recordOp) error {
	hash := op.Hash
	if hash != 0 {
		hash = r.recording.header.hash(r.World())
	}
	if hash == op.Hash {
		r.checked = max(r.checked, r.tick)
		return nil
	}
	m := &Mismatch{Tick: op.Tick, Recorded: op.Hash, Replayed: hash}
	if len(op.Values) > 0 {
		m.Body, m.Name, m.Value, m.Got = r.FirstDifference(op.Values)
	}
	if r.tick <= r.checked {
		return fmt.Errorf("%w; it did not before: code that keeps a state must be a world.Stateful to go back with the world", m)
	}
	return m
}

// finish makes the calls that follow the last step.
func (r *replayer) finish() {
	for ; r.next < len(r.recording.ops); r.next++ {
		r.call(&r.recording.ops[r.next])
	}
}

// goTo takes the world to a tick of the recording: back or on to the nearest
// keyframe, and forward from there.
func (r *replayer) goTo(tick uint64) error {
	k := r.keys.nearest(tick)
	if k != nil && (tick < r.tick || k.tick > r.tick) {
		state, err := k.snapshot()
		if err == nil {
			err = r.Rerun(state)
		}
		if err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		r.tick, r.next = k.tick, k.next
		r.to.jump(k.tick)
	}
	if tick < r.tick {
		return fmt.Errorf("replay: it cannot go back to tick %d: %w", tick, r.keys.err)
	}
	for r.tick < tick {
		if err := r.step(r.tick+1 == tick); err != nil {
			return err
		}
	}
	return nil
}

// Verify replays the whole recording as fast as possible, without a clock or a
// picture. setup must build the scene as it was built for the recording. Verify
// returns the hash of the world at the end. The error is a *Mismatch if a tick
// differs, and a *buffer.Failure if a function that the recording calls panics.
func (r *Recording) Verify(setup func(*world.World) error) (hash uint64, err error) {
	p, err := r.Player(setup, PlayerOptions{Memory: -1})
	if err != nil {
		return 0, err
	}
	defer p.Close()
	err = p.Seek(r.Ticks)
	if err == nil {
		err = p.guard(func() error { p.replay.finish(); return nil })
	}
	return p.World().Hash(), err
}
