package soft

import (
	"github.com/ByteArena/box2d"

	marks "halfstep/buffer/phase"
)

// finished is what a block of bodies leaves to be done in order.
type finished struct {
	moved   []int32 // bodies that somebody else has moved
	left    []int32 // shapes that have left their fat boxes
	bullets []int32
	changed []int32 // bodies whose shapes are to be loaded
	around  box     // the centres of dynamic bodies that are awake
	retyped bool    // a body has become static, or no longer is
	tired   bool    // a body has been at rest long enough to sleep
	stack   []int32
}

const (
	sleepSpeed  = 0.05 // m/s, of the fastest point of a body at rest
	timeToSleep = box2d.B2_timeToSleep
)

// finish moves the library's bodies, and puts to sleep what is at rest.
func (s *Stepper) finish() {
	s.lane.EnterStage(marks.Continuous)
	s.buildStatics()
	n := len(s.bodies)
	blocks := s.blocksOf(n, bodyBlock, 4)
	s.run(stageFinish, n, blocks)
	last := &s.bullets
	last.left, last.tired = last.left[:0], false
	for i := range s.results {
		for _, k := range s.results[i].bullets {
			s.finishBullet(k, last)
		}
	}
	tired := last.tired
	s.lane.EnterStage(marks.Pairs)
	s.beginMoves()
	for i := range s.results {
		tired = tired || s.results[i].tired
		s.moveProxies(s.results[i].left)
	}
	s.moveProxies(last.left)
	s.endMoves()
	s.lane.EnterStage(marks.Sleep)
	if tired {
		s.sleepIslands()
	}
}

func (s *Stepper) finishBlock(block, from, to int) {
	r := &s.results[block]
	r.left, r.bullets, r.tired = r.left[:0], r.bullets[:0], false
	for i := from; i < to; i++ {
		if s.poses[i].flags&poseAwake != 0 {
			s.finishBody(int32(i), r)
		}
	}
}

// finishBody moves a body and looks whether it is at rest, or so fast that it
// may have passed through something.
func (s *Stepper) finishBody(i int32, r *finished) {
	e, p, st := &s.bodies[i], &s.poses[i], s.stateAt(i)
	speed := sqrt(dot(st.v, st.v)) + float32(abs(st.w)*p.extent)
	way := sqrt(dot(st.d, st.d)) + float32(abs(st.q.s)*p.extent)

	fraction := float32(1)
	p.flags &^= poseFast
	if p.flags&poseDynamic != 0 && s.world.M_continuousPhysics {
		if far := greater(way, float32(speed*s.dt)); far > 0.5*e.minExtent {
			p.flags |= poseFast
			if p.flags&poseBullet != 0 {
				r.bullets = append(r.bullets, i)
				return
			}
			fraction = s.sweep(i, r)
		}
	}
	s.advance(i, fraction)
	s.settle(i, speed, way, r)
}

// finishBullet does for a bullet, once everything else has moved, what
// finishBody does for others.
func (s *Stepper) finishBullet(i int32, r *finished) {
	st, p := s.stateAt(i), &s.poses[i]
	speed := sqrt(dot(st.v, st.v)) + float32(abs(st.w)*p.extent)
	way := sqrt(dot(st.d, st.d)) + float32(abs(st.q.s)*p.extent)
	s.advance(i, s.sweep(i, r))
	s.settle(i, speed, way, r)
}

// advance moves the library's body by a fraction of what the solver has found.
func (s *Stepper) advance(i int32, fraction float32) {
	e, p, st := &s.bodies[i], &s.poses[i], s.stateAt(i)
	b := e.b
	w := &b.M_sweep
	w.C0, w.A0, w.Alpha0 = box2d.B2Vec2{X: p.x, Y: p.y}, e.a, 0
	d, da := st.d, st.da
	if fraction < 1 {
		d, da = d.times(fraction), float32(da*fraction)
	}
	p.x += float64(d.x)
	p.y += float64(d.y)
	if da != 0 {
		e.a += float64(da)
		sin, cos := sinCos(e.a)
		b.M_xf.Q = box2d.B2Rot{S: sin, C: cos}
		p.q = rot{float32(sin), float32(cos)}
		w.A = e.a
	}
	w.C = box2d.B2Vec2{X: p.x, Y: p.y}
	q, lc := &b.M_xf.Q, &w.LocalCenter
	e.x = p.x - (float64(q.C*lc.X) - float64(q.S*lc.Y))
	e.y = p.y - (float64(q.S*lc.X) + float64(q.C*lc.Y))
	b.M_xf.P = box2d.B2Vec2{X: e.x, Y: e.y}
	b.M_linearVelocity = toB2(st.v)
	b.M_angularVelocity = float64(st.w)
}

// settle looks whether a body is at rest and whether it has left a fat box.
func (s *Stepper) settle(i int32, speed, way float32, r *finished) {
	e, p := &s.bodies[i], &s.poses[i]
	b := e.b
	if s.world.M_allowSleep {
		// How far it was pushed counts less than how fast it is.
		if b.M_flags&bodyAutoSleep == 0 || greater(speed, 0.5*way/s.dt) > sleepSpeed || p.flags&poseMoving != 0 {
			b.M_sleepTime = 0
		} else if b.M_sleepTime += float64(s.dt); b.M_sleepTime >= timeToSleep {
			r.tired = true
		}
	}
	for k := e.first; k >= 0; k = s.shapes[k].next {
		if s.newBox(i, k) {
			r.left = append(r.left, k)
		}
	}
}
