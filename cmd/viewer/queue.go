package main

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/internal/monotime"
)

// inputKind says which fields of an inputEvent are used.
type inputKind uint8

const (
	keyInput     inputKind = iota // key, action, mods
	buttonInput                   // button, action
	cursorInput                   // x, y
	scrollInput                   // y
	surfaceInput                  // surface
	layoutInput                   // names
	callInput                     // call
	dropInput                     // paths
	charInput                     // char
	leaveInput                    // the cursor has left the window
	quitInput
)

// inputEvent is something that the render thread has to handle: input by the user, or a message from
// another goroutine. Which fields are set depends on its kind.
type inputEvent struct {
	kind    inputKind
	key     glfw.Key // the place of the key on a US keyboard; see keyboard.key
	names   layoutNames
	button  glfw.MouseButton
	action  glfw.Action
	mods    glfw.ModifierKey
	x, y    float64 // cursor: framebuffer pixels from the top left; wheel: clicks
	surface surface
	paths   []string     // of files that were dropped on the window
	call    func() error // called by the render thread
	char    rune
	at      time.Time // when it was put into the queue
}

// surface is the size of the framebuffer.
type surface struct {
	w, h  int     // framebuffer pixels; 0 while the window is minimised
	scale float64 // content scale: pixels per unit of text and lines

	refresh time.Duration // between two refreshes of the display, 0 if it is unknown
}

func (s surface) empty() bool { return s.w <= 0 || s.h <= 0 }

// queue carries input from the main thread to the render thread.
type queue struct {
	mu     sync.Mutex
	events []inputEvent

	// wake gets an element when there are events. It wakes a render thread that rests,
	// such as that of a minimised window.
	wake chan struct{}

	quitting chan struct{} // closed when the run is asked to end
	begun    atomic.Bool   // the first scene is open and has what flags name: files may be replaced
	once     sync.Once
}

func newQueue() *queue {
	return &queue{wake: make(chan struct{}, 1), quitting: make(chan struct{})}
}

// quit asks the run to end. Any goroutine may call it.
func (q *queue) quit() { q.once.Do(func() { close(q.quitting) }) }

// asked reports whether the run was asked to end.
func (q *queue) asked() bool {
	select {
	case <-q.quitting:
		return true
	default:
		return false
	}
}

// put adds an event. Any goroutine may call it.
func (q *queue) put(e inputEvent) {
	if e.kind == quitInput {
		q.quit()
	}
	e.at = monotime.Now()
	q.mu.Lock()
	q.events = append(q.events, e)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// swap takes all events, and gives the queue an empty list to fill. It never
// waits: if an event is being added at this moment, it returns none.
func (q *queue) swap(empty []inputEvent) []inputEvent {
	if !q.mu.TryLock() {
		return empty[:0]
	}
	events := q.events
	q.events = empty[:0]
	q.mu.Unlock()
	return events
}
