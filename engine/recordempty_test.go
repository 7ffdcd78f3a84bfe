package engine_test

import (
	"bytes"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

func TestARecordingOfNoTicksReplaysAndEnds(t *testing.T) {
	var file bytes.Buffer
	e := recordTo(t, engine.RecordOptions{W: &file})
	header := file.Len()
	e.SetPaused(true)
	b := e.CreateBody(world.BodyDef{Name: "late", Shapes: []world.ShapeDef{world.Circle(1)}})
	e.Impulse(b, world.Vec{})
	e.Advance(time.Second)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"whole": file.Bytes(), "header": file.Bytes()[:header], "cut": file.Bytes()[:header+20]} {
		r := read(t, data)
		if r.Ticks != 0 || r.Cut != (name != "whole") {
			t.Errorf("%s: %d ticks, cut %v", name, r.Ticks, r.Cut)
		}
		if hash, err := r.Verify(stack); err != nil || !r.Cut && hash != r.FinalHash() {
			t.Errorf("%s: hash %x, want %x: %v", name, hash, r.FinalHash(), err)
		}
		e := start(t, r.Config(stack))
		for i := range 30 {
			if i == 10 {
				e.SetLastTick(100) // goes no further than the recording
			}
			e.Advance(time.Second / 20)
		}
		e.SetPaused(true)
		e.Step(1)
		if e.View().Tick != 0 || e.Demanded() != 0 || e.Failure() != nil {
			t.Errorf("%s: tick %d of %d demanded, failure %v", name, e.View().Tick, e.Demanded(), e.Failure())
		}
		if err := e.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAReplayGoesNoFurtherThanItsRecording(t *testing.T) {
	data, _ := session(t, 2, 30)
	e := start(t, read(t, data).Config(stack))
	e.SetLastTick(1000)
	for range 100 {
		e.Advance(time.Second / 20)
	}
	if e.View().Tick != 30 || e.Failure() != nil {
		t.Errorf("tick %d: %v", e.View().Tick, e.Failure())
	}
}

func TestALastTickOfZeroRunsNoStep(t *testing.T) {
	e := start(t, engine.Config{Setup: stack})
	e.SetLastTick(0)
	for range 10 {
		e.Advance(time.Second / 20)
	}
	if tick := e.View().Tick; tick != 0 {
		t.Errorf("tick %d", tick)
	}
}
