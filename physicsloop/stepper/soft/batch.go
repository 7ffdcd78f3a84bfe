package soft

// lane8 is a value of each of eight contacts.
type lane8 [lanes]float32

// batch is eight contacts of a colour. The kernel reads it, so the layout is
// fixed.
type batch struct {
	nx, ny                            lane8
	mA, iA, mB, iB                    lane8
	friction, tangentSpeed            lane8
	biasRate, massScale, impulseScale lane8
	coupling                          lane8        // speed at one point for an impulse at the other
	roundA, roundB                    lane8        // the radii of the shapes' corners
	a, b                              [lanes]int32 // states, in bytes from the first
	contacts                          [lanes]int32 // in bytes from the first; where a lane is not used, the first lane's
	points                            [2]batchPoint
	used                              int64 // lanes
	_                                 [3]int64
}

type batchPoint struct {
	ax, ay, bx, by          lane8 // from the centres of mass, without the radii along the normal
	base                    lane8 // separation without the anchors' share
	normalMass, tangentMass lane8
	normal, tangent, total  lane8 // impulses
}

// bounceBatch is what restitution needs besides.
type bounceBatch struct {
	restitution lane8
	speed       [2]lane8 // of the points before the step
}

// The sizes of a state and of a contact in bytes.
const (
	stateSize   = 32
	contactSize = 168
)

// softness says how a soft constraint acts in a sub-step.
type softness struct{ biasRate, massScale, impulseScale float32 }

// rigid is the softness of a constraint that is none.
var rigid = softness{0, 1, 0}

// soften returns the softness of a spring with so many cycles per second and
// that damping ratio, for sub-steps of h seconds.
func soften(hertz, damping, h float32) softness {
	if hertz == 0 {
		return softness{}
	}
	omega := float32(2 * 3.14159265 * hertz)
	turn := float32(h * omega)
	a := damping + damping + turn
	ha := float32(turn * a)
	scale := 1 / (1 + ha)
	return softness{omega / a, float32(ha * scale), scale}
}

const (
	contactHertz   = 30
	contactDamping = 10
	pushSpeed      = 3 // m/s, at which overlapping shapes are pushed apart at most
	jointHertz     = 60
	jointDamping   = 2
	mostCoupling   = 0.9 // of the points of a contact, squared; at 1 they are one
)

// preparation is what all batches have in common. The kernel reads it.
type preparation struct {
	warm        float32
	copies      int32    // the first state that is a copy, in bytes
	soft, still softness // between bodies that move, and where one does not
}

func (s *Stepper) prepareRegion(r *region) {
	with := preparation{s.warmScale, int32(s.copies) * stateSize, s.contactSoft, s.staticSoft}
	with.soft.biasRate *= with.soft.massScale
	with.still.biasRate *= with.still.massScale
	if len(r.batches) > 0 {
		prepare(r.batches, s.contacts, s.masses, &with)
	}
	if !s.bounces {
		return
	}
	r.bounces = sizeTo(r.bounces, len(r.batches))
	for i := range r.batches {
		s.prepareBounce(&r.bounces[i], &r.batches[i])
	}
}

// preparePlain fills batches from the contacts that they have.
func preparePlain(batches []batch, contacts []contact, masses []mass, with *preparation) {
	for i := range batches {
		b := &batches[i]
		for k := range int(b.used) {
			k &= lanes - 1
			c := contactAt(contacts, b.contacts[k])
			var ma, mb mass
			n := c.normal
			soft := &with.soft
			if b.a[k] < with.copies {
				ma = masses[c.bodyA]
			} else {
				soft = &with.still
			}
			if b.b[k] < with.copies {
				mb = masses[c.bodyB]
			} else {
				soft = &with.still
			}
			b.nx[k], b.ny[k] = n.x, n.y
			b.mA[k], b.iA[k], b.mB[k], b.iB[k] = ma.m, ma.i, mb.m, mb.i
			b.friction[k], b.tangentSpeed[k] = c.friction, c.tangentSpeed
			b.roundA[k], b.roundB[k] = c.radiusA, c.radiusB
			roundA, roundB := n.times(c.radiusA), n.times(c.radiusB)
			b.biasRate[k], b.massScale[k], b.impulseScale[k] = soft.biasRate, soft.massScale, soft.impulseScale
			t := vec{n.y, -n.x}
			for p := range 2 {
				to := &b.points[p]
				if p >= int(c.count) {
					to.ax[k], to.ay[k], to.bx[k], to.by[k] = 0, 0, 0, 0
					to.base[k], to.normalMass[k], to.tangentMass[k] = 0, 0, 0
					to.normal[k], to.tangent[k], to.total[k] = 0, 0, 0
					continue
				}
				from := &c.points[p]
				rA, rB := from.rA, from.rB
				to.ax[k], to.ay[k], to.bx[k], to.by[k] = rA.x-roundA.x, rA.y-roundA.y, rB.x+roundB.x, rB.y+roundB.y
				to.base[k] = from.separation - dot(rB.sub(rA), n)
				to.normalMass[k] = inverse(ma, mb, cross(rA, n), cross(rB, n))
				to.tangentMass[k] = inverse(ma, mb, cross(rA, t), cross(rB, t))
				to.normal[k], to.tangent[k], to.total[k] = with.warm*from.normal, with.warm*from.tangent, 0
			}
			b.coupling[k] = 0
			if c.count == 2 {
				b.coupling[k] = c.coupling(ma, mb, b.points[0].normalMass[k], b.points[1].normalMass[k])
			}
		}
	}
}

func contactAt(contacts []contact, offset int32) *contact {
	return &contacts[uint32(offset)/contactSize]
}

// inverse returns the mass that two bodies have along an axis.
func inverse(a, b mass, armA, armB float32) float32 {
	k := a.m + b.m + float32(float32(a.i*armA)*armA) + float32(float32(b.i*armB)*armB)
	if k > 0 {
		return 1 / k
	}
	return 0
}

// coupling returns how much speed an impulse at one of the two points of a contact gives
// the other. m0 and m1 are the masses at the points. Where the points are so close
// together, or so far from the centre of mass, that they are almost one, it is a little
// less: nothing else would hold the difference of their impulses down.
func (c *contact) coupling(a, b mass, m0, m1 float32) float32 {
	n, p, q := c.normal, &c.points[0], &c.points[1]
	k := a.m + b.m + float32(float32(a.i*cross(p.rA, n))*cross(q.rA, n)) + float32(float32(b.i*cross(p.rB, n))*cross(q.rB, n))
	if both := float32(m0*k) * float32(m1*k); both > mostCoupling {
		k *= sqrt(mostCoupling / both)
	}
	return k
}

func (s *Stepper) prepareBounce(b *bounceBatch, of *batch) {
	for k := range int(of.used) {
		k &= lanes - 1
		c := contactAt(s.contacts, of.contacts[k])
		b.restitution[k] = c.restitution
		vA, wA := s.velocity(c.bodyA)
		vB, wB := s.velocity(c.bodyB)
		for p := range int(c.count) {
			from := &c.points[p]
			dv := vB.add(left(wB, from.rB)).sub(vA.add(left(wA, from.rA)))
			b.speed[p][k] = dot(dv, c.normal)
		}
	}
}

// storePlain copies the impulses of batches back to their contacts.
func storePlain(batches []batch, contacts []contact) {
	for i := range batches {
		b := &batches[i]
		for k := range int(b.used) {
			k &= lanes - 1
			c := contactAt(contacts, b.contacts[k])
			for p := range c.points {
				from, to := &b.points[p], &c.points[p]
				to.normal, to.tangent, to.total = saturated(from.normal[k]), saturated(from.tangent[k]), saturated(from.total[k])
			}
		}
	}
}
