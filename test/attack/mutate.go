package attack

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Bytes returns data with a few changes: bits are flipped, and bytes are
// replaced, cut out, repeated, moved or inserted from other.
func Bytes(r *rand.Rand, data, other []byte) []byte {
	b := slices.Clone(data)
	for n := 1 + r.IntN(4); n > 0 && len(b) > 0; n-- {
		i := r.IntN(len(b))
		j := min(len(b), i+1+r.IntN(1+r.IntN(64)))
		switch r.IntN(7) {
		case 0:
			b[i] ^= 1 << r.IntN(8)
		case 1:
			b[i] = byte(r.Uint32())
		case 2:
			b = slices.Delete(b, i, j)
		case 3:
			b = slices.Insert(b, i, slices.Clone(b[i:j])...)
		case 4:
			for k := i; k < j; k++ {
				b[k] = byte(r.Uint32())
			}
		case 5:
			if len(other) > 0 {
				from := r.IntN(len(other))
				b = slices.Insert(b, i, other[from:min(len(other), from+1+r.IntN(256))]...)
			}
		case 6:
			if r.IntN(8) == 0 {
				b = b[:i]
			} else {
				b[i], b[j-1] = b[j-1], b[i]
			}
		}
	}
	return b
}

// Number is a random number. Often it is one that breaks programs.
func Number(r *rand.Rand) float64 {
	if r.IntN(3) == 0 {
		return wild[r.IntN(len(wild))]
	}
	return r.NormFloat64() * []float64{1, 10, 1e6}[r.IntN(3)]
}

var wild = []float64{
	0, negativeZero, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e-300, 5e-324, 1e-9, 1e9, -1e9, 1e17, 1e18, 1e38, 1e300,
	math.MaxFloat64, math.MaxInt32, math.MaxInt64, math.MinInt64, .1,
}

var negativeZero = math.Copysign(0, -1)
