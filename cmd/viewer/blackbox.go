package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

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
func (s *session) blackBox(sc *sceneEntry, c *engine.Config, panel bool) (keeps bool) {
	keeps = s.keepsPast(sc, panel)
	if statesOnly := sc.replay != nil && sc.replay.States; statesOnly || !keeps && s.o.BlackBox.dir == "" {
		return keeps
	}
	c.History.BlackBox = &engine.BlackBoxOptions{
		Dir: s.o.BlackBox.dir, Length: s.o.BlackBox.length, Scene: sc.Name, Data: sc.data,
		OnDump: s.dumped, InMemory: s.o.BlackBox.dir == "", NoStates: true, // a viewer that replays it can compute the scene
	}
	if keeps && (panel || s.o.interactive()) {
		c.History.BlackBox.Memory = pastMemory
	}
	return keeps
}

// pastMemory is the most bytes for the snapshots that make looking back quick.
const pastMemory = 128 << 20

// dumped tells the user of a black box that was written, or why not. Any goroutine may call it.
func (s *session) dumped(path string, err error) {
	if err != nil {
		complain(s.stderr, err)
	} else {
		fmt.Fprintf(s.stdout, "black box %s\n", printable(path))
	}
	s.wrote(path, err)
}

// dumpBlackBox writes the black box on a goroutine of its own: a disk may be slow.
func (s *session) dumpBlackBox() {
	e := s.live().engine
	if s.o.BlackBox.dir == "" {
		s.say("there is no black box: start the viewer with -black-box DIR")
		return
	}
	s.files.wg.Add(1)
	go func() {
		defer s.files.wg.Done()
		s.dumped(e.History().DumpBlackBox("key"))
	}()
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
			complain(stderr, err)
		default:
			fmt.Fprintf(stdout, "black box %s\n", printable(path))
		}
	}
}
