package world

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"halfstep/test/attack"
)

// The numbers of a snapshot are replaced by other finite ones, and its checksum is
// corrected. If a world accepts the snapshot, the snapshots of that world are
// valid, too.
func TestAttackLoadedSnapshots(t *testing.T) {
	a := attack.Start(t)
	var sources [][]byte
	for _, way := range []Stepper{FastStep, SoftStep} {
		cfg := gravity()
		cfg.Stepper = way
		sources = append(sources, bytesOf(t, everything(t, cfg)))
	}
	for r := range a.Rounds() {
		good := sources[r.IntN(len(sources))]
		var at []int // the places of numbers that look like a world's
		for range 1 + r.IntN(2) {
			for range 1000 {
				i := 100 + r.IntN(len(good)-108)
				if x := math.Abs(math.Float64frombits(binary.LittleEndian.Uint64(good[i:]))); x > 1e-6 && x < 1e6 {
					at = append(at, i)
					break
				}
			}
		}
		b := bytes.Clone(good)
		for _, i := range at {
			x := []float64{1e18, -1e18, 1e38, -1e100, 1e154, 1e300, math.MaxFloat64, 5e-324, 0}[r.IntN(9)]
			binary.LittleEndian.PutUint64(b[i:], math.Float64bits(x))
		}
		b = mended(b, good)
		a.Try("a snapshot", func() {
			s, err := LoadSnapshot(b)
			if err != nil {
				return
			}
			cfg := gravity()
			if s.Stepper() == SoftStep {
				cfg.Stepper = SoftStep
			}
			if a.Count("taken", 1); !goesOn(t, cfg, s) {
				a.Count("refused by the world", 1)
			}
		})
	}
}
