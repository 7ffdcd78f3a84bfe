package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"halfstep/internal/history"
	"halfstep/world"
)

// WatchOptions describe the scene for programs that watch the run; see History.Stream.
type WatchOptions struct {
	// Scene and Data are those of RecordOptions.
	Scene string
	Data  []byte
	// CameraMin and CameraMax are corners of the part of the world that is shown at first, m. If both
	// are the same, all bodies are shown.
	CameraMin, CameraMax world.Vec
}

func (o *WatchOptions) header() history.Header {
	return history.Header{Scene: o.Scene, Data: o.Data, CameraMin: o.CameraMin, CameraMax: o.CameraMax}
}

// ErrSlowWatcher is wrapped by the error of Stream if w is too far behind.
var ErrSlowWatcher = history.ErrSlow

// Stream writes a recording of the run to w during the run. It begins with the past of the black
// box, if there is one, or with a snapshot. After that it writes the commands, about twenty times
// a second. While the program draws no frames, Stream writes once a second that nothing has
// happened. FollowRecording reads such a recording. With HistoryOptions.Rollback the recording is
// behind the run by the ticks that a rollback can still replace.
//
// Any number of calls share one recording. For it physics computes a hash of the state in each
// step, and for each new call a snapshot. Physics never waits for w. If w is more than 16 MiB
// behind, Stream ends with ErrSlowWatcher.
//
// Stream returns when the context is done, when w fails, when something cannot be recorded (a
// function given to Do, a replay that seeks), or with nil when the engine is closed. Any
// goroutine may call it, but the goroutine that draws would be blocked.
func (h History) Stream(ctx context.Context, w io.Writer) error { return h.e.stream(ctx, w, h.e.feed) }

// StreamStates is like Stream, for a world with code that the reader does not have: controllers,
// hooks, functions. In place of commands it writes each tick as it is shown: 32 bytes for each
// body that has moved, the bodies, shapes and joints that were added, changed or removed, and the
// events. A replay shows these states and compares nothing, and Recording.States is true. The
// User values of events are written if they are numbers or strings. With HistoryOptions.Rollback
// and in RunAhead, a later correction does not change a tick that was written already.
func (h History) StreamStates(ctx context.Context, w io.Writer) error {
	return h.e.stream(ctx, w, h.e.shown)
}

func (e *Engine) stream(ctx context.Context, w io.Writer, feed *history.Feed) error {
	switch {
	case ctx == nil || w == nil:
		return errors.New("watch: no context, or nothing to write to")
	case e.stopped():
		return errors.New("watch: physics has ended")
	case e.replay != nil && e.replay.States:
		return errors.New("watch: a replay of a recording of states cannot be watched: watch the program that made it")
	}
	watcher, in := feed.Watch() // physics may be asked to let the watcher in after the time in
	defer watcher.Close()
	select {
	case <-time.After(in):
	case <-ctx.Done():
		return ctx.Err()
	}
	feed.RequestJoin()
	e.link.Demand.Ring() // wakes physics, which may have no steps to do
	if e.stopped() {     // the engine may have ended in the meantime, and then lets no watcher in
		feed.DropWaiting()
	}
	for {
		chunks, err := watcher.Next(ctx.Done())
		switch {
		case err == io.EOF:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("watch: %w", err)
		}
		for _, c := range chunks {
			if _, err := w.Write(c); err != nil {
				return err
			}
		}
	}
}
