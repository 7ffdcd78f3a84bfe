package play

import (
	"fmt"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
)

// giveBlackBox adds a black box to the configuration of an engine. The black box keeps the last
// seconds of the run in memory. The result is true if the user can also look at these seconds with
// the time bar.
func (c *Recorder) giveBlackBox(sc *SceneEntry, of *engine.Config) (keepsPast bool) {
	if sc.Replay != nil && sc.Replay.States { // the recorded states are shown, and the world is empty
		return false
	}
	keepsPast = c.keepsPast(sc)
	if !keepsPast && c.stage.Options.BlackBox.Dir == "" {
		return false
	}
	of.History.BlackBox = &engine.BlackBoxOptions{
		Dir: c.stage.Options.BlackBox.Dir, Length: c.stage.Options.BlackBox.Length, Scene: sc.Name, Data: sc.data,
		OnDump: c.tellDumped, InMemory: c.stage.Options.BlackBox.Dir == "", NoStates: true, // a viewer that replays the black box can compute the scene
	}
	if keepsPast && c.forPerson() {
		of.History.BlackBox.Memory = PastMemory
	}
	return keepsPast
}

// forPerson reports whether a person may look back. This is so if the run is interactive. It is also so
// if the time bar is shown, as in a run that ends by itself with the panel in its picture.
func (c *Recorder) forPerson() bool { return c.stage.Options.Interactive || c.PanelShown }

// PastMemory is the greatest size, in bytes, of the snapshots that make looking back quick.
const PastMemory = 128 << 20

// tellDumped shows the user that the black box was written, or the error. Any goroutine may call it.
func (c *Recorder) tellDumped(path string, err error) {
	if err != nil {
		words.Complain(c.stage.Stderr, err)
	} else {
		fmt.Fprintf(c.stage.Stdout, "black box %s\n", words.Printable(path))
	}
	c.files.ReportWritten(path, err)
}

// DumpBlackBox writes the black box on another goroutine, because a disk may be slow.
func (c *Recorder) DumpBlackBox() {
	e := c.stage.Present().Engine
	if c.stage.Options.BlackBox.Dir == "" {
		c.host.Say("there is no black box: start the viewer with -black-box DIR")
		return
	}
	c.files.Do(func() { c.tellDumped(e.History().DumpBlackBox("key")) })
}

// keepsPast reports whether the engine of a scene keeps its last seconds so that the user can look back.
// The engine keeps them if a person uses the viewer, or with -black-box. Only the engine's own loop can
// keep them, and only while no runs are compared. Keeping them costs time, which disturbs the measurements
// of -hitch. With -hitch they are therefore kept only if -black-box is given.
func (c *Recorder) keepsPast(sc *SceneEntry) bool {
	o := c.stage.Options
	return sc.Replay == nil && c.stage.Settings.Loop == "" && !c.comparer.comparing() &&
		(o.BlackBox.Dir != "" || !o.ReportsHitches && c.forPerson())
}
