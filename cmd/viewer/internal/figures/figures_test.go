package figures

import (
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/internal/timing"
)

func TestPercentilesAreRanksOfTheLastFrames(t *testing.T) {
	f := &Figures{}
	f.Reset()
	for range 5000 {
		f.Frame(time.Second, none{}) // newer times replace all of these
	}
	for i := range TimesKept {
		f.Frame(time.Duration(i+1)*10*time.Microsecond, none{})
	}
	f.refresh(none{})
	for _, c := range []struct{ got, want float64 }{
		{f.P50, 10.24}, {f.P99, 20.28}, {f.P999, 20.46}, {f.Mean, 10.245},
	} {
		if c.got < c.want-.006 || c.got > c.want+.006 {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	if f.Bars[20] == 0 || f.Bars[21] != 0 || f.Bars[BarCount-1] != 0 {
		t.Errorf("bars %v", f.Bars)
	}
	f.Frame(time.Minute, none{})
	if f.Bars[BarCount-1] != 1 {
		t.Errorf("a minute is in no bar: %v", f.Bars)
	}
}

func TestAllocationsAreCountedPerStep(t *testing.T) {
	var r runtimeMetrics
	r.reset()
	r.read(0)
	var keep [][]byte
	for range 10_000 {
		keep = append(keep, make([]byte, 1000))
	}
	r.read(10)
	if len(keep) == 0 || r.PerStep < 900 || r.BytesPerStep < 900_000 {
		t.Errorf("%+v", r)
	}
	before := r.PerStep
	if r.read(10); r.PerStep != before {
		t.Error("the metrics changed without a step")
	}
}

func TestPercentilesAreInMilliseconds(t *testing.T) {
	r := NewTimes(Collected)
	for range 99 {
		r.Add(4 * time.Millisecond)
	}
	r.Add(90 * time.Millisecond)
	if p := PercentilesOf(r); (p != Percentiles{P50: 4, P99: 4, P999: 90, Max: 90}) {
		t.Errorf("%+v", p)
	}
	if (PercentilesOf(NewTimes(Collected)) != Percentiles{}) {
		t.Error("percentiles of nothing")
	}
}

func TestPercentilesAreOfTheNewestTimesAndTheLongestIsOfAll(t *testing.T) {
	r := NewTimes(Collected)
	r.Add(3 * time.Hour)
	for range Collected {
		r.Add(4 * time.Millisecond)
	}
	if p := PercentilesOf(r); (p != Percentiles{P50: 4, P99: 4, P999: 4, Max: 3 * 3600e3}) {
		t.Errorf("%+v", p)
	}
}

// none is an engine that has no spans.
type none struct{}

func (none) Spans(_ phase.Thread, dst []timing.Span) []timing.Span { return dst }
