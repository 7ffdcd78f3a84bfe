package b2state

import (
	"reflect"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/binenc"
	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/box/store"
)

// Loaded is a world that was read from bytes, with its objects in the order of its lists.
type Loaded struct {
	World    *box2d.B2World
	Owner    *box.World
	Store    *store.Store // the Store for the method Save
	Bodies   []*box2d.B2Body
	Fixtures []*box2d.B2Fixture // body by body
	Contacts []box.Contact
	Joints   []box2d.B2JointInterface

	// For a World that has its own tree: the leaves that were read, and the shapes by fixture and
	// child.
	leaves []readLeaf
	shapes [][]int32
}

// Read reads a world from the bytes of Append, and makes new objects. The bytes may come from any
// source. If a world cannot have a value, the reader gets an error. The world is complete only
// without an error. If own is true, the World keeps the contacts itself, as the soft stepper
// requires.
func Read(r *binenc.Reader, own bool) *Loaded {
	w := box2d.MakeB2World(box2d.B2Vec2{})
	l := &Loaded{World: &w, Owner: box.New(&w, true)} // true: the owner will receive all changes
	if own {
		l.Owner.GoSoft(nil)
	}
	s := new(State)
	r.Value(&s.world)
	l.readBodies(r)
	if own {
		l.putLeaves(r)
	}
	l.readContacts(r)
	l.readJoints(r)
	var nodes []nodeValues
	if !own {
		nodes = binenc.ReadEach[nodeValues](r, 50) // numbers such as 50 and 4 are the least size of an element in bytes
	}
	s.moves = binenc.ReadEach[int32](r, 4)
	if r.Err != nil {
		return l
	}
	s.counts.nodes = len(nodes)
	w.M_gravity, w.M_flags, w.M_allowSleep, w.M_inv_dt0 = s.world.gravity, s.world.flags, s.world.allowSleep, s.world.invDt0
	w.M_warmStarting, w.M_continuousPhysics, w.M_subStepping, w.M_stepComplete = s.world.warmStarting, s.world.continuous, s.world.sub, s.world.isComplete
	if own {
		l.checkMoves(r, s.moves)
	} else {
		bp := &w.M_contactManager.M_broadPhase
		s.restoreBroadPhase(bp)
		for i := range nodes {
			nodes[i].restore(&bp.M_tree.M_nodes[i])
		}
		l.check(r)
	}
	if r.Err == nil {
		l.connect()
	}
	return l
}

// Save takes a State of the world. Past.Restore can restore the State in another world.
func (l *Loaded) Save(s *State) error {
	l.Store = new(store.Store)
	err := NewPast(l.World, l.Owner, l.Store, new(Shapes)).Save(s)
	s.world.knowsCalls = false // the other world has its own callbacks
	return err
}

// readBodies reads the bodies with their shapes, newest first.
func (l *Loaded) readBodies(r *binenc.Reader) {
	w, next := l.World, &l.World.M_bodyList
	var last *box2d.B2Body
	for range r.Count(100) { // a body has at least 100 bytes
		b := new(box2d.B2Body)
		r.Value(b)
		if !r.Expect(b.M_type <= 2 && b.M_fixtureCount >= 0 && b.M_sweep.Alpha0 >= 0 && b.M_sweep.Alpha0 < 1) {
			return
		}
		b.M_world, b.M_prev = w, last
		*next, last, next = b, b, &b.M_next
		l.Bodies = append(l.Bodies, b)
		w.M_bodyCount++
		to := &b.M_fixtureList
		for range b.M_fixtureCount {
			f := l.readFixture(r, b)
			if r.Err != nil {
				return
			}
			*to, to = f, &f.M_next
			l.Fixtures = append(l.Fixtures, f)
		}
	}
}

func (l *Loaded) readFixture(r *binenc.Reader, of *box2d.B2Body) *box2d.B2Fixture {
	f := new(box2d.B2Fixture)
	r.Value(f)
	if f.M_body, f.M_shape = of, readShape(r); r.Err == nil && l.Owner.Soft() {
		l.readLeaves(r, f)
		return f
	}
	proxies := binenc.ReadEach[proxyValues](r, 40)
	count := 0
	if of.M_flags&b2.BodyActive != 0 {
		count = len(proxies)
	}
	if r.Err != nil || !r.Expect(len(proxies) == f.M_shape.GetChildCount() && f.M_proxyCount == count) {
		return nil
	}
	f.M_proxies = make([]box2d.B2FixtureProxy, len(proxies))
	for k, p := range proxies {
		if !r.Expect(p.child == int32(k) || count == 0) {
			return nil
		}
		f.M_proxies[k] = box2d.B2FixtureProxy{Aabb: p.aabb, Fixture: f, ChildIndex: int(p.child), ProxyId: int(p.id)}
	}
	return f
}

func readShape(r *binenc.Reader) box2d.B2ShapeInterface {
	kind := int(readByte(r))
	if !r.Expect(kind < len(shapeTypes)) {
		return nil
	}
	s := reflect.New(shapeTypes[kind]).Interface().(box2d.B2ShapeInterface)
	r.Value(s)
	ok := int(s.GetType()) == kind && s.GetRadius() >= 0
	switch s := s.(type) {
	case *box2d.B2PolygonShape:
		ok = ok && s.M_count >= 3 && s.M_count <= box2d.B2_maxPolygonVertices
	case *b2.RoundPolygon:
		ok = ok && s.M_radius > 0 && s.M_count >= 2 && s.M_count <= box2d.B2_maxPolygonVertices
	case *box2d.B2ChainShape:
		ok = ok && s.M_count >= 2 && s.M_count == len(s.M_vertices)
	}
	r.Expect(ok)
	return s
}

// readContacts reads all contacts, checks them, and then makes them.
func (l *Loaded) readContacts(r *binenc.Reader) {
	type read struct {
		a, b     *box2d.B2Fixture
		child    int
		shapes   [2]int32 // shapes are the World's own numbers of the two shapes.
		values   contactValues
		manifold box2d.B2Manifold
	}
	var all []read
	pairs := map[[2][2]int32]bool{} // two shapes have at most one contact
	for range r.Count(40) {         // a contact has at least 40 bytes
		var ends contactEnds
		var v contactValues
		var m box2d.B2Manifold
		r.Value(&ends)
		if r.Value(&v); v.touched {
			r.Value(&m)
		}
		a, b := l.end(r, ends.fixtureA, ends.childA), l.end(r, ends.fixtureB, 0)
		if !r.Expect(a != nil && b != nil && a.M_body != b.M_body && v.toiCount >= 0 && v.toi >= 0 && v.toi <= 1 &&
			m.PointCount >= 0 && m.PointCount <= len(m.Points) && m.Type <= box2d.B2Manifold_Type.E_faceB) {
			return
		}
		pair := [2][2]int32{{ends.fixtureA, ends.childA}, {ends.fixtureB, 0}}
		if slices.Compare(pair[0][:], pair[1][:]) > 0 {
			pair[0], pair[1] = pair[1], pair[0]
		}
		r.Expect(!pairs[pair])
		pairs[pair] = true
		first, child, _, kind := b2.OrderEnds(a, int(ends.childA), b, 0)
		if !r.Expect(kind != b2.Unknown && first == a && child == int(ends.childA)) {
			return
		}
		from := read{a: a, b: b, child: child, values: v, manifold: m}
		if l.Owner.Soft() {
			from.shapes = [2]int32{l.shapes[ends.fixtureA][ends.childA], l.shapes[ends.fixtureB][0]}
		}
		all = append(all, from)
	}
	l.Owner.Renumber() // Renumber gives the bodies numbers
	l.Contacts = make([]box.Contact, len(all))
	for i, from := range slices.Backward(all) { // the oldest first, in the order in which they were created
		var n int32
		if l.Owner.Soft() {
			n = l.Owner.Contacts.MakeOwn(from.shapes[0], from.shapes[1], l.Owner.Shapes.All, &l.Owner.Bodies)
		} else {
			n = l.Owner.Contacts.Make(from.a, from.child, from.b, 0, &l.Owner.Bodies)
		}
		c := l.Owner.Contacts.At(n)
		*c.Flags() = from.values.flags
		c.SetSurface(from.values.Surface)
		if of := l.Owner.Contacts.All[n].C; of != nil {
			of.M_toiCount, of.M_toi, *of.M_manifold = int(from.values.toiCount), from.values.toi, from.manifold
		}
		l.Contacts[i] = c
	}
}

// end returns a fixture that has a proxy for a child, or nil.
func (l *Loaded) end(r *binenc.Reader, fixture, child int32) *box2d.B2Fixture {
	if r.Err != nil || fixture < 0 || int(fixture) >= len(l.Fixtures) {
		return nil
	}
	f := l.Fixtures[fixture]
	children := f.M_proxyCount
	if l.Owner.Soft() {
		children = len(l.shapes[fixture])
	}
	if child >= 0 && int(child) < children {
		return f
	}
	return nil
}

// readJoints reads the joints; connect links them. A gear may couple joints that come after it.
func (l *Loaded) readJoints(r *binenc.Reader) {
	var ends []jointEnds
	var bases []*box2d.B2Joint
	for range r.Count(100) { // a joint has at least 100 bytes
		var e jointEnds
		kind := jointTypes[readByte(r)]
		r.Value(&e)
		if !r.Expect(kind != nil && e.bodyA != e.bodyB && l.isBody(e.bodyA) && l.isBody(e.bodyB)) {
			return
		}
		base, j := new(box2d.B2Joint), newJoint(kind)
		r.Value(base)
		r.Value(j)
		extra := false
		if r.Value(&extra); extra {
			x := new(box.JointExtra)
			r.Value(x)
			base.M_userData = x
		}
		if !r.Expect(jointTypes[base.M_type] == kind) {
			return
		}
		base.M_bodyA, base.M_bodyB = l.Bodies[e.bodyA], l.Bodies[e.bodyB]
		base.M_edgeA, base.M_edgeB = new(box2d.B2JointEdge), new(box2d.B2JointEdge)
		value(j).Field(0).Set(reflect.ValueOf(base))
		ends, bases, l.Joints = append(ends, e), append(bases, base), append(l.Joints, j)
	}
	// geared returns a joint that a gear can couple, or nil.
	geared := func(i int32) *box2d.B2Joint {
		if i < 0 || int(i) >= len(bases) || bases[i].M_type != box2d.B2JointType.E_revoluteJoint && bases[i].M_type != box2d.B2JointType.E_prismaticJoint {
			return nil
		}
		return bases[i]
	}
	for i, e := range ends {
		gear, ok := l.Joints[i].(*box2d.B2GearJoint)
		if !ok {
			continue
		}
		one, two := geared(e.joint1), geared(e.joint2)
		if !r.Expect(one != nil && two != nil &&
			one.M_bodyB == bases[i].M_bodyA && two.M_bodyB == bases[i].M_bodyB &&
			gear.M_typeA == one.M_type && gear.M_typeB == two.M_type) {
			return
		}
		gear.M_joint1, gear.M_joint2 = l.Joints[e.joint1], l.Joints[e.joint2]
		gear.M_bodyC, gear.M_bodyD = one.M_bodyA, two.M_bodyA
	}
}

func (l *Loaded) isBody(i int32) bool { return i >= 0 && int(i) < len(l.Bodies) }

// connect links the joints, the oldest first, in the order in which they were created. It also
// sets the proxies of the tree's leaves.
func (l *Loaded) connect() {
	w, m := l.World, &l.World.M_contactManager
	for _, f := range l.Fixtures {
		for k := range f.M_proxyCount {
			m.M_broadPhase.M_tree.M_nodes[f.M_proxies[k].ProxyId].UserData = &f.M_proxies[k]
		}
	}
	for _, i := range slices.Backward(l.Joints) {
		j := b2.BaseJoint(i)
		linkJoint(j.M_edgeA, i, j.M_bodyA, j.M_bodyB)
		linkJoint(j.M_edgeB, i, j.M_bodyB, j.M_bodyA)
		if j.M_next = w.M_jointList; j.M_next != nil {
			b2.BaseJoint(j.M_next).M_prev = i
		}
		w.M_jointList = i
		w.M_jointCount++
	}
}

// linkJoint inserts an edge of a joint at the head of its body's list.
func linkJoint(e *box2d.B2JointEdge, j box2d.B2JointInterface, body, other *box2d.B2Body) {
	*e = box2d.B2JointEdge{Other: other, Joint: j, Next: body.M_jointList}
	if e.Next != nil {
		e.Next.Prev = e
	}
	body.M_jointList = e
}

// readByte reads a kind of object, which has one byte.
func readByte(r *binenc.Reader) (b uint8) {
	r.Value(&b)
	return b
}
