package play

import (
	"fmt"
	"time"

	"halfstep/engine"
)

// Travel moves the user through time: forwards at some speed or by single steps, to another tick of
// a recording, and back into the last seconds of the session.
type Travel struct {
	stage    *Stage
	host     Host
	follow   *Follower
	wheel    *Wheel
	comparer *Comparer
	inspect  *Inspector

	journey
	LooksBack []LookBackTimes // LooksBack are the first looks back of the run.
}

// journey has the fields of Travel that belong to the open scene. The next scene starts with a new
// journey.
type journey struct {
	HasPast  bool // HasPast says that the engine keeps its last seconds, so that the user can look back.
	Playback Playback
	Seeking  Seeking
	Steps    int  // Steps is the number of steps of the next frame. It replaces the steps that are due by the time of the frame.
	Scrubs   bool // Scrubs says that the user holds the knob of the time bar.
}

// begin drops the data of the scene before. The parameter hasPast says that the new engine keeps its
// last seconds.
func (t *Travel) begin(hasPast bool) { t.journey = journey{HasPast: hasPast} }

// At returns the user's tick: the target of a seek, or the tick of the picture if there is no seek.
func (t *Travel) At() uint64 {
	if t.Seeking.On {
		return t.Seeking.To
	}
	return t.stage.View.Tick
}

// Place returns a text about the position of a tick in the played recording.
func (t *Travel) Place(tick uint64) string {
	r := t.stage.Shown.Recording
	if t.stage.Shown.Watched() {
		return t.follow.WatchText(tick)
	}
	if t.stage.Shown.Replay() != nil {
		return fmt.Sprintf("tick %d of %d", tick, r.Ticks)
	}
	return fmt.Sprintf("%.1f s ago", secondsBefore(r, tick))
}

// Seconds returns the time of a tick in s, since the beginning of the opened recording or of the
// session, at the present rate. For a moment of the past it counts back from the present.
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

// advance makes a frame of length d. It advances the clocks of the players, or makes the requested
// single steps. It then continues a seek.
func (t *Travel) advance(d time.Duration) {
	frame := func(p *Player) *View { return p.Advance(d) }
	if n := t.Steps; n > 0 {
		frame = func(p *Player) *View { return p.Step(n) }
		t.Steps = 0
	}
	t.openPast()
	if t.stage.Shown.What == ShowsOpening || t.Seeking.On && !t.stage.Shown.Recorded() {
		d = 0 // time waits for the past, and for a seek of the running scene
	}
	t.stage.Owner.physicsMayBlock()
	t.stage.eachSide(func(o *Side) { o.View = frame(o.Player) })
	t.stage.Owner.physicsReturned()
	t.goOnSeeking()
}
