package main

import (
	"math"
	"strconv"

	"halfstep/buffer/phase"
	"halfstep/renderloop/glrender"
)

// axis writes times below the lanes: marks at round times before now, which is at
// the right end.
func (t *timeline) axis(c *glrender.HUD, x, y, wide float32) {
	if t.window <= 0 {
		return
	}
	every := roundTime(float64(t.window) / 1e6 / 5)
	for ms := 0.0; ms <= float64(t.window)/1e6; ms += every {
		at := x + wide*(1-float32(ms*1e6/float64(t.window)))
		c.Rect(at, y, 1, 4, dimColour)
		b := append(t.text[:0], "now"...)
		if ms > 0 {
			b = strconv.AppendFloat(append(t.text[:0], '-'), ms, 'g', -1, 64)
			b = append(b, " ms"...)
		}
		t.text = b
		left := at - float32(len(b)*glrender.GlyphWidth)/2
		left = min(left, x+wide-float32(len(b)*glrender.GlyphWidth))
		if left >= x {
			c.TextBytes(left, y+4, dimColour, b)
		}
	}
}

// roundTime is the smallest of 1, 2, 5, 10 and so on that is at least ms.
func roundTime(ms float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(max(ms, 1e-3))))
	for _, k := range [...]float64{1, 2, 5} {
		if k*power >= ms*(1-1e-9) {
			return k * power
		}
	}
	return 10 * power
}

// legendPhases are the phases that usually take time, by thread.
var legendPhases = [...]phase.Phase{phase.Draw, phase.Swap, phase.Upload, phase.HUD, phase.Step, phase.Contacts, phase.Capture, phase.Commands}

// legend says which colour is which phase.
func (t *timeline) legend(c *glrender.HUD, x, y, wide float32) {
	const columns = 3
	for i, p := range legendPhases {
		thread := phase.Render
		if p < phase.Acquire {
			thread = phase.Physics
		}
		cx := x + float32(i%columns)*wide/columns
		cy := y + float32(i/columns*glrender.LineHeight)
		c.Panel(cx, cy+4, 7, 7, 2, phaseColours[thread][p.Index()])
		t.text = append(t.text[:0], p.String()...)
		c.Label(cx+10, cy, glrender.Regular, dimColour, t.text)
	}
}
