package play

import "time"

// Seeking is a seek in progress. It goes to the nearest keyframe. From there it proceeds in parts
// that take about partTime, so that the user sees pictures on the way and can stop it. In a replay a
// part is a seek of the engine. In the present a part is some steps of the scene.
type Seeking struct {
	On       bool
	from, To uint64    // ticks
	Part     uint64    // Part is the length of a part in ticks.
	began    time.Time // when the seek began
	epoch    uint32    // epoch is View.Epoch at the time when the last part was sent. A new epoch means that the part is done.

	asked time.Time     // asked is when a look back from the present began. It is zero once the duration has been recorded.
	first time.Duration // first is the time from asked to the first picture of the past. It is 0 before that picture.
}

const (
	partTime = 100 * time.Millisecond // partTime is about how long the steps of a part take.
	mostPart = 4096                   // mostPart is the greatest length of a part in ticks.
	// At the end of a seek, up to mostParts parts are sent as one part, because each picture on the way
	// costs a frame.
	mostParts = 3
	// seekShown is the duration of a seek from which on its progress is shown.
	seekShown = 300 * time.Millisecond
)

// Seek goes to a tick of the replay or of the session's past, or to the nearest end. In the present it
// first opens the past.
func (t *Travel) Seek(tick uint64) {
	if !t.stage.Shown.Recorded() {
		if !t.lookBack(tick) {
			return
		}
		t.Seeking.On, t.Steps = false, 0 // end the seek of -seek through the running scene
	}
	t.follow.stopKeepingUp()
	k, r := &t.Seeking, t.stage.Shown.Recording
	tick = min(max(tick, r.First), r.Ticks)
	underWay := k.On
	k.To = tick
	if !underWay {
		t.beginSeek()
	}
	if t.stage.Shown.Replay() != nil { // in the past a banner says the same
		t.host.Say(t.Place(tick))
	}
	if !underWay && t.stage.Shown.What != ShowsOpening { // in the other cases goOnSeeking or openPast sends the next part
		t.sendPart()
	}
}

// beginSeek begins a seek to Seeking.To. The method sendPart must then be called to begin the first part.
func (t *Travel) beginSeek() {
	k := &t.Seeking
	k.On, k.from, k.began = true, t.stage.Player.Demanded(), time.Now()
	k.Part = partOf(t.stage.Present(), 1) // use the steps of the present, because a new player of the past has not made any
}

// partOf returns how many steps a player makes in partTime, judged by the duration of its newest
// step. If the player has made no step, it returns unknown.
func partOf(p *Player, unknown uint64) uint64 {
	last := p.Metrics().LastStep
	if last <= 0 {
		return unknown
	}
	return min(max(uint64(partTime/last), 1), mostPart)
}

// sendPart begins the next part of a seek. On a simulated clock this is the whole rest, and the next
// frame waits for it.
func (t *Travel) sendPart() {
	k, e := &t.Seeking, t.stage.Player.Engine
	k.epoch = t.stage.Player.View().Epoch
	if !t.stage.Shown.Recorded() { // with -seek in a running scene there are no keyframes, so the scene makes steps
		t.Steps = int(min(k.Part, k.To-min(t.stage.Player.Demanded(), k.To)))
		return
	}
	next := k.To
	if at := t.stage.Player.Demanded(); !t.stage.Settings.Simulated {
		if key := e.History().Keyframe(k.To); key > at || at > k.To { // a keyframe lies between the present tick and the target, or the target is in the past
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

// goOnSeeking is called in every frame. It begins the next part when a part is done.
func (t *Travel) goOnSeeking() {
	k, v := &t.Seeking, t.stage.Player.View()
	switch {
	case !k.On:
		return
	case t.stage.Player.Failure() != nil:
		k.On = false
		return
	case t.stage.Shown.What == ShowsOpening, t.stage.Shown.Recorded() && v.Epoch == k.epoch: // not yet
		return
	case t.stage.Player.Demanded() == k.To || !t.stage.Shown.Recorded() && v.Tick > k.To: // the scene has reached the target
		k.On = false
		return
	}
	k.Part = min(2*k.Part, partOf(t.stage.Player, k.Part))
	t.sendPart()
}

// GiveUpSeek ends a seek at the present tick. It returns false if there is no seek, or if the past is
// not open yet.
func (t *Travel) GiveUpSeek() bool {
	k := &t.Seeking
	if !k.On || t.stage.Shown.What == ShowsOpening {
		return false
	}
	k.On, t.Steps = false, 0
	t.host.Say("stopped on the way")
	return true
}

// Progress returns the fraction of a seek that is done, from 0 to 1. The result ok is false if there
// is no seek, or if the seek is short.
func (t *Travel) Progress() (done float64, ok bool) {
	k := &t.Seeking
	if !k.On || t.stage.Shown.What == ShowsOpening || time.Since(k.began) < seekShown || k.To <= k.from {
		return 0, false
	}
	at := min(max(t.stage.View.Tick, k.from), k.To)
	return float64(at-k.from) / float64(k.To-k.from), true
}

// Skip seeks by a number of seconds, forwards or backwards.
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

// endSeek ends a seek in progress. It also closes a past that is being set up for the seek.
func (t *Travel) endSeek() {
	if t.stage.Shown.What == ShowsOpening {
		t.stage.Owner.physicsMayBlock()
		o := <-t.stage.Shown.setUp
		t.stage.Owner.physicsReturned()
		if o.err == nil {
			_ = t.stage.closePlayer(o.player)
		}
		t.stage.Shown = Shown{}
	}
	t.Seeking, t.Steps = Seeking{}, 0
}

// Awaits reports whether a picture of a recording or of the past is being computed while the last picture
// is younger than partTime. The last picture was presented at the time shown, from states of the given
// epoch. A frame then waits instead of drawing the same picture again.
func (t *Travel) Awaits(shown time.Time, epoch uint32) bool {
	if t.stage.Settings.Simulated || time.Since(shown) > partTime {
		return false
	}
	k, p, now := &t.Seeking, &t.Playback, t.stage.View.Epoch
	computed := k.On && t.stage.Shown.Recorded() || p.Backward && p.pace.asked && p.pace.epoch == now
	return t.stage.Shown.What == ShowsOpening || computed && epoch == now
}
