package ui

import "unicode/utf8"

// Field lays out a line of text for typing. While the text is empty, Field shows hint, and the key
// that leads to the field. It returns the text, and whether Enter was pressed. Escape deletes the
// text. If the text is already empty, Escape leaves the field.
func (c *Context) Field(name string, r Rect, hint, key, text string) (now string, entered bool) {
	shown, hot := c.control(name, r)
	if !shown {
		return text, false
	}
	if hot && c.pressed {
		c.typing.into = name
	}
	focused := c.typing.into == name
	if focused {
		text, entered = c.edit(text)
		focused = c.typing.into == name
	}
	if focused {
		c.Box(Rect{r.X - 1, r.Y - 1, r.W + 2, r.H + 2}, radius+1, Accent)
	}
	c.Box(r, radius, well)
	in := Rect{r.X + 8, r.Y, r.W - 12, r.H}
	switch {
	case text == "" && !focused:
		c.keycap(&in, key)
		c.Print(in, Plain, Start, Faint, hint)
	default:
		if focused && c.typing.fresh {
			c.Box(Rect{in.X - 2, in.Y + 3, min(c.measure(Plain, text), in.W) + 4, in.H - 6}, 2, c.entryBack())
		}
		from := len(c.text)
		c.text = append(c.text, text...)
		if focused && c.now.UnixMilli()/500%2 == 0 {
			c.text = append(c.text, '|')
		}
		c.place(in, Plain, Start, Ink, from)
	}
	return text, entered
}

// replaces reports whether the typed character replaces a text that is completely selected. After that
// the text is no longer selected.
func (c *Context) replaces(e *Event) bool {
	if !c.typing.fresh || e.Kind == KeyPress && e.Key != Backspace {
		return false
	}
	c.typing.fresh = false
	return true
}

// entryBack returns the background of a typed text. It is different while the whole text is selected.
func (c *Context) entryBack() Colour {
	if c.typing.fresh {
		return chosen
	}
	return well
}

// longest is the greatest length of a Field's text, in bytes.
const longest = 64

// edit applies the keys and characters of this frame to the text.
func (c *Context) edit(text string) (now string, entered bool) {
	for i := range c.typed {
		e := &c.typed[i]
		all := c.replaces(e)
		if all {
			text = ""
		}
		switch {
		case all && e.Kind == KeyPress:
		case e.Kind == KeyPress && e.Key == SelectAll:
			c.typing.fresh = text != ""
		case e.Kind == Char && e.Rune >= ' ' && e.Rune != 127:
			if len(text)+utf8.RuneLen(e.Rune) <= longest {
				text += string(e.Rune)
			}
		case e.Kind != KeyPress:
		case e.Key == Backspace:
			_, n := utf8.DecodeLastRuneInString(text)
			text = text[:len(text)-n]
		case e.Key == Enter:
			entered = true
		case e.Key == Escape && text == "":
			c.typing.into = ""
		case e.Key == Escape:
			text = ""
		}
	}
	return text, entered
}
