package engine

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"halfstep/world"
)

// recordings are those of an engine, one after the other.
type recordings struct {
	now atomic.Pointer[recordWriter] // to come or under way, or nil

	mu   sync.Mutex
	last *recordWriter   // the newest, whose error Close returns
	open []*recordWriter // that may not be written yet
}

func (r *recordings) add(out *recordWriter) {
	r.now.Store(out)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = out
	r.open = append(slices.DeleteFunc(r.open, func(o *recordWriter) bool {
		select {
		case <-o.done:
			return true
		default:
			return false
		}
	}), out)
}

func (r *recordings) newest() *recordWriter {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// StartRecording begins a recording with the next frame, or at the tick
// RecordOptions.From if that is to come. What has been done by then is in its
// snapshot of the world, and commands that wait for a later tick are in it when
// they are carried out. Taking the snapshot is all that physics does for it.
//
// The error says that there is no writer, that the engine replays or has ended, or that a recording is under way already. What goes wrong
// later is told to RecordOptions.OnError: also that the world cannot be saved, or
// that a function given to Do comes in.
func (e *Engine) StartRecording(o RecordOptions) error {
	switch {
	case e.replay != nil:
		return errors.New("record: a replay cannot be recorded")
	case e.stopped():
		return errors.New("record: physics has ended")
	case e.Recording():
		return errors.New("record: a recording is under way")
	}
	out, err := newRecordWriter(o)
	if err != nil {
		return err
	}
	e.recordings.add(out)
	e.await(out)
	return nil
}

// await has a recording begin at its tick.
func (e *Engine) await(out *recordWriter) {
	c := e.Commands
	if out.opts.From > 0 {
		c = c.At(out.opts.From)
	}
	c.Inspect(func(*world.World) { e.recorder.begin(out) })
}

// Recording reports whether a recording is under way or waits for its tick. After
// an error it is not.
func (e *Engine) Recording() bool {
	out := e.recordings.now.Load()
	return out != nil && !out.stopped.Load()
}

// StopRecording ends the recording with the next frame, after the commands given
// so far. RecordOptions.OnEnd is called when it is written. The error is that of
// the recording if it has ended by itself, or says that there is none.
func (e *Engine) StopRecording() error {
	out := e.recordings.now.Load()
	if out == nil {
		return errors.New("record: no recording is under way")
	}
	e.recordings.now.Store(nil)
	out.mu.Lock()
	err := out.err
	out.mu.Unlock()
	if err == nil {
		e.Inspect(func(*world.World) { e.stopRecording(out, true) })
	}
	return err
}

// stopRecording ends a recording where it is. On the physics goroutine, or after
// its end.
func (e *Engine) stopRecording(out *recordWriter, clean bool) {
	if out.begun.Load() {
		e.recorder.end(out, clean)
		return
	}
	out.fail(fmt.Errorf("record: the recording was to begin at tick %d; it ended at tick %d", out.opts.From, e.recorder.ticks))
	go out.over()
}

// closeRecordings ends the recording and waits for all that is to be written.
// Physics must have ended.
func (e *Engine) closeRecordings() {
	e.recordings.mu.Lock()
	open := e.recordings.open
	e.recordings.mu.Unlock()
	for _, out := range open {
		e.stopRecording(out, e.Failure() == nil)
	}
	for _, out := range open {
		out.wait()
	}
}

// recordingCut reports whether there is a recording that has ended early.
func (e *Engine) recordingCut() bool {
	out := e.recordings.newest()
	return out != nil && out.stopped.Load()
}

// recordingError is why the newest recording ended early, or nil; cut is what
// recordingCut was before Close.
func (e *Engine) recordingError(cut bool) error {
	if out := e.recordings.newest(); out != nil {
		return out.result(cut)
	}
	return nil
}
