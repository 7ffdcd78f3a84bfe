package ui

import "time"

// EventKind is what happened.
type EventKind uint8

const (
	Move     EventKind = iota // X, Y: the cursor is there
	Press                     // the left button
	Release                   // the left button
	Wheel                     // Y: clicks, up is positive
	Char                      // Rune was typed
	KeyPress                  // Key was pressed or repeats
)

// Key is a key that a text field handles.
type Key uint8

const (
	Backspace Key = iota
	Enter
	Escape
	SelectAll // what is typed next replaces the text
)

// Event is something that the user did.
type Event struct {
	Kind EventKind
	X, Y float32
	Rune rune
	Key  Key
	At   time.Time // when it happened; zero: at the time of the frame
}

// Feed adds an event for the next frames. Of moves in a row only the last one counts.
func (c *Context) Feed(e Event) {
	if n := len(c.events); e.Kind == Move && n > 0 && c.events[n-1].Kind == Move {
		c.events[n-1] = e
		return
	}
	c.events = append(c.events, e)
}

// Cancel forgets what is held, typed or waiting: the user has left the window or
// hidden the controls.
func (c *Context) Cancel() {
	c.events, c.active, c.pulled, c.typing.into, c.down = c.events[:0], "", "", "", false
	c.tuned, c.turned, c.slides = "", "", nil
}
