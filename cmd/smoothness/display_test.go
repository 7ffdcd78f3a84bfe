package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/internal/frametrace"
	"halfstep/test/norace"
)

// uncapped returns a trace of frames at a rate with jitter.
func uncapped(t *testing.T, fps, jitter, seconds float64) *recording {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(fps), 8))
	tr := &frametrace.Trace{}
	for range int(fps * seconds) {
		ms := 1e3 / fps * max(.5, 1+jitter*r.NormFloat64())
		tr.Frames = append(tr.Frames, frametrace.TraceFrame{Between: ms / 1e3, Duration: int64(ms * 1e6)})
	}
	one, err := newRecording(tr)
	if err != nil {
		t.Fatal(err)
	}
	one.Path = fmt.Sprintf("%g fps", fps)
	return one
}

// settled returns the animation error of a run from the first second on, as RMS in ms.
func settled(s *section, one *result) float64 {
	first := 0
	for s.Start[first] < 1 {
		first++
	}
	return measure(one.shown[first:], s.Start[first:], s.Seen[first:]).RMS
}

func TestToldLoopsAreRightOnADisplayWithFewerRefreshesThanFrames(t *testing.T) {
	r := uncapped(t, 300, .06, 10)
	if err := r.showOn("60,deadline=3ms"); err != nil {
		t.Fatal(err)
	}
	s := motions(t, defaults(), r)
	for _, loop := range []string{"pipelined", "lockstep"} {
		auto, told := s.find(loop, "auto"), s.find(loop, "told")
		t.Logf("%s: rms %.2f ms, told %.3f ms; latency %.1f and %.1f ms", loop, settled(s, auto), settled(s, told), auto.Latency, told.Latency)
		if e := settled(s, told); e > .1 || told.Backward > 0 {
			t.Errorf("%s: %.3f ms rms, %d frames go back", loop, e, told.Backward)
		}
		if more := told.Latency - auto.Latency; more > 1e3/300 {
			t.Errorf("%s: the picture is %.1f ms older, which is more than a frame", loop, more)
		}
	}
}

func TestToldLoopsAreNeverLessSmooth(t *testing.T) {
	for _, spec := range norace.Some([]string{
		"60", "75", "144,late=100ms", "240", "48-144", "60,queue", "60,feedback=half", "60,feedback=swapped",
		"60,feedback=random", "60,feedback=never", "60,feedback=mistaken", "60,feedback=ahead", "60,feedback=stuck", "60,feedback=none",
	}, 3) {
		r := uncapped(t, 144, .05, 5)
		if err := r.showOn(spec); err != nil {
			t.Fatal(err)
		}
		s := motions(t, defaults(), r)
		for _, loop := range []string{"pipelined", "lockstep"} {
			auto, told := s.find(loop, "auto"), s.find(loop, "told")
			if a, b := settled(s, auto), settled(s, told); b > 1.02*a+.02 || told.Backward > 0 {
				t.Errorf("display %s, %s: %.3f ms rms, without present times %.3f; %d frames go back", spec, loop, b, a, told.Backward)
			}
		}
	}
}

func TestToldLoopsAreAsSmoothAsTheLoopOfTheArticlesOnRecordings(t *testing.T) {
	for name, r := range recorded(t) {
		s := motions(t, defaults(), r)
		single := s.find("single", "off")
		for _, loop := range []string{"pipelined", "lockstep"} {
			told := s.find(loop, "told")
			t.Logf("%s, %s: rms %.2f, told %.2f", name, loop, single.RMS, told.RMS)
			if told.RMS > 1.1*single.RMS || told.Backward > 0 {
				t.Errorf("%s: %s has %.2f ms rms, the loop of the articles %.2f; %d frames go back", name, loop, told.RMS, single.RMS, told.Backward)
			}
		}
	}
}

func TestARecordingThatADisplayHardlyShowsIsRefused(t *testing.T) {
	r := uncapped(t, 1000, 0, 1)
	if err := r.showOn("60"); err == nil {
		t.Error("60 frames are enough")
	}
	for _, v := range r.Seen {
		if math.IsInf(v, 0) {
			t.Fatal("a frame is seen at no time")
		}
	}
}
