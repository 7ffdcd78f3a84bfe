package play

import "time"

// Seeking is a seek in progress. It goes to the nearest keyframe, and from there on in parts of about
// partTime, so that the user sees pictures on the way and can stop it. In a replay a part is a seek
// of the engine; in the present it is some steps of the scene.
type Seeking struct {
	On       bool
	from, To uint64    // ticks
	Part     uint64    // the length of a part, ticks
	began    time.Time // when the seek began
	epoch    uint32    // View.Epoch when the last part was sent; a new one means that the part is done

	asked time.Time     // when a look back from the present began; zero once it has been timed
	first time.Duration // from asked to the first picture of the past; 0 before that picture
}

const (
	partTime = 100 * time.Millisecond // about how long the steps of a part take
	mostPart = 4096                   // the most ticks of a part
	// At the end of a seek, up to mostParts parts are sent as one, because each picture on the way
	// costs a frame.
	mostParts = 3
	// seekShown is the duration of a seek after which its progress is shown.
	seekShown = 300 * time.Millisecond
)

// Seek goes to a tick of the replay or of the session's past, or to the nearest end. In the present it
// opens the past first.
func (t *Travel) Seek(tick uint64) {
	if !t.stage.Shown.Recorded() {
		if !t.lookBack(tick) {
			return
		}
		t.Seeking.On, t.Steps = false, 0 // ends the seek of -seek through the running scene
	}
	t.follow.stopKeepingUp()
	k, r := &t.Seeking, t.stage.Shown.Recording
	tick = min(max(tick, r.First), r.Ticks)
	underWay := k.On
	k.To = tick
	if !underWay {
		t.beginSeek()
	}
	if t.stage.Shown.Replay() != nil { // in the past a banner says it
		t.host.Say(t.Place(tick))
	}
	if !underWay && t.stage.Shown.What != ShowsOpening { // otherwise goOnSeeking or openPast sends the next part
		t.sendPart()
	}
}

// beginSeek begins a seek to Seeking.To; sendPart then begins its first part.
func (t *Travel) beginSeek() {
	k := &t.Seeking
	k.On, k.from, k.began = true, t.stage.Player.Demanded(), time.Now()
	k.Part = partOf(t.stage.Present(), 1) // by the present's steps: a new player of the past has not made any
}

// partOf returns how many steps a player does in partTime, by the duration of its newest step, or
// unknown if it has done none.
func partOf(p *Player, unknown uint64) uint64 {
	last := p.Metrics().LastStep
	if last <= 0 {
		return unknown
	}
	return min(max(uint64(partTime/last), 1), mostPart)
}

// sendPart begins the next part of a seek. On a simulated clock that is the whole rest, and the next
// frame waits for it.
func (t *Travel) sendPart() {
	k, e := &t.Seeking, t.stage.Player.Engine
	k.epoch = t.stage.Player.View().Epoch
	if !t.stage.Shown.Recorded() { // -seek in a running scene, which has no keyframes: it makes steps
		t.Steps = int(min(k.Part, k.To-min(t.stage.Player.Demanded(), k.To)))
		return
	}
	next := k.To
	if at := t.stage.Player.Demanded(); !t.stage.Settings.Simulated {
		if key := e.History().Keyframe(k.To); key > at || at > k.To { // the keyframe is nearer than at, or at is beyond
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
	case t.stage.Shown.What == ShowsOpening, t.stage.Shown.Recorded() && v.Epoch == k.epoch: // not yet
		return
	case t.stage.Player.Demanded() == k.To || !t.stage.Shown.Recorded() && v.Tick > k.To: // it is there
		k.On = false
		return
	}
	k.Part = min(2*k.Part, partOf(t.stage.Player, k.Part))
	t.sendPart()
}

// GiveUpSeek ends a seek at the present tick. It returns false if there is none, or its past is not open
// yet.
func (t *Travel) GiveUpSeek() bool {
	k := &t.Seeking
	if !k.On || t.stage.Shown.What == ShowsOpening {
		return false
	}
	k.On, t.Steps = false, 0
	t.host.Say("stopped on the way")
	return true
}

// Progress returns the part of a seek that is done, from 0 to 1. ok is false if there is no seek, or
// only a short one.
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

// endSeek ends a seek in progress, and closes a past that is being set up for it.
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

// Awaits reports whether a picture of a recording or the past is being computed, and the last picture is
// younger than partTime. That was presented at shown, from states of an epoch. A frame then waits, and does
// not draw the same picture again.
func (t *Travel) Awaits(shown time.Time, epoch uint32) bool {
	if t.stage.Settings.Simulated || time.Since(shown) > partTime {
		return false
	}
	k, p, now := &t.Seeking, &t.Playback, t.stage.View.Epoch
	computed := k.On && t.stage.Shown.Recorded() || p.Backward && p.pace.asked && p.pace.epoch == now
	return t.stage.Shown.What == ShowsOpening || computed && epoch == now
}
