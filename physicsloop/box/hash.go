package box

import "math"

func hashFloat(h uint64, x float64) uint64 {
	const prime = 1099511628211
	for bits, i := math.Float64bits(x), 0; i < 8; i++ {
		h = (h ^ bits&0xff) * prime
		bits >>= 8
	}
	return h
}
