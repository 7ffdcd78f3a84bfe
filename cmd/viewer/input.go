package main

import (
	"sync"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// inputKind says which fields of an inputEvent are used.
type inputKind uint8

const (
	keyInput     inputKind = iota // key, action, mods
	buttonInput                   // button, action
	cursorInput                   // x, y
	scrollInput                   // y
	surfaceInput                  // surface
	sayInput                      // text
	quitInput
)

// inputEvent is something that the window system reported.
type inputEvent struct {
	kind    inputKind
	key     glfw.Key
	button  glfw.MouseButton
	action  glfw.Action
	mods    glfw.ModifierKey
	x, y    float64 // framebuffer pixels from the top left, or wheel clicks
	surface surface
	text    string
}

// surface is what is drawn on.
type surface struct {
	w, h  int     // framebuffer pixels; 0 while the window is minimised
	scale float64 // content scale: pixels per unit of text and lines
}

func (s surface) empty() bool { return s.w <= 0 || s.h <= 0 }

// queue carries input from the main thread to the render thread.
type queue struct {
	mu     sync.Mutex
	events []inputEvent

	// wake holds a ring while there is something that a render thread without
	// a picture to draw should look at.
	wake chan struct{}

	quitting chan struct{} // closed when the run is to end
	once     sync.Once
}

func newQueue() *queue {
	return &queue{wake: make(chan struct{}, 1), quitting: make(chan struct{})}
}

// quit says to those who wait for it that the run is to end. Any goroutine.
func (q *queue) quit() { q.once.Do(func() { close(q.quitting) }) }

// put adds an event; any goroutine.
func (q *queue) put(e inputEvent) {
	if e.kind == quitInput {
		q.quit()
	}
	q.mu.Lock()
	q.events = append(q.events, e)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// swap takes all events and leaves spare to be filled. The render thread never
// waits: if an event is being added right now, all come a frame later.
func (q *queue) swap(spare []inputEvent) []inputEvent {
	if !q.mu.TryLock() {
		return spare[:0]
	}
	events := q.events
	q.events = spare[:0]
	q.mu.Unlock()
	return events
}
