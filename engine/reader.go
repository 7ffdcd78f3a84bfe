package engine

import (
	"errors"
	"fmt"
	"runtime"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/renderloop"
)

// ErrEnded is the error of NewReader when physics has ended.
var ErrEnded = errors.New("physics has ended")

// ErrTooManyReaders is the error of NewReader when an engine has buffer.MaxReaders
// readers.
var ErrTooManyReaders = fmt.Errorf("an engine has at most %d readers", buffer.MaxReaders)

// Reader is a view of the world for a goroutine that does not draw: one that sends
// states over a network, plays sounds, or draws a second window. It has the methods of
// an Engine that ask about the picture (View, Pose, Poses, Find, Shown, Pick, States),
// for a picture of its own. Update and UpdateToPicture set the instant of that picture; in
// between it does not change.
//
// A Reader never waits for anybody, and nobody waits for a Reader. It may be as slow as
// it likes and demands no steps. Its methods belong to one goroutine. Give it back with
// Close. A forgotten Reader is given back once the garbage collector finds it.
type Reader struct {
	picture
	engine  *Engine
	reader  *renderloop.Reader[body2d.State]
	cleanup runtime.Cleanup // gives a forgotten Reader back
}

// NewReader returns a Reader for any goroutine. Any goroutine may call it. The Reader is empty
// until physics has published a state for it: after the step in progress, or at once if there
// is none. An engine has at most buffer.MaxReaders of them.
//
// A Reader costs memory, a few hundred bytes for each body: up to six states, the list
// of bodies and shapes, and the index of Shown once it is used. It costs physics a
// fraction of a microsecond in each step, and copies of records: at first of every body, shape
// and joint, later of those that are added, changed or removed.
func (e *Engine) NewReader() (*Reader, error) {
	if e.stopped() {
		return nil, ErrEnded
	}
	from := e.link.NewReader() // where physics publishes states for it
	if from == nil {
		return nil, ErrTooManyReaders
	}
	reader := renderloop.NewReader(from)
	reader.View().LateVelocity = e.late // as in the engine's own view
	r := &Reader{picture: picture{view: reader.View()}, engine: e, reader: reader}
	r.cleanup = runtime.AddCleanup(r, (*buffer.Reader[body2d.State]).Close, from)
	return r, nil
}

// Update sets the picture to the newest published tick, without blending:
// Prev and Cur of the View are the same, and Instant is Tick. In RunAhead that tick is
// a prediction. It reports whether the states are new.
//
// Update and UpdateToPicture give back the states that the Reader held before, so slices of
// the View must not be kept. Nor do they outlive the Reader.
func (r *Reader) Update() bool { return r.reader.Newest() }

// UpdateToPicture sets the picture to the instant that the last frame of the engine shows, or
// to the nearest instant in the newest three ticks. It reports whether the states are new.
func (r *Reader) UpdateToPicture() bool {
	shown := r.engine.published.figures.Load()
	r.view.Smoothing = shown.smoothing
	return r.reader.At(shown.tick, shown.alpha, shown.instant)
}

// Close gives the Reader back. Its picture is empty from now on. Close may be called
// again, also within a loop over Poses or the answer to a question.
func (r *Reader) Close() {
	r.cleanup.Stop()
	r.reader.Close()
}
