package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"halfstep/engine"
)

// boxSpec is the value of -black-box.
type boxSpec struct {
	dir    string
	length time.Duration // 0 is the default
}

// parse reads DIR[,TIME]. A folder whose name has a comma is named with a TIME.
func (b *boxSpec) parse(s string) error {
	dir, length := s, time.Duration(0)
	if i := strings.LastIndexByte(s, ','); i >= 0 {
		if err := durationValue(&length)(s[i+1:]); err != nil {
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

// blackBox gives the engine with that configuration its black box.
func (v *viewer) blackBox(sc *sceneEntry, c *engine.Config) {
	if v.keeps = v.keepsPast(); !v.keeps && v.o.BlackBox.dir == "" {
		return
	}
	c.BlackBox = &engine.BlackBoxOptions{
		Dir: v.o.BlackBox.dir, Length: v.o.BlackBox.length, Scene: sc.name, Data: sc.data,
		OnDump: v.dumped, InMemory: v.o.BlackBox.dir == "",
	}
}

// dumped tells of a black box that was written. Any goroutine.
func (v *viewer) dumped(path string, err error) {
	switch {
	case err != nil:
		complain(v.stderr, err)
		v.pictures.failed(err)
	default:
		fmt.Fprintf(v.stdout, "black box %s\n", printable(path))
		err = errors.New("wrote " + path)
	}
	v.queue.put(inputEvent{kind: messageInput, text: err.Error()})
}

// dumpBlackBox writes the black box on a goroutine of its own: a disk may be slow.
func (v *viewer) dumpBlackBox() {
	e := v.player.engine
	if v.o.BlackBox.dir == "" {
		v.say("there is no black box; -black-box gives one")
		return
	}
	v.pictures.wg.Add(1)
	go func() {
		defer v.pictures.wg.Done()
		v.dumped(e.DumpBlackBox("key"))
	}()
}

// dumpAll writes the black boxes of all engines. Any goroutine.
func (d *watchdog) dumpAll(why string, stdout, stderr io.Writer) {
	for _, p := range d.watched() {
		if p.engine == nil {
			continue
		}
		path, err := p.engine.DumpBlackBox(why)
		switch {
		case errors.Is(err, engine.ErrNoBlackBox):
		case err != nil:
			complain(stderr, err)
		default:
			fmt.Fprintf(stdout, "black box %s\n", printable(path))
		}
	}
}
