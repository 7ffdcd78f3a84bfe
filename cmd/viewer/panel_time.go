package main

import (
	"errors"
	"math"

	"halfstep/cmd/viewer/ui"
	"halfstep/engine"
)

// layTime is the bar of a replay: the knob can be dragged to any tick. A mark
// shows the tick at which the replay has differed from the recording.
func (v *viewer) layTime(c *ui.Context, area *ui.Rect) {
	r := v.replay
	if r == nil || r.Ticks == r.First {
		return
	}
	area.Top(4)
	at := area.Top(ui.SliderHeight)
	g := ui.Range{Min: float64(r.First), Max: float64(r.Ticks), Step: 1, NoReset: true}
	x, changed, done := c.Slider("scrub", at, "tick of the replay", "", float64(v.scrubbed(c.Held("scrub"))), &g)
	c.Tip("drag to any tick", "")
	var m *engine.Mismatch
	if errors.As(v.failure, &m) {
		c.Box(ui.Rect{X: at.X + 4 + (at.W-10)*float32(m.Tick-r.First)/float32(r.Ticks-r.First), Y: at.Y + at.H - 16, W: 2, H: 12}, 0, ui.Bad)
	}
	if changed {
		v.scrub = uint64(math.Round(x))
	}
	if !changed && !done {
		return
	}
	if done {
		v.count("scrub")
	}
	v.seek(v.scrub)
}

// scrubbed is the tick that the bar shows: where it was dragged to while it is
// held, which may be ahead of the picture.
func (v *viewer) scrubbed(held bool) uint64 {
	if !held {
		v.scrub = v.view.Tick
	}
	return v.scrub
}
