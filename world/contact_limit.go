package world

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/box/tree"
)

// pairsPerContact is how many pairs of overlapping boxes one search may find for each
// contact that the world may hold. It is more than 1 because in some worlds most pairs
// become no contacts: they are filtered out, or are shapes of one body.
const pairsPerContact = 64

// crowd sees to it that a world holds no more contacts than Config.MaxContacts.
type crowd struct {
	box    *box.World
	cfg    *Config
	coming coming

	stack []int32 // scratch, like the next
	fat   box2d.B2AABB
}

// coming counts the pairs that wait to become contacts: those of shapes that
// were made or moved since the world last looked for pairs.
type coming struct {
	contacts int    // the filter lets them collide
	pairs    int    // their boxes overlap
	round    uint32 // another one whenever the world has looked for pairs
}

// without takes what was counted for a shape out of the sums, because the shape goes or is
// counted anew. Otherwise a body that is moved again and again while the world is paused would
// fill the world.
func (c *coming) without(s *shape) {
	if n := &s.counted; n.round == c.round {
		c.contacts, c.pairs = c.contacts-n.contacts, c.pairs-n.pairs
	}
}

// uncount forgets what was counted for a shape that goes.
func (c *crowd) uncount(s *shape) {
	c.coming.without(s)
	s.counted = coming{}
}

// alreadyThere takes back so many of the contacts to come that were counted for a shape, because
// they exist already.
func (c *crowd) alreadyThere(s *shape, contacts int) {
	c.coming.contacts -= contacts
	s.counted.contacts -= contacts
}

// part is a shape that is to be made or moved.
type part struct {
	shape   box2d.B2ShapeInterface
	filter  Filter // after withDefaults
	of      *shape // nil if it is still to be made
	counted coming
}

// checkContacts counts the pairs that parts of a body would make at a place, and returns
// an error where the world has no room for them. It stops counting there. body
// is nil where it is still to be made; gone is how many contacts make room for
// the new ones.
func (c *crowd) checkContacts(body *box2d.B2Body, kind uint8, xf box2d.B2Transform, parts []part, gone int) error {
	if c.box.Leaves().Waiting() == 0 {
		c.lookedForPairs() // they have become contacts
	}
	q := contactCount{
		coming: c.coming, in: c, body: body, dynamic: kind == box2d.B2BodyType.B2_dynamicBody,
		mostContacts: c.cfg.MaxContacts - c.box.Contacts.Count() + gone,
		mostPairs:    c.cfg.MaxContacts * pairsPerContact,
	}
	children := 0
	for i := range parts {
		children += parts[i].shape.GetChildCount()
		if s := parts[i].of; s != nil {
			q.without(s)
		}
	}
	crowded := children > crowdedBody
	b := &c.fat
	for i := range parts {
		p, was := &parts[i], q.coming
		for child := range p.shape.GetChildCount() {
			b2.Bounds(b, p.shape, &xf, child)
			*b = b2.Fattened(*b)
			if !q.count(b, p) || crowded && !q.countOwn(b) {
				return fmt.Errorf("world: %w here: the world would hold more than %d contacts", ErrCrowded, c.cfg.MaxContacts)
			}
		}
		p.counted = coming{q.contacts - was.contacts, q.pairs - was.pairs, q.round}
	}
	c.coming = q.coming
	for i := range parts {
		if s := parts[i].of; s != nil {
			s.counted = parts[i].counted
		}
	}
	return nil
}

// lookedForPairs begins a new count: what waited has become contacts.
func (c *crowd) lookedForPairs() { c.coming = coming{round: c.coming.round + 1} }

// crowdedBody is the number of children (shapes and segments of chains) above which those of
// one body are counted against each other too: they make no contacts, but the search for
// pairs visits their pairs.
const crowdedBody = 1000

// contactCount is one count of checkContacts, for the parts of one body.
type contactCount struct {
	coming
	in      *crowd
	body    *box2d.B2Body
	dynamic bool
	own     tree.Tree // of the boxes counted so far, for a body beyond crowdedBody

	mostContacts, mostPairs int
}

// count counts the pairs of a part's box with those in the tree. It reports false beyond the limit.
func (q *contactCount) count(b *box2d.B2AABB, of *part) bool {
	nodes := q.in.box.Nodes()
	root, ok := nodes.Root()
	stack := q.in.stack[:0]
	if ok {
		stack = append(stack, root)
	}
	for len(stack) > 0 && q.fits() {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n := nodes.Box(id); n.LowerBound.X > b.UpperBound.X || n.LowerBound.Y > b.UpperBound.Y ||
			b.LowerBound.X > n.UpperBound.X || b.LowerBound.Y > n.UpperBound.Y {
			continue
		}
		if first, second, ok := nodes.Children(id); ok {
			stack = append(stack, first, second)
			continue
		}
		q.pairs++
		if f, _ := nodes.Shape(id); f != nil && q.collides(f, of) {
			q.contacts++
		}
	}
	q.in.stack = stack
	return q.fits()
}

// fits reports whether the count is below the limits.
func (q *contactCount) fits() bool { return q.contacts <= q.mostContacts && q.pairs <= q.mostPairs }

// countOwn counts the pairs of a part's box with those of the parts before it.
func (q *contactCount) countOwn(b *box2d.B2AABB) bool {
	q.in.stack = q.own.Visit(b, q.in.stack, func(int32) bool {
		q.pairs++
		return q.fits()
	})
	q.own.Insert(int32(q.own.Count()), b)
	return q.fits()
}

// collides decides as Box2D will, but does not ask joints and the ShouldCollide hook.
func (q *contactCount) collides(other *box2d.B2Fixture, p *part) bool {
	body := other.M_body
	if body == q.body || !q.dynamic && body.M_type != box2d.B2BodyType.B2_dynamicBody {
		return false
	}
	if isLine(p.shape) && isLine(other.M_shape) {
		return false
	}
	own, its := box.Filter(p.filter), filterOf(other)
	return own.Collides(&its)
}

// isLine reports whether a shape has no inside. Two such shapes make no contact.
func isLine(s box2d.B2ShapeInterface) bool {
	t := s.GetType()
	return t == box2d.B2Shape_Type.E_edge || t == box2d.B2Shape_Type.E_chain
}

// checkContactsOf is checkContacts for a body that is to be of another kind, or at another place.
func (c *crowd) checkContactsOf(r *body, kind uint8, xf box2d.B2Transform) error {
	parts := make([]part, len(r.shapes))
	for i, s := range r.shapes {
		parts[i] = part{shape: s.fix.M_shape, filter: s.filter, of: s}
	}
	gone := 0
	for range c.box.ContactsOf(r.b) {
		gone++
	}
	return c.checkContacts(r.b, kind, xf, parts, gone)
}
