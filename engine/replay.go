package engine

import (
	"fmt"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
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
	where := "the hash alone tells"
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
// recording in place of the loop's.
type replayer struct {
	*world.Simulation
	recording *Recording
	next      int // op
}

var _ physicsloop.Simulation[body2d.State, world.Event, world.Command] = (*replayer)(nil)

func (r *replayer) BeginFrame() {}
func (r *replayer) EndFrame()   {}

// Apply lets through only what looks.
func (r *replayer) Apply(tick uint64, c *world.Command, scheduled bool) {
	if c.OnlyReads() {
		if tick == r.recording.Ticks {
			r.finish()
		}
		r.Simulation.Apply(tick, c, scheduled)
	}
}

// Step makes the recorded calls up to and including the step to the tick, and
// panics with a *Mismatch if the world is another afterwards: the loop turns
// that into a Failure.
func (r *replayer) Step(tick uint64, _ float64) {
	if err := r.step(tick); err != nil {
		panic(err)
	}
}

func (r *replayer) step(tick uint64) error {
	ops := r.recording.ops
	for r.next < len(ops) {
		op := &ops[r.next]
		r.next++
		r.call(op)
		if op.Kind == opStep {
			return r.compare(op)
		}
	}
	return fmt.Errorf("replay: the recording ends before tick %d", tick)
}

func (r *replayer) call(op *recordOp) {
	switch op.Kind {
	case opBegin:
		r.Simulation.BeginFrame()
	case opApply:
		r.Simulation.Apply(op.Tick, op.Command, op.Scheduled)
	case opStep:
		r.Simulation.Step(op.Tick, op.Dt)
	case opEnd:
		r.Simulation.EndFrame()
	case opBack:
		r.Simulation.SkipHandles(op.Made)
	}
}

// compare compares the world with what was recorded of it.
func (r *replayer) compare(op *recordOp) error {
	hash := r.World().Hash()
	if hash == op.Hash {
		return nil
	}
	m := &Mismatch{Tick: op.Tick, Recorded: op.Hash, Replayed: hash}
	m.Body, m.Name, m.Value, m.Got = r.FirstDifference(op.Values)
	return m
}

// finish makes the calls that follow the last step.
func (r *replayer) finish() {
	for ; r.next < len(r.recording.ops); r.next++ {
		r.call(&r.recording.ops[r.next])
	}
}

// Verify replays the whole recording as fast as possible, without a clock or a
// picture. setup must build the scene as it was built for the recording. Verify
// returns the hash of the world at the end. The error is a *Mismatch if a tick
// differs, and a *buffer.Failure if a function that the recording calls panics.
func (r *Recording) Verify(setup func(*world.World) error) (hash uint64, err error) {
	w, err := buildWorld(r.Config(setup))
	if err != nil {
		return 0, err
	}
	defer w.Close()
	p := &replayer{Simulation: w, recording: r}
	if err := p.begin(); err != nil {
		return 0, err
	}
	w.Start(&physicsloop.Outbox[world.Event]{
		Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[world.Event](),
	})
	done := uint64(0)
	defer func() {
		if v := recover(); v != nil {
			err = buffer.NewFailure(done, v, false)
		}
	}()
	for ; done < r.Ticks; done++ {
		if err := p.step(done + 1); err != nil {
			return w.World().Hash(), err
		}
	}
	p.finish()
	return w.World().Hash(), nil
}

// begin checks that setup has built what was recorded.
func (r *replayer) begin() error {
	if h := r.World().Hash(); h != r.recording.header.Hash {
		return fmt.Errorf("replay: the scene is not the one recorded (hash %016x, recorded %016x)", h, r.recording.header.Hash)
	}
	return nil
}
