package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
)

// boxSpec is the value of -black-box: where and how long a recording of the last seconds is kept, which
// the engine writes when something goes wrong.
type boxSpec struct {
	dir    string
	length time.Duration // 0: the engine's default
}

// parse reads DIR[,TIME]. A folder whose name has a comma is named with a TIME.
func (b *boxSpec) parse(s string) error {
	dir, length := s, time.Duration(0)
	if i := strings.LastIndexByte(s, ','); i >= 0 {
		if err := into(&length, parseTime)(s[i+1:]); err != nil {
			return fmt.Errorf("%q after the folder: %w", s[i+1:], err)
		}
		dir = s[:i]
	}
	if dir == "" {
		return errors.New("no folder")
	}
	b.dir, b.length = dir, length
	return nil
}

// blackBox gives the engine with that configuration its black box: the last seconds of the run
// in memory. It returns true if the user can also look back at them with the time bar.
func (c *recorder) blackBox(sc *sceneEntry, of *engine.Config) (keeps bool) {
	keeps = c.keepsPast(sc)
	if statesOnly := sc.replay != nil && sc.replay.States; statesOnly || !keeps && c.stage.o.BlackBox.dir == "" {
		return keeps
	}
	of.History.BlackBox = &engine.BlackBoxOptions{
		Dir: c.stage.o.BlackBox.dir, Length: c.stage.o.BlackBox.length, Scene: sc.Name, Data: sc.data,
		OnDump: c.dumped, InMemory: c.stage.o.BlackBox.dir == "", NoStates: true, // a viewer that replays it can compute the scene
	}
	if keeps && (c.attended || c.stage.o.interactive()) {
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
	e := c.travel.live().engine
	if c.stage.o.BlackBox.dir == "" {
		c.host.say("there is no black box: start the viewer with -black-box DIR")
		return
	}
	c.files.do(func() { c.dumped(e.History().DumpBlackBox("key")) })
}

// dumpAll writes the black boxes of all engines; why is the reason for the file. Any goroutine may call it.
func (d *watchdog) dumpAll(why string, stdout, stderr io.Writer) {
	for _, p := range d.watched() {
		if p.engine == nil {
			continue
		}
		path, err := p.engine.History().DumpBlackBox(why)
		switch {
		case errors.Is(err, engine.ErrNoBlackBox):
		case err != nil:
			words.Complain(stderr, err)
		default:
			fmt.Fprintf(stdout, "black box %s\n", words.Printable(path))
		}
	}
}
