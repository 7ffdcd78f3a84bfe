package ui

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"halfstep/buffer/body2d"
)

// Colour is red, green, blue and alpha. The colour is not premultiplied by alpha.
type Colour = body2d.Colour

// Rect is a rectangle with its upper left corner at X, Y.
type Rect struct{ X, Y, W, H float32 }

// Has reports whether a point is in r.
func (r Rect) Has(x, y float32) bool { return x >= r.X && y >= r.Y && x < r.X+r.W && y < r.Y+r.H }

// Inset returns r without a margin of width `by` on every side.
func (r Rect) Inset(by float32) Rect { return Rect{r.X + by, r.Y + by, r.W - 2*by, r.H - 2*by} }

// Left cuts a part of the given width off the left side of r, and returns that part.
func (r *Rect) Left(w float32) Rect {
	w = min(w, r.W)
	part := Rect{r.X, r.Y, w, r.H}
	r.X, r.W = r.X+w, r.W-w
	return part
}

// Right cuts a part of the given width off the right side of r, and returns that part.
func (r *Rect) Right(w float32) Rect {
	w = min(w, r.W)
	r.W -= w
	return Rect{r.X + r.W, r.Y, w, r.H}
}

// Top cuts a part of the given height off the top of r, and returns that part.
func (r *Rect) Top(h float32) Rect {
	h = min(h, r.H)
	part := Rect{r.X, r.Y, r.W, h}
	r.Y, r.H = r.Y+h, r.H-h
	return part
}

// Column returns the i-th of n columns of r, with a gap between neighbouring columns.
func (r Rect) Column(i, n int, gap float32) Rect {
	w := (r.W - gap*float32(n-1)) / float32(n)
	return Rect{r.X + float32(i)*(w+gap), r.Y, w, r.H}
}

// Face is a typeface.
type Face uint8

const (
	Plain  Face = iota
	Strong      // for headings
)

// LineHeight is the height of a line of text in either face.
const LineHeight = 16

// ShapeKind says how the fields of a Shape are used.
type ShapeKind uint8

const (
	Box   ShapeKind = iota // Box: the rectangle X, Y, W, H, with corners of radius R.
	Line                   // Line: from X, Y to W, H, with the width R.
	Label                  // Text at X, Y
)

// Shape is a shape to be drawn. It is cut off above Top and below Bottom.
type Shape struct {
	Kind       ShapeKind
	Face       Face
	Colour     Colour
	X, Y, W, H float32
	R          float32

	Top, Bottom float32
	from, to    int // the range of a Label's text in Context.text
}

// Shapes returns the shapes of the last frame, from back to front. The result is valid until the
// next Begin.
func (c *Context) Shapes() []Shape { return c.shapes }

// Text returns the text of a Label. The result is valid until the next Begin.
func (c *Context) Text(s *Shape) string { return view(c.text[s.from:s.to]) }

// view returns bytes as a string without copying them. The string is valid until the bytes change.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// add adds a shape, if a part of it is in view.
func (c *Context) add(s Shape) {
	s.Top, s.Bottom = c.clip()
	top, bottom := s.Y, s.Y+s.H
	switch s.Kind {
	case Line:
		top, bottom = min(s.Y, s.H)-s.R, max(s.Y, s.H)+s.R
	case Label:
		bottom = s.Y + LineHeight
	}
	if bottom > s.Top && top < s.Bottom {
		c.shapes = append(c.shapes, s)
	}
}

// Box fills a rectangle.
func (c *Context) Box(r Rect, radius float32, col Colour) {
	c.add(Shape{Kind: Box, Colour: col, X: r.X, Y: r.Y, W: r.W, H: r.H, R: radius})
}

// Line draws a line.
func (c *Context) Line(x0, y0, x1, y1, width float32, col Colour) {
	c.add(Shape{Kind: Line, Colour: col, X: x0, Y: y0, W: x1, H: y1, R: width})
}

// Align is the position of a text in its rectangle.
type Align uint8

const (
	Start Align = iota
	Middle
	End
)

// Print writes one line into a rectangle, in the middle of the height. A text that is too wide ends
// in an ellipsis. Print does not keep s, so that s may share a buffer.
func (c *Context) Print(r Rect, f Face, a Align, col Colour, s string) {
	from := len(c.text)
	c.text = append(c.text, s...)
	c.place(r, f, a, col, from)
}

// Wrap breaks a text into at most `most` lines, each at most w wide. The last line has all the
// rest, which Print cuts off. The result is valid until the next call.
func (c *Context) Wrap(text string, w float32, most int) []string {
	c.lines = Wrap(c.lines[:0], text, w, most, func(s string) float32 { return c.measure(Plain, s) })
	return c.lines
}

// Wrap appends the lines of a text to the list `to`. Each line is at most w wide. If most is above 0,
// there are at most `most` lines, and the last line has all the rest. A word that is wider than a line
// is broken.
func Wrap(to []string, text string, w float32, most int, measure func(string) float32) []string {
	for n := 1; text != ""; n++ {
		end, tooWide := 0, true // tooWide says that even the first word has no room
		for i := 0; i <= len(text); i++ {
			if i < len(text) && text[i] != ' ' {
				continue
			}
			if measure(text[:i]) > w {
				break
			}
			end, tooWide = i, false
		}
		if tooWide {
			_, first := utf8.DecodeRuneInString(text) // a line has at least one character
			for end = len(text); end > first && measure(text[:end]) > w; {
				_, last := utf8.DecodeLastRuneInString(text[:end])
				end -= last
			}
		}
		if n == most {
			end = len(text)
		}
		to = append(to, text[:end])
		text = strings.TrimLeft(text[end:], " ")
	}
	return to
}

// place writes the text that was appended to c.text since the index from.
func (c *Context) place(r Rect, f Face, a Align, col Colour, from int) {
	to := len(c.text)
	w := c.measure(f, view(c.text[from:to]))
	if w > r.W {
		const ellipsis = "…"
		room := r.W - c.measure(f, ellipsis)
		for to > from && c.measure(f, view(c.text[from:to])) > room {
			to--
			for to > from && c.text[to]&0xc0 == 0x80 { // within a character
				to--
			}
		}
		for to > from && c.text[to-1] == ' ' {
			to--
		}
		c.text = append(c.text[:to], ellipsis...)
		to = len(c.text)
		w = c.measure(f, view(c.text[from:to]))
		if w > r.W {
			c.text = c.text[:from]
			return
		}
	}
	x := r.X
	switch a {
	case Middle:
		x += (r.W - w) / 2
	case End:
		x += r.W - w
	}
	c.add(Shape{Kind: Label, Face: f, Colour: col, X: x, Y: r.Y + (r.H-LineHeight)/2, from: from, to: to})
}
