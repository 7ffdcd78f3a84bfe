package world

import "math"

// Hash returns the 64-bit FNV-1a hash of all bodies in order of creation. The hashed values are the position
// of the origin (x, y), the angle, the velocity (x, y) and the angular velocity. Each value is hashed as the
// eight bytes of a float64, lowest first. Bodies with the same hash may still behave differently in later
// steps. For example, they may fall asleep at other ticks. [World.StateHash] covers all such state.
func (w *World) Hash() uint64 {
	w.checkGoroutine()
	h := uint64(14695981039346656037)
	for r := w.registry.first; r != nil; r = r.next {
		for _, x := range values(r) {
			h = hashFloat(h, x)
		}
	}
	return h
}

func hashFloat(h uint64, x float64) uint64 {
	const prime = 1099511628211
	for bits, i := math.Float64bits(x), 0; i < 8; i++ {
		h = (h ^ bits&0xff) * prime
		bits >>= 8
	}
	return h
}

// valueNames has the names of the values in Hash and Fingerprint, in order.
var valueNames = [...]string{"x", "y", "angle", "velocity x", "velocity y", "angular velocity"}

func values(r *body) [len(valueNames)]float64 {
	b := r.b
	return [...]float64{
		b.M_xf.P.X, b.M_xf.P.Y, b.M_sweep.A,
		b.M_linearVelocity.X, b.M_linearVelocity.Y, b.M_angularVelocity,
	}
}

func fingerprint(x float64) byte { return byte(math.Float64bits(x) * 0x9e3779b97f4a7c15 >> 56) }
