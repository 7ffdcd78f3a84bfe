package main

import (
	"context"
	"fmt"
	"runtime/pprof"
	"time"

	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
	"halfstep/internal/monotime"
	"halfstep/world"
)

// render runs the viewer on the calling thread, which must be locked to its goroutine. If this is
// the main thread, poll handles the window's events and waits for them for up to `rest` seconds.
// Otherwise poll is nil. All state of the render thread is in v (viewer.go).
func (v *viewer) render(poll func(rest float64)) error {
	labelThread("render")
	v.screen.Attach()
	defer v.screen.Detach()
	defer func() {
		v.Close()
		v.present.close()
		v.picture.Close()
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

// loop makes the frames of the run, one after the other, until the run ends.
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
		// a simulated clock already knows whether there is another frame
		if simulated {
			ns, more = v.source.Next()
		}
		end := v.Stage.Quitting || v.ended(frame) || !more
		if err := v.show(end, poll); err != nil {
			return err
		}
		// the time of a frame is measured when the present returns
		if !simulated {
			ns, more = v.source.Next()
		}
		now := monotime.Now()
		v.present.next = now
		if !last.IsZero() {
			v.picture.Figures.Frame(now.Sub(last), v.Stage.Player)
		}
		last = now
		if end {
			return nil
		}
		v.Stage.Player.PlanSleep(v.limit.Plan())
		v.limit.Wait()
		v.delay(time.Duration(ns))
	}
	return nil
}

// advance moves the world forward by a frame of length d, and updates the parts that follow the
// world. The number of the first frame is 0.
func (v *viewer) advance(frame uint64, d time.Duration) error {
	v.elapsed += d
	if !v.Stage.Settings.Simulated { // the frames of a simulated clock are not frames of the display
		v.Stage.EachPlayer(func(p *play.Player) {
			if p.Engine != nil {
				p.Engine.Display().SetRefresh(v.picture.Surface.Refresh)
			}
		})
	}
	if err := v.Session.Advance(frame == 0, d); err != nil {
		return err
	}
	v.queue.Begun.Store(true)
	v.present.started(frame, v.elapsed)
	v.Session.Settle(v.panel.Page == panel.BodyPage && v.panel.Width(v.picture.Surface) > 0)
	for i := range v.Stage.Events {
		if ev := &v.Stage.Events[i]; ev.Kind == world.BodyRemoved {
			v.picture.Camera.Removed(ev.A)
		}
	}
	v.picture.Figures.Metrics = v.Stage.Player.Metrics()
	v.showHitch()
	v.picture.Camera.Track(v.Stage.Player)

	ledger := v.Stage.Present().Ledger()
	if last, ok := v.o.lastTick(); ok && !v.ledgerRead && v.Stage.Player.Demanded() >= last {
		// The time of the run ends here. Later frames only show its last picture.
		v.stats.TakeLedger(ledger)
		v.ledgerRead = true
	}
	if v.log != nil {
		row := files.LogRow{
			Frame: frame, Time: ledger.Scaled(), Tick: v.Stage.View.Tick, Alpha: v.Stage.View.Alpha,
			Steps: v.Stage.View.Steps, Dropped: ledger.Dropped(),
		}
		v.Sampler.Poses(func(label string, p engine.Pose) { v.log.Write(row, label, p) })
	}
	return nil
}

// ended reports whether this frame is the last frame of the run.
func (v *viewer) ended(frame uint64) bool {
	o := v.o
	last, ends := o.lastTick()
	switch {
	case v.Outcome.Failure != nil && (o.limited() || o.Hidden) && v.Outcome.UnknownFunction() == nil:
		return true
	case o.Frames > 0 && frame+1 >= o.Frames:
		return true
	case o.Duration > 0 && v.elapsed >= o.Duration:
		return true
	case ends && v.Stage.View.Tick >= last:
		return true
	}
	return false
}

// show draws and presents a frame. While the window is minimised, show only waits. It also waits
// for a moment while physics computes a picture of the past, because drawing would slow that down.
func (v *viewer) show(last bool, poll func(rest float64)) error {
	switch {
	case last && v.picture.Surface.Empty():
		if v.o.Screenshot != "" {
			v.noScreenshot(fmt.Errorf("-screenshot %s: the window is minimised, so there is no picture", v.o.Screenshot))
		}
		return nil
	case v.picture.Surface.Empty():
		v.rest(restTime, poll)
		return nil
	case !last && v.Travel.Awaits(v.lastShown, v.lastEpoch):
		v.rest(awaitTime, poll)
		return nil
	}
	if err := v.picture.Draw(); err != nil {
		return err
	}
	v.Stage.Player.EnterPhase(phase.Other)
	v.capture(last)
	v.swapping()
	v.Stage.Player.EnterPhase(phase.Swap)
	v.screen.Swap()
	v.Stage.Player.EnterPhase(phase.Other)
	v.lastEpoch, v.lastShown = v.Stage.View.Epoch, time.Now()
	v.Travel.TimeLookBack()
	return nil
}

// restTime is the length of a frame while the window is minimised. It is short enough that a world
// at 60 Hz drops no time.
const restTime = 50 * time.Millisecond

// awaitTime is the length of a frame in which show waits for a picture of the past.
const awaitTime = 4 * time.Millisecond

// rest waits for the time d, or until there is input. On the main thread poll does the waiting,
// and also handles the window's events.
func (v *viewer) rest(d time.Duration, poll func(rest float64)) {
	v.Stage.Player.PlanSleep(d)
	if poll != nil {
		poll(d.Seconds())
		return
	}
	select {
	case <-v.queue.Wake:
	case <-time.After(d):
	}
}

// labelThread sets a label for profiles on the calling goroutine and on the goroutines that it
// starts. The engine sets finer labels of its own.
func labelThread(name string) {
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("loop", name)))
}

// showHitch shows the cause of a new hitch in the picture. The panel keeps the last cause.
func (v *viewer) showHitch() {
	if v.newest == nil {
		return
	}
	if r := v.newest.Swap(nil); r != nil {
		v.picture.Verdict = words.Printable(r.Verdict)
		v.picture.Warn(r.Verdict)
		if e := v.Stage.Player.Engine; e != nil && r.Engine == e.Name() && v.Stage.Shown.What != play.ShowsPast {
			v.Notes.Note(play.BarMark{Tick: r.Tick})
		}
	}
}
