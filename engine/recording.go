package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// Recording is a recording read back.
type Recording struct {
	// Scene and Data are what RecordOptions said: how to build the scene again.
	Scene string
	Data  []byte
	// Ticks is the number of whole steps recorded.
	Ticks uint64
	// Alpha is the fraction of a step that the clock had left over after the
	// last frame recorded.
	Alpha float64
	// Rate is the number of steps per second at the start.
	Rate Rate
	// Cut is set when the file ends early: by a crash, or since. It then
	// replays to its last whole tick.
	Cut bool

	header recordHeader
	ops    []recordOp
	end    recordEnd
}

// OpenRecording reads the recording in a file.
func OpenRecording(path string) (*Recording, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r, err := ReadRecording(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// ReadRecording reads a recording whole. One in which any bit was changed is
// refused with an error that wraps ErrCorrupt and says where; one that was cut
// off is read up to its last whole tick, and has Cut set.
func ReadRecording(from io.Reader) (*Recording, error) {
	data, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	if len(data) < len(recordMagic) && bytes.HasPrefix([]byte(recordMagic), data) {
		return nil, fmt.Errorf("%w: it ends after %d bytes, before its header", errCut, len(data))
	}
	if !bytes.HasPrefix(data, []byte(recordMagic)) {
		return nil, errors.New("not a halfstep recording (its first bytes are others)")
	}
	c := &chunkReader{data: data, at: len(recordMagic)}
	r := &Recording{}
	kind, payload, err := c.next()
	if errors.Is(err, errCut) {
		return nil, fmt.Errorf("%w: it ends after %d bytes, within its header", errCut, len(data))
	}
	if err != nil {
		return nil, err
	}
	if kind != chunkHeader {
		return nil, fmt.Errorf("%w: it begins with a chunk of kind %q", ErrCorrupt, kind)
	}
	if err := decode(payload, &r.header); err != nil {
		return nil, err
	}
	if v := r.header.Version; v != recordVersion {
		return nil, fmt.Errorf("recording of version %d: this build reads version %d", v, recordVersion)
	}
	r.Scene, r.Data, r.Rate = r.header.Scene, r.header.Data, r.header.Rate
	if err := r.readOps(c); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Recording) readOps(c *chunkReader) error {
	for {
		kind, payload, err := c.next()
		switch {
		case errors.Is(err, errCut):
			r.Cut = true
			return r.check()
		case err != nil:
			return err
		}
		switch kind {
		case chunkOps:
			var ops []recordOp
			if err := decode(payload, &ops); err != nil {
				return err
			}
			r.ops = append(r.ops, ops...)
		case chunkEnd:
			if err := decode(payload, &r.end); err != nil {
				return err
			}
			if extra := len(c.data) - c.at; extra > 0 {
				return fmt.Errorf("%w: %d bytes follow its end", ErrCorrupt, extra)
			}
			return r.check()
		default:
			return fmt.Errorf("%w: a chunk of kind %q", ErrCorrupt, kind)
		}
	}
}

// check counts the ticks, and drops what a cut left of an unfinished one.
func (r *Recording) check() error {
	last := 0
	for i := range r.ops {
		op := &r.ops[i]
		if op.Kind == opApply && op.Command == nil {
			return fmt.Errorf("%w: a command is missing after tick %d", ErrCorrupt, r.Ticks)
		}
		if op.Kind == opBegin && op.Whole > 0 {
			r.Alpha = float64(op.Carry) / float64(op.Whole)
		}
		if op.Kind != opStep {
			continue
		}
		if op.Tick != r.Ticks+1 {
			return fmt.Errorf("%w: tick %d follows tick %d", ErrCorrupt, op.Tick, r.Ticks)
		}
		r.Ticks = op.Tick
		last = i + 1
	}
	if r.Cut {
		r.ops = r.ops[:last]
	} else if r.end.Ticks != r.Ticks {
		return fmt.Errorf("%w: it has %d ticks and says %d", ErrCorrupt, r.Ticks, r.end.Ticks)
	}
	return nil
}

// FinalHash is the hash of the world after the last command; 0 where the
// recording was cut.
func (r *Recording) FinalHash() uint64 { return r.end.Hash }

// Config returns the configuration that replays the recording; setup must build
// the scene as it was built then.
func (r *Recording) Config(setup func(*World) error) Config {
	w := r.header.World
	return Config{
		Gravity: w.Gravity, NoGravity: w.Gravity == Vec{},
		VelocityIterations: w.VelocityIterations, PositionIterations: w.PositionIterations,
		NoSleep: w.NoSleep, NoContinuous: w.NoContinuous,
		NoWarmStarting: w.NoWarmStarting, SubStepping: w.SubStepping, MaxContacts: w.MaxContacts,
		Rate: r.Rate, Setup: setup, Replay: r,
	}
}
