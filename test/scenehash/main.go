// Scenehash runs scenes of the viewer without a window, to compare platforms: it
// prints the hash of the world after some ticks, and whether recordings made on
// another platform replay to the same bits.
//
//	scenehash [-scenes rain,joints,car] [-ticks 120] [-stepper fast] [-record DIR]
//	scenehash -verify FILE...
//
// It needs no cgo, so that it runs wherever the core does: see docs/platforms.md.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/world"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "scenehash:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	f := flag.NewFlagSet("scenehash", flag.ContinueOnError)
	names := f.String("scenes", "rain,joints,car", "names of scenes, with commas between them")
	ticks := f.Int("ticks", 120, "steps to run")
	way := f.String("stepper", "fast", "fast, stock or soft")
	dir := f.String("record", "", "write NAME.rec of every scene into this `DIR`")
	verify := f.Bool("verify", false, "replay the recordings that follow, in place of scenes")
	if err := f.Parse(args); err != nil {
		return err
	}
	stepper, err := world.ParseStepper(*way)
	switch {
	case err != nil:
		return fmt.Errorf("-stepper %s: %w", *way, err)
	case *ticks <= 0:
		return fmt.Errorf("-ticks %d: want 1 or more", *ticks)
	case *verify == (f.NArg() == 0):
		return errors.New("-verify and the names of recordings go together")
	}
	if *verify {
		return replay(f.Args(), out)
	}
	for _, name := range strings.Split(*names, ",") {
		s, ok := scenes.Lookup(name)
		if !ok {
			return fmt.Errorf("no scene %q", name)
		}
		hash, err := play(s, stepper, *ticks, *dir)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(out, "%s %s %d ticks %016x\n", *way, name, *ticks, hash)
	}
	return nil
}

// play runs a scene and returns the hash of the world. With a folder it records
// the run there.
func play(s scenes.Scene, stepper world.Stepper, ticks int, dir string) (hash uint64, err error) {
	c := s.Config()
	c.World.Stepper = stepper
	c.Time.Simulated = true
	if dir != "" {
		var file *os.File
		if file, err = os.Create(filepath.Join(dir, s.Name+".rec")); err != nil {
			return 0, err
		}
		defer func() { err = cmp.Or(err, file.Close()) }()
		c.History.Record = &engine.RecordOptions{W: file, Scene: s.Name}
	}
	e, err := engine.New(c)
	if err != nil {
		return 0, err
	}
	e.Step(ticks)
	world.Ask(e.Commands, (*world.World).Hash, func(_, h uint64) { hash = h })
	e.Step(0)              // carries out the question
	for range e.Events() { // delivers the answer
	}
	return hash, errors.Join(e.Failure(), e.Close())
}

func replay(paths []string, out io.Writer) error {
	for _, path := range paths {
		r, err := engine.OpenRecording(path)
		if err != nil {
			return err
		}
		s, ok := scenes.Lookup(r.Scene)
		if !ok {
			return fmt.Errorf("%s: scene %q is not built in", path, r.Scene)
		}
		hash, err := r.Verify(s.Config().Setup)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		fmt.Fprintf(out, "%s: %d ticks as recorded, %016x\n", filepath.Base(path), r.Ticks, hash)
	}
	return nil
}
