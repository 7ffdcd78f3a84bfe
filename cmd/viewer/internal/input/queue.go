// Package input carries events from outside to the render thread: keys, the mouse, the size of the
// window, and calls by other goroutines. It uses no window system.
package input

import (
	"sync"
	"sync/atomic"
	"time"

	"halfstep/internal/monotime"
)

// Kind says which fields of an Event are used.
type Kind uint8

const (
	KeyInput     Kind = iota // key, action, mods
	ButtonInput              // button, action
	CursorInput              // x, y
	ScrollInput              // y
	SurfaceInput             // surface
	LayoutInput              // names
	CallInput                // call
	DropInput                // paths
	CharInput                // char
	LeaveInput               // the cursor has left the window
	QuitInput
)

// Event is an event for the render thread: input by the user, or a message from another goroutine.
// Its kind decides which fields are set.
type Event struct {
	Kind    Kind
	Key     Key // see keyboard.key
	Names   LayoutNames
	Button  Button
	Action  Action
	Mods    Mods
	X, Y    float64 // cursor: framebuffer pixels from the top left; wheel: clicks
	Surface Surface
	Paths   []string     // of files that were dropped on the window
	Call    func() error // called by the render thread
	Char    rune
	At      time.Time // when it came; zero: when it is put into the queue
}

// Surface is the size of the framebuffer.
type Surface struct {
	W, H  int     // framebuffer pixels; 0 while the window is minimised
	Scale float64 // content scale: pixels per unit of text and lines

	Refresh time.Duration // between two refreshes of the display, 0 if it is unknown
}

func (s Surface) Empty() bool { return s.W <= 0 || s.H <= 0 }

// Queue carries input from the main thread to the render thread.
type Queue struct {
	mu     sync.Mutex
	events []Event

	// Wake gets an element when there are events. It wakes a resting render thread, such as that of a
	// minimised window.
	Wake chan struct{}

	swaps int // how often the render thread has taken the events

	Quitting chan struct{} // closed when the run is asked to end
	QuitKey  atomic.Int32  // the key that quits without a question, or 0; it works also while no event is taken
	Begun    atomic.Bool   // the first scene is open and has all that flags name: files may be replaced
	once     sync.Once
}

func NewQueue() *Queue {
	return &Queue{Wake: make(chan struct{}, 1), Quitting: make(chan struct{})}
}

// Quit asks the run to end. Any goroutine may call it.
func (q *Queue) Quit() { q.once.Do(func() { close(q.Quitting) }) }

// Asked reports whether the run was asked to end.
func (q *Queue) Asked() bool {
	select {
	case <-q.Quitting:
		return true
	default:
		return false
	}
}

// Put adds an event. Any goroutine may call it.
func (q *Queue) Put(e Event) {
	if e.Kind == QuitInput {
		q.Quit()
	}
	if e.At.IsZero() {
		e.At = monotime.Now()
	}
	q.mu.Lock()
	q.events = append(q.events, e)
	swaps := q.swaps
	q.mu.Unlock()
	if e.Kind == KeyInput && e.Action == Press && e.Key != 0 && int32(e.Key) == q.QuitKey.Load() {
		time.AfterFunc(blockedTime, func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			if q.swaps == swaps { // a step blocks the render thread
				q.Quit()
			}
		})
	}
	select {
	case q.Wake <- struct{}{}:
	default:
	}
}

// blockedTime is the longest time without a Swap before QuitKey quits by itself.
const blockedTime = 150 * time.Millisecond

// Swap takes all events, and gives the queue an empty list to fill. It never waits: while an event
// is being added, it returns none.
func (q *Queue) Swap(empty []Event) []Event {
	if !q.mu.TryLock() {
		return empty[:0]
	}
	events := q.events
	q.events = empty[:0]
	q.swaps++
	q.mu.Unlock()
	return events
}
