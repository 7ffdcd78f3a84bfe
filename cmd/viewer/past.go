package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/ui"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// past is what the user looks at in place of the present: the last seconds of the
// session, as the engine's black box has them. An engine of its own replays them.
// The session waits meanwhile.
type past struct {
	recording *engine.Recording
	present   *player

	// Until the engine has come to the tick that was asked for, the picture stays
	// that of the present.
	view    *scene.View[body2d.State]
	epoch   uint32
	arrived bool
}

// tape is the recording that is played: that of -replay, or the past. In the
// present it is nil.
func (v *viewer) tape() *engine.Recording {
	if v.past != nil {
		return v.past.recording
	}
	return v.replay
}

// session is the engine of the present.
func (v *viewer) session() *player {
	if v.past != nil {
		return v.past.present
	}
	return v.player
}

// keepsPast reports whether the engine that is opened next keeps the last seconds
// for a person at the panel. One that writes black boxes does anyway.
func (v *viewer) keepsPast() bool {
	o := v.o
	return v.replay == nil && v.settings.loop == "" && o.Compare.name == "" &&
		(o.BlackBox.dir != "" || o.Hitch == 0 && (o.interactive() || v.panel.on))
}

// lookBack stops the session and opens its past. It says why it cannot.
func (v *viewer) lookBack() bool {
	var r *engine.Recording
	var data []byte
	err := engine.ErrNoBlackBox
	if e := v.player.engine; e != nil {
		data, err = e.BlackBox()
	}
	if err == nil {
		r, err = engine.ReadRecording(bytes.NewReader(data))
	}
	if err == nil && r.Ticks == r.First {
		err = errors.New("nothing has happened yet")
	}
	if errors.Is(err, engine.ErrNoBlackBox) {
		err = errors.New("this run does not keep its past")
	}
	if err != nil {
		v.say("no way back: " + err.Error())
		return false
	}
	sc := &v.scenes[v.current]
	s := v.settings
	s.inject, s.lastTick = nil, 0
	v.owner.beginWait()
	e, err := s.engine(sc, r.Config(sc.config().Setup))
	v.owner.endWait()
	if err != nil {
		v.say("no way back: " + err.Error())
		return false
	}
	v.letGo()
	e.SetPaused(v.player.Paused())
	v.past = &past{recording: r, present: v.player, view: v.view, epoch: e.View().Epoch}
	v.watch(e)
	v.turnTo(e)
	return true
}

// toPresent closes the past and goes on with the session, if it was left.
func (v *viewer) toPresent() {
	p := v.past
	if p == nil {
		return
	}
	v.letGo()
	e := v.player
	p.present.SetPaused(e.Paused() && !v.travel.backward) // which pauses, see toggleBackward
	v.unwatch(e)
	if err := v.stopEngine(e); errors.Is(err, engine.ErrStuck) && !v.quitting {
		v.say(err.Error())
		v.closeErr = nil
	}
	v.past, v.travel = nil, travel{}
	v.view = p.present.View()
	v.turnTo(p.present)
	v.applySettings()
}

// turnTo makes an engine the one that is shown.
func (v *viewer) turnTo(e *player) {
	v.player = e
	v.inspect.asked, v.inspect.info = false, bodyReport{}
	e.SetDebugLayers(v.payload())
}

// travelling reports whether the past is still on its way to the tick that was
// asked for. view is the newest of its engine.
func (v *viewer) travelling(view *scene.View[body2d.State]) bool {
	p := v.past
	if p != nil && !p.arrived {
		p.arrived = view.Epoch != p.epoch
	}
	return p != nil && !p.arrived
}

// happening is something to find on the bar.
type happening struct {
	tick uint64
	body world.Body // that something happened to; 0 is a hitch
}

// mostHappenings is how many of them the bar shows, the newest.
const mostHappenings = 256

// note keeps a happening for the bar. A replay that goes back brings it again.
func (v *viewer) note(h happening) {
	if slices.Contains(v.happened, h) {
		return
	}
	if len(v.happened) == mostHappenings {
		v.happened = v.happened[:copy(v.happened, v.happened[1:])]
	}
	v.happened = append(v.happened, h)
}

// noteEvent keeps what happens to the chosen body.
func (v *viewer) noteEvent(ev *world.Event) {
	b := v.inspect.body
	if b == 0 || v.past != nil || ev.A != b && ev.B != b {
		return
	}
	switch ev.Kind {
	case world.ContactBegin, world.SensorBegin, world.BodySlept, world.BodyWoke:
		v.note(happening{ev.Tick, b})
	}
}

// beginAt is the first frame of a replay that begins at a tick. The camera begins
// as it does where the recording does.
func (v *viewer) beginAt(tick uint64) error {
	v.pass(0)
	if err := v.begin(true); err != nil {
		return err
	}
	if v.replay == nil {
		v.goTo(tick)
		return nil
	}
	if err := v.player.engine.Seek(tick); err != nil {
		return fmt.Errorf("-seek: %w", err)
	}
	v.player.engine.SetSync(renderloop.Lockstep) // waits
	v.pass(0)
	v.player.engine.SetSync(v.settings.sync)
	return nil
}

// seek goes to a tick of the replay or of the session's past, or to its nearest
// end.
func (v *viewer) seek(tick uint64) {
	if v.tape() == nil && !v.lookBack() {
		return
	}
	r := v.tape()
	tick = min(max(tick, r.First), r.Ticks)
	if err := v.player.engine.Seek(tick); err != nil {
		v.say(err.Error())
		return
	}
	v.say(fmt.Sprintf("tick %d of %d", tick, r.Ticks))
}

// skip seeks forwards, or backwards, by a number of seconds.
func (v *viewer) skip(seconds float64) {
	if v.tape() == nil && seconds > 0 {
		v.say("this is the present")
		return
	}
	by := int64(seconds * v.player.Rate().Float())
	v.seek(uint64(max(int64(v.player.Demanded())+by, 0)))
}

// goTo runs the scene to a tick before its first frame is shown.
func (v *viewer) goTo(tick uint64) {
	if last, ok := v.o.lastTick(); ok {
		tick = min(tick, last)
	}
	for v.view.Tick < tick && v.player.Failure() == nil && !v.queue.asked() {
		v.steps = int(min(tick-min(v.player.Demanded(), tick), seekSteps))
		v.pass(0)
		v.events = v.player.events(v.events[:0])
	}
}

// seekSteps is the most steps of goTo between two looks at events.
const seekSteps = 60

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
