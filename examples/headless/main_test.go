package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
)

func output(t *testing.T, o options, in string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(o, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func last(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[len(lines)-1]
}

func TestRealTimeComesToTheSameHashAsFullSpeed(t *testing.T) {
	fast := last(output(t, options{ticks: 240, rate: 240, every: 60}, ""))
	slow := last(output(t, options{ticks: 240, rate: 240, every: 60, realtime: true}, ""))
	if fast != slow || !strings.HasPrefix(fast, "tick 240 hash ") {
		t.Errorf("%q and %q", fast, slow)
	}
}

// listened returns what input lines lead to: the number of boxes, without the ten
// of the start, and the lines on the standard error.
func listened(t *testing.T, in string) (boxes int, errs []string) {
	t.Helper()
	e, err := engine.New(engine.Config{Setup: setup, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var said bytes.Buffer
	listen(strings.NewReader(in), &said, e.Remote())
	e.Advance(0)
	e.Advance(time.Second)
	return int(e.View().Counts.Bodies) - 11, strings.Split(strings.TrimSpace(said.String()), "\n")
}

func TestALineDropsABox(t *testing.T) {
	if n, errs := listened(t, "drop 3\nfall 2\ndrop\ndrop -4.5\n"); n != 2 || len(errs) != 2 {
		t.Errorf("%d boxes, %q", n, errs)
	}
}

func TestALongLineIsRefusedInOneLineAndTheNextOnesAreRead(t *testing.T) {
	for _, long := range []int{1 << 12, 1<<16 + 1, 1 << 20} {
		n, errs := listened(t, "drop 3\n"+strings.Repeat("drop 2 ", long/7+1)+"\ndrop -4.5\ndrop 1")
		if n != 3 || len(errs) != 1 || len(errs[0]) > 200 || !strings.HasPrefix(errs[0], "headless: want: drop X, got a line of ") {
			t.Errorf("%d bytes: %d boxes, %.200q", long, n, errs)
		}
	}
}

func TestBadUsageIsRefused(t *testing.T) {
	for _, args := range []string{"-rate 0", "-rate x", "-ticks -1", "-nonsense", "what"} {
		if _, err := parse(strings.Fields(args)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestTheWorldKeepsAllItsVariables(t *testing.T) {
	e, err := engine.New(engine.Config{
		Setup: setup, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}, Testing: engine.Testing{SyncTest: 5},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for range 20 {
		listen(strings.NewReader("drop 1\n"), io.Discard, e.Remote())
		e.Step(10)
	}
	if err := e.Failure(); err != nil {
		t.Error(err)
	}
}
