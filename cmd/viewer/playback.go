package main

import (
	"math"
	"time"
)

// playback is how a replay, or the past, moves besides forward.
type playback struct {
	backward bool
	pace     pace   // how playing backward moves
	from, to uint64 // the ends of a loop, if to is above from
	off      bool   // the ends are set, but the part does not repeat
}

// pace is how playing backward moves: by as many ticks from picture to picture as pass
// while one is computed, so that they are evenly spaced. What takes longer than usual
// slows it down.
type pace struct {
	due   float64 // ticks that have passed and are not shown
	usual float64 // ticks that pass until a picture is there
	took  float64 // ticks since the last one was asked for
	asked bool    // and is not there yet
	epoch uint32  // the view's, until the picture is there
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
