package main

import (
	"bytes"
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

func TestALineDropsABox(t *testing.T) {
	e, err := engine.New(engine.Config{Setup: setup, Time: engine.Time{Simulated: true}, Sync: renderloop.Lockstep})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	listen(strings.NewReader("drop 3\nfall 2\ndrop\ndrop -4.5\n"), e.Remote())
	e.Advance(0)
	e.Advance(time.Second)
	if n := e.View().Counts.Bodies; n != 13 { // ground, ten boxes, two more
		t.Errorf("%d bodies", n)
	}
}

func TestBadUsageIsRefused(t *testing.T) {
	for _, args := range []string{"-rate 0", "-rate x", "-ticks -1", "-nonsense", "what"} {
		if _, err := parse(strings.Fields(args)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", args, err)
		}
	}
}
