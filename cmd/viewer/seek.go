package main

import (
	"errors"
	"fmt"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
)

// seeking is a seek in progress. It goes to the nearest keyframe, and from there on in parts of about
// partTime, so that pictures are shown on the way, the user can stop it, and physics does not seem to
// hang. In a replay a part is a seek of the engine; in the present it is some steps of the scene.
type seeking struct {
	on       bool
	from, to uint64    // ticks
	part     uint64    // the length of a part, ticks
	began    time.Time // when the seek began
	epoch    uint32    // of the view when the last part was sent; a new one means that it is done

	asked     time.Time         // when a look back from the present began, until it has been timed
	first     time.Duration     // from asked to the first picture of the past; 0: there is none yet
	opening   chan opened       // gets the past that is being set up; or nil
	recording *engine.Recording // of that past
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

// playedRecording returns the recording that is played: the open one, or the past, also while that is
// being set up. In the present of a scene it is nil.
func (s *session) playedRecording() *engine.Recording {
	switch {
	case s.past != nil:
		return s.past.recording
	case s.seeking.opening != nil:
		return s.seeking.recording
	}
	return s.replay
}

// seek goes to a tick of the replay or of the session's past, or to the end that is nearest to it.
func (s *session) seek(tick uint64) {
	if s.playedRecording() == nil {
		if !s.lookBack(tick) {
			return
		}
		s.seeking.on, s.steps = false, 0 // ends the seek of -seek
	}
	s.leaveNow()
	k, r := &s.seeking, s.playedRecording()
	tick = min(max(tick, r.First), r.Ticks)
	underWay := k.on
	k.to = tick
	if !underWay {
		s.beginSeek()
	}
	if s.replay != nil { // the past has a banner
		s.say(s.place(tick))
	}
	if !underWay && k.opening == nil { // otherwise goOnSeeking or openPast sends the next part
		s.sendPart()
	}
}

// beginSeek begins a seek to seeking.to.
func (s *session) beginSeek() {
	k := &s.seeking
	k.on, k.from, k.began = true, s.player.Demanded(), time.Now()
	k.part = partOf(s.live(), 1) // a replay has no newest step at first
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
func (s *session) place(tick uint64) string {
	r := s.playedRecording()
	if s.watched() != nil {
		return s.watchText(tick)
	}
	if s.past == nil && s.seeking.opening == nil {
		return fmt.Sprintf("tick %d of %d", tick, r.Ticks)
	}
	return fmt.Sprintf("%.1f s ago", secondsBefore(r, tick))
}

// sendPart begins the next part of a seek, or all of it if the clock is simulated: then the next frame
// waits for it.
func (s *session) sendPart() {
	k, e := &s.seeking, s.player.engine
	k.epoch = s.player.View().Epoch
	if s.playedRecording() == nil { // -seek in a scene
		s.steps = int(min(k.part, k.to-min(s.player.Demanded(), k.to)))
		return
	}
	next := k.to
	if at := s.player.Demanded(); !s.settings.simulated {
		if key := e.History().Keyframe(k.to); key > at || at > k.to {
			next, k.from = key, key
		} else if k.to-at > mostParts*k.part {
			next = at + k.part
		}
	}
	if err := e.History().Seek(next); err != nil {
		s.say(err.Error())
		k.on = false
	}
}

// goOnSeeking is called in every frame. It begins the next part when one is done.
func (s *session) goOnSeeking() {
	k, v := &s.seeking, s.player.View()
	switch {
	case !k.on:
		return
	case s.player.Failure() != nil:
		k.on = false
		return
	case k.opening != nil, s.playedRecording() != nil && v.Epoch == k.epoch:
		return
	case s.player.Demanded() == k.to || s.playedRecording() == nil && v.Tick > k.to:
		k.on = false
		return
	}
	k.part = min(2*k.part, partOf(s.player, k.part))
	s.sendPart()
}

// lookBackTimes say how long a look back from the present took, for -stats.
type lookBackTimes struct {
	Tick    uint64  `json:"tick"`     // the tick that was asked for
	FirstMS float64 `json:"first_ms"` // until the first picture of the past
	MS      float64 `json:"ms"`       // until the picture of the tick
}

const mostLooksBack = 64 // in -stats

// timeLookBack is called when a picture was presented.
func (s *session) timeLookBack() {
	k := &s.seeking
	if k.asked.IsZero() || s.past == nil {
		return
	}
	took := time.Since(k.asked)
	if k.first == 0 {
		k.first = took
	}
	if k.on {
		return
	}
	if k.asked = (time.Time{}); len(s.looksBack) < mostLooksBack {
		s.looksBack = append(s.looksBack, lookBackTimes{k.to, k.first.Seconds() * 1e3, took.Seconds() * 1e3})
	}
}

// giveUpSeek ends a seek where it is. It returns false if there was none.
func (s *session) giveUpSeek() bool {
	k := &s.seeking
	if !k.on || k.opening != nil {
		return false
	}
	k.on, s.steps = false, 0
	s.say("stopped on the way")
	return true
}

// progress returns how much of a seek is done, from 0 to 1. ok is false if there is no seek, or only
// a short one.
func (s *session) progress() (done float64, ok bool) {
	k := &s.seeking
	if !k.on || k.opening != nil || time.Since(k.began) < seekShown || k.to <= k.from {
		return 0, false
	}
	at := min(max(s.view.Tick, k.from), k.to)
	return float64(at-k.from) / float64(k.to-k.from), true
}

// skip seeks forwards, or backwards, by a number of seconds.
func (s *session) skip(seconds float64) {
	if s.playedRecording() == nil && seconds > 0 {
		s.say("this is the present")
		return
	}
	at := s.player.Demanded()
	if s.seeking.on {
		at = s.seeking.to
	}
	if r := s.playedRecording(); r != nil {
		s.seek(r.TickAt(r.TimeAt(at) + time.Duration(seconds*float64(time.Second))))
		return
	}
	by := int64(seconds * s.player.Rate().Float())
	s.seek(uint64(max(int64(at)+by, 0)))
}

// lookBack stops the session and opens its past just before a tick. If it cannot, it tells the user why
// and returns false. The past is set up on another goroutine; lookBack waits for that at most openTime,
// unless the clock is simulated.
func (s *session) lookBack(tick uint64) bool {
	asked := time.Now()
	var r *engine.Recording
	err := engine.ErrNoBlackBox
	if e := s.player.engine; e != nil && s.hasPast {
		r, err = e.History().Past()
	}
	switch {
	case err == nil && r.Ticks == r.First:
		err = errors.New("nothing has happened yet")
	case errors.Is(err, engine.ErrNoBlackBox):
		err = errors.New("this run does not keep its past")
	}
	if err != nil {
		s.say("no way back: " + err.Error())
		return false
	}
	s.letGo()
	if s.arrows != [4]bool{} { // the scene would not be told when the keys are released
		s.steer([4]bool{})
	}
	sc, with := s.scenes[s.current], s.settings
	with.inject, with.lastTick = nil, 0
	c := r.Config(sc.Config().Setup)
	c.History.ReplayFrom = max(min(tick, r.Ticks), 1) - 1
	open := make(chan opened, 1)
	setUp := func() {
		e, err := with.engine(&sc, c)
		open <- opened{e, err}
	}
	s.seeking.opening, s.seeking.recording = open, r
	s.seeking.asked, s.seeking.first = asked, 0
	if s.settings.simulated {
		s.owner.beginWait()
		setUp()
		s.owner.endWait()
		return s.enterPast(<-open)
	}
	go setUp()
	select {
	case o := <-open:
		return s.enterPast(o)
	case <-time.After(openTime):
		return true
	}
}

// enterPast shows a past that has been set up.
func (s *session) enterPast(o opened) bool {
	r := s.seeking.recording
	s.seeking.opening, s.seeking.recording = nil, nil
	if o.err != nil {
		s.say("no way back: " + o.err.Error())
		s.seeking.on, s.playback.backward = false, false
		return false
	}
	e := o.player
	e.SetPaused(s.player.Paused() || s.playback.backward)
	s.past = &past{recording: r, present: s.player}
	s.watch(e)
	s.turnTo(e)
	s.view = e.Step(0) // shows its keyframe until the tick is computed
	return true
}

// openPast is called in every frame. When the past that lookBack sets up is ready, it shows it and goes
// on with the seek.
func (s *session) openPast() {
	select {
	case o := <-s.seeking.opening: // a nil channel is never ready
		if s.enterPast(o) {
			s.sendPart()
		}
	default:
	}
}

// endSeek ends a seek that is under way, and closes a past that is being set up for it.
func (s *session) endSeek() {
	if s.seeking.opening != nil {
		s.owner.beginWait()
		o := <-s.seeking.opening
		s.owner.endWait()
		if o.err == nil {
			_ = s.stopEngine(o.player)
		}
	}
	s.seeking, s.steps = seeking{}, 0
}

// beginAt makes the first frame of a run with -seek. The camera is set by the first tick, as without
// -seek. An interactive run shows pictures on the way to the tick; other runs wait until they are there.
func (v *viewer) beginAt(tick uint64) error {
	v.pass(0)
	if err := v.begin(firstScene); err != nil {
		return err
	}
	if r := v.replay; r != nil && (tick < r.First || tick > r.Ticks) {
		return fmt.Errorf("-seek: no tick %d: the recording goes from tick %d to tick %d", tick, r.First, r.Ticks)
	}
	switch {
	case v.o.interactive() && !v.settings.simulated:
		v.seeking.to = tick
		if v.replay == nil && tick == 0 {
			break
		}
		v.beginSeek()
		v.sendPart()
	case v.replay == nil:
		v.goTo(tick)
	default:
		if err := v.player.engine.History().Seek(tick); err != nil {
			return fmt.Errorf("-seek: %w", err)
		}
		v.player.engine.SetSync(renderloop.Lockstep) // so that pass waits for the seek
		v.pass(0)
		v.player.engine.SetSync(v.settings.sync)
	}
	return nil
}

// goTo runs the scene to a tick before the run's first frame is shown.
func (v *viewer) goTo(tick uint64) {
	if last, ok := v.o.lastTick(); ok {
		tick = min(tick, last)
	}
	for v.view.Tick < tick && v.player.Failure() == nil && !v.queue.asked() {
		v.steps = int(min(tick-min(v.player.Demanded(), tick), seekSteps))
		v.pass(0)
		v.takeEvents()
	}
}

// seekSteps is the most steps of goTo between two looks at events.
const seekSteps = 60
