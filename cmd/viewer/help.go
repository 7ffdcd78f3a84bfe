package main

import "halfstep/renderloop/glrender"

// drawHelp lists keys and mouse actions in two columns.
func drawHelp(c *glrender.HUD) {
	const (
		keyWide   = 12 * glrender.GlyphWidth
		columnGap = 3 * glrender.GlyphWidth
	)
	lines := helpLines()
	rows := (len(lines) + 1) / 2
	wide := float32(0)
	for _, l := range lines {
		w, _ := glrender.TextSize(l[1])
		wide = max(wide, keyWide+w)
	}
	w, h := 2*wide+columnGap+4*padding, float32(rows*glrender.LineHeight+4*padding)
	width, height := c.Size()
	x, y := max(0, (width-w)/2), max(0, (height-h)/2)
	c.Panel(x, y, w, h, 6, colour{12, 16, 22, 235})
	for i, l := range lines {
		lx := x + 2*padding
		ly := y + 2*padding + float32(i%rows*glrender.LineHeight)
		if i >= rows {
			lx += wide + columnGap
		}
		c.Text(lx, ly, frameColour, l[0])
		c.Text(lx+keyWide, ly, textColour, l[1])
	}
}

// helpLines are the keys and mouse actions, each with what it does.
func helpLines() [][2]string {
	lines := make([][2]string, 0, len(bindings)+len(mouseHelp))
	for i := range bindings {
		lines = append(lines, [2]string{bindings[i].label, bindings[i].does})
	}
	return append(lines, mouseHelp[:]...)
}
