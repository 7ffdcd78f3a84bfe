package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

// The test combines features that change the passing of time with features that keep parts of a
// run. Two to four of them are used at once, often in one frame. A lift that moves at 1 m/s shows
// which time the picture shows.

// pairing is a session with one seed.
type pairing struct {
	*rand.Rand
	*engine.Engine
	c       engine.Config
	on      map[string]bool
	trail   []string // the actions, by frame
	frame   time.Duration
	lift    world.Body
	boxes   []world.Body
	files   []*pairFile
	under   *pairFile // the newest recording
	streams []*pairStream
	reader  *engine.Reader
	back    bool // it rewinds
	kept    []int
	scale   float64
	ended   string // ended is a forbidden report of a callback.
	bytes   int    // bytes is the size of a snapshot before moments are kept.

	// Of the lift's picture.
	x, pace float64 // x is the position of the lift in m, and pace is its advance in the frame before
	behind  bool    // behind says that the picture was before the last demanded step.
	shift   float64 // shift is the shift that a frame must still show, in m.
	settled int     // settled is the number of frames since time was last changed other than by its scale.
	placed  uint64  // placed is the tick after which a kept moment was restored, or 0.
	moving  int     // moving is the number of frames since then in which time has passed.
	steady  int     // steady is the number of frames since the last action.
	turned  uint64  // turned is the tick after which a rewind last began or ended, or 0.
	turning int     // frames since then
	instant float64 // of the reader
}

type pairFile struct {
	bytes.Buffer
	what string
	last bool // last says that the file continues to the end of the run.
}

type pairStream struct {
	mu    sync.Mutex
	b     bytes.Buffer
	what  string
	ended chan error
}

func (s *pairStream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *pairStream) begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Len() > 0
}

var (
	pairTimes = []string{"sync", "rate", "scale", "pause", "step", "rollback", "shift", "no time"}
	pairKept  = []string{"recording", "late recording", "states", "black box", "stream", "stream of states", "reader", "snapshot", "kept moment", "seek"}
	pairSyncs = []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead}
)

func pickOf[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func (p *pairing) setup(w *world.World) error {
	if _, err := w.CreateBody(world.BodyDef{Name: "ground", Position: world.Vec{Y: -1}, Shapes: []world.ShapeDef{world.Box(20, 1)}}); err != nil {
		return err
	}
	p.boxes = p.boxes[:0]
	for i := range 5 {
		b, err := w.CreateBody(world.BodyDef{
			Name: fmt.Sprint("box ", i), Kind: world.Dynamic, NoSleep: i == 0,
			Position: world.Vec{X: .7 * float64(i), Y: .5 + .6*float64(i%3)}, Shapes: []world.ShapeDef{world.Box(.4, .3)},
		})
		if err != nil {
			return err
		}
		p.boxes = append(p.boxes, b)
	}
	var err error
	p.lift, err = w.CreateBody(world.BodyDef{
		Name: "lift", Kind: world.Kinematic, Position: world.Vec{Y: 20}, Velocity: world.Vec{X: 1}, Shapes: []world.ShapeDef{world.Circle(1)},
	})
	return err
}

func (p *pairing) record(what string, o engine.RecordOptions) engine.RecordOptions {
	f := &pairFile{what: what, last: true}
	p.files, p.under = append(p.files, f), f
	o.W = f
	o.OnError = func(err error) {
		if !stoppedBefore(err) {
			p.ended = fmt.Sprintf("%s: want no error, got %v", what, err)
		}
	}
	return o
}

// stoppedBefore reports whether a recording was stopped before the tick at which it should begin.
func stoppedBefore(err error) bool { return strings.Contains(err.Error(), "was to begin at tick") }

func (p *pairing) done(format string, args ...any) {
	p.trail = append(p.trail, fmt.Sprintf("%d: ", p.Demanded())+fmt.Sprintf(format, args...))
}

// begins makes the engine.
func (p *pairing) begins() error {
	rates := []int64{60, 60, 50, 120, 240, 500}
	p.frame = time.Second / time.Duration(pickOf(p.Rand, []int64{60, 60, 144, 30}))
	p.scale = 1
	p.c = engine.Config{
		Setup: p.setup,
		World: world.Config{Stepper: pickOf(p.Rand, []world.Stepper{world.FastStep, world.SoftStep}), Workers: 1},
		Time: engine.Time{
			Simulated: true, Rate: clock.Hz(pickOf(p.Rand, rates)), Sync: pickOf(p.Rand, []renderloop.Sync{renderloop.RunAhead, renderloop.RunAhead, renderloop.Lockstep, renderloop.Pipelined}),
		},
	}
	c := p.c
	if p.on["rollback"] {
		c.History.Rollback = engine.RollbackOptions{Ticks: 8, Every: 1 + p.IntN(2)}
	}
	if p.on["rewind"] {
		c.History.Rollback = engine.RollbackOptions{Ticks: 8 + p.IntN(30)}
	}
	if p.on["recording"] {
		o := p.record("recording", engine.RecordOptions{FromSetup: p.IntN(2) == 0, States: p.on["states"]})
		c.History.Record = &o
	}
	if p.on["black box"] {
		c.History.BlackBox = &engine.BlackBoxOptions{InMemory: true, Memory: int64(p.IntN(2)) << 20}
	}
	var err error
	p.Engine, err = engine.New(c)
	p.done("%v, %v, %v Hz, frames of %v", c.World.Stepper, c.Time.Sync, c.Time.Rate, p.frame)
	return err
}

// does performs one of the actions that are enabled.
func (p *pairing) does(what string) error {
	h := p.History()
	switch what {
	case "sync":
		s := pickOf(p.Rand, pairSyncs)
		p.done("%v", s)
		p.SetSync(s)
		p.settled = 0
	case "rate":
		hz := pickOf(p.Rand, []int64{60, 50, 120, 240, 500, 1000})
		p.done("%d Hz", hz)
		p.turns() // after this the picture of RunAhead is ahead by another number of ticks
		if p.settled < 8 || p.on["sync"] || p.on["pause"] || p.on["step"] {
			p.settled = 0 // a picture that is older than that of Lockstep may jump forward
		}
		return p.SetRate(clock.Hz(hz))
	case "scale":
		p.scale = pickOf(p.Rand, []float64{1, .1, .5, 2, .02})
		p.done("scale %v", p.scale)
		return p.SetScale(p.scale)
	case "pause":
		p.done("pause %v", !p.Paused())
		p.SetPaused(!p.Paused())
		p.settled = 0
	case "step":
		n := p.IntN(4)
		p.done("step %d", n)
		p.settled = 0
		p.Step(n)
		return p.looks(float64(n) / p.Rate().Float())
	case "rollback":
		back := min(uint64(p.IntN(9)), p.Demanded())
		to := p.Demanded() - back
		p.done("rollback to %d", to)
		if p.placed+20 > to && p.placed > 0 {
			p.places() // once more
		}
		err := h.Rollback(to, func(c world.Commands) {
			for range p.IntN(3) {
				c.At(to+uint64(p.IntN(int(back+1)))).Impulse(pickOf(p.Rand, p.boxes), world.Vec{X: p.Float64() - .5, Y: p.Float64()})
			}
		})
		if err != nil {
			return fmt.Errorf("rollback to %d of %d: want no error, got %w", to, p.Demanded(), err)
		}
	case "rewind":
		p.back = !p.back
		p.done("rewind %v", p.back)
		p.turned = 1
		p.turns()
		return h.Rewind(p.back)
	case "shift":
		if p.turned > 0 {
			return nil // the effects of a rewind on it are not tracked
		}
		if p.shift != 0 || p.jumps() {
			return nil // only one at a time, so that the picture shows which one it is
		}
		p.shift = 64
		if p.x > 0 {
			p.shift = -64
		}
		p.done("shift by %v", p.shift)
		p.Shift(p.lift, world.Vec{X: p.shift})
	case "no time":
		p.done("no time")
		if p.IntN(2) == 0 {
			p.push()
		}
		p.Advance(0)
		return p.looks(0)
	case "push":
		p.push()
	case "late recording", "states":
		if h.Recording() {
			if what == "late recording" && p.IntN(2) == 0 {
				p.done("recording stops")
				p.under.last = false
				return h.StopRecording()
			}
			return nil
		}
		p.done("recording")
		return h.StartRecording(p.record("late recording", engine.RecordOptions{States: p.on["states"], From: uint64(p.IntN(2)) * (p.Demanded() + uint64(p.IntN(4)))}))
	case "black box":
		p.done("black box")
		data, err := h.BlackBox()
		if err != nil {
			return fmt.Errorf("black box: want no error, got %w", err)
		}
		f := &pairFile{what: fmt.Sprint("black box at ", p.Demanded())}
		f.Write(data)
		p.files = append(p.files, f)
	case "stream", "stream of states":
		if len(p.streams) > 1 {
			return nil
		}
		p.done("%s", what)
		s, stream := &pairStream{what: what, ended: make(chan error, 1)}, h.Stream
		if what == "stream of states" {
			stream = h.StreamStates
		}
		p.streams = append(p.streams, s)
		go func() { s.ended <- stream(context.Background(), s) }()
		for range p.IntN(20) { // it joins between frames, or together with one
			if s.begun() {
				break
			}
			time.Sleep(50 * time.Microsecond)
		}
	case "reader":
		if p.reader != nil && p.IntN(3) == 0 {
			p.reader.Close()
			p.reader = nil
		}
		if p.reader == nil {
			p.done("reader")
			p.instant = 0
			r, err := p.NewReader()
			p.reader = r
			return err
		}
	case "snapshot":
		p.done("snapshot")
		return p.loads()
	case "kept moment":
		if len(p.kept) > 0 && p.IntN(3) == 0 {
			n := pickOf(p.Rand, p.kept)
			p.done("restore %d", n)
			p.RestoreSnapshot(n)
			p.places()
			return nil
		}
		if p.bytes == 0 {
			s, _, err := p.saved()
			if err != nil {
				return err
			}
			p.bytes = len(s)
		}
		for range 1 + p.IntN(12) {
			n := len(p.kept)
			p.KeepSnapshot(n)
			p.kept = append(p.kept, n)
		}
		p.done("kept %d", len(p.kept))
	}
	return nil
}

// places records that a kept moment is restored. The picture of the lift then jumps, and stands
// still until the next tick.
func (p *pairing) places() { p.placed, p.moving, p.shift = max(p.Demanded(), p.View().Tick, 1), 0, 0 }

// jumps reports whether the restored moment is shown now. If it is not, a later frame will show it.
func (p *pairing) jumps() bool {
	return p.placed > 0 && (p.moving < 12 || p.View().Tick <= p.placed+8)
}

func (p *pairing) push() {
	p.done("push")
	p.Impulse(pickOf(p.Rand, p.boxes), world.Vec{X: p.Float64() - .5, Y: p.Float64()})
}

// looks checks the picture of a frame in which d seconds of the world pass.
func (p *pairing) looks(d float64) error {
	v := p.View()
	if err := p.Failure(); err != nil {
		return fmt.Errorf("at tick %d: want no failure, got %w", p.Demanded(), err)
	}
	if n := p.Metrics().BackwardFrames; n != 0 {
		return fmt.Errorf("at tick %d: want no frame that goes back, got %d", p.Demanded(), n)
	}
	if ns, frac := p.Ledger().Imbalance(); ns != 0 || frac != 0 {
		return fmt.Errorf("at tick %d: want a ledger that adds up, it is off by %d ns and %d", p.Demanded(), ns, frac)
	}
	for ev := range p.Events() {
		if ev.Kind == world.CommandRejected && !p.on["kept moment"] {
			return fmt.Errorf("at tick %d: want no command rejected, got %v", p.Demanded(), ev)
		}
	}
	pose, ok := p.Pose(p.lift)
	if !ok {
		return fmt.Errorf("at tick %d: the lift is not in the picture", v.Tick)
	}
	if p.turned > 0 {
		return p.looksBack(pose.X, d)
	}
	if d > 0 {
		p.moving++
	}
	placed := p.jumps()
	if placed {
		p.x, p.shift = pose.X, 0
	}
	moved := pose.X - p.x
	if p.shift != 0 && math.Abs(moved) > 32 {
		moved -= p.shift
		p.shift = 0
	}
	const least = 2e-5 // m, of a float32
	most := 1.07*d + least
	if p.behind {
		most = 1.07*max(d, p.pace) + least // in Pipelined, and in RunAhead after Pipelined, the picture is late by a frame
	}
	if p.settled < 1 { // the lead changes by a step, by the time to the display, and by the remainder
		most += max(p.scale, 1)*(.05+p.frame.Seconds()) + 3*v.Dt
	}
	if !placed && (moved < -least || moved > most) {
		return fmt.Errorf("at tick %d, instant %v: want the lift to move by 0 to %.5f m, got %.5f (%v, scale %v)", v.Tick, v.Instant, most, moved, p.Sync(), p.scale)
	}
	if !placed && p.steady > 6 && !p.Paused() && moved < .92*d-least {
		return fmt.Errorf("at tick %d, instant %v: want the lift to move by %.5f m at least, got %.5f (%v, scale %v)", v.Tick, v.Instant, .92*d, moved, p.Sync(), p.scale)
	}
	p.x, p.pace, p.behind = pose.X, d, v.Instant < float64(p.Demanded())
	p.settled++
	p.steady++
	return p.reads()
}

// turns allows the picture to move in the other direction for some frames, if there was a rewind.
func (p *pairing) turns() {
	if p.turned > 0 {
		p.turned, p.turning, p.shift = max(p.Demanded(), p.View().Tick, 1), 0, 0
	}
}

// looksBack checks the picture of a frame after the beginning of a rewind. The lift moves back,
// stands still at the oldest tick, or moves on. Its speed depends on the original rates. Moments that
// are restored or undone move the lift at once.
func (p *pairing) looksBack(x, d float64) error {
	v, moved := p.View(), x-p.x
	const least = 2e-5
	fast := 1.
	if p.on["rate"] {
		fast = 25
	}
	most := fast * (1.07*max(d, p.pace) + max(p.scale, 1)*(.05+p.frame.Seconds()) + 3*v.Dt)
	ahead, behind := most, -most
	if p.turning++; p.turning > 12 && v.Tick > p.turned+8 {
		if p.back {
			ahead = least
		} else {
			behind = -least
		}
	}
	jumps := p.on["kept moment"] || p.on["shift"]
	if !jumps && (moved > ahead || moved < behind) {
		return fmt.Errorf("at tick %d, instant %v: want the lift to move by %.5f to %.5f m, got %.5f (%v, scale %v, rewind %v)", v.Tick, v.Instant, behind, ahead, moved, p.Sync(), p.scale, p.back)
	}
	p.x, p.pace, p.behind = x, d, v.Instant < float64(p.Demanded())
	p.settled++
	p.steady++
	return p.reads()
}

// reads compares the additional reader with the picture.
func (p *pairing) reads() error {
	if p.reader == nil {
		return nil
	}
	p.reader.UpdateToPicture()
	v, r := p.View(), p.reader.View()
	if least := min(p.instant, v.Instant); r.Instant < least {
		return fmt.Errorf("at tick %d: want a reader's instant of %v or later, got %v", v.Tick, least, r.Instant)
	}
	p.instant = r.Instant
	if v.Tick != r.Tick || v.Revision != r.Revision || v.Instant != r.Instant {
		return nil
	}
	for b, q := range p.reader.Poses() {
		if s, ok := p.Pose(b); !ok || s != q {
			return fmt.Errorf("at tick %d, instant %v: want %v in a reader at %v, got %v", v.Tick, v.Instant, b, s, q)
		}
	}
	return nil
}

// saved returns the world as bytes, and the world's hash.
func (p *pairing) saved() (data []byte, hash uint64, err error) {
	if !looked(p.Engine, func(w *world.World) {
		var s world.Snapshot
		if err = w.Snapshot(&s); err == nil {
			data, err = s.MarshalBinary()
		}
		hash = w.StateHash()
	}) {
		return nil, 0, fmt.Errorf("at tick %d: want no failure, got %w", p.Demanded(), p.Failure())
	}
	return data, hash, errors.Join(err, p.looks(0))
}

// loads takes a snapshot, and begins another engine with the snapshot.
func (p *pairing) loads() error {
	data, hash, err := p.saved()
	if err != nil {
		return err
	}
	if p.bytes > 0 && len(data) > 2*p.bytes {
		return fmt.Errorf("at tick %d: want a snapshot of at most twice %d bytes beside %d kept moments, got %d", p.Demanded(), p.bytes, len(p.kept), len(data))
	}
	c := engine.Config{Setup: new(pairing).setup, World: p.c.World, Time: p.c.Time}
	if c.History.Snapshot, err = world.LoadSnapshot(data); err != nil {
		return err
	}
	e, err := engine.New(c)
	if err != nil {
		return err
	}
	defer e.Close()
	var is uint64
	if looked(e, func(w *world.World) { is = w.StateHash() }); is != hash {
		return fmt.Errorf("at tick %d: want a loaded snapshot with the StateHash %x, got %x", p.Demanded(), hash, is)
	}
	return nil
}

// pairs plays a session. It returns the error of the session, and the features that were enabled.
func pairs(seed uint64) (wrong error, what string) { return playPairs(seed, false) }

// pairsWithARewind plays a session in which the changes of time include rewinds.
func pairsWithARewind(seed uint64) (wrong error, what string) { return playPairs(seed, true) }

func playPairs(seed uint64, rewinds bool) (wrong error, what string) {
	p := &pairing{Rand: rand.New(rand.NewPCG(seed, 71)), on: map[string]bool{}}
	n := 2 + p.IntN(3)
	p.on[pickOf(p.Rand, pairTimes)], p.on[pickOf(p.Rand, pairKept)] = true, true
	for len(p.on) < n {
		p.on[pickOf(p.Rand, slices.Concat(pairTimes, pairKept))] = true
	}
	var on []string
	if p.on["rewind"] = rewinds; rewinds {
		on = append(on, "rewind", "rewind")
	}
	for _, name := range slices.Concat(pairTimes, pairKept) {
		if p.on[name] {
			on = append(on, name)
		}
	}
	if p.on["seek"] && !p.on["late recording"] {
		p.on["recording"] = true
	}
	defer func() {
		what = fmt.Sprintf("on: %s; %s", strings.Join(on, ", "), strings.Join(p.trail, "; "))
	}()
	if err := p.begins(); err != nil {
		return err, ""
	}
	defer p.Close()
	frame := func() error {
		p.Advance(p.frame)
		d := p.frame.Seconds() * p.scale
		if p.Paused() {
			d = 0
		}
		return p.looks(d)
	}
	for range 6 {
		for range 4 + p.IntN(20) {
			if err := frame(); err != nil {
				return err, ""
			}
		}
		for range 1 + p.IntN(4) {
			p.steady = 0
			for range 1 + p.IntN(3) { // in one frame
				if err := p.does(pickOf(p.Rand, append(on, "push"))); err != nil {
					return err, ""
				}
			}
			if err := frame(); err != nil {
				return err, ""
			}
		}
	}
	if p.Paused() {
		if err := p.does("pause"); err != nil {
			return err, ""
		}
	}
	for range 12 {
		if err := frame(); err != nil {
			return err, ""
		}
	}
	return p.ends(), ""
}

// ends closes the engine and reads all written files.
func (p *pairing) ends() error {
	if p.on["black box"] {
		if err := p.does("black box"); err != nil {
			return err
		}
	}
	var hash uint64
	looked(p.Engine, func(w *world.World) { hash = w.Hash() })
	p.done("close")
	if err := p.Close(); err != nil && !stoppedBefore(err) {
		return fmt.Errorf("Close: want no error, got %w", err)
	}
	if err := p.Failure(); err != nil {
		return fmt.Errorf("after Close: want no failure, got %w", err)
	}
	if p.ended != "" {
		return errors.New(p.ended)
	}
	for _, s := range p.streams {
		if err := <-s.ended; err != nil && s.begun() { // otherwise the run ended before
			return fmt.Errorf("%s: want no error, got %w", s.what, err)
		}
		if s.b.Len() == 0 {
			continue // the run ended before the recording began
		}
		f := &pairFile{what: s.what, last: true}
		_, _ = io.Copy(f, &s.b)
		p.files = append(p.files, f)
	}
	for _, f := range p.files {
		if f.Len() == 0 {
			continue // the recording ended before its tick
		}
		if err := p.replays(f, hash); err != nil {
			return fmt.Errorf("%s: %w", f.what, err)
		}
	}
	return nil
}

func (p *pairing) replays(f *pairFile, hash uint64) error {
	data := f.Bytes()
	r, err := engine.ReadRecording(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("want it read, got %w", err)
	}
	// A stream of states has the ticks that RunAhead showed before they were due.
	if ahead := r.States && r.Ticks > p.Demanded(); f.last && r.Ticks != p.Demanded() && !ahead {
		return fmt.Errorf("want %d ticks, got %d", p.Demanded(), r.Ticks)
	}
	if r.HasStates {
		shown, err := engine.ReadOptions{States: true}.Read(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("its states: want them read, got %w", err)
		}
		if err := p.seeks(shown, nil); err != nil {
			return fmt.Errorf("its states: %w", err)
		}
	}
	if r.States {
		return p.seeks(r, nil)
	}
	got, err := r.Verify(new(pairing).setup)
	if err != nil {
		return fmt.Errorf("want the same, got %w", err)
	}
	if f.last && got != hash {
		return fmt.Errorf("want the hash %x at the end, got %x", hash, got)
	}
	return p.seeks(r, new(pairing).setup)
}

// seeks plays a recording in both directions, and performs all actions that a replay allows.
func (p *pairing) seeks(r *engine.Recording, setup func(*world.World) error) error {
	c := r.Config(setup)
	c.Time.Simulated, c.Time.Sync = true, pickOf(p.Rand, pairSyncs)
	e, err := engine.New(c)
	if err != nil {
		return fmt.Errorf("want an engine that replays, got %w", err)
	}
	defer e.Close()
	seen := map[uint64]engine.Pose{}
	trail := ""
	for range 12 {
		switch k := p.IntN(8); {
		case k < 3 || !p.on["seek"]:
			to := r.First + p.Uint64N(r.Ticks-r.First+1)
			trail += fmt.Sprintf("; to %d", to)
			if err := e.History().Seek(to); err != nil {
				return fmt.Errorf("seek to %d: want no error, got %w", to, err)
			}
			e.Advance(0)
			if e.Demanded() != to || e.Failure() != nil {
				return fmt.Errorf("replay%s: want tick %d, got %d (%v)", trail, to, e.Demanded(), e.Failure())
			}
			lift, _ := e.Find("lift")
			if pose, ok := e.Pose(lift); !ok {
				return fmt.Errorf("replay%s: the lift is not in the picture", trail)
			} else if was, again := seen[to]; again && was != pose {
				return fmt.Errorf("replay%s: want the lift at %v as before, got %v", trail, was, pose)
			} else {
				seen[to] = pose
			}
		case k == 3:
			s := pickOf(p.Rand, pairSyncs)
			trail += fmt.Sprintf("; %v", s)
			e.SetSync(s)
		case k == 4:
			trail += "; pause"
			e.SetPaused(!e.Paused())
		case k == 5:
			trail += "; step"
			e.Step(p.IntN(3))
		case k == 6:
			trail += "; scale"
			_ = e.SetScale(pickOf(p.Rand, []float64{1, .5, 2}))
		default:
			trail += "; frame"
			e.Advance(p.frame)
		}
		if err := e.Failure(); err != nil {
			return fmt.Errorf("replay%s: want no failure, got %w", trail, err)
		}
		if n := e.Metrics().BackwardFrames; n != 0 {
			return fmt.Errorf("replay%s: want no frame that goes back, got %d", trail, n)
		}
	}
	if err := e.Close(); err != nil {
		return fmt.Errorf("replay%s: Close: want no error, got %w", trail, err)
	}
	return nil
}

func TestWhatChangesTimeLosesNothingThatIsKept(t *testing.T) {
	playSeeds(t, uint64(norace.Rounds(whole.Rounds(200, 20), 4)), pairs)
}

func TestARewindLosesNothingThatIsKept(t *testing.T) {
	playSeeds(t, uint64(norace.Rounds(whole.Rounds(200, 20), 4)), pairsWithARewind)
}

// Found by TestAttackPairsOfFeaturesWithARewind.
func TestARewindGoesOnWhere(t *testing.T) {
	norace.Only(t)
	for what, seeds := range map[string][]uint64{
		"a rollback keeps fewer ticks than it shows":     {1000, 1011},
		"a prediction that had gone further was dropped": {1154},
		"a predicted tick is done anew":                  {1092},
	} {
		for _, seed := range seeds {
			if err, done := pairsWithARewind(seed); err != nil {
				t.Errorf("%s, seed %d: %v\n%s", what, seed, err, done)
			}
		}
	}
}

// Found by TestAttackPairsOfFeatures.
func TestThePictureOfRunAheadDoesNotJumpWhere(t *testing.T) {
	for what, seeds := range map[string][]uint64{
		"a pause follows a change of the rate":                  {1882},
		"a frame of no time comes while it is behind due steps": {3281, 3346, 3401},
	} {
		for _, seed := range seeds {
			if err, done := pairs(seed); err != nil {
				t.Errorf("%s, seed %d: %v\n%s", what, seed, err, done)
			}
		}
	}
}

func TestAttackPairsOfFeatures(t *testing.T) { attackBySeed(t, "a session", "sessions", pairs) }

func TestAttackPairsOfFeaturesWithARewind(t *testing.T) {
	attackBySeed(t, "a session", "sessions", pairsWithARewind)
}
