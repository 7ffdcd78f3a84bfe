package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"

	"halfstep/buffer"
	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/win"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/outfile"
	"halfstep/engine"
	"halfstep/engine/hitch"
)

// The window system needs the main thread, and init runs on that thread.
func init() { runtime.LockOSThread() }

// The exit statuses.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitSignal = 128 // exitSignal plus the number of the second signal is the exit status.
)

func main() { os.Exit(program(os.Args[1:], os.Stdout, os.Stderr)) }

// program does the work of main, and returns the exit status. Tests call it.
func program(args []string, stdout, stderr io.Writer) int {
	o, err := ParseFlags(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return status(usage(stdout), stderr)
	case err != nil:
		words.Complain(stderr, err)
		return exitUsage
	}
	if o.List {
		return status(list(stdout), stderr)
	}
	return status(Run(o, stdout, stderr), stderr)
}

// status prints the error of a run that has ended. It returns the exit status of the run.
func status(err error, stderr io.Writer) int {
	if err != nil {
		words.Complain(stderr, err)
		return exitFailed
	}
	return exitOK
}

// leastProcs is the least value of GOMAXPROCS. The render thread and physics may be busy at the
// same time. With two processors, none would be left for the garbage collector and the window's
// thread.
const leastProcs = 4

// Run opens the scene, and runs until the user quits or the run is over. It must be called on
// the main thread. The text of an error has one line.
func Run(o *Options, stdout, stderr io.Writer) error {
	all, first, err := openAll(o, stdout)
	if err != nil || o.Diff != "" && o.Hidden && !o.limited() { // openAll has already reported the difference
		return err
	}
	source, note, err := o.Clock.source(o.Process)
	if err != nil {
		return err
	}
	for _, note := range []string{note, all[first].Note} {
		if note != "" {
			words.Complain(stderr, errors.New(note))
		}
	}
	if err := checkOutputs(o); err != nil {
		return err
	}
	if os.Getenv("GOMAXPROCS") == "" && runtime.GOMAXPROCS(0) < leastProcs {
		runtime.GOMAXPROCS(leastProcs)
	}
	// the run and its recording continue if the reader of the standard output exits
	signal.Ignore(syscall.SIGPIPE)
	o.recall() // set the size of the window
	w, err := win.Open(title(all[first].Name), o.Width, o.Height, o.Hidden)
	if err != nil {
		return err
	}
	defer w.Close()
	labelThread("window")
	stopListening := quitOnSignal(w.Queue)
	defer stopListening()
	profile, err := files.StartProfile(files.Profiles{Addr: o.PprofAddr, CPU: o.CPUProfile, Memory: o.MemProfile, Trace: o.ExecutionTrace}, &w.Queue.Begun, stdout)
	if err != nil {
		return err
	}
	newest := new(atomic.Pointer[hitch.Report]) // newest is the hitch that the picture shows
	hitches, reportErr, err := files.StartHitch(o.Hitch, o.HitchDir, newest, stdout, stderr)
	if err != nil {
		return cmp.Or(err, profile.Stop())
	}
	if profile.Handler != nil && hitches != nil {
		profile.Handler.ShowHitches(hitches)
	}
	v := newViewer(o, w, w.Surface(), w.Queue, source, all, first)
	v.hitches, v.profiles, v.Stage.Stdout, v.Stage.Stderr = hitches, profile.Handler, stdout, stderr
	v.newest = newest

	v.recall() // set the layout of the last run: panels and recent files
	defer v.remember()

	v.watchdog = startWatchdog(stderr)
	defer v.watchdog.stop()

	if o.BlackBox.Dir != "" {
		defer dumpOnQuit(func() { v.watchdog.dumpAll("quit", stdout, stderr) })() // on SIGQUIT
	}

	// conclude ends -hitch and profiling. It runs only once, because abandonWhenStuck calls it only
	// after taking over from a blocked render thread (see play.Ownership).
	conclude := func(err error) error {
		if hitches != nil {
			err = cmp.Or(err, hitches.Close())
			if n := hitches.LeftOut(); n > 0 {
				fmt.Fprintln(stdout, files.LeftOut(n))
			}
		}
		return cmp.Or(err, *reportErr, profile.Stop())
	}
	over := make(chan struct{})
	go v.abandonWhenStuck(over, func(err error) { os.Exit(status(conclude(err), stderr)) })

	if o.RenderOnMain {
		err = v.render(w.Poll)
	} else {
		err = w.Serve(func() error {
			runtime.LockOSThread()
			engine.WakePromptly()
			return v.render(nil) // Serve handles the window's events
		})
	}
	close(over)
	err = conclude(err)
	if o.Verbose && v.Outcome.Failure != nil {
		var f *buffer.Failure
		if errors.As(v.Outcome.Failure, &f) {
			fmt.Fprintf(stderr, "%s\n", f.Stack)
		}
	}
	_, printErr := io.WriteString(stdout, v.summary)
	return cmp.Or(err, printErr)
}

// openAll opens the scenes, or a recording. With -hidden, a recording is replayed to its end at
// full speed, unless flags say otherwise.
func openAll(o *Options, stdout io.Writer) (all []play.SceneEntry, first int, err error) {
	if o.Diff != "" {
		both, err := play.CompareRuns(o.Diff, o.File)
		if err != nil {
			return nil, 0, err
		}
		fmt.Fprintln(stdout, both.Summary)
		if o.Hidden && !o.limited() && both.Differ != nil {
			return nil, 0, both.Differ
		}
		o.Seek, o.Compare = &both.From, both.Compare
		return append([]play.SceneEntry{both.First}, play.BuiltIn()...), 0, nil
	}
	if o.Watch != "" {
		sc, err := play.WatchScene(o.Watch)
		return append([]play.SceneEntry{sc}, play.BuiltIn()...), 0, err
	}
	if o.Replay == "" {
		return play.OpenScenes(o.Scene, o.File, o.Strict)
	}
	sc, err := play.ReplayScene(o.Replay, o.interactive())
	if err != nil {
		return nil, 0, err
	}
	replay := sc.Replay
	end := replay.Ticks
	if replay.Failed {
		end++ // the step that failed in the recording fails again
	}
	switch {
	case o.Ticks > end:
		o.Ticks, o.ToEnd = end, true
	case o.Hidden && !o.limited():
		o.Ticks, o.ToEnd = end, true
		if o.Clock == (clockSpec{}) {
			o.Clock.fixed = replay.Rate
		}
	}
	return append([]play.SceneEntry{sc}, play.BuiltIn()...), 0, nil
}

// checkOutputs checks that the output files can be written, so that a long run does not fail at
// its end.
func checkOutputs(o *Options) error {
	for _, path := range []string{o.Screenshot, o.GIF, o.Stats, o.MemProfile, o.Save, o.Plot} {
		if path == "" {
			continue
		}
		if err := outfile.Check(path); err != nil {
			return err
		}
	}
	return nil
}

func title(scene string) string { return "halfstep: " + scene }
