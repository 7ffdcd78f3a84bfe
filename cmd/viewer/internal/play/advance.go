package play

import (
	"cmp"
	"fmt"
	"time"

	"halfstep/buffer/phase"
	"halfstep/renderloop"
	"halfstep/world"
)

// Advance moves the world forward by a frame that lasts d. The parameter first marks the first frame of
// the run.
func (s *Session) Advance(first bool, d time.Duration) error {
	switch {
	case first && s.Stage.Options.Seek != nil:
		return s.beginAt(*s.Stage.Options.Seek)
	case first:
		s.Travel.advance(d)
		return s.begin(firstScene)
	}
	s.Travel.steerPlayback(d)
	s.Follow.keepUp(d)      // keep close to the newest tick of a watched program
	s.Comparer.followLeft() // the right half of two recordings follows the left half
	s.Travel.advance(d)
	s.Comparer.tellEnd() // show that the run in the right half has ended
	return nil
}

// Settle updates, after a frame, the parts that follow the world. The parameter reports says that
// the page Body is visible, which shows reports about the chosen body.
func (s *Session) Settle(reports bool) {
	s.Stage.eachSide(func(o *Side) { o.takeEvents() })
	for i := range s.Stage.Events {
		ev := &s.Stage.Events[i]
		if ev.Kind == world.BodyRemoved && !s.Inspect.Right { // these events come from the left half
			s.Inspect.removed(ev.A)
		}
		s.Notes.noteEvent(ev)
	}
	o := s.Outcome
	o.Busy = s.Stage.Player.Busy(phase.Physics)
	o.Failure = cmp.Or(o.PhysicsFailure(), s.Stage.Right.Failure())
	if o.Failure != nil && (s.Stage.Shown.replaced || s.showStates()) {
		o.Failure = nil // the states of the recording are opened in place of the replay
	}
	s.Wheel.GiveBack(whenIdle) // the scene steers its car again if the user has not steered for some time
	if !s.Travel.Seeking.On {  // during a seek a body stays chosen even if it does not exist
		s.Inspect.follow(s.Inspect.Inspected(), reports)
	}
}

// beginAt makes the first frame of a run with -seek. The camera is set by the first tick, as in a
// run without -seek. An interactive run shows pictures on the way to the tick. Other runs wait for
// the tick.
func (s *Session) beginAt(tick uint64) error {
	s.Travel.advance(0)
	if err := s.begin(firstScene); err != nil {
		return err
	}
	if r := s.Stage.Shown.Replay(); r != nil && (tick < r.First || tick > r.Ticks) {
		return fmt.Errorf("-seek: no tick %d: the recording goes from tick %d to tick %d", tick, r.First, r.Ticks)
	}
	switch {
	case s.Stage.Options.Interactive && !s.Stage.Settings.Simulated:
		s.Travel.Seeking.To = tick
		if s.Stage.Shown.Replay() == nil && tick == 0 { // the scene is already at that tick
			break
		}
		s.Travel.beginSeek()
		s.Travel.sendPart()
	case s.Stage.Shown.Replay() == nil:
		s.runTo(tick)
	default:
		if err := s.Stage.Player.Engine.History().Seek(tick); err != nil {
			return fmt.Errorf("-seek: %w", err)
		}
		s.Stage.Player.Engine.SetSync(renderloop.Lockstep) // with Lockstep advance waits for the seek
		s.Travel.advance(0)
		s.Stage.Player.Engine.SetSync(s.Stage.Settings.Sync)
	}
	return nil
}

// runTo runs the scene to a tick before the first frame of the run is shown. It takes the events on the
// way, because otherwise too many would wait.
func (s *Session) runTo(tick uint64) {
	if last := s.Stage.Options.Ticks; last > 0 {
		tick = min(tick, last)
	}
	for s.Stage.View.Tick < tick && s.Stage.Player.Failure() == nil && !s.Stage.Options.AskedToEnd() {
		s.Travel.Steps = int(min(tick-min(s.Stage.Player.Demanded(), tick), seekSteps))
		s.Travel.advance(0)
		s.Stage.takeEvents()
	}
}

// seekSteps is the greatest number of steps in runTo between two times at which it takes events.
const seekSteps = 60
