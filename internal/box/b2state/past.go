package b2state

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/store"
	"halfstep/internal/reslice"
)

// Past saves States of a world in the columns of a store. A column has one kind of value for
// all objects of a kind, by the numbers that the World gives them. Stamps say which values have
// changed since the last State and must be saved again.
type Past struct {
	world  *box2d.B2World
	owner  *box.World
	store  *store.Store
	copies *Shapes // copies of shapes, which States share

	bodies    store.Kept[savedBody]
	shapes    store.Kept[*savedShapes]     // by body; nil for a free number
	leaves    store.Kept[savedLeaf]        // by shape, for a World that has its own tree
	nodes     store.Kept[savedNode]        // of the library's tree, for a World without its own tree
	boxes     store.Kept[box2d.B2AABB]     // by node: the tight box of the proxy at a leaf
	contacts  store.Kept[savedContact]     // the parts of contacts that never change
	links     store.Kept[savedLinks]       // by contact, like the next three columns; nil if the World keeps the contacts itself
	flags     store.Kept[uint32]           // M_flags of the contact
	surfaces  store.Kept[surface]          // a column of its own, because surfaces change less often than flags
	manifolds store.Kept[box2d.B2Manifold] // nil if links is nil, because then the stepper has the manifolds
	joints    store.Kept[savedJoint]
	worked    store.Kept[worked] // by joint; nil if the column joints has these numbers, too

	err       error          // the error from shapeError during a Save
	other     bool           // Restore restores a State of another Past
	nodeCount int            // nodeCount is the number of nodes in the last State.
	shaped    []*savedShapes // by body: the body's shapes in the last State
	memory    jointMemory    // for joints
	fixtures  int            // number of fixtures in shaped

	Changed []*box2d.B2Fixture // the fixtures whose shape, filter or sensor flag the last Restore has changed

	list    []int32     // scratch memory of followLinks and followNodes
	scratch savedShapes // of shapesOf
}

// State is the state of a world between two steps. The zero State is empty. A State that is taken
// again uses its memory again.
type State struct {
	Values store.State // the values of all columns of the store

	past   *Past       // nil means it is empty
	world  worldValues // world has the values of the B2World itself.
	counts counts
	heads  heads
	moves  []int32 // the proxies for which the next search looks for pairs; -1 replaces a removed proxy
}

// worldValues are the values of a world that belong to no object.
type worldValues struct {
	flags                                     int
	gravity                                   box2d.B2Vec2
	allowSleep                                bool
	invDt0                                    float64
	warmStarting, continuous, sub, isComplete bool

	// whether the State has the world's callbacks; a State that was read from bytes has none
	knowsCalls  bool
	destruction box2d.B2DestructionListenerInterface
	filter      box2d.B2ContactFilterInterface
	listener    box2d.B2ContactListenerInterface

	proxyCount                                   int
	root, nodeCount, freeList, path, insertCount int
}

// counts are the numbers of objects of each kind. The field nodes counts the nodes of the
// library's tree.
type counts struct{ bodies, fixtures, contacts, joints, nodes int }

// heads are the heads of the world's lists.
type heads struct {
	body    *box2d.B2Body
	contact box2d.B2ContactInterface
	own     int32 // link to the newest of the World's own contacts, as in box.World.Newest
	joint   box2d.B2JointInterface
}

// savedBody is a body, and the World's entry for it.
type savedBody struct {
	of    box.Body // B is nil if no body has the number
	value box2d.B2Body
}

// ErrLocked is returned by Save during a step.
var ErrLocked = errors.New("the world is locked")

var errUnknown = errors.New("a contact or joint of a type that is not Box2D's own")

// NewPast adds columns for the objects of a world to a store. The owner numbers the objects and
// reports changes. Several Pasts of a world may share shapes. If the owner keeps the contacts
// itself, the Past does not save their manifolds, because the stepper has them.
func NewPast(world *box2d.B2World, owner *box.World, to *store.Store, shapes *Shapes) *Past {
	p := &Past{world: world, owner: owner, store: to, copies: shapes}
	p.bodies = store.Add(to, &store.Column[savedBody]{Stamps: &owner.Bodies.Stamps, Save: p.saveBodies, Load: p.loadBody})
	p.shapes = store.Add(to, &store.Column[*savedShapes]{Stamps: &owner.Bodies.Shaped, Save: p.saveShapes, Load: p.loadShapes})
	if owner.Soft() {
		p.leaves = store.Add(to, &store.Column[savedLeaf]{Stamps: &owner.Shapes.Stamps, Save: p.saveLeaves, Load: p.loadLeaf,
			Same: func(a, b *savedLeaf) bool { return *a == *b }})
	} else {
		p.addTree()
	}
	p.addContacts()
	p.addJoints()
	return p
}

// Save saves the state of the world. If the world is locked, or has a contact, joint or shape
// that is not of the library's types, Save returns an error and the State is empty.
func (p *Past) Save(s *State) error {
	if p.world.IsLocked() {
		s.Forget()
		return ErrLocked
	}
	if !p.owner.Stamp() { // Stamp marks the objects that the last steps have changed
		s.Forget()
		return errUnknown
	}
	p.store.Take(&s.Values)
	p.owner.GiveBack()
	p.copies.swept(p.fixtures)
	if err := p.err; err != nil {
		p.err = nil
		p.owner.Bodies.Shaped.MarkAll(0) // some shapes were not saved
		s.Forget()
		return err
	}
	w := p.world
	m := &w.M_contactManager
	t := &m.M_broadPhase.M_tree
	s.past = p
	s.moves = s.moves[:0]
	s.world = worldValues{
		flags: w.M_flags, gravity: w.M_gravity, allowSleep: w.M_allowSleep, invDt0: w.M_inv_dt0,
		warmStarting: w.M_warmStarting, continuous: w.M_continuousPhysics,
		sub: w.M_subStepping, isComplete: w.M_stepComplete,
		knowsCalls: true, destruction: w.M_destructionListener, filter: m.M_contactFilter, listener: m.M_contactListener,
	}
	s.counts = counts{w.M_bodyCount, p.fixtures, p.owner.Contacts.Count(), w.M_jointCount, 0}
	s.heads = heads{w.M_bodyList, m.M_contactList, p.owner.Contacts.Newest, w.M_jointList}
	if p.owner.Soft() {
		for _, k := range p.owner.Shapes.Moves.List {
			if k >= 0 {
				s.moves = append(s.moves, k)
			}
		}
		slices.Sort(s.moves)
		return nil
	}
	s.world.proxyCount, s.world.root, s.world.nodeCount = m.M_broadPhase.M_proxyCount, t.M_root, t.M_nodeCount
	s.world.freeList, s.world.path, s.world.insertCount = t.M_freeList, t.M_path, t.M_insertionCount
	p.nodeCount, s.counts.nodes = len(t.M_nodes), len(t.M_nodes)
	for _, id := range m.M_broadPhase.M_moveBuffer[:m.M_broadPhase.M_moveCount] {
		s.moves = append(s.moves, int32(id))
	}
	return nil
}

// Restore restores a state of the world, with all columns of the store. The world must be the
// one that was saved, unless the state was read from bytes. It must not be locked. Restore
// returns true if the owner does not know all changes, so that the next step must look at
// everything.
func (p *Past) Restore(s *State) (all bool) {
	p.other = s.past != p
	all = p.other && s.past.owner != p.owner || !p.owner.Current()
	p.owner.BeginPut()
	p.Changed = p.Changed[:0]
	w, v := p.world, &s.world
	w.M_flags, w.M_gravity, w.M_allowSleep, w.M_inv_dt0 = v.flags, v.gravity, v.allowSleep, v.invDt0
	w.M_warmStarting, w.M_continuousPhysics = v.warmStarting, v.continuous
	w.M_subStepping, w.M_stepComplete = v.sub, v.isComplete
	m := &w.M_contactManager
	if v.knowsCalls {
		w.M_destructionListener, m.M_contactFilter, m.M_contactListener = v.destruction, v.filter, v.listener
	}
	w.M_bodyCount, w.M_jointCount = s.counts.bodies, s.counts.joints
	w.M_bodyList, w.M_jointList = s.heads.body, s.heads.joint
	if p.owner.Contacts.Newest = s.heads.own; !p.owner.Soft() {
		m.M_contactList, m.M_contactCount = s.heads.contact, s.counts.contacts
	}
	if p.owner.Soft() {
		p.store.Put(&s.Values)
	} else {
		t := &m.M_broadPhase.M_tree
		t.M_nodes = reslice.Resize(t.M_nodes, max(len(t.M_nodes), s.counts.nodes))
		p.store.Put(&s.Values)
		s.restoreBroadPhase(&m.M_broadPhase)
		p.nodeCount = s.counts.nodes
	}
	p.owner.PutAll(s.moves, all)
	return all
}

// restoreBroadPhase restores the broad phase, except the nodes of its tree, which have columns
// of their own.
func (s *State) restoreBroadPhase(bp *box2d.B2BroadPhase) {
	v, t := &s.world, &bp.M_tree
	bp.M_proxyCount = v.proxyCount
	t.M_root, t.M_nodeCount, t.M_freeList = v.root, v.nodeCount, v.freeList
	t.M_path, t.M_insertionCount = v.path, v.insertCount
	t.M_nodes = reslice.Resize(t.M_nodes, s.counts.nodes)
	t.M_nodeCapacity = s.counts.nodes
	bp.M_moveBuffer = reslice.Resize(bp.M_moveBuffer, max(len(bp.M_moveBuffer), len(s.moves)))
	bp.M_moveCapacity, bp.M_moveCount = len(bp.M_moveBuffer), len(s.moves)
	for i, id := range s.moves {
		bp.M_moveBuffer[i] = int(id)
	}
}

// Forget drops all pointers of the State.
func (s *State) Forget() {
	s.Values.Drop()
	*s = State{moves: s.moves[:0]}
}

// Size is the approximate memory, in bytes, of a State in which all values have changed. It
// leaves out the copies of shapes.
func (s *State) Size() int { return s.Values.Size() + 4*len(s.moves) }

func (p *Past) saveBodies(r store.Run, to []savedBody) {
	for i, n := range r.Things() {
		if n >= len(p.owner.Bodies.All) || p.owner.Bodies.All[n].B == nil {
			to[i] = savedBody{}
			continue
		}
		to[i].of, to[i].value = p.owner.Bodies.All[n], *p.owner.Bodies.All[n].B
	}
}

func (p *Past) loadBody(n int, from *savedBody) {
	if b := from.of.B; b != nil {
		p.owner.Bodies.Put(n, &from.of)
		*b = from.value
		b.M_world = p.world
	} else if n < len(p.owner.Bodies.All) {
		p.owner.Bodies.Put(n, &box.Body{})
	}
}

// shapeError stores the error for a shape that cannot be saved.
func (p *Past) shapeError(shape box2d.B2ShapeInterface) {
	p.err = fmt.Errorf("a shape of a type that is not Box2D's own: %T", shape)
}
