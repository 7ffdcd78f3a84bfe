package ui

// Scroll is a part of the screen whose content may be higher than it. Its zero
// value shows the beginning.
type Scroll struct {
	view    Rect
	offset  float32 // how far it is scrolled
	content float32 // height, as of the last frame
	next    float32 // where the next row goes, from the beginning
}

// BeginScroll opens a part of the screen. Rows come one below the other.
func (c *Context) BeginScroll(s *Scroll, view Rect) {
	s.view, s.next = view, 0
	s.offset = max(0, min(s.offset, s.content-view.H))
	c.scrolls = append(c.scrolls, s)
}

// Next is the place of the next row.
func (c *Context) Next(h float32) Rect {
	s := c.scrolls[len(c.scrolls)-1]
	w := s.view.W
	if s.content > s.view.H {
		w -= 8 // for the bar
	}
	r := Rect{s.view.X, s.view.Y + s.next - s.offset, w, h}
	s.next += h
	return r
}

// Rest is how much of the part's height the rows so far leave.
func (c *Context) Rest() float32 {
	s := c.scrolls[len(c.scrolls)-1]
	return s.view.H - s.next
}

// Space leaves some room.
func (c *Context) Space(h float32) { c.scrolls[len(c.scrolls)-1].next += h }

// EndScroll closes it. The wheel moves it unless a control within has used the
// wheel.
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
		c.wheelTaken = s.offset != was // at an end it moves what is around
	}
	bar := Rect{s.view.X + s.view.W - 4, s.view.Y, 4, s.view.H}
	if !c.Sees(bar) {
		return
	}
	c.Box(bar, 2, Edge)
	h := max(bar.H*s.view.H/s.content, 16)
	c.Box(Rect{bar.X, bar.Y + (bar.H-h)*s.offset/over, 4, h}, 2, Faint)
}

// Reveal scrolls so that the row of that height that comes next is in the middle.
func (c *Context) Reveal(h float32) {
	s := c.scrolls[len(c.scrolls)-1]
	s.offset = max(0, s.next+h/2-s.view.H/2)
}

// Rows leaves room for n rows of that height, and calls row for those in sight.
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

// Sees reports whether a part of r is in sight.
func (c *Context) Sees(r Rect) bool { return c.seen(r).H > 0 }

// seen is the part of r that lies in the parts of the screen that are open.
func (c *Context) seen(r Rect) Rect {
	top, bottom := c.clip()
	top = max(top, r.Y)
	return Rect{r.X, top, r.W, min(bottom, r.Y+r.H) - top}
}

const everywhere = 1e6 // units

// clip is from where to where the parts of the screen that are open go.
func (c *Context) clip() (top, bottom float32) {
	top, bottom = -everywhere, everywhere
	for _, s := range c.scrolls {
		top, bottom = max(top, s.view.Y), min(bottom, s.view.Y+s.view.H)
	}
	return top, bottom
}
