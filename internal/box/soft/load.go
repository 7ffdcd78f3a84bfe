package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

const (
	bodyBlock = 128 // bodyBlock is the least number of bodies in a block that is loaded or moved.

	// manyBodies is the least number of bodies in a block for stages that need only some nanoseconds per
	// body.
	manyBodies = 512
)

// MakeRoom grows the tables to the size of the world, so that the next step need not do it. It is
// called after a world was filled, before the first step. [New] calls it as well. It changes no
// result, because the step still checks everything.
func (s *Stepper) MakeRoom() {
	if s.set.Current() || !s.set.Renumber() {
		return
	}
	s.bodies.grow()
	s.shapes.grow()
	for n := range s.set.Bodies.All {
		i := int32(n)
		e := &s.bodies.all[i]
		if s.loader.replaceBody(i); e.b != nil && e.count < 0 { // Restore may have loaded the body
			was := *e // Restore may have set the last step's centre of mass
			s.shapes.copy(i)
			s.shapes.forget(e)
			*e = was
		}
	}
}

// loader updates the tables after other code has changed the world since the last step. It loads
// the edited bodies, and the bodies in bodies.passing. The rows of all other bodies are still those
// of the last step.
type loader struct {
	list    []int32  // list has the bodies to load, each of them once.
	results []loaded // results are by block of bodies. The last entry is for bodies whose shapes have changed.

	blocks work // loadBlock

	set      *box.World
	crew     *crew
	stride   *stride
	bodies   *bodies
	shapes   *shapes
	contacts *contacts
	pairs    *pairs
}

// loaded has the work that remains after a block of bodies was loaded. It is done in order.
type loaded struct {
	moved   []int32 // moved are the bodies that other code has moved.
	changed []int32 // changed are the bodies whose shapes must be loaded.
	stale   []int32 // stale are the changed bodies that have contacts with points that are no longer valid.
}

func (r *loaded) empty() { r.moved, r.changed, r.stale = r.moved[:0], r.changed[:0], r.stale[:0] }

// load copies the data of these bodies that the step needs.
func (s *loader) load() {
	gone := s.followBodies()
	s.shapes.grow()
	s.bodies.reload = s.stride.gravity != s.bodies.loadedGravity || s.stride.h != s.bodies.loadedH || s.stride.dt != s.bodies.loadedDt
	s.bodies.loadedGravity, s.bodies.loadedH, s.bodies.loadedDt = s.stride.gravity, s.stride.h, s.stride.dt
	if s.shapes.otherFilters {
		s.shapes.otherFilters = false
		for i := range s.bodies.all {
			if s.bodies.all[i].b != nil {
				s.shapes.loadFilters(&s.bodies.all[i])
			}
		}
	}
	s.listBodies()
	n := len(s.list)
	blocks := s.crew.blocksOf(n, bodyBlock, 4)
	s.results = growTo(s.results, blocks+1)[:blocks+1]
	s.crew.run(s.blocks, n, blocks)
	last := &s.results[blocks]
	last.empty()
	for i := range s.results[:blocks] {
		r := &s.results[i]
		last.moved = append(last.moved, r.moved...)
		last.changed = append(last.changed, r.changed...)
	}
	// A body may have got the number of a shape that another body has lost. So first forget all shapes, and
	// then load.
	for _, k := range last.changed {
		s.shapes.forget(&s.bodies.all[k])
	}
	for _, k := range last.changed {
		s.loadShapes(k, last)
		s.loadBody(k, last)
	}
	for _, k := range last.stale { // at this point both shapes of every contact are loaded
		s.contacts.dropPoints(s.bodies.all[k].b)
	}
	// shapes that other code has moved, or whose filters have changed
	others := s.set.Shapes.Moves.List
	s.pairs.packed.fits = s.pairs.packed.fits && len(others)+len(last.changed) == 0 && !gone && !s.set.LookedAtAll()
	for _, k := range last.moved {
		s.resync(k, true)
	}
	for _, k := range last.changed {
		s.resync(k, false)
	}
	for _, q := range others {
		if q >= 0 && s.shapes.moved[q]&movedByOthers == 0 {
			s.resyncShape(q)
		}
	}
	s.set.Shapes.Tree.Refit(s.pairs.refit)
	s.shapes.syncStatics()
	for _, k := range s.list {
		if s.bodies.poses[k].flags&(poseChanged|posePushed) != 0 {
			s.bodies.passing = append(s.bodies.passing, k)
		}
	}
}

// resync computes the boxes of a body that other code has moved. If all is true it computes the
// boxes of all shapes of the body. Otherwise it computes only those whose boxes in the tree are not
// fatBoxes.
func (s *loader) resync(i int32, all bool) {
	for k := s.bodies.all[i].first; k >= 0; k = s.shapes.all[k].next {
		if all || s.shapes.fatBoxes[k] != boxOf(s.set.Shapes.Tree.Box(k)) {
			s.resyncShape(k)
		}
	}
}

// resyncShape computes the boxes of a shape. The library's boxes have other bits on other machines.
func (s *loader) resyncShape(k int32) {
	sh, g := &s.shapes.all[k], s.shapes.geometry(k)
	p := &s.bodies.poses[sh.body]
	s.shapes.fatBoxes[k], s.shapes.room[k] = g.bounds(p.x, p.y, p.q, p.margin()), 0
	s.shapes.swept[k] = way{}
	s.pairs.moveShape(k, &s.shapes.fatBoxes[k])
	s.shapes.setMoved(k, movedByOthers)
	if s.bodies.all[sh.body].fixed {
		s.shapes.statics.changed = append(s.shapes.statics.changed, k)
	}
}

// listBodies lists the bodies to load. If gravity or the step has changed, it also lists all awake
// bodies.
func (s *loader) listBodies() {
	s.list = s.list[:0]
	for _, of := range [...][]int32{s.set.Bodies.Changed, s.bodies.passing} {
		s.add(of)
	}
	if s.bodies.reload {
		s.add(s.set.Bodies.Active)
	}
	s.bodies.passing = s.bodies.passing[:0]
}

// add lists those of the bodies that are not listed yet.
func (s *loader) add(bodies []int32) {
	for _, i := range bodies {
		if p, b := &s.bodies.poses[i], s.bodies.all[i].b; b != nil && p.flags&poseListed == 0 {
			p.flags |= poseListed
			s.bodies.linked = s.bodies.linked || b.M_jointList != nil
			s.list = append(s.list, i)
		}
	}
}

// loadBlock loads a block of the list. A body whose shapes must be loaded is only put into a list.
func (s *loader) loadBlock(block, from, to int) {
	r := &s.results[block]
	r.empty()
	all, poses := s.bodies.all, s.bodies.poses
	for _, i := range s.list[from:to] {
		e, p := &all[i], &poses[i]
		if p.flags&poseEdited != 0 {
			if e.change&box.Unknown != 0 {
				e.change |= s.differs(i)
				s.shapes.resweep(e)
			}
			if e.change&box.Reshaped != 0 || e.count < 0 {
				canonicalMass(e.b)
				e.mass, e.inertia = e.b.M_mass, e.b.M_I
				r.changed = append(r.changed, i)
				continue
			}
			if e.change&(box.Unknown|box.Resurfaced) != 0 {
				s.shapes.loadFilters(e)
			}
		}
		s.loadBody(i, r)
	}
}

func (s *loader) loadBody(i int32, r *loaded) {
	e, p := &s.bodies.all[i], &s.bodies.poses[i]
	was := p.flags
	p.flags &= poseFast
	if was&poseEdited != 0 {
		if !e.seen || e.change&box.Placed != 0 {
			s.bodies.place(i)
			p.flags = 0
			r.moved = append(r.moved, i)
		}
		e.seen, e.change = true, 0
		p.flags |= poseChanged
	}
	if s.bodies.load(i); p.flags&^was&poseAwake != 0 {
		p.flags |= poseChanged
	}
}

// loadShapes does the work of shapes.copy in a step. It adds the body to r.moved if the boxes of the
// body must be computed, and to r.stale if points must be computed again.
func (s *loader) loadShapes(i int32, r *loaded) {
	e := &s.bodies.all[i]
	old := e.localCenter
	s.shapes.copy(i)
	if e.localCenter != old {
		e.change |= box.Placed
	}
	if e.change&box.Reboxed != 0 {
		r.moved = append(r.moved, i)
	}
	if e.localCenter != old || e.change&box.Reboxed != 0 {
		r.stale = append(r.stale, i)
	}
}

// differs compares a body with the last step to find its changes, if the code that edited the body did
// not name them.
func (s *loader) differs(i int32) (what box.Change) {
	e, p := &s.bodies.all[i], &s.bodies.poses[i]
	b := e.b
	if b.M_sweep.A != e.a || b.M_sweep.C != (box2d.B2Vec2{X: p.x, Y: p.y}) {
		what |= box.Placed
	}
	if int32(b.M_fixtureCount) != e.count || b.M_sweep.LocalCenter != e.localCenter || b.M_mass != e.mass || b.M_I != e.inertia ||
		isActive(b) != e.active || (b.M_type != b2.DynamicBody) != e.fixed {
		what |= box.Reshaped
	}
	if s.set.Current() && !s.set.Bodies.Shaped.Changed(i, s.bodies.shaped[i]) {
		return what
	}
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		// A body that was disabled and enabled again gets other numbers for its shapes.
		for k := s.set.Shapes.Last(f); k >= 0; k = s.set.Shapes.All[k].Prev {
			if s.shapes.isLoaded(k) {
				continue
			}
			what |= box.Reshaped
			if int(k) < len(s.shapes.all) && s.shapes.all[k].f == f && s.shapes.all[k].of != f.M_shape {
				what |= box.Reboxed
			}
		}
	}
	return what
}

// changeOf returns the edits of a body since the last step that matter to a step.
func (s *loader) changeOf(i int32) box.Change {
	what := s.set.ChangeOf(i)
	if what&box.Unknown != 0 {
		what |= s.differs(i)
	}
	return what & heeded
}

// followBodies updates the tables for bodies that were made, destroyed or edited. It reports whether
// a body no longer exists.
func (s *loader) followBodies() (gone bool) {
	s.bodies.grow()
	for _, i := range s.set.Bodies.Changed {
		gone = gone || s.set.Bodies.All[i].B == nil
		s.replaceBody(i)
		s.bodies.poses[i].flags |= poseEdited
		of := &s.set.Bodies.All[i]
		s.bodies.all[i].change |= of.Change // a body that was destroyed before a Restore is in the list twice
		of.Change = 0
	}
	return gone
}

// replaceBody clears entry i if its number now belongs to another body.
func (s *loader) replaceBody(i int32) {
	e := &s.bodies.all[i]
	if b := s.set.Bodies.All[i].B; e.b != b {
		if e.b != nil {
			s.shapes.forget(e)
		}
		*e, s.bodies.poses[i] = body{b: b, first: -1, count: -1}, pose{}
	}
}
