package play

import (
	"math"
	"time"
)

// Playback is how a replay or the past is played: backward, or a part of it in a loop, or both.
type Playback struct {
	Backward bool
	pace     Pace   // of playing backward
	From, To uint64 // the ticks at the ends of the loop; there is none unless To is above From
	Off      bool   // the ends are set, but the part is not repeated
}

// Pace decides by how many ticks playing backward goes on from picture to picture. Each picture has to
// be computed, which takes some frames. The step between pictures is the number of ticks that usually
// pass meanwhile, so that pictures are evenly spaced; if one takes longer, playing slows down.
type Pace struct {
	due   float64 // ticks that have passed and have not been gone back yet
	usual float64 // how many ticks usually pass until a picture is computed
	took  float64 // how many have passed since the last one was asked for
	asked bool    // a picture was asked for and is not there yet
	epoch uint32  // the epoch of the view when it was asked for; a new one means that it is there
}

// pass is called in each frame, in which some ticks pass. epoch is that of the view. It returns by how
// many ticks to go back now.
func (p *Pace) pass(ticks float64, epoch uint32) uint64 {
	p.due += ticks
	p.took += ticks
	if p.asked && epoch == p.epoch {
		return 0
	}
	if p.asked {
		p.usual += (min(p.took, 4*p.usual+1) - p.usual) / 8 // a mean of some pictures, in which one that hung counts little
		p.asked = false
	}
	n := max(math.Round(p.usual), 1)
	if p.due < n {
		return 0
	}
	p.due = min(p.due-n, n) // what is late is not caught up with
	p.took, p.asked, p.epoch = 0, true, epoch
	return uint64(n)
}

// Loops reports whether a part is repeated.
func (t *Playback) Loops() bool { return t.To > t.From && !t.Off }

// LoopTime is the length of the loop, in s, if the user has marked none.
const LoopTime = 3

// ToggleBackward plays a replay or the past backward, or ends that. In the present it first opens the
// past. The replay is paused meanwhile; enterPast pauses a past that is still being set up.
func (t *Travel) ToggleBackward() {
	if !t.stage.Shown.Recorded() {
		t.Seek(t.stage.Player.Demanded())
		if !t.stage.Shown.Recorded() { // there is no past, as Seek has told the user
			return
		}
	}
	t.follow.stopKeepingUp()
	t.Playback.Backward, t.Playback.pace = !t.Playback.Backward, Pace{}
	if on := t.Playback.Backward; t.stage.Shown.What != ShowsOpening {
		t.stage.EachPlayer(func(p *Player) { p.SetPaused(on) })
	}
}

// steerPlayback is called in each frame. If a recording or the past plays backward, it goes back by a frame
// that lasts d. If it has come to the end of its loop, it goes to the loop's beginning. If the past has come
// to its end, it returns to the present.
func (t *Travel) steerPlayback(d time.Duration) {
	p, r := &t.Playback, t.stage.Shown.Recording
	if r == nil || t.Seeking.On {
		return
	}
	at := t.stage.Player.Demanded()
	// A loop that was marked in the present may reach beyond the past.
	first, last := max(p.From, r.First), min(p.To, r.Ticks)
	repeats := last > first && !p.Off
	if !repeats {
		first = r.First
	}
	switch {
	case p.Backward:
		n := p.pace.pass(d.Seconds()*t.stage.Player.Scale()*t.stage.Player.Rate().Float(), t.stage.Player.View().Epoch)
		switch {
		case n == 0: // not in this frame
		case at > first:
			_ = t.stage.Player.Engine.History().Seek(max(at-min(n, at), first)) // the recording has all ticks from first to last
		case repeats:
			_ = t.stage.Player.Engine.History().Seek(last)
		default: // the beginning is reached
			p.pace = Pace{}
		}
	case repeats && (at > last || at >= r.Ticks) && !t.stage.Player.Paused():
		_ = t.stage.Player.Engine.History().Seek(first)
	// With the knob in hand, the user may go back again.
	case t.stage.Shown.What == ShowsPast && at >= r.Ticks && !t.stage.Player.Paused() && !t.Scrubs:
		t.ToPresent()
	}
}
