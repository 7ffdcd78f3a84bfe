package world

import "math"

// Hash is the FNV-1a hash, 64 bits, of all bodies in order of creation:
// position of the origin (x, y), angle, velocity (x, y) and angular velocity,
// each as the eight bytes of a float64, lowest first.
func (w *World) Hash() uint64 {
	h := uint64(14695981039346656037)
	for r := w.first; r != nil; r = r.next {
		b := r.b
		for _, x := range [...]float64{
			b.M_xf.P.X, b.M_xf.P.Y, b.M_sweep.A,
			b.M_linearVelocity.X, b.M_linearVelocity.Y, b.M_angularVelocity,
		} {
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
