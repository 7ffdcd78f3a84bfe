package worldgen

import "github.com/ByteArena/box2d"

func (p *Player) addJoint() {
	a, b := p.anyBody(), p.anyBody()
	if p.chance(0.3) {
		a = p.ground
	}
	if a == nil || b == nil || a == b {
		return
	}
	together := p.chance(0.5)
	middle := box2d.MakeB2Vec2(0.5*(a.M_xf.P.X+b.M_xf.P.X), 0.5*(a.M_xf.P.Y+b.M_xf.P.Y))
	if p.chance(0.5) {
		middle = b.M_xf.P
	}
	axis := box2d.MakeB2Vec2(0.6, 0.8)
	var def box2d.B2JointDefInterface
	switch p.rng.IntN(12) {
	case 0, 1:
		def = p.revolute(a, b, middle)
	case 2:
		def = p.prismatic(a, b, middle, axis)
	case 3:
		d := box2d.MakeB2DistanceJointDef()
		d.Initialize(a, b, a.M_xf.P, b.M_xf.P)
		if d.Length < 0.01 {
			d.Length = 1
		}
		if p.chance(0.5) {
			d.FrequencyHz, d.DampingRatio = p.span(1, 6), p.span(0, 1)
		}
		def = &d
	case 4:
		d := box2d.MakeB2PulleyJointDef()
		up := func(v box2d.B2Vec2) box2d.B2Vec2 { return box2d.MakeB2Vec2(v.X, v.Y+4) }
		d.Initialize(a, b, up(a.M_xf.P), up(b.M_xf.P), a.M_xf.P, b.M_xf.P, p.span(0.5, 2))
		def = &d
	case 5:
		if at := b.M_xf.P; b.M_type != box2d.B2BodyType.B2_dynamicBody || !at.IsValid() {
			return
		}
		d := box2d.MakeB2MouseJointDef()
		d.BodyA, d.BodyB = p.ground, b
		d.Target = b.M_xf.P
		d.MaxForce = 200 * b.M_mass
		def = &d
	case 6:
		p.addGear(a, b)
		return
	case 7:
		d := box2d.MakeB2WheelJointDef()
		d.Initialize(a, b, middle, axis)
		d.EnableMotor, d.MotorSpeed, d.MaxMotorTorque = p.chance(0.5), p.span(-5, 5), 10
		d.FrequencyHz, d.DampingRatio = p.span(0, 5), 0.7
		def = &d
	case 8:
		d := box2d.MakeB2WeldJointDef()
		d.Initialize(a, b, middle)
		if p.chance(0.5) {
			d.FrequencyHz, d.DampingRatio = p.span(1, 6), 0.5
		}
		def = &d
	case 9:
		d := box2d.MakeB2FrictionJointDef()
		d.Initialize(a, b, middle)
		d.MaxForce, d.MaxTorque = p.span(0, 20), p.span(0, 20)
		def = &d
	case 10:
		d := box2d.MakeB2RopeJointDef()
		d.BodyA, d.BodyB = a, b
		d.LocalAnchorA, d.LocalAnchorB = p.point(0.3), p.point(0.3)
		d.MaxLength = p.span(1, 5)
		def = &d
	case 11:
		d := box2d.MakeB2MotorJointDef()
		d.Initialize(a, b)
		d.MaxForce, d.MaxTorque = p.span(0, 50), p.span(0, 50)
		def = &d
	}
	def.SetCollideConnected(together)
	j := p.World.CreateJoint(def)
	if p.joints = append(p.joints, j); p.extends {
		Extend(p.rng, j)
	}
}

func (p *Player) revolute(a, b *box2d.B2Body, at box2d.B2Vec2) *box2d.B2RevoluteJointDef {
	d := box2d.MakeB2RevoluteJointDef()
	d.Initialize(a, b, at)
	if p.chance(0.3) {
		d.EnableMotor, d.MotorSpeed, d.MaxMotorTorque = true, p.span(-5, 5), 20
	}
	if p.chance(0.3) {
		d.EnableLimit, d.LowerAngle, d.UpperAngle = true, p.span(-1, 0), p.span(0, 1)
	}
	return &d
}

func (p *Player) prismatic(a, b *box2d.B2Body, at, axis box2d.B2Vec2) *box2d.B2PrismaticJointDef {
	d := box2d.MakeB2PrismaticJointDef()
	d.Initialize(a, b, at, axis)
	if p.chance(0.5) {
		d.EnableMotor, d.MotorSpeed, d.MaxMotorForce = true, p.span(-5, 5), 20
	}
	if p.chance(0.5) {
		d.EnableLimit, d.LowerTranslation, d.UpperTranslation = true, p.span(-2, 0), p.span(0, 2)
	}
	return &d
}

// addGear couples two dynamic, active bodies, each by a joint to the ground.
func (p *Player) addGear(a, b *box2d.B2Body) {
	const dynamic = 2
	if a.M_type != dynamic || b.M_type != dynamic || !a.IsActive() || !b.IsActive() {
		return
	}
	turn := func(body *box2d.B2Body) box2d.B2JointInterface {
		d := box2d.MakeB2RevoluteJointDef()
		d.Initialize(p.ground, body, body.M_xf.P)
		j := p.World.CreateJoint(&d)
		p.joints = append(p.joints, j)
		return j
	}
	d := box2d.MakeB2GearJointDef()
	d.BodyA, d.BodyB = a, b
	d.Joint1 = turn(a)
	d.Joint2 = turn(b)
	if p.chance(0.4) {
		slide := box2d.MakeB2PrismaticJointDef()
		slide.Initialize(p.ground, b, b.M_xf.P, box2d.MakeB2Vec2(0, 1))
		d.Joint2 = p.World.CreateJoint(&slide)
		p.joints = append(p.joints, d.Joint2)
	}
	d.Ratio = p.span(0.5, 2)
	p.joints = append(p.joints, p.World.CreateJoint(&d))
}
