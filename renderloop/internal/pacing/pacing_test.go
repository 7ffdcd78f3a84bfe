package pacing_test

import (
	"encoding/binary"
	"halfstep/test/frametimes"
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/renderloop/internal/pacing"
)

// conserves fails the test unless the sum of the pacer's results equals the sum of its
// inputs up to a bounded residue. The sums may wrap around, and are then still equal.
func conserves(t *testing.T, p *pacing.Pacer, times []int64) {
	t.Helper()
	var in, out int64
	for i, ns := range times {
		in += max(ns, 0)
		paced := p.Pace(ns)
		if paced < 0 {
			t.Fatalf("frame %d of %d ns: goes back by %d ns", i, ns, -paced)
		}
		out += paced
		if in-out != p.Residue() {
			t.Fatalf("frame %d of %d ns: %d ns in, %d ns out, residue %d ns", i, ns, in, out, p.Residue())
		}
		if r := p.Residue(); r > frametimes.Second/2 || r < -frametimes.Second/2 {
			t.Fatalf("frame %d of %d ns: residue %d ns", i, ns, r)
		}
	}
}

func TestPacingLosesNoTimeAndNeverGoesBack(t *testing.T) {
	for name, times := range frametimes.All(t) {
		for _, refresh := range []int64{0, frametimes.Tick60, frametimes.Second / 144} {
			t.Run(name, func(t *testing.T) {
				conserves(t, &pacing.Pacer{Refresh: refresh}, times)
			})
		}
	}
	for seed := range uint64(50) {
		f := generatedFrames(seed)
		var times []int64
		for i := range f.starts[1:] {
			times = append(times, int64(f.starts[i+1]-f.starts[i]))
		}
		conserves(t, &pacing.Pacer{}, times)
	}
}

func FuzzPacingLosesNoTime(f *testing.F) {
	f.Add(int64(0), []byte{0, 0, 0, 1, 255, 255, 255, 255})
	f.Add(frametimes.Tick60, []byte("frame times of some milliseconds"))
	f.Fuzz(func(t *testing.T, refresh int64, data []byte) {
		var times []int64
		for ; len(data) >= 4; data = data[4:] {
			v := binary.LittleEndian.Uint32(data)
			ns := int64(v >> 5)
			// Some frames are hours or centuries long, and some are negative. Most are repeated,
			// because pacing depends on regularity.
			switch v & 31 {
			case 0:
				ns = math.MaxInt64 - ns
			case 1:
				ns = -ns
			case 2:
				ns *= 1_000_000
			}
			for range 1 + v&15*(v>>4&7) {
				times = append(times, ns+int64(v%3))
			}
		}
		conserves(t, &pacing.Pacer{Refresh: refresh}, times)
	})
}

func TestResidueReturnsToAboutZero(t *testing.T) {
	for name, times := range frametimes.All(t) {
		p := &pacing.Pacer{}
		for _, ns := range times {
			p.Pace(ns)
		}
		const steady = 9_000_000
		for range 400 {
			p.Pace(steady)
		}
		if r := p.Residue(); r > steady/8 || r < -steady/8 {
			t.Errorf("%s: residue %d ns after 400 even frames", name, r)
		}
	}
}

func TestResetForgetsAllButTheRefreshInterval(t *testing.T) {
	p := &pacing.Pacer{Refresh: frametimes.Tick60}
	for i := range int64(100) {
		p.Pace(7_000_000 + i%5*1_000_000)
	}
	p.Reset()
	if *p != (pacing.Pacer{Refresh: frametimes.Tick60}) {
		t.Errorf("after Reset: %+v", *p)
	}
}

func TestAStallIsHandedOnAtOnceAndWhole(t *testing.T) {
	for _, c := range []struct {
		name          string
		frame, jitter int64
	}{{"60 Hz vsync", frametimes.Tick60, 500_000}, {"144 Hz vsync", frametimes.Second / 144, 300_000}, {"uncapped", 11_000_000, 1_500_000}} {
		for _, stall := range []int64{100_000_000, 300_000_000, frametimes.Second, 10 * frametimes.Second} {
			p := &pacing.Pacer{}
			// each frame is early or late independently of the others, so the frames are on a grid
			noise := func(i int64) int64 { return (i*i*7919%2001 - 1000) * c.jitter / 1000 }
			frame := func(i int64) int64 { return c.frame + noise(i+1) - noise(i) }
			for i := range int64(300) {
				p.Pace(frame(i))
			}
			if out := p.Pace(stall); out < stall-c.frame || out > stall+c.frame {
				t.Errorf("%s: a stall of %d ns advances by %d ns", c.name, stall, out)
			}
			for i := range int64(60) {
				if out := p.Pace(frame(300 + i)); out < c.frame*9/10 || out > c.frame*11/10 {
					t.Errorf("%s: %d frames after a stall of %d ns the clock advances by %d ns, want about %d", c.name, i+1, stall, out, c.frame)
					break
				}
			}
		}
	}
}

func TestAHitchInJitterIsHandedOnAtOnce(t *testing.T) {
	p := &pacing.Pacer{}
	f := generatedFrames(0) // 34 Hz, little jitter
	for i := 1; i < 200; i++ {
		p.Pace(int64(f.starts[i] - f.starts[i-1]))
	}
	if out, r := p.Pace(90_000_000), p.Residue(); out < 80_000_000 || r != 0 {
		t.Errorf("a hitch of 90 ms advances by %d ns and leaves %d ns", out, r)
	}
}

func TestPacingFollowsANewFrameRateWithinFrames(t *testing.T) {
	for _, jitter := range []float64{0, .08} { // a grid, and none
		for _, c := range []struct{ from, to float64 }{{60, 144}, {144, 60}, {60, 30}, {30, 60}, {60, 75}, {240, 37}, {50, 300}} {
			p := &pacing.Pacer{}
			r := rand.New(rand.NewPCG(4, 4))
			frame := func(hz float64) int64 { return int64(1e9 / hz * (1 + jitter*(2*r.Float64()-1))) }
			for range 200 {
				p.Pace(frame(c.from))
			}
			settled := 14
			if c.to > 1.9*c.from || c.from > 1.9*c.to {
				settled = 3 // that is no jitter
			}
			for i := range 200 {
				out := float64(p.Pace(frame(c.to))) * c.to / 1e9
				if i > settled && (out < .8 || out > 1.2) {
					t.Errorf("%v to %v Hz, jitter %v: frame %d advances by %.2f frames", c.from, c.to, jitter, i, out)
				}
				if jitter == 0 && i > 120 && (out < .995 || out > 1.005) {
					t.Errorf("%v to %v Hz: frame %d advances by %.4f frames", c.from, c.to, i, out)
				}
			}
		}
	}
}

func TestFrequentLongFramesLeaveLittleBehind(t *testing.T) {
	p := &pacing.Pacer{}
	for i := range 300 {
		ns := int64(10_000_000)
		if i%3 == 2 {
			ns = 39_000_000 // such frames are too frequent to be passed on one by one
		}
		p.Pace(ns)
		if r := p.Residue(); i > 30 && magnitude(r) > 40_000_000 {
			t.Fatalf("frame %d: %d ns behind", i, r)
		}
	}
}

func TestTheLongestFrameOverflowsNothing(t *testing.T) {
	p := &pacing.Pacer{}
	for i := range int64(1000) {
		p.Pace(10_000_000 + i*i*7919%5_000_000)
		if r := p.Residue(); r > 0 {
			if out := p.Pace(math.MaxInt64); out < math.MaxInt64-r {
				t.Fatalf("with %d ns behind: advances by %d ns", r, out)
			}
			return
		}
	}
	t.Fatal("never behind")
}

func TestFramesOfNoTimeAdvanceByNothing(t *testing.T) {
	p := &pacing.Pacer{}
	for i := range 100 {
		if out := p.Pace(int64(-i % 2)); out != 0 {
			t.Fatalf("frame %d: advances by %d ns", i, out)
		}
	}
}

func TestPacingAllocatesNothing(t *testing.T) {
	p, i := &pacing.Pacer{}, int64(0)
	if n := testing.AllocsPerRun(1000, func() { i++; p.Pace(frametimes.Tick60 + i*i*7919%1000*1000) }); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func BenchmarkPace(b *testing.B) {
	for _, c := range []struct {
		name   string
		jitter int64
	}{{"grid", 0}, {"jitter", 1_000_000}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			p, i := &pacing.Pacer{}, int64(0)
			for b.Loop() {
				i++
				p.Pace(frametimes.Tick60 + (i*i*7919%2001-1000)*c.jitter/1000)
			}
		})
	}
}
