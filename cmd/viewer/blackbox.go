package main

import (
	"fmt"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
)

// box gives the engine with that configuration its black box: the last seconds of the run
// in memory. It returns true if the user can also look back at them with the time bar.
func (c *recorder) box(sc *sceneEntry, of *engine.Config) (keeps bool) {
	keeps = c.keepsPast(sc)
	if statesOnly := sc.replay != nil && sc.replay.States; statesOnly || !keeps && c.stage.o.BlackBox.Dir == "" {
		return keeps
	}
	of.History.BlackBox = &engine.BlackBoxOptions{
		Dir: c.stage.o.BlackBox.Dir, Length: c.stage.o.BlackBox.Length, Scene: sc.Name, Data: sc.data,
		OnDump: c.dumped, InMemory: c.stage.o.BlackBox.Dir == "", NoStates: true, // a viewer that replays it can compute the scene
	}
	if keeps && (c.attended || c.stage.o.Interactive) {
		of.History.BlackBox.Memory = pastMemory
	}
	return keeps
}

// pastMemory is the most bytes for the snapshots that make looking back quick.
const pastMemory = 128 << 20

// dumped tells the user of a black box that was written, or why not. Any goroutine may call it.
func (c *recorder) dumped(path string, err error) {
	if err != nil {
		words.Complain(c.stage.stderr, err)
	} else {
		fmt.Fprintf(c.stage.stdout, "black box %s\n", words.Printable(path))
	}
	c.files.wrote(path, err)
}

// dumpBlackBox writes the black box on a goroutine of its own: a disk may be slow.
func (c *recorder) dumpBlackBox() {
	e := c.stage.live().engine
	if c.stage.o.BlackBox.Dir == "" {
		c.host.say("there is no black box: start the viewer with -black-box DIR")
		return
	}
	c.files.do(func() { c.dumped(e.History().DumpBlackBox("key")) })
}

// keepsPast reports whether the engine of a scene keeps its last seconds, so that the user can look
// back: if a person uses the viewer, or with -black-box. Only the
// engine's own loop can keep them, and not while runs are compared. Because it costs time, with -hitch
// only -black-box does it.
func (c *recorder) keepsPast(sc *sceneEntry) bool {
	o := c.stage.o
	return sc.replay == nil && c.stage.settings.loop == "" && c.beside.compare.kind == noComparison &&
		(o.BlackBox.Dir != "" || !o.Watched && (o.Interactive || c.attended))
}
