package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/engine"
)

// cpuBound is how many goroutines of the viewer may want a processor at once:
// the render thread and physics.
const cpuBound = 2

// Run opens the scene and runs until it is closed or its end is reached. It
// must be called on the main thread. Its error is one line.
func Run(o *Options, stdout, stderr io.Writer) error {
	all, first, replay, err := openAll(o)
	if err != nil {
		return err
	}
	source, err := o.Clock.source()
	if err != nil {
		return err
	}
	if err := checkOutputs(o); err != nil {
		return err
	}
	if n := cpuBound + 2; os.Getenv("GOMAXPROCS") == "" && runtime.GOMAXPROCS(0) < n {
		runtime.GOMAXPROCS(n)
	}
	w, err := openWindow(o, title(all[first].name))
	if err != nil {
		return err
	}
	defer w.close()
	labelThread("window")
	interrupt := quitOnSignal(w.queue)
	defer interrupt()
	profile, err := startProfile(o, stdout)
	if err != nil {
		return err
	}
	hitches, err := startHitch(o, stdout, stderr)
	if err != nil {
		return errors.Join(err, profile.stop())
	}
	v := newViewer(o, w, w.surface(), w.queue, source, all, first)
	v.replay, v.hitches, v.served = replay, hitches, profile.handler

	if o.RenderOnMain {
		err = v.render(w.poll)
	} else {
		done := make(chan error, 1)
		go func() {
			runtime.LockOSThread()
			engine.WakePromptly()
			done <- v.render(nil)
			glfw.PostEmptyEvent()
		}()
		err = w.serve(done)
	}
	if hitches != nil {
		hitches.Close()
	}
	err = errors.Join(err, profile.stop())
	if o.Verbose && v.failure != nil {
		var f *engine.Failure
		if errors.As(v.failure, &f) {
			fmt.Fprintf(stderr, "%s\n", f.Stack)
		}
	}
	if v.summary != "" {
		_, unsaid := io.WriteString(stdout, v.summary)
		err = errors.Join(err, unsaid)
	}
	return firstError(err)
}

// openAll opens what there is to look at: the scenes, or a recording. Without
// a window, and unless something else was asked for, a recording is replayed
// as fast as it goes, to its end.
func openAll(o *Options) (all []scene, first int, replay *engine.Recording, err error) {
	if o.Replay == "" {
		all, first, err = openScenes(o)
		return all, first, nil, err
	}
	sc, replay, err := replayScene(o.Replay)
	if err != nil {
		return nil, 0, nil, err
	}
	if o.Hidden && !o.limited() {
		o.Ticks = replay.Ticks
		if o.Clock == (clockSpec{}) {
			o.Clock.fixed = replay.Rate
		}
	}
	return []scene{sc}, 0, replay, nil
}

// checkOutputs makes sure that what is written at the end can be, before a long
// run.
func checkOutputs(o *Options) error {
	for _, path := range []string{o.Screenshot, o.Stats, o.MemProfile} {
		if path == "" {
			continue
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
		if err != nil {
			return err
		}
		f.Close()
	}
	return nil
}

// firstError is the first of several: what followed has it as its cause.
func firstError(err error) error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return firstError(many.Unwrap()[0])
	}
	return err
}

// quitOnSignal ends the run as closing the window does, so that what it was to
// write is written.
func quitOnSignal(q *queue) (stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range c {
			q.put(inputEvent{kind: quitInput})
		}
	}()
	return func() {
		signal.Stop(c)
		close(c)
	}
}

func title(scene string) string { return "halfstep: " + scene }
