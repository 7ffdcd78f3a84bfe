package ui

import "time"

// EventKind is the kind of an Event.
type EventKind uint8

const (
	Move     EventKind = iota // X, Y: the place of the cursor
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
	SelectAll // the next typed text replaces the present one
)

// Event is an action of the user.
type Event struct {
	Kind EventKind
	X, Y float32
	Rune rune
	Key  Key
	At   time.Time // when it happened; zero: at the time of the frame
}

// Feed adds an event for the next frames. Of successive moves only the last one
// counts.
func (c *Context) Feed(e Event) {
	if n := len(c.events); e.Kind == Move && n > 0 && c.events[n-1].Kind == Move {
		c.events[n-1] = e
		return
	}
	c.events = append(c.events, e)
}

// Cancel drops all held, typed and waiting input, because the user has left the
// window or hidden the controls.
func (c *Context) Cancel() {
	c.events, c.active, c.pulled, c.typing.into, c.down = c.events[:0], "", "", "", false
	c.tuned, c.turned, c.slides = "", "", nil
}
