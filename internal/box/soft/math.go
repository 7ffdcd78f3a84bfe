package soft

import (
	"math"

	"halfstep/internal/reslice"
)

// Each product in a sum is converted explicitly in this file, so that every machine rounds the
// product (see internal/box/b2). A test searches for products that are not converted.

type vec struct{ x, y float32 }

// rot is a rotation: the sine and the cosine of an angle.
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

// left returns v rotated by a quarter turn to the left, times k. This is the velocity of the
// point v at k rad/s.
func left(k float32, v vec) vec { return vec{-float32(k * v.y), float32(k * v.x)} }

func (q rot) apply(v vec) vec {
	return vec{float32(q.c*v.x) - float32(q.s*v.y), float32(q.s*v.x) + float32(q.c*v.y)}
}

// undo applies the inverse of q.
func (q rot) undo(v vec) vec {
	return vec{float32(q.c*v.x) + float32(q.s*v.y), float32(q.c*v.y) - float32(q.s*v.x)}
}

// then returns the rotation by q followed by the rotation by p.
func (q rot) then(p rot) rot {
	return rot{float32(q.s*p.c) + float32(q.c*p.s), float32(q.c*p.c) - float32(q.s*p.s)}
}

// from returns the rotation that leads from p to q.
func (q rot) from(p rot) rot {
	return rot{float32(q.s*p.c) - float32(q.c*p.s), float32(q.c*p.c) + float32(q.s*p.s)}
}

// isRotation reports whether the square of q's length is 1. The tolerance is most.
func (q rot) isRotation(most float32) bool {
	return abs(float32(q.s*q.s)+float32(q.c*q.c)-1) < most
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// greater returns the greater of two numbers. It has the semantics of the instruction MAXPS:
// the result is b if one number is NaN. The built-in max costs several times as much.
func greater(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

// lesser returns the lesser of two numbers, and b if one is NaN, like the instruction MINPS.
func lesser(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

func clamp(x, low, high float32) float32 { return greater(low, lesser(x, high)) }

// saturated returns the finite number nearest to x. It is for sums of impulses that overflow.
// NaN remains NaN.
func saturated(x float32) float32 {
	return greater(-math.MaxFloat32, lesser(math.MaxFloat32, x))
}

// smallRotation returns the rotation by an angle of at most a quarter turn.
func smallRotation(a float32) rot {
	if a == 0 {
		return rot{0, 1} // this is the result of the series
	}
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

// isFinite reports whether x is neither NaN nor infinite.
func isFinite(x float64) bool { return x-x == 0 }

// one returns 1 for true and 0 for false.
func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// growTo returns s with a length of at least n.
func growTo[T any](s []T, n int) []T {
	if n > cap(s) {
		s = append(reslice.Empty(s, n), s...)
	}
	return s[:max(n, len(s))]
}
