package worldgen

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// addGround makes a floor of a random kind, with walls, so that bodies collide.
func (p *Player) addGround() {
	def := box2d.MakeB2BodyDef()
	def.Position = box2d.MakeB2Vec2(p.zero(), p.zero())
	def.Angle = p.zero()
	p.ground = p.World.CreateBody(&def)
	p.ids[p.ground] = 0
	p.nextID = 1
	switch p.rng.IntN(3) {
	case 0:
		box := box2d.MakeB2PolygonShape()
		box.SetAsBoxFromCenterAndAngle(15, 0.5, box2d.MakeB2Vec2(0, -0.5), p.span(-0.05, 0.05))
		p.addFixture(p.ground, &box)
	case 1:
		edge := box2d.MakeB2EdgeShape()
		edge.Set(box2d.MakeB2Vec2(-15, 0), box2d.MakeB2Vec2(15, 0.3))
		if p.chance(0.5) {
			edge.M_vertex0, edge.M_hasVertex0 = box2d.MakeB2Vec2(-16, 2), true
			edge.M_vertex3, edge.M_hasVertex3 = box2d.MakeB2Vec2(16, 2), true
		}
		p.addFixture(p.ground, &edge)
	case 2:
		var vs []box2d.B2Vec2
		for i := 0; i <= 12; i++ {
			vs = append(vs, box2d.MakeB2Vec2(float64(float64(i)*2.5)-15, p.span(-0.7, 0.7)))
		}
		chain := box2d.MakeB2ChainShape()
		if p.chance(0.3) {
			vs = append(vs, box2d.MakeB2Vec2(0, -8))
			chain.CreateLoop(vs, len(vs))
		} else {
			chain.CreateChain(vs, len(vs))
			if p.chance(0.5) {
				chain.SetPrevVertex(box2d.MakeB2Vec2(-17, 2))
				chain.SetNextVertex(box2d.MakeB2Vec2(17, 2))
			}
		}
		p.addFixture(p.ground, &chain)
	}
	for _, x := range []float64{-15, 15} {
		wall := box2d.MakeB2PolygonShape()
		wall.SetAsBoxFromCenterAndAngle(0.5, 10, box2d.MakeB2Vec2(x, 8), 0)
		p.addFixture(p.ground, &wall)
	}
}

func (p *Player) addBody() *box2d.B2Body {
	def := box2d.MakeB2BodyDef()
	def.Type = box2d.B2BodyType.B2_dynamicBody
	if p.chance(0.15) {
		def.Type = uint8(p.rng.IntN(2))
	}
	def.Position = box2d.MakeB2Vec2(p.span(-8, 8), p.span(0.5, 10))
	def.Angle = p.span(-4, 4)
	if p.chance(0.4) {
		def.Angle = p.zero()
	}
	if p.chance(0.4) {
		def.LinearVelocity = p.point(8)
		def.AngularVelocity = p.span(-6, 6)
	}
	if def.Type == box2d.B2BodyType.B2_staticBody && p.chance(0.9) {
		def.LinearVelocity, def.AngularVelocity = box2d.B2Vec2{}, 0
	}
	if p.chance(0.3) {
		def.LinearDamping, def.AngularDamping = p.span(0, 1), p.span(0, 1)
	}
	if p.chance(0.2) {
		def.GravityScale = p.span(-0.5, 2)
	}
	def.FixedRotation = p.chance(0.1)
	def.AllowSleep = p.chance(0.9)
	def.Awake = p.chance(0.9)
	def.Active = p.chance(0.95)
	if p.chance(0.15) {
		def.Bullet = true
		def.LinearVelocity = p.point(90)
	}
	b := p.World.CreateBody(&def)
	p.ids[b] = p.nextID
	p.nextID++
	p.bodies = append(p.bodies, b)
	for n := 1 + p.rng.IntN(5)/3 + p.rng.IntN(5)/4; n > 0; n-- {
		p.addShape(b)
	}
	return b
}

// addShape adds a random shape to a body. Dynamic bodies rarely get edges and chains,
// because these have no mass.
func (p *Player) addShape(b *box2d.B2Body) {
	offset := box2d.B2Vec2{}
	if p.chance(0.3) {
		offset = p.point(0.5)
	}
	if p.round && p.chance(0.5) {
		points := []box2d.B2Vec2{offset, {X: offset.X + p.span(0.1, 1), Y: offset.Y + p.span(-0.5, 0.5)}}
		if p.chance(0.3) {
			points = append(points, box2d.MakeB2Vec2(offset.X, offset.Y+p.span(0.2, 0.8)))
		}
		if s, ok := b2.NewRoundPolygon(points, p.span(0.05, 0.4)); ok {
			p.addFixture(b, s)
			return
		}
	}
	kinds := 4
	if b.M_type != box2d.B2BodyType.B2_dynamicBody || p.chance(0.1) {
		kinds = 6
	}
	switch p.rng.IntN(kinds) {
	case 0, 1:
		box := box2d.MakeB2PolygonShape()
		if offset.X != 0 {
			box.SetAsBoxFromCenterAndAngle(p.span(0.1, 0.8), p.span(0.1, 0.8), offset, p.span(-1, 1))
		} else {
			box.SetAsBox(p.span(0.1, 0.8), p.span(0.1, 0.8))
		}
		p.addFixture(b, &box)
	case 2:
		circle := box2d.MakeB2CircleShape()
		circle.M_p = offset
		circle.SetRadius(p.span(0.1, 0.7))
		p.addFixture(b, &circle)
	case 3:
		n := 3 + p.rng.IntN(6)
		vs := make([]box2d.B2Vec2, n)
		for i := range vs {
			a := 2 * math.Pi * (float64(i) + p.span(-0.2, 0.2)) / float64(n)
			r := p.span(0.5, 0.8)
			vs[i] = box2d.MakeB2Vec2(offset.X+float64(r*math.Cos(a)), offset.Y+float64(r*math.Sin(a)))
		}
		poly := box2d.MakeB2PolygonShape()
		poly.Set(vs, n)
		p.addFixture(b, &poly)
	case 4:
		edge := box2d.MakeB2EdgeShape()
		edge.Set(box2d.MakeB2Vec2(-1, 0), box2d.MakeB2Vec2(1, p.span(-0.5, 0.5)))
		p.addFixture(b, &edge)
	case 5:
		chain := box2d.MakeB2ChainShape()
		vs := []box2d.B2Vec2{{X: -1.5, Y: p.span(0, 1)}, {X: -0.5}, {X: 0.5, Y: p.span(-0.3, 0.3)}, {X: 1.5, Y: p.span(0, 1)}}
		chain.CreateChain(vs, len(vs))
		p.addFixture(b, &chain)
	}
}

func (p *Player) addFixture(b *box2d.B2Body, shape box2d.B2ShapeInterface) {
	fd := box2d.MakeB2FixtureDef()
	fd.Shape = shape
	fd.Density = p.span(0.2, 3)
	if p.chance(0.05) {
		fd.Density = 0
	}
	fd.Friction = p.span(0, 1)
	if p.chance(0.1) {
		fd.Friction = 0
	}
	if p.chance(0.3) {
		fd.Restitution = p.span(0, 0.9)
	}
	fd.IsSensor = b != p.ground && p.chance(0.1)
	fd.Filter = p.randomFilter()
	b.CreateFixtureFromDef(&fd)
}

func (p *Player) randomFilter() box2d.B2Filter {
	f := box2d.MakeB2Filter()
	if p.chance(0.2) {
		f.CategoryBits = 1 << p.rng.IntN(3)
		f.MaskBits = uint16(0xFFFF &^ (1 << p.rng.IntN(3)))
	}
	if p.chance(0.1) {
		f.GroupIndex = int16(p.rng.IntN(5) - 2)
	}
	return f
}

// drop destroys a body. It destroys gears first, because a gear may refer to bodies
// whose joint lists do not contain the gear.
func (p *Player) drop(b *box2d.B2Body) {
	if _, alive := p.ids[b]; !alive || b == p.ground {
		return
	}
	p.dropGears()
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		b2.MakeDestroyable(f)
	}
	p.World.DestroyBody(b)
	delete(p.ids, b)
	for i, o := range p.bodies {
		if o == b {
			p.bodies = append(p.bodies[:i], p.bodies[i+1:]...)
			break
		}
	}
}

func (p *Player) dropJoint(j box2d.B2JointInterface) {
	for i, o := range p.joints {
		if o == j {
			p.joints = append(p.joints[:i], p.joints[i+1:]...)
			p.World.DestroyJoint(j)
			return
		}
	}
}

func (p *Player) dropGears() {
	for i := len(p.joints) - 1; i >= 0; i-- {
		if g, ok := p.joints[i].(*box2d.B2GearJoint); ok {
			p.dropJoint(g)
		}
	}
}
