package history

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/internal/monotime"
	"halfstep/physicsloop"
	"halfstep/world"
)

// ReplayOptions configure a replay.
type ReplayOptions struct {
	*File
	// Memory is the number of bytes that keyframes may take. The value 0 means 64 MiB. With a negative
	// value there are no keyframes, and the replay can only go forward.
	Memory int64
	// From is the tick at which the replay should begin. The replay begins at the last keyframe of the File that is not
	// after From.
	From uint64
	// Differs is called with each difference between the replay and the recording. An error that it returns ends the
	// replay.
	Differs func(Difference) error
}

// Difference is a difference between a replay and its recording. It is the same as engine.Mismatch,
// which explains the fields.
type Difference struct {
	Tick               uint64
	Body               world.Body
	Name               string
	Value              string
	Got                float64
	Recorded, Replayed uint64
	Unregistered       string
}

// replayTarget is the carrier of a Player: a world, or the pictures of a recording of states.
type replayTarget interface {
	carrier
	Tick() uint64
	World() *world.World
	save(k *keyframe) error // fills in a keyframe of the present state
	load(k *keyframe) error // goes to a keyframe
}

// Player is the simulation of the loop in a replay. It carries out the entries of a recording and
// ignores the loop's own commands.
type Player struct {
	replayTarget
	log     *Log
	file    *File
	differs func(Difference) error
	next    int    // the index in the file's Entries of the next entry to carry out
	checked uint64 // the tick up to which nothing differed
	unknown string // the last function that the recording calls and that the program has not registered
	keys    *keyframes
	jumped  bool // a seek has changed the tick, and Jumped has not yet reported this to the loop
}

var _ physicsloop.Simulation[body2d.State, world.Event, world.Command] = (*Player)(nil)

// Play returns a Player for a recording. It uses the world of a Log, which the setup has built, and
// moves the world to the beginning of the recording. For a recording of states the world stays
// empty.
func Play(l *Log, o ReplayOptions) (*Player, error) {
	if was, is := o.Header.World.SubSteps, worldConfig(l.Config()).SubSteps; was != is {
		return nil, fmt.Errorf("replay: the recording was made with %s; the engine has %s", stepperOf(was), stepperOf(is))
	}
	p := &Player{replayTarget: l, log: l, file: o.File, differs: o.Differs, checked: o.First, keys: newKeyframes(o.File, o.Memory)}
	if k := p.keys.nearest(max(o.From, o.First)); k != nil { // only a File that a Box made has keyframes
		return p, p.load(k)
	}
	l.reach(o.First, 0)
	if o.Shows() {
		p.replayTarget, p.next = newScreen(l, o.File)
	} else if err := l.begin(o.File); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	p.keys.add(p.replayTarget, p.next)
	return p, nil
}

// begin moves the world to the beginning of a recording.
func (l *Log) begin(f *File) error {
	if err := f.Start.load(l); err != nil {
		return err
	}
	if h, was := l.World().StateHash(), f.Header.Hash; h != was && !(was == 0 && f.Start.given()) {
		return fmt.Errorf("the scene is not the one recorded (hash %016x, recorded %016x)", h, was)
	}
	return nil
}

func stepperOf(softSubSteps int) string {
	if softSubSteps > 0 {
		return fmt.Sprintf("%v and %d sub-steps", world.SoftStep, softSubSteps)
	}
	return world.FastStep.String()
}

// Close ends the goroutine that compresses keyframes. The physics goroutine must have ended.
func (p *Player) Close() {
	p.keys.finish(andWait)
	p.log.close()
}

// BeginFrame does nothing, because the recording contains its own frames.
func (p *Player) BeginFrame() {}

// EndFrame carries out the entries after the last step of the recording, because no later step does so. A command
// that failed fails again, and an edit is shown.
func (p *Player) EndFrame() {
	if p.Tick() == p.file.Ticks {
		p.finish()
	}
}

// Apply carries out an order or answers a question. It ignores other commands.
func (p *Player) Apply(tick uint64, c *world.Command, _ bool) {
	if !private.OnlyReads(c) {
		return
	}
	if tick == p.file.Ticks { // before the last tick, these entries are carried out with the next step
		p.finish()
	}
	switch o := private.Order(c).(type) {
	case Seek:
		p.seek(max(o.Tick, p.file.First+1) - 1)
	case Grow:
		p.grow(o.File)
	default:
		p.order(c)
	}
}

// Step does the step that was recorded. If the world then differs from the recording, Step panics
// with an error.
func (p *Player) Step(tick uint64, _ float64) {
	if p.Tick() != tick-1 {
		panic(fmt.Errorf("replay: the recording is at tick %d before tick %d", p.Tick(), tick))
	}
	must(p.replayNext(compareAgain))
}

// compareAgain makes replayNext compare a step with the recording even if the step was compared before.
const compareAgain = true

// Jumped reports a seek to the loop.
func (p *Player) Jumped() (tick uint64, ok bool) {
	ok, p.jumped = p.jumped, false
	return p.Tick(), ok
}

// seek goes to a tick without delivering events. After an error it panics with that error.
func (p *Player) seek(tick uint64) {
	p.log.events.hold()
	defer p.log.events.direct()
	must(p.GoTo(tick))
	p.jumped = true
}

// replayNext carries out the entries up to the next step, including the step. If an End follows, it carries out the
// End as well, because a keyframe is taken after it. It compares a step for the second time only if compare is true.
func (p *Player) replayNext(compare bool) error {
	began := monotime.Now()
	for p.next < len(p.file.Entries) {
		if p.betweenFrames() {
			p.keys.add(p.replayTarget, p.next)
			p.keys.addToPath(p.replayTarget, p.next)
			began = monotime.Now()
		}
		e := p.do()
		if e.Kind != Step {
			continue
		}
		p.keys.spent(e.Tick, monotime.Since(began))
		p.log.events.drop()
		if compare || e.Tick > p.checked {
			if err := p.compare(e); err != nil {
				return err
			}
		}
		if p.next < len(p.file.Entries) && p.file.Entries[p.next].Kind == End {
			p.do()
		}
		return nil
	}
	return fmt.Errorf("replay: the recording ends before tick %d", p.Tick()+1)
}

// do carries out the next entry and returns it.
func (p *Player) do() *Entry {
	e := &p.file.Entries[p.next]
	p.next++
	if e.Command != nil {
		p.unknown = cmp.Or(private.Unregistered(p.World(), e.Command), p.unknown)
	}
	p.carry(e)
	return e
}

// betweenFrames reports whether the next entry comes after a frame with steps and before the next frame. A keyframe
// may be taken there.
func (p *Player) betweenFrames() bool {
	e, n := p.file.Entries, p.next
	return n == 0 || n < len(e) && e[n].Kind == Begin && endsFrame(e[:n])
}

// compare compares the world with the recorded hash after a step, if the recording has that hash.
func (p *Player) compare(e *Entry) error {
	hash := e.Hash
	if hash != 0 { // 0 means that no hash was recorded
		hash = p.World().StateHash()
	}
	if hash == e.Hash {
		p.checked = max(p.checked, e.Tick)
		return nil
	}
	d := Difference{Tick: e.Tick, Recorded: e.Hash, Replayed: hash, Unregistered: p.unknown}
	if len(e.Values) > 0 {
		d.Body, d.Name, d.Value, d.Got = private.FirstDifference(p.log.Simulation, e.Values)
	}
	err := p.differs(d)
	if e.Tick <= p.checked {
		return fmt.Errorf("%w; it did not before: code that keeps a state must be a world.Stateful to go back with the world", err)
	}
	return err
}

// finish carries out the entries after the last step, but not a step that failed.
func (p *Player) finish() {
	for e := p.file.Entries; p.next < len(e) && e[p.next].Kind != Step; {
		p.do()
	}
}

// Keyframe returns the tick after the last keyframe before the given tick. A seek to the result needs only one step.
// Any goroutine may call Keyframe.
func (p *Player) Keyframe(tick uint64) uint64 {
	ticks := *p.keys.ticks.Load()
	if i, _ := slices.BinarySearch(ticks, tick); i > 0 {
		return ticks[i-1] + 1
	}
	return p.keys.first
}

// Finish goes from the last tick of the recording to its end, and carries out a step that failed.
func (p *Player) Finish() error {
	if p.finish(); p.file.Failed() {
		return p.replayNext(compareAgain)
	}
	return nil
}

// ErrNoWayBack is the error of a replay that must go back but has no keyframe.
var ErrNoWayBack = errors.New("no way back")

// OnlyForward reports whether a replay keeps no keyframes. Any goroutine may call it.
func (p *Player) OnlyForward() bool { return p.keys.limit < 0 }

// GoTo takes a replay to a tick of the recording. It starts at the last keyframe before the tick, or at the present
// tick if it is nearer.
func (p *Player) GoTo(tick uint64) error {
	now := p.Tick()
	k := p.keys.nearest(tick)
	if k != nil && (tick < now || k.tick > now) {
		if tick < now {
			p.keys.preparePath(k, tick)
			defer func() { p.keys.every = 0 }()
		}
		if err := p.load(k); err != nil {
			return err
		}
		p.log.left()
	}
	if tick < p.Tick() {
		return fmt.Errorf("replay: %w to tick %d: %w", ErrNoWayBack, tick, p.keys.err)
	}
	for p.Tick() < tick {
		if err := p.replayNext(p.Tick()+1 == tick); err != nil {
			return err
		}
	}
	return nil
}

// load goes to a keyframe. The replay continues with the entry after the keyframe.
func (p *Player) load(k *keyframe) error {
	if p.keys.packing == k {
		p.keys.finish(andWait) // a snapshot that is being compressed cannot be restored
	}
	if err := p.replayTarget.load(k); err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	p.next = k.next
	return nil
}

// grow continues with a longer version of the file. Entries after its last step are carried out at once: if the run
// is paused, no step would carry them out.
func (p *Player) grow(f *File) {
	if n := f.gone - p.file.gone; n > 0 {
		p.next -= n
		p.keys.dropFirst(f, n)
		if p.next < 0 { // the entry was dropped, so continue from the new beginning
			must(p.load(&keyframe{tick: f.First, picture: f.base}))
		}
	}
	p.file = f
	if p.Tick() == f.Ticks && slices.ContainsFunc(f.Entries[p.next:], func(e Entry) bool { return e.Kind == Apply }) {
		p.finish()
	}
}

// save takes the snapshot of a keyframe.
func (l *Log) save(k *keyframe) error {
	if k.state == nil {
		k.state = new(world.Snapshot)
	}
	s := Saved{Snapshot: k.state}
	if err := l.take(&s); err != nil {
		return err
	}
	k.kept = s.Kept
	k.tick, k.size = l.tick, int64(k.state.Size())
	return nil
}

// load goes to a keyframe.
func (l *Log) load(k *keyframe) error {
	if k.foreign {
		k.kept = l.adopt(k.kept)
	}
	state, err := k.snapshot()
	if err == nil {
		err = l.rerun(Saved{state, k.kept})
	}
	if err == nil {
		l.reach(k.tick, l.dt)
	}
	return err
}
