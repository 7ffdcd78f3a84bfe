package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"halfstep/cmd/viewer/ui"
	"halfstep/engine"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// past is what the user looks at in place of the present: the last seconds of the
// session, as the engine's black box has them. An engine of its own replays them.
// The session waits meanwhile.
type past struct {
	recording *engine.Recording
	present   *player
}

// live is the player of the present.
func (s *session) live() *player {
	if s.past != nil {
		return s.past.present
	}
	return s.player
}

// keepsPast reports whether the engine that is opened next keeps the last seconds
// for a person at the panel. One that writes black boxes does anyway.
func (s *session) keepsPast(panel bool) bool {
	o := s.o
	return s.replay == nil && s.settings.loop == "" && s.compare.name == "" &&
		(o.BlackBox.dir != "" || o.Hitch == 0 && (o.interactive() || panel))
}

// toPresent closes the past and goes on with the session, if it was left.
func (s *session) toPresent() {
	s.endSeek()
	p := s.past
	if p == nil {
		s.playback.backward = false
		return
	}
	s.letGo()
	e := s.player
	p.present.SetPaused(p.present.Paused() || s.stopped())
	s.unwatch(e)
	if err := s.stopEngine(e); errors.Is(err, engine.ErrStuck) && !s.quitting {
		s.say(err.Error())
		s.closeErr = nil
	}
	s.past, s.playback = nil, playback{}
	s.view = p.present.View()
	s.turnTo(p.present)
	s.applySettings()
}

// turnTo makes an engine the one that is shown.
func (s *session) turnTo(e *player) {
	s.player = e
	s.inspect.asked, s.inspect.last = false, time.Time{} // what it said stays until the answer
	e.SetDebugLayers(s.debug)
}

// barMark is something to find on the bar.
type barMark struct {
	tick uint64
	body world.Body // that something happened to; 0 is a hitch
}

// mostBarMarks is how many of them the bar shows, the newest.
const mostBarMarks = 256

// note keeps a barMark for the bar. A replay that goes back brings it again.
func (s *session) note(h barMark) {
	if slices.Contains(s.barMarks, h) {
		return
	}
	if len(s.barMarks) == mostBarMarks {
		s.barMarks = s.barMarks[:copy(s.barMarks, s.barMarks[1:])]
	}
	s.barMarks = append(s.barMarks, h)
}

// noteEvent keeps what happens to the chosen body.
func (s *session) noteEvent(ev *world.Event) {
	b := s.inspect.body
	if b == 0 || s.past != nil || ev.A != b && ev.B != b {
		return
	}
	switch ev.Kind {
	case world.ContactBegin, world.SensorBegin, world.BodySlept, world.BodyWoke:
		s.note(barMark{ev.Tick, b})
	}
}

// layTime is the bar of a replay, or of the session's last seconds: the knob can be
// dragged to any tick. Marks show where the replay has differed from the recording,
// where a frame or step was late, and what happened to the chosen body.
func (v *viewer) layTime(c *ui.Context, area *ui.Rect) {
	b := bar{text: "now"}
	switch r := v.playedRecording(); {
	case r != nil:
		b.from, b.to = r.First, r.Ticks
		b.text = v.place(v.scrubbed(c.Held("scrub")))
	case v.keeps:
		b.to = v.player.Demanded()
		b.from = b.to - min(b.to, v.pastTicks())
	default: // the controls below stay where they are
		area.Top(4)
		c.Print(area.Top(ui.SliderHeight+4+ui.RowHeight), ui.Plain, ui.Middle, ui.Faint, v.whyNoPast())
		return
	}
	area.Top(4)
	b.at = area.Top(ui.SliderHeight)
	g := &v.panel.barRange
	seconds := g.Shown
	if seconds == nil {
		seconds = v.seconds // once: a method as a value is allocated
	}
	*g = ui.Range{Min: float64(b.from), Max: float64(max(b.to, b.from+1)), Step: 1, NoReset: true, Shown: seconds, Unit: "s"}
	x, changed, done := c.Slider("scrub", b.at, b.text, "", float64(v.scrubbed(c.Held("scrub"))), g)
	c.Tip("drag to any moment", "")
	if done, ok := v.progress(); ok {
		c.Box(ui.Rect{X: b.at.X, Y: b.at.Y + b.at.H - 3, W: b.at.W * float32(done), H: 2}, 1, ui.Accent)
	}
	v.scrubs = c.Held("scrub")
	v.layBarMarks(c, &b)
	if changed {
		v.panel.scrub = uint64(math.Round(x))
	}
	if changed || done {
		v.seek(v.panel.scrub)
	}
	if done {
		v.count("scrub")
	}
	v.layPlayback(c, area, &b)
}

// whyNoPast says why the engine keeps no past.
func (v *viewer) whyNoPast() string {
	switch {
	case v.compare.name != "":
		return "no past while comparing"
	case v.settings.loop != "":
		return "only the engine's own loop keeps a past"
	default:
		return "this run keeps no past"
	}
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

// seconds is the time of a tick, since the recording's beginning if there is one.
func (s *session) seconds(tick float64) float64 {
	if r := s.playedRecording(); r != nil {
		return r.TimeAt(uint64(tick)).Seconds()
	}
	return tick / s.player.Rate().Float()
}

// secondsBefore is the time from a tick to the end of a recording.
func secondsBefore(r *engine.Recording, tick uint64) float64 {
	return (r.TimeAt(r.Ticks) - r.TimeAt(min(tick, r.Ticks))).Seconds()
}

// pastTicks is how far back a session goes, at least.
func (s *session) pastTicks() uint64 {
	length := cmp.Or(s.o.BlackBox.length, 30*time.Second)
	return uint64(length.Seconds() * s.player.Rate().Float())
}

// isPast reports whether what is shown has been, and says that it cannot be changed.
func (s *session) isPast() bool {
	if s.playedRecording() == nil {
		return false
	}
	if s.watched() != nil {
		s.say("what is watched cannot be changed from here")
	} else if s.replay != nil {
		s.say("a recording cannot be changed")
	} else {
		s.say("what has been cannot be changed; " + keyOf("present") + " leads back to now")
	}
	return true
}

// The look of the past: a tint over it and a banner.
var (
	pastTint   = colour{255, 196, 120, 26}
	bannerBack = colour{120, 84, 32, 245}
)

// drawPast draws the look of the past, and the verdict at the end of a replay.
func (v *viewer) drawPast(c *glrender.HUD) {
	v.hud.now = ui.Rect{}
	width, height := v.clear(c)
	text, button := "", ""
	switch {
	case v.past != nil || v.seeking.opening != nil:
		c.Rect(0, 0, width, height, pastTint)
		text, button = v.place(v.bannerTick()), "Now"
		if done, ok := v.progress(); ok {
			text = fmt.Sprintf("%s, on the way: %.0f %% (Esc stops)", v.place(v.seeking.to), 100*done)
		}
	case v.watched() != nil && v.watched().url != "" && (!v.following.on || !v.replay.Live):
		if text = v.watchText(v.bannerTick()); v.replay.Live {
			button = "Now"
		}
	case v.replay != nil:
		text = v.replayVerdict()
		if done, ok := v.progress(); ok {
			text = fmt.Sprintf("tick %d, on the way: %.0f %% (Esc stops)", v.seeking.to, 100*done)
		}
	}
	if text == "" {
		return
	}
	unit := int(c.Unit())
	w := labelWidth(unit, text)
	wide := w + 2*padding
	if button != "" {
		wide += labelWidth(unit, button) + 3*padding
	}
	x, y := (width-wide)/2, float32(margin)
	c.Panel(x, y, wide, bannerTall, 5, bannerBack)
	c.Label(x+padding, y+4, glrender.Regular, textColour, append(v.figures.name[:0], text...))
	if button != "" {
		v.hud.now = ui.Rect{X: x + w + 2*padding, Y: y + 3, W: labelWidth(unit, button) + 2*padding, H: bannerTall - 6}
		r := v.hud.now
		c.Panel(r.X, r.Y, r.W, r.H, 4, colour{255, 255, 255, 40})
		c.Label(r.X+padding, y+4, glrender.Regular, textColour, append(v.figures.name[:0], button...))
	}
}

const bannerTall = 24

// bannerTick is the tick that the banner speaks of: that of the bar, if there is one.
func (v *viewer) bannerTick() uint64 {
	if v.panel.width(v.surface) > 0 {
		return v.panel.scrub
	}
	return v.view.Tick
}

// layBarMarks marks on the bar what is to be found there.
func (v *viewer) layBarMarks(c *ui.Context, b *bar) {
	mark := func(tick uint64, w float32, col ui.Colour) {
		if x, ok := b.place(tick); ok {
			c.Box(ui.Rect{X: x - w/2, Y: b.at.Y + b.at.H - 15, W: w, H: 12}, 0, col)
		}
	}
	for i := range v.barMarks {
		switch h := &v.barMarks[i]; h.body {
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
	if v.seeking.on {
		v.panel.scrub = v.seeking.to
	} else if !held {
		v.panel.scrub = v.view.Tick
	}
	return v.panel.scrub
}

// playback is how a replay, or the past, moves besides forward.
type playback struct {
	backward bool
	pace     pace   // of that
	from, to uint64 // the ends of a loop, if to is above from
	off      bool   // they are set, but it does not repeat
}

// pace is how playing backward moves: by as many ticks from picture to picture as pass
// while one is computed, so that they are evenly spaced. What takes longer than usual
// slows it down.
type pace struct {
	due   float64 // ticks that have passed and are not shown
	usual float64 // ticks that pass until a picture is there
	took  float64 // ticks since the last one was asked for
	asked bool    // and is not there yet
	epoch uint32  // of the view until it is
}

// pass is called in each frame, in which some ticks pass. It returns by how many to go on.
func (p *pace) pass(ticks float64, epoch uint32) uint64 {
	p.due += ticks
	p.took += ticks
	if p.asked && epoch == p.epoch {
		return 0
	}
	if p.asked {
		p.usual += (min(p.took, 4*p.usual+1) - p.usual) / 8
		p.asked = false
	}
	n := max(math.Round(p.usual), 1)
	if p.due < n {
		return 0
	}
	p.due = min(p.due-n, n)
	p.took, p.asked, p.epoch = 0, true, epoch
	return uint64(n)
}

// loops reports whether a part is repeated.
func (t *playback) loops() bool { return t.to > t.from && !t.off }

// layPlayback lays out the buttons that move through the past, and marks the loop on the
// bar.
func (v *viewer) layPlayback(c *ui.Context, area *ui.Rect, b *bar) {
	t := &v.playback
	area.Top(4)
	row := area.Top(ui.RowHeight)
	const gap, icons = 4, 3
	words := 3
	now := v.replay == nil || v.watched() != nil
	if now {
		words++
	}
	small := row.W / 10
	large := (row.W - icons*small - float32(icons+words-1)*gap) / float32(words)
	act := func(name string, wide float32, icon ui.Icon, text string, on bool) {
		v.actionButton(name, row.Left(wide), icon, text, named(name).does, on)
		row.Left(gap)
	}
	button := func(name, text, tip string) bool {
		pressed := c.Button(name, row.Left(large), ui.NoIcon, text, t.loops())
		row.Left(gap)
		c.Tip(tip, "")
		return pressed
	}
	act("backward", small, ui.PlayBack, "", t.backward)
	act("back", small, ui.Backward, "", false)
	act("forward", small, ui.Forward, "", false)
	if button("repeat", "Loop", "repeat a part: the last three seconds, or what From and To mark") {
		v.count("repeat")
		if t.off = t.loops(); t.to <= t.from {
			t.off, t.to = false, v.player.Demanded()
			t.from = t.to - min(t.to, uint64(loopTime*v.player.Rate().Float()))
		}
		if !t.off && v.playedRecording() == nil {
			v.seek(t.from)
		}
	}
	if button("loop from", "From", "the loop starts at the moment that is shown") {
		v.count("loop from")
		t.from, t.off = v.player.Demanded(), false
		t.to = max(t.to, t.from)
	}
	if button("loop to", "To", "the loop ends at the moment that is shown") {
		v.count("loop to")
		t.to, t.off = v.player.Demanded(), false
		t.from = min(t.from, t.to)
		if from := t.from; t.to > from && v.playedRecording() == nil {
			v.seek(from)
		}
	}
	if now {
		act("present", large, ui.NoIcon, "Now", v.past == nil && (v.replay == nil || v.following.on))
	}
	from, ok1 := b.place(max(t.from, b.from))
	to, ok2 := b.place(t.to)
	if t.loops() && ok1 && ok2 {
		c.Box(ui.Rect{X: from, Y: b.at.Y + b.at.H - 4, W: to - from, H: 3}, 1, ui.Warn)
	}
}

// loopTime is how much is repeated if the user has not said what, s.
const loopTime = 3

// toggleBackward plays a replay or the past backward, or ends that. The replay is paused
// meanwhile; a past that is being set up will be.
func (s *session) toggleBackward() {
	if s.playedRecording() == nil {
		if s.seek(s.player.Demanded()); s.playedRecording() == nil {
			return
		}
	}
	s.leaveNow()
	s.playback.backward, s.playback.pace = !s.playback.backward, pace{}
	if on := s.playback.backward; s.seeking.opening == nil {
		s.engines(func(e *player) { e.SetPaused(on) })
	}
}

// goBack moves a replay that plays backward by a frame of d, and one that has left
// its loop to the beginning of it. A past that has come to its end is left.
func (s *session) goBack(d time.Duration) {
	t, r := &s.playback, s.playedRecording()
	if r == nil || s.seeking.on {
		return
	}
	at := s.player.Demanded()
	// A loop that was marked in the present may reach beyond the past.
	first, last := max(t.from, r.First), min(t.to, r.Ticks)
	repeats := last > first && !t.off
	if !repeats {
		first = r.First
	}
	switch {
	case t.backward:
		n := t.pace.pass(d.Seconds()*s.player.Scale()*s.player.Rate().Float(), s.player.View().Epoch)
		switch {
		case n == 0:
		case at > first:
			_ = s.player.engine.History().Seek(max(at-min(n, at), first))
		case repeats:
			_ = s.player.engine.History().Seek(last)
		default: // there is nothing before
			t.pace = pace{}
		}
	case repeats && (at > last || at >= r.Ticks) && !s.player.Paused():
		_ = s.player.engine.History().Seek(first)
	case s.past != nil && at >= r.Ticks && !s.player.Paused() && !s.scrubs:
		s.toPresent()
	}
}
