package box

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// These methods change the tree that the World's shapes are in: its own with Soft, and otherwise the
// library's.

func (s *World) insertShapes(f *box2d.B2Fixture) {
	if s.Soft {
		s.Shapes.insert(f)
		return
	}
	b2.CreateProxies(f, &s.world.M_contactManager.M_broadPhase)
	s.MovesShape(f)
}

func (s *World) removeShapes(f *box2d.B2Fixture) {
	if s.Soft {
		s.Shapes.remove(f)
		return
	}
	s.dropProxies(f)
}

func (s *World) touchShapes(f *box2d.B2Fixture) {
	if s.Soft {
		s.Shapes.touchAll(f)
		return
	}
	for k := range f.M_proxyCount {
		s.world.M_contactManager.M_broadPhase.TouchProxy(f.M_proxies[k].ProxyId)
	}
}

// Reserve makes room in the library's tree for so many shapes at once.
func (s *World) Reserve(shapes int) {
	if !s.Soft {
		b2.Reserve(&s.world.M_contactManager.M_broadPhase.M_tree, 2*shapes)
	}
}

// Waiting is for how many shapes the next search looks for pairs.
func (s *World) Waiting() int {
	if s.Soft {
		return len(s.Shapes.Moves.List)
	}
	return s.world.M_contactManager.M_broadPhase.M_moveCount
}

// FollowRaw brings the shapes in line with what raw access has done.
func (s *World) FollowRaw() {
	if s.Soft {
		s.Shapes.Follow(s.exposed)
	}
}

// FixtureAt returns the fixture of a leaf of the tree, or nil.
func (s *World) FixtureAt(leaf int) *box2d.B2Fixture {
	if s.Soft {
		if leaf >= 0 && leaf < len(s.Shapes.All) {
			return s.Shapes.All[leaf].F
		}
		return nil
	}
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	if leaf < 0 || leaf >= len(nodes) || nodes[leaf].Height != 0 {
		return nil // a free node keeps its UserData, and has no height
	}
	if p, ok := nodes[leaf].UserData.(*box2d.B2FixtureProxy); ok {
		return p.Fixture
	}
	return nil
}
