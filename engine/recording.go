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
	// Ticks is the number of whole steps in the recording.
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
	ops    []recordOp
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
	kind, payload, err := c.next()
	switch {
	case errors.Is(err, errCut):
		return fmt.Errorf("%w: it ends after %d bytes, within its header", errCut, c.at)
	case err != nil:
		return err
	case kind != chunkHeader:
		return fmt.Errorf("%w: it begins with a chunk of kind %q", ErrCorrupt, kind)
	}
	if err := c.decode(payload, &r.header); err != nil {
		return err
	}
	if v := r.header.Version; v != recordVersion {
		return fmt.Errorf("recording of version %d: this build reads version %d", v, recordVersion)
	}
	if err := r.header.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	r.Scene, r.Data, r.Rate = r.header.Scene, r.header.Data, r.header.Rate
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
				if err := ops[i].check(r.Ticks); err != nil {
					return fmt.Errorf("%w: after tick %d: %w", ErrCorrupt, r.Ticks, err)
				}
				r.note(&ops[i])
				if ops[i].Kind == opStep {
					whole = len(r.ops) + i + 1
				}
			}
			r.ops = append(r.ops, ops...)
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

// note takes from an operation what the Recording tells.
func (r *Recording) note(op *recordOp) {
	switch {
	case op.Kind == opStep:
		r.Ticks = op.Tick
	case op.Kind == opBegin && op.Whole > 0:
		r.Alpha = float64(op.Carry) / float64(op.Whole)
	}
}

// FinalHash returns the hash of the world after the last command, or 0 if the
// recording is Cut.
func (r *Recording) FinalHash() uint64 { return r.end.Hash }

// Config returns the Config of an engine that replays the recording. setup must
// build the scene as it was built for the recording. World.Stepper is SoftStep if
// that made the recording; then, and only then, it must stay so.
func (r *Recording) Config(setup func(*world.World) error) Config {
	w := r.header.World
	stepper := world.FastStep
	if w.SoftSubSteps > 0 {
		stepper = world.SoftStep
	}
	return Config{
		World: world.Config{Stepper: stepper, SubSteps: w.SoftSubSteps, Gravity: w.Gravity, NoGravity: w.Gravity == world.Vec{}, VelocityIterations: w.VelocityIterations, PositionIterations: w.PositionIterations, NoSleep: w.NoSleep, NoContinuous: w.NoContinuous, NoWarmStarting: w.NoWarmStarting, SubStepping: w.SubStepping, MaxContacts: w.MaxContacts},
		Time:  Time{Rate: r.Rate}, Setup: setup, Replay: r,
	}
}
