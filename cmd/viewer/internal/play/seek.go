package play

import (
	"errors"
	"fmt"
	"time"

	"halfstep/engine"
)

// Travel is how the user goes through time: forwards, at a speed or by single steps; to another tick of a
// recording; and back into the last seconds of the session.
type Travel struct {
	stage   *Stage
	host    Host
	follow  *Follower
	wheel   *Wheel
	beside  *Beside
	inspect *Inspector
	uses    Uses

	journey
	LooksBack []LookBackTimes
}

// journey is the part of travel that ends with the open scene.
type journey struct {
	HasPast  bool // the engine keeps its last seconds, so that the user can look back
	Playback Playback
	Seeking  Seeking
	Steps    int  // the steps that the next frame makes in place of its time
	Scrubs   bool // the knob of the time bar is held
}

// begin forgets the scene before. hasPast says that the engine of the new one keeps its last seconds.
func (t *Travel) begin(hasPast bool) { t.journey = journey{HasPast: hasPast} }

// Seeking is a seek in progress. It goes to the nearest keyframe, and from there on in parts of about
// partTime, so that pictures are shown on the way, the user can stop it, and physics does not seem to
// hang. In a replay a part is a seek of the engine; in the present it is some steps of the scene.
type Seeking struct {
	On       bool
	from, To uint64    // ticks
	Part     uint64    // the length of a part, ticks
	began    time.Time // when the seek began
	epoch    uint32    // of the view when the last part was sent; a new one means that it is done

	asked time.Time     // when a look back from the present began, until it has been timed
	first time.Duration // from asked to the first picture of the past; 0: there is none yet
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

// Seek goes to a tick of the replay or of the session's past, or to the end that is nearest to it.
func (t *Travel) Seek(tick uint64) {
	if !t.stage.Shown.Recorded() {
		if !t.lookBack(tick) {
			return
		}
		t.Seeking.On, t.Steps = false, 0 // ends the seek of -seek
	}
	t.follow.stopKeepingUp()
	k, r := &t.Seeking, t.stage.Shown.Recording
	tick = min(max(tick, r.First), r.Ticks)
	underWay := k.On
	k.To = tick
	if !underWay {
		t.beginSeek()
	}
	if t.stage.Shown.Replay() != nil { // the past has a banner
		t.host.Say(t.Place(tick))
	}
	if !underWay && t.stage.Shown.What != ShowsOpening { // otherwise goOnSeeking or openPast sends the next part
		t.sendPart()
	}
}

// At is the tick that the user is at: the one that is sought, or else that of the picture.
func (t *Travel) At() uint64 {
	if t.Seeking.On {
		return t.Seeking.To
	}
	return t.stage.View.Tick
}

// beginSeek begins a seek to seeking.to.
func (t *Travel) beginSeek() {
	k := &t.Seeking
	k.On, k.from, k.began = true, t.stage.Player.Demanded(), time.Now()
	k.Part = partOf(t.stage.Present(), 1) // a replay has no newest step at first
}

// partOf returns how many steps a player does in partTime, by the time of its newest step. If it has
// not done any, it returns unknown.
func partOf(p *Player, unknown uint64) uint64 {
	last := p.Metrics().LastStep
	if last <= 0 {
		return unknown
	}
	return min(max(uint64(partTime/last), 1), mostPart)
}

// Place says in words where a tick of the played recording is.
func (t *Travel) Place(tick uint64) string {
	r := t.stage.Shown.Recording
	if t.stage.Shown.Watched() {
		return t.follow.WatchText(tick)
	}
	if t.stage.Shown.What != ShowsPast && t.stage.Shown.What != ShowsOpening {
		return fmt.Sprintf("tick %d of %d", tick, r.Ticks)
	}
	return fmt.Sprintf("%.1f s ago", secondsBefore(r, tick))
}

// sendPart begins the next part of a seek, or all of it if the clock is simulated: then the next frame
// waits for it.
func (t *Travel) sendPart() {
	k, e := &t.Seeking, t.stage.Player.Engine
	k.epoch = t.stage.Player.View().Epoch
	if !t.stage.Shown.Recorded() { // -seek in a scene
		t.Steps = int(min(k.Part, k.To-min(t.stage.Player.Demanded(), k.To)))
		return
	}
	next := k.To
	if at := t.stage.Player.Demanded(); !t.stage.Settings.Simulated {
		if key := e.History().Keyframe(k.To); key > at || at > k.To {
			next, k.from = key, key
		} else if k.To-at > mostParts*k.Part {
			next = at + k.Part
		}
	}
	if err := e.History().Seek(next); err != nil {
		t.host.Say(err.Error())
		k.On = false
	}
}

// goOnSeeking is called in every frame. It begins the next part when one is done.
func (t *Travel) goOnSeeking() {
	k, v := &t.Seeking, t.stage.Player.View()
	switch {
	case !k.On:
		return
	case t.stage.Player.Failure() != nil:
		k.On = false
		return
	case t.stage.Shown.What == ShowsOpening, t.stage.Shown.Recorded() && v.Epoch == k.epoch:
		return
	case t.stage.Player.Demanded() == k.To || !t.stage.Shown.Recorded() && v.Tick > k.To:
		k.On = false
		return
	}
	k.Part = min(2*k.Part, partOf(t.stage.Player, k.Part))
	t.sendPart()
}

// LookBackTimes say how long a look back from the present took, for -stats.
type LookBackTimes struct {
	Tick    uint64  `json:"tick"`     // the tick that was asked for
	FirstMS float64 `json:"first_ms"` // until the first picture of the past
	MS      float64 `json:"ms"`       // until the picture of the tick
}

const mostLooksBack = 64 // in -stats

// TimeLookBack is called when a picture was presented.
func (t *Travel) TimeLookBack() {
	k := &t.Seeking
	if k.asked.IsZero() || t.stage.Shown.What != ShowsPast {
		return
	}
	took := time.Since(k.asked)
	if k.first == 0 {
		k.first = took
	}
	if k.On {
		return
	}
	if k.asked = (time.Time{}); len(t.LooksBack) < mostLooksBack {
		t.LooksBack = append(t.LooksBack, LookBackTimes{k.To, k.first.Seconds() * 1e3, took.Seconds() * 1e3})
	}
}

// GiveUpSeek ends a seek where it is. It returns false if there was none.
func (t *Travel) GiveUpSeek() bool {
	k := &t.Seeking
	if !k.On || t.stage.Shown.What == ShowsOpening {
		return false
	}
	k.On, t.Steps = false, 0
	t.host.Say("stopped on the way")
	return true
}

// Progress returns how much of a seek is done, from 0 to 1. ok is false if there is no seek, or only
// a short one.
func (t *Travel) Progress() (done float64, ok bool) {
	k := &t.Seeking
	if !k.On || t.stage.Shown.What == ShowsOpening || time.Since(k.began) < seekShown || k.To <= k.from {
		return 0, false
	}
	at := min(max(t.stage.View.Tick, k.from), k.To)
	return float64(at-k.from) / float64(k.To-k.from), true
}

// Skip seeks forwards, or backwards, by a number of seconds.
func (t *Travel) Skip(seconds float64) {
	if !t.stage.Shown.Recorded() && seconds > 0 {
		t.host.Say("this is the present")
		return
	}
	at := t.stage.Player.Demanded()
	if t.Seeking.On {
		at = t.Seeking.To
	}
	if r := t.stage.Shown.Recording; r != nil {
		t.Seek(r.TickAt(r.TimeAt(at) + time.Duration(seconds*float64(time.Second))))
		return
	}
	by := int64(seconds * t.stage.Player.Rate().Float())
	t.Seek(uint64(max(int64(at)+by, 0)))
}

// lookBack stops the session and opens its past just before a tick. If it cannot, it tells the user why
// and returns false. The past is set up on another goroutine; lookBack waits for that at most openTime,
// unless the clock is simulated.
func (t *Travel) lookBack(tick uint64) bool {
	asked := time.Now()
	var r *engine.Recording
	err := engine.ErrNoBlackBox
	if e := t.stage.Player.Engine; e != nil && t.HasPast {
		r, err = e.History().Past()
	}
	switch {
	case err == nil && r.Ticks == r.First:
		err = errors.New("nothing has happened yet")
	case errors.Is(err, engine.ErrNoBlackBox):
		err = errors.New("this run does not keep its past")
	}
	if err != nil {
		t.host.Say("no way back: " + err.Error())
		return false
	}
	t.stage.LetGo()
	if t.wheel.Arrows != [4]bool{} { // the scene would not be told when the keys are released
		t.wheel.steer([4]bool{})
	}
	sc, with := *t.stage.Scene(), t.stage.Settings // copies, for the goroutine
	with.Inject, with.LastTick = nil, 0
	c := r.Config(sc.Config().Setup)
	c.History.ReplayFrom = max(min(tick, r.Ticks), 1) - 1
	open := make(chan Opened, 1)
	setUp := func() {
		e, err := with.startPlayer(&sc, c)
		open <- Opened{e, err}
	}
	t.stage.Shown = Shown{What: ShowsOpening, Recording: r, setUp: open}
	t.Seeking.asked, t.Seeking.first = asked, 0
	if t.stage.Settings.Simulated {
		t.stage.Owner.beginWait()
		setUp()
		t.stage.Owner.endWait()
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
func (t *Travel) enterPast(o Opened) bool {
	r := t.stage.Shown.Recording
	t.stage.Shown = Shown{}
	if o.err != nil {
		t.host.Say("no way back: " + o.err.Error())
		t.Seeking.On, t.Playback.Backward = false, false
		return false
	}
	e := o.player
	e.SetPaused(t.stage.Player.Paused() || t.Playback.Backward)
	t.stage.Shown = Shown{What: ShowsPast, Recording: r, present: t.stage.Player}
	t.host.Started(e, inLeft)
	t.showPlayer(e)
	t.stage.View = e.Step(0) // shows its keyframe until the tick is computed
	return true
}

// openPast is called in every frame. When the past that lookBack sets up is ready, it shows it and goes
// on with the seek.
func (t *Travel) openPast() {
	select {
	case o := <-t.stage.Shown.setUp: // a nil channel is never ready
		if t.enterPast(o) {
			t.sendPart()
		}
	default:
	}
}

// endSeek ends a seek that is under way, and closes a past that is being set up for it.
func (t *Travel) endSeek() {
	if t.stage.Shown.What == ShowsOpening {
		t.stage.Owner.beginWait()
		o := <-t.stage.Shown.setUp
		t.stage.Owner.endWait()
		if o.err == nil {
			_ = t.stage.closePlayer(o.player)
		}
		t.stage.Shown = Shown{}
	}
	t.Seeking, t.Steps = Seeking{}, 0
}

// Seconds is the time of a tick, s: of a recording that was opened since its beginning, of the session
// since its own, at the present rate. A moment of its past is so many seconds before now.
func (t *Travel) Seconds(tick float64) float64 {
	r := t.stage.Shown.Recording
	if t.stage.Shown.Replay() != nil {
		return r.TimeAt(uint64(tick)).Seconds()
	}
	rate := t.stage.Present().Rate().Float()
	if r == nil {
		return tick / rate
	}
	return float64(r.Ticks)/rate - secondsBefore(r, uint64(tick))
}

// secondsBefore returns the time from a tick to the end of a recording.
func secondsBefore(r *engine.Recording, tick uint64) float64 {
	return (r.TimeAt(r.Ticks) - r.TimeAt(min(tick, r.Ticks))).Seconds()
}

// pass advances the clocks of the engines by d, or makes the single steps that were asked for.
func (t *Travel) pass(d time.Duration) {
	advance := func(p *Player) *View { return p.Advance(d) }
	if n := t.Steps; n > 0 {
		advance = func(p *Player) *View { return p.Step(n) }
		t.Steps = 0
	}
	t.openPast()
	if t.stage.Shown.What == ShowsOpening || t.Seeking.On && !t.stage.Shown.Recorded() {
		d = 0 // time waits for the past, and for a seek of the running scene
	}
	t.stage.Owner.beginWait()
	t.stage.eachSide(func(o *Side) { o.View = advance(o.Player) })
	t.stage.Owner.endWait()
	t.goOnSeeking()
}

// Awaits reports whether a picture of the past is being computed, and the last picture, which was
// presented at shown from states of an epoch, is not yet partTime old.
func (t *Travel) Awaits(shown time.Time, epoch uint32) bool {
	if t.stage.Settings.Simulated || time.Since(shown) > partTime {
		return false
	}
	k, p, now := &t.Seeking, &t.Playback, t.stage.View.Epoch
	under := k.On && t.stage.Shown.Recorded() || p.Backward && p.pace.asked && p.pace.epoch == now
	return t.stage.Shown.What == ShowsOpening || under && epoch == now
}
