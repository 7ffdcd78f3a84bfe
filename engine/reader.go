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

// Reader is a view of the world for a goroutine that does not draw for the Engine: for example a
// goroutine that sends states over a network, plays sounds, or draws a second window. A Reader has
// a picture of its own, and the methods about it that an Engine has (View, Pose, Poses, Find,
// Shown, Pick, States). The picture changes only in Update and UpdateToPicture.
//
// A Reader never waits, no other goroutine waits for a Reader, and a Reader demands no steps. Only
// one goroutine may call the methods of a Reader. Close releases a Reader; without Close the
// garbage collector releases it.
type Reader struct {
	picture
	engine  *Engine
	reader  *renderloop.Reader[body2d.State]
	cleanup runtime.Cleanup // releases a Reader that nobody uses any more
}

// NewReader returns a Reader. Any goroutine may call NewReader. The Reader is empty until physics
// has published a state for it: after the step in progress, or at once if there is no such step. An
// engine has at most buffer.MaxReaders Readers.
//
// A Reader needs a few hundred bytes of memory for each body. For each Reader physics needs a
// fraction of a microsecond per step, plus the time to copy the records of all bodies, shapes and
// joints once, and later the records of objects that are added, changed or removed.
func (e *Engine) NewReader() (*Reader, error) {
	if e.stopped() {
		return nil, ErrEnded
	}
	from := e.link.NewReader() // physics publishes states for the Reader to the variable from
	if from == nil {
		return nil, ErrTooManyReaders
	}
	reader := renderloop.NewReader(from)
	reader.View().LateVelocity = e.late // as in the engine's own view
	r := &Reader{picture: picture{view: reader.View()}, engine: e, reader: reader}
	r.cleanup = runtime.AddCleanup(r, (*buffer.Reader[body2d.State]).Close, from)
	return r, nil
}

// Update sets the picture to the newest published tick, without blending: Prev and Cur of the View
// are the same, and Instant is Tick. In RunAhead that tick is a prediction. Update reports whether
// the states of the picture have changed.
//
// Slices of the View are valid until the next Update, UpdateToPicture or Close.
func (r *Reader) Update() bool { return r.reader.Newest() }

// UpdateToPicture sets the picture to the instant that the last frame of the engine shows. If that
// instant is not in the newest three ticks of the Reader, the picture shows the nearest instant in
// these ticks. UpdateToPicture reports whether the states of the picture have changed.
func (r *Reader) UpdateToPicture() bool {
	shown := r.engine.published.figures.Load()
	r.view.Smoothing = shown.smoothing
	return r.reader.At(shown.tick, shown.alpha, shown.instant)
}

// Close releases the Reader and empties the picture. Close may be called more than once, and also
// in a loop over Poses or in a function that a query calls.
func (r *Reader) Close() {
	r.cleanup.Stop()
	r.reader.Close()
}
