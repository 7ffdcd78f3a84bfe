package pacing_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/renderloop/internal/pacing"
)

// compare logs a figure of docs/pacing.md. It returns the figures of the paced loop
// divided by those of the single-threaded loop.
func (f *shownFrames) compare(t *testing.T) (rms, p99 float64) {
	t.Helper()
	one, one99, _ := f.animationError(f.single())
	p := &pacing.Pacer{}
	two, two99, backward := f.animationError(f.paced(p))
	rms, p99 = two/one, two99/one99
	t.Logf("%-60s single %7.3f %7.2f  paced %7.3f %7.2f  ratio %.2f %.2f", f.name, one, one99, two, two99, rms, p99)
	if backward > 0 {
		t.Errorf("%s: %d frames go backwards", f.name, backward)
	}
	return rms, p99
}

func TestPacedMotionIsEvenerThanUnpacedOnRecordedFrames(t *testing.T) {
	limits := map[string]struct{ rms, p99 float64 }{
		"OCAT-MetroExodus.exe-2019-02-20T101522.csv": {.4, .4},
		"PresentMonTestOutputFilename.csv":           {1.1, 1.15}, // Far Cry
	}
	for name, f := range recordedFrames(t) {
		limit, ok := limits[name]
		if !ok {
			limit.rms, limit.p99 = 1.1, 1.15
		}
		if rms, p99 := f.compare(t); rms > limit.rms || p99 > limit.p99 {
			t.Errorf("%s: %.3f times the error of the single-threaded loop (p99 %.3f), want %v", name, rms, p99, limit)
		}
	}
}

func TestPacedMotionIsAsEvenAsUnpacedOnGeneratedFrames(t *testing.T) {
	for seed := range uint64(50) {
		f := generatedFrames(seed)
		if rms, p99 := f.compare(t); rms > 1.1 || p99 > 1.15 {
			t.Errorf("seed %d, %s: %.3f times the error of the single-threaded loop (p99 %.3f)", seed, f.name, rms, p99)
		}
	}
}

func TestADriftingRateIsFollowed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	f := &shownFrames{name: " 30 Hz drifting by 30 % in 3 s, jitter 1 %"}
	for now := 0.; now < 20e9; {
		f.starts = append(f.starts, now)
		now += 1e9 / 30 * math.Exp(.3*math.Sin(2*math.Pi*now/3e9)+.01*r.NormFloat64())
		f.visible = append(f.visible, now+5e6)
	}
	if rms, p99 := f.compare(t); rms > 1.1 || p99 > 1.15 {
		t.Errorf("%.3f times the error of the single-threaded loop (p99 %.3f)", rms, p99)
	}
}
