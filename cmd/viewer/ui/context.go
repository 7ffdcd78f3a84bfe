package ui

import "time"

// Context has the state of the widgets between frames. Make a Context with New.
type Context struct {
	measure func(Face, string) float32

	shapes []Shape // drawn in this frame
	text   []byte  // text is the text of all labels in shapes.
	hits   []hit   // hits are the controls of this frame.

	events []Event // not handled yet

	// These fields are the input of this frame.
	x, y              float32 // the pointer
	down              bool    // down says that the left button is held.
	pressed, released bool    // the button was pressed or released in this frame
	double            bool    // double says that the press is the second press of a double click.
	wheel             float32 // clicks, up is positive
	typed             []Event // characters and keys
	now               time.Time

	active string  // active is the control on which the button was pressed.
	pulled string  // pulled is the slider whose knob is held.
	grip   float32 // grip is the distance between the pointer and the middle of the knob, or between the pointer and the upper end of the bar of a scroll.
	gripX  float32 // gripX is the pointer when the button was pressed.
	tugged bool    // tugged says that the pointer has moved since the press.
	tuned  string  // tuned is the slider or choice that was pressed last. The mouse wheel over it turns it.
	turned string  // turned is the same as tuned while the wheel turns it.
	turnAt time.Time
	slides *Scroll // whose bar is held
	listed string  // listed is the list whose options are shown.
	typing typing

	lines          []string  // the result of Wrap
	lastPress      time.Time // lastPress is when the button was last pressed, at lastX, lastY. It serves to detect double clicks.
	lastX, lastY   float32
	scrolls        []*Scroll // open ones, innermost last
	added          string    // added is the control that was laid out last. It is "" if that control is out of view.
	hovered        string    // hovered is the control under the pointer in this frame.
	tip            tip       // tip is the description of that control, if there is one.
	moved          bool      // moved says that the pointer has moved in this frame.
	hoverName      string    // hoverName is the control under the pointer in the last frame.
	hoverSince     time.Time // hoverSince is since when the pointer is on that control. It is zero if the description is not to be shown.
	wheelTaken     bool      // wheelTaken says that a control has used the wheel in this frame.
	screenW, areaH float32   // the width of the screen and the height of the controls' area
}

// typing is the typed text and its control.
type typing struct {
	into    string // the control
	number  []byte // number is the text of a slider's number.
	fresh   bool   // fresh says that the whole text is selected, so that typing replaces it.
	refused string // refused is why the number that was typed in this frame is refused.
}

// hit is a control of this frame and its visible part.
type hit struct {
	name string
	at   Rect
}

// tip is the description of the control at a position, and the key that does the same.
type tip struct {
	at        Rect
	text, key string
}

// New returns a Context. The function measure returns the width of a text.
func New(measure func(f Face, text string) float32) *Context { return &Context{measure: measure} }

// doubleClick is the longest time between the two presses of a double click.
const doubleClick = 400 * time.Millisecond

// Begin begins a frame on a screen of that size. It handles the events up to and including one
// press or release. Later events wait for later frames, so that a click between two frames counts.
func (c *Context) Begin(w, h float32, now time.Time) {
	c.shapes, c.text, c.hits = c.shapes[:0], c.text[:0], c.hits[:0]
	c.pressed, c.released, c.double, c.wheel, c.typed = false, false, false, 0, c.typed[:0]
	c.now, c.added, c.hovered, c.tip, c.wheelTaken, c.typing.refused, c.moved = now, "", "", tip{}, false, "", false
	c.screenW, c.areaH = w, h
	n := 0
	for n < len(c.events) && !c.pressed && !c.released {
		c.take(&c.events[n])
		n++
	}
	c.events = c.events[:copy(c.events, c.events[n:])]
	if c.pressed {
		c.typing.into, c.active, c.pulled, c.tuned, c.slides, c.typing.fresh = "", "", "", "", nil, false
		c.gripX, c.tugged = c.x, false
	}
	c.tugged = c.tugged || c.x != c.gripX
}

// take adds an event to the frame's input.
func (c *Context) take(e *Event) {
	switch e.Kind {
	case Move:
		c.x, c.y, c.moved = e.X, e.Y, true
	case Press:
		c.down, c.pressed = true, true
		near := abs(c.x-c.lastX) < 4 && abs(c.y-c.lastY) < 4
		at := e.At
		if at.IsZero() {
			at = c.now
		}
		c.double = near && at.Sub(c.lastPress) < doubleClick
		c.lastPress, c.lastX, c.lastY = at, c.x, c.y
		if c.double {
			c.lastPress = time.Time{}
		}
	case Release:
		c.down, c.released = false, true
	case Wheel:
		c.wheel += e.Y
	case Char, KeyPress:
		c.typed = append(c.typed, *e)
	}
}

// End ends the frame. If the cursor has rested on a control for a while, End draws the description
// of that control.
func (c *Context) End() {
	if c.released {
		c.active, c.pulled, c.slides = "", "", nil
	}
	if c.turned != "" && !c.has(c.turned) {
		c.turned = ""
	}
	switch {
	case c.hovered != c.hoverName && c.moved:
		c.hoverName, c.hoverSince = c.hovered, c.now
	case c.hovered != c.hoverName: // the layout has changed under a resting pointer
		c.hoverName, c.hoverSince = c.hovered, time.Time{}
	case c.pressed: // the user has read the description, which would hide the effect of the click
		c.hoverSince = time.Time{}
	case c.moved && c.hoverSince.IsZero():
		c.hoverSince = c.now
	}
	if c.tip.text != "" && c.active == "" && !c.hoverSince.IsZero() && c.now.Sub(c.hoverSince) > tipAfter {
		c.drawTip()
	}
	if c.typing.into != "" && !c.has(c.typing.into) {
		c.typing.into = ""
	}
}

const tipAfter = 500 * time.Millisecond // how long the pointer rests before the description appears

// Refused returns why a value that was typed in this frame is refused, or "".
func (c *Context) Refused() string { return c.typing.refused }

// Typing reports whether the user types into a control.
func (c *Context) Typing() bool { return c.typing.into != "" }

// Focus makes typed characters go to a text field, from the next frame on.
func (c *Context) Focus(name string) { c.typing.into, c.typing.fresh = name, false }

// Leave ends typing into a control.
func (c *Context) Leave() { c.typing.into, c.tuned = "", "" }

// Held reports whether the button holds a control, whether the user types into it, or whether the
// wheel turns it.
func (c *Context) Held(name string) bool {
	return name != "" && (c.active == name || c.typing.into == name || c.turned == name)
}

// Find returns the rectangle of a control in the last frame.
func (c *Context) Find(name string) (Rect, bool) {
	for i := range c.hits {
		if c.hits[i].name == name {
			return c.hits[i].at, true
		}
	}
	return Rect{}, false
}

func (c *Context) has(name string) bool {
	_, ok := c.Find(name)
	return ok
}

// control adds a control. The result shown is false if the control is scrolled out of view; it is
// then neither drawn nor used. The result hot says that the cursor is on the control and no other
// control is held.
func (c *Context) control(name string, r Rect) (shown, hot bool) {
	if r = c.seen(r); r.H <= 0 {
		c.added = ""
		return false, false
	}
	c.added = name
	c.hits = append(c.hits, hit{name, r})
	over := r.Has(c.x, c.y)
	if over {
		c.hovered = name
	}
	hot = over && (c.active == "" || c.active == name)
	if over && c.pressed {
		c.active = name
	}
	return true, hot
}

// tunes reports whether the wheel turns a slider or a choice instead of scrolling the page. This is
// so if the user has last pressed that control and the cursor is on it.
func (c *Context) tunes(name string, hot bool) bool {
	if hot && c.pressed {
		c.tuned = name
	}
	return hot && c.tuned == name
}

// Area lays out a part of the screen that does nothing, but can have a Tip.
func (c *Context) Area(name string, r Rect) { c.control(name, r) }

// clicked reports whether the button was pressed and released on the control.
func (c *Context) clicked(name string, hot bool) bool {
	return hot && c.released && c.active == name
}

// Tip describes the control that was laid out last, for a user who rests the cursor on the control.
// The parameter key is the key that does the same, or "".
func (c *Context) Tip(text, key string) {
	if c.added != "" && c.added == c.hovered {
		c.tip = tip{c.hits[len(c.hits)-1].at, text, key}
	}
}

func abs(x float32) float32 {
	if x < 0 {
		return -x
	}
	return x
}
