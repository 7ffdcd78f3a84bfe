package main

import (
	"errors"
	"math"
	"time"

	"halfstep/cmd/viewer/ui"
	"halfstep/engine"
)

// layTime is the bar of a replay, or of the session's last seconds: the knob can be
// dragged to any tick. Marks show where the replay has differed from the recording,
// where a frame or step was late, and what happened to the chosen body.
func (v *viewer) layTime(c *ui.Context, area *ui.Rect) {
	b := bar{text: "tick of the replay"}
	switch r := v.tape(); {
	case r != nil:
		b.from, b.to = r.First, r.Ticks
		if v.past != nil {
			b.text = "tick of the past"
		}
	case v.keeps:
		b.to = v.player.Demanded()
		b.from = b.to - min(b.to, v.pastTicks())
		b.text = "tick"
	default:
		return
	}
	area.Top(4)
	b.at = area.Top(ui.SliderHeight)
	g := &v.barRange
	*g = ui.Range{Min: float64(b.from), Max: float64(max(b.to, b.from+1)), Step: 1, NoReset: true}
	x, changed, done := c.Slider("scrub", b.at, b.text, "", float64(v.scrubbed(c.Held("scrub"))), g)
	c.Tip("drag to any tick", "")
	v.scrubs = c.Held("scrub")
	v.layHappenings(c, &b)
	if changed {
		v.scrub = uint64(math.Round(x))
	}
	if changed || done {
		v.seek(v.scrub)
	}
	if done {
		v.count("scrub")
	}
	v.layStretch(c, area, &b)
}

// bar is where the bar is and which ticks it shows.
type bar struct {
	at       ui.Rect
	from, to uint64
	text     string
}

// place is where a tick is on the bar. ok is false if it is not there.
func (b *bar) place(tick uint64) (x float32, ok bool) {
	if tick < b.from || tick > b.to || b.to == b.from {
		return 0, false
	}
	return b.at.X + 5 + (b.at.W-10)*float32(tick-b.from)/float32(b.to-b.from), true
}

// pastTicks is how far back a session goes, at least.
func (v *viewer) pastTicks() uint64 {
	length := v.o.BlackBox.length
	if length == 0 {
		length = 30 * time.Second
	}
	return uint64(length.Seconds() * v.player.Rate().Float())
}

// layHappenings marks on the bar what is to be found there.
func (v *viewer) layHappenings(c *ui.Context, b *bar) {
	mark := func(tick uint64, w float32, col ui.Colour) {
		if x, ok := b.place(tick); ok {
			c.Box(ui.Rect{X: x - w/2, Y: b.at.Y + b.at.H - 15, W: w, H: 12}, 0, col)
		}
	}
	for i := range v.happened {
		switch h := &v.happened[i]; h.body {
		case 0:
			mark(h.tick, 3, ui.Warn)
		case v.inspect.body:
			mark(h.tick, 1, ui.Accent)
		}
	}
	if v.failure == nil { // errors.As allocates
		return
	}
	var m *engine.Mismatch
	if errors.As(v.failure, &m) {
		mark(m.Tick, 3, ui.Bad)
	}
}

// scrubbed is the tick that the bar shows: where it was dragged to while it is
// held, which may be ahead of the picture.
func (v *viewer) scrubbed(held bool) uint64 {
	if !held {
		v.scrub = v.view.Tick
	}
	return v.scrub
}

// travel is how a replay, or the past, moves besides forward.
type travel struct {
	backward bool
	rest     float64 // of a tick, that backward has not gone yet
	from, to uint64  // a stretch that repeats, if to is above from
}

// layStretch lays out the buttons for playing backward and for a stretch, and marks
// the stretch on the bar.
func (v *viewer) layStretch(c *ui.Context, area *ui.Rect, b *bar) {
	t := &v.travel
	area.Top(4)
	row := area.Top(ui.RowHeight)
	columns := 3
	if v.replay == nil {
		columns = 4
	}
	button := func(i int, name, text, tip, key string, on bool) bool {
		pressed := c.Button(name, row.Column(i, columns, ui.Gap), ui.NoIcon, text, on)
		if pressed {
			v.count(name)
		}
		c.Tip(tip, key)
		return pressed
	}
	if button(0, "backward", "Back", backwardAction.does, backwardAction.key(), t.backward) {
		v.toggleBackward()
	}
	if button(1, "stretch from", "From", "a stretch that repeats begins here", "", t.to > t.from) {
		t.from = v.player.Demanded()
		t.to = max(t.to, t.from)
	}
	if button(2, "stretch to", "To", "and ends here; at its beginning it is gone", "", t.to > t.from) {
		t.to = v.player.Demanded()
		t.from = min(t.from, t.to)
		if from := t.from; t.to > from && v.tape() == nil {
			v.seek(from)
		}
	}
	if columns == 4 && button(3, "present", "Now", presentAction.does, presentAction.key(), v.past == nil) {
		v.toPresent()
	}
	from, ok1 := b.place(max(t.from, b.from))
	to, ok2 := b.place(t.to)
	if t.to > t.from && ok1 && ok2 {
		c.Box(ui.Rect{X: from, Y: b.at.Y + b.at.H - 4, W: to - from, H: 3}, 1, ui.Warn)
	}
}

// toggleBackward plays a replay or the past backward, or ends that. Time is paused
// meanwhile.
func (v *viewer) toggleBackward() {
	if v.tape() == nil {
		now := v.player.Demanded()
		if v.seek(now); v.past == nil {
			return
		}
	}
	v.travel.backward, v.travel.rest = !v.travel.backward, 0
	on := v.travel.backward
	v.engines(func(e *player) { e.SetPaused(on) })
}

// goBack moves a replay that plays backward by a frame of d, and one that has left
// its stretch to the beginning of it. A past that has come to its end is left.
func (v *viewer) goBack(d time.Duration) {
	t, r := &v.travel, v.tape()
	if r == nil || v.past != nil && !v.past.arrived {
		return
	}
	at := v.player.Demanded()
	// A stretch that was marked in the present may reach beyond the past.
	first, last := max(t.from, r.First), min(t.to, r.Ticks)
	repeats := last > first
	if !repeats {
		first = r.First
	}
	switch {
	case t.backward && !v.player.Paused(): // the user has let it go on
		t.backward = false
	case t.backward:
		t.rest += d.Seconds() * v.player.Scale() * v.player.Rate().Float()
		n := uint64(t.rest)
		t.rest -= float64(n)
		switch {
		case n == 0:
		case at > first:
			_ = v.player.engine.Seek(max(at-min(n, at), first))
		case repeats:
			_ = v.player.engine.Seek(last)
		}
	case repeats && (at > last || at >= r.Ticks) && !v.player.Paused():
		_ = v.player.engine.Seek(first)
	case v.past != nil && at >= r.Ticks && !v.player.Paused() && !v.scrubs:
		v.toPresent()
	}
}
