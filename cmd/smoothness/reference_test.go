package main

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"testing"

	"halfstep/test/norace"
	"halfstep/test/whole"
)

// These are the loops as formulas. They are independent of the measured code.
var formulas = map[string]func(s []float64, i int, cost float64) float64{
	"none":   func(s []float64, i int, _ float64) float64 { return dt * math.Floor(s[i]/dt) },
	"single": func(s []float64, i int, _ float64) float64 { return s[i] - dt },
	"pipelined": func(s []float64, i int, _ float64) float64 {
		return s[max(i-1, 0)] - dt
	},
	"naive": func(s []float64, i int, cost float64) float64 {
		whole, part := math.Modf(s[i] / dt)
		for whole > 0 && whole*dt+cost > s[i] {
			whole--
		}
		return dt * (whole - 1 + part)
	},
}

type expected struct {
	rms, p99        float64
	backward, still int
	latency         float64
}

func expect(loop string, r *recording, cost float64) (e expected) {
	type shot struct{ x, v float64 }
	var shots []shot
	for i, v := range r.Seen {
		if v == v {
			shots = append(shots, shot{formulas[loop](r.Start, i, cost), v})
		}
	}
	var errs, late []float64
	for k, a := range shots {
		late = append(late, 1e3*(a.v-a.x))
		if k == 0 {
			continue
		}
		b := shots[k-1]
		moved := a.x - b.x
		switch {
		case moved < -1e-9:
			e.backward++
		case moved < 1e-9:
			e.still++
		}
		if k > 10 {
			errs = append(errs, 1e3*math.Abs(moved-(a.v-b.v)))
		}
	}
	for _, x := range errs {
		e.rms += x * x / float64(len(errs))
	}
	e.rms = math.Sqrt(e.rms)
	sort.Float64s(errs)
	sort.Float64s(late)
	e.p99 = errs[len(errs)*99/100]
	e.latency = (late[len(late)/2] + late[(len(late)-1)/2]) / 2
	return e
}

func near(got, want, part, more float64) bool { return math.Abs(got-want) <= part*math.Abs(want)+more }

// motions plays all loops without commands.
func motions(t *testing.T, o *options, r *recording) *section {
	t.Helper()
	s := &section{recording: r}
	for _, c := range candidates() {
		if c.Extra {
			continue
		}
		one, err := o.motion(r, c)
		if err != nil {
			t.Fatal(err)
		}
		s.Runs = append(s.Runs, *one)
	}
	return s
}

func compare(t *testing.T, o *options, r *recording) {
	t.Helper()
	s := motions(t, o, r)
	for loop := range formulas {
		got, want := s.find(loop, "off"), expect(loop, r, o.Cost.Seconds())
		if !near(got.RMS, want.rms, .05, .02) || !near(got.P99, want.p99, .05, .3) || !near(got.Latency, want.latency, .02, .1) {
			t.Errorf("%s: %s: rms %.3f p99 %.3f latency %.1f, by the formula %.3f, %.3f and %.1f",
				r.Path, loop, got.RMS, got.P99, got.Latency, want.rms, want.p99, want.latency)
		}
		// The loops start at 0, and the formulas start below 0.
		if !near(float64(got.Backward), float64(want.backward), .02, 2) || !near(float64(got.Still), float64(want.still), .02, 8) {
			t.Errorf("%s: %s: %d backward and %d still, by the formula %d and %d",
				r.Path, loop, got.Backward, got.Still, want.backward, want.still)
		}
	}
}

func TestFiguresAgreeWithTheFormulasOfTheLoops(t *testing.T) {
	norace.Only(t)
	for _, sh := range shapes {
		for seed := range uint64(5) {
			o := defaults()
			// A frame must leave time for its steps, and no stall may reach the limit on steps,
			// because the formulas have neither a cost nor a limit.
			if sh.stall {
				o.Cost = 0
			}
			r := generated(t, seed, sh, 30, 100, .08)
			r.Path = fmt.Sprintf("%s, seed %d", sh.name, seed)
			compare(t, o, r)
		}
	}
}

func TestFiguresAgreeWithTheFormulasOnRecordings(t *testing.T) {
	for name, r := range recorded(t) {
		r.Path = name
		compare(t, defaults(), r)
	}
}

func TestFiguresOfTheRecordingsAreTheKnownOnes(t *testing.T) {
	for name, r := range recorded(t) {
		s := motions(t, defaults(), r)
		single, naive := s.find("single", "off"), s.find("naive", "off")
		var rms, p99, naiveRMS float64
		var backward int
		switch {
		case strings.Contains(name, "Metro"):
			rms, p99, naiveRMS, backward = .73, 2.70, 11.4, 581
		case strings.Contains(name, "PresentMonTest"):
			rms, p99, naiveRMS, backward = 5.73, 6.90, 13.1, 250
		default:
			continue
		}
		if !near(single.RMS, rms, 0, .01) || !near(single.P99, p99, 0, .01) || !near(naive.RMS, naiveRMS, 0, .1) || naive.Backward != backward {
			t.Errorf("%s: single %.2f and %.2f, naive %.2f with %d backward; want %v, %v, %v, %d",
				name, single.RMS, single.P99, naive.RMS, naive.Backward, rms, p99, naiveRMS, backward)
		}
	}
}

// smooth checks what the threaded loops promise.
func smooth(t *testing.T, r *recording, off, auto, p99 float64) {
	t.Helper()
	s := motions(t, defaults(), r)
	single, plain, paced := s.find("single", "off"), s.find("pipelined", "off"), s.find("pipelined", "auto")
	t.Logf("%s: rms %.2f, pipelined %.2f, paced %.2f; p99 %.2f, %.2f, %.2f", r.Path, single.RMS, plain.RMS, paced.RMS, single.P99, plain.P99, paced.P99)
	if plain.RMS > off*single.RMS {
		t.Errorf("%s: pipelined has %.2f ms rms, the loop of the articles %.2f", r.Path, plain.RMS, single.RMS)
	}
	if paced.RMS > auto*single.RMS || paced.P99 > p99*single.P99 {
		t.Errorf("%s: paced has %.2f ms rms and %.2f p99, the loop of the articles %.2f and %.2f", r.Path, paced.RMS, paced.P99, single.RMS, single.P99)
	}
	for _, one := range []string{"pipelined", "lockstep"} {
		for _, pacing := range []string{"off", "auto", "told"} {
			if n := s.find(one, pacing).Backward; n != 0 {
				t.Errorf("%s: %s, pacing %s goes backward %d times", r.Path, one, pacing, n)
			}
		}
	}
}

func TestPipelinedIsAsSmoothAsTheLoopOfTheArticlesOnRecordings(t *testing.T) {
	for name, r := range recorded(t) {
		r.Path = name
		auto := 1.1
		if strings.Contains(name, "Metro") {
			auto = .4
		}
		smooth(t, r, 1.2, auto, 1.15)
	}
}

func TestPipelinedIsAsSmoothAsTheLoopOfTheArticlesOnMadeUpTraces(t *testing.T) {
	norace.Only(t)
	for seed := range uint64(whole.Rounds(50, 15)) {
		sh := shapes[seed%uint64(len(shapes))]
		r := generated(t, 1000+seed, sh, 30, 300, 1)
		r.Path = fmt.Sprintf("%s, seed %d", sh.name, 1000+seed)
		smooth(t, r, 1.2, 1.1, 1.15)
	}
}
