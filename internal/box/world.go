// Package box owns a Box2D world and knows which part of it a step has to look at.
//
// The lists of a Box2D world hold all objects, and most of a large world sleeps. A
// [World] lists the bodies that are awake, and the contacts and joints of these, in the order
// of the world's lists. So the cost of a step follows from the number of bodies that move.
//
// Between two steps the library's objects are changed by the methods of the World, each of
// which notes what it has changed. Other code that has changed a body calls [World.Edit] and
// its like. Code that may have changed anything calls [World.LookAtAll]; the next step then
// looks at the whole world.
//
// Between two steps a body's M_islandIndex is its number in the World, and a joint's
// M_index is the joint's.
package box

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// World is the owner of a Box2D world: it numbers the world's bodies, contacts and joints, and
// lists those that are active. A body is active if it is awake, enabled and not static; a
// contact or joint is active if one of its bodies is. It must be created with [New].
type World struct {
	world *box2d.B2World

	// Bodies, Contacts and Joints are the numbers of active objects, oldest first. Objects
	// that fall asleep in a step stay until the next step begins. Objects that wake or are
	// made in a step are at the end until [World.Merge].
	Bodies, Contacts, Joints []int32

	// Soft is set by the soft stepper. Then a sleeper is woken by an awake body that touches it,
	// and not already by a new contact, whose boxes overlap. Positions that are set have the same
	// bits on every machine. The contacts and the tree of shapes are the World's own, and the
	// library's list of contacts and its tree are empty.
	Soft bool

	Shapes Shapes // with Soft

	Own       []OwnContact // by number of a contact
	Newest    int32        // the first end in the list of all own contacts, or 0; see OwnPlace
	Manifolds Manifolds    // of the own contacts; the soft stepper sets it
	Listener  Listener     // or nil; see Listen

	// BounceSpeed is the closing speed, m/s, below which restitution does not count.
	BounceSpeed float64
	// LocksSliders has the fast stepper hold a slider whose limits are less than 1 cm apart within
	// them. The library takes it to where its anchors meet.
	LocksSliders bool
	// Rolling returns a contact's rolling resistance, in m: the torque for each newton of normal
	// force. It is nil if no contact has any. RestSpeeds returns up to which speeds a body counts
	// as at rest, in m/s and rad/s; 0, and a nil RestSpeeds, stand for the stepper's default.
	// Several goroutines call both in a step.
	Rolling    func(Contact) float64
	RestSpeeds func(*box2d.B2Body) (speed, spin float64)

	// IsLost reports whether a body is out of range; it may be nil. Several goroutines call it.
	// Lost is set if the soft stepper has moved such a body in the last step.
	IsLost func(*box2d.B2Body) bool
	Lost   bool

	// Edited, if it is not nil, is called with each body that is edited between two steps.
	Edited func(*box2d.B2Body)

	// BodyOrder and ContactOrder change when an element of Bodies or Contacts has moved,
	// left or come to mean something else. An element that is added at the end changes
	// neither.
	BodyOrder, ContactOrder uint64

	// Seen are the numbers of the bodies, each once, that were active in the last
	// step, or edited before it. Some of these bodies may have been destroyed since.
	Seen []int32

	// Changed are, during a step, the numbers of the bodies that were edited or destroyed
	// since the last step ended, or of all bodies if everything was looked at. A number may
	// be there twice.
	Changed []int32

	// LookedAtAll is set in a step that began with a look at the whole world.
	LookedAtAll bool

	Body    []Body         // by number
	Contact []ContactEntry // by number
	Joint   []Joint        // by number

	Dirty Dirty

	// Numbers to give out again. After the world went back in time some may be in use.
	freeBodies, freeContacts, freeJoints []int32

	pairs pairs       // the contacts by their proxies
	made  b2.Contacts // makes the library's contacts
	seq   uint64      // the highest age given to a body, contact or joint
	ended uint64      // seq after the last step
	id    uint32      // the last ID given to a contact

	edited     []int32 // numbers of the bodies that the next step looks at
	destroyed  []int32 // numbers of destroyed contacts that are still in Contacts
	everything bool    // the next step looks at everything
	restored   bool    // the world went back in time: the lists keep their elements for the next step
	untold     bool    // nobody tells of edits, so each step looks at everything
	passing    bool    // Seen holds bodies that are not active
	slept      bool    // Bodies may hold bodies that are no longer active
	sweep      bool    // Contacts and Joints may hold elements that are no longer active
	sweepLate  bool    // they may hold some after the next step
	changed    bool    // bodies were made or destroyed since BodiesChanged was called
	islands    bool    // M_islandIndex of a body is the library's, and not its number
	unlisted   bool    // the world's lists may have changed although their heads and counts have not
	worked     bool    // a step has changed the active objects, which are not yet marked in Dirty

	// How many of Bodies, Contacts and Joints are in the order of age; the others wait for Merge.
	sortedBodies, sortedContacts, sortedJoints int

	// The heads and counts of the world's lists after the last step, if untold.
	bodyHead                            *box2d.B2Body
	contactHead                         box2d.B2ContactInterface
	jointHead                           box2d.B2JointInterface
	bodyCount, contactCount, jointCount int

	aside  []int32                    // scratch of mergeTail
	known  []bool                     // scratch of knownFlags
	walked []box2d.B2ContactInterface // scratch of listContacts

	walkedBodies []*box2d.B2Body
	walkedJoints []box2d.B2JointInterface

	finder finder

	exposed  bool // others may hold the library's own objects
	raw      bool // others had them since the World last looked at everything
	index    moveIndex
	sleepers []sleeper
}

// ContactEntry is what steps know of a contact of the world.
type ContactEntry struct {
	C              *box2d.B2Contact // nil where the contact is the World's own
	I              box2d.B2ContactInterface
	A, B           int32 // the numbers of its bodies
	ProxyA, ProxyB Proxy
	Seq            uint64 // its age: older contacts have lower numbers
	ID             uint32 // differs from that of each earlier contact with this number; 0: the number is free
	Kind           b2.Kind
	Listed         bool // in World.Contacts
	Known          bool // set by the stepper, when it knows the contact
}

// Joint is a joint of the world.
type Joint struct {
	Base   *box2d.B2Joint // nil: the number is free
	J      box2d.B2JointInterface
	seq    uint64
	Gear   bool
	Listed bool // in World.Joints
	Known  bool // set by the stepper, when it knows the joint

	Extra *JointExtra // settings that the library's joint lacks; nil if none is used
}

// New returns the owner of a library's world, of which it knows nothing yet. If told is
// false, others change the world without telling the owner, so each step looks at everything.
func New(world *box2d.B2World, told bool) *World {
	s := &World{world: world, BounceSpeed: box2d.B2_velocityThreshold, everything: true, unlisted: true, untold: !told}
	s.Shapes.world, s.Shapes.leaves = world, &s.Dirty.Leaves
	return s
}

// Configure sets how the world is stepped. It keeps the library from clearing forces after a
// step: Settle does so for the bodies that the step has worked on.
func (s *World) Configure(sleeps, warmStarts, continuous, subSteps bool) {
	w := s.world
	w.SetAutoClearForces(false)
	w.SetAllowSleeping(sleeps)
	w.M_warmStarting, w.M_continuousPhysics, w.M_subStepping = warmStarts, continuous, subSteps
}

// BodiesChanged reports whether bodies were made or destroyed since its last call.
func (s *World) BodiesChanged() bool {
	changed := s.changed
	s.changed = false
	return changed
}

// End is called after a step.
func (s *World) End() {
	s.worked, s.ended = true, s.seq
	s.Shapes.update()
	s.Changed = s.Changed[:0]
	if s.untold {
		w, m := s.world, &s.world.M_contactManager
		s.bodyHead, s.contactHead, s.jointHead = w.M_bodyList, m.M_contactList, w.M_jointList
		s.bodyCount, s.contactCount, s.jointCount = w.M_bodyCount, m.M_contactCount, w.M_jointCount
	}
}

// GiveBack is called after End. If nobody tells of edits, the library's own step may come
// next, so GiveBack puts the library's values back into M_islandIndex.
func (s *World) GiveBack() {
	if s.untold {
		for n := range s.Body {
			if e := &s.Body[n]; e.B != nil {
				e.B.M_islandIndex = e.Island
			}
		}
		s.islands = true
	}
}

// Current reports whether the World knows of all changes.
func (s *World) Current() bool { return !s.everything }

// LookAtAll is called after unknown changes. The next step looks at everything.
func (s *World) LookAtAll() {
	s.everything = true
	s.index.forget()
}

// take returns the number of a free element of a table, or of a new one at its end. Numbers in
// free that are in use again, because the world went back in time, are skipped.
func take[T any](table *[]T, free *[]int32, isFree func(*T) bool) int32 {
	for k := len(*free); k > 0; k = len(*free) {
		n := (*free)[k-1]
		*free = (*free)[:k-1]
		if isFree(&(*table)[n]) {
			return n
		}
	}
	var zero T
	*table = append(*table, zero)
	return int32(len(*table) - 1)
}

// flag has a contact filtered anew.
func (s *World) flag(c Contact) {
	*c.Flags() |= b2.ContactFilter
	if s.everything {
		return
	}
	if n := s.numberAt(c); n >= 0 {
		s.Dirty.Contacts.Mark(n)
		s.listContact(n)
		s.sweep = true
	}
}

// JointMade follows the creation of a joint.
func (s *World) JointMade(j box2d.B2JointInterface) {
	base := b2.BaseJoint(j)
	s.edit(base.M_bodyA, 0)
	s.edit(base.M_bodyB, 0)
	if s.everything {
		return
	}
	s.listJoint(s.addJoint(j, base)) // for one step at least
	s.sweep = true
}

// JointGoes comes before a joint is destroyed, which wakes its bodies.
func (s *World) JointGoes(j box2d.B2JointInterface) {
	base := b2.BaseJoint(j)
	s.edit(base.M_bodyA, 0)
	s.edit(base.M_bodyB, 0)
	if s.everything {
		return
	}
	s.dirtyJoint(base)
	if n := s.JointNumber(base); n >= 0 {
		s.dropJoint(n)
	}
}

// dropJoint forgets a joint. One that is listed keeps its number until it leaves the list.
func (s *World) dropJoint(n int32) {
	e := &s.Joint[n]
	if e.Listed {
		e.Base, e.J = nil, nil
		s.sweep = true
		return
	}
	*e = Joint{}
	s.freeJoints = append(s.freeJoints, n)
}

// JointNumber returns the number of a joint, or -1.
func (s *World) JointNumber(base *box2d.B2Joint) int32 {
	if n := base.M_index; n >= 0 && n < len(s.Joint) && s.Joint[n].Base == base {
		return int32(n)
	}
	return -1
}

// addJoint gives a joint a number.
func (s *World) addJoint(j box2d.B2JointInterface, base *box2d.B2Joint) int32 {
	n := take(&s.Joint, &s.freeJoints, (*Joint).isFree)
	s.seq++
	_, gear := j.(*box2d.B2GearJoint)
	s.Joint[n] = Joint{Base: base, J: j, seq: s.seq, Gear: gear, Extra: usedExtra(j)}
	base.M_index = int(n)
	s.dirtyJoint(base)
	return n
}

// NumberOf returns the number of a contact, or -1. It may be one that is gone.
func (s *World) NumberOf(c *box2d.B2Contact) int32 {
	if n := b2.Number(c); n >= 0 && int(n) < len(s.Contact) && s.Contact[n].C == c {
		return n
	}
	if !hasProxy(c.M_fixtureA, c.M_indexA) || !hasProxy(c.M_fixtureB, c.M_indexB) {
		return -1
	}
	if n := s.Find(proxyOf(c.M_fixtureA, c.M_indexA), proxyOf(c.M_fixtureB, c.M_indexB)); n >= 0 && s.Contact[n].C == c {
		return n
	}
	return -1
}

func hasProxy(f *box2d.B2Fixture, child int) bool { return f != nil && child < len(f.M_proxies) }

func proxyOf(f *box2d.B2Fixture, child int) Proxy { return Proxy(f.M_proxies[child].ProxyId) }

// Find returns the number of the contact that two proxies have, or -1.
func (s *World) Find(a, b Proxy) int32 { return s.pairs.find(Key(a, b)) }

// Without drops from the keys of some pairs those of pairs that have a contact.
func (s *World) Without(keys []uint64) []uint64 { return s.pairs.without(keys) }

// addContact gives a contact of the library's a number.
func (s *World) addContact(i box2d.B2ContactInterface, c *box2d.B2Contact, kind b2.Kind) int32 {
	a, b := c.M_fixtureA, c.M_fixtureB
	n := s.number(ContactEntry{C: c, I: i, Kind: kind}, a.M_body, b.M_body, proxyOf(a, c.M_indexA), proxyOf(b, c.M_indexB))
	b2.SetNumber(c, n)
	return n
}

// number gives a contact of two bodies and proxies a number.
func (s *World) number(e ContactEntry, a, b *box2d.B2Body, proxyA, proxyB Proxy) int32 {
	n := take(&s.Contact, &s.freeContacts, (*ContactEntry).isFree)
	s.seq++
	s.id++
	e.Seq, e.ID = s.seq, s.id
	e.A, e.B = int32(a.M_islandIndex), int32(b.M_islandIndex)
	e.ProxyA, e.ProxyB = proxyA, proxyB
	s.Contact[n] = e
	s.pairs.add(Key(e.ProxyA, e.ProxyB), n)
	s.dirtyContact(n)
	return n
}

// Destroy destroys a contact as B2ContactManager.Destroy does.
func (s *World) Destroy(n int32) {
	s.dirtyContact(n)
	if s.Soft {
		s.endOwn(n)
	} else {
		b2.DestroyContact(&s.world.M_contactManager, s.Contact[n].I, s.Contact[n].C)
	}
	s.drop(n)
}

// drop forgets a contact. One that is listed keeps its number until it leaves the list.
func (s *World) drop(n int32) {
	e := &s.Contact[n]
	s.pairs.remove(Key(e.ProxyA, e.ProxyB))
	if s.Soft {
		s.Own[n].A, s.Own[n].B = nil, nil // else the garbage collector would keep destroyed fixtures
	} else {
		s.made.End(e.C)
	}
	e.C, e.I, e.ID = nil, nil, 0
	if e.Listed {
		s.destroyed = append(s.destroyed, n)
		return
	}
	*e = ContactEntry{}
	s.freeContacts = append(s.freeContacts, n)
}

// Wake lists a body that is awake now, or will be before the step ends, with its
// contacts and joints.
func (s *World) Wake(n int32) {
	e := &s.Body[n]
	if e.Listed || e.Static || e.B == nil || e.B.M_flags&b2.BodyActive == 0 {
		return
	}
	e.Listed, s.slept = true, true
	s.Bodies = append(s.Bodies, n)
	s.See(n)
	s.listAround(e)
}

// listContact puts a contact at the end of Contacts, if it is not there.
func (s *World) listContact(n int32) {
	if e := &s.Contact[n]; !e.Listed {
		e.Listed = true
		s.Contacts = append(s.Contacts, n)
	}
}

// See adds a body to Seen, for code that looks after the step at the bodies it may have changed.
func (s *World) See(n int32) {
	if e := &s.Body[n]; !e.seen {
		e.seen = true
		s.passing = s.passing || !e.Listed
		s.Seen = append(s.Seen, n)
		s.Dirty.Bodies.Mark(n)
	}
}

// Begin comes before a step. It returns false if the world holds a contact or
// joint of a type that is not the library's.
func (s *World) Begin() bool {
	s.worked = true
	s.index.forget()
	if s.passing {
		s.forget()
	}
	if s.everything && !s.lookAtAll() {
		return false
	}
	s.slept = s.slept || len(s.edited) > 0 || s.everything || s.restored
	for _, n := range s.edited {
		e := &s.Body[n]
		e.edited = false
		s.See(n)
		if !s.everything || e.B == nil {
			s.Changed = append(s.Changed, n)
		}
		if e.B != nil {
			s.look(n)
		}
	}
	s.edited = s.edited[:0]
	s.LookedAtAll, s.everything = s.everything, s.untold
	s.leave()
	s.restored = false
	s.Merge()
	s.sweep, s.sweepLate = s.sweep || s.sweepLate, false
	s.made.BeginRound()
	return true
}

// forget takes bodies that are not active out of Seen.
func (s *World) forget() {
	s.passing = false
	k := 0
	for _, n := range s.Seen {
		e := &s.Body[n]
		if e.Listed && e.B != nil {
			s.Seen[k] = n
			k++
			continue
		}
		e.seen = false
		s.freeBody(n)
	}
	s.Seen = s.Seen[:k]
}

// look looks at a body that may have changed.
func (s *World) look(n int32) {
	e := &s.Body[n]
	was := e.Static
	e.Static = e.B.M_type == b2.StaticBody
	switch {
	case e.Listed && was && !e.Static: // PutAll may have listed it alone
		s.listAround(e)
	case !e.Listed && b2.IsAwake(e.B):
		s.Wake(n)
	}
}

// Slept is called when a step has put bodies to sleep.
func (s *World) Slept() { s.slept = true }

// leave takes objects that are no longer active out of the lists.
func (s *World) leave() {
	if s.slept {
		s.leaveBodies()
	}
	if s.sweep || len(s.destroyed) > 0 {
		s.sweep, s.destroyed = false, s.destroyed[:0]
		s.sweepContacts()
		s.sweepJoints()
	}
}

// leaveBodies takes bodies that sleep or were destroyed out of Bodies. After a look at
// everything or a restore sleepers stay for one step, which clears the flags left on them.
func (s *World) leaveBodies() {
	k, sorted := 0, s.sortedBodies
	stay := s.LookedAtAll || s.restored
	s.slept = stay // they may have to go after the step
	for i, n := range s.Bodies {
		e := &s.Body[n]
		if e.B != nil && (stay || b2.IsAwake(e.B)) {
			s.Bodies[k] = n
			k++
			continue
		}
		if i < sorted {
			s.sortedBodies--
		}
		e.Listed, s.passing = false, true
		if s.marks() {
			s.Dirty.Bodies.Mark(n)
		}
		s.freeBody(n)
		s.sweep = true
	}
	if k < len(s.Bodies) {
		s.Bodies = s.Bodies[:k]
		s.BodyOrder++
	}
}

// sweepContacts takes contacts that were destroyed or have no listed body out of Contacts.
func (s *World) sweepContacts() {
	k, sorted := 0, s.sortedContacts
	for i, n := range s.Contacts {
		e := &s.Contact[n]
		listed := e.ID != 0 && (s.Body[e.A].Listed || s.Body[e.B].Listed)
		// A step clears flags of every contact that it has not seen yet.
		if listed || e.ID != 0 && (s.LookedAtAll || s.restored || e.Seq > s.ended || *s.At(n).Flags()&b2.ContactFilter != 0) {
			s.Contacts[k] = n
			k++
			s.sweepLate = s.sweepLate || !listed // it may have to go after the step
			continue
		}
		if i < sorted {
			s.sortedContacts--
		}
		e.Listed = false
		if s.marks() {
			s.markContact(n)
		}
		if e.ID == 0 {
			*e = ContactEntry{}
			s.freeContacts = append(s.freeContacts, n)
		}
	}
	s.keepContacts(k)
}

// keepContacts cuts Contacts to its first elements.
func (s *World) keepContacts(first int) {
	if first < len(s.Contacts) {
		s.Contacts = s.Contacts[:first]
		s.ContactOrder++
	}
}

// sweepJoints is sweepContacts for joints.
func (s *World) sweepJoints() {
	k, sorted := 0, s.sortedJoints
	for i, n := range s.Joints {
		e := &s.Joint[n]
		if e.Base != nil && (s.LookedAtAll || s.restored || s.isListed(e.Base.M_bodyA) || s.isListed(e.Base.M_bodyB)) {
			s.Joints[k] = n
			k++
			continue
		}
		if i < sorted {
			s.sortedJoints--
		}
		e.Listed = false
		if s.marks() {
			s.markJoint(n)
		}
		if e.Base == nil {
			*e = Joint{}
			s.freeJoints = append(s.freeJoints, n)
		}
	}
	s.Joints = s.Joints[:k]
}

func (s *World) isListed(b *box2d.B2Body) bool { return s.Body[b.M_islandIndex].Listed }

// Merge sorts the elements that were added to the lists since the last Merge into their places,
// and takes out destroyed contacts.
func (s *World) Merge() {
	if len(s.destroyed) > 0 {
		s.leaveDestroyed()
		s.destroyed = s.destroyed[:0]
	}
	if mergeTail(s.Bodies, &s.sortedBodies, &s.aside, func(a, b int32) bool { return s.Body[a].seq < s.Body[b].seq }) {
		s.BodyOrder++
	}
	if mergeTail(s.Contacts, &s.sortedContacts, &s.aside, func(a, b int32) bool { return s.Contact[a].Seq < s.Contact[b].Seq }) {
		s.ContactOrder++
	}
	mergeTail(s.Joints, &s.sortedJoints, &s.aside, func(a, b int32) bool { return s.Joint[a].seq < s.Joint[b].seq })
}

// leaveDestroyed takes destroyed contacts out in the middle of a step.
func (s *World) leaveDestroyed() {
	gone := s.knownFlags(len(s.Contact))
	for _, n := range s.destroyed {
		gone[n] = s.Contact[n].ID == 0
	}
	k, sorted := 0, s.sortedContacts
	for i, n := range s.Contacts {
		if !gone[n] {
			s.Contacts[k] = n
			k++
			continue
		}
		if i < sorted {
			s.sortedContacts--
		}
		if s.marks() {
			s.markContact(n)
		}
		s.Contact[n] = ContactEntry{}
		s.freeContacts = append(s.freeContacts, n)
	}
	s.keepContacts(k)
}

// mergeTail merges the end of a list, from sorted on, into the part before it. It
// reports whether any element has moved.
func mergeTail(list []int32, sorted *int, scratch *[]int32, less func(a, b int32) bool) (moved bool) {
	k := *sorted
	*sorted = len(list)
	tail := list[k:]
	if len(tail) == 0 {
		return false
	}
	order := func(a, b int32) int {
		if less(a, b) {
			return -1
		}
		return 1
	}
	if moved = !slices.IsSortedFunc(tail, order); moved {
		slices.SortFunc(tail, order)
	}
	if k == 0 || less(list[k-1], tail[0]) {
		return moved
	}
	// Merge from the back, with the tail put aside.
	*scratch = append((*scratch)[:0], tail...)
	aside := *scratch
	i, j := k-1, len(aside)-1
	for at := len(list) - 1; j >= 0; at-- {
		if i >= 0 && less(aside[j], list[i]) {
			list[at] = list[i]
			i--
		} else {
			list[at] = aside[j]
			j--
		}
	}
	return true
}
