package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/trace"
	"slices"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/win"
	"halfstep/engine"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/frametime"
	"halfstep/renderloop/glrender"
)

// BenchmarkOverhead measures the cost of marking phases. It draws frames of
// fall1000 with their steps: without marks, with marks, and with marks under the
// flight recorder. Run it under xvfb-run with
//
//	go test ./cmd/viewer -run '^$' -bench Overhead -benchtime 1x
//
// It takes about two minutes. It prints the extra cost of marks in per cent: for a
// step, for a frame without its step, and for both together. For both together it
// also prints the ratio of marked runs to unmarked runs over 30 pairs of runs in
// turns: the median, and the 95 % confidence interval of the true median (sign
// test). The ratio of a pair is the median over its ticks. A tick does the same
// work in both runs.
func BenchmarkOverhead(b *testing.B) {
	if err := win.CheckDisplay(); err != nil {
		b.Skip(err)
	}
	for b.Loop() {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), asOverhead+"=1")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		var figures map[string]float64
		if err := json.Unmarshal(out, &figures); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		for name, x := range figures {
			b.ReportMetric(x, name)
		}
	}
}

// asOverhead is the environment variable that makes this test binary measure on its
// main thread, which the window needs.
const asOverhead = "HALFSTEP_TEST_AS_OVERHEAD"

const (
	overheadRounds = 30
	overheadTicks  = 120
	overheadBlock  = 10 // overheadBlock is the number of ticks of one kind in a row.
)

// These are the kinds of runs that are compared.
const (
	unmarked = iota
	marked
	recorded // recorded: with marks, under the flight recorder.
	kinds
)

// cost is the cost of a tick in ns, by part.
type cost [3]int64

const (
	costStep = iota
	costDraw
	costBoth
)

func measureOverhead() int {
	if err := overhead(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitFailed
	}
	return exitOK
}

func overhead() error {
	o, err := ParseFlags(strings.Fields("-scene fall1000 -hidden -clock fixed:60 -sync lockstep"))
	if err != nil {
		return err
	}
	w, err := win.Open("overhead", o.Width, o.Height, o.Hidden)
	if err != nil {
		return err
	}
	defer w.Close()
	runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))
	w.Attach()
	defer w.Detach()
	w.Interval(0)
	// the least cost of each tick over all rounds; higher costs are noise
	var best [kinds][overheadTicks]cost
	var pairs [kinds][]float64
	for round := range overheadRounds {
		var now [kinds][overheadTicks]cost
		if err := overheadRound(o, w, round, &now); err != nil {
			return err
		}
		for kind := range now {
			var ratios []float64
			for tick, c := range now[kind] {
				for part, ns := range c {
					if at := &best[kind][tick][part]; *at == 0 || ns < *at {
						*at = ns
					}
				}
				if tick >= 10 { // without the start
					ratios = append(ratios, float64(c[costBoth])/float64(now[unmarked][tick][costBoth]))
				}
			}
			slices.Sort(ratios)
			pairs[kind] = append(pairs[kind], ratios[len(ratios)/2])
		}
	}
	figures := map[string]float64{}
	for kind, name := range map[int]string{marked: "marks", recorded: "recorder"} {
		slices.Sort(pairs[kind])
		// of 30 sorted values, the 10th and the 21st enclose the median with a confidence
		// of 95 %
		figures["ratio-"+name] = (pairs[kind][14] + pairs[kind][15]) / 2
		figures["ratio-"+name+"-low"], figures["ratio-"+name+"-high"] = pairs[kind][9], pairs[kind][20]
	}
	for part, name := range []string{costStep: "step", costDraw: "frame", costBoth: "both"} {
		var sum [kinds]float64
		for kind := range kinds {
			for tick := 10; tick < overheadTicks; tick++ { // without the start
				sum[kind] += float64(best[kind][tick][part])
			}
		}
		figures[name+"-ms"] = sum[unmarked] / (overheadTicks - 10) / 1e6
		figures[name+"-marks-%"] = 100 * (sum[marked]/sum[unmarked] - 1)
		figures[name+"-recorder-%"] = 100 * (sum[recorded]/sum[unmarked] - 1)
	}
	return json.NewEncoder(os.Stdout).Encode(figures)
}

// overheadRound runs the same ticks for each kind, in turns.
func overheadRound(o *Options, w *win.Window, round int, costs *[kinds][overheadTicks]cost) error {
	var viewers [kinds]*viewer
	for kind := range viewers {
		v, err := overheadViewer(o, w, kind == unmarked)
		if err != nil {
			return err
		}
		defer v.picture.GL[picture.OnLeft].Close()
		defer v.Close()
		viewers[kind] = v
	}
	runtime.GC()
	for block := 0; block < overheadTicks; block += overheadBlock {
		for turn := range kinds {
			kind := (turn + round + block/overheadBlock) % kinds
			v := viewers[kind]
			var tape *trace.FlightRecorder
			if kind == recorded {
				tape = trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: 5 * time.Second, MaxBytes: 16 << 20})
				if err := tape.Start(); err != nil {
					return err
				}
			}
			for tick := block; tick < block+overheadBlock; tick++ {
				c, err := overheadFrame(v, tick)
				if err != nil {
					return err
				}
				costs[kind][tick] = c
			}
			if tape != nil {
				tape.Stop()
			}
		}
		w.Poll(0)
	}
	return nil
}

func overheadViewer(o *Options, w *win.Window, plain bool) (*viewer, error) {
	all, first, err := play.OpenScenes(o.Scene, o.File, o.Strict)
	if err != nil {
		return nil, err
	}
	config := all[first].Config
	all[first].Config = func() engine.Config {
		c := config()
		c.Testing.NoPhases = plain
		return c
	}
	source, err := frametime.NewFixedSource(clock.Hz(60))
	if err != nil {
		return nil, err
	}
	v := newViewer(o, w, w.Surface(), w.Queue, source, all, first)
	if v.picture.GL[picture.OnLeft], err = glrender.New(); err != nil {
		return nil, err
	}
	if err := v.Session.Open(first); err != nil {
		return nil, err
	}
	if !plain { // as under -hitch
		v.Stage.Player.Engine.Trace().OnLate(time.Hour, time.Hour, func(engine.Late) {})
	}
	return v, nil
}

func overheadFrame(v *viewer, tick int) (c cost, err error) {
	start := time.Now()
	if err := v.advance(uint64(tick), time.Second/60); err != nil {
		return c, err
	}
	stepped := time.Now()
	if err := v.show(false, nil); err != nil {
		return c, err
	}
	end := time.Now()
	return cost{
		costStep: v.Stage.View.StepNanos, costDraw: int64(end.Sub(stepped)), costBoth: int64(end.Sub(start)),
	}, nil
}
