package main

import (
	"cmp"
	"errors"
	"fmt"

	"halfstep/cmd/viewer/internal/figures"
	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/outfile"
	"halfstep/engine"
	"halfstep/world"
)

// finish ends the engine and writes the files of the flags.
func (v *viewer) finish() error {
	if v.Stage.Player == nil {
		return nil
	}
	v.settlePresentTimes()
	v.present.close()
	s := &v.stats
	s.Motion, s.PresentTimes, s.Start = v.Stage.Player.Motion(), v.present.state, v.Stage.Player.Metrics().Start
	if v.o.Verbose && !s.Motion.Measured && s.PresentTimes != "" {
		fmt.Fprintf(v.Stage.Stderr, "the times at which frames were seen are inferred (%s)\n", s.PresentTimes)
	}
	if v.Stage.Shown.What == play.ShowsPast {
		tick := v.Stage.Player.Demanded()
		s.PastTick = &tick
		v.Travel.ToPresent()
	}
	s.LooksBack = v.Travel.LooksBack
	counts := v.Stage.View.Counts
	metrics := v.Stage.Player.Metrics()
	s.Scene = v.Stage.Scenes[v.Stage.Current].Name
	s.Sync, s.Smoothing = v.Stage.Settings.Sync.String(), v.Stage.Settings.Smoothing.String()
	if s.Loop = v.Stage.Player.Name; s.Loop != "" {
		s.Sync, s.Smoothing = s.Loop, v.Stage.View.Smoothing.String()
	}
	s.Pacing = map[bool]string{false: "off", true: "auto"}[v.Stage.Settings.Pacing && s.Loop == ""]
	s.Hz = v.Stage.Player.Rate().String()
	s.Controls(v.Session)
	s.Ticks = v.Stage.Player.Demanded()
	s.HeldFrames, s.BackwardFrames, s.MaxBacklog = metrics.HeldFrames, metrics.BackwardFrames, metrics.MaxBacklog
	if !v.ledgerRead {
		s.TakeLedger(v.Stage.Player.Ledger())
	}
	rate := v.Stage.Player.Rate().Float()
	var saved files.SavedScene
	var look func(*world.World)
	if v.o.Save != "" {
		look = func(w *world.World) { saved = files.SceneOf(w, rate) }
	}
	last := v.CloseAndInspect(look)
	if v.Stage.Shown.Replay() != nil && v.Stage.Shown.Replay().States { // the world of a replay of recorded states is empty
		last, saved = play.LastState{}, files.SavedScene{}
	}
	v.Comparer.CloseRight()
	s.Bodies, s.Contacts = counts.Bodies, counts.Contacts
	s.StateHash = last.Hash
	if last.OK {
		s.Bodies, s.Contacts = last.Counts.Bodies, last.Counts.Contacts
	}
	v.Outcome.Failure = v.Outcome.PhysicsFailure()
	if v.Outcome.Failure != nil {
		s.Failure = v.Outcome.Failure.Error()
		s.Ticks = v.Stage.Done.Load()
	} else if s.Loop != "" {
		s.Ticks = v.Stage.Player.Demanded() // the naive loop has stepped on by its own timer
	}
	s.Drawn(&v.picture.Figures)
	if v.Stage.CloseErr == nil {
		s.Step = figures.PercentilesOf(v.Stage.Steps)
	} else { // physics may still be adding durations
		s.Failure, s.Ticks = v.Stage.CloseErr.Error(), v.Stage.Done.Load()
	}
	v.summary = s.Summary()
	if v.o.Screenshot != "" {
		v.summary += fmt.Sprintf("picture %s\n", v.o.Screenshot)
	}

	of := cmp.Or(v.Stage.CloseErr, v.Outcome.Failure, v.Stage.Right.Failure(), v.Outcome.FailedBefore)
	errs := []error{v.withoutQuit(of), v.Outcome.Replayed(last.Hash), v.Recorder.RecordErr}
	if r := v.Recorder.Recording; r != nil && !errors.Is(r.Err, engine.ErrStuck) { // report a stuck step only once
		errs = append(errs, r.Err)
	}
	v.Stage.Owner.Keep()                           // from here on only this goroutine writes the files
	if v.o.Plot != "" && v.Stage.CloseErr == nil { // otherwise physics may still be recording values
		errs = append(errs, files.WritePlot(v.o.Plot, v.Session, rate))
	}
	return cmp.Or(append(errs, v.saveAtEnd(saved), v.write())...)
}

// write writes the files at the end of the run, except those that need physics.
func (v *viewer) write() error {
	var errs []error
	if v.o.Stats != "" {
		errs = append(errs, v.stats.Write(v.o.Stats))
	}
	if v.log != nil {
		errs = append(errs, v.log.Close())
	}
	if v.movie != nil {
		err := outfile.Replace(v.o.GIF, v.movie.Encode)
		if err == nil {
			v.summary += fmt.Sprintf("picture %s\n", v.o.GIF)
		}
		errs = append(errs, err)
	}
	return cmp.Or(append(errs, v.Files.Wait())...)
}

// saveAtEnd writes the file of -save, and records that in the summary.
func (v *viewer) saveAtEnd(scene files.SavedScene) error {
	path := v.o.Save
	switch {
	case path == "":
		return nil
	case scene.Scene == nil:
		return fmt.Errorf("-save %s: there is no world at the end", path)
	}
	scene.Shows(v.picture.Camera.Shown(v.picture.Framing()))
	if err := scene.Write(path); err != nil {
		return err
	}
	v.summary += fmt.Sprintf("scene %s%s\n", path, scene.Without())
	return nil
}
