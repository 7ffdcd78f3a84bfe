package main

import (
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
	v.screen.Attach()
	defer v.screen.Detach()
	defer func() {
		v.close()
		v.present.close()
		v.closeGL(onLeft)
		v.closeGL(onRight)
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
		end := v.stage.quitting || v.ended(frame) || !more
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
			v.figures.Frame(now.Sub(last), v.stage.player)
		}
		last = now
		if end {
			return nil
		}
		v.stage.player.PlanSleep(v.limit.Plan())
		v.limit.Wait()
		v.delay(time.Duration(ns))
	}
	return nil
}

// advance moves the world by a frame of d, and brings all that follows the world up to date. Frames
// count from 0.
func (v *viewer) advance(frame uint64, d time.Duration) error {
	v.elapsed += d
	if !v.stage.settings.simulated { // frames of a simulated clock are not the display's
		v.stage.engines(func(p *player) {
			if p.engine != nil {
				p.engine.Display().SetRefresh(v.surface.Refresh)
			}
		})
	}
	if err := v.session.advance(frame == 0, d); err != nil {
		return err
	}
	v.queue.Begun.Store(true)
	v.present.started(frame, v.elapsed)
	v.session.settle(v.panel.page == bodyPage && v.panel.width(v.surface) > 0)
	for i := range v.stage.events {
		if ev := &v.stage.events[i]; ev.Kind == world.BodyRemoved {
			v.camera.removed(ev.A)
		}
	}
	v.figures.Metrics = v.stage.player.Metrics()
	v.tellHitch()
	v.camera.track(v.stage.player)

	ledger := v.stage.live().Ledger()
	if last, ok := v.o.lastTick(); ok && !v.ledgerTaken && v.stage.player.Demanded() >= last {
		// The time of the run ends here. The frames after it only show its end.
		v.stats.takeLedger(ledger)
		v.ledgerTaken = true
	}
	if v.log != nil {
		row := logRow{
			frame: frame, time: ledger.Scaled(), tick: v.stage.view.Tick, alpha: v.stage.view.Alpha,
			steps: v.stage.view.Steps, dropped: ledger.Dropped(),
		}
		for i := range v.session.tracked {
			t := &v.session.tracked[i]
			if p, ok := v.stage.player.pose(t.body); ok {
				v.log.write(row, t.label, p)
			}
		}
	}
	return nil
}

// ended reports whether this frame is the last one of the run.
func (v *viewer) ended(frame uint64) bool {
	o := v.o
	last, ends := o.lastTick()
	switch {
	case v.outcome.failure != nil && (o.limited() || o.Hidden) && v.outcome.unknownFunction() == nil:
		return true
	case o.Frames > 0 && frame+1 >= o.Frames:
		return true
	case o.Duration > 0 && v.elapsed >= o.Duration:
		return true
	case ends && v.stage.view.Tick >= last:
		return true
	}
	return false
}

// show draws and presents a frame. While the window is minimised it only waits, and also, for a
// moment, while physics computes a picture of the past, which drawing would slow down.
func (v *viewer) show(last bool, poll func(rest float64)) error {
	switch {
	case last && v.surface.Empty():
		if v.o.Screenshot != "" {
			v.noScreenshot(fmt.Errorf("-screenshot %s: the window is minimised, so there is no picture", v.o.Screenshot))
		}
		return nil
	case v.surface.Empty():
		v.rest(restTime, poll)
		return nil
	case !last && v.travel.awaits(v.lastShown, v.lastEpoch):
		v.rest(awaitTime, poll)
		return nil
	}
	if err := v.draw(); err != nil {
		return err
	}
	v.stage.player.EnterPhase(phase.Other)
	v.capture(last)
	v.swapping()
	v.stage.player.EnterPhase(phase.Swap)
	v.screen.Swap()
	v.stage.player.EnterPhase(phase.Other)
	v.lastEpoch, v.lastShown = v.stage.view.Epoch, time.Now()
	v.travel.timeLookBack()
	return nil
}

// restTime is how long a frame of a minimised window lasts. It is short enough for a
// world at 60 Hz not to drop time.
const restTime = 50 * time.Millisecond

// awaitTime is how long a frame lasts in which show waits for a picture of the past.
const awaitTime = 4 * time.Millisecond

// rest waits for a time, or until there is input. On the main thread poll waits, and handles the
// window's events meanwhile.
func (v *viewer) rest(d time.Duration, poll func(rest float64)) {
	v.stage.player.PlanSleep(d)
	if poll != nil {
		poll(d.Seconds())
		return
	}
	select {
	case <-v.queue.Wake:
	case <-time.After(d):
	}
}

// draw draws the picture of a frame and all text and controls over it, and measures the work.
func (v *viewer) draw() error {
	fb := v.viewport()
	v.gl[onLeft].BeginFrame()
	if b := v.stage.player.Busy(phase.Render); b.Thread == phase.Render {
		v.gl[onLeft].BeginTimer(b.Number)
	}
	v.stage.player.EnterPhase(phase.Upload)
	if err := v.gl[onLeft].Upload(v.stage.view); err != nil {
		return err
	}
	v.stage.player.EnterPhase(phase.Draw)
	if err := v.gl[onLeft].Draw(v.stage.view, v.camera.Camera, v.left(), v.layers); err != nil {
		return err
	}
	if err := v.drawRight(); err != nil {
		return err
	}
	work := v.gl[onLeft].Stats()
	v.stage.player.EnterPhase(phase.HUD)
	canvas := v.gl[onLeft].BeginHUD(fb)
	v.figures.Work.Frame(v.stage.view.Tick, work.Core.Calls, work.Core.Bytes)
	v.drawMarks(canvas)
	v.label(canvas)
	v.drawPast(canvas)
	v.timeline.draw(canvas, v)
	v.hud.draw(canvas, v)
	v.drawPanel(canvas)
	if v.help.on {
		free, _ := v.clear(canvas)
		v.help.draw(canvas, &v.panel.keys, free)
	}
	canvas.Draw()
	if n, ns, ok := v.gl[onLeft].EndTimer(); ok {
		v.stage.player.GPUTime(n, time.Duration(ns))
	}
	all := v.gl[onLeft].Stats()
	v.figures.Work.All(all.Total().Calls - all.Structure.Calls)
	return nil
}

// viewport is the whole window.
func (p *picture) viewport() glrender.Viewport {
	return glrender.Viewport{W: p.surface.W, H: p.surface.H, Scale: p.surface.Scale}
}
