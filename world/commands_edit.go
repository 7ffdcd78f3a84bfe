package world

// SetFilter sets which shapes a shape collides with. The next step heeds it.
func (c Commands) SetFilter(s Shape, filter Filter) {
	c.send(Command{Op: opSetFilter, Shape: s, Filter: filter})
}

// SetFriction sets a shape's friction, 0 and up, also for what it touches now.
func (c Commands) SetFriction(s Shape, friction float64) {
	c.send(Command{Op: opSetFriction, Shape: s, X: friction})
}

// SetRestitution sets a shape's restitution, 0 (no bounce) and up, also for what it
// touches now.
func (c Commands) SetRestitution(s Shape, restitution float64) {
	c.send(Command{Op: opSetRestitution, Shape: s, X: restitution})
}

// SetDensity sets a shape's density, in kg/m²; see [World.SetDensity].
func (c Commands) SetDensity(s Shape, density float64) {
	c.send(Command{Op: opSetDensity, Shape: s, X: density})
}

// SetSensor makes a shape a sensor, or solid again.
func (c Commands) SetSensor(s Shape, on bool) {
	c.send(Command{Op: opSetSensor, Shape: s, On: on})
}

// SetOneWay makes a shape solid only from the side that direction points to; 0 makes it
// solid from all sides again. See [World.SetOneWay].
func (c Commands) SetOneWay(s Shape, direction Vec) {
	c.send(Command{Op: opSetOneWay, Shape: s, V: direction})
}

// SetSurfaces sets the rules by which all surfaces act on each other; see [World.SetSurfaces].
func (c Commands) SetSurfaces(s Surfaces) { c.send(Command{Op: opSetSurfaces, Surfaces: &s}) }

// SetMaterial sets the material of a shape; see [World.SetMaterial].
func (c Commands) SetMaterial(s Shape, m Material) {
	c.send(Command{Op: opSetMaterial, Shape: s, N: int32(m)})
}

// SetSegmentMaterial sets the material of one segment of a chain; see
// [World.SetSegmentMaterial].
func (c Commands) SetSegmentMaterial(s Shape, segment int, m Material) {
	c.send(Command{Op: opSetSegmentMaterial, Shape: s, N: int32(m), X: float64(segment)})
}

// SetRollingResistance sets how much a shape resists rolling, as a part of the force that
// presses it, 0 and up; see ShapeDef.RollingResistance.
func (c Commands) SetRollingResistance(s Shape, resistance float64) {
	c.send(Command{Op: opSetRollingResistance, Shape: s, X: resistance})
}

// SetSleepSpeeds sets how fast a body may go, in m/s, and turn, in rad/s, and fall asleep; see
// [World.SetSleepSpeeds].
func (c Commands) SetSleepSpeeds(b Body, speed, spin float64) {
	c.send(Command{Op: opSetSleepSpeeds, Body: b, X: speed, Y: spin})
}

// SetSurfaceSpeed sets the speed of a shape's surface, in m/s; see [World.SetSurfaceSpeed].
func (c Commands) SetSurfaceSpeed(s Shape, speed float64) {
	c.send(Command{Op: opSetSurfaceSpeed, Shape: s, X: speed})
}

// ReplaceShape gives a shape everything that a definition says; see [World.ReplaceShape].
func (c Commands) ReplaceShape(s Shape, def ShapeDef) {
	c.send(Command{Op: opReplaceShape, Shape: s, ShapeDef: &def})
}

// SetTarget moves the point that a mouse joint pulls to, in m.
func (c Commands) SetTarget(j Joint, target Vec) {
	c.send(Command{Op: opSetTarget, Joint: j, P: target})
}

// SetMotor turns the motor of a revolute, prismatic or wheel joint on or off and
// sets its speed, in rad/s or m/s, and its maximum torque, in N·m, or force, in
// N.
func (c Commands) SetMotor(j Joint, on bool, speed, maximum float64) {
	c.send(Command{Op: opSetMotor, Joint: j, On: on, X: speed, Y: maximum})
}

// SetLimits turns the limits of a revolute, prismatic, distance or wheel joint on or off
// and sets them, in rad or m.
func (c Commands) SetLimits(j Joint, on bool, lower, upper float64) {
	c.send(Command{Op: opSetLimits, Joint: j, On: on, X: lower, Y: upper})
}

// SetMotorOffset sets where a motor joint drives its body B to, in A's frame: m and rad.
func (c Commands) SetMotorOffset(j Joint, offset Vec, angle float64) {
	c.send(Command{Op: opSetMotorOffset, Joint: j, P: offset, X: angle})
}

// SetMotorVelocity has a motor joint drive its body B at a velocity, in m/s in A's frame
// and rad/s; see [World.SetMotorVelocity].
func (c Commands) SetMotorVelocity(j Joint, on bool, velocity Vec, angular float64) {
	c.send(Command{Op: opSetMotorVelocity, Joint: j, On: on, V: velocity, X: angular})
}

// SetSpring sets the spring of a joint: its frequency in Hz, and its damping ratio, 1 is
// critical; see [World.SetSpring].
func (c Commands) SetSpring(j Joint, frequency, damping float64) {
	c.send(Command{Op: opSetSpring, Joint: j, X: frequency, Y: damping})
}

// SetSpringTarget sets where the spring of a revolute or prismatic joint pulls to, in rad
// or m.
func (c Commands) SetSpringTarget(j Joint, target float64) {
	c.send(Command{Op: opSetSpringTarget, Joint: j, X: target})
}

// SetSoftness sets how a joint gives way with SoftStep, in Hz and by a damping ratio; see
// [World.SetSoftness].
func (c Commands) SetSoftness(j Joint, frequency, damping float64) {
	c.send(Command{Op: opSetSoftness, Joint: j, X: frequency, Y: damping})
}

// SetCollideConnected says whether the two bodies of a joint collide.
func (c Commands) SetCollideConnected(j Joint, on bool) {
	c.send(Command{Op: opSetCollideConnected, Joint: j, On: on})
}

// SetLength sets the length of a distance, rope or pulley joint, in m; see [World.SetLength].
func (c Commands) SetLength(j Joint, length float64) {
	c.send(Command{Op: opSetLength, Joint: j, X: length})
}

// SetMaxForce sets the maximum force of a friction, motor or mouse joint, in N.
func (c Commands) SetMaxForce(j Joint, force float64) {
	c.send(Command{Op: opSetMaxForce, Joint: j, X: force})
}

// SetMaxTorque sets the maximum torque of a friction or motor joint, in N·m.
func (c Commands) SetMaxTorque(j Joint, torque float64) {
	c.send(Command{Op: opSetMaxTorque, Joint: j, X: torque})
}

// SetBreakLimits sets the reaction above which a joint breaks: a force in N and a
// torque in N·m. 0 is no limit.
func (c Commands) SetBreakLimits(j Joint, force, torque float64) {
	c.send(Command{Op: opSetBreakLimits, Joint: j, X: force, Y: torque})
}
