package play

import (
	"math"
	"time"
)

// Playback says how a replay or the past is played: backward, or a part of it in a loop, or both.
type Playback struct {
	Backward bool
	pace     Pace   // pace is the pace of playing backward.
	From, To uint64 // From and To are the ticks at the ends of the loop. There is a loop only if To is greater than From.
	Off      bool   // Off says that the part between the ends is not repeated.
}

// Pace decides how many ticks lie between the pictures of playing backward. Each picture takes some
// frames to compute. The distance is the number of ticks that usually pass in this time, so that
// pictures are evenly spaced. If a picture takes longer, playing slows down.
type Pace struct {
	due   float64 // due is the number of ticks to go back.
	usual float64 // usual is the number of ticks that usually pass until a picture is computed.
	took  float64 // took is the number of ticks that have passed since the last picture was requested.
	asked bool    // asked says that a picture was requested and is not computed yet.
	epoch uint32  // epoch is the epoch of the view at the time of the request. A new epoch means that the picture is computed.
}

// pass is called in each frame. The parameter ticks is the number of ticks that pass in the frame,
// and epoch is the epoch of the view. The result is the number of ticks to go back now.
func (p *Pace) pass(ticks float64, epoch uint32) uint64 {
	p.due += ticks
	p.took += ticks
	if p.asked && epoch == p.epoch {
		return 0
	}
	if p.asked {
		p.usual += (min(p.took, 4*p.usual+1) - p.usual) / 8 // the mean over some pictures, in which a slow picture counts little
		p.asked = false
	}
	n := max(math.Round(p.usual), 1)
	if p.due < n {
		return 0
	}
	p.due = min(p.due-n, n) // ticks that are late are not caught up
	p.took, p.asked, p.epoch = 0, true, epoch
	return uint64(n)
}

// Loops reports whether a part is repeated.
func (t *Playback) Loops() bool { return t.To > t.From && !t.Off }

// LoopTime is the length in s of a loop that the user has not marked.
const LoopTime = 3

// ToggleBackward begins or ends playing a replay or the past backward. In the present it first opens
// the past. During playing backward the replay is paused. A past that is still being set up is
// paused later, by showPast.
func (t *Travel) ToggleBackward() {
	if !t.stage.Shown.Recorded() {
		t.Seek(t.stage.Player.Demanded())
		if !t.stage.Shown.Recorded() { // there is no past, and Seek has shown a message
			return
		}
	}
	t.follow.stopKeepingUp()
	t.Playback.Backward, t.Playback.pace = !t.Playback.Backward, Pace{}
	if on := t.Playback.Backward; t.stage.Shown.What != ShowsOpening {
		t.stage.EachPlayer(func(p *Player) { p.SetPaused(on) })
	}
}

// steerPlayback is called in each frame. When playing backward, it goes back by a frame of length d. At the
// end of a loop it goes to the loop's beginning. At the end of the past it returns to the present.
func (t *Travel) steerPlayback(d time.Duration) {
	p, r := &t.Playback, t.stage.Shown.Recording
	if r == nil || t.Seeking.On {
		return
	}
	at := t.stage.Player.Demanded()
	// a loop that was marked in the present may extend beyond the past
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
	// while the user holds the knob, he may go back again
	case t.stage.Shown.What == ShowsPast && at >= r.Ticks && !t.stage.Player.Paused() && !t.Scrubs:
		t.ToPresent()
	}
}
