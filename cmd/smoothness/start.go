package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"text/tabwriter"

	"halfstep/internal/frametrace"
	"halfstep/renderloop"
	"halfstep/renderloop/present"
	"halfstep/test/simdisplay"
)

// cost is the cost of a frame in ns: the time of the program, and then the time of the
// graphics processor.
type cost struct{ cpu, gpu float64 }

// costsOf returns the costs of the frames in a recording, or nil if it has none.
func costsOf(t *frametrace.Trace) (all []cost) {
	for _, f := range t.Frames {
		if f.Processor == 0 {
			return nil
		}
		all = append(all, cost{float64(f.Processor) * 1e9, float64(f.Graphics) * 1e9})
	}
	return all
}

// jittered returns the costs of n frames. The program's time for a frame is `work` ns, with a
// jitter of 20 %.
func jittered(work float64, n int) (all []cost) {
	r := rand.New(rand.NewPCG(1, 1))
	for range n {
		all = append(all, cost{cpu: work * max(1+.2*r.NormFloat64(), .2)})
	}
	return all
}

// begun is the result of a run of -start.
type begun struct {
	Loop    string  `json:"loop"`
	Late    bool    `json:"late"`          // Late says that frames began as late as possible.
	Input   float64 `json:"input_ms"`      // Input is the median time from an input to the light of its effect.
	Input99 float64 `json:"input_p99_ms"`  // Input99 is the 99th percentile of the times in Input.
	Command float64 `json:"command_ms"`    // Command is the median time from the start of a frame to the light of its commands.
	Missed  uint64  `json:"missed_late"`   // Missed is the number of refreshes that were missed because frames began late.
	Others  int     `json:"missed_anyway"` // Others is the number of other refreshes that showed no new frame.
	RMS     float64 `json:"rms_ms"`        // animation error
	Age     float64 `json:"latency_ms"`    // Age is the latency of the picture.
	Frames  int     `json:"frames"`
}

// begin plays frames with the given costs through the loops: once with frames that begin at
// once, and once with frames that begin late.
func (o *options) begin(costs []cost, spec string) (all []begun, err error) {
	d, err := simdisplay.Parse(spec)
	if err != nil {
		return nil, err
	}
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		for _, late := range []bool{false, true} {
			motion, err := o.beginOne(costs, &d, sync, late, false) // this run has no commands, because they might affect the motion
			if err != nil {
				return nil, err
			}
			one, err := o.beginOne(costs, &d, sync, late, true) // this run has commands
			if err != nil {
				return nil, err
			}
			one.RMS, one.Age = motion.RMS, motion.Age
			all = append(all, one)
		}
	}
	return all, nil
}

// beginOne plays frames with the given costs through one loop. If commands is true there is a
// command in each frame. All times are in ns. The swap of a frame returns when the display
// allows, and the next frame can begin 50 µs later.
func (o *options) beginOne(costs []cost, d *simdisplay.Display, sync renderloop.Sync, late, commands bool) (b begun, err error) {
	p, l, err := startLoop(o, newDrift(), sync, true) // with pacing
	if err != nil {
		return b, err
	}
	defer p.close()
	swaps := simdisplay.Swaps{Display: d}
	var told []simdisplay.Told
	var x, starts, seen []float64
	var has []int // has is the number of commands in the state that each frame shows.
	now, last := 0., 0.
	for i, c := range costs {
		for len(told) > 0 && told[0].At <= now {
			l.Presented(told[0].Report)
			told = told[1:]
		}
		from := now
		if late {
			from += float64(l.Delay(int64(now)))
			l.SleepEnded(int64(from))
		}
		if commands {
			p.order()
		}
		v := p.frame(int64(now) - int64(last))
		last = now
		swap := from + c.cpu
		if p.wait != nil {
			swap += p.wait(v) * 1e6
		}
		light, returned := swaps.Swap(swap, swap+c.gpu)
		if d.Feedback != simdisplay.None {
			r := present.Report{Frame: uint64(i + 1), Seen: int64(light), Swapped: int64(swap), Quality: present.VerticalBlank}
			if !d.Adaptive {
				r.Refresh = int64(1e9 / d.Hz)
			}
			told = append(told, simdisplay.Told{At: light + float64(d.Late) + toldAfter*1e9, Report: r})
			l.GPUTime(uint64(i+1), int64(c.gpu))
		}
		x, starts, seen, has = append(x, shown(v)), append(starts, from/1e9), append(seen, light/1e9), append(has, v.Cur[0].Commands)
		now = max(returned, swap) + 5e4
	}
	m := measure(x, starts, seen)
	b = begun{Loop: sync.String(), Late: late, RMS: m.RMS, Age: m.Latency, Missed: l.Stats().Start.Missed, Frames: len(costs)}
	if !d.Adaptive {
		b.Others = int(math.Round((seen[len(seen)-1]-seen[0])*d.Hz)) - len(seen) + 1 - int(b.Missed)
	}
	var command, input []float64
	for i, j := 1, 1; commands && i < len(has); i++ {
		for j = max(j, i); j < len(has) && has[j] <= i; j++ {
		}
		if j == len(has) {
			break
		}
		light := (seen[j] - starts[i]) * 1e3
		command = append(command, light)
		for part := .05; part < 1; part += .1 { // the fraction of the time since the frame before read its input
			input = append(input, light+part*(starts[i]-starts[i-1])*1e3)
		}
	}
	if len(command) > 0 {
		b.Command, b.Input, b.Input99 = median(slices.Clone(command)), median(slices.Clone(input)), quantile(input, .99)
	}
	return b, nil
}

func printBegun(w io.Writer, all []begun) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "loop\tstart\tinput\tp99\tcommand\tmissed late\tmissed anyway\trms\tlatency\t")
	fmt.Fprintln(t, "\t\tms\tms\tms\t\t\tms\tms\t")
	for _, b := range all {
		start := "at once"
		if b.Late {
			start = "late"
		}
		fmt.Fprintf(t, "%s\t%s\t%.1f\t%.1f\t%.1f\t%d\t%d\t%.2f\t%.1f\t\n", b.Loop, start, b.Input, b.Input99, b.Command, b.Missed, b.Others, b.RMS, b.Age)
	}
	t.Flush()
}
