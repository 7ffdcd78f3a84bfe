package main

import (
	"math"

	"halfstep/renderloop/scene"
)

// quat64 is an orientation in the simulation: w, x, y, z, of length 1.
type quat64 [4]float64

// quat is an orientation in the picture.
type quat [4]float32

// about returns q turned by an angle, in rad, about one of its own axes.
func (q quat64) about(axis int, angle float64) quat64 {
	sin, cos := math.Sincos(angle / 2)
	i, j, k := axis, (axis+1)%3, (axis+2)%3
	var r quat64
	r[0] = cos*q[0] - sin*q[1+i]
	r[1+i] = cos*q[1+i] + sin*q[0]
	r[1+j] = cos*q[1+j] + sin*q[1+k]
	r[1+k] = cos*q[1+k] - sin*q[1+j]
	return r
}

func (q quat64) unit() quat64 {
	n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	for i := range q {
		q[i] /= n
	}
	return q
}

func (q quat64) short() quat {
	return quat{float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3])}
}

func shown(v *scene.View[state], i int) state {
	if i >= len(v.Prev) { // the body is new at this tick
		return v.Cur[i]
	}
	return blend(&v.Prev[i], &v.Cur[i], v.Alpha)
}

func blend(p, c *state, t float32) state {
	var s state
	for k := range 3 {
		s.place[k] = p.place[k] + t*(c.place[k]-p.place[k])
	}
	s.facing = slerp(p.facing, c.facing, t)
	return s
}

// slerp interpolates from a to b along the shorter great arc at constant speed
// (Ken Shoemake, "Animating rotation with quaternion curves", 1985).
func slerp(a, b quat, t float32) quat {
	dot := a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3]
	if dot < 0 { // q and -q are the same orientation
		dot = -dot
		for i := range b {
			b[i] = -b[i]
		}
	}
	wa, wb := 1-t, t
	if dot < .9995 { // at a small angle the arc is as good as its chord
		angle := math.Acos(float64(dot))
		sin := math.Sin(angle)
		wa = float32(math.Sin(float64(1-t)*angle) / sin)
		wb = float32(math.Sin(float64(t)*angle) / sin)
	}
	var q quat
	n := 0.0
	for i := range q {
		q[i] = wa*a[i] + wb*b[i]
		n += float64(q[i]) * float64(q[i])
	}
	for i := range q {
		q[i] /= float32(math.Sqrt(n))
	}
	return q
}
