package box

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// Tables are what a stepper keeps by the numbers of a World. The soft stepper has some.
type Tables interface {
	// Validate returns the first link that is broken, and whose it is.
	Validate() error
}

// Validate walks every link between the World's tables and the library's objects after a
// step, and returns an error for the first broken one, which begins with the table's name.
func (s *World) Validate() error {
	if s.everything {
		return nil // the next step makes all links anew
	}
	w := s.world
	if err := s.Shapes.Tree.Validate(); err != nil {
		return fmt.Errorf("Tree: %w", err)
	}
	bodies, contacts, joints := 0, 0, 0
	for b := w.M_bodyList; b != nil; b = b.M_next {
		if s.Number(b) < 0 {
			return fmt.Errorf("Body: a body of the library has the number %d of another", b.M_islandIndex)
		}
		if err := s.validateProxies(b); err != nil {
			return err
		}
	}
	for n := range s.Body {
		if e := &s.Body[n]; e.B != nil {
			if bodies++; e.B.M_islandIndex != n {
				return fmt.Errorf("Body[%d]: its body has the number %d", n, e.B.M_islandIndex)
			}
		}
	}
	for n := range s.Contact {
		if e := &s.Contact[n]; e.ID != 0 {
			contacts++
			if err := s.validateContact(int32(n)); err != nil {
				return fmt.Errorf("Contact[%d]: %w", n, err)
			}
		}
	}
	for n := range s.Joint {
		if e := &s.Joint[n]; e.Base != nil {
			if joints++; s.JointNumber(e.Base) != int32(n) || b2.BaseJoint(e.J) != e.Base {
				return fmt.Errorf("Joint[%d]: its joint has the number %d", n, e.Base.M_index)
			}
		}
	}
	for _, c := range [...]struct {
		what      string
		have, all int
	}{
		{"Body", bodies, w.M_bodyCount}, {"Contact", contacts, s.ContactCount()}, {"Joint", joints, w.M_jointCount}, {"pairs", s.pairs.count, contacts},
	} {
		if c.have != c.all {
			return fmt.Errorf("%s: %d elements for %d", c.what, c.have, c.all)
		}
	}
	if err := s.validateList("Bodies", s.Bodies, len(s.Body), func(n int32) bool { return s.Body[n].Listed }); err != nil {
		return err
	}
	if err := s.validateList("Contacts", s.Contacts, len(s.Contact), func(n int32) bool { return s.Contact[n].Listed }); err != nil {
		return err
	}
	return s.validateList("Joints", s.Joints, len(s.Joint), func(n int32) bool { return s.Joint[n].Listed })
}

// validateProxies looks whether each leaf of a body's shapes leads back to it.
func (s *World) validateProxies(b *box2d.B2Body) error {
	if s.Soft {
		return s.Shapes.validate(b)
	}
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		for k := range f.M_proxyCount {
			id := f.M_proxies[k].ProxyId
			if id < 0 || id >= len(nodes) || nodes[id].Height != 0 || nodes[id].UserData != &f.M_proxies[k] || f.M_proxies[k].Fixture != f || f.M_body != b {
				return fmt.Errorf("the tree: node %d is not the leaf of a shape of body %d", id, b.M_islandIndex)
			}
		}
	}
	return nil
}

// validateContact looks whether a contact has the shapes, bodies and number that the table says.
func (s *World) validateContact(n int32) error {
	e, c := &s.Contact[n], s.At(n)
	fA, fB := c.Shapes()
	childA, childB := c.Children()
	bodies := int32(len(s.Body))
	switch {
	case e.A < 0 || e.A >= bodies || e.B < 0 || e.B >= bodies:
		return fmt.Errorf("its bodies are %d and %d, of %d", e.A, e.B, bodies)
	case s.Soft && (min(e.ProxyA, e.ProxyB) < 0 || int(max(e.ProxyA, e.ProxyB)) >= len(s.Shapes.All) || s.isStale(n)):
		return fmt.Errorf("it is of a shape that is gone, or has another number")
	case !s.Soft && !isThere(fA, childA) || !s.Soft && !isThere(fB, childB):
		return fmt.Errorf("it is of a shape that is gone")
	case !s.Soft && (b2.BaseContact(e.I) != e.C || s.NumberOf(e.C) != n):
		return fmt.Errorf("its contact has the number %d", s.NumberOf(e.C))
	case s.Soft && !s.isLinked(n):
		return fmt.Errorf("the lists that it is in do not lead to it")
	case s.Number(fA.M_body) != e.A || s.Number(fB.M_body) != e.B:
		return fmt.Errorf("its bodies are %d and %d, and not %d and %d", s.Number(fA.M_body), s.Number(fB.M_body), e.A, e.B)
	case !s.Soft && proxyOf(fA, childA) != e.ProxyA || !s.Soft && proxyOf(fB, childB) != e.ProxyB:
		return fmt.Errorf("its proxies are not %d and %d", e.ProxyA, e.ProxyB)
	case s.Find(e.ProxyA, e.ProxyB) != n:
		return fmt.Errorf("pairs leads to %d from its proxies", s.Find(e.ProxyA, e.ProxyB))
	}
	return nil
}

// isThere reports whether a shape has a leaf for a segment, and is a body's.
func isThere(f *box2d.B2Fixture, child int) bool {
	return f != nil && f.M_body != nil && child >= 0 && child < f.M_proxyCount
}

// isLinked looks whether what comes before and after a contact of the soft stepper leads to it,
// in each of its three lists: the world's, and those of its two bodies. A link is 3 times the
// number of a contact + which of the lists it is in + 1; the first of a list is in its head.
func (s *World) isLinked(n int32) bool {
	own := &s.Own[n]
	for k, to := range s.heads(n) {
		end, prev, next := 3*n+int32(k)+1, own.Prev[k], own.Next[k]
		if !s.isEnd(prev) || !s.isEnd(next) {
			return false
		}
		if prev != 0 {
			to = &s.Own[(prev-1)/3].Next[(prev-1)%3]
		}
		if *to != end || next != 0 && s.Own[(next-1)/3].Prev[(next-1)%3] != end {
			return false
		}
	}
	return true
}

// isEnd reports whether a link is none, or one to a contact that there is.
func (s *World) isEnd(link int32) bool {
	n := int((link - 1) / 3)
	return link == 0 || link > 0 && n < len(s.Own) && n < len(s.Contact) && s.Contact[n].ID != 0
}

// validateList looks whether a list holds each number once that says it is listed.
func (s *World) validateList(name string, list []int32, numbers int, listed func(n int32) bool) error {
	seen := s.knownFlags(numbers) // none set yet
	for _, n := range list {
		if !listed(n) || seen[n] {
			return fmt.Errorf("%s: %d is there twice, or says that it is not", name, n)
		}
		seen[n] = true
	}
	for n := range seen {
		if !seen[n] && listed(int32(n)) {
			return fmt.Errorf("%s: %d is not there, and says that it is", name, n)
		}
	}
	return nil
}
