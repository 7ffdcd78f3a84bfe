package worldgen

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/ByteArena/box2d"
)

// Save copies the state of the player, without the world. It returns a function
// that restores the state, so that the player can play on from the same point
// twice.
func (p *Player) Save() (restore func()) {
	kept := p.copied()
	return func() {
		again := kept.copied()
		again.rng, again.source = p.rng, p.source
		*again.source = *kept.source
		*p = *again
	}
}

func (p *Player) copied() *Player {
	c := *p
	source := *p.source
	c.source, c.rng = &source, rand.New(&source)
	c.ids = maps.Clone(p.ids)
	c.bodies, c.joints, c.recent = slices.Clone(p.bodies), slices.Clone(p.joints), slices.Clone(p.recent)
	c.queue = slices.Clone(p.queue)
	return &c
}

// MoveTo returns a player that plays on in another world. That world must be a
// copy of this one, with its lists in the same order. MoveTo returns nil if
// callbacks wait for the next step, because they belong to this world.
func (p *Player) MoveTo(w *box2d.B2World) *Player {
	if len(p.queue) > 0 {
		return nil
	}
	bodies, joints := map[*box2d.B2Body]*box2d.B2Body{}, map[box2d.B2JointInterface]box2d.B2JointInterface{}
	for from, to := p.World.M_bodyList, w.M_bodyList; from != nil; from, to = from.M_next, to.M_next {
		bodies[from] = to
	}
	for from, to := p.World.M_jointList, w.M_jointList; from != nil; from, to = from.GetNext(), to.GetNext() {
		joints[from] = to
	}
	q := p.copied()
	q.World, q.ground = w, bodies[p.ground]
	clear(q.ids)
	for b, id := range p.ids {
		q.ids[bodies[b]] = id
	}
	for i, b := range q.bodies {
		q.bodies[i] = bodies[b]
	}
	for i, j := range q.joints {
		q.joints[i] = joints[j]
	}
	q.listen()
	return q
}
