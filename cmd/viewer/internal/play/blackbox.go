package play

import (
	"fmt"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
)

// giveBlackBox adds a black box to the configuration of an engine: it keeps the last seconds of the
// run in memory. It returns true if the user can also look back at them with the time bar.
func (c *Recorder) giveBlackBox(sc *SceneEntry, of *engine.Config) (keepsPast bool) {
	if sc.Replay != nil && sc.Replay.States { // its recorded states are shown, and its world is empty
		return false
	}
	keepsPast = c.keepsPast(sc)
	if !keepsPast && c.stage.Options.BlackBox.Dir == "" {
		return false
	}
	of.History.BlackBox = &engine.BlackBoxOptions{
		Dir: c.stage.Options.BlackBox.Dir, Length: c.stage.Options.BlackBox.Length, Scene: sc.Name, Data: sc.data,
		OnDump: c.tellDumped, InMemory: c.stage.Options.BlackBox.Dir == "", NoStates: true, // a viewer that replays it can compute the scene
	}
	if keepsPast && c.forPerson() {
		of.History.BlackBox.Memory = PastMemory
	}
	return keepsPast
}

// forPerson reports whether a person may look back: the run is interactive, or the time bar is shown, as
// in a run that ends by itself with the panel in its picture.
func (c *Recorder) forPerson() bool { return c.stage.Options.Interactive || c.PanelShown }

// PastMemory is the greatest size of the snapshots that make looking back quick, in bytes.
const PastMemory = 128 << 20

// tellDumped shows the user the black box that was written, or the error. Any goroutine may call it.
func (c *Recorder) tellDumped(path string, err error) {
	if err != nil {
		words.Complain(c.stage.Stderr, err)
	} else {
		fmt.Fprintf(c.stage.Stdout, "black box %s\n", words.Printable(path))
	}
	c.files.ReportWritten(path, err)
}

// DumpBlackBox writes the black box on a goroutine of its own, because a disk may be slow.
func (c *Recorder) DumpBlackBox() {
	e := c.stage.Present().Engine
	if c.stage.Options.BlackBox.Dir == "" {
		c.host.Say("there is no black box: start the viewer with -black-box DIR")
		return
	}
	c.files.Do(func() { c.tellDumped(e.History().DumpBlackBox("key")) })
}

// keepsPast reports whether the engine of a scene keeps its last seconds, so that the user can look back:
// if a person uses the viewer, or with -black-box. Only the engine's own loop can keep them, and not while
// runs are compared. Keeping them costs time, which disturbs the measurements of -hitch: with -hitch, they
// are only kept for -black-box.
func (c *Recorder) keepsPast(sc *SceneEntry) bool {
	o := c.stage.Options
	return sc.Replay == nil && c.stage.Settings.Loop == "" && !c.comparer.comparing() &&
		(o.BlackBox.Dir != "" || !o.ReportsHitches && c.forPerson())
}
