package main

import (
	"cmp"
	"fmt"
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/monotime"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// render runs the viewer on the calling thread, which must be locked. If that is
// the main thread, poll handles the window's events and waits for them for up to
// rest seconds; otherwise poll is nil. A viewer (viewer.go) has all state of the
// render thread; a player (player.go) is an engine, or another loop.
func (v *viewer) render(poll func(rest float64)) error {
	labelThread("render")
	v.screen.attach()
	defer v.screen.detach()
	defer func() {
		v.close()
		v.present.close()
		v.each((*side).closeGL)
	}()
	if err := v.start(); err != nil {
		return err
	}
	v.setCap(v.cap)
	if err := v.loop(poll); err != nil {
		return err
	}
	return v.finish()
}

// loop makes the frames of the run, one after the other, until it ends.
func (v *viewer) loop(poll func(rest float64)) error {
	simulated := v.source.Simulated()
	var last time.Time
	ns, more := v.source.Next()
	v.present.next = monotime.Now()
	for frame := uint64(0); more; frame++ {
		if poll != nil {
			poll(0) // without waiting
		}
		v.takePresentTimes()
		if err := v.takeInput(); err != nil {
			return err
		}
		if err := v.advance(frame, time.Duration(ns)); err != nil {
			return err
		}
		// A simulated clock already knows whether there is another frame.
		if simulated {
			ns, more = v.source.Next()
		}
		end := v.quitting || v.ended(frame) || !more
		if err := v.show(end, poll); err != nil {
			return err
		}
		// Frames are timed at the moment when the present returns.
		if !simulated {
			ns, more = v.source.Next()
		}
		now := monotime.Now()
		v.present.next = now
		if !last.IsZero() {
			v.collector.frames.add(now.Sub(last))
			v.figures.frame(now.Sub(last), v.player)
		}
		last = now
		if end {
			return nil
		}
		v.player.PlanSleep(v.limit.Plan())
		v.limit.Wait()
		v.delay(time.Duration(ns))
	}
	return nil
}

// advance moves the world by a frame of d, and brings all that follows the world up to date. Frames
// count from 0.
func (v *viewer) advance(frame uint64, d time.Duration) error {
	v.elapsed += d
	if !v.settings.simulated { // frames of a simulated clock are not the display's
		v.engines(func(p *player) {
			if p.engine != nil {
				p.engine.Display().SetRefresh(v.surface.refresh)
			}
		})
	}
	if frame > 0 {
		v.goBack(d)
		v.keepUp(d)
		v.followLeft()
	}
	switch {
	case frame == 0 && v.o.Seek != nil:
		if err := v.beginAt(*v.o.Seek); err != nil {
			return err
		}
	case frame == 0:
		v.pass(d)
		if err := v.begin(firstScene); err != nil {
			return err
		}
	default:
		v.pass(d)
	}
	v.queue.begun.Store(true)
	v.present.started(frame, v.elapsed)
	v.each((*side).takeEvents)
	for i := range v.events {
		ev := &v.events[i]
		if ev.Kind == world.BodyRemoved {
			v.camera.removed(ev.A)
			if !v.inspect.right { // v.events are those of the left half
				v.inspect.removed(ev.A)
			}
		}
		v.noteEvent(ev)
	}
	v.figures.Metrics = v.player.Metrics()
	v.busy = v.player.Busy(phase.Physics)
	v.tellHitch()
	if v.failure = cmp.Or(v.physicsFailure(), v.right.failure()); v.failure != nil && (v.shownInstead || v.showStates()) {
		v.failure = nil // the states of the recording are opened in place of the replay
	}
	v.camera.track(v.player)
	v.wheelBack(whenIdle)
	if !v.seeking.on { // a body stays chosen even if it does not exist on the way
		v.inspect.follow(v.inspected(), v.panel.page == bodyPage && v.panel.width(v.surface) > 0)
	}

	ledger := v.live().Ledger()
	if last, ok := v.o.lastTick(); ok && !v.ledgerTaken && v.player.Demanded() >= last {
		// The time of the run ends here. The frames after it only show its end.
		v.stats.takeLedger(ledger)
		v.ledgerTaken = true
	}
	if v.log != nil {
		row := logRow{
			frame: frame, time: ledger.Scaled(), tick: v.view.Tick, alpha: v.view.Alpha,
			steps: v.view.Steps, dropped: ledger.Dropped(),
		}
		for i := range v.tracked {
			t := &v.tracked[i]
			if p, ok := v.player.pose(t.body); ok {
				v.log.write(row, t.label, p)
			}
		}
	}
	return nil
}

// pass advances the clocks of the engines by d, or makes the single steps that were asked for.
func (s *session) pass(d time.Duration) {
	advance := func(e *player) *view { return e.Advance(d) }
	if n := s.steps; n > 0 {
		advance = func(e *player) *view { return e.Step(n) }
		s.steps = 0
	}
	s.openPast()
	if s.seeking.opening != nil || s.seeking.on && s.playedRecording() == nil {
		d = 0 // time waits for the past, and for a seek of the running scene
	}
	s.owner.beginWait()
	s.each(func(o *side) { o.view = advance(o.player) })
	s.owner.endWait()
	s.goOnSeeking()
}

// ended reports whether this frame is the last one of the run.
func (v *viewer) ended(frame uint64) bool {
	o := v.o
	last, ends := o.lastTick()
	switch {
	case v.failure != nil && (o.limited() || o.Hidden) && v.unknownFunction() == nil:
		return true
	case o.Frames > 0 && frame+1 >= o.Frames:
		return true
	case o.Duration > 0 && v.elapsed >= o.Duration:
		return true
	case ends && v.view.Tick >= last:
		return true
	}
	return false
}

// show draws and presents a frame. While the window is minimised it only waits, and also, for a
// moment, while physics computes a picture of the past, which drawing would slow down.
func (v *viewer) show(last bool, poll func(rest float64)) error {
	switch {
	case last && v.surface.empty():
		if v.o.Screenshot != "" {
			v.noScreenshot(fmt.Errorf("-screenshot %s: the window is minimised, so there is no picture", v.o.Screenshot))
		}
		return nil
	case v.surface.empty():
		v.rest(restTime, poll)
		return nil
	case !last && v.awaitsPast():
		v.rest(awaitTime, poll)
		return nil
	}
	if err := v.draw(); err != nil {
		return err
	}
	v.player.EnterPhase(phase.Other)
	v.capture(last)
	v.swapping()
	v.player.EnterPhase(phase.Swap)
	v.screen.swap()
	v.player.EnterPhase(phase.Other)
	v.lastEpoch, v.lastShown = v.view.Epoch, time.Now()
	v.timeLookBack()
	return nil
}

// restTime is how long a frame of a minimised window lasts. It is short enough for a
// world at 60 Hz not to drop time.
const restTime = 50 * time.Millisecond

// awaitTime is how long a frame lasts in which show waits for a picture of the past.
const awaitTime = 4 * time.Millisecond

// awaitsPast reports whether a picture of the past is being computed, and the last picture is not yet
// partTime old.
func (v *viewer) awaitsPast() bool {
	if v.settings.simulated || time.Since(v.lastShown) > partTime {
		return false
	}
	k, t := &v.seeking, &v.playback
	under := k.on && v.playedRecording() != nil || t.backward && t.pace.asked && t.pace.epoch == v.view.Epoch
	return k.opening != nil || under && v.lastEpoch == v.view.Epoch
}

// rest waits for a time, or until there is input. On the main thread poll waits, and handles the
// window's events meanwhile.
func (s *session) rest(d time.Duration, poll func(rest float64)) {
	s.player.PlanSleep(d)
	if poll != nil {
		poll(d.Seconds())
		return
	}
	select {
	case <-s.queue.wake:
	case <-time.After(d):
	}
}

// draw draws the picture of a frame and all text and controls over it, and measures the work.
func (v *viewer) draw() error {
	fb := v.viewport()
	v.gl.BeginFrame()
	if b := v.player.Busy(phase.Render); b.Thread == phase.Render {
		v.gl.BeginTimer(b.Number)
	}
	v.player.EnterPhase(phase.Upload)
	if err := v.gl.Upload(v.view); err != nil {
		return err
	}
	v.player.EnterPhase(phase.Draw)
	if err := v.gl.Draw(v.view, v.camera.Camera, v.left(), v.layers); err != nil {
		return err
	}
	if err := v.drawRight(); err != nil {
		return err
	}
	work := v.gl.Stats()
	v.collector.frame(v.view, work)
	v.player.EnterPhase(phase.HUD)
	canvas := v.gl.BeginHUD(fb)
	v.figures.calls = work.Core.Calls
	v.drawMarks(canvas)
	v.label(canvas)
	v.drawPast(canvas)
	v.timeline.draw(canvas, v)
	v.hud.draw(canvas, v)
	v.drawPanel(canvas)
	if v.help.on {
		free, _ := v.clear(canvas)
		v.help.draw(canvas, &v.keys, free)
	}
	canvas.Draw()
	if n, ns, ok := v.gl.EndTimer(); ok {
		v.player.GPUTime(n, time.Duration(ns))
	}
	all := v.gl.Stats()
	v.collector.allCalls = max(v.collector.allCalls, all.Total().Calls-all.Structure.Calls)
	return nil
}

// viewport is the whole window.
func (p *picture) viewport() glrender.Viewport {
	return glrender.Viewport{W: p.surface.w, H: p.surface.h, Scale: p.surface.scale}
}
