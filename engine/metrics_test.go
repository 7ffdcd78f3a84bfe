package engine_test

import (
	"encoding/json"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
)

func TestMetricsAreThoseOfTheRun(t *testing.T) {
	e, err := engine.New(engine.Config{Name: "metrics", Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}, Setup: falling})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for range 31 {
		e.Advance(sixtieth)
	}
	m := e.Metrics()
	if m.Name != "metrics" || m.Frames != 31 || m.RealTime != 31*sixtieth || m.BackwardFrames != 0 {
		t.Errorf("frames: %+v", m)
	}
	if m.Tick != e.Demanded() || m.Demanded != e.Demanded() || m.Tick < 29 || m.Backlog != 0 || m.MaxBacklog != 1 ||
		m.WaitedSteps == 0 || m.WaitedSteps > m.Tick {
		t.Errorf("steps: %+v", m)
	}
	if m.Counts != e.View().Counts || m.Bodies != 2 || m.Contacts != 1 || !m.Lockstep || m.Failed {
		t.Errorf("world: %+v", m)
	}
}

// Other programs read the metrics by these names.
func TestMetricsKeepTheirJSONKeys(t *testing.T) {
	data, err := json.Marshal(engine.Metrics{RealTime: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"name", "frames", "held_frames", "tick", "demanded_ticks", "backlog_ticks", "waited_steps", "dropped_s", "paused_s",
		"lag_ticks", "alpha", "wait_ns", "missed_waits", "last_step_ns", "bodies", "awake_bodies", "contacts", "joints", "lockstep",
		"dropped_commands", "dropped_events", "failed",
		"backward_frames", "real_ns", "max_backlog", "motion", "start",
	} {
		if _, ok := got[key]; !ok {
			t.Errorf("no %s in %s", key, data)
		}
		delete(got, key)
	}
	if len(got) > 0 {
		t.Errorf("%v have no place in this list", got)
	}
}
