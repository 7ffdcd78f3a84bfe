package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/trig"
)

// finished has the work that remains after a block of bodies was moved. It is done in order. The
// last entry of sweeper.results belongs to no block: it is for kinematic bodies, and for bodies
// that are swept after all others have moved.
type finished struct {
	left    []leaver // left are the shapes that have left their fat boxes.
	late    []int32  // late are the fast bodies that are swept after all others have moved.
	tired   []int32  // tired are the bodies that have been at rest long enough to sleep.
	stopped []int32  // bodies that were stopped
	runners []int32  // runners are the shapes of fast bodies that have left their boxes in the tree, if there are bullets.
	rest    []int32  // rest are the bodies that need more work after the step.
	stack   []int32  // scratch memory
	near    []int32  // near is scratch memory for the shapes that a fast shape may meet.

	course   course  // course is the course of the body courseOf, the last body that was near a fast body.
	courseOf int32   // or -1
	touching float32 // touching is the distance, in m, of a swept core from the nearest shape that it touches at the start.
	around   aabb    // around is a box. The list besides has the leaves of the static tree that meet the box.
	besides  []int32
}

func (r *finished) empty() {
	r.left, r.late = r.left[:0], r.late[:0]
	r.tired, r.stopped, r.runners, r.rest = r.tired[:0], r.stopped[:0], r.runners[:0], r.rest[:0]
	r.courseOf, r.around = -1, aabb{}
}

// leaver is a shape that has left its fat box, with its box for the tree: the new fat box and the
// displacement of the shape.
type leaver struct {
	shape int32
	box   aabb
}

const (
	sleepSpeed  = 0.05 // sleepSpeed is the speed in m/s below which the fastest point of a body counts as at rest.
	timeToSleep = box2d.B2_timeToSleep
)

// sweeper moves the bodies at the end of a step, and stops bodies that would pass through a shape.
type sweeper struct {
	results []finished // by block of bodies
	rest    []int32    // see Stepper.Rest
	active  int        // active is the number of active bodies at the time when the bodies were moved.
	runners []int32    // runners are the shapes whose motion in this step leads out of their boxes in the tree.
	stopped []float32  // by body: the time in this step, from 0 to 1, at which a body with the flag poseStopped was stopped

	blocks work // finishBlock

	world   *box2d.B2World
	set     *box.World
	crew    *crew
	stride  *stride
	rules   *rules
	bodies  *bodies
	shapes  *shapes
	pairs   *pairs
	stops   *stops
	regions *regions
}

// finish moves the library's bodies.
func (s *sweeper) finish() {
	n := len(s.set.Bodies.Active)
	s.active = n
	s.stopped = growTo(s.stopped, len(s.bodies.all))
	for b := range s.results {
		for _, i := range s.results[b].stopped { // the bodies that were stopped in the last step
			s.bodies.poses[i].flags &^= poseStopped
		}
	}
	blocks := s.crew.blocksOf(n, bodyBlock, 4)
	s.results = growTo(s.results, blocks+1)[:blocks+1]
	last := &s.results[blocks]
	last.empty()
	for _, i := range s.regions.movers {
		s.finishMover(i, last)
	}
	s.listRunners()
	s.crew.run(s.blocks, n, blocks)
	for i := range s.results {
		for _, k := range s.results[i].late {
			s.finishBody(k, last, true)
		}
	}
	for i := range s.results {
		s.runners = append(s.runners, s.results[i].runners...)
	}
	for _, i := range s.regions.bullets {
		s.finishBody(i, last, true)
	}
}

// moveBoxes updates the boxes of the tree for the shapes that have left them. It reports whether a
// body has been at rest long enough to sleep.
func (s *sweeper) moveBoxes() (tired bool) {
	moved := 0
	for i := range s.results {
		moved += len(s.results[i].left)
	}
	s.set.Shapes.Tree.ExpectMoves(moved)
	s.rest = s.rest[:0]
	for i := range s.results {
		s.rest = append(s.rest, s.results[i].rest...)
		tired = tired || len(s.results[i].tired) > 0
		left := s.results[i].left
		for n := range left {
			if n%Fetched == 0 {
				fetchNext(s.set.Shapes.Tree.Leaves(), left[n:])
			}
			s.pairs.moveShape(left[n].shape, &left[n].box)
		}
	}
	s.set.Shapes.Tree.Refit(s.pairs.refit)
	return tired
}

// listRest is called at the end of a step. It adds two kinds of bodies to rest: bodies that have
// woken since finish, which are the last active bodies, and edited bodies that are not active.
func (s *sweeper) listRest() {
	set := &s.set.Bodies
	s.rest = append(s.rest, set.Active[s.active:]...)
	for _, n := range set.Changed {
		if !set.All[n].Listed {
			s.rest = append(s.rest, n)
		}
	}
}

func (s *sweeper) finishBlock(block, from, to int) {
	r := &s.results[block]
	r.empty()
	bodies := s.set.Bodies.Active[from:to]
	poses := s.bodies.poses
	for k, i := range bodies {
		if k%Fetched == 0 {
			fetchBodies(s.set, bodies[k:])
		}
		switch flags := poses[i].flags; {
		case flags&(poseDynamic|poseBullet) == poseDynamic:
			s.finishBody(i, r, false)
		case flags&poseAwake == 0:
			r.rest = append(r.rest, i)
		}
	}
}

// listRunners lists the shapes of bullets whose motion leads out of their boxes in the tree.
func (s *sweeper) listRunners() {
	s.runners = s.runners[:0]
	for _, i := range s.regions.bullets {
		s.bodies.poses[i].flags |= poseLate
		own := s.regions.ownCourse(i)
		for k := s.bodies.all[i].first; k >= 0; k = s.shapes.all[k].next {
			box, way := boxOf(s.set.Shapes.Tree.Box(k)), own.bounds(s.shapes.geometry(k))
			if !box.contains(&way) {
				s.runners = append(s.runners, k)
			}
		}
	}
}

// finishBody moves a body. It also checks whether the body is at rest, or so fast that it may have
// passed through a shape. A body about which the world's filter must be asked waits in r.late until
// the other bodies have moved. Bullets are moved last. In these cases alone is true, because no
// other goroutine is working.
func (s *sweeper) finishBody(i int32, r *finished, alone bool) {
	e, p, st := &s.bodies.all[i], &s.bodies.poses[i], s.regions.stateAt(i)
	speed, way := goes(p, st)
	at := stop{other: -1}
	p.flags &^= poseFast | poseLate | poseStopped | poseDone
	if s.world.M_continuousPhysics {
		if far := greater(way, float32(speed*s.stride.dt)); far > 0.5*e.minExtent {
			p.flags |= poseFast
		}
		if p.flags&(poseFast|poseInWay) != 0 {
			var known bool
			if at, known = s.sweep(i, r, alone); known && at.out != (vec{}) {
				at, known = s.slide(i, at, r, alone)
			}
			if !known {
				r.late = append(r.late, i)
				return
			}
		}
	}
	p.flags &^= poseInWay
	d, da := st.d, st.da
	if at.other >= 0 {
		d, da = s.halt(i, at)
		d = p.alongFree(d)
		p.flags |= poseStopped
		s.stopped[i] = at.t
		r.stopped = append(r.stopped, i)
	}
	calm := s.isCalm(i, p, st)
	s.advance(i, e, p, st, d, da)
	s.checkRest(i, e, p, st, speed, way, r)
	if calm && s.set.Rules.Calm(i) {
		p.flags |= poseDone
	} else {
		r.rest = append(r.rest, i)
	}
}

// isCalm reports whether box.Rules.Calm must be called for a body that has not moved yet.
func (s *sweeper) isCalm(i int32, p *pose, st *state) bool {
	m, r := &s.bodies.motions[i], &s.set.Rules
	dv, most := st.v.sub(m.v), float32(r.CalmSpeed)
	return r.Calm != nil && p.flags&(poseChanged|posePushed) == 0 && dot(dv, dv) < most*most && abs(st.w-m.w) < float32(r.CalmSpin)
}

// finishMover moves a kinematic body. It also finds the bodies that are so small that the kinematic
// body may have passed through them.
func (s *sweeper) finishMover(i int32, r *finished) {
	e, p, st := &s.bodies.all[i], &s.bodies.poses[i], s.regions.stateAt(i)
	speed, way := goes(p, st)
	p.flags &^= poseFast
	s.advance(i, e, p, st, st.d, st.da)
	s.checkRest(i, e, p, st, speed, way, r)
	r.rest = append(r.rest, i)
	s.shapes.noteStatics(i)
	if way == 0 {
		return
	}
	c := s.courseOf(i)
	for k := e.first; k >= 0; k = s.shapes.all[k].next {
		b := c.bounds(s.shapes.geometry(k))
		all := b.union(&s.shapes.fatBoxes[k])
		fat := all
		fat.grow(st.d.times(32)) // leave room for half a second
		s.shapes.statics.put(k, &all, &fat)
		if way < speculative || s.shapes.sensors[k] || !s.world.M_continuousPhysics {
			continue
		}
		is := b.toB2()
		r.stack = s.set.Shapes.Tree.Visit(&is, r.stack, func(other int32) bool {
			o := s.shapes.all[other].body
			p := &s.bodies.poses[o]
			if p.flags&poseDynamic == 0 {
				return true
			}
			st := s.regions.stateAt(o)
			d := st.d.sub(c.d).sub(left(c.da, vec{float32(p.x - c.x), float32(p.y - c.y)}))
			if sqrt(dot(d, d))+float32(abs(st.da-c.da)*p.extent) > 0.5*s.bodies.all[o].minExtent {
				p.flags |= poseInWay
			}
			return true
		})
	}
}

// goes returns the speed of the fastest point of a body in m/s, and the distance that this point
// has moved in m.
func goes(p *pose, st *state) (speed, way float32) {
	return sqrt(dot(st.v, st.v)) + float32(abs(st.w)*p.extent), sqrt(dot(st.d, st.d)) + float32(abs(st.q.s)*p.extent)
}

// advance moves the library's body.
func (s *sweeper) advance(i int32, e *body, p *pose, st *state, d vec, da float32) {
	b := e.b
	w := &b.M_sweep
	w.C0, w.A0, w.Alpha0 = box2d.B2Vec2{X: p.x, Y: p.y}, e.a, 0
	p.x += float64(d.x)
	p.y += float64(d.y)
	if da != 0 {
		e.a += float64(da)
		sin, cos := trig.SinCos(e.a)
		b.M_xf.Q = box2d.B2Rot{S: sin, C: cos}
		p.q = rot{float32(sin), float32(cos)}
		w.A = e.a
	}
	w.C = box2d.B2Vec2{X: p.x, Y: p.y}
	q, lc := &b.M_xf.Q, &w.LocalCenter
	b.M_xf.P.X = p.x - (float64(q.C*lc.X) - float64(q.S*lc.Y))
	b.M_xf.P.Y = p.y - (float64(q.S*lc.X) + float64(q.C*lc.Y))
	b.M_linearVelocity = toB2(st.v)
	b.M_angularVelocity = float64(st.w)
	s.bodies.motions[i].v, s.bodies.motions[i].w = st.v, st.w
	s.bodies.plan(i)
	if p.flags&poseDynamic != 0 {
		s.bodies.noteTurn(p, st.w)
	}
}

// rests reports whether a body is slow enough to sleep. A displacement without a speed, for example
// of overlapping shapes, counts half.
func (s *sweeper) rests(i int32, speed, way float32) bool {
	if s.set.Rules.RestSpeeds != nil {
		if most, spin := s.set.Rules.RestSpeeds(s.bodies.all[i].b); most > 0 || spin > 0 {
			st, extent := s.regions.stateAt(i), s.bodies.poses[i].extent
			straight := greater(sqrt(dot(st.v, st.v)), 0.5*sqrt(dot(st.d, st.d))/s.stride.dt)
			turning := greater(abs(st.w), 0.5*abs(st.q.s)/s.stride.dt)
			if most == 0 {
				most = sleepSpeed
			}
			if spin == 0 {
				return straight <= float32(most) && float32(turning*extent) <= sleepSpeed
			}
			return straight <= float32(most) && turning <= float32(spin)
		}
	}
	return greater(speed, 0.5*way/s.stride.dt) <= sleepSpeed
}

// checkRest checks whether a body is at rest, and whether it has left a fat box.
func (s *sweeper) checkRest(i int32, e *body, p *pose, st *state, speed, way float32, r *finished) {
	b := e.b
	if p.flags&poseStirred != 0 {
		p.flags &^= poseStirred
		b.M_sleepTime = 0
	}
	if s.world.M_allowSleep {
		if b.M_flags&b2.BodyAutoSleep == 0 || !s.rests(i, speed, way) || p.flags&poseMoving != 0 {
			b.M_sleepTime = 0
		} else if b.M_sleepTime += float64(s.stride.dt); b.M_sleepTime >= timeToSleep {
			r.tired = append(r.tired, i)
		}
	}
	far, sh := e.farthest(p), s.shapes
	for k := e.first; k >= 0; k = sh.all[k].next {
		if sh.room[k] -= far; sh.room[k] > 0 && p.flags&poseFast == 0 {
			continue
		}
		if sh.newBox(k, p, st.d) {
			r.left = append(r.left, leaver{k, sh.fatBoxes[k]})
			l := &r.left[len(r.left)-1]
			if p.flags&poseFast != 0 {
				if old := boxOf(s.set.Shapes.Tree.Box(k)); len(s.regions.bullets) > 0 && !old.contains(&sh.fatBoxes[k]) {
					r.runners = append(r.runners, k)
				}
				goes, _ := s.bodies.wayOf(i)
				l.box.grow(goes)
			}
			sh.swept[k] = l.box.beyond(&sh.fatBoxes[k])
		}
	}
}
