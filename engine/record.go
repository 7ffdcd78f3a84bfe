package engine

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/buffer"
	"halfstep/physicsloop"
	"halfstep/physicsloop/box"
)

// RecordOptions say where a recording goes and what it has to remember of the
// scene.
type RecordOptions struct {
	// W receives the recording: about 10 bytes a body and tick, in chunks of
	// half a second. It is written to from a goroutine of its own, and not
	// closed.
	W io.Writer
	// Scene and Data are handed back by the Recording: a name, a file's bytes,
	// whatever it takes to build the scene again.
	Scene string
	Data  []byte
	// OnError is called, from any goroutine, as soon as something can not be
	// recorded; nil logs it. The recording ends there, the run goes on.
	OnError func(error)
}

// flushEvery is how much a crash can cost.
const flushEvery = 500 * time.Millisecond

// recorder stands between the loop and the world and takes down every call. It
// belongs to the physics goroutine; what it takes down travels through a log to
// a goroutine that writes.
type recorder struct {
	physicsloop.Simulation[buffer.BodyState, box.Event, box.Command]
	world *World
	opts  RecordOptions
	frame buffer.Frame

	ops   *buffer.Log[recordOp]
	count atomic.Uint64 // of ops, for the writer
	ticks uint64

	failed  atomic.Bool
	once    sync.Once
	failure error // set once, before failed
	quit    chan struct{}
	done    chan struct{}
}

// record starts a recording of the world, which must be at tick 0.
func record(w *World, opts RecordOptions, rate Rate) (*recorder, error) {
	r := &recorder{
		Simulation: w, world: w, opts: opts, ops: buffer.NewLog[recordOp](),
		quit: make(chan struct{}), done: make(chan struct{}),
	}
	if opts.W == nil {
		return nil, errors.New("record: no writer")
	}
	if _, err := io.WriteString(opts.W, recordMagic); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	c := w.Config()
	if c.MaxContacts == box.DefaultMaxContacts {
		c.MaxContacts = 0
	}
	err := writeChunk(opts.W, chunkHeader, recordHeader{
		Version: recordVersion, Scene: opts.Scene, Data: opts.Data, Rate: rate, Hash: w.Hash(),
		World: worldConfig{
			c.Gravity, c.VelocityIterations, c.PositionIterations,
			c.NoSleep, c.NoContinuous, c.NoWarmStarting, c.SubStepping, c.MaxContacts,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	go r.write()
	return r, nil
}

func (r *recorder) ObserveFrame(f *buffer.Frame) { r.frame = *f }

func (r *recorder) BeginFrame() {
	r.add(recordOp{Kind: opBegin, Tick: r.ticks, Carry: r.frame.Carry, Whole: r.frame.Step})
	r.Simulation.BeginFrame()
}

func (r *recorder) Apply(tick uint64, c *box.Command, scheduled bool) {
	if c.Op != box.OpInspect {
		kept := *c
		r.add(recordOp{Kind: opApply, Tick: tick, Scheduled: scheduled, Command: &kept})
	}
	r.Simulation.Apply(tick, c, scheduled)
}

func (r *recorder) Step(tick uint64, dt float64) {
	r.Simulation.Step(tick, dt)
	r.ticks = tick
	r.add(recordOp{Kind: opStep, Tick: tick, Dt: dt, Hash: r.world.Hash(), Values: r.world.Fingerprint(nil)})
}

func (r *recorder) EndFrame() {
	r.add(recordOp{Kind: opEnd, Tick: r.ticks})
	r.Simulation.EndFrame()
}

func (r *recorder) CaptureDebug(layers buffer.DebugLayers, d *buffer.Debug) {
	r.world.CaptureDebug(layers, d)
}

func (r *recorder) add(op recordOp) {
	if r.failed.Load() {
		return
	}
	r.ops.Append(op)
	r.count.Store(r.ops.Count())
}

// write writes what has come in, twice a second and at the end.
func (r *recorder) write() {
	defer close(r.done)
	t := time.NewTicker(flushEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			r.flush()
		case <-r.quit:
			r.flush()
			return
		}
	}
}

func (r *recorder) flush() {
	limit := r.count.Load()
	var ops []recordOp
	for op := r.ops.Peek(limit); op != nil; op = r.ops.Peek(limit) {
		ops = append(ops, *op)
		r.ops.Take()
	}
	if len(ops) == 0 || r.failed.Load() {
		return
	}
	if err := writeChunk(r.opts.W, chunkOps, ops); err != nil {
		r.fail(fmt.Errorf("record: %w", err))
	}
}

// fail ends the recording and says why, once.
func (r *recorder) fail(err error) {
	r.once.Do(func() {
		r.failure = err
		r.failed.Store(true)
		if r.opts.OnError != nil {
			r.opts.OnError(err)
		} else {
			slog.Error(err.Error())
		}
	})
}

// close writes the end; physics must have stopped.
func (r *recorder) close(clean bool) error {
	close(r.quit)
	<-r.done
	if r.failed.Load() {
		return r.failure
	}
	if !clean {
		return nil // without an end: it replays to the last whole tick
	}
	if err := writeChunk(r.opts.W, chunkEnd, recordEnd{Ticks: r.ticks, Hash: r.world.Hash()}); err != nil {
		r.fail(fmt.Errorf("record: %w", err))
		return r.failure
	}
	return nil
}

// refuse says that a closure can not be recorded, and where it was given:
// callers is how many of our own functions lie between.
func (r *recorder) refuse(callers int) {
	_, file, line, _ := runtime.Caller(callers + 1)
	r.fail(fmt.Errorf("record: a closure given to Do at %s:%d can not be recorded; give it a name with Register and use DoNamed", file, line))
}
