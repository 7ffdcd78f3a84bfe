package presenttimes

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/renderloop/present"
	"halfstep/test/simdisplay"
)

// A compositor that takes frames at one refresh and shows them at the next is a
// display with a deadline of one refresh.
func TestAGridConcludesWhatAComposedDisplayShows(t *testing.T) {
	for _, fps := range []float64{30, 57, 60, 100, 300} {
		r := rand.New(rand.NewPCG(uint64(fps), 1))
		const period = 16_666_667 * time.Nanosecond
		base := time.Unix(1000, 0)
		now := base
		g := &grid{name: "test", now: func() time.Time { return now }}
		g.refresh = func() (time.Time, time.Duration, bool) {
			return base.Add(period * (time.Duration(r.IntN(9)) + now.Sub(base)/period)), period, true
		}
		var presents []float64
		told := map[uint64]Time{}
		for i := range 400 {
			now = now.Add(time.Duration(1e9 / fps * (.8 + .4*r.Float64())))
			g.Swapping(uint64(i))
			now = now.Add(100 * time.Microsecond) // in the swap
			presents = append(presents, float64(now.Sub(base)))
			var at Time
			for g.Next(&at) {
				if at.Quality != present.Grid || at.Refresh != period {
					t.Fatalf("%+v", at)
				}
				told[at.Frame] = at
			}
		}
		d := &simdisplay.Display{Hz: 1e9 / float64(period), Deadline: period}
		for i, seen := range d.Show(presents)[:390] {
			at, ok := told[uint64(i)]
			switch {
			case !ok:
				t.Fatalf("%v fps: nothing is told of frame %d", fps, i)
			case math.IsNaN(seen) != at.Seen.IsZero():
				t.Fatalf("%v fps, frame %d: seen at %v, told %v", fps, i, seen, at.Seen)
			case !math.IsNaN(seen) && math.Abs(float64(at.Seen.Sub(base))-seen) > 1000:
				t.Fatalf("%v fps, frame %d: seen at %v, told %v", fps, i, seen, at.Seen.Sub(base))
			}
		}
	}
}

func TestAGridOfWhichNothingIsKnownTellsNothing(t *testing.T) {
	g := &grid{name: "test", now: time.Now, refresh: func() (time.Time, time.Duration, bool) { return time.Time{}, 0, false }}
	for i := range uint64(3 * patience) {
		var at Time
		if g.Swapping(i); g.Next(&at) {
			t.Fatalf("%+v", at)
		}
	}
	if got := g.State(); got != "test: no answer" {
		t.Error(got)
	}
}
