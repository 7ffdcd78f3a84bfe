package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// contact is a pair of shapes whose fat boxes overlap. It is kept from step to step.
//
//   - The fields kept, posed and round and the radii depend on the two shapes and on their positions
//     relative to their bodies' centres of mass (see dropPoints).
//   - Impulses depend on the points (setPoints), and on the length of a sub-step (warmScale).
//   - Friction, restitution and tangent speed depend on both shapes, and on the listener. The method
//     updateContact reads them again when a body was edited.
//   - Whether the contact exists depends on the filters. Code that changes the filters flags the contact.
type contact struct {
	// The kernel reads and writes the first fields, so the layout is fixed.
	normal                              vec // normal points from A to B, in world coordinates.
	friction, tangentSpeed, restitution float32
	flags                               uint16
	count                               uint8 // count is the number of points. It is 0 if the shapes do not touch.
	_                                   uint8
	bodyA, bodyB                        int32
	points                              [2]point
	radiusA, radiusB                    float32 // the radii of the corners of the two shapes

	shapeA, shapeB int32

	kept kept
}

// kept has the points that collide has found for a contact, in A's frame. While the bodies move
// little relative to each other, later steps move the points with the bodies.
type kept struct {
	turn   rot // B's rotation
	offset vec // offset is the vector from A's centre of mass to B's.
	normal vec
	at     [2]vec // at are the points, or the centres of the touching round corners.
}

// point is a contact point.
type point struct {
	rA, rB     vec     // the vectors from the centres of mass to the point
	separation float32 // separation is the separation at the start of this step.
	base       float32 // base is the separation when the point was found.
	normal     float32 // normal is the impulse of the last sub-step, in N·s. The next sub-step starts with it.
	tangent    float32
	// These are the impulses of all sub-steps of the last step.
	total, totalTangent float32
	id                  uint16 // id identifies the touching features. A new point with the same id continues with the impulses.
}

// Flags of a contact.
const (
	touching = 1 << iota // touching: the shapes touch, because they overlap or one has pushed the other.
	enabled              // enabled: PreSolve has not disabled the contact.
	sensor               // sensor: one of the shapes is a sensor.
	posed                // kept is valid
	flipped              // flipped: the reference face is B's.
	gone                 // gone: the fat boxes no longer overlap.
	refilter             // refilter: the world must ask the filters again about the contact.
	known                // known: friction, restitution and tangent speed have been read.
	round                // round: one of the shapes is a circle.
	ahead                // ahead: predict has made the points for a later time in the step, so the ends of rA and rB are still apart.
	met                  // met: the contact had points when finishContact last checked it.
	waits                // waits: isBetween waits, because it must ask the filter or the listener.
	cornered             // cornered: a corner touches a corner, and the normal is not that of a face.
)

// contacts have an entry for each contact of the world.
type contacts struct {
	all    []contact
	active int // active is the number of contacts that have an awake body.

	set    *box.World
	bodies *bodies
	shapes *shapes
}

// follow adds the contacts that other code has made to the table.
func (s *contacts) follow() {
	set := s.set
	s.grow()
	if !set.LookedAtAll() {
		return // this stepper has made all contacts
	}
	for _, n := range set.Contacts.Active {
		if !set.Contacts.All[n].Known {
			s.fill(n)
		}
	}
}

func (s *contacts) grow() { s.all = growTo(s.all, len(s.set.Contacts.All)) }

// fill sets the row of a contact that is new to the stepper.
func (s *contacts) fill(n int32) {
	e := &s.set.Contacts.All[n]
	e.Known = true
	a, b := &s.shapes.all[e.ProxyA], &s.shapes.all[e.ProxyB]
	s.all[n] = freshContact(e, a.radius, b.radius, b.of)
}

func freshContact(e *box.ContactEntry, radiusA, radiusB float32, b box2d.B2ShapeInterface) contact {
	c := contact{shapeA: int32(e.ProxyA), shapeB: int32(e.ProxyB), bodyA: e.A, bodyB: e.B, radiusA: radiusA, radiusB: radiusB}
	if _, ok := b.(*box2d.B2CircleShape); ok { // the library has circles only as the second shape
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

// destroy destroys a contact. If the bodies of the contact touched, this wakes them.
func (s *contacts) destroy(n int32) {
	e := s.set.Contacts.All[n]
	s.set.Contacts.Destroy(n, &s.set.Bodies)
	if (s.bodies.poses[e.A].flags|s.bodies.poses[e.B].flags)&poseAwake != 0 {
		s.active--
	}
	for _, i := range [...]int32{e.A, e.B} {
		// A body that is awake in this step is already in the list.
		if s.bodies.poses[i].flags&poseAwake == 0 && s.bodies.all[i].b.M_flags&b2.BodyAwake != 0 {
			s.set.Wake(i)
			s.bodies.loadWoken(i)
		}
	}
}

// count returns the number of contacts that have an awake body. The narrow phase has counted them.
// If bodies have woken since then, count counts again.
func (s *contacts) count() int {
	if len(s.bodies.woken) > 0 {
		s.active = 0
		for _, n := range s.set.Contacts.Active {
			c := &s.all[n]
			s.active += one((s.bodies.poses[c.bodyA].flags|s.bodies.poses[c.bodyB].flags)&poseAwake != 0)
		}
	}
	return s.active
}

// dropPoints makes the narrow phase compute the points of a body's contacts again, because the kept
// points are relative to an old centre of mass, or belong to old shapes.
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

// closingSpeed returns the speed at which the shapes of a contact approach each other, in m/s. It
// is called before the solver runs, because BeginContact sees the velocities after the solver.
func (s *contacts) closingSpeed(c *contact) (most float32) {
	speeds := s.speeds(c)
	for i := range int(c.count) {
		most = greater(most, -speeds[i&1])
	}
	return most
}

// speeds returns the speeds at which the two bodies of a contact separate at its points, in m/s.
func (s *contacts) speeds(c *contact) (of [2]float32) {
	vA, wA := s.bodies.velocity(c.bodyA)
	vB, wB := s.bodies.velocity(c.bodyB)
	for i := range int(c.count) {
		p := &c.points[i&1]
		of[i&1] = dot(vB.add(left(wB, p.rB)).sub(vA.add(left(wA, p.rA))), c.normal)
	}
	return of
}

// isSolid reports whether a contact is solved. A contact is solved if it has points and is enabled.
func (c *contact) isSolid() bool {
	return c.count > 0 && c.flags&enabled != 0
}

// touch reports whether the last step has solved a touching contact of a body. It first checks the
// contact that it found for the body in an earlier step, because going through a body's list costs
// cache misses.
func (s *contacts) touch(body int32) bool {
	found := &s.bodies.touched[body]
	if s.set.HasContact(body, *found) && s.pushes(*found, body) {
		return true
	}
	for of := range s.set.ContactsOf(s.set.Bodies.All[body].B) {
		if n := of.Number(); of.IsTouching() && s.pushes(n, body) {
			*found = n
			return true
		}
	}
	return false
}

// pushes reports whether the shapes of a body's contact touch and the solver moves one of them.
func (s *contacts) pushes(n, body int32) bool {
	c, poses := &s.all[n], s.bodies.poses
	return c.isSolid() && c.flags&touching != 0 &&
		(poses[body].flags&poseDynamic != 0 || (poses[c.bodyA].flags|poses[c.bodyB].flags)&poseDynamic != 0)
}
