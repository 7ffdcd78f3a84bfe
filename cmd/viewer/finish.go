package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"halfstep/world"
)

// finish ends the engine and writes the files that the flags ask for.
func (v *viewer) finish() error {
	if v.player == nil {
		return nil
	}
	v.settlePresentTimes()
	v.present.close()
	s := &v.stats
	s.Motion, s.PresentTimes = v.player.motion(), v.present.state
	if v.o.Verbose && !s.Motion.Measured && s.PresentTimes != "" {
		fmt.Fprintf(v.stderr, "when frames were seen is inferred (%s)\n", s.PresentTimes)
	}
	if v.past != nil {
		tick := v.player.Demanded()
		s.PastTick = &tick
		v.toPresent()
	}
	counts := v.view.Counts
	metrics := v.player.Metrics()
	s.Scene = v.scenes[v.current].name
	s.Sync, s.Smoothing = v.settings.sync.String(), v.settings.smoothing.String()
	if s.Loop = v.player.name; s.Loop != "" {
		s.Sync, s.Smoothing = s.Loop, v.view.Smoothing.String()
	}
	s.Pacing = map[bool]string{false: "off", true: "auto"}[v.settings.pacing && s.Loop == ""]
	s.Hz = v.player.Rate().String()
	v.controlStats(s)
	s.Ticks = v.player.Demanded()
	s.HeldFrames, s.BackwardFrames, s.MaxBacklog = metrics.HeldFrames, metrics.BackwardFrames, metrics.MaxBacklog
	if !v.ledgerTaken {
		s.takeLedger(v.player.Ledger())
	}
	last := v.closeAndInspect()
	v.closeRight()
	s.Bodies, s.Contacts = counts.Bodies, counts.Contacts
	s.StateHash = last.hash
	if last.ok {
		s.Bodies, s.Contacts = last.counts.Bodies, last.counts.Contacts
	}
	v.failure = v.player.Failure()
	if v.failure != nil {
		s.Failure = v.failure.Error()
		s.Ticks = v.done.Load()
	} else if s.Loop != "" {
		s.Ticks = v.player.Demanded() // the naive loop steps without being asked
	}
	if v.closeErr == nil {
		s.fill(v.collector)
	} else { // physics may still be writing to the collector
		s.Failure, s.Ticks = v.closeErr.Error(), v.done.Load()
		s.frames(v.collector)
	}
	v.summary = v.summarise()

	errs := []error{v.closeErr, v.failure, v.right.failure(), v.replayed(last.hash), v.recordErr}
	if v.recording != nil {
		errs = append(errs, v.recording.err)
	}
	v.owner.keep()
	return cmp.Or(append(errs, v.write())...)
}

// lastState describes the world after its last step.
type lastState struct {
	hash   string
	counts struct{ Bodies, Contacts int32 }
	ok     bool // false if physics failed before
}

// closeAndInspect closes the engine, once all demanded steps are done, and
// returns the state that its world was left in.
func (v *viewer) closeAndInspect() lastState {
	e := v.player
	done := make(chan lastState, 1)
	e.Inspect(func(w *world.World) {
		last := lastState{hash: fmt.Sprintf("%016x", w.Hash()), ok: true}
		c := w.Counts()
		last.counts.Bodies, last.counts.Contacts = c.Bodies, c.Contacts
		done <- last
	})
	// A paused frame demands no more steps. On a simulated clock it gives physics
	// the time to finish those that were demanded before.
	e.SetPaused(true)
	v.owner.beginWait()
	e.Advance(time.Minute)
	v.owner.endWait()
	v.closeEngine()
	select {
	case last := <-done:
		return last
	default:
		return lastState{}
	}
}

// write writes the files that are written at the end.
func (v *viewer) write() error {
	var errs []error
	if v.o.Stats != "" {
		errs = append(errs, v.stats.write(v.o.Stats, v.queue.quitting))
	}
	if v.log != nil {
		errs = append(errs, v.log.close())
	}
	if v.movie != nil {
		errs = append(errs, v.movie.close())
	}
	return cmp.Or(append(errs, v.pictures.wait())...)
}

// summarise is what the viewer prints at the end.
func (v *viewer) summarise() string {
	s := &v.stats
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d ticks, %d frames, %s, %d bodies\n", s.Scene, s.Ticks, s.Frames, s.Sync, s.Bodies)
	fmt.Fprintf(&b, "frame %.2f ms (p99 %.2f), step %.2f ms (p99 %.2f)\n", s.Frame.P50, s.Frame.P99, s.Step.P50, s.Step.P99)
	fmt.Fprintf(&b, "held frames %d, dropped %.3f s\n", s.HeldFrames, s.Dropped-s.afterEnd)
	if m := s.Motion; m.Measured {
		fmt.Fprintf(&b, "animation error %.3f ms rms (p99 %.2f), measured\n", m.RMS, m.P99)
	}
	if s.StateHash != "" {
		fmt.Fprintf(&b, "state hash %s\n", s.StateHash)
	}
	for _, path := range []string{v.o.Screenshot, v.o.GIF} {
		if path != "" {
			fmt.Fprintf(&b, "picture %s\n", path)
		}
	}
	return b.String()
}
