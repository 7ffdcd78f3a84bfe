package ui

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"halfstep/internal/quantise"
)

// Range says which values a slider has.
type Range struct {
	Min, Max, Default float64
	Step              float64 // Step is the step between values. With 0 there is none. In a Log range it is the number of steps per doubling.
	Log               bool    // Log says that the scale is logarithmic. Min must then be above 0.
	Unit              string
	NoReset           bool                    // NoReset says that a double click neither resets the slider nor starts typing.
	Shown             func(x float64) float64 // Shown returns the number to show for x, such as the seconds of a tick. It may be nil.

	TypedMin, TypedMax float64 // the range for typed values; both 0 means the range from Min to Max
}

// typed returns the value for a typed number, or why the number is refused.
func (g *Range) typed(x float64) (value float64, refused string) {
	low, high := g.TypedMin, g.TypedMax
	if low == 0 && high == 0 {
		low, high = g.Min, g.Max
	}
	switch {
	case !(x >= low && x <= high):
		return 0, fmt.Sprintf("%g is refused: it must be from %g to %g", x, low, high)
	case g.counts() && x >= g.Min && x <= g.Max:
		return g.Fix(x), ""
	}
	return x, "" // the steps are only for dragging
}

// counts reports whether only whole steps make sense, as for a number of things.
func (g *Range) counts() bool { return !g.Log && g.Unit == "" && g.Step >= 1 }

// Fix returns the nearest value in the range that lies on a step.
func (g *Range) Fix(x float64) float64 {
	if math.IsNaN(x) {
		x = g.Default
	}
	if g.Log {
		return max(g.Min, min(x, g.Max))
	}
	return quantise.Within(x, g.Min, g.Max, g.Step)
}

// part returns the position of x in the range, from 0 to 1.
func (g *Range) part(x float64) float64 {
	p := (x - g.Min) / (g.Max - g.Min)
	if g.Log {
		p = math.Log(x/g.Min) / math.Log(g.Max/g.Min)
	}
	return max(0, min(p, 1))
}

// at returns the value at a position in the range. The position is from 0 to 1.
func (g *Range) at(p float64) float64 {
	x := g.Min + p*(g.Max-g.Min)
	if g.Log {
		x = g.Min * math.Pow(g.Max/g.Min, p)
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 2, 64), 64)
	}
	return g.Fix(x)
}

// nudge returns x after that many clicks of the wheel.
func (g *Range) nudge(x float64, by float32) float64 {
	if g.Step > 0 && !g.Log {
		return g.Fix(x + float64(by)*g.Step)
	}
	return g.at(g.part(x) + float64(by)/40)
}

// turnTime is the time after the last click of the wheel at which a turn ends.
const turnTime = 700 * time.Millisecond

// Slider lays out a text, a value x, and a track on which the user can drag a knob. A double click on
// the track resets the value, and a double click on the value lets the user type a value. After a press,
// the wheel over the slider changes the value by a step. The result changed says that value is not x.
// The result done says that the user has released the knob, or has stopped turning the wheel. The
// parameter key is the name of a key that does the same, or "".
func (c *Context) Slider(name string, r Rect, text, key string, x float64, g *Range) (value float64, changed, done bool) {
	shown, hot := c.control(name, r)
	if !shown {
		return x, false, false
	}
	was := x
	top := r.Top(LineHeight + 2)
	field := top.Right(72)
	track := Rect{r.X + 5, r.Y + 6, r.W - 10, 4}
	hold := c.pulled == name
	double := c.double && !g.NoReset

	switch {
	case c.typing.into == name:
		x, done = c.entered(x, g)
		changed = done && x != was
	case hot && double && field.Has(c.x, c.y):
		c.typing.into, c.typing.fresh = name, true
		c.typing.number = strconv.AppendFloat(c.typing.number[:0], x, 'g', 6, 64)
	case hot && double:
		x = g.Default
		changed, done = x != was, true
	case hot && c.pressed && !field.Has(c.x, c.y):
		c.pulled, hold = name, true
		c.grip = track.X + track.W*float32(g.part(x)) - c.x
		if abs(c.grip) > 8 { // the press was beside the knob, so the knob jumps to the cursor
			c.grip = 0
			x = g.at(float64((c.x - track.X) / track.W))
			changed = x != was
		}
	case hold && c.down && c.tugged:
		x = g.at(float64((c.x + c.grip - track.X) / track.W))
		changed = x != was
	}
	if hold && c.released {
		if c.tugged {
			x = g.at(float64((c.x + c.grip - track.X) / track.W))
		}
		changed, done = x != was, true
	}
	tunes := c.tunes(name, hot)
	if c.turned == name && (!tunes || c.now.Sub(c.turnAt) > turnTime) {
		c.turned, done = "", true
	}
	if tunes && c.wheel != 0 && !c.wheelTaken {
		c.wheelTaken, c.turned, c.turnAt = true, name, c.now
		x, done = g.nudge(x, c.wheel), false
		changed = x != was
	}
	if field.Has(c.x, c.y) && !g.NoReset {
		c.Tip("double click: type a value", "")
	}
	c.drawSlider(name, text, key, top, field, track, x, g, hot || hold, tunes)
	return x, changed, done
}

// drawSlider draws a slider with the value x: its text in top, the value in field, and the knob on track.
// If lively is true (the slider is under the cursor or held) the knob is larger. If tunes is true (the
// wheel turns the slider) the knob has a rim.
func (c *Context) drawSlider(name, text, key string, top, field, track Rect, x float64, g *Range, lively, tunes bool) {
	c.keycap(&top, key)
	top.X, top.W = top.X+4, top.W-4
	c.Print(top, Plain, Start, Dim, text)
	from := len(c.text)
	switch {
	case c.typing.into == name:
		c.Box(field, 3, c.entryBack())
		c.text = append(c.text, c.typing.number...)
		if c.now.UnixMilli()/500%2 == 0 {
			c.text = append(c.text, '|')
		}
	default:
		c.text = appendValue(c.text, x, g)
	}
	field.W -= 5
	c.place(field, Plain, End, Ink, from)

	c.Box(track, 2, well)
	at := track.X + track.W*float32(g.part(x))
	c.Box(Rect{track.X, track.Y, at - track.X, track.H}, 2, Accent)
	if d := track.X + track.W*float32(g.part(g.Default)); !g.NoReset && abs(d-at) > 8 {
		c.Box(Rect{d - .5, track.Y - 2, 1, 8}, 0, Faint)
	}
	size := float32(10)
	if lively {
		size = 12
	}
	if tunes {
		c.Box(Rect{at - size/2 - 2, track.Y - size/2, size + 4, size + 4}, size/2+2, Accent)
	}
	c.Box(Rect{at - size/2, track.Y + 2 - size/2, size, size}, size/2, Ink)
}

// appendValue appends a value with as many digits as its step has.
func appendValue(b []byte, x float64, g *Range) []byte {
	digits := 2
	switch {
	case g.Shown != nil:
		x, digits = g.Shown(x), 1
	case g.Step > 0 && !g.Log:
		digits = 0
		for s := g.Step; digits < 4 && math.Abs(s-math.Round(s)) > 1e-9; s *= 10 {
			digits++
		}
	case math.Abs(x) >= 100:
		digits = 0
	case math.Abs(x) >= 10:
		digits = 1
	case g.Log && math.Abs(x) < .1:
		digits = 3
	}
	if math.Abs(x) < .5*math.Pow10(-digits) {
		x = 0 // not -0
	}
	b = strconv.AppendFloat(b, x, 'f', digits, 64)
	if g.Unit != "" {
		b = append(append(b, ' '), g.Unit...)
	}
	return b
}

// entered handles the keys that are typed into the value x of a slider. The result done is true
// when Enter was pressed and the number is accepted. The result value is then that number.
func (c *Context) entered(x float64, g *Range) (value float64, done bool) {
	for i := range c.typed {
		e := &c.typed[i]
		if c.replaces(e) {
			c.typing.number = c.typing.number[:0]
		}
		switch {
		case e.Kind == KeyPress && e.Key == SelectAll:
			c.typing.fresh = true
		case e.Kind == Char && (e.Rune >= '0' && e.Rune <= '9' || e.Rune == '.' || e.Rune == '-' || e.Rune == 'e'):
			if len(c.typing.number) < 12 {
				c.typing.number = append(c.typing.number, byte(e.Rune))
			}
		case e.Kind == KeyPress && e.Key == Backspace && len(c.typing.number) > 0:
			c.typing.number = c.typing.number[:len(c.typing.number)-1]
		case e.Kind == KeyPress && e.Key == Escape:
			c.typing.into = ""
			return x, false
		case e.Kind == KeyPress && e.Key == Enter:
			c.typing.into = ""
			n, err := strconv.ParseFloat(string(c.typing.number), 64)
			if err != nil {
				c.typing.refused = string(c.typing.number) + " is no number"
				return x, false
			}
			if n, c.typing.refused = g.typed(n); c.typing.refused != "" {
				return x, false
			}
			return n, true
		}
	}
	return x, false
}
