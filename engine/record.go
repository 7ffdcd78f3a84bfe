package engine

import (
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/internal/history"
)

// RecordOptions say where a recording is written, and what it stores about the scene.
//
// A recording stores user values of the types bool, string and the numeric types. User values of
// other types, even of types that are defined from these, are nil in a replay. If a function on
// the physics goroutine moves bodies by such a value, the replay differs from the recording and
// reports that.
type RecordOptions struct {
	// W receives the recording, about 10 bytes per body and tick, in chunks of half a second. A
	// goroutine of its own writes to W, and never closes it. If W has a method Sync() error, as
	// files do, Sync is called after every chunk, so that after a loss of power at most the last
	// chunk is missing. Sync is not called if W has a method Stat that says that W is not a regular
	// file.
	W io.Writer
	// Scene and Data are returned with the Recording. They are a name, the bytes of a file, or other
	// data from which a program builds the scene again.
	Scene string
	Data  []byte
	// From is the tick at which the recording begins, with a snapshot of the world. With 0, or a
	// tick that has passed, HistoryOptions.Record begins with the run and StartRecording with the
	// next frame. With HistoryOptions.Rollback it begins earlier, by the number of ticks that a
	// rollback can go back.
	From uint64
	// FromSetup leaves the snapshot of the world that Setup has built out of a recording that begins
	// with the run. Then the recording is smaller, and only a program with the same Setup can replay
	// it.
	FromSetup bool
	// States makes the recording also store the shown states, with 32 bytes for each body that moves
	// in a tick. ReadOptions.States reads them. With them the viewer can show a world with
	// controllers, hooks or functions, which only its own program can compute.
	States bool
	// OnError is called once, on any goroutine, as soon as a command cannot be recorded or W fails.
	// The recording ends there, and the run continues. If it is nil, Config.Logger gets the error.
	// OnError may call Engine.Close. A panic in it becomes part of Close's error.
	OnError func(error)
	// OnEnd is called once, on any goroutine, when nothing more will be written
	// to W: after StopRecording, after Close, or after an error, which is its
	// argument. Nil is allowed. A panic in it is ignored.
	OnEnd func(error)
	// CloseTimeout is the time for which Engine.Close waits for W, and for OnError if an error of W
	// has called it. 0 means 10 s. After that time Close returns an error and nothing more is
	// written. The goroutine that writes ends when W returns.
	CloseTimeout time.Duration
}

// recordings are the recordings of an engine. Only one of them runs at a time.
type recordings struct {
	now atomic.Pointer[history.Writer] // the writer of the recording that is running or waits to begin, or nil

	mu   sync.Mutex
	last *history.Writer   // the newest writer, whose error Close returns
	open []*history.Writer // writers whose files may not be complete yet
}

// add makes w the current recording. It drops the writers whose files are complete.
func (r *recordings) add(w *history.Writer) {
	r.now.Store(w)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = w
	r.open = append(slices.DeleteFunc(r.open, func(o *history.Writer) bool {
		select {
		case <-o.Done():
			return true
		default:
			return false
		}
	}), w)
}

// newest is the newest recording, or nil.
func (r *recordings) newest() *history.Writer {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// StartRecording begins a recording with the next frame, or at the tick RecordOptions.From if
// that is later. It begins with a snapshot of the world; commands that wait for a later tick are
// recorded when they are carried out. At the beginning physics makes a snapshot, and with
// HistoryOptions.Rollback converts it to bytes. After that it computes a hash in each step.
//
// The error says that there is no writer, that the engine replays or has ended, or that a
// recording is running already. RecordOptions.OnError gets later errors, such as a world that
// cannot be saved or a function given to Do.
func (h History) StartRecording(o RecordOptions) error {
	e := h.e
	switch {
	case e.replay != nil:
		return errors.New("record: a replay cannot be recorded")
	case e.stopped():
		return errors.New("record: physics has ended")
	case e.History().Recording():
		return errors.New("record: a recording is under way")
	}
	w, err := e.newWriter(o)
	if err != nil {
		return err
	}
	e.recordings.add(w)
	e.recordAtTick(w)
	return nil
}

// newWriter returns the writer of a recording. If there is no OnError, the engine's logger gets
// its error.
func (e *Engine) newWriter(o RecordOptions) (*history.Writer, error) {
	if o.OnError == nil {
		log := e.logger
		o.OnError = func(err error) { log.Error(err.Error()) }
	}
	return history.NewWriter(history.WriterOptions(o))
}

// recordAtTick gives physics an order to begin a recording at its tick.
func (e *Engine) recordAtTick(w *history.Writer) {
	e.give(scheduled{At: w.From(), Command: private.NewOrder(history.StartRecording{Writer: w})})
}

// Recording reports whether a recording is running or waits for its tick. After an error it
// returns false.
func (h History) Recording() bool {
	w := h.e.recordings.now.Load()
	return w != nil && w.Err() == nil
}

// StopRecording ends the recording with the next frame, after the commands given so far.
// RecordOptions.OnEnd is called when the file is complete. If the recording has failed,
// StopRecording returns the error of the recording. It also returns an error if there is no
// recording.
func (h History) StopRecording() error {
	e := h.e
	w := e.recordings.now.Swap(nil)
	if w == nil {
		return errors.New("record: no recording is under way")
	}
	if err := w.Err(); err != nil {
		return err
	}
	e.command(private.NewOrder(history.EndRecording{Writer: w}))
	return nil
}

// closeRecordings ends the recordings, and waits until their files are complete. Physics must
// have ended before.
func (e *Engine) closeRecordings() {
	for _, w := range e.endRecordings(e.Failure() == nil) {
		w.Wait()
	}
}

// endRecordings ends the recordings. With clean, it writes their endings. It returns the writers
// whose files may not be complete yet. It is called on the physics goroutine, or after the end
// of that goroutine.
func (e *Engine) endRecordings(clean bool) []*history.Writer {
	e.recordings.now.Store(nil)
	e.recordings.mu.Lock()
	open := e.recordings.open
	e.recordings.mu.Unlock()
	for _, w := range open {
		e.past.EndRecording(w, clean)
	}
	return open
}
