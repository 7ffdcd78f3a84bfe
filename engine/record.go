package engine

import (
	"errors"
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
	// From is the tick that the recording begins at. A recording that does not
	// begin with the run begins with a snapshot of the world. With 0, or a tick
	// that has passed, Config.Record begins with the run and StartRecording with
	// the next frame. With Config.Rollback it begins that many ticks earlier, so
	// that it has what rollbacks replace.
	From uint64
	// OnError is called once, on any goroutine, as soon as something cannot be
	// recorded or written. The recording ends there, and the run goes on. Nil
	// logs the error. OnError may call Engine.Close. A panic in it becomes part
	// of Close's error.
	OnError func(error)
	// OnEnd is called once, on any goroutine, when nothing more will be written
	// to W: after StopRecording, after Close or after an error, which it is
	// given. Nil is fine. A panic in it is ignored.
	OnEnd func(error)
	// CloseTimeout is how long Engine.Close waits for W, and for an OnError that
	// W's error caused; 0 means 10 s. After that Close returns an error, nothing
	// more is written, and the goroutine ends when W returns.
	CloseTimeout time.Duration
}

const defaultCloseTimeout = 10 * time.Second

// recorder stands between the loop and the world and takes down every call, for
// the recording and the black box, if there are any. It belongs to the physics
// goroutine; what it takes down for a recording travels through a log to a
// goroutine that writes.
type recorder struct {
	*world.Simulation
	frame buffer.Frame
	ticks uint64
	rate  clock.Rate
	out   *recordWriter // or nil
	box   *blackBox     // or nil
	past  *past         // or nil
	first uint64        // tick that out can go back to
}

// header is what a recording of the world as it is now begins with.
func (r *recorder) header(begins int, scene string, data []byte) recordHeader {
	c := r.Config()
	if c.MaxContacts == world.DefaultMaxContacts {
		c.MaxContacts = 0
	}
	h := recordHeader{
		Version: begins + stateHashes, Scene: scene, Data: data, Rate: r.rate, Hash: r.World().StateHash(),
		World: worldConfig{
			c.Gravity, c.VelocityIterations, c.PositionIterations,
			c.NoSleep, c.NoContinuous, c.NoWarmStarting, c.SubStepping, c.MaxContacts,
			softSubSteps(c), 0,
		},
	}
	if h.World.SoftSubSteps > 0 {
		h.World.SoftMethod = c.Stepper.Method()
	}
	return h
}

// softSubSteps is how a recording notes the stepper: the others have the same
// results.
func softSubSteps(c world.Config) int {
	if c.Stepper == world.SoftStep {
		return c.SubSteps
	}
	return 0
}

// begin begins a recording of the world as it is now.
func (r *recorder) begin(out *recordWriter) {
	if r.out != nil || out.stopped.Load() {
		return
	}
	header := r.header(recordVersion, out.opts.Scene, out.opts.Data)
	if m := r.past.recordable(); m != nil {
		header.Hash = 0 // is not known any more
		// A rollback may restore the snapshot, so it becomes bytes here.
		start := &recordStart{Tick: m.tick, Carry: m.frame.Carry, Whole: m.frame.Step, snapshot: m.snapshot}
		if err := start.encode(); err != nil {
			out.fail(fmt.Errorf("record: %w", err))
			go out.over()
			return
		}
		out.begin(header, start)
		r.past.each(m.tick, func(op recordOp) { out.add(op) })
		r.out, r.first = out, m.tick
		return
	}
	snapshot := new(world.Snapshot)
	if err := r.World().Snapshot(snapshot); err != nil {
		out.fail(fmt.Errorf("record: %w", err))
		go out.over()
		return
	}
	out.begin(header, &recordStart{
		Tick: r.ticks, Carry: r.frame.Carry, Whole: r.frame.Step, snapshot: snapshot,
	})
	r.out, r.first = out, r.ticks+1
}

// end ends the recording, if it is that one, with an end unless the run was not
// clean: then it replays to its last whole tick.
func (r *recorder) end(out *recordWriter, clean bool) {
	var end *recordEnd
	if clean && r.out == out {
		end = &recordEnd{Ticks: r.ticks, Hash: r.World().Hash()}
	}
	if r.out == out {
		r.out = nil
	}
	out.finish(end)
}

// idle reports whether nobody wants what is taken down.
func (r *recorder) idle() bool { return r.out == nil && r.box == nil }

func (r *recorder) ObserveFrame(f *buffer.Frame) { r.frame = *f }

func (r *recorder) BeginFrame() {
	if r.out != nil && r.out.stopped.Load() {
		r.out = nil
	}
	r.box.begin(r)
	if !r.idle() {
		r.add(recordOp{Kind: opBegin, Tick: r.ticks, Carry: r.frame.Carry, Whole: r.frame.Step})
	}
	r.Simulation.BeginFrame()
}

func (r *recorder) Apply(tick uint64, c *world.Command, scheduled bool) {
	if !r.idle() && !c.OnlyReads() {
		if c.IsClosure() {
			r.closure()
		} else {
			r.add(recordOp{Kind: opApply, Tick: tick, Scheduled: scheduled, Command: recorded(c)})
		}
	}
	r.Simulation.Apply(tick, c, scheduled)
}

// closure deals with a change that cannot be taken down.
func (r *recorder) closure() {
	if r.out != nil {
		r.out.fail(errors.New("record: a closure given to Do before the recording began cannot be recorded"))
	}
	r.box.gap()
}

func (r *recorder) Step(tick uint64, dt float64) {
	r.box.try(tick, dt)
	r.Simulation.Step(tick, dt)
	r.box.try(0, 0)
	r.ticks = tick
	if r.idle() {
		return
	}
	op := recordOp{Kind: opStep, Tick: tick, Dt: dt}
	if r.out != nil || r.box.wantsHash(tick) {
		op.Hash = r.World().StateHash()
	}
	r.box.add(&op)
	if r.out != nil {
		op.Values = r.Fingerprint(nil)
		r.out.add(op)
	}
}

func (r *recorder) EndFrame() {
	if !r.idle() {
		r.add(recordOp{Kind: opEnd, Tick: r.ticks})
	}
	r.Simulation.EndFrame()
}

func (r *recorder) add(op recordOp) {
	if r.out != nil {
		r.out.add(op)
	}
	r.box.add(&op)
}

// rewind takes down that the run went back to a tick, where the world is again.
func (r *recorder) rewind(tick uint64) {
	r.ticks = tick
	back := recordOp{Kind: opBack, Tick: tick, Made: r.HandlesMade()}
	if r.out != nil && tick < r.first {
		r.out.fail(errors.New("record: a rollback went back to before the recording began"))
	} else if r.out != nil {
		r.out.add(back)
	}
	r.box.rewind(r, &back)
}

// skipHandles is world.Simulation.SkipHandles, for a replay.
func (r *recorder) skipHandles(made uint64) {
	r.SkipHandles(made)
	if !r.idle() {
		r.add(recordOp{Kind: opBack, Tick: r.ticks, Made: made})
	}
}

// refuse says that a closure cannot be recorded, and where it was given:
// callers is how many of our own functions lie between.
func (r *recordWriter) refuse(callers int) {
	_, file, line, _ := runtime.Caller(callers + 1)
	err := fmt.Errorf("record: a closure given to Do at %s:%d cannot be recorded; give it a name with Register and use DoNamed", file, line)
	if r.stop(err) {
		r.tell(err)
	}
}

// jump says that the world is at another tick now.
func (r *recorder) jump(tick uint64) {
	r.ticks = tick
	r.box.gap()
}
