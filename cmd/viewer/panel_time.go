package main

import (
	"errors"
	"math"
	"time"

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
	if changed || done {
		v.seek(v.scrub)
	}
	if done {
		v.count("scrub")
	}
	v.layStretch(c, area, at)
}

// scrubbed is the tick that the bar shows: where it was dragged to while it is
// held, which may be ahead of the picture.
func (v *viewer) scrubbed(held bool) uint64 {
	if !held {
		v.scrub = v.view.Tick
	}
	return v.scrub
}

// travel is how a replay moves besides forward.
type travel struct {
	backward bool
	rest     float64 // of a tick, that backward has not gone yet
	from, to uint64  // a stretch that repeats, if to is above from
}

// layStretch lays out the buttons for playing backward and for a stretch, and marks
// the stretch on the bar.
func (v *viewer) layStretch(c *ui.Context, area *ui.Rect, bar ui.Rect) {
	t, r := &v.travel, v.replay
	area.Top(4)
	row := area.Top(ui.RowHeight)
	if c.Button("backward", row.Column(0, 3, ui.Gap), ui.NoIcon, "Backward", t.backward) {
		v.count("backward")
		v.toggleBackward()
	}
	c.Tip(action("backward").does, key("backward"))
	if c.Button("stretch from", row.Column(1, 3, ui.Gap), ui.NoIcon, "From here", t.to > t.from) {
		v.count("stretch from")
		t.from = v.engine.Demanded()
		t.to = max(t.to, t.from)
	}
	c.Tip("a stretch that repeats begins here", "")
	if c.Button("stretch to", row.Column(2, 3, ui.Gap), ui.NoIcon, "To here", t.to > t.from) {
		v.count("stretch to")
		t.to = v.engine.Demanded()
		t.from = min(t.from, t.to)
	}
	c.Tip("and ends here; at its beginning it is gone", "")
	if t.to > t.from {
		place := func(tick uint64) float32 {
			return bar.X + 5 + (bar.W-10)*float32(max(tick, r.First)-r.First)/float32(r.Ticks-r.First)
		}
		a, b := place(t.from), place(t.to)
		c.Box(ui.Rect{X: a, Y: bar.Y + bar.H - 4, W: b - a, H: 3}, 1, ui.Warn)
	}
}

// toggleBackward plays a replay backward, or ends that. Time is paused meanwhile.
func (v *viewer) toggleBackward() {
	if v.replay == nil {
		v.say("only a replay plays backward")
		return
	}
	v.travel.backward, v.travel.rest = !v.travel.backward, 0
	on := v.travel.backward
	v.engines(func(e *engine.Engine) { e.SetPaused(on) })
}

// goBack moves a replay that plays backward by a frame of d, and one that has left
// its stretch to the beginning of it.
func (v *viewer) goBack(d time.Duration) {
	t, r := &v.travel, v.replay
	if r == nil {
		return
	}
	at := v.engine.Demanded()
	first := r.First
	if t.to > t.from {
		first = t.from
	}
	switch {
	case t.backward && !v.engine.Paused(): // the user has let it go on
		t.backward = false
	case t.backward:
		t.rest += d.Seconds() * v.engine.Scale() * v.engine.Rate().Float()
		n := uint64(t.rest)
		t.rest -= float64(n)
		switch {
		case n == 0:
		case at > first:
			_ = v.engine.Seek(max(at-min(n, at), first))
		case t.to > t.from:
			_ = v.engine.Seek(t.to)
		}
	case t.to > t.from && at > t.to && !v.engine.Paused():
		_ = v.engine.Seek(t.from)
	}
}
