package main

import (
	"math"
	"time"
)

// playback is how a replay or the past is played: backward, or a part of it in a loop.
type playback struct {
	backward bool
	pace     pace   // of playing backward
	from, to uint64 // the ticks at the ends of the loop, if to is above from
	off      bool   // the ends are set, but the part is not repeated
}

// pace decides by how many ticks playing backward goes on from picture to picture. Each picture has to
// be computed, which takes some frames. The step between pictures is the number of ticks that usually
// pass meanwhile, so that pictures are evenly spaced; if one takes longer, playing slows down.
type pace struct {
	due   float64 // ticks that have passed and have not been gone back yet
	usual float64 // how many ticks usually pass until a picture is computed
	took  float64 // how many have passed since the last one was asked for
	asked bool    // a picture was asked for and is not there yet
	epoch uint32  // the epoch of the view when it was asked for; a new one means that it is there
}

// pass is called in each frame, in which some ticks pass. epoch is that of the view. It returns by how
// many ticks to go back now.
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

// loopTime is the length of the loop, in s, if the user has marked none.
const loopTime = 3

// toggleBackward plays a replay or the past backward, or ends that. In the present it first opens the
// past. The replay is paused meanwhile; enterPast pauses a past that is still being set up.
func (t *travel) toggleBackward() {
	if t.stage.shown.recording == nil {
		t.seek(t.stage.player.Demanded())
		if t.stage.shown.recording == nil { // there is no past, which seek has said
			return
		}
	}
	t.follow.leaveNow()
	t.playback.backward, t.playback.pace = !t.playback.backward, pace{}
	if on := t.playback.backward; t.stage.shown.what != showsOpening {
		t.stage.engines(func(e *player) { e.SetPaused(on) })
	}
}

// goBack is called in each frame. If a replay plays backward, it goes back by a frame of d. If the
// replay has come to the end of its loop, it goes to the loop's beginning. If the past has come
// to its end, it returns to the present.
func (t *travel) goBack(d time.Duration) {
	p, r := &t.playback, t.stage.shown.recording
	if r == nil || t.seeking.on {
		return
	}
	at := t.stage.player.Demanded()
	// A loop that was marked in the present may reach beyond the past.
	first, last := max(p.from, r.First), min(p.to, r.Ticks)
	repeats := last > first && !p.off
	if !repeats {
		first = r.First
	}
	switch {
	case p.backward:
		n := p.pace.pass(d.Seconds()*t.stage.player.Scale()*t.stage.player.Rate().Float(), t.stage.player.View().Epoch)
		switch {
		case n == 0:
		case at > first:
			_ = t.stage.player.engine.History().Seek(max(at-min(n, at), first))
		case repeats:
			_ = t.stage.player.engine.History().Seek(last)
		default: // the beginning is reached
			p.pace = pace{}
		}
	case repeats && (at > last || at >= r.Ticks) && !t.stage.player.Paused():
		_ = t.stage.player.engine.History().Seek(first)
	case t.stage.shown.what == showsPast && at >= r.Ticks && !t.stage.player.Paused() && !t.scrubs:
		t.toPresent()
	}
}
