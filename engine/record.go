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
// A recording stores user values of the types bool, string and the numeric types. A user value of
// any other type, such as type Team int, is nil in a replay. If a callback moves bodies by such a
// value, the replay differs from the recording and ends with a *Mismatch.
type RecordOptions struct {
	// W receives the recording, about 10 bytes per body and tick, in chunks of half a second. A
	// goroutine of the engine writes to W. The engine never closes W. If W has a method Sync()
	// error, as an os.File has, Sync is called after every chunk, so a loss of power loses at most
	// the last chunk. Sync is not called if W's method Stat says that W is not a regular file.
	W io.Writer
	// Scene and Data are stored in the recording and returned in Recording.Scene and
	// Recording.Data. They are for the program: a name, the bytes of a file, or other data from
	// which it builds the scene again.
	Scene string
	Data  []byte
	// From is the tick at which the recording begins with a snapshot of the world. If From is 0 or
	// has passed, HistoryOptions.Record begins with the run, and StartRecording begins with the
	// next frame. With HistoryOptions.Rollback the recording begins RollbackOptions.Ticks before
	// From.
	From uint64
	// FromSetup makes a recording smaller that begins with the run: the recording then does not
	// have a snapshot of the world that Setup has built, and only a program with the same Setup can
	// replay it.
	FromSetup bool
	// States makes the recording also store the shown states, with 32 bytes for each body that
	// moves in a tick. ReadOptions.States reads these states. The viewer shows them for a world
	// with controllers, hooks or functions, which only the program of that world can compute.
	States bool
	// OnError is called once, on any goroutine, as soon as a command cannot be recorded or W fails.
	// The recording ends then, and the run continues. If OnError is nil, Config.Logger gets the
	// error. OnError may call Engine.Close. A panic in OnError becomes part of the error of Close.
	OnError func(error)
	// OnEnd is called once, on any goroutine, when nothing more will be written to W: after
	// StopRecording, after Close, or after an error. The argument is that error or nil. OnEnd may
	// be nil. A panic in OnEnd is ignored.
	OnEnd func(error)
	// CloseTimeout is the longest time for which Engine.Close waits until the recording is written,
	// and until OnError returns. 0 means 10 s. After that time Close returns an error and nothing
	// more is written.
	CloseTimeout time.Duration
}

// recordings has the writers of an engine's recordings. At most one recording runs at a time.
type recordings struct {
	now atomic.Pointer[history.Writer] // the writer of the recording that is running or has not begun yet, or nil

	mu   sync.Mutex
	last *history.Writer   // the newest writer; Close returns its error
	open []*history.Writer // writers whose files may not be complete yet
}

// add makes w the current writer, and removes writers whose files are complete from the list open.
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

// newest returns the newest writer, or nil.
func (r *recordings) newest() *history.Writer {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// StartRecording begins a recording with the next frame, or at the tick RecordOptions.From if that
// is later. The recording begins with a snapshot of the world. A command that waits for a later
// tick is recorded when it is carried out. In each step of the recording physics computes a hash of
// the world.
//
// The error says that RecordOptions.W is nil, that the engine replays or has ended, or that a
// recording is running already. RecordOptions.OnError gets later errors, for example that the world
// cannot be saved, or that a function given to Do cannot be recorded.
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

// newWriter returns the writer of a recording. If there is no OnError, the engine's logger gets the
// error of the recording.
func (e *Engine) newWriter(o RecordOptions) (*history.Writer, error) {
	if o.OnError == nil {
		log := e.logger
		o.OnError = func(err error) { log.Error(err.Error()) }
	}
	return history.NewWriter(history.WriterOptions(o))
}

// recordAtTick orders physics to begin the recording of w at RecordOptions.From.
func (e *Engine) recordAtTick(w *history.Writer) {
	e.give(scheduled{At: w.From(), Command: private.NewOrder(history.StartRecording{Writer: w})})
}

// Recording reports whether a recording is running or waits for RecordOptions.From. After an error
// of the recording it returns false.
func (h History) Recording() bool {
	w := h.e.recordings.now.Load()
	return w != nil && w.Err() == nil
}

// StopRecording ends the recording with the next frame, after the commands given so far.
// RecordOptions.OnEnd is called when the file is complete. If the recording has failed,
// StopRecording returns the error of the recording. StopRecording also returns an error if there is
// no recording.
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

// closeRecordings ends the recordings, and waits until their files are complete. It must be called
// after the end of the physics goroutine.
func (e *Engine) closeRecordings() {
	for _, w := range e.endRecordings(e.Failure() == nil) {
		w.Wait()
	}
}

// endRecordings ends the recordings. If clean is true, it also writes the endings of the
// recordings. It returns the writers whose files may not be complete yet. It is called on the
// physics goroutine, or after the end of that goroutine.
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
