package engine

import (
	"errors"
	"fmt"
	"io"
	"os"

	"halfstep/renderloop/clock"
	"halfstep/world"
)

// Recording is a recording that was read back, by OpenRecording or ReadRecording.
type Recording struct {
	// Scene and Data are those of RecordOptions: how to build the scene again.
	Scene string
	Data  []byte
	// First is the tick that the recording begins at: 0, or that of its snapshot.
	First uint64
	// Ticks is the tick of the last whole step in the recording.
	Ticks uint64
	// Alpha is the fraction of a step, from 0 to 1, that the clock had left over
	// after the last frame.
	Alpha float64
	// Rate is the number of steps per second at the start.
	Rate clock.Rate
	// Cut is true if the file ends early, after a crash for example. It then
	// replays to its last whole tick.
	Cut bool

	header recordHeader
	start  recordStart // its State is nil if the recording begins with the run
	ops    []recordOp
	steps  []int // where in ops the step to tick First+1+i is
	end    recordEnd
}

// OpenRecording reads the recording in a file. See ReadRecording for the errors.
func OpenRecording(path string) (*Recording, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := ReadRecording(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// ReadRecording reads a whole recording. If any bit of it was changed, the error
// wraps ErrCorrupt and says where. If its end is missing, it is read up to its
// last whole tick, and Cut is true. Something that is not a recording is refused
// after its first bytes. More than 16 GiB are not read.
func ReadRecording(from io.Reader) (*Recording, error) {
	c := newChunkReader(from)
	if err := c.magic(); err != nil {
		return nil, err
	}
	r := &Recording{}
	if err := r.readHeader(c); err != nil {
		return nil, err
	}
	if err := r.readOps(c); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Recording) readHeader(c *chunkReader) error {
	if err := c.decodeNext(chunkHeader, "header", &r.header); err != nil {
		return err
	}
	if v, last := r.header.Version, fromSnapshot+stateHashes; v < fromSetup || v > last {
		return fmt.Errorf("recording of version %d: this build reads versions %d to %d", v, fromSetup, last)
	}
	if err := r.header.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if err := r.header.World.checkMethod(); err != nil {
		return err
	}
	r.Scene, r.Data, r.Rate = r.header.Scene, r.header.Data, r.header.Rate
	if r.header.begins() == fromSnapshot {
		return r.readStart(c)
	}
	return nil
}

func (r *Recording) readStart(c *chunkReader) error {
	if err := c.decodeNext(chunkStart, "snapshot", &r.start); err != nil {
		return err
	}
	if err := r.start.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	r.First, r.Ticks = r.start.Tick, r.start.Tick
	r.Alpha = fraction(r.start.Carry, r.start.Whole)
	return nil
}

func (r *Recording) readOps(c *chunkReader) error {
	whole := 0 // of ops, up to the last step
	for {
		kind, payload, err := c.next()
		switch {
		case errors.Is(err, errCut):
			r.Cut = true
			r.ops = r.ops[:whole]
			return nil
		case err != nil:
			return err
		}
		switch kind {
		case chunkOps:
			var ops []recordOp
			if err := c.decode(payload, &ops); err != nil {
				return err
			}
			for i := range ops {
				op := &ops[i]
				if err := op.check(r.Ticks); err != nil {
					return fmt.Errorf("%w: after tick %d: %w", ErrCorrupt, r.Ticks, err)
				}
				if op.Kind == opBack {
					if op.Tick < r.First {
						return fmt.Errorf("%w: it goes back to tick %d, before its beginning", ErrCorrupt, op.Tick)
					}
					r.cutBack(op.Tick)
				}
				r.note(op)
				r.ops = append(r.ops, *op)
				switch op.Kind {
				case opStep:
					r.steps = append(r.steps, len(r.ops)-1)
					whole = len(r.ops)
				case opBack:
					whole = len(r.ops)
				}
			}
		case chunkEnd:
			if err := c.decode(payload, &r.end); err != nil {
				return err
			}
			if r.end.Ticks != r.Ticks {
				return fmt.Errorf("%w: it has %d ticks and says %d", ErrCorrupt, r.Ticks, r.end.Ticks)
			}
			return c.finish()
		default:
			return fmt.Errorf("%w: a chunk of kind %q", ErrCorrupt, kind)
		}
	}
}

// cutBack drops all that followed a tick.
func (r *Recording) cutBack(tick uint64) {
	n := 0
	r.steps = r.steps[:tick-r.First]
	if tick > r.First {
		n = r.steps[tick-r.First-1] + 1
		if n < len(r.ops) && r.ops[n].Kind == opEnd {
			n++ // it belongs to the step
		}
	}
	clear(r.ops[n:])
	r.ops = r.ops[:n]
}

// note takes from an operation what the Recording tells.
func (r *Recording) note(op *recordOp) {
	switch op.Kind {
	case opStep, opBack:
		r.Ticks = op.Tick
	case opBegin:
		r.Alpha = fraction(op.Carry, op.Whole)
	}
}

func fraction(carry, whole int64) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(carry) / float64(whole)
}

// remainder returns the clock's remainder when the recorded frame with that tick
// had been demanded, as a fraction of a step.
func (r *Recording) remainder(tick uint64) (carry, whole int64) {
	if tick > r.First {
		for i := r.steps[tick-r.First-1]; i >= 0; i-- {
			if op := &r.ops[i]; op.Kind == opBegin {
				return op.Carry, op.Whole
			}
		}
	}
	return r.start.Carry, r.start.Whole
}

// FinalHash returns World.Hash after the last command, or 0 if the recording is Cut.
func (r *Recording) FinalHash() uint64 { return r.end.Hash }

// Config returns the Config of an engine that replays the recording. setup must
// build the scene as it was built for the recording. World.Stepper is SoftStep if
// that made the recording; then, and only then, it must stay so.
func (r *Recording) Config(setup func(*world.World) error) Config {
	w := r.header.World
	stepper := world.FastStep
	switch {
	case w.SoftSubSteps > 0:
		stepper = world.SoftStep
	case r.start.Stepper == world.StockStep.String(): // its snapshot is that stepper's
		stepper = world.StockStep
	}
	return Config{
		World: world.Config{Stepper: stepper, SubSteps: w.SoftSubSteps, Gravity: w.Gravity, NoGravity: w.Gravity == world.Vec{}, VelocityIterations: w.VelocityIterations, PositionIterations: w.PositionIterations, NoSleep: w.NoSleep, NoContinuous: w.NoContinuous, NoWarmStarting: w.NoWarmStarting, SubStepping: w.SubStepping, MaxContacts: w.MaxContacts},
		Time:  Time{Rate: r.Rate}, Setup: setup, Replay: r,
	}
}
