package engine_test

import (
	"math"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/monotime"
	"halfstep/renderloop/present"
	"halfstep/world"
)

func TestMetricsHaveTheMotionAsMeasured(t *testing.T) {
	var body world.Body
	e, err := engine.New(engine.Config{
		Time: engine.Time{Simulated: true, Pacing: engine.PacingOn},
		Setup: func(w *world.World) (err error) {
			body, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic})
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	const delay = 25 * time.Millisecond
	i := uint64(0)
	frame := func() {
		if i > 0 {
			e.Display().Presented(present.Report{Frame: i, Seen: int64(time.Duration(i-1)*sixtieth + delay), Quality: present.VerticalBlank})
		}
		if i > 0 && i%50 == 0 {
			e.Impulse(body, world.Vec{X: 1})
			e.Display().Input(time.Duration(i)*sixtieth - 5*time.Millisecond)
		}
		e.Advance(min(sixtieth, time.Duration(i)*sixtieth))
		i++
	}
	for i < 300 {
		frame()
	}
	m := e.Display().Motion()
	// the effect of the command in frame i is visible in frame i+2
	if !m.Measured || m.RMS > .1 || m.Frames < 200 || m.Input < 40 || m.Input > 100 {
		t.Errorf("%+v", m)
	}
	told := func() bool {
		got, m := e.Metrics().Motion, e.Display().Motion()
		return got.Measured == m.Measured && math.Abs(got.RMS-m.RMS) < 1e-9 && got.P99 == m.P99 && got.Input == m.Input && got.Frames == m.Frames
	}
	for !told() {
		if frame(); i > 307 {
			t.Fatalf("metrics %+v, motion %+v", e.Metrics().Motion, e.Display().Motion())
		}
	}
}

func TestMetricsWorkTheMotionOutTenTimesASecond(t *testing.T) {
	e, err := engine.New(engine.Config{Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	changes, last := 0, e.Metrics().Motion
	for range 1000 {
		e.Advance(time.Millisecond)
		if m := e.Metrics().Motion; m != last {
			changes, last = changes+1, m
		}
	}
	if changes < 9 || changes > 11 {
		t.Errorf("in 1000 frames of a second the figures changed %d times", changes)
	}
}

func TestATimeIsConvertedToThatOfTheFrames(t *testing.T) {
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Frame()
	first := monotime.Now()
	time.Sleep(20 * time.Millisecond)
	e.Frame()
	// this is just after the start of the first frame, at which the time is 0
	at, since := e.Display().SinceStart(first), e.Display().SinceStart(monotime.Now())
	if at < 0 || at > 10*time.Second || since < at+20*time.Millisecond {
		t.Errorf("just after the first frame: %v; after the second: %v", at, since)
	}
}
