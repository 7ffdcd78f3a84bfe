package soft

import "math"

// The compiler may fuse a product and a sum where the processor can, which
// rounds once instead of twice and so changes bits. It must not where a product
// is converted explicitly. So every product here that is added to something is
// converted. A test looks for what has been forgotten.

type vec struct{ x, y float32 }

// rot is a rotation: sine and cosine of an angle.
type rot struct{ s, c float32 }

func (a vec) add(b vec) vec { return vec{a.x + b.x, a.y + b.y} }
func (a vec) sub(b vec) vec { return vec{a.x - b.x, a.y - b.y} }

func (a vec) times(k float32) vec { return vec{float32(a.x * k), float32(a.y * k)} }

// plus returns a + k*b.
func (a vec) plus(k float32, b vec) vec {
	return vec{a.x + float32(k*b.x), a.y + float32(k*b.y)}
}

func dot(a, b vec) float32   { return float32(a.x*b.x) + float32(a.y*b.y) }
func cross(a, b vec) float32 { return float32(a.x*b.y) - float32(a.y*b.x) }

// left turns v by a quarter turn, times k: the velocity of v at k rad/s.
func left(k float32, v vec) vec { return vec{-float32(k * v.y), float32(k * v.x)} }

func (q rot) apply(v vec) vec {
	return vec{float32(q.c*v.x) - float32(q.s*v.y), float32(q.s*v.x) + float32(q.c*v.y)}
}

// undo applies the inverse.
func (q rot) undo(v vec) vec {
	return vec{float32(q.c*v.x) + float32(q.s*v.y), float32(q.c*v.y) - float32(q.s*v.x)}
}

// then returns the rotation by q and then by p.
func (q rot) then(p rot) rot {
	return rot{float32(q.s*p.c) + float32(q.c*p.s), float32(q.c*p.c) - float32(q.s*p.s)}
}

// from returns the rotation that leads from p to q.
func (q rot) from(p rot) rot {
	return rot{float32(q.s*p.c) - float32(q.c*p.s), float32(q.c*p.c) + float32(q.s*p.s)}
}

// isRotation reports whether q has the length of one, but for rounding.
func (q rot) isRotation() bool {
	return abs(float32(q.s*q.s)+float32(q.c*q.c)-1) < 1e-6
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// greater is the greater of two numbers, as the processor's MAXPS has it: b if
// one is not a number. The built-in max costs several times as much.
func greater(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

// lesser is MINPS.
func lesser(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

func clamp(x, low, high float32) float32 { return greater(low, lesser(x, high)) }

// saturated is the finite number nearest to x, for impulses that add up to more than
// there is in single precision. NaN remains NaN.
func saturated(x float32) float32 {
	switch {
	case x > math.MaxFloat32:
		return math.MaxFloat32
	case x < -math.MaxFloat32:
		return -math.MaxFloat32
	}
	return x
}

// sinCos returns sine and cosine of an angle, with the same bits on every
// machine. The polynomials and the reduction by pi/4 in three parts are those of
// the Cephes library (Stephen L. Moshier).
func sinCos(a float64) (sin, cos float64) {
	x := math.Abs(a)
	if x == 0 {
		return a, 1
	}
	if !(x < 1<<20) {
		x = math.Mod(x, 2*math.Pi) // NaN remains NaN
	}
	z, octant := x, 0
	if eighths := x * (4 / math.Pi); eighths >= 1 {
		octant = int(eighths)
		octant += octant & 1 // to the nearest multiple of pi/2
		y := float64(octant)
		z = x - float64(y*7.85398125648498535156e-1)
		z -= float64(y * 3.77489470793079817668e-8)
		z -= float64(y * 2.69515142907905952645e-15)
	}
	q := z * z
	cos = -1.13585365213876817300e-11
	cos = float64(cos*q) + 2.08757008419747316778e-9
	cos = float64(cos*q) + -2.75573141792967388112e-7
	cos = float64(cos*q) + 2.48015872888517045348e-5
	cos = float64(cos*q) + -1.38888888888730564116e-3
	cos = float64(cos*q) + 4.16666666666665929218e-2
	cos = 1 - float64(0.5*q) + float64(float64(q*q)*cos)

	sin = 1.58962301576546568060e-10
	sin = float64(sin*q) + -2.50507477628578072866e-8
	sin = float64(sin*q) + 2.75573136213857245213e-6
	sin = float64(sin*q) + -1.98412698295895385996e-4
	sin = float64(sin*q) + 8.33333333332211858878e-3
	sin = float64(sin*q) + -1.66666666666666307295e-1
	sin = z + float64(float64(z*q)*sin)
	turned, flipped := octant&2 != 0, octant&4 != 0
	if turned {
		sin, cos = cos, sin
	}
	if turned != flipped {
		cos = -cos
	}
	if flipped != (a < 0) {
		sin = -sin
	}
	return sin, cos
}

// smallRotation is the rotation by an angle of at most a quarter turn.
func smallRotation(a float32) rot {
	q := a * a
	s := float32(2.7557319e-6*q) - 1.9841270e-4
	s = float32(s*q) + 8.3333333e-3
	s = float32(s*q) - 1.6666667e-1
	s = a + float32(float32(a*q)*s)
	c := float32(-2.7557319e-7*q) + 2.4801587e-5
	c = float32(c*q) - 1.3888889e-3
	c = float32(c*q) + 4.1666667e-2
	c = float32(c*q) - 0.5
	c = 1 + float32(q*c)
	return rot{s, c}
}
