package main

import (
	"errors"
	"fmt"
	"time"

	"halfstep/engine"
)

// travel is how the user goes through time: forwards, at a speed or by single steps; to another tick of a
// recording; and back into the last seconds of the session.
type travel struct {
	stage   *stage
	host    host
	follow  *follower
	wheel   *wheel
	beside  *beside
	inspect *inspector
	uses    uses

	journey
	looksBack []lookBackTimes
}

// journey is the part of travel that ends with the open scene.
type journey struct {
	hasPast  bool // the engine keeps its last seconds, so that the user can look back
	playback playback
	seeking  seeking
	steps    int  // the steps that the next frame makes in place of its time
	scrubs   bool // the knob of the time bar is held
}

// begin forgets the scene before. hasPast says that the engine of the new one keeps its last seconds.
func (t *travel) begin(hasPast bool) { t.journey = journey{hasPast: hasPast} }

// seeking is a seek in progress. It goes to the nearest keyframe, and from there on in parts of about
// partTime, so that pictures are shown on the way, the user can stop it, and physics does not seem to
// hang. In a replay a part is a seek of the engine; in the present it is some steps of the scene.
type seeking struct {
	on       bool
	from, to uint64    // ticks
	part     uint64    // the length of a part, ticks
	began    time.Time // when the seek began
	epoch    uint32    // of the view when the last part was sent; a new one means that it is done

	asked time.Time     // when a look back from the present began, until it has been timed
	first time.Duration // from asked to the first picture of the past; 0: there is none yet
}

// opened is an engine that replays the past, or the error in starting it.
type opened struct {
	player *player
	err    error
}

const (
	partTime = 100 * time.Millisecond // about how long the steps of a part take
	mostPart = 4096                   // ticks of a part at most
	// mostParts is the number of parts that are sent as one at the end of a seek, because each
	// picture on the way costs a frame.
	mostParts = 3
	// openTime is how long a frame waits for the past to open. Most do within it, and would
	// take longer beside frames that draw the same picture again.
	openTime = 50 * time.Millisecond
	// seekShown is how long a seek goes on before its progress is shown.
	seekShown = 300 * time.Millisecond
)

// seek goes to a tick of the replay or of the session's past, or to the end that is nearest to it.
func (t *travel) seek(tick uint64) {
	if t.stage.shown.recording == nil {
		if !t.lookBack(tick) {
			return
		}
		t.seeking.on, t.steps = false, 0 // ends the seek of -seek
	}
	t.follow.leaveNow()
	k, r := &t.seeking, t.stage.shown.recording
	tick = min(max(tick, r.First), r.Ticks)
	underWay := k.on
	k.to = tick
	if !underWay {
		t.beginSeek()
	}
	if t.stage.shown.replay() != nil { // the past has a banner
		t.host.say(t.place(tick))
	}
	if !underWay && t.stage.shown.what != showsOpening { // otherwise goOnSeeking or openPast sends the next part
		t.sendPart()
	}
}

// beginSeek begins a seek to seeking.to.
func (t *travel) beginSeek() {
	k := &t.seeking
	k.on, k.from, k.began = true, t.stage.player.Demanded(), time.Now()
	k.part = partOf(t.stage.live(), 1) // a replay has no newest step at first
}

// partOf returns how many steps a player does in partTime, by the time of its newest step. If it has
// not done any, it returns unknown.
func partOf(p *player, unknown uint64) uint64 {
	last := p.Metrics().LastStep
	if last <= 0 {
		return unknown
	}
	return min(max(uint64(partTime/last), 1), mostPart)
}

// place says in words where a tick of the played recording is.
func (t *travel) place(tick uint64) string {
	r := t.stage.shown.recording
	if t.stage.shown.from != nil {
		return t.follow.watchText(tick)
	}
	if t.stage.shown.what != showsPast && t.stage.shown.what != showsOpening {
		return fmt.Sprintf("tick %d of %d", tick, r.Ticks)
	}
	return fmt.Sprintf("%.1f s ago", secondsBefore(r, tick))
}

// sendPart begins the next part of a seek, or all of it if the clock is simulated: then the next frame
// waits for it.
func (t *travel) sendPart() {
	k, e := &t.seeking, t.stage.player.engine
	k.epoch = t.stage.player.View().Epoch
	if t.stage.shown.recording == nil { // -seek in a scene
		t.steps = int(min(k.part, k.to-min(t.stage.player.Demanded(), k.to)))
		return
	}
	next := k.to
	if at := t.stage.player.Demanded(); !t.stage.settings.simulated {
		if key := e.History().Keyframe(k.to); key > at || at > k.to {
			next, k.from = key, key
		} else if k.to-at > mostParts*k.part {
			next = at + k.part
		}
	}
	if err := e.History().Seek(next); err != nil {
		t.host.say(err.Error())
		k.on = false
	}
}

// goOnSeeking is called in every frame. It begins the next part when one is done.
func (t *travel) goOnSeeking() {
	k, v := &t.seeking, t.stage.player.View()
	switch {
	case !k.on:
		return
	case t.stage.player.Failure() != nil:
		k.on = false
		return
	case t.stage.shown.what == showsOpening, t.stage.shown.recording != nil && v.Epoch == k.epoch:
		return
	case t.stage.player.Demanded() == k.to || t.stage.shown.recording == nil && v.Tick > k.to:
		k.on = false
		return
	}
	k.part = min(2*k.part, partOf(t.stage.player, k.part))
	t.sendPart()
}

// lookBackTimes say how long a look back from the present took, for -stats.
type lookBackTimes struct {
	Tick    uint64  `json:"tick"`     // the tick that was asked for
	FirstMS float64 `json:"first_ms"` // until the first picture of the past
	MS      float64 `json:"ms"`       // until the picture of the tick
}

const mostLooksBack = 64 // in -stats

// timeLookBack is called when a picture was presented.
func (t *travel) timeLookBack() {
	k := &t.seeking
	if k.asked.IsZero() || t.stage.shown.what != showsPast {
		return
	}
	took := time.Since(k.asked)
	if k.first == 0 {
		k.first = took
	}
	if k.on {
		return
	}
	if k.asked = (time.Time{}); len(t.looksBack) < mostLooksBack {
		t.looksBack = append(t.looksBack, lookBackTimes{k.to, k.first.Seconds() * 1e3, took.Seconds() * 1e3})
	}
}

// giveUpSeek ends a seek where it is. It returns false if there was none.
func (t *travel) giveUpSeek() bool {
	k := &t.seeking
	if !k.on || t.stage.shown.what == showsOpening {
		return false
	}
	k.on, t.steps = false, 0
	t.host.say("stopped on the way")
	return true
}

// progress returns how much of a seek is done, from 0 to 1. ok is false if there is no seek, or only
// a short one.
func (t *travel) progress() (done float64, ok bool) {
	k := &t.seeking
	if !k.on || t.stage.shown.what == showsOpening || time.Since(k.began) < seekShown || k.to <= k.from {
		return 0, false
	}
	at := min(max(t.stage.view.Tick, k.from), k.to)
	return float64(at-k.from) / float64(k.to-k.from), true
}

// skip seeks forwards, or backwards, by a number of seconds.
func (t *travel) skip(seconds float64) {
	if t.stage.shown.recording == nil && seconds > 0 {
		t.host.say("this is the present")
		return
	}
	at := t.stage.player.Demanded()
	if t.seeking.on {
		at = t.seeking.to
	}
	if r := t.stage.shown.recording; r != nil {
		t.seek(r.TickAt(r.TimeAt(at) + time.Duration(seconds*float64(time.Second))))
		return
	}
	by := int64(seconds * t.stage.player.Rate().Float())
	t.seek(uint64(max(int64(at)+by, 0)))
}

// lookBack stops the session and opens its past just before a tick. If it cannot, it tells the user why
// and returns false. The past is set up on another goroutine; lookBack waits for that at most openTime,
// unless the clock is simulated.
func (t *travel) lookBack(tick uint64) bool {
	asked := time.Now()
	var r *engine.Recording
	err := engine.ErrNoBlackBox
	if e := t.stage.player.engine; e != nil && t.hasPast {
		r, err = e.History().Past()
	}
	switch {
	case err == nil && r.Ticks == r.First:
		err = errors.New("nothing has happened yet")
	case errors.Is(err, engine.ErrNoBlackBox):
		err = errors.New("this run does not keep its past")
	}
	if err != nil {
		t.host.say("no way back: " + err.Error())
		return false
	}
	t.stage.letGo()
	if t.wheel.arrows != [4]bool{} { // the scene would not be told when the keys are released
		t.wheel.steer([4]bool{})
	}
	sc, with := t.stage.scenes[t.stage.current], t.stage.settings
	with.inject, with.lastTick = nil, 0
	c := r.Config(sc.Config().Setup)
	c.History.ReplayFrom = max(min(tick, r.Ticks), 1) - 1
	open := make(chan opened, 1)
	setUp := func() {
		e, err := with.engine(&sc, c)
		open <- opened{e, err}
	}
	t.stage.shown = shown{what: showsOpening, recording: r, setUp: open}
	t.seeking.asked, t.seeking.first = asked, 0
	if t.stage.settings.simulated {
		t.stage.owner.beginWait()
		setUp()
		t.stage.owner.endWait()
		return t.enterPast(<-open)
	}
	go setUp()
	select {
	case o := <-open:
		return t.enterPast(o)
	case <-time.After(openTime):
		return true
	}
}

// enterPast shows a past that has been set up.
func (t *travel) enterPast(o opened) bool {
	r := t.stage.shown.recording
	t.stage.shown = shown{}
	if o.err != nil {
		t.host.say("no way back: " + o.err.Error())
		t.seeking.on, t.playback.backward = false, false
		return false
	}
	e := o.player
	e.SetPaused(t.stage.player.Paused() || t.playback.backward)
	t.stage.shown = shown{what: showsPast, recording: r, present: t.stage.player}
	t.host.started(e, true)
	t.turnTo(e)
	t.stage.view = e.Step(0) // shows its keyframe until the tick is computed
	return true
}

// openPast is called in every frame. When the past that lookBack sets up is ready, it shows it and goes
// on with the seek.
func (t *travel) openPast() {
	select {
	case o := <-t.stage.shown.setUp: // a nil channel is never ready
		if t.enterPast(o) {
			t.sendPart()
		}
	default:
	}
}

// endSeek ends a seek that is under way, and closes a past that is being set up for it.
func (t *travel) endSeek() {
	if t.stage.shown.what == showsOpening {
		t.stage.owner.beginWait()
		o := <-t.stage.shown.setUp
		t.stage.owner.endWait()
		if o.err == nil {
			_ = t.stage.stopEngine(o.player)
		}
		t.stage.shown = shown{}
	}
	t.seeking, t.steps = seeking{}, 0
}

// seconds is the time of a tick, as the recording that is played has it, or else at the present rate.
func (t *travel) seconds(tick float64) float64 {
	if r := t.stage.shown.recording; r != nil {
		return r.TimeAt(uint64(tick)).Seconds()
	}
	return tick / t.stage.player.Rate().Float()
}

// secondsBefore returns the time from a tick to the end of a recording.
func secondsBefore(r *engine.Recording, tick uint64) float64 {
	return (r.TimeAt(r.Ticks) - r.TimeAt(min(tick, r.Ticks))).Seconds()
}

// pass advances the clocks of the engines by d, or makes the single steps that were asked for.
func (t *travel) pass(d time.Duration) {
	advance := func(e *player) *view { return e.Advance(d) }
	if n := t.steps; n > 0 {
		advance = func(e *player) *view { return e.Step(n) }
		t.steps = 0
	}
	t.openPast()
	if t.stage.shown.what == showsOpening || t.seeking.on && t.stage.shown.recording == nil {
		d = 0 // time waits for the past, and for a seek of the running scene
	}
	t.stage.owner.beginWait()
	t.stage.each(func(o *side) { o.view = advance(o.player) })
	t.stage.owner.endWait()
	t.goOnSeeking()
}

// awaits reports whether a picture of the past is being computed, and the last picture, which was
// presented at shown from states of an epoch, is not yet partTime old.
func (t *travel) awaits(shown time.Time, epoch uint32) bool {
	if t.stage.settings.simulated || time.Since(shown) > partTime {
		return false
	}
	k, p, now := &t.seeking, &t.playback, t.stage.view.Epoch
	under := k.on && t.stage.shown.recording != nil || p.backward && p.pace.asked && p.pace.epoch == now
	return t.stage.shown.what == showsOpening || under && epoch == now
}
