package engine

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"halfstep/buffer"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// RecordOptions say where a recording goes and what it remembers of the scene.
//
// A recording keeps user values of the types bool, string and the numeric types.
// User values of other types, also of those defined from these, are nil in a
// replay. If a function on the physics goroutine moves bodies by such a value, the
// replay differs, and says so.
type RecordOptions struct {
	// W receives the recording, about 10 bytes per body and tick, in chunks of
	// half a second. A goroutine of its own writes to it, and never closes it.
	// If W has a method Sync() error, as a file has, that is called after every
	// chunk, so that a loss of power costs at most the last chunk. If it has a
	// method Stat that says that it is no regular file, Sync is not called.
	W io.Writer
	// Scene and Data are returned by the Recording: a name, a file's bytes, or
	// whatever else it takes to build the scene again.
	Scene string
	Data  []byte
	// OnError is called once, on any goroutine, as soon as something cannot be
	// recorded or written. The recording ends there, and the run goes on. Nil
	// logs the error. OnError may call Engine.Close. A panic in it becomes part
	// of Close's error.
	OnError func(error)
	// CloseTimeout is how long Engine.Close waits for W, and for an OnError that
	// W's error caused; 0 means 10 s. After that Close returns an error, nothing
	// more is written, and the goroutine ends when W returns.
	CloseTimeout time.Duration
}

const defaultCloseTimeout = 10 * time.Second

// recorder stands between the loop and the world and takes down every call. It
// belongs to the physics goroutine; what it takes down travels through a log to
// a goroutine that writes.
type recorder struct {
	*world.Simulation
	out   *recordWriter
	frame buffer.Frame
	ticks uint64
}

// record starts a recording of the world, which must be at tick 0.
func record(w *world.Simulation, opts RecordOptions, rate clock.Rate) (*recorder, error) {
	c := w.Config()
	if c.MaxContacts == world.DefaultMaxContacts {
		c.MaxContacts = 0
	}
	out, err := startRecording(opts, recordHeader{
		Version: recordVersion, Scene: opts.Scene, Data: opts.Data, Rate: rate, Hash: w.World().Hash(),
		World: worldConfig{
			c.Gravity, c.VelocityIterations, c.PositionIterations,
			c.NoSleep, c.NoContinuous, c.NoWarmStarting, c.SubStepping, c.MaxContacts,
			softSubSteps(c),
		},
	})
	if err != nil {
		return nil, err
	}
	return &recorder{Simulation: w, out: out}, nil
}

// softSubSteps is how a recording notes the stepper: the others have the same
// results.
func softSubSteps(c world.Config) int {
	if c.Stepper == world.SoftStep {
		return c.SubSteps
	}
	return 0
}

func (r *recorder) ObserveFrame(f *buffer.Frame) { r.frame = *f }

func (r *recorder) BeginFrame() {
	r.out.add(recordOp{Kind: opBegin, Tick: r.ticks, Carry: r.frame.Carry, Whole: r.frame.Step})
	r.Simulation.BeginFrame()
}

func (r *recorder) Apply(tick uint64, c *world.Command, scheduled bool) {
	if !c.OnlyReads() {
		r.out.add(recordOp{Kind: opApply, Tick: tick, Scheduled: scheduled, Command: recorded(c)})
	}
	r.Simulation.Apply(tick, c, scheduled)
}

func (r *recorder) Step(tick uint64, dt float64) {
	r.Simulation.Step(tick, dt)
	r.ticks = tick
	r.out.add(recordOp{Kind: opStep, Tick: tick, Dt: dt, Hash: r.World().Hash(), Values: r.Fingerprint(nil)})
}

func (r *recorder) EndFrame() {
	r.out.add(recordOp{Kind: opEnd, Tick: r.ticks})
	r.Simulation.EndFrame()
}

// close has the end written; physics must have stopped. A run that was not
// clean gets none: it replays to its last whole tick.
func (r *recorder) close(clean bool) {
	var end *recordEnd
	if clean {
		end = &recordEnd{Ticks: r.ticks, Hash: r.World().Hash()}
	}
	r.out.close(end)
}

// refuse says that a closure cannot be recorded, and where it was given:
// callers is how many of our own functions lie between.
func (r *recorder) refuse(callers int) {
	_, file, line, _ := runtime.Caller(callers + 1)
	err := fmt.Errorf("record: a closure given to Do at %s:%d cannot be recorded; give it a name with Register and use DoNamed", file, line)
	if r.out.stop(err) {
		r.out.tell(err)
	}
}
