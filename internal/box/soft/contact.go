package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// contact is a pair of shapes whose fat boxes overlap, as it is kept from step to step.
//
//   - kept, posed, round and the radii depend on the two shapes and on where these lie about their
//     bodies' centres of mass: dropPoints.
//   - Impulses depend on the points (setPoints), and on the length of a sub-step: warmScale.
//   - Friction, restitution and tangent speed depend on both shapes, and on what the listener has
//     set: updateContact reads them again when a body was edited.
//   - That there is a contact depends on the filters: whoever changes these flags it for filtering.
type contact struct {
	// What the kernel reads and writes comes first, so the layout is fixed.
	normal                              vec // of the world, from A to B
	friction, tangentSpeed, restitution float32
	flags                               uint16
	count                               uint8 // of points; 0 if they do not touch
	_                                   uint8
	bodyA, bodyB                        int32
	points                              [2]point
	radiusA, radiusB                    float32 // how round the shapes are

	shapeA, shapeB int32

	kept kept
}

// kept is where collide found the points of a contact, in A's frame. Later steps move the
// points with the bodies, as long as these move little against each other.
type kept struct {
	turn   rot // B's rotation
	offset vec // from A's centre of mass to B's
	normal vec
	at     [2]vec // the points, or the centres of the round corners that touch there
}

// point is a contact point.
type point struct {
	rA, rB     vec     // from the centres of mass
	separation float32 // at the start of this step
	base       float32 // the separation when the point was found
	normal     float32 // impulse of the last sub-step, which warm-starts the next, N·s
	tangent    float32
	// The impulses of all sub-steps of the last step.
	total, totalTangent float32
	id                  uint16 // of the features that touch; a new point with the same id goes on with the impulses
}

// Flags of a contact.
const (
	touching = 1 << iota // the shapes touch: they overlap, or one has pushed the other
	enabled              // PreSolve has not disabled it
	sensor               // one of the shapes is a sensor
	posed                // kept is valid
	flipped              // the reference face is B's
	gone                 // the fat boxes no longer overlap
	refilter             // the filters are to be asked again
	known                // friction, restitution and tangent speed have been read
	round                // one of the shapes is a circle
	ahead                // predict has made the points, for later in the step: the ends of rA and rB are still apart
	met                  // it had points when finishContact looked at it last
	waits                // isBetween waits for its turn, because it has to ask the filter or the listener
	cornered             // a corner touches a corner, and the normal is of no face
)

// contacts have an entry for each contact of the world.
type contacts struct {
	all    []contact
	active int // how many of them hold a body that is awake

	set    *box.World
	bodies *bodies
	shapes *shapes
}

// follow adds the contacts that others have made to the table.
func (s *contacts) follow() {
	set := s.set
	s.grow()
	if !set.LookedAtAll() {
		return // this stepper has made all of them
	}
	for _, n := range set.Contacts.Active {
		if !set.Contacts.All[n].Known {
			s.fill(n)
		}
	}
}

func (s *contacts) grow() { s.all = growTo(s.all, len(s.set.Contacts.All)) }

// fill sets the row of a contact that the stepper does not know yet.
func (s *contacts) fill(n int32) {
	e := &s.set.Contacts.All[n]
	e.Known = true
	a, b := &s.shapes.all[e.ProxyA], &s.shapes.all[e.ProxyB]
	s.all[n] = freshContact(e, a.radius, b.radius, b.of)
}

func freshContact(e *box.ContactEntry, radiusA, radiusB float32, b box2d.B2ShapeInterface) contact {
	c := contact{shapeA: int32(e.ProxyA), shapeB: int32(e.ProxyB), bodyA: e.A, bodyB: e.B, radiusA: radiusA, radiusB: radiusB}
	if _, ok := b.(*box2d.B2CircleShape); ok { // the library has no other order
		c.flags = round
	}
	return c
}

func radiusOf(sh box2d.B2ShapeInterface) float32 {
	if t := sh.GetType(); t == b2.CircleShape || t == b2.RoundShape {
		return float32(sh.GetRadius())
	}
	return roundness(sh.GetRadius())
}

// destroy destroys a contact, which wakes its bodies if they touched.
func (s *contacts) destroy(n int32) {
	e := s.set.Contacts.All[n]
	s.set.Contacts.Destroy(n, &s.set.Bodies)
	if (s.bodies.poses[e.A].flags|s.bodies.poses[e.B].flags)&poseAwake != 0 {
		s.active--
	}
	for _, i := range [...]int32{e.A, e.B} {
		// A body that is awake in this step is listed already.
		if s.bodies.poses[i].flags&poseAwake == 0 && s.bodies.all[i].b.M_flags&b2.BodyAwake != 0 {
			s.set.Wake(i)
			s.bodies.loadWoken(i)
		}
	}
}

// count returns how many contacts hold a body that is awake. The narrow phase has counted them, and
// they are counted again if bodies have woken since.
func (s *contacts) count() int {
	if s.bodies.woken {
		s.active = 0
		for _, n := range s.set.Contacts.Active {
			c := &s.all[n]
			s.active += one((s.bodies.poses[c.bodyA].flags|s.bodies.poses[c.bodyB].flags)&poseAwake != 0)
		}
	}
	return s.active
}

// dropPoints has the narrow phase find the points of a body's contacts anew: the kept ones are about
// another centre of mass, or of other shapes.
func (s *contacts) dropPoints(b *box2d.B2Body) {
	for of := range s.set.ContactsOf(b) {
		n := of.Number()
		c, e := &s.all[n], &s.set.Contacts.All[n]
		shape := &s.shapes.all[e.ProxyB]
		fresh := freshContact(e, s.shapes.all[e.ProxyA].radius, shape.radius, shape.of)
		c.radiusA, c.radiusB = fresh.radiusA, fresh.radiusB
		c.flags = c.flags&^(posed|round) | fresh.flags
	}
}

// closingSpeed is how fast the shapes of a contact come together, m/s. It is noted before the
// solver: BeginContact finds the velocities that the solver leaves.
func (s *contacts) closingSpeed(c *contact) (most float32) {
	speeds := s.speeds(c)
	for i := range int(c.count) {
		most = greater(most, -speeds[i&1])
	}
	return most
}

// speeds are how fast the two bodies of a contact leave each other at its points, m/s.
func (s *contacts) speeds(c *contact) (of [2]float32) {
	vA, wA := s.bodies.velocity(c.bodyA)
	vB, wB := s.bodies.velocity(c.bodyB)
	for i := range int(c.count) {
		p := &c.points[i&1]
		of[i&1] = dot(vB.add(left(wB, p.rB)).sub(vA.add(left(wA, p.rA))), c.normal)
	}
	return of
}

// isSolid reports whether a contact is solved: it has points and is enabled.
func (c *contact) isSolid() bool {
	return c.count > 0 && c.flags&enabled != 0
}

// touch reports whether a contact of a body that the last step has solved touches.
func (s *contacts) touch(body int32) bool {
	for of := range s.set.ContactsOf(s.set.Bodies.All[body].B) {
		c := &s.all[of.Number()]
		if c.isSolid() && c.flags&touching != 0 && (s.bodies.poses[c.bodyA].flags|s.bodies.poses[c.bodyB].flags)&poseDynamic != 0 {
			return true
		}
	}
	return false
}
