package picture

import (
	"fmt"
	"slices"

	"halfstep/renderloop/glrender"
)

// Help is the overlay that lists keys and mouse actions in groups. The groups are in columns, on as
// many pages as the window needs.
type Help struct {
	On   bool
	page int
}

// HelpLine is a key and its action, or the title of a group if Does is "".
type HelpLine struct{ Key, Does string }

var (
	HelpColour = colour{15, 19, 26, 255} // the colour of the help, which is opaque
	helpShade  = colour{6, 8, 12, 150}   // the colour over the rest of the picture
)

// These are sizes in the help, in units.
const (
	HelpKey    = 76 // HelpKey is the width of the column for keys.
	HelpRow    = 15
	HelpGap    = 24 // between columns
	helpTitle  = 6  // above a title
	HelpBorder = 2 * Padding
)

// HelpPlace is the position of a line, and the page that has it.
type HelpPlace struct {
	Page, Column int
	Y            float32
}

// placeHelp breaks the lines into columns that are no higher than tall, and the columns into pages. A
// group stays in one column if there is room, and a title stays with the line below the title.
func placeHelp(lines []HelpLine, tall float32, columns int) (places []HelpPlace) {
	var at HelpPlace
	for i, l := range lines {
		need := float32(HelpRow)
		if l.Does == "" {
			if at.Y > 0 {
				at.Y += helpTitle
			}
			group := HelpRow * float32(groupLines(lines[i:]))
			if need = 2 * HelpRow; group <= tall {
				need = group
			}
		}
		if at.Y+need > tall && at.Y > 0 {
			at.Y = 0
			if at.Column++; at.Column == columns {
				at.Page, at.Column = at.Page+1, 0
			}
		}
		places = append(places, at)
		at.Y += HelpRow
	}
	return places
}

// groupLines returns the number of lines of the first group, including its title.
func groupLines(lines []HelpLine) int {
	if n := slices.IndexFunc(lines[1:], func(l HelpLine) bool { return l.Does == "" }); n >= 0 {
		return n + 1
	}
	return len(lines)
}

// Layout gives each line a position in a window of that size. It also returns the width of a
// column. It uses the width that the panel does not cover. If the help would then have more than
// one page, it uses the whole window.
func (h *Help) Layout(lines []HelpLine, free, width, height float32, unit int) (places []HelpPlace, wide float32) {
	for _, l := range lines {
		wide = max(wide, HelpKey+LabelWidth(unit, l.Does))
	}
	most := max(height-2*Margin-2*HelpBorder, 5*HelpRow)
	var columns int
	for _, w := range [...]float32{free, width} {
		columns = max(1, int((w-2*Margin-2*HelpBorder+HelpGap)/(wide+HelpGap)))
		if places = placeHelp(lines, most, columns); HelpPages(places) == 1 {
			break
		}
		places = placeHelp(lines, most-HelpRow, columns) // leave room for the line "page 1 of 2"
	}
	for tall := most; HelpPages(places) == 1; tall -= HelpRow / 2 { // make the columns as low as possible, so that their heights are about equal
		p := placeHelp(lines, tall, columns)
		if HelpPages(p) > 1 {
			break
		}
		places = p
	}
	return places, wide
}

func HelpPages(places []HelpPlace) int { return places[len(places)-1].Page + 1 }

// NextHelp opens the help, or its next page. After the last page it closes the help.
func (v *Picture) NextHelp() {
	h := &v.Help
	unit := glrender.Unit(v.Surface.Scale)
	width, height := float32(v.Surface.W/unit), float32(v.Surface.H/unit)
	free := width - float32(v.controls.Width(v.Surface)/unit)
	places, _ := h.Layout(v.controls.HelpLines(), free, width, height, unit)
	if !h.On {
		*h = Help{On: true}
	} else if h.page++; h.page == HelpPages(places) {
		*h = Help{}
	}
}

// Draw draws the help in the middle of the width that the panel does not cover. If that is too
// narrow, it draws the help in the middle of the window.
func (h *Help) Draw(c *glrender.HUD, lines []HelpLine, free float32) {
	width, height := c.Size()
	places, wide := h.Layout(lines, free, width, height, int(c.Unit()))
	pages := HelpPages(places)
	h.page = min(h.page, pages-1) // the window may have grown, so that there are fewer pages
	columns, tall := 0, float32(0)
	for _, p := range places {
		columns, tall = max(columns, p.Column+1), max(tall, p.Y+HelpRow)
	}
	if pages > 1 {
		tall += HelpRow
	}
	w, t := float32(columns)*(wide+HelpGap)-HelpGap+2*HelpBorder, tall+2*HelpBorder
	if w+2*Margin > free {
		free = width
	}
	x, y := max(0, (free-w)/2), max(0, (height-t)/2)
	c.Rect(0, 0, width, height, helpShade)
	c.Panel(x-1, y-1, w+2, t+2, 7, colour{255, 255, 255, 30})
	c.Panel(x, y, w, t, 6, HelpColour)
	for i, l := range lines {
		p := places[i]
		if p.Page != h.page {
			continue
		}
		lx, ly := x+HelpBorder+float32(p.Column)*(wide+HelpGap), y+HelpBorder+p.Y
		if l.Does == "" {
			c.Label(lx, ly, glrender.Medium, StepColour, l.Key)
			continue
		}
		c.Label(lx, ly, glrender.Regular, FrameColour, l.Key)
		c.Label(lx+HelpKey, ly, glrender.Regular, textColour, l.Does)
	}
	if pages > 1 {
		then := "the next page"
		if h.page == pages-1 {
			then = "close"
		}
		c.Label(x+HelpBorder, y+t-HelpBorder-HelpRow+Padding/2, glrender.Regular, dimColour, fmt.Sprintf("page %d of %d  ·  F1: %s", h.page+1, pages, then))
	}
}
