package ui

// Icon is a small picture on a button.
type Icon uint8

const (
	NoIcon Icon = iota
	Play
	Pause
	StepOn
	Return
	PlayBack
	Again
	Record
	Stop
	Cross
	Mark
	Backward
	Forward
)

// Button lays out a button with a text, an icon, or both. Like every control, a button is identified
// from frame to frame by its name. Button returns true in the frame of a click. If on is true, the
// button is drawn as chosen.
func (c *Context) Button(name string, r Rect, icon Icon, text string, on bool) bool {
	return c.button(name, r, icon, text, on, Ink)
}

// FaintButton lays out a button that is faintly drawn and has no effect now. It returns true when
// the button is clicked, so that the program can show why it has no effect.
func (c *Context) FaintButton(name string, r Rect, icon Icon, text string) bool {
	return c.button(name, r, icon, text, false, Faint)
}

// button lays out a button. Its text and icon have the colour ink. It returns true when the button
// is clicked. A button that is scrolled out of view does nothing.
func (c *Context) button(name string, r Rect, icon Icon, text string, on bool, ink Colour) bool {
	shown, hot := c.control(name, r)
	if !shown {
		return false
	}
	col := face
	switch {
	case on:
		col = chosen
	case hot && c.down && c.active == name:
		col = well
	case hot:
		col = lit
	}
	c.Box(r, radius, col)
	if icon != NoIcon {
		w := float32(10)
		x := r.X + (r.W-w)/2
		if text != "" {
			x = r.X + 8
			r.Left(18)
		}
		c.icon(icon, x, r.Y+r.H/2-5, ink)
	}
	if text != "" {
		c.Print(r.Inset(2), Plain, Middle, ink, text)
	}
	return c.clicked(name, hot)
}

// icon draws an icon of 10 by 10 units.
func (c *Context) icon(i Icon, x, y float32, col Colour) {
	// the function triangle draws a triangle from x on that points to the right (way 1) or to the left (-1)
	triangle := func(x, way float32, long int) {
		for k := range long {
			h := 10 * (1 - float32(k)/float32(long))
			c.Box(Rect{x + way*float32(k), y + (10-h)/2, 1, h}, 0, col)
		}
	}
	switch i {
	case Play:
		triangle(x+1, 1, 8)
	case Pause:
		c.Box(Rect{x + 1, y, 3, 10}, 1, col)
		c.Box(Rect{x + 6, y, 3, 10}, 1, col)
	case StepOn:
		triangle(x-1, 1, 8)
		c.Box(Rect{x + 8, y, 2, 10}, 0, col)
	case Return: // an arrow that turns back
		c.Line(x+1.5, y+3.5, x+9, y+3.5, 1.6, col)
		c.Line(x+9, y+3.5, x+9, y+9.5, 1.6, col)
		c.Line(x+9, y+9.5, x+4, y+9.5, 1.6, col)
		c.Line(x+.8, y+3.5, x+4.3, y, 1.6, col)
		c.Line(x+.8, y+3.5, x+4.3, y+7, 1.6, col)
	case PlayBack:
		triangle(x+9, -1, 8)
	case Backward:
		triangle(x+4, -1, 5)
		triangle(x+9, -1, 5)
	case Forward:
		triangle(x, 1, 5)
		triangle(x+5, 1, 5)
	case Again:
		// seven eighths of a circle, and the tip of an arrow
		points := [...][2]float32{{9, 2}, {7.5, .8}, {5, .2}, {2, 1.5}, {.5, 4.5}, {1.5, 8}, {5, 9.8}, {8.5, 8}, {9.6, 5.2}}
		for k := range len(points) - 1 {
			p, q := points[k], points[k+1]
			c.Line(x+p[0], y+p[1], x+q[0], y+q[1], 1.6, col)
		}
		c.Line(x+9.4, y+2.6, x+9.6, y-1, 1.6, col)
		c.Line(x+9.4, y+2.6, x+5.8, y+2.4, 1.6, col)
	case Record:
		if col == Ink { // red, unless the button is a FaintButton
			col = Bad
		}
		c.Box(Rect{x, y, 10, 10}, 5, col)
	case Stop:
		c.Box(Rect{x + 1, y + 1, 8, 8}, 1, col)
	case Mark: // a bookmark
		c.Box(Rect{x + 1.5, y, 7, 8}, 1, col)
		for k := range 4 {
			c.Box(Rect{x + 1.5, y + 7 + float32(k), 3.5 - float32(k), 1}, 0, col)
			c.Box(Rect{x + 5 + float32(k), y + 7 + float32(k), 3.5 - float32(k), 1}, 0, col)
		}
	case Cross:
		c.Line(x+2, y+2, x+8, y+8, 1.4, col)
		c.Line(x+2, y+8, x+8, y+2, 1.4, col)
	}
}

// Toggle lays out a switch with a text. The parameter key is the name of the key that does the same,
// or "", and on is the present state of the switch. Toggle returns true when the switch is clicked.
func (c *Context) Toggle(name string, r Rect, text, key string, on bool) bool {
	shown, hot := c.control(name, r)
	if !shown {
		return false
	}
	if hot {
		c.Box(r, radius, Edge)
	}
	const w, h = 24, 12
	box := Rect{r.X + 4, r.Y + (r.H-h)/2, w, h}
	back, knob, ink := well, box.X+2, Dim
	if on {
		back, knob, ink = Accent, box.X+w-h+2, Ink
	}
	c.Box(box, h/2, back)
	c.Box(Rect{knob, box.Y + 2, h - 4, h - 4}, (h-4)/2, ink)
	rest := r
	rest.Left(w + 12)
	c.keycap(&rest, key)
	c.Print(rest, Plain, Start, ink, text)
	return c.clicked(name, hot)
}

// keycap draws the name of a key at the right end of r, and removes that end from r.
func (c *Context) keycap(r *Rect, key string) {
	if key == "" {
		return
	}
	w := c.measure(Plain, key) + 8
	cap := r.Right(w)
	cap.X -= 2
	cap.Y, cap.H = cap.Y+(cap.H-15)/2, 15
	r.Right(Gap)
	c.Box(cap, 3, keyFace)
	c.Print(cap, Plain, Middle, Faint, key)
}

// faceOf returns the colour of a control. The parameter hot says that the pointer is on the control.
func faceOf(hot bool) Colour {
	if hot {
		return lit
	}
	return face
}

// label prints the text of a row, and the key that does the same. It returns the rectangle for the value of the row.
func (c *Context) label(r Rect, text, key string) (value Rect) {
	value = r.Right(r.W * .56)
	c.keycap(&r, key)
	r.X, r.W = r.X+4, r.W-4
	c.Print(r, Plain, Start, Dim, text)
	return value
}

// Choice lays out a text and, beside it, the chosen option, which has the index at. A click chooses the next option, and a
// click on the left arrow chooses the option before. After a click, the mouse wheel over the row goes through the options.
// The parameter key is the name of a key that does the same, or "". Choice returns the index of the chosen option, and
// whether the user has changed it.
func (c *Context) Choice(name string, r Rect, text, key string, options []string, at int) (int, bool) {
	shown, hot := c.control(name, r)
	if !shown || len(options) == 0 {
		return at, false
	}
	value := c.label(r, text, key)
	tunes := c.tunes(name, hot)
	if tunes {
		c.Box(Rect{value.X - 1, value.Y - 1, value.W + 2, value.H + 2}, radius+1, Accent)
	}
	c.Box(value, radius, faceOf(hot))
	n := len(options)
	back := value.Left(18)
	next := value.Right(18)
	c.chevron(back, -1)
	c.chevron(next, 1)
	if at >= 0 && at < n {
		c.Print(value, Plain, Middle, Ink, options[at])
	}
	by := 0
	if c.clicked(name, hot) {
		if by = 1; back.Has(c.x, c.y) {
			by = -1
		}
	}
	if tunes && c.wheel != 0 && !c.wheelTaken {
		c.wheelTaken = true
		if by = -1; c.wheel < 0 {
			by = 1
		}
	}
	if by == 0 {
		return at, false
	}
	return ((at+by)%n + n) % n, true
}

// List lays out a text and, beside it, the chosen option, which has the index at. There may be many
// options. A click shows all options in rows below, in the open scroll, and a click on a row chooses the
// option of the row. The rows have the names name/option. The function plain describes an option. List
// returns the index of the chosen option, and whether the user has changed it.
func (c *Context) List(name, text, key string, options []string, at int, plain func(option string) string) (int, bool) {
	r := c.Next(RowHeight)
	open := c.listed == name
	if shown, hot := c.control(name, r); shown {
		value := c.label(r, text, key)
		c.Box(value, radius, faceOf(hot))
		x, y := value.X+value.W-9, value.Y+value.H/2
		c.Line(x-3.5, y-1.5, x, y+2, 1.3, Dim)
		c.Line(x, y+2, x+3.5, y-1.5, 1.3, Dim)
		value.Left(18)
		value.Right(18)
		if at >= 0 && at < len(options) {
			c.Print(value, Plain, Middle, Ink, options[at])
			c.Tip(plain(options[at]), "")
		}
		if c.clicked(name, hot) {
			if c.listed = name; open {
				c.listed = ""
			}
		}
	}
	to := at
	for i := 0; open && i < len(options); i++ {
		row := c.Next(20)
		row.X, row.W = row.X+row.W*.44, row.W*.56
		if c.Item(name+"/"+options[i], row, options[i], i == at) {
			to, c.listed = i, ""
		}
		c.Tip(plain(options[i]), "")
	}
	return to, to != at
}

// chevron draws the head of an arrow that points to the right. If way is -1 it points to the left.
func (c *Context) chevron(r Rect, way float32) {
	x, y := r.X+r.W/2, r.Y+r.H/2
	c.Line(x-1.5*way, y-3.5, x+2*way, y, 1.3, Dim)
	c.Line(x+2*way, y, x-1.5*way, y+3.5, 1.3, Dim)
}

// Tabs lays out the titles of pages in a row. The page with the index at is open. The parameter names
// has the names of the controls. Tabs returns the index of the page that is open afterwards.
func (c *Context) Tabs(r Rect, names, pages []string, at int) int {
	for i, page := range pages {
		cell := r.Column(i, len(pages), 0)
		shown, hot := c.control(names[i], cell)
		if !shown {
			continue
		}
		col, line := Faint, Edge
		switch {
		case i == at:
			col, line = Ink, Accent
		case hot:
			col = Dim
		}
		c.Print(cell, Plain, Middle, col, page)
		c.Box(Rect{cell.X, cell.Y + cell.H - 2, cell.W, 2}, 0, line)
		if c.clicked(names[i], hot) {
			at = i
		}
	}
	return at
}

// Item lays out a row of a list. It returns true when the row is clicked. If on is true, the row is drawn as chosen.
func (c *Context) Item(name string, r Rect, text string, on bool) bool {
	shown, hot := c.control(name, r)
	if !shown {
		return false
	}
	switch {
	case on:
		c.Box(r, radius, chosen)
	case hot:
		c.Box(r, radius, lit)
	}
	r.X, r.W = r.X+8, r.W-12
	col := Dim
	if on || hot {
		col = Ink
	}
	c.Print(r, Plain, Start, col, text)
	return c.clicked(name, hot)
}

// Heading writes the title of a group of controls, with a line beside it.
func (c *Context) Heading(r Rect, text string) {
	if !c.Sees(r) {
		return
	}
	c.Print(r, Strong, Start, Dim, text)
	w := c.measure(Strong, text) + 8
	c.Box(Rect{r.X + w, r.Y + r.H/2, max(r.W-w, 0), 1}, 0, Edge)
}

// Say writes a line if it is in view.
func (c *Context) Say(r Rect, a Align, col Colour, text string) {
	if c.Sees(r) {
		c.Print(r, Plain, a, col, text)
	}
}

// Pair writes a name at the left and a value at the right.
func (c *Context) Pair(r Rect, name, value string) {
	if !c.Sees(r) {
		return
	}
	c.Print(r, Plain, End, Ink, value)
	r.W -= c.measure(Plain, value) + Gap
	c.Print(r, Plain, Start, Dim, name)
}

// drawTip draws the description of the control under the cursor. It draws it below the control, or
// above the control if there is no room below.
func (c *Context) drawTip() {
	t := &c.tip
	w := c.measure(Plain, t.text) + 16
	if t.key != "" {
		w += c.measure(Plain, t.key) + 8 + Gap
	}
	r := Rect{t.at.X, t.at.Y + t.at.H + 4, w, 22}
	if r.Y+r.H > c.areaH {
		r.Y = t.at.Y - r.H - 4
	}
	r.X = max(2, min(r.X, c.screenW-r.W-4))
	c.Box(Rect{r.X - 1, r.Y - 1, r.W + 2, r.H + 2}, radius+1, Edge)
	c.Box(r, radius, tipBack)
	in := Rect{r.X + 8, r.Y, r.W - 12, r.H}
	c.keycap(&in, t.key)
	c.Print(in, Plain, Start, Ink, t.text)
}
