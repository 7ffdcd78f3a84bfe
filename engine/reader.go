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

// Reader is a view of the world for a goroutine that does not draw: one that sends states
// over a network, plays sounds, or draws a second window. A Reader has a picture of its own,
// and the methods of an Engine that ask about a picture (View, Pose, Poses, Find, Shown,
// Pick, States). Update and UpdateToPicture set the instant of that picture. It changes only
// in these calls.
//
// A Reader never waits, and no other goroutine waits for it. It demands no steps. Its methods
// belong to one goroutine. Release it with Close; otherwise the garbage collector releases
// it.
type Reader struct {
	picture
	engine  *Engine
	reader  *renderloop.Reader[body2d.State]
	cleanup runtime.Cleanup // releases a Reader that nobody uses any more
}

// NewReader returns a Reader. Any goroutine may call NewReader, and any one goroutine may use
// the Reader. The Reader is empty until physics has published a state for it. That happens
// after the present step, or at once if there is no step. An engine has at most
// buffer.MaxReaders Readers.
//
// A Reader needs a few hundred bytes of memory for each body: for up to six states, for the
// list of bodies and shapes, and for the index of Shown once that is used. Physics needs a
// fraction of a microsecond for it in each step, and copies records: at first those of all
// bodies, shapes and joints, and later those of objects that are added, changed or removed.
func (e *Engine) NewReader() (*Reader, error) {
	if e.stopped() {
		return nil, ErrEnded
	}
	from := e.link.NewReader() // physics publishes states for the Reader here
	if from == nil {
		return nil, ErrTooManyReaders
	}
	reader := renderloop.NewReader(from)
	reader.View().LateVelocity = e.late // the same as in the engine's own view
	r := &Reader{picture: picture{view: reader.View()}, engine: e, reader: reader}
	r.cleanup = runtime.AddCleanup(r, (*buffer.Reader[body2d.State]).Close, from)
	return r, nil
}

// Update sets the picture to the newest published tick, without blending: Prev and Cur of
// the View are the same, and Instant is Tick. In RunAhead that tick is a prediction. It
// reports whether the states are new.
//
// Slices of the View are valid until the next Update, UpdateToPicture or Close.
func (r *Reader) Update() bool { return r.reader.Newest() }

// UpdateToPicture sets the picture to the instant that the last frame of the engine shows. If
// the Reader does not have that instant, it sets the picture to the nearest instant in the
// newest three ticks. It reports whether the states are new.
func (r *Reader) UpdateToPicture() bool {
	shown := r.engine.published.figures.Load()
	r.view.Smoothing = shown.smoothing
	return r.reader.At(shown.tick, shown.alpha, shown.instant)
}

// Close releases the Reader and empties its picture. Close may be called more than once, even
// in a loop over Poses and in a function that a query calls.
func (r *Reader) Close() {
	r.cleanup.Stop()
	r.reader.Close()
}
