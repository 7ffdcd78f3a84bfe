package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"halfstep/world"
)

// statsOf runs to the end as loop does, but without drawing. It then reads the
// file of -stats.
func statsOf(t *testing.T, args string) (map[string]any, *bench) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.json")
	b := newBench(t, args+" -stats "+path)
	for {
		b.run(1)
		if b.ended(b.frames - 1) {
			break
		}
		if b.frames > 100_000 {
			t.Fatal("no end")
		}
	}
	if err := b.finish(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m, b
}

func TestStatsHaveTheKeysThatScriptsRelyOn(t *testing.T) {
	m, _ := statsOf(t, "-scene drift -ticks 10")
	for _, key := range []string{
		"scene", "sync", "smoothing", "frames", "ticks", "bodies", "contacts", "held_frames", "backward_frames",
		"simulated_s", "residual_s", "dropped_s", "real_s", "paused_s", "stepped_s", "gl_calls_per_frame", "upload_bytes_per_tick",
		"upload_bytes_total", "frame_ms", "step_ms", "state_hash",
	} {
		if _, ok := m[key]; !ok {
			t.Errorf("no %q", key)
		}
	}
	for _, key := range []string{"frame_ms", "step_ms"} {
		p, _ := m[key].(map[string]any)
		for _, q := range []string{"p50", "p99", "p999", "max"} {
			if _, ok := p[q].(float64); !ok {
				t.Errorf("no %s.%s", key, q)
			}
		}
	}
	if m["scene"] != "drift" || m["bodies"] != 1.0 || m["sync"] != "pipelined" || m["smoothing"] != "interpolate" {
		t.Errorf("%v", m)
	}
}

// The test would detect one step too many at a low frame rate, and one step too
// few when the shown instant lags.
func TestTicksRunsExactlySoMany(t *testing.T) {
	hashes := map[string]string{}
	for _, clock := range []string{"fixed:7", "fixed:30", "fixed:59.94", "fixed:60", "fixed:144", "fixed:1000"} {
		for _, sync := range []string{"pipelined", "lockstep"} {
			for _, pacing := range []string{"off", "auto"} {
				m, b := statsOf(t, "-scene joints -ticks 31 -max-steps 9 -clock "+clock+" -sync "+sync+" -pacing "+pacing)
				if m["ticks"] != 31.0 || b.Stage.Done.Load() != 31 || b.stats.Simulated < 31.0/60-1e-9 || b.stats.Simulated > 31.0/60+1e-9 {
					t.Errorf("%s %s %s: %v ticks, %d done, %v s", clock, sync, pacing, m["ticks"], b.Stage.Done.Load(), b.stats.Simulated)
				}
				hashes[m["state_hash"].(string)] += clock + " " + sync + ", "
			}
		}
	}
	if len(hashes) != 1 {
		t.Errorf("%d states: %v", len(hashes), hashes)
	}
}

func TestTheLedgerBalancesInTheStats(t *testing.T) {
	for _, args := range []string{
		"-scene drift -frames 100", "-scene drift -ticks 100 -clock fixed:25", "-scene drift -duration 3s -clock fixed:2",
		"-scene drift -frames 50 -scale 2.5 -hz 59.94",
	} {
		_, b := statsOf(t, args)
		s := &b.stats
		if math.Abs(s.Real-s.Simulated-s.Residual-s.Dropped-s.Paused) > 1e-9 || s.Real <= 0 {
			t.Errorf("%s: %+v", args, s)
		}
	}
}

// Pipelined draws one more frame to show the last tick. The time of that frame
// does not count.
func TestTheFramesAfterTheLastTickDropNothing(t *testing.T) {
	_, b := statsOf(t, "-scene drift -ticks 30 -clock fixed:60")
	if b.stats.Dropped != 0 || b.stats.Real != .5 {
		t.Errorf("dropped %v of %v s", b.stats.Dropped, b.stats.Real)
	}
}

func TestWhatHasEndedDropsNothing(t *testing.T) {
	_, b := statsOf(t, "-scene drift -ticks 200 -clock fixed:25")
	if b.stats.Paused == 0 {
		t.Fatal("no frame came after the end: the test shows nothing")
	}
	if s := b.stats.Summary(); b.stats.Dropped != 0 || !strings.Contains(s, "dropped 0.000 s") {
		t.Error(s, b.stats.Dropped)
	}
}

func TestDurationCountsTheClocksTime(t *testing.T) {
	_, b := statsOf(t, "-scene drift -duration 2s -clock fixed:50")
	if b.frames != 101 || b.stats.Real != 2 {
		t.Errorf("%d frames, %v s", b.frames, b.stats.Real)
	}
}

// OnStep runs on the physics goroutine; every step must be counted.
func TestEveryStepIsTimed(t *testing.T) {
	_, b := statsOf(t, "-scene drift -ticks 40")
	if n := b.Stage.Steps.N; n != 40 {
		t.Errorf("%d steps timed", n)
	}
}

func TestAFailureOfPhysicsIsReported(t *testing.T) {
	b := newBench(t, "-scene drift -ticks 100")
	b.run(3)
	b.Stage.Player.Do(func(*world.World) { panic("the solver gave up") })
	n := 0
	for !b.ended(b.frames) {
		b.run(1)
		if n++; n > 10 {
			t.Fatal("no end after the failure")
		}
	}
	if err := b.finish(); err == nil || b.stats.Failure == "" || b.stats.StateHash != "" {
		t.Errorf("%v, %+v", err, b.stats)
	}
	if slices.Contains([]byte(b.stats.Failure), '\n') {
		t.Errorf("more than a line: %q", b.stats.Failure)
	}
}

// When physics is slower than the frames, the lag grows to its maximum. The run
// must still show its last tick, although its clock has stopped.
func TestTheLastTickIsShownHoweverLate(t *testing.T) {
	b := newBench(t, "-scene drift -ticks 12")
	b.Close()
	slow := &slowSource{}
	b.source = slow
	b.Stage.Settings.Simulated = false
	if err := b.Session.Open(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	b.Stage.Player.Do(func(w *world.World) {
		w.AddController(slowly{})
	})
	for b.run(1); !b.ended(b.frames); b.run(1) {
		time.Sleep(4 * time.Millisecond)
		if b.frames > 2000 {
			t.Fatalf("no end; at tick %d of %d done", b.Stage.View.Tick, b.Stage.Done.Load())
		}
	}
	if b.Stage.View.Tick != 12 || b.Stage.Player.Demanded() != 12 {
		t.Errorf("shown %d, demanded %d", b.Stage.View.Tick, b.Stage.Player.Demanded())
	}
}

type slowSource struct{}

func (*slowSource) Next() (int64, bool) { return int64(4 * time.Millisecond), true }
func (*slowSource) Simulated() bool     { return false }

type slowly struct{}

func (slowly) BeforeStep(*world.World, float64) { time.Sleep(20 * time.Millisecond) }
