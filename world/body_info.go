package world

import (
	"halfstep/internal/trig"
)

// KineticEnergy returns the energy of the body's motion, its turning included, in
// J. It is 0 unless the body is dynamic.
func (i BodyInfo) KineticEnergy() float64 {
	v, omega := i.Velocity, i.AngularVelocity
	return (float64(i.Mass*(float64(v.X*v.X)+float64(v.Y*v.Y))) + float64(i.Inertia*omega*omega)) / 2
}

// WorldPoint returns where a point of the body's frame is in the world, both in
// m.
func (i BodyInfo) WorldPoint(local Vec) Vec {
	v := i.WorldVector(local)
	return Vec{i.Position.X + v.X, i.Position.Y + v.Y}
}

// LocalPoint returns where a point of the world is in the body's frame, both in
// m.
func (i BodyInfo) LocalPoint(point Vec) Vec {
	return i.LocalVector(Vec{point.X - i.Position.X, point.Y - i.Position.Y})
}

// WorldVector turns a vector of the body's frame, such as a direction, into one
// of the world.
func (i BodyInfo) WorldVector(local Vec) Vec {
	sin, cos := trig.SinCos(i.Angle)
	return Vec{float64(cos*local.X) - float64(sin*local.Y), float64(sin*local.X) + float64(cos*local.Y)}
}

// LocalVector turns a vector of the world into one of the body's frame.
func (i BodyInfo) LocalVector(vector Vec) Vec {
	sin, cos := trig.SinCos(i.Angle)
	return Vec{float64(cos*vector.X) + float64(sin*vector.Y), float64(cos*vector.Y) - float64(sin*vector.X)}
}

// VelocityAt returns the velocity, in m/s, of the point of the body that is at a
// point of the world, in m.
func (i BodyInfo) VelocityAt(point Vec) Vec {
	omega, c := i.AngularVelocity, i.Centre
	return Vec{i.Velocity.X - float64(omega*(point.Y-c.Y)), i.Velocity.Y + float64(omega*(point.X-c.X))}
}
