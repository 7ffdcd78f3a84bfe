package soft

import (
	"halfstep/internal/box"
	"halfstep/internal/reslice"
)

// lane8 has one value for each of eight contacts or joints.
type lane8 [lanes]float32

// batch is eight contacts of a colour. The kernel reads batches, so the layout is fixed. The
// first fields are read by all passes. Then come the fields of the solve pass, the fields of the
// relax pass, and the fields that no pass reads. The less memory a pass reads, the more stays in
// the cache.
type batch struct {
	nx, ny         lane8
	mA, iA, mB, iB lane8
	roundA, roundB lane8        // the radii of the corners of the two shapes
	a, b           [lanes]int32 // the offsets of the two bodies' states in bytes
	points         [2]batchPoint

	coupling         lane8    // coupling is the speed at one point that a unit impulse at the other point causes.
	base, normalMass [2]lane8 // base is the separation at the start minus farB-farA of the point

	friction, tangentSpeed           lane8
	tangentMass, total, totalTangent [2]lane8 // tangentMass is the effective mass along the tangent; the totals are the impulses of all sub-steps

	contacts [lanes]int32 // contacts are the offsets of the contacts in the table, in bytes. An unused lane has the offset of the first lane.
	used     int64        // used is the number of lanes that are in use.
	_        [3]int64
}

type batchPoint struct {
	// The position of a point relative to both centres of mass, without the radii. The value far is
	// its distance along the normal, and arm is the lever arm of the normal.
	farA, armA, farB, armB lane8
	normal, tangent        lane8 // the impulses of the last sub-step
}

// bounceBatch has the values for restitution of a batch that has a contact that bounces.
type bounceBatch struct {
	of          int32    // of is the index of the batch in region.batches.
	restitution lane8    // restitution is 0 for a contact that does not bounce.
	speed       [2]lane8 // speed is the speed at which the points separate before the step, in m/s.
	spinA       lane8    // the angular velocities of the bodies before the step, in rad/s
	spinB       lane8
}

// These are the sizes of a state and of a contact in bytes.
const (
	stateSize   = 32
	contactSize = 176
)

const (
	pushSpeed    = 3   // pushSpeed is the greatest speed, in m/s, at which overlapping shapes are pushed apart.
	mostCoupling = 0.9 // see couple
)

// common has the values that are the same for all batches of a step. The kernel reads it.
type common struct {
	warm        float32  // warm is the factor for the impulses with which contacts start.
	copies      int32    // copies is the offset, in bytes, of the first state that is a copy (see shareOut in graph.go).
	soft, still softness // soft is for contacts between dynamic bodies, and still is for all other contacts
}

// of returns the softness for a contact of two states.
func (c *common) of(a, b int32) *softness {
	if a < c.copies && b < c.copies {
		return &c.soft
	}
	return &c.still
}

// contactSolver solves the contacts that are in the batches of the graph.
type contactSolver struct {
	of     []besides // by region: the additional data
	common common

	set      *box.World
	stride   *stride
	bodies   *bodies
	contacts *contacts
	regions  *regions
	graph    *graph
}

// besides has additional data about some contacts of a region.
type besides struct {
	bounces []bounceBatch // bounces are for the batches in which a contact bounces.
	rolling []rollBatch   // rolling has an element for each batch, if a contact may have rolling resistance.
}

// begin sets the values that all batches of the step share.
func (s *contactSolver) begin() {
	for len(s.of) < s.regions.count+1 {
		s.of = append(s.of, besides{})
	}
	s.common = common{s.stride.warmScale, int32(s.regions.copies) * stateSize, s.stride.contactSoft, s.stride.staticSoft}
	// The product is computed here once, for all contacts.
	s.common.soft.biasRate *= s.common.soft.massScale
	s.common.still.biasRate *= s.common.still.massScale
}

// prepare fills the batches of a region, and the data for rolling and restitution.
func (s *contactSolver) prepare(region int) {
	r, batches := &s.of[region], s.graph.painted[region].batches
	if len(batches) > 0 {
		prepare(batches, s.contacts.all, s.bodies.masses, &s.common)
	}
	if s.bodies.hammers {
		for i := range batches {
			s.softenHammers(&batches[i])
		}
	}
	if s.set.Rules.Rolling != nil {
		r.rolling = reslice.ResizeDirty(r.rolling, len(batches))
		for i := range batches {
			s.prepareRolling(&r.rolling[i], &batches[i])
		}
	}
	r.bounces = r.bounces[:0]
	if !s.graph.bounces {
		return
	}
	for i := range batches {
		if b := s.prepareBounce(&batches[i]); b.restitution != (lane8{}) {
			b.of = int32(i)
			r.bounces = append(r.bounces, b)
		}
	}
}

// pass processes the contacts of a region once, colour by colour.
func (s *contactSolver) pass(st stage, region int) {
	batches, states := s.graph.painted[region].batches, s.regions.states
	if len(batches) == 0 {
		return
	}
	if s.set.Rules.Rolling != nil {
		roll(batches, s.of[region].rolling, states, st)
	}
	switch st {
	case stageWarmStart:
		warmStart(batches, states)
	case stageSolve, stageRelax:
		solve(batches, states, &s.common, s.stride.invH, st == stageSolve)
	case stageBounce:
		bounce(batches, s.of[region].bounces, states, float32(s.set.Rules.BounceSpeed))
	}
}

// store copies the impulses of a region's contacts to the table.
func (s *contactSolver) store(region int) {
	if batches := s.graph.painted[region].batches; len(batches) > 0 {
		storeBatches(batches, s.contacts.all)
	}
}

// preparePlain does the same as prepare, without the assembly kernel.
func preparePlain(batches []batch, contacts []contact, masses []mass, with *common) {
	for i := range batches {
		b := &batches[i]
		for k := range int(b.used) {
			k &= lanes - 1
			c := contactAt(contacts, b.contacts[k])
			var ma, mb mass
			n := c.normal
			if b.a[k] < with.copies {
				ma = masses[c.bodyA]
			}
			if b.b[k] < with.copies {
				mb = masses[c.bodyB]
			}
			b.nx[k], b.ny[k] = n.x, n.y
			b.mA[k], b.iA[k], b.mB[k], b.iB[k] = ma.m, ma.i, mb.m, mb.i
			b.friction[k], b.tangentSpeed[k] = c.friction, c.tangentSpeed
			b.roundA[k], b.roundB[k] = c.radiusA, c.radiusB
			for p := range 2 {
				to := &b.points[p]
				if p >= int(c.count) {
					to.farA[k], to.armA[k], to.farB[k], to.armB[k] = 0, 0, 0, 0
					b.base[p][k], b.normalMass[p][k], b.tangentMass[p][k] = 0, 0, 0
					to.normal[k], to.tangent[k], b.total[p][k], b.totalTangent[p][k] = 0, 0, 0, 0
					continue
				}
				from := &c.points[p]
				rA, rB := from.rA.plus(-c.radiusA, n), from.rB.plus(c.radiusB, n)
				farA, farB := dot(rA, n), dot(rB, n)
				to.farA[k], to.armA[k], to.farB[k], to.armB[k] = farA, cross(rA, n), farB, cross(rB, n)
				b.base[p][k] = from.separation - (farB - farA)
				b.normalMass[p][k] = inverse(ma, mb, to.armA[k], to.armB[k])
				b.tangentMass[p][k] = inverse(ma, mb, farA+c.radiusA, farB-c.radiusB)
				to.normal[k], to.tangent[k] = with.warm*from.normal, with.warm*from.tangent
				b.total[p][k], b.totalTangent[p][k] = 0, 0
			}
			b.coupling[k] = 0
			if c.count == 2 {
				b.coupling[k] = b.couple(ma, mb, k)
			}
		}
	}
}

func contactAt(contacts []contact, offset int32) *contact {
	return &contacts[uint32(offset)/contactSize]
}

// inverse returns the effective mass of two bodies along an axis.
func inverse(a, b mass, armA, armB float32) float32 {
	k := a.m + b.m + float32(float32(a.i*armA)*armA) + float32(float32(b.i*armB)*armB)
	if k > 0 {
		return 1 / k
	}
	return 0
}

// couple returns the speed at one point of a contact that a unit impulse at the other point
// causes. If the points are close together, or far from the centre of mass, their two equations
// are hardly independent, and the difference of their impulses would grow. The square of the
// coupling, relative to the points' own masses, is therefore limited to mostCoupling.
func (of *batch) couple(a, b mass, lane int) float32 {
	p, q := &of.points[0], &of.points[1]
	lane &= lanes - 1
	k := a.m + b.m + float32(float32(a.i*p.armA[lane])*q.armA[lane]) + float32(float32(b.i*p.armB[lane])*q.armB[lane])
	if both := float32(of.normalMass[0][lane]*k) * float32(of.normalMass[1][lane]*k); both > mostCoupling {
		k *= sqrt(mostCoupling / both)
	}
	return k
}

// prepareBounce finds the contacts of a batch that bounce. Their shapes approach at BounceSpeed
// or faster.
func (s *contactSolver) prepareBounce(of *batch) (b bounceBatch) {
	threshold := float32(s.set.Rules.BounceSpeed)
	for k := range int(of.used) {
		k &= lanes - 1
		c := contactAt(s.contacts.all, of.contacts[k])
		if c.restitution == 0 {
			continue
		}
		_, b.spinA[k] = s.bodies.velocity(c.bodyA)
		_, b.spinB[k] = s.bodies.velocity(c.bodyB)
		for p, speed := range s.contacts.speeds(c) {
			if p < int(c.count) {
				speed = s.impactSpeed(c, speed, c.points[p&1].separation)
			}
			if b.speed[p][k] = speed; p < int(c.count) && !(speed > -threshold) {
				b.restitution[k] = c.restitution
			}
		}
	}
	return b
}

// impactSpeed returns the speed at which two shapes separate at the moment of their impact. The
// parameter speed is their speed of separation now, and apart is their distance. Gravity and
// forces act until the impact. A ball that bounced with its speed at the beginning of the step
// would lose height each time (Jondolf/avian issue 594).
func (s *contactSolver) impactSpeed(c *contact, speed, apart float32) float32 {
	if !(apart > 0 && speed < 0) {
		return speed
	}
	pull := dot(s.bodies.pullOn(c.bodyB).sub(s.bodies.pullOn(c.bodyA)), c.normal)
	// Velocities are half a sub-step behind positions, both before and after the bounce.
	late := float32(0.5 * float32(pull*s.stride.h))
	speed += late
	return late - sqrt(greater(float32(speed*speed)-float32(2*float32(pull*apart)), 0))
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
				to.normal, to.tangent = saturated(from.normal[k]), saturated(from.tangent[k])
				to.total, to.totalTangent = saturated(b.total[p][k]), saturated(b.totalTangent[p][k])
			}
		}
	}
}

// stage is a part of solving. A stage is done region by region.
type stage uint8

const (
	stagePrepare   stage = iota
	stageWarmStart       // a part of stageSolve
	stageSolve
	stageRelax
	stageBounce
	stageStore
)
