package world

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/box/tree"
)

// pairsPerContact is the number of pairs of overlapping boxes that one search may find for each
// allowed contact. It is more than 1 because most pairs of some worlds never become contacts: filters
// exclude them, or both shapes are of one body.
const pairsPerContact = 64

// crowd limits the contacts of a world to Config.MaxContacts.
type crowd struct {
	box    *box.World
	cfg    *Config
	coming coming

	stack []int32 // scratch, like the next field
	fat   box2d.B2AABB
}

// coming counts the pairs of a shape that may become contacts in the next step. The shape was made
// or moved since the last search for pairs.
type coming struct {
	contacts int    // pairs for which the filters allow a contact
	pairs    int    // pairs is the number of pairs of shapes whose boxes overlap.
	round    uint32 // the number of the search for pairs before which the pairs were counted
}

// without subtracts the pairs of a shape from the sums, because the shape is removed or counted
// again. So a body may be moved again and again in a paused world without reaching the limit.
func (c *coming) without(s *shape) {
	if n := &s.counted; n.round == c.round {
		c.contacts, c.pairs = c.contacts-n.contacts, c.pairs-n.pairs
	}
}

// uncount subtracts the pairs of a shape that is removed.
func (c *crowd) uncount(s *shape) {
	c.coming.without(s)
	s.counted = coming{}
}

// alreadyThere subtracts contacts of a shape that exist already from the count.
func (c *crowd) alreadyThere(s *shape, contacts int) {
	c.coming.contacts -= contacts
	s.counted.contacts -= contacts
}

// part is a shape of a body that will be made or moved.
type part struct {
	shape   box2d.B2ShapeInterface
	filter  Filter // the filter after withDefaults
	of      *shape // nil for a new shape
	counted coming
}

// checkContacts counts the pairs of shapes that the parts of a body would make at a place. It
// returns an error if the pairs exceed the limit. The body is nil if it is new. The parameter gone
// is the number of contacts that end and make room.
func (c *crowd) checkContacts(body *box2d.B2Body, kind uint8, xf box2d.B2Transform, parts []part, gone int) error {
	if c.box.Leaves().Waiting() == 0 {
		c.lookedForPairs() // the counted pairs have become contacts
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

// lookedForPairs begins a new count, because the counted pairs have become contacts.
func (c *crowd) lookedForPairs() { c.coming = coming{round: c.coming.round + 1} }

// crowdedBody is a number of children (shapes and segments of chains). If a body has more, the pairs
// of its own children count, too. They make no contacts, but the search visits them.
const crowdedBody = 1000

// contactCount is the state of one call of checkContacts.
type contactCount struct {
	coming
	in      *crowd
	body    *box2d.B2Body
	dynamic bool
	own     tree.Tree // the boxes that were counted so far, if the body has more than crowdedBody children

	mostContacts, mostPairs int
}

// count counts the pairs between the box b of a part and the boxes in the tree. It returns false if
// the count is above a limit.
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

// countOwn counts the pairs between the box of a part and the boxes of the earlier parts of the
// same body.
func (q *contactCount) countOwn(b *box2d.B2AABB) bool {
	q.in.stack = q.own.Visit(b, q.in.stack, func(int32) bool {
		q.pairs++
		return q.fits()
	})
	q.own.Insert(int32(q.own.Count()), b)
	return q.fits()
}

// collides decides like Box2D whether two shapes can have a contact. It ignores joints and the
// ShouldCollide hook.
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

// isLine reports whether a shape has no area. Two shapes without area make no contact.
func isLine(s box2d.B2ShapeInterface) bool {
	t := s.GetType()
	return t == box2d.B2Shape_Type.E_edge || t == box2d.B2Shape_Type.E_chain
}

// checkContactsOf checks all shapes of a body that gets another kind or place.
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
