package panel

import (
	"errors"
	"math"

	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
	"halfstep/engine"
)

// The time bar is the slider near the top of the panel. With the bar the user goes to another tick.

// timeBar is the time bar with the buttons below it. It is on every page.
type timeBar struct {
	panel   *Panel
	session *play.Session
	picture *picture.Picture

	barRange ui.Range
	scrub    uint64 // scrub is the tick to which the user has dragged the knob.
}

// layTime lays out the time bar of a replay or of the session's last seconds. The knob can be
// dragged to any tick. Marks show where the replay differed from the recording, late frames and
// steps, and events of the chosen body.
func (v *timeBar) layTime(c *ui.Context, area *ui.Rect) {
	b := bar{text: "now"}
	switch r := v.session.Stage.Shown.Recording; {
	case r != nil:
		b.from, b.to = r.First, r.Ticks
		b.text = v.session.Travel.Place(v.Scrubbed(c.Held("scrub")))
	case v.session.Travel.HasPast: // the engine keeps its last seconds
		b.to = v.session.Stage.Player.Demanded()
		b.from = b.to - min(b.to, v.session.Travel.PastTicks())
	default: // the controls below keep their positions
		area.Top(4)
		c.Print(area.Top(ui.SliderHeight+4+ui.RowHeight), ui.Plain, ui.Middle, ui.Faint, v.session.Travel.NoPastReason())
		return
	}
	area.Top(4)
	b.at = area.Top(ui.SliderHeight)
	g := &v.panel.Bar.barRange
	seconds := g.Shown
	if seconds == nil {
		seconds = v.session.Travel.Seconds // make the method value only once, because making one allocates
	}
	*g = ui.Range{Min: float64(b.from), Max: float64(max(b.to, b.from+1)), Step: 1, NoReset: true, Shown: seconds, Unit: "s"}
	x, changed, done := c.Slider("scrub", b.at, b.text, noKey, float64(v.Scrubbed(c.Held("scrub"))), g)
	c.Tip("drag to any moment", noKey)
	if done, ok := v.session.Travel.Progress(); ok {
		c.Box(ui.Rect{X: b.at.X, Y: b.at.Y + b.at.H - 3, W: b.at.W * float32(done), H: 2}, 1, ui.Accent)
	}
	v.session.Travel.Scrubs = c.Held("scrub") // while the knob is held, steerPlayback does not leave a past at its end
	v.layBarMarks(c, &b)
	if changed {
		v.panel.Bar.scrub = uint64(math.Round(x))
	}
	if changed || done {
		v.session.Travel.Seek(v.panel.Bar.scrub)
	}
	if done {
		v.session.Uses.Count("scrub")
	}
	v.layPlayback(c, area, &b)
}

// bar is the bar in this frame: its position, the ticks at its ends, and the text above it.
type bar struct {
	at       ui.Rect
	from, to uint64
	text     string
}

// place returns the x coordinate of a tick on the bar. The result ok is false if the tick is beyond
// the bar.
func (b *bar) place(tick uint64) (x float32, ok bool) {
	if tick < b.from || tick > b.to || b.to == b.from {
		return 0, false
	}
	return b.at.X + 5 + (b.at.W-10)*float32(tick-b.from)/float32(b.to-b.from), true
}

// layBarMarks draws the marks of late frames, of events of the chosen body, and of a difference from
// the recording.
func (v *timeBar) layBarMarks(c *ui.Context, b *bar) {
	mark := func(tick uint64, w float32, col ui.Colour) {
		if x, ok := b.place(tick); ok {
			c.Box(ui.Rect{X: x - w/2, Y: b.at.Y + b.at.H - 15, W: w, H: 12}, 0, col)
		}
	}
	for i := range v.session.Notes.All {
		switch h := &v.session.Notes.All[i]; h.Body {
		case 0:
			mark(h.Tick, 3, ui.Warn)
		case v.session.Inspect.Body:
			mark(h.Tick, 1, ui.Accent)
		}
	}
	if v.session.Outcome.Failure == nil { // errors.As allocates
		return
	}
	var m *engine.Mismatch
	if errors.As(v.session.Outcome.Failure, &m) {
		mark(m.Tick, 3, ui.Bad)
	}
}

// Scrubbed updates and returns the tick of the knob. During a seek it is the target. While the knob
// is held it is the tick to which the knob was dragged. Otherwise it is the tick of the picture.
func (v *timeBar) Scrubbed(held bool) uint64 {
	if v.session.Travel.Seeking.On || !held {
		v.panel.Bar.scrub = v.session.Travel.At()
	}
	return v.panel.Bar.scrub
}

// layPlayback lays out the buttons that move through the past, and underlines the part of the bar that
// Loop repeats.
func (v *timeBar) layPlayback(c *ui.Context, area *ui.Rect, b *bar) {
	t := &v.session.Travel.Playback
	area.Top(4)
	row := area.Top(ui.RowHeight)
	const gap, icons = 4, 3
	words := 3
	now := v.session.Stage.Shown.Replay() == nil || v.session.Stage.Shown.Source != nil // whether there is a present to which the button Now returns
	if now {
		words++
	}
	small := row.W / 10
	large := (row.W - icons*small - float32(icons+words-1)*gap) / float32(words)
	act := func(name string, wide float32, icon ui.Icon, text string, on bool) {
		v.panel.actionButton(name, row.Left(wide), icon, text, Named(name).does, on)
		row.Left(gap)
	}
	button := func(name, text, tip string) bool {
		pressed := c.Button(name, row.Left(large), ui.NoIcon, text, t.Loops())
		row.Left(gap)
		c.Tip(tip, noKey)
		return pressed
	}
	act("backward", small, ui.PlayBack, noText, t.Backward)
	act("back", small, ui.Backward, noText, notChosen)
	act("forward", small, ui.Forward, noText, notChosen)
	if button("repeat", "Loop", "repeat a part: the last three seconds, or what From and To mark") {
		v.session.Uses.Count("repeat")
		if t.Off = t.Loops(); t.To <= t.From {
			t.Off, t.To = false, v.session.Stage.Player.Demanded()
			t.From = t.To - min(t.To, uint64(play.LoopTime*v.session.Stage.Player.Rate().Float()))
		}
		if !t.Off && !v.session.Stage.Shown.Recorded() { // in a recording steerPlayback does this
			v.session.Travel.Seek(t.From)
		}
	}
	if button("loop from", "From", "the loop starts at the moment that is shown") {
		v.session.Uses.Count("loop from")
		t.From, t.Off = v.session.Stage.Player.Demanded(), false
		t.To = max(t.To, t.From)
	}
	if button("loop to", "To", "the loop ends at the moment that is shown") {
		v.session.Uses.Count("loop to")
		t.To, t.Off = v.session.Stage.Player.Demanded(), false
		t.From = min(t.From, t.To)
		if from := t.From; t.To > from && !v.session.Stage.Shown.Recorded() {
			v.session.Travel.Seek(from)
		}
	}
	if now {
		act("present", large, ui.NoIcon, "Now", v.session.Stage.Shown.What != play.ShowsPast && (v.session.Stage.Shown.Replay() == nil || v.session.Follow.On))
	}
	from, ok1 := b.place(max(t.From, b.from))
	to, ok2 := b.place(t.To)
	if t.Loops() && ok1 && ok2 {
		c.Box(ui.Rect{X: from, Y: b.at.Y + b.at.H - 4, W: to - from, H: 3}, 1, ui.Warn)
	}
}
