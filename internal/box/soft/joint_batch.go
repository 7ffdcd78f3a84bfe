package soft

import (
	"unsafe"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/reslice"
)

// Joints of the frequent kinds are solved like contacts, colour by colour, and eight at once. Each
// of these kinds has a file with its batch, with the functions that copy a joint to the batch and
// back, and with the Go version of its passes. This file has the parts that all these kinds have in
// common.

// jointBatch is the part that the batches of all kinds have in common. It has eight joints of a
// colour. The batch of each kind begins with a jointBatch. The kernel reads batches, so the layout
// is fixed.
type jointBatch struct {
	mA, iA, mB, iB lane8
	ax, ay, bx, by lane8        // the vectors from the centres of mass to the anchors, at the start of the step
	cx, cy         lane8        // the vector from A's centre of mass to B's, at the start of the step
	x, y           lane8        // x and y are the impulses of this sub-step in the two rows that are solved together
	totalX, totalY lane8        // impulses of all sub-steps
	a, b           [lanes]int32 // the offsets of the two bodies' states in bytes
	used           int64        // used is the number of lanes that are in use.
	_              [3]int64
}

// jointPass has the values of a step that are the same for all joints. The kernel reads it.
type jointPass struct {
	invH float32
	soft softness // soft is the softness of joints that have no softness of their own.
}

func (b *jointBatch) joints() *jointBatch { return b }

func (b *jointBatch) sumUp(k int) {
	k &= lanes - 1
	b.totalX[k] += b.x[k]
	b.totalY[k] += b.y[k]
}

// grip returns the grip of joint k, without its gap.
func (b *jointBatch) grip(k int, sa, sb *state) (g grip) {
	k &= lanes - 1
	g.rB = sb.q.apply(vec{b.bx[k], b.by[k]})
	g.rA = sb.d.sub(sa.d).add(g.rB).add(vec{b.cx[k], b.cy[k]})
	return g
}

func (b *jointBatch) gap(k int, sa *state, g *grip) vec {
	k &= lanes - 1
	return g.rA.sub(sa.q.apply(vec{b.ax[k], b.ay[k]}))
}

// push applies the impulse p at the grip.
func (b *jointBatch) push(k int, sa, sb *state, g grip, p vec) {
	k &= lanes - 1
	sa.v = sa.v.sub(p.times(b.mA[k]))
	sa.w -= float32(b.iA[k] * cross(g.rA, p))
	sb.v = sb.v.add(p.times(b.mB[k]))
	sb.w += float32(b.iB[k] * cross(g.rB, p))
}

// turn applies the angular impulse p.
func (b *jointBatch) turn(k int, sa, sb *state, p float32) {
	k &= lanes - 1
	sa.w -= float32(b.iA[k] * p)
	sb.w += float32(b.iB[k] * p)
}

// axis is a direction in which a joint of a batch pushes its bodies apart, with the lever arms of
// the two forces. It corresponds to a row with jB = n = -jA, wB = armB and wA = -armA.
type axis struct {
	n          vec
	armA, armB float32
}

func (g *grip) axis(n vec) axis { return axis{n, cross(g.rA, n), cross(g.rB, n)} }

func (x *axis) speed(a, b *state) float32 {
	return dot(x.n, b.v.sub(a.v)) + (float32(x.armB*b.w) - float32(x.armA*a.w))
}

// yields returns the change of the speed along an axis that a unit impulse along the axis causes.
func (b *jointBatch) yields(k int, x *axis) float32 {
	k &= lanes - 1
	return (float32((b.mA[k]+b.mB[k])*dot(x.n, x.n)) + float32(float32(b.iA[k]*x.armA)*x.armA)) + float32(float32(b.iB[k]*x.armB)*x.armB)
}

// along prepares an axis for its impulses.
func (b *jointBatch) along(k int, sa, sb *state, x *axis) solved {
	yields := b.yields(k, x)
	return solved{v: x.speed(sa, sb), k: yields, mass: overPositive(yields)}
}

// turning does the work of along for the relative angle of the bodies.
func (b *jointBatch) turning(k int, sa, sb *state) solved {
	k &= lanes - 1
	yields := b.iA[k] + b.iB[k]
	return solved{v: sb.w - sa.w, k: yields, mass: overPositive(yields)}
}

// turned returns how a unit angular impulse changes the velocity of the grip, of B relative to A,
// rotated back by a quarter turn.
func (b *jointBatch) turned(k int, g *grip) vec {
	k &= lanes - 1
	iA, iB := b.iA[k], b.iB[k]
	return vec{float32(iA*g.rA.x) + float32(iB*g.rB.x), float32(iA*g.rA.y) + float32(iB*g.rB.y)}
}

// pushAlong applies the impulse p along an axis.
func (b *jointBatch) pushAlong(k int, sa, sb *state, x *axis, p float32) {
	k &= lanes - 1
	push := x.n.times(p)
	sa.v = sa.v.sub(push.times(b.mA[k]))
	sa.w -= float32(b.iA[k] * float32(x.armA*p))
	sb.v = sb.v.add(push.times(b.mB[k]))
	sb.w += float32(b.iB[k] * float32(x.armB*p))
}

// overPositive returns 1/x. If x is not positive it returns 0.
func overPositive(x float32) float32 {
	if x > 0 {
		return 1 / x
	}
	return 0
}

// softened returns the new impulse of a soft row. The old impulse is old. The impulse of a rigid row
// would change by -more.
func softened(old, more float32, soft *softness) float32 {
	return (old - float32(more*soft.massScale)) - float32(old*soft.impulseScale)
}

// impulsesOf returns the impulses of lane k in the last sub-step, and their sums over the step.
func impulsesOf(b *jointBatch, f *freeBatch, k int) (last, total [6]float32) {
	k &= lanes - 1
	return [6]float32{b.x[k], b.y[k], f.free[0][k], f.free[1][k], f.free[2][k], f.free[3][k]},
		[6]float32{b.totalX[k], b.totalY[k], f.total[0][k], f.total[1][k], f.total[2][k], f.total[3][k]}
}

// batchOf is a batch of one kind of joints. Its methods work on one lane. The methods for passes
// are the Go version of the kernel.
type batchOf[B any] interface {
	*B
	joints() *jointBatch
	kernel() jointKernel
	fill(from *jointCopier, k int, e entry) // copies the library's joint
	store(to *jointCopier, k int, n int32)  // store writes the impulses of the step to the library's joint n.
	warmStart(k int, a, b *state)           // warmStart applies the impulses of the last sub-step.
	// solve is one pass. With bias it softly corrects errors of position. Without bias (relax) it
	// removes the velocity that the bias has added.
	solve(k int, a, b *state, in *jointPass, bias bool)
	sumUp(k int) // sumUp adds the impulses of the sub-step to the totals.
}

// jointKernel has the functions of the kernel for one kind of joints. Their first argument is a
// list of batches, from some number on.
type jointKernel struct {
	warmStart, solve, relax func(batches *float32, n int, states, with *float32)
}

// batchedJoints are the joints of a region that belong to one of these kinds. All methods except
// list need at least one joint.
type batchedJoints interface {
	list() *[]entry
	colour(g *graph, from *jointCopier, region int)
	pass(st stage, states []state, in *jointPass)
	store(to *jointCopier)
}

// These are the kinds of joints that have batches.
const (
	pins = iota
	hinges
	welds
	springWelds // springWelds are welds whose angle is a spring.
	sliders     // prismatic joints
	wheels
	rods // distance joints
	batchedKinds
)

// batchedKind returns the kind of a joint if that kind has batches, and -1 otherwise.
func batchedKind(e *box.Joint) int {
	switch t := e.J.(type) {
	case *box2d.B2RevoluteJoint:
		if isPin(t, e.Extra) {
			return pins
		}
		return hinges
	case *box2d.B2WeldJoint:
		if t.M_frequencyHz > 0 {
			return springWelds
		}
		return welds
	case *box2d.B2PrismaticJoint:
		return sliders
	case *box2d.B2WheelJoint:
		return wheels
	case *box2d.B2DistanceJoint:
		return rods
	}
	return -1
}

// jointCopier copies joints to batches, and copies their impulses back.
type jointCopier struct {
	set     *box.World
	stride  *stride
	bodies  *bodies
	joints  *joints
	regions *regions
}

// newBatched makes the tables for the joints of a region, one table for each kind.
func newBatched() [batchedKinds]batchedJoints {
	of := new(struct {
		pins        coloured[pinBatch, *pinBatch]
		hinges      coloured[hingeBatch, *hingeBatch]
		welds       coloured[weldBatch, *weldBatch]
		springWelds coloured[springWeldBatch, *springWeldBatch]
		sliders     coloured[sliderBatch, *sliderBatch]
		wheels      coloured[wheelBatch, *wheelBatch]
		rods        coloured[rodBatch, *rodBatch]
	})
	return [...]batchedJoints{
		pins: &of.pins, hinges: &of.hinges, welds: &of.welds, springWelds: &of.springWelds,
		sliders: &of.sliders, wheels: &of.wheels, rods: &of.rods,
	}
}

// fill fills lane k of a batch with the data that all kinds have. The parameters x and y are the
// impulses of the library's joint.
func (s *jointCopier) fill(b *jointBatch, k int, e entry, anchorA, anchorB box2d.B2Vec2, x, y float64) {
	k &= lanes - 1
	j := &s.joints.all[e.slot]
	b.used = int64(k + 1)
	b.a[k], b.b[k] = e.a*stateSize, e.b*stateSize
	var ma, mb mass
	if int(e.a) < s.regions.copies {
		ma = s.bodies.masses[j.bodyA]
	}
	if int(e.b) < s.regions.copies {
		mb = s.bodies.masses[j.bodyB]
	}
	b.mA[k], b.iA[k], b.mB[k], b.iB[k] = ma.m, ma.i, mb.m, mb.i
	rA, rB := s.bodies.local(j.bodyA, anchorA), s.bodies.local(j.bodyB, anchorB)
	b.ax[k], b.ay[k], b.bx[k], b.by[k] = rA.x, rA.y, rB.x, rB.y
	centres := s.bodies.centres(j.bodyA, j.bodyB)
	b.cx[k], b.cy[k] = centres.x, centres.y
	b.x[k], b.y[k] = s.stride.startWith(&j.pushed, 0, x), s.stride.startWith(&j.pushed, 1, y)
	b.totalX[k], b.totalY[k] = 0, 0
}

// softness returns the softness of joint n in solve passes and in relax passes.
func (s *jointCopier) softness(n int32) [2]softness {
	soft, set := s.stride.softnessOf(s.set.Joints.All[n].Extra)
	if !set {
		return [2]softness{soft, rigid}
	}
	return [2]softness{soft, soft}
}

// coloured has the joints of a region that belong to one kind. They are copied to and from their
// batches in the order of the entries. This is mostly the order of the library's joints in memory.
type coloured[B any, P batchOf[B]] struct {
	entries []entry  // entries are the joints of this step.
	places  []laneOf // by entry
	batches []B
	extras  bool // extras says that the first joint has a JointExtra, so that other joints may have one as well.
}

type laneOf struct{ batch, lane int32 }

func (c *coloured[B, P]) list() *[]entry { return &c.entries }

// empty empties a batch. Its lanes then work on an idle state.
func (c *coloured[B, P]) empty(b *B, idle int32) {
	*b = *new(B)
	of := P(b).joints()
	for k := range of.a {
		of.a[k], of.b[k] = idle*stateSize, idle*stateSize
	}
}

// pass processes the joints once. The stage is stageWarmStart, stageSolve or stageRelax.
func (c *coloured[B, P]) pass(st stage, states []state, in *jointPass) {
	if wide {
		kernel := P(&c.batches[0]).kernel()
		do := kernel.relax
		switch st {
		case stageWarmStart:
			do = kernel.warmStart
		case stageSolve:
			do = kernel.solve
		}
		do((*float32)(unsafe.Pointer(&c.batches[0])), len(c.batches), &states[0].v.x, &in.invH)
		return
	}
	for i := range c.batches {
		b := P(&c.batches[i])
		of := b.joints()
		for k := range int(of.used) {
			k &= lanes - 1
			sa, sb := at(states, of.a[k]), at(states, of.b[k])
			switch st {
			case stageWarmStart:
				b.warmStart(k, sa, sb)
			case stageSolve:
				b.solve(k, sa, sb, in, true)
			case stageRelax:
				b.solve(k, sa, sb, in, false)
				b.sumUp(k)
			}
		}
	}
}

// colour gives each entry a colour, and a lane in a batch of that colour.
func (c *coloured[B, P]) colour(s *graph, from *jointCopier, region int) {
	c.extras = from.set.Joints.All[c.entries[0].slot].Extra != nil
	masks := s.masksOf(region, c.entries)
	c.places = reslice.ResizeDirty(c.places, len(c.entries))
	var counts, first [colourCount]int32
	for i, e := range c.entries {
		k := s.colourOf(masks, e)
		c.places[i] = laneOf{int32(k), counts[k]}
		counts[k]++
	}
	n := int32(0)
	for k, count := range counts {
		first[k] = n
		n += int32(batchCount(int(count), k))
	}
	c.batches = reslice.ResizeDirty(c.batches, int(n))
	idle := int32(s.regions.idleState + region*colourCount)
	for k, from := range first {
		// A full batch need not be emptied, because fill writes all values of a lane.
		if k == overflow {
			for i := range counts[k] {
				c.empty(&c.batches[from+i], idle+overflow)
			}
		} else if full := counts[k] / lanes; full*lanes < counts[k] {
			c.empty(&c.batches[from+full], idle+int32(k))
		}
	}
	for i, e := range c.entries {
		if i%Fetched == 0 {
			c.fetch(from.joints, i)
		}
		p := &c.places[i]
		if k, nth := p.batch, p.lane; k == overflow {
			*p = laneOf{first[k] + nth, 0}
		} else {
			*p = laneOf{first[k] + nth/lanes, nth % lanes}
		}
		P(&c.batches[p.batch]).fill(from, int(p.lane), e)
	}
}

// fetch does the work of fetchJoints for the entries from i on. It also loads the extras of these
// joints into the cache.
func (c *coloured[B, P]) fetch(j *joints, i int) {
	fetchJoints(j, c.entries[i:])
	if c.extras {
		fetchExtras(j, c.entries[i:])
	}
}

// store writes the impulses of the whole step to the library's joints.
func (c *coloured[B, P]) store(to *jointCopier) {
	for i, p := range c.places {
		if i%Fetched == 0 {
			c.fetch(to.joints, i)
		}
		P(&c.batches[p.batch]).store(to, int(p.lane), c.entries[i].slot)
	}
}
