package glrender

import (
	"halfstep/buffer/body2d"
)

// Graph draws values as a line in a box. The oldest value is at the left. 0 is at
// the bottom and top at the top of the box; larger values are cut off. values may
// be a ring that begins at index start.
func (h *HUD) Graph(x, y, width, height float32, values []float32, start int, top float32, c body2d.Colour) {
	n := len(values)
	if n < 2 || !(top > 0) {
		return
	}
	step := width / float32(n-1)
	at := func(i int) float32 {
		v := values[(start+i)%n] / top
		return y + height*(1-min(max(v, 0), 1))
	}
	for i := 1; i < n; i++ {
		h.Line(x+float32(i-1)*step, at(i-1), x+float32(i)*step, at(i), 1, c)
	}
}

// Bars draws values as a histogram in a box, with 0 at the bottom and top at the
// top.
func (h *HUD) Bars(x, y, width, height float32, values []float32, top float32, c body2d.Colour) {
	if len(values) == 0 || !(top > 0) {
		return
	}
	step := width / float32(len(values))
	gap := min(1, step*0.25)
	for i, v := range values {
		tall := height * min(max(v/top, 0), 1)
		if tall > 0 {
			h.Rect(x+float32(i)*step, y+height-tall, step-gap, tall, c)
		}
	}
}
