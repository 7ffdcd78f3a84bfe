package renderloop_test

import (
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/present"
)

// hot returns a frame function of a loop in its steady state. The loop uses the protocol
// of the wall clock or of a simulated clock.
func hot(t testing.TB, c renderloop.Config) (frame func()) {
	t.Helper()
	link := buffer.NewLink[body2d.State, tickEvent, push]()
	l, err := renderloop.New(link, c)
	if err != nil {
		t.Fatal(err)
	}
	p := physicsloop.Start[body2d.State, tickEvent, push](newWalkers(1000), link, physicsloop.Options{})
	t.Cleanup(p.Close)
	var e tickEvent
	n := uint64(0)
	frame = func() {
		// Frames are short and commands few, so that physics keeps up with a benchmark that does
		// not wait for it.
		if n++; n%20 == 0 {
			l.Send(buffer.Scheduled[push]{Command: push{body: 1, x: 1}})
		}
		l.Frame(500_000)
		if c.Pacing { // every fourth frame gets a report
			r := present.Report{Frame: n, Seen: present.NeverSeen, Quality: present.VerticalBlank}
			if n%4 == 0 {
				r.Seen = int64(n+3) * 500_000
			}
			l.Presented(r)
			l.Motion()
		}
		for l.NextEvent(&e) {
		}
	}
	for range 2000 {
		frame()
	}
	return frame
}

func TestAFrameAllocatesNothing(t *testing.T) {
	for name, c := range map[string]renderloop.Config{
		"pipelined":            {},
		"pipelined, paced":     {Pacing: true},
		"pipelined, simulated": {Simulated: true, StepCost: func(uint64) int64 { return 9_000_000 }},
		"lockstep":             {Sync: renderloop.Lockstep},
	} {
		frame := hot(t, c)
		if n := testing.AllocsPerRun(2000, frame); n != 0 {
			t.Errorf("%s: %v allocations a frame", name, n)
		}
	}
}

// The benchmark measures a frame of 1,000 bodies on the render side, with a command and
// its events.
func BenchmarkFrame(b *testing.B) {
	for name, c := range map[string]renderloop.Config{
		"pipelined": {}, "lockstep": {Sync: renderloop.Lockstep},
	} {
		b.Run(name, func(b *testing.B) {
			frame := hot(b, c)
			b.ReportAllocs()
			for b.Loop() {
				frame()
			}
		})
	}
}
