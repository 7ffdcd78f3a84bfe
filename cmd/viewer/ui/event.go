package ui

import "time"

// EventKind is the kind of an Event.
type EventKind uint8

const (
	Move     EventKind = iota // for Move, X and Y are the position of the cursor
	Press                     // the left button
	Release                   // the left button
	Wheel                     // for Wheel, Y is the number of clicks, positive upwards
	Char                      // Rune was typed
	KeyPress                  // for KeyPress, Key was pressed or repeats
)

// Key is a key that a text field handles.
type Key uint8

const (
	Backspace Key = iota
	Enter
	Escape
	SelectAll // SelectAll makes the next typed text replace the present text.
)

// Event is an action of the user.
type Event struct {
	Kind EventKind
	X, Y float32
	Rune rune
	Key  Key
	At   time.Time // At is when the event happened. If it is zero, the time of the frame is used.
}

// Feed adds an event for the next frames. Of several moves in a row only the
// last counts.
func (c *Context) Feed(e Event) {
	if n := len(c.events); e.Kind == Move && n > 0 && c.events[n-1].Kind == Move {
		c.events[n-1] = e
		return
	}
	c.events = append(c.events, e)
}

// Cancel drops all input that is held, typed or waiting, because the user has
// left the window or hidden the controls.
func (c *Context) Cancel() {
	c.events, c.active, c.pulled, c.typing.into, c.down = c.events[:0], "", "", "", false
	c.tuned, c.turned, c.slides = "", "", nil
}
