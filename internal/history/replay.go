package history

import (
	"errors"
	"fmt"
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/monotime"
	"halfstep/world"
)

// ReplayOptions say what to replay.
type ReplayOptions struct {
	*File
	// Memory is how many bytes keyframes may take; 0 means 64 MiB. Below 0 there are
	// none, and the replay only goes forward.
	Memory int64
	// From is the tick to begin at: there, or at the last keyframe of the File before it.
	From uint64
	// Differs makes an error of what differs from the recording.
	Differs func(Difference) error
}

// Difference is what differs from a recording: engine.Mismatch, which says more.
type Difference struct {
	Tick               uint64
	Body               world.Body
	Name               string
	Value              string
	Got                float64
	Recorded, Replayed uint64
	Unregistered       string
}

// replay carries out the entries of a recording in place of the loop's.
type replay struct {
	ReplayOptions
	next    int    // of Entries
	checked uint64 // up to this tick nothing differed
	unknown string // the last function that was called by a name that nobody registered
	keys    *keyframes

	out    *buffer.Outbox[world.Event] // nil without a loop
	own    buffer.Outbox[world.Event]  // the world's
	unread buffer.Outbox[world.Event]  // what nobody is to read
	jumped bool
}

// newReplay takes the world, which setup has built, to where the recording begins.
func newReplay(p *Past, o *ReplayOptions) (*replay, error) {
	r := &replay{ReplayOptions: *o, checked: o.First, unread: buffer.Outbox[world.Event]{
		Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[world.Event](),
	}}
	if was, is := o.Header.World.SoftSubSteps, worldConfig(p.Config()).SoftSubSteps; was != is {
		return nil, fmt.Errorf("replay: the recording was made with %s; the engine has %s", stepperOf(was), stepperOf(is))
	}
	r.keys = newKeyframes(o.File, o.Memory)
	if o.File.Shows() {
		if p.puppet, p.tick = newPuppet(), o.First; o.base != nil {
			p.puppet = o.base.clone()
		}
		for ; r.next < len(r.Entries) && r.Entries[r.next].Kind == Apply; r.next++ {
			p.puppet.show(r.Entries[r.next].shown)
		}
		r.keys.add(p, r)
		return r, nil
	}
	if k := r.keys.nearest(max(o.From, o.First)); k != nil {
		if err := p.restoreKeyframe(r, k); err != nil {
			return nil, err
		}
		return r, nil
	}
	if err := o.Start.load(p.Simulation); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	p.tick = o.First
	if h, was := p.World().StateHash(), o.Header.Hash; h != was && !(was == 0 && o.Start.given()) {
		return nil, fmt.Errorf("replay: the scene is not the one recorded (hash %016x, recorded %016x)", h, was)
	}
	r.keys.add(p, r)
	return r, nil
}

func (p *Past) restoreKeyframe(r *replay, k *keyframe) error {
	if r.keys.packing == k {
		r.keys.finish(true) // a snapshot that is being packed cannot be restored
	}
	state, err := k.snapshot()
	if err == nil {
		err = inside.Rerun(p.Simulation, state)
	}
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	if p.puppet != nil {
		p.turn(k.puppet, k.tick)
	}
	p.tick, r.next = k.tick, k.next
	return nil
}

func stepperOf(softSubSteps int) string {
	if softSubSteps > 0 {
		return fmt.Sprintf("%v and %d sub-steps", world.SoftStep, softSubSteps)
	}
	return fmt.Sprintf("%v or %v", world.FastStep, world.StockStep)
}

func (r *replay) start(out *buffer.Outbox[world.Event]) *buffer.Outbox[world.Event] {
	r.out, r.own = out, *out
	return &r.own
}

// StartAlone begins a replay without a loop, of which nobody reads.
func (p *Past) StartAlone() {
	p.replay.own = p.replay.unread
	p.Simulation.Start(&p.replay.own)
	p.replay.forget()
}

// forget drops the records that nobody is to read.
func (r *replay) forget() {
	r.unread.Structure.DropOldest(r.unread.Structure.Count(), 0)
	r.unread.Events.DropOldest(r.unread.Events.Count(), 0)
}

// Jumped is of physicsloop.Jumper.
func (p *Past) Jumped() (tick uint64, ok bool) {
	if p.replay == nil {
		return 0, false
	}
	ok, p.replay.jumped = p.replay.jumped, false
	return p.tick, ok
}

// seek goes to a tick and gives no events. It panics with its error.
func (p *Past) seek(tick uint64) {
	r := p.replay
	r.own.Events = r.unread.Events
	defer func() { r.own.Events = r.out.Events }()
	must(p.GoTo(tick))
	r.jumped = true
}

// replayNext carries out what was recorded up to and including the next step. A step
// that did not differ before is compared again only on request.
func (p *Past) replayNext(compare bool) error {
	r := p.replay
	began := monotime.Now()
	for r.next < len(r.Entries) {
		if r.betweenFrames() {
			r.keys.add(p, r)
			r.keys.addToWay(p, r)
			began = monotime.Now()
		}
		e := &r.Entries[r.next]
		r.next++
		if p.do(e); e.Kind != Step {
			continue
		}
		r.keys.spent(e.Tick, monotime.Since(began))
		r.forget()
		if !compare && p.tick <= r.checked {
			return nil
		}
		return p.compare(e)
	}
	return fmt.Errorf("replay: the recording ends before tick %d", p.tick+1)
}

func (r *replay) betweenFrames() bool {
	e, n := r.Entries, r.next
	return n == 0 || n < len(e) && e[n].Kind == Begin && endsFrame(e[:n])
}

func (p *Past) compare(e *Entry) error {
	r := p.replay
	hash := e.Hash
	if hash != 0 {
		hash = p.World().StateHash()
	}
	if hash == e.Hash {
		r.checked = max(r.checked, p.tick)
		return nil
	}
	d := Difference{Tick: e.Tick, Recorded: e.Hash, Replayed: hash, Unregistered: r.unknown}
	if len(e.Values) > 0 {
		d.Body, d.Name, d.Value, d.Got = inside.FirstDifference(p.Simulation, e.Values)
	}
	err := r.Differs(d)
	if p.tick <= r.checked {
		return fmt.Errorf("%w; it did not before: code that keeps a state must be a world.Stateful to go back with the world", err)
	}
	return err
}

// finish carries out what follows the last step, but for the one that failed.
func (p *Past) finish() {
	r := p.replay
	for ; r.next < len(r.Entries) && r.Entries[r.next].Kind != Step; r.next++ {
		p.do(&r.Entries[r.next])
	}
}

// Keyframe is the last tick up to a tick that the replay can go to with a single step: a
// seek steps to its tick. Any goroutine.
func (p *Past) Keyframe(tick uint64) uint64 {
	ticks := *p.replay.keys.ticks.Load()
	if i, _ := slices.BinarySearch(ticks, tick); i > 0 {
		return ticks[i-1] + 1
	}
	return p.replay.keys.first
}

// Finish goes to the end of the recording from its last tick, also into the step that
// failed.
func (p *Past) Finish() error {
	if p.finish(); p.replay.Failed() {
		return p.replayNext(true)
	}
	return nil
}

// ErrNoWayBack is the error of a replay that would have to go back and has no keyframe.
var ErrNoWayBack = errors.New("no way back")

// OnlyForward reports whether a replay keeps no keyframes. Any goroutine.
func (p *Past) OnlyForward() bool { return p.replay.keys.limit < 0 }

// GoTo takes a replay to a tick of the recording: back or on to the nearest keyframe,
// and forward from there.
func (p *Past) GoTo(tick uint64) error {
	r := p.replay
	k := r.keys.nearest(tick)
	if k != nil && (tick < p.tick || k.tick > p.tick) {
		if tick < p.tick {
			r.keys.goBack(k, tick)
			defer func() { r.keys.every = 0 }()
		}
		if err := p.restoreKeyframe(r, k); err != nil {
			return err
		}
		p.breakWatch("the program has gone to another tick of its recording")
		p.shower.follows = false
		p.o.Box.leave()
	}
	if tick < p.tick {
		return fmt.Errorf("replay: %w to tick %d: %w", ErrNoWayBack, tick, r.keys.err)
	}
	for p.tick < tick {
		if err := p.replayNext(p.tick+1 == tick); err != nil {
			return err
		}
	}
	return nil
}
