package b2

import (
	"math"

	"github.com/ByteArena/box2d"
)

// The compiler may fuse a product and a sum if the processor can do that. A fused operation rounds
// once instead of twice, and so changes bits. It does so in inlined functions of the library, too.
// An explicit conversion of the product prevents it. The functions of this file are functions of
// the library that round each product. They have the library's bits on amd64, and the same bits on
// every other machine.

// Dot is B2Vec2Dot.
func Dot(a, b box2d.B2Vec2) float64 { return float64(a.X*b.X) + float64(a.Y*b.Y) }

// Cross is B2Vec2Cross.
func Cross(a, b box2d.B2Vec2) float64 { return float64(a.X*b.Y) - float64(a.Y*b.X) }

// Times is B2Vec2MulScalar.
func Times(k float64, v box2d.B2Vec2) box2d.B2Vec2 {
	return box2d.B2Vec2{X: float64(k * v.X), Y: float64(k * v.Y)}
}

// Plus returns a + k*b.
func Plus(a box2d.B2Vec2, k float64, b box2d.B2Vec2) box2d.B2Vec2 {
	return box2d.B2Vec2{X: a.X + float64(k*b.X), Y: a.Y + float64(k*b.Y)}
}

// Swing returns v plus the velocity of the end of a lever arm. The arm turns at omega, in rad/s.
func Swing(v box2d.B2Vec2, omega float64, arm box2d.B2Vec2) box2d.B2Vec2 {
	return box2d.B2Vec2{X: v.X - float64(omega*arm.Y), Y: v.Y + float64(omega*arm.X)}
}

// Rotate is B2RotVec2Mul.
func Rotate(q box2d.B2Rot, v box2d.B2Vec2) box2d.B2Vec2 {
	return box2d.B2Vec2{X: float64(q.C*v.X) - float64(q.S*v.Y), Y: float64(q.S*v.X) + float64(q.C*v.Y)}
}

// RotateBack is B2RotVec2MulT.
func RotateBack(q box2d.B2Rot, v box2d.B2Vec2) box2d.B2Vec2 {
	return box2d.B2Vec2{X: float64(q.C*v.X) + float64(q.S*v.Y), Y: float64(-q.S*v.X) + float64(q.C*v.Y)}
}

// Transform is B2TransformVec2Mul.
func Transform(t *box2d.B2Transform, v box2d.B2Vec2) box2d.B2Vec2 {
	return box2d.B2Vec2Add(Rotate(t.Q, v), t.P)
}

// TransformBack is B2TransformVec2MulT.
func TransformBack(t *box2d.B2Transform, v box2d.B2Vec2) box2d.B2Vec2 {
	return RotateBack(t.Q, box2d.B2Vec2Sub(v, t.P))
}

// Length is B2Vec2.Length.
func Length(v box2d.B2Vec2) float64 { return math.Sqrt(Dot(v, v)) }

// Unit does the work of B2Vec2.Normalize. A vector that is too short to have a
// direction does not change.
func Unit(v box2d.B2Vec2) box2d.B2Vec2 {
	n := Length(v)
	if n < box2d.B2_epsilon {
		return v
	}
	return Times(1/n, v)
}

// VelocityAt is B2Body.GetLinearVelocityFromWorldPoint.
func VelocityAt(b *box2d.B2Body, at box2d.B2Vec2) box2d.B2Vec2 {
	return Swing(b.M_linearVelocity, b.M_angularVelocity, box2d.B2Vec2Sub(at, b.M_sweep.C))
}

// wakes wakes a body, and reports whether impulses act on it.
func wakes(b *box2d.B2Body) bool {
	if b.M_type != DynamicBody {
		return false
	}
	if b.M_flags&BodyAwake == 0 {
		Wake(b)
	}
	return true
}

// Push wakes a body, and does the work of B2Body.ApplyLinearImpulseToCenter.
func Push(b *box2d.B2Body, impulse box2d.B2Vec2) {
	if wakes(b) {
		b.M_linearVelocity = Plus(b.M_linearVelocity, b.M_invMass, impulse)
	}
}

// PushAt wakes a body, and does the work of B2Body.ApplyLinearImpulse.
func PushAt(b *box2d.B2Body, impulse, at box2d.B2Vec2) {
	if wakes(b) {
		b.M_linearVelocity = Plus(b.M_linearVelocity, b.M_invMass, impulse)
		b.M_angularVelocity += float64(b.M_invI * Cross(box2d.B2Vec2Sub(at, b.M_sweep.C), impulse))
	}
}

// Turn wakes a body, and does the work of B2Body.ApplyAngularImpulse.
func Turn(b *box2d.B2Body, impulse float64) {
	if wakes(b) {
		b.M_angularVelocity += float64(b.M_invI * impulse)
	}
}
