package play

import (
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

	journey
	LooksBack []LookBackTimes // the first ones of the run
}

// journey is the part of travel that ends with the open scene.
type journey struct {
	HasPast  bool // the engine keeps its last seconds, so that the user can look back
	Playback Playback
	Seeking  Seeking
	Steps    int  // the steps that the next frame makes in place of those that are due by its time
	Scrubs   bool // the knob of the time bar is held
}

// begin forgets the scene before. hasPast says that the engine of the new one keeps its last seconds.
func (t *Travel) begin(hasPast bool) { t.journey = journey{HasPast: hasPast} }

// At is the tick that the user is at: the one that is sought, or else that of the picture.
func (t *Travel) At() uint64 {
	if t.Seeking.On {
		return t.Seeking.To
	}
	return t.stage.View.Tick
}

// Place says in words where a tick of the played recording is.
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

// advance makes a frame of d: it advances the clocks of the players, or makes the single steps that were
// asked for, and then goes on with a seek.
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
