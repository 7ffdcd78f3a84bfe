package ui

// Scroll is a part of the screen. Its content consists of rows below one another, and may be higher than
// the part. The zero Scroll shows the beginning of the content.
type Scroll struct {
	view    Rect    // view is the rectangle on the screen.
	offset  float32 // offset is how far the content is scrolled up.
	content float32 // content is the height of the content in the last frame.
	next    float32 // next is the position of the next row in the content.
}

// BeginScroll opens a scroll in a rectangle of the screen. Rows go into the scroll until EndScroll.
// Scrolls can be nested.
func (c *Context) BeginScroll(s *Scroll, view Rect) {
	s.view, s.next = view, 0
	s.offset = max(0, min(s.offset, s.content-view.H))
	c.scrolls = append(c.scrolls, s)
}

// Next returns the rectangle of the next row in the innermost scroll.
func (c *Context) Next(h float32) Rect {
	s := c.scrolls[len(c.scrolls)-1]
	w := s.view.W
	if s.content > s.view.H {
		w -= barWide
	}
	r := Rect{s.view.X, s.view.Y + s.next - s.offset, w, h}
	s.next += h
	return r
}

// Rest returns the height that the rows so far leave free.
func (c *Context) Rest() float32 {
	s := c.scrolls[len(c.scrolls)-1]
	return s.view.H - s.next
}

// Space leaves some height free below the last row.
func (c *Context) Space(h float32) { c.scrolls[len(c.scrolls)-1].next += h }

// barWide is the width of the bar of a scroll under the cursor. In other cases the bar has half this width.
const barWide = 8

// holdsBar is the name of the held control while the user holds the bar of a scroll.
const holdsBar = "the bar of a scroll"

// EndScroll closes the innermost scroll. The wheel moves the content, unless a control in the scroll has
// used the wheel. The user can drag the bar.
func (c *Context) EndScroll() {
	s := c.scrolls[len(c.scrolls)-1]
	c.scrolls = c.scrolls[:len(c.scrolls)-1]
	s.content = s.next
	over := s.content - s.view.H
	if over <= 0 {
		s.offset = 0
		return
	}
	if c.wheel != 0 && !c.wheelTaken && s.view.Has(c.x, c.y) {
		was := s.offset
		s.offset = max(0, min(s.offset-c.wheel*3*RowHeight, over))
		c.wheelTaken = s.offset != was // at the end of the content the wheel moves the outer scroll
	}
	bar := Rect{s.view.X + s.view.W - 4, s.view.Y, 4, s.view.H}
	if !c.Sees(bar) {
		return
	}
	h := max(bar.H*s.view.H/s.content, 16)
	knob := Rect{bar.X, bar.Y + (bar.H-h)*s.offset/over, 4, h}
	hot := c.seen(Rect{bar.X + bar.W - barWide, bar.Y, barWide, bar.H}).Has(c.x, c.y)
	if hot && c.pressed {
		c.active, c.slides, c.grip = holdsBar, s, knob.Y-c.y
		if c.grip > 0 || c.grip < -h { // the press was beside the knob, so the knob jumps to the cursor
			c.grip = -h / 2
		}
	}
	held := c.slides == s && c.active == holdsBar
	if held && bar.H > h {
		s.offset = max(0, min((c.y+c.grip-bar.Y)/(bar.H-h)*over, over))
		knob.Y = bar.Y + (bar.H-h)*s.offset/over
	}
	c.Box(bar, 2, Edge)
	col := Faint
	if held || hot && c.active == "" {
		col = Ink
	}
	c.Box(knob, 2, col)
}

// Reveal scrolls so that the next row is in the middle. The row has the given height.
func (c *Context) Reveal(h float32) {
	s := c.scrolls[len(c.scrolls)-1]
	s.offset = max(0, s.next+h/2-s.view.H/2)
}

// Rows reserves space for n rows of the given height, and calls row for the visible rows.
func (c *Context) Rows(n int, h float32, row func(i int, at Rect)) {
	s := c.scrolls[len(c.scrolls)-1]
	top, bottom := c.clip()
	y := s.view.Y + s.next - s.offset
	first := min(max(int((top-y)/h), 0), n)
	last := min(max(int((bottom-y)/h)+1, first), n)
	c.Space(float32(first) * h)
	for i := first; i < last; i++ {
		row(i, c.Next(h))
	}
	c.Space(float32(n-last) * h)
}

// Sees reports whether a part of r is in view.
func (c *Context) Sees(r Rect) bool { return c.seen(r).H > 0 }

// seen returns the part of r that is visible in the open scrolls.
func (c *Context) seen(r Rect) Rect {
	top, bottom := c.clip()
	top = max(top, r.Y)
	return Rect{r.X, top, r.W, min(bottom, r.Y+r.H) - top}
}

const everywhere = 1e6 // units, beyond every screen

// clip returns the upper and the lower edge of the visible part of the open scrolls.
func (c *Context) clip() (top, bottom float32) {
	top, bottom = -everywhere, everywhere
	for _, s := range c.scrolls {
		top, bottom = max(top, s.view.Y), min(bottom, s.view.Y+s.view.H)
	}
	return top, bottom
}
