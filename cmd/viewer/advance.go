package main

import (
	"cmp"
	"fmt"
	"halfstep/buffer/phase"
	"halfstep/renderloop"
	"halfstep/world"
	"time"
)

// advance moves the world by a frame of d. first says that it is the first frame of the run.
func (s *session) advance(first bool, d time.Duration) error {
	switch {
	case first && s.stage.o.Seek != nil:
		return s.beginAt(*s.stage.o.Seek)
	case first:
		s.travel.pass(d)
		return s.begin(firstScene)
	}
	s.travel.goBack(d)
	s.follow.keepUp(d)
	s.beside.followLeft()
	s.travel.pass(d)
	return nil
}

// settle brings all that follows the world up to date after a frame. reports says that the user sees what
// is known of the chosen body.
func (s *session) settle(reports bool) {
	s.stage.each(func(o *side) { o.takeEvents() })
	for i := range s.stage.events {
		ev := &s.stage.events[i]
		if ev.Kind == world.BodyRemoved && !s.inspect.right { // these events are those of the left half
			s.inspect.removed(ev.A)
		}
		s.notes.noteEvent(ev)
	}
	o := s.outcome
	o.busy = s.stage.player.Busy(phase.Physics)
	if o.failure = cmp.Or(o.physicsFailure(), s.stage.right.failure()); o.failure != nil && (s.stage.shown.replaced || s.showStates()) {
		o.failure = nil // the states of the recording are opened in place of the replay
	}
	s.wheel.wheelBack(whenIdle)
	if !s.travel.seeking.on { // a body stays chosen even if it does not exist on the way
		s.inspect.follow(s.inspect.inspected(), reports)
	}
}

// beginAt makes the first frame of a run with -seek. The camera is set by the first tick, as without
// -seek. An interactive run shows pictures on the way to the tick; other runs wait until they are there.
func (s *session) beginAt(tick uint64) error {
	s.travel.pass(0)
	if err := s.begin(firstScene); err != nil {
		return err
	}
	if r := s.stage.shown.replay(); r != nil && (tick < r.First || tick > r.Ticks) {
		return fmt.Errorf("-seek: no tick %d: the recording goes from tick %d to tick %d", tick, r.First, r.Ticks)
	}
	switch {
	case s.stage.o.Interactive && !s.stage.settings.simulated:
		s.travel.seeking.to = tick
		if s.stage.shown.replay() == nil && tick == 0 {
			break
		}
		s.travel.beginSeek()
		s.travel.sendPart()
	case s.stage.shown.replay() == nil:
		s.goTo(tick)
	default:
		if err := s.stage.player.engine.History().Seek(tick); err != nil {
			return fmt.Errorf("-seek: %w", err)
		}
		s.stage.player.engine.SetSync(renderloop.Lockstep) // so that pass waits for the seek
		s.travel.pass(0)
		s.stage.player.engine.SetSync(s.stage.settings.sync)
	}
	return nil
}

// goTo runs the scene to a tick before the run's first frame is shown.
func (s *session) goTo(tick uint64) {
	if last := s.stage.o.Ticks; last > 0 {
		tick = min(tick, last)
	}
	for s.stage.view.Tick < tick && s.stage.player.Failure() == nil && !s.stage.o.Asked() {
		s.travel.steps = int(min(tick-min(s.stage.player.Demanded(), tick), seekSteps))
		s.travel.pass(0)
		s.stage.takeEvents()
	}
}

// seekSteps is the most steps of goTo between two looks at events.
const seekSteps = 60
