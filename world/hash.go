package world

import "math"

// Hash is the FNV-1a hash, 64 bits, of all bodies in order of creation: position
// of the origin (x, y), angle, velocity (x, y) and angular velocity, each as the
// eight bytes of a float64, lowest first. Bodies with the same hash may still
// behave differently in later steps: fall asleep at other ticks, for example.
// [World.StateHash] covers that too.
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

// valueNames are the names of the values in Hash and Fingerprint, in order.
var valueNames = [...]string{"x", "y", "angle", "velocity x", "velocity y", "angular velocity"}

func values(r *body) [len(valueNames)]float64 {
	b := r.b
	return [...]float64{
		b.M_xf.P.X, b.M_xf.P.Y, b.M_sweep.A,
		b.M_linearVelocity.X, b.M_linearVelocity.Y, b.M_angularVelocity,
	}
}

func fingerprint(x float64) byte { return byte(math.Float64bits(x) * 0x9e3779b97f4a7c15 >> 56) }
