// Headless is a physics server without a window. It steps a world in real time or
// as fast as it can, prints a line for every simulated second, and prints the
// hash of the world at the end. It needs neither cgo nor OpenGL:
//
//	CGO_ENABLED=0 go run . -ticks 600
//	CGO_ENABLED=0 go run . -realtime -ticks 0
//	CGO_ENABLED=0 go run . -realtime -ticks 0 -pprof :6060
//
// Another program can watch the last of these: viewer -watch
// http://localhost:6060
//
// In real time, each line "drop X" on standard input drops a box at x = X m from
// a height of 12 m. The goroutine that reads the lines uses Remote.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"time"

	"halfstep/engine"
	"halfstep/engine/profile"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

type options struct {
	ticks    uint64
	rate     int64
	every    uint64
	realtime bool
	pprof    string
}

func main() {
	o, err := parse(os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		fmt.Fprintln(os.Stderr, "headless:", err)
		os.Exit(2)
	}
	if err := run(o, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "headless:", err)
		os.Exit(1)
	}
}

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("headless", flag.ContinueOnError)
	help := func() { f.SetOutput(os.Stdout); f.PrintDefaults() }
	f.SetOutput(io.Discard) // an error is one line, which main itself prints
	f.Usage = func() {}
	f.Uint64Var(&o.ticks, "ticks", 600, "steps to run; 0 runs until interrupted")
	f.Int64Var(&o.rate, "rate", 60, "steps a second")
	f.Uint64Var(&o.every, "every", 60, "steps between two lines of output; 0 prints only the end")
	f.StringVar(&o.pprof, "pprof", "", "serve profiles, and what a watcher needs, at this `address`, such as :6060")
	f.BoolVar(&o.realtime, "realtime", false, "a step lasts as long as it simulates; otherwise as fast as possible")
	if err = f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			help()
		}
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("what is %q?", f.Arg(0))
	}
	if o.rate <= 0 {
		return o, fmt.Errorf("-rate %d: a rate is 1 or more", o.rate)
	}
	return o, nil
}

func run(o options, in io.Reader, out io.Writer) error {
	e, err := engine.New(engine.Config{
		Setup: setup,
		// There is no picture, so every frame waits for its steps and takes their events
		// at once.
		Time: engine.Time{Sync: renderloop.Lockstep, Rate: clock.Hz(o.rate), EventsAtOnce: true},
	})
	if err != nil {
		return err
	}
	defer e.Close()
	if o.ticks > 0 {
		e.SetLastTick(o.ticks)
	}
	if o.pprof != "" {
		h := profile.New(e.Trace())
		l, err := h.Listen(o.pprof)
		if err != nil {
			return err
		}
		s := h.Server()
		defer s.Close()
		fmt.Fprintln(out, "watch it with: viewer -watch", h.URL(l))
		go func() { _ = s.Serve(l) }()
	}
	if o.realtime {
		go listen(in, os.Stderr, e.Remote())
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	defer signal.Stop(interrupted)

	s := server{engine: e, out: out, every: o.every}
	frame := frames(e, o)
	for o.ticks == 0 || e.View().Tick < o.ticks {
		select {
		case <-interrupted:
			return s.end()
		default:
		}
		frame()
		if err := e.Failure(); err != nil {
			return err
		}
		s.report()
	}
	return s.end()
}

// frames returns a function that runs one step. In real time, the function lets
// the time of a step pass.
func frames(e *engine.Engine, o options) func() {
	if !o.realtime {
		return func() { e.Step(1) }
	}
	next := time.Now()
	return func() {
		next = next.Add(time.Second / time.Duration(o.rate))
		time.Sleep(time.Until(next))
		e.Frame()
	}
}

// listen turns lines into commands, and writes errors about lines to errs. It
// runs on a goroutine of its own.
func listen(in io.Reader, errs io.Writer, c world.Commands) {
	lines := bufio.NewReader(in)
	for refused := false; ; {
		line, more, err := lines.ReadLine() // more is true if the line is too long for the buffer
		if err != nil {
			if err != io.EOF {
				fmt.Fprintln(errs, "headless: standard input:", err)
			}
			return
		}
		var x float64
		switch {
		case refused: // the rest of a line that is too long
		case more:
			fmt.Fprintf(errs, "headless: want: drop X, got a line of %d bytes or more\n", len(line))
		default:
			if n, err := fmt.Sscanf(string(line), "drop %g", &x); n != 1 || err != nil || math.IsNaN(x) {
				fmt.Fprintf(errs, "headless: want: drop X, got %q\n", line)
			} else {
				c.CreateBody(box(x, 12))
			}
		}
		refused = more
	}
}
