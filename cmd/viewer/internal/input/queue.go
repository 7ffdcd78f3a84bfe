// Package input carries events from outside to the render thread: keys, the mouse, the size of the
// window, and calls by other goroutines. It does not use a window system.
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
	LeaveInput               // LeaveInput: the cursor has left the window.
	QuitInput
)

// Event is an event for the render thread. It is input by the user, or a message from another
// goroutine. Its kind says which fields are set.
type Event struct {
	Kind    Kind
	Key     Key // see keyboard.key
	Names   LayoutNames
	Button  Button
	Action  Action
	Mods    Mods
	X, Y    float64 // for the cursor in framebuffer pixels from the top left, for the wheel in clicks
	Surface Surface
	Paths   []string     // Paths are the files that were dropped on the window.
	Call    func() error // Call is called by the render thread.
	Char    rune
	At      time.Time // At is when the event came. If it is zero, the time at which the event enters the queue is used.
}

// Surface is the size of the framebuffer.
type Surface struct {
	W, H  int     // the size in framebuffer pixels; 0 while the window is minimised
	Scale float64 // Scale is the content scale: the number of pixels per unit of text and lines.

	Refresh time.Duration // Refresh is the time between two refreshes of the display, or 0 if it is unknown.
}

func (s Surface) Empty() bool { return s.W <= 0 || s.H <= 0 }

// Queue carries input from the main thread to the render thread.
type Queue struct {
	mu     sync.Mutex
	events []Event

	// Wake receives an element when there are events. It wakes a render thread that rests, such as
	// that of a minimised window.
	Wake chan struct{}

	swaps int // swaps counts how often the render thread has taken the events.

	Quitting chan struct{} // Quitting is closed when the run is asked to end.
	QuitKey  atomic.Int32  // QuitKey is the key that quits without a question, or 0. It works even while nobody takes events.
	Begun    atomic.Bool   // Begun says that the first scene is open and has everything that flags name. From then on files may be replaced.
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

// blockedTime is the time without a Swap after which QuitKey quits at once.
const blockedTime = 150 * time.Millisecond

// Swap takes all events, and gives the queue an empty list to fill. It never waits. If an event is
// being added at this moment, it returns none.
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
