package world

import "math"

// Values are the names of what Hash and Fingerprint look at, in order.
var Values = [...]string{"x", "y", "angle", "velocity x", "velocity y", "angular velocity"}

// Fingerprint appends one byte for each of the six Values of every body, in
// order of creation. Where two worlds should be equal and their Hash differs,
// it tells which value of which body does.
func (w *World) Fingerprint(dst []byte) []byte {
	for r := w.first; r != nil; r = r.next {
		for _, x := range values(r) {
			dst = append(dst, byte(math.Float64bits(x)*0x9e3779b97f4a7c15>>56))
		}
	}
	return dst
}

// ValueOf names the body at that index of a Fingerprint, and the value, with
// what it is now.
func (w *World) ValueOf(index int) (body Body, name string, value string, x float64) {
	i := 0
	for r := w.first; r != nil; r = r.next {
		if i == index/len(Values) {
			k := index % len(Values)
			return r.handle, r.name, Values[k], values(r)[k]
		}
		i++
	}
	return 0, "", "", 0
}

func values(r *body) [len(Values)]float64 {
	b := r.b
	return [...]float64{
		b.M_xf.P.X, b.M_xf.P.Y, b.M_sweep.A,
		b.M_linearVelocity.X, b.M_linearVelocity.Y, b.M_angularVelocity,
	}
}
