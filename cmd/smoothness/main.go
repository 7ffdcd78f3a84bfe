package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"halfstep/renderloop/clock"
	"halfstep/test/simdisplay"
)

// The exit statuses.
const (
	exitOK = iota
	exitFailed
	exitUsage
)

func main() { os.Exit(program(os.Args[1:], os.Stdout, os.Stderr)) }

// program does the work of main, and returns the exit status. Tests call it.
func program(args []string, stdout, stderr io.Writer) int {
	o, err := parseFlags(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage(stdout)
		return exitOK
	case err != nil:
		complain(stderr, err)
		return exitUsage
	}
	if err := run(o, stdout, stderr); err != nil {
		complain(stderr, err)
		return exitFailed
	}
	return exitOK
}

func complain(w io.Writer, err error) {
	fmt.Fprintf(w, "smoothness: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
}

func run(o *options, stdout, stderr io.Writer) error {
	recordings := make([]*recording, len(o.Traces))
	for i, path := range o.Traces {
		r, err := readRecording(path, o.Process)
		if err != nil {
			return err
		}
		if r.Note != "" {
			complain(stderr, errors.New(r.Note))
		}
		if o.Display != "" {
			if err := r.showOn(o.Display); err != nil {
				return err
			}
		}
		if o.Start != "" && o.Work == 0 && r.known == nil {
			return fmt.Errorf("%s: it does not say what its frames cost: give -work", path)
		}
		recordings[i] = r
	}
	if err := o.checkFolder(); err != nil {
		return err
	}
	var page []section
	for _, r := range recordings {
		s, err := o.play(r)
		if err != nil {
			return err
		}
		printTable(stdout, s)
		if o.Start != "" {
			if s.Starts, err = o.begin(r.costs(o), o.Start); err != nil {
				return err
			}
			printBegun(stdout, s.Starts)
		}
		page = append(page, *s)
	}
	return writeReport(o, page)
}

type options struct {
	Dir      string
	Cost     time.Duration           // Cost is the simulated cost of a step.
	costs    func(tick uint64) int64 // costs replaces Cost in tests. It returns ns.
	Rate     clock.Rate              // steps per second
	MaxSteps int
	Display  string        // Display describes a simulated display, or is "".
	Process  string        // Process is the program, process or swap chain whose frames are read, or "".
	Start    string        // Start describes the simulated display of -start, or is "".
	Work     time.Duration // Work is the cost of a frame with -start. If it is 0 the costs come from the trace.
	SVG      bool          // SVG makes each figure a file of its own, in addition to the page.
	Traces   []string
}

const (
	maxCost = time.Minute
	// These are the lowest and the highest useful step rate.
	minHz, maxHz = 1, 1000
)

func flagSet(o *options, hz *float64) *flag.FlagSet {
	fs := flag.NewFlagSet("smoothness", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.Dir, "o", "", "write smoothness.json and index.html to `folder`, which is created if necessary")
	fs.DurationVar(&o.Cost, "cost", 4*time.Millisecond, "simulated cost of a step")
	fs.Float64Var(hz, "hz", 60, "steps per second")
	fs.IntVar(&o.MaxSteps, "max-steps", clock.DefaultMaxSteps, "let physics be at most this many steps behind; time beyond that is dropped; 0: each loop's default")
	fs.BoolVar(&o.SVG, "svg", false, "also write each figure of index.html to a file of its own")
	fs.StringVar(&o.Start, "start", "", "also play what frames cost on a simulated `display` that they wait for, and let them begin as late as they can")
	fs.DurationVar(&o.Work, "work", 0, "with -start: what a frame costs, with a jitter of 20 % (default: what the trace says)")
	fs.StringVar(&o.Process, "process", "", "of traces with the frames of several programs, take those of `NAME`, of a process number, or of a swap chain (default: those with the most frames, but no compositor's)")
	fs.StringVar(&o.Display, "display", "", "show the frames on a simulated `display`, such as 60 (Hz), 48-144 (adaptive sync) or 60,deadline=4ms,late=50ms,feedback=none")
	return fs
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: smoothness -o DIR [flags] TRACE…")
	var hz float64
	fs := flagSet(&options{}, &hz)
	fs.SetOutput(w)
	fs.PrintDefaults()
}

// parseFlags parses the command line. The text of an error has one line. For -h it
// returns flag.ErrHelp.
func parseFlags(args []string) (*options, error) {
	o, hz := &options{}, 0.
	fs := flagSet(o, &hz)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	o.Traces = fs.Args()
	switch {
	case o.Dir == "":
		return nil, errors.New("no folder for the results: give one with -o DIR")
	case len(o.Traces) == 0:
		return nil, errors.New("no traces given")
	case o.Cost < 0 || o.Cost > maxCost:
		return nil, fmt.Errorf("-cost %v: must be from 0 to %v", o.Cost, maxCost)
	case math.IsNaN(hz) || hz < minHz || hz > maxHz:
		return nil, fmt.Errorf("-hz %v: must be from %d to %d", hz, minHz, maxHz)
	case o.MaxSteps < 0 || o.MaxSteps > 1000:
		return nil, fmt.Errorf("-max-steps %d: must be from 0 to 1000", o.MaxSteps)
	}
	for i, trace := range o.Traces {
		if strings.HasPrefix(trace, "-") {
			return nil, fmt.Errorf("%s stands after a trace: flags come first (and ./%s is a file)", trace, trace)
		}
		if at := slices.IndexFunc(o.Traces[:i], func(s string) bool { return figureName(s) == figureName(trace) }); o.SVG && at >= 0 {
			return nil, fmt.Errorf("-svg: the figures of %s and %s would have the same names", o.Traces[at], trace)
		}
	}
	if o.Start != "" {
		if _, err := simdisplay.Parse(o.Start); err != nil {
			return nil, fmt.Errorf("-start %s: %w", o.Start, err)
		}
	}
	if o.Work != 0 && o.Start == "" {
		return nil, errors.New("-work says what a frame costs with -start: give both")
	}
	if o.Work < 0 || o.Work > maxCost {
		return nil, fmt.Errorf("-work %v: must be from 0 to %v", o.Work, maxCost)
	}
	if o.Display != "" {
		if _, err := simdisplay.Parse(o.Display); err != nil {
			return nil, fmt.Errorf("-display %s: %w", o.Display, err)
		}
	}
	rate, err := clock.RateOf(hz)
	if err != nil {
		return nil, fmt.Errorf("-hz: %w", err)
	}
	o.Rate = rate
	return o, nil
}
