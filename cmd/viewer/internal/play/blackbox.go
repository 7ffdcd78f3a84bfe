package play

import (
	"fmt"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
)

// box gives the engine with that configuration its black box: the last seconds of the run
// in memory. It returns true if the user can also look back at them with the time bar.
func (c *Recorder) box(sc *SceneEntry, of *engine.Config) (keeps bool) {
	keeps = c.keepsPast(sc)
	if statesOnly := sc.Replay != nil && sc.Replay.States; statesOnly || !keeps && c.stage.O.BlackBox.Dir == "" {
		return keeps
	}
	of.History.BlackBox = &engine.BlackBoxOptions{
		Dir: c.stage.O.BlackBox.Dir, Length: c.stage.O.BlackBox.Length, Scene: sc.Name, Data: sc.data,
		OnDump: c.dumped, InMemory: c.stage.O.BlackBox.Dir == "", NoStates: true, // a viewer that replays it can compute the scene
	}
	if keeps && (c.Attended || c.stage.O.Interactive) {
		of.History.BlackBox.Memory = PastMemory
	}
	return keeps
}

// PastMemory is the most bytes for the snapshots that make looking back quick.
const PastMemory = 128 << 20

// dumped tells the user of a black box that was written, or why not. Any goroutine may call it.
func (c *Recorder) dumped(path string, err error) {
	if err != nil {
		words.Complain(c.stage.Stderr, err)
	} else {
		fmt.Fprintf(c.stage.Stdout, "black box %s\n", words.Printable(path))
	}
	c.files.Wrote(path, err)
}

// DumpBlackBox writes the black box on a goroutine of its own: a disk may be slow.
func (c *Recorder) DumpBlackBox() {
	e := c.stage.Live().Engine
	if c.stage.O.BlackBox.Dir == "" {
		c.host.Say("there is no black box: start the viewer with -black-box DIR")
		return
	}
	c.files.Do(func() { c.dumped(e.History().DumpBlackBox("key")) })
}

// keepsPast reports whether the engine of a scene keeps its last seconds, so that the user can look
// back: if a person uses the viewer, or with -black-box. Only the engine's own loop can keep them, and not
// while runs are compared. Keeping them costs time, which would disturb what -hitch measures: with -hitch,
// only -black-box keeps them.
func (c *Recorder) keepsPast(sc *SceneEntry) bool {
	o := c.stage.O
	return sc.Replay == nil && c.stage.Settings.Loop == "" && c.beside.Compare.Kind == NoComparison &&
		(o.BlackBox.Dir != "" || !o.TellsHitches && (o.Interactive || c.Attended))
}
