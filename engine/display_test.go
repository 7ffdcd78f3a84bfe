package engine_test

import (
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop/present"
)

func TestTheSleepOfALateStartIsInNoFrameTimeBeforeIt(t *testing.T) {
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	d := e.Display()
	const period = 5 * time.Millisecond
	begin := time.Now()
	e.Frame()
	delayed := 0
	for i := uint64(1); i < 400 && delayed < 20; i++ {
		refresh := time.Duration(i) * period
		time.Sleep(time.Until(begin.Add(refresh))) // the present
		d.Presented(present.Report{Frame: i, Seen: int64(refresh), Swapped: int64(refresh - period + period/10), Refresh: int64(period), Quality: present.VerticalBlank})
		d.Delay()
		e.Frame()
		m := e.Metrics()
		slept := time.Duration(m.Start.Delay)
		if slept > 0 {
			delayed++
		}
		if sum := time.Since(begin); m.RealTime+slept > sum {
			t.Fatalf("frame %d: %v of frames and a sleep of %v in %v", i, m.RealTime, slept, sum)
		}
	}
	if delayed == 0 {
		t.Skip("the machine is too busy: no frame was delayed")
	}
}

func TestDelayReturnsAtOnceWhereNothingIsKnown(t *testing.T) {
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	e.Display().Delay() // before the first frame
	for range 100 {
		e.Frame()
		e.Display().Delay()
		e.Display().DelayFrom(e.Metrics().RealTime)
		if s := e.Metrics().Start; s != (present.Start{}) {
			t.Fatalf("%+v", s)
		}
	}
	if allocs := testing.AllocsPerRun(100, func() { e.Display().Delay() }); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
	e.Close()
	e.Display().Delay()
	for _, share := range []float64{-1, .5} {
		if _, err := engine.New(engine.Config{Time: engine.Time{MissBudget: share}}); err == nil {
			t.Errorf("a budget of %v is taken", share)
		}
	}
}
