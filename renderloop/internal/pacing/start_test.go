package pacing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"halfstep/renderloop/present"
	"halfstep/test/norace"
	"halfstep/test/simdisplay"
	"halfstep/test/whole"
)

const ms = 1e6

// program is a program that draws frames on a simulated display.
type program struct {
	display simdisplay.Display
	queue   int
	cost    func(frame int) (cpu, gpu float64) // ns
	wake    func() float64                     // wake returns how late a sleep ends, in ns.
	knowGPU bool
	atOnce  bool                                    // frames start at once
	tell    func(r *present.Report, frame int) bool // tell changes a report. If it returns false the report is dropped.
	start   Start
	last    float64 // last is when the last frame was seen, in ns.
}

type outcome struct {
	light   []float64 // light is the time from the start of each frame to its display, in ns.
	missed  int       // missed is the number of refreshes between the first and the last that showed no new frame.
	delayed int       // frames that were
	slipped int       // slipped is the number of frames that were seen more than a sixteenth of a refresh too late.
	plan    present.Start
}

func (o *outcome) median() float64 {
	l := slices.Clone(o.light[len(o.light)/10:])
	slices.Sort(l)
	return l[len(l)/2]
}

func (p *program) run(frames int) (o outcome) {
	swaps := simdisplay.Swaps{Display: &p.display, Queue: p.queue}
	var told []simdisplay.Told
	now, last := 0., math.NaN()
	for i := range frames {
		for len(told) > 0 && told[0].At <= now {
			p.start.Report(told[0].Report, int64(now))
			told = told[1:]
		}
		begun := now
		o.plan = p.start.Next(uint64(i+1), int64(now))
		if !p.atOnce && o.plan.Delay > 0 {
			o.delayed++
			begun += float64(o.plan.Delay)
			if p.wake != nil {
				begun += p.wake()
			}
			p.start.SleepEnded(int64(begun))
		}
		cpu, gpu := p.cost(i)
		swap := begun + cpu
		seen, returns := swaps.Swap(swap, swap+gpu)
		if p.knowGPU {
			p.start.GPU(uint64(i+1), int64(gpu))
		}
		report := present.Report{Frame: uint64(i + 1), Seen: int64(seen), Refresh: int64(1e9 / p.display.Hz), Quality: present.VerticalBlank, Swapped: int64(swap)}
		if p.display.Adaptive {
			report.Refresh = 0
		}
		if p.tell == nil || p.tell(&report, i) {
			told = append(told, simdisplay.Told{At: seen + float64(p.display.Late) + .5*ms, Report: report})
		}
		o.light = append(o.light, seen-begun)
		if i > 0 {
			o.missed += int(math.Round((seen-last)*p.display.Hz/1e9)) - 1
			if (seen-last)*p.display.Hz/1e9 > 1+1./16 {
				o.slipped++
			}
		}
		last, p.last = seen, seen
		now = max(returns, swap) + .05*ms
	}
	return o
}

// jittered returns costs with normal jitter. The parameter part is the jitter as a
// fraction of the cost.
func jittered(seed uint64, cpu, gpu, part float64) func(int) (float64, float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	return func(int) (float64, float64) {
		return cpu * max(1+part*r.NormFloat64(), .2), gpu * max(1+part*r.NormFloat64(), .2)
	}
}

const hour = 3600

func TestAFrameStartsAsLateAsItCanAndMissesAThousandthOfTheRefreshesAtMost(t *testing.T) {
	norace.Only(t)
	for _, c := range []struct {
		name     string
		display  simdisplay.Display
		queue    int
		cpu, gpu float64 // ms
		most     float64 // most is the greatest time from the start of a frame to light, in ms.
	}{
		{"60 Hz", simdisplay.Display{Hz: 60}, 0, 2.5, 0, 5.6},
		{"60 Hz, GPU", simdisplay.Display{Hz: 60}, 0, 1, 1, 5},
		{"75 Hz", simdisplay.Display{Hz: 75}, 0, 2, 0, 5},
		{"144 Hz", simdisplay.Display{Hz: 144}, 0, 2, 0, 4.5},
		{"240 Hz", simdisplay.Display{Hz: 240}, 0, 1, 0, 2.5},
		{"a compositor with a deadline", simdisplay.Display{Hz: 60, Deadline: 4 * time.Millisecond}, 0, 2, 0, 9},
		{"reports that come late", simdisplay.Display{Hz: 60, Late: 40 * time.Millisecond}, 0, 2, 0, 5},
		{"a driver that queues a frame", simdisplay.Display{Hz: 60}, 1, 2, 0, 5},
		{"a driver that queues two", simdisplay.Display{Hz: 144}, 2, 2, 0, 4.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := int(c.display.Hz * hour)
			p := &program{display: c.display, queue: c.queue, cost: jittered(1, c.cpu*ms, c.gpu*ms, .2), knowGPU: c.gpu > 0}
			o := p.run(n)
			q := &program{display: c.display, queue: c.queue, cost: jittered(1, c.cpu*ms, c.gpu*ms, .2), atOnce: true}
			at := q.run(n)
			t.Logf("%.2f ms to light, %.2f at once; %d of %d missed, %d at once; %+v", o.median()/ms, at.median()/ms, o.missed, n, at.missed, o.plan)
			if o.median() > c.most*ms {
				t.Errorf("%.2f ms from the start of a frame to light, want at most %.1f", o.median()/ms, c.most)
			}
			if o.missed-at.missed > n/1000 {
				t.Errorf("%d of %d refreshes missed, %d without", o.missed, n, at.missed)
			}
		})
	}
}

// Late starts cause few additional missed refreshes, whatever frames cost.
func TestALateStartMissesFewRefreshesWhateverFramesCost(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	const n = 30_000
	for range norace.Rounds(whole.Rounds(300, 60), 10) {
		hz := [...]float64{60, 75, 144, 240}[r.IntN(4)]
		queue, deadline := r.IntN(3), time.Duration(r.IntN(2))*time.Millisecond
		period := 1e9 / hz
		level, part := period*(.05+1.4*r.Float64()), .02+.2*r.Float64()
		stalls, jumps, share := .002*r.Float64()*float64(r.IntN(2)), float64(r.IntN(2)), r.Float64()
		seed := r.Uint64()
		costs := func() func(int) (float64, float64) {
			r := rand.New(rand.NewPCG(seed, 1))
			now := level
			return func(int) (float64, float64) {
				if r.Float64() < jumps/2000 {
					now = level * (.5 + r.Float64())
				}
				c := now * max(1+part*r.NormFloat64(), .2)
				if r.Float64() < stalls {
					c += 100 * ms * r.Float64()
				}
				return c * share, c * (1 - share)
			}
		}
		name := fmt.Sprintf("%v Hz, queue %d, deadline %v, %.1f ms (%.0f %% CPU) ± %.0f %%, stalls %.4f, jumps %v", hz, queue, deadline, level/ms, 100*share, 100*part, stalls, jumps > 0)
		late := (&program{display: simdisplay.Display{Hz: hz, Deadline: deadline}, queue: queue, cost: costs(), knowGPU: r.IntN(2) == 0})
		o := late.run(n)
		at := (&program{display: simdisplay.Display{Hz: hz, Deadline: deadline}, queue: queue, cost: costs(), atOnce: true}).run(n)
		// a queue that is empty no longer hides a stall
		if extra := o.missed - at.missed; extra > n*5/1000+int(1.5*stalls*n)*queue {
			t.Errorf("%s: %d of %d missed, %d at once: %d because of it, says Start", name, o.missed, n, at.missed, o.plan.Missed)
		}
	}
}

// wakeups returns how late sleeps of 12 ms ended, in ns. They were measured on a machine
// with two processors and four other busy programs.
func wakeups(t *testing.T) func() float64 {
	data, err := os.ReadFile("testdata/wakeups-busy.txt")
	if err != nil {
		t.Fatal(err)
	}
	fields, i := strings.Fields(string(data)), 0
	return func() float64 {
		us, err := strconv.ParseFloat(fields[i%len(fields)], 64)
		if err != nil {
			t.Fatal(err)
		}
		i++
		return us * 1e3
	}
}

func TestOnABusyMachineALateStartMissesThreeThousandthsAtMost(t *testing.T) {
	norace.Only(t)
	const n = 60 * hour
	p := &program{display: simdisplay.Display{Hz: 60}, cost: jittered(1, 2*ms, 0, .2), wake: wakeups(t)}
	o := p.run(n)
	t.Logf("%.2f ms to light; %d of %d missed; %+v", o.median()/ms, o.missed, n, o.plan)
	if o.missed > 3*n/1000 {
		t.Errorf("%d of %d refreshes missed", o.missed, n)
	}
}

func TestNothingIsDelayedWhereTheDisplayIsNotKnown(t *testing.T) {
	seen := present.VerticalBlank
	for name, tell := range map[string]func(r *present.Report, i int) bool{
		"nothing is told":                func(*present.Report, int) bool { return false },
		"a grid":                         func(r *present.Report, _ int) bool { r.Quality = present.Grid; return true },
		"times are made up":              func(r *present.Report, _ int) bool { r.Quality = present.MadeUp; return true },
		"the end of the work is unknown": func(r *present.Report, _ int) bool { r.Swapped = 0; return true },
		"frames are replaced": func(r *present.Report, i int) bool {
			if r.Quality = seen; i%4 == 0 {
				r.Seen = present.NeverSeen
			}
			return true
		},
		"times are off the refreshes": func(r *present.Report, i int) bool { r.Seen += int64(i) * 7_000_000 % 16_000_000; return true },
		"always the same time":        func(r *present.Report, _ int) bool { r.Seen = 1e9; return true },
	} {
		p := &program{display: simdisplay.Display{Hz: 60}, cost: jittered(1, 2*ms, 0, .2), tell: tell}
		if o := p.run(6000); o.delayed > 0 {
			t.Errorf("%s: %d frames are delayed", name, o.delayed)
		}
	}
	for name, p := range map[string]*program{
		"a display that follows the frames":  {display: simdisplay.Display{Hz: 144, Adaptive: true}, cost: jittered(1, 9*ms, 0, .1)},
		"frames that need the whole refresh": {display: simdisplay.Display{Hz: 60}, cost: jittered(1, 15.9*ms, 0, .05)},
		"frames that need two":               {display: simdisplay.Display{Hz: 60}, cost: jittered(1, 20*ms, 0, .05)},
	} {
		if o := p.run(6000); o.delayed > 6 {
			t.Errorf("%s: %d frames are delayed", name, o.delayed)
		}
	}
}

// An adaptive display that waits for a frame shows the frame at once. With quick frames
// the refreshes seem to be fixed, until a frame begins too late for the next refresh.
func TestOnADisplayThatWaitsForFramesALateStartDelaysAThousandthOfThemAtMost(t *testing.T) {
	norace.Only(t)
	const n = 60 * hour
	for _, c := range []struct{ hz, cost, shows, part float64 }{{60, 2 * ms, 0, .2}, {144, 3 * ms, 0, .2}, {60, 2 * ms, 3 * ms, .2}, {60, 2 * ms, 3 * ms, 1}, {144, 1 * ms, 2 * ms, .3}} {
		p := &program{display: simdisplay.Display{Hz: c.hz, Adaptive: true}, cost: jittered(1, c.cost, c.shows, c.part)}
		o := p.run(n)
		t.Logf("%v: %d of %d are late, %d delayed, %.2f ms a frame, %.2f ms to light", c, o.slipped, n, o.delayed, p.last/n/ms, o.median()/ms)
		if o.slipped > n/1000 {
			t.Errorf("%v: %d of %d frames are seen late", c, o.slipped, n)
		}
		if most := 1.001 * 1e9 / c.hz; p.last/n > most {
			t.Errorf("%v: a frame takes %.3f ms, and not %.3f", c, p.last/n/ms, most/ms)
		}
	}
}

func TestADisplayThatFallsSilentIsNotWaitedFor(t *testing.T) {
	p := &program{display: simdisplay.Display{Hz: 60}, cost: jittered(1, 2*ms, 0, .2)}
	p.tell = func(_ *present.Report, i int) bool { return i < 600 }
	p.run(600)
	if !p.start.on {
		t.Fatal("it was never in effect")
	}
	if d := p.start.Next(601, 600*ms*1000/60+1100*ms).Delay; d != 0 {
		t.Errorf("a second after the last report a frame is delayed by %d ns", d)
	}
}

func TestStartAllocatesNothing(t *testing.T) {
	p := &program{display: simdisplay.Display{Hz: 60}, cost: jittered(1, 2*ms, 0, .2)}
	p.run(600)
	n, now := uint64(600), int64(10*second)
	if allocs := testing.AllocsPerRun(1000, func() {
		n, now = n+1, now+16_666_667
		p.start.Report(present.Report{Frame: n - 1, Seen: now, Refresh: 16_666_667, Quality: present.VerticalBlank, Swapped: now - 1_000_000}, now)
		p.start.Next(n, now)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func BenchmarkStart(b *testing.B) {
	b.Run("told", func(b *testing.B) {
		p := &program{display: simdisplay.Display{Hz: 60}, cost: jittered(1, 2*ms, 0, .2)}
		p.run(600)
		n, now := uint64(600), int64(10*second)
		for b.Loop() {
			n, now = n+1, now+16_666_667
			p.start.Report(present.Report{Frame: n - 1, Seen: now, Refresh: 16_666_667, Quality: present.VerticalBlank, Swapped: now - 1_000_000}, now)
			p.start.Next(n, now)
		}
	})
	b.Run("untold", func(b *testing.B) { // the display is unknown
		s, n, now := Start{}, uint64(0), int64(0)
		for b.Loop() {
			n, now = n+1, now+16_666_667
			s.Next(n, now)
		}
	})
}
