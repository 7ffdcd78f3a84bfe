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
	// Scene and Data have the meaning that they have in RecordOptions.
	Scene string
	Data  []byte
	// CameraMin and CameraMax are the corners of the part of the world that a watcher shows at
	// first, in m. If both are the same, a watcher shows all bodies.
	CameraMin, CameraMax world.Vec
}

func (o *WatchOptions) header() history.Header {
	return history.Header{Scene: o.Scene, Data: o.Data, CameraMin: o.CameraMin, CameraMax: o.CameraMax}
}

// ErrSlowWatcher is wrapped by the error of Stream if the writer is too slow for the run.
var ErrSlowWatcher = history.ErrSlow

// Stream writes a recording of the run to w during the run. The recording begins with the past of
// the black box, or with a snapshot if there is no black box. Stream then writes the commands about
// twenty times a second. While the program draws no frames, Stream writes once a second that
// nothing has happened. FollowRecording reads this recording. With HistoryOptions.Rollback the
// recording is behind the run by the ticks that a rollback can still replace.
//
// All calls of Stream share one recording. While Stream runs, physics computes a hash of the world
// in each step, and makes a snapshot for each new call. Physics never waits for w. If more than 16
// MiB are waiting to be written to w, Stream ends with ErrSlowWatcher.
//
// Stream returns when the context is done, when w fails, when something cannot be recorded (a
// function given to Do, a replay that seeks), or with nil when the engine is closed. Any goroutine
// may call Stream; do not call it on the goroutine that draws, because Stream blocks.
func (h History) Stream(ctx context.Context, w io.Writer) error { return h.e.stream(ctx, w, h.e.feed) }

// StreamStates is Stream for a world with controllers, hooks or functions that the program at the
// reading end does not have. In place of the commands it writes the shown state of each tick: 32
// bytes for each body that has moved, the bodies, shapes and joints that were added, changed or
// removed, and the events. A replay shows these states and compares nothing, and Recording.States
// is true. The User value of an event is written if it is a number or a string. With
// HistoryOptions.Rollback and in RunAhead, a later correction does not change a tick that was
// written already.
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
	watcher, in := feed.Watch() // physics must add the watcher after the time in
	defer watcher.Close()
	select {
	case <-time.After(in):
	case <-ctx.Done():
		return ctx.Err()
	}
	feed.RequestJoin()
	e.link.Demand.Ring() // wakes physics, which may be waiting for a demand
	if e.stopped() {     // an engine that has ended meanwhile adds no watcher
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
