package main

import (
	"fmt"
	"slices"

	"halfstep/renderloop/glrender"
)

// help is the overlay that lists keys and mouse actions, group by group in columns, on as many pages
// as the window needs.
type help struct {
	on   bool
	page int
}

// helpLine is a key and what it does, or the title of a group if does is "".
type helpLine struct{ key, does string }

var (
	helpColour = colour{15, 19, 26, 255} // of the help, opaque
	helpShade  = colour{6, 8, 12, 150}   // over the rest of the picture
)

// Sizes of the help, in units.
const (
	helpKey    = 76 // the width of the keys
	helpRow    = 15
	helpGap    = 24 // between columns
	helpTitle  = 6  // above a title
	helpBorder = 2 * padding
)

// helpPlace is where a line stands on its page.
type helpPlace struct {
	page, column int
	y            float32
}

// placeHelp breaks the lines into columns that are no higher than tall, and the columns into pages. A
// group stays in one column if it fits there, and a title always with the line below it.
func placeHelp(lines []helpLine, tall float32, columns int) (places []helpPlace) {
	var at helpPlace
	for i, l := range lines {
		need := float32(helpRow)
		if l.does == "" {
			if at.y > 0 {
				at.y += helpTitle
			}
			group := helpRow * float32(groupLines(lines[i:]))
			if need = 2 * helpRow; group <= tall {
				need = group
			}
		}
		if at.y+need > tall && at.y > 0 {
			at.y = 0
			if at.column++; at.column == columns {
				at.page, at.column = at.page+1, 0
			}
		}
		places = append(places, at)
		at.y += helpRow
	}
	return places
}

// groupLines returns the number of lines of the first group, with its title.
func groupLines(lines []helpLine) int {
	if n := slices.IndexFunc(lines[1:], func(l helpLine) bool { return l.does == "" }); n >= 0 {
		return n + 1
	}
	return len(lines)
}

// layout places the lines in a window of that size, and returns the width of a column. It takes the
// width that the panel leaves free, or all of the window if the help has more than one page there.
func (h *help) layout(lines []helpLine, free, width, height float32, unit int) (places []helpPlace, wide float32) {
	for _, l := range lines {
		wide = max(wide, helpKey+labelWidth(unit, l.does))
	}
	most := max(height-2*margin-2*helpBorder, 5*helpRow)
	var columns int
	for _, w := range [...]float32{free, width} {
		columns = max(1, int((w-2*margin-2*helpBorder+helpGap)/(wide+helpGap)))
		if places = placeHelp(lines, most, columns); helpPages(places) == 1 {
			break
		}
		places = placeHelp(lines, most-helpRow, columns) // leaves room for the line "page 1 of 2"
	}
	for tall := most; helpPages(places) == 1; tall -= helpRow / 2 { // as low as possible, so that columns are about equal
		p := placeHelp(lines, tall, columns)
		if helpPages(p) > 1 {
			break
		}
		places = p
	}
	return places, wide
}

func helpPages(places []helpPlace) int { return places[len(places)-1].page + 1 }

// nextHelp opens the help, then its next page, and closes it after the last.
func (v *picture) nextHelp() {
	h := &v.help
	unit := glrender.Unit(v.surface.Scale)
	width, height := float32(v.surface.W/unit), float32(v.surface.H/unit)
	free := width - float32(v.controls.width(v.surface)/unit)
	places, _ := h.layout(v.controls.helpLines(), free, width, height, unit)
	if !h.on {
		*h = help{on: true}
	} else if h.page++; h.page == helpPages(places) {
		*h = help{}
	}
}

// draw draws the help in the middle of what the panel leaves free, or of the window where
// that is too narrow.
func (h *help) draw(c *glrender.HUD, lines []helpLine, free float32) {
	width, height := c.Size()
	places, wide := h.layout(lines, free, width, height, int(c.Unit()))
	pages := helpPages(places)
	h.page = min(h.page, pages-1) // the window may have grown
	columns, tall := 0, float32(0)
	for _, p := range places {
		columns, tall = max(columns, p.column+1), max(tall, p.y+helpRow)
	}
	if pages > 1 {
		tall += helpRow
	}
	w, t := float32(columns)*(wide+helpGap)-helpGap+2*helpBorder, tall+2*helpBorder
	if w+2*margin > free {
		free = width
	}
	x, y := max(0, (free-w)/2), max(0, (height-t)/2)
	c.Rect(0, 0, width, height, helpShade)
	c.Panel(x-1, y-1, w+2, t+2, 7, colour{255, 255, 255, 30})
	c.Panel(x, y, w, t, 6, helpColour)
	for i, l := range lines {
		p := places[i]
		if p.page != h.page {
			continue
		}
		lx, ly := x+helpBorder+float32(p.column)*(wide+helpGap), y+helpBorder+p.y
		if l.does == "" {
			c.Label(lx, ly, glrender.Medium, stepColour, l.key)
			continue
		}
		c.Label(lx, ly, glrender.Regular, frameColour, l.key)
		c.Label(lx+helpKey, ly, glrender.Regular, textColour, l.does)
	}
	if pages > 1 {
		then := "the next page"
		if h.page == pages-1 {
			then = "close"
		}
		c.Label(x+helpBorder, y+t-helpBorder-helpRow+padding/2, glrender.Regular, dimColour, fmt.Sprintf("page %d of %d  ·  F1: %s", h.page+1, pages, then))
	}
}
