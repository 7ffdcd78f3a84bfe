package soft

import "github.com/ByteArena/box2d"

// solve computes velocities and positions at the end of the step.
func (s *Stepper) solve() {
	s.colourContacts()
	s.prepareJoints()
	s.run(stagePrepare, s.batchCount, s.blocksOf(s.batchCount, batchBlock, 2))
	for range s.subSteps {
		s.run(stageVelocities, len(s.bodies), s.blocksOf(len(s.bodies), bodyBlock, 2))
		s.pass(stageWarmStartJoints, stageWarmStart)
		s.pass(stageSolveJoints, stageSolve)
		s.run(stagePositions, len(s.bodies), s.blocksOf(len(s.bodies), bodyBlock, 2))
		if s.movingCopies {
			s.integrateCopies()
		}
		s.pass(stageRelaxJoints, stageRelax)
	}
	if s.bounces {
		for k := range s.graph {
			s.colourRun(stageBounce, k)
		}
	}
	s.run(stageStore, s.batchCount, s.blocksOf(s.batchCount, batchBlock, 2))
	s.storeJoints()
}

const (
	batchBlock = 4
	jointBlock = 16
)

// pass goes over all joints and then all contacts, one colour after the other.
func (s *Stepper) pass(joints, contacts stage) {
	if len(s.joined) > 0 {
		for k := range s.graph {
			s.jointRun(joints, k)
		}
	}
	for k := range s.graph {
		s.colourRun(contacts, k)
	}
}

// colourBlocks returns how many blocks the batches of colour k are cut into.
func (s *Stepper) colourBlocks(k int) int {
	if k == overflow {
		return 1 // in order
	}
	return s.blocksOf(s.graph[k].count, batchBlock, 2)
}

func (s *Stepper) colourRun(st stage, k int) {
	if n := s.graph[k].count; n > 0 {
		s.phase.colour = k
		s.run(st, n, s.colourBlocks(k))
	}
}

func (s *Stepper) jointRun(st stage, k int) {
	n := len(s.graph[k].joints)
	if n == 0 {
		return
	}
	blocks := 1
	if k != overflow {
		blocks = s.blocksOf(n, jointBlock, 2)
	}
	s.phase.colour = k
	s.run(st, n, blocks)
}

// solveBlock works on batches of the present colour.
func (s *Stepper) solveBlock(st stage, from, to int) {
	g := &s.graph[s.phase.colour]
	batches := s.batches[g.batches+from : g.batches+to]
	switch st {
	case stageWarmStart:
		warmStart(batches, s.states)
	case stageSolve:
		solve(batches, s.states, s.invH, true)
	case stageRelax:
		solve(batches, s.states, s.invH, false)
	case stageBounce:
		bounce(batches, s.bounceBatches[g.batches+from:g.batches+to], s.states)
	}
}

// integrateVelocities applies gravity, forces and damping over a sub-step.
func (s *Stepper) integrateVelocities(from, to int) {
	states, motions, poses := s.states[from:to], s.motions[from:to], s.poses[from:to]
	for i := range states {
		if poses[i].flags&poseDynamic == 0 {
			continue
		}
		st, m := &states[i], &motions[i]
		st.v.x = float32((st.v.x + m.dv.x) * m.linearScale)
		st.v.y = float32((st.v.y + m.dv.y) * m.linearScale)
		st.w = float32((st.w + m.dw) * m.angularScale)
	}
}

// integratePositions moves the bodies over a sub-step. Their speeds are bounded
// as in the library: 2 m and a quarter turn in a step.
func (s *Stepper) integratePositions(from, to int) {
	states, poses := s.states[from:to], s.poses[from:to]
	h := s.h
	maxSpeed, maxSpin := box2d.B2_maxTranslation/s.dt, float32(box2d.B2_maxRotation)/s.dt
	for i := range states {
		if poses[i].flags&poseAwake == 0 {
			continue
		}
		st := &states[i]
		if v2 := dot(st.v, st.v); v2 > maxSpeed*maxSpeed {
			st.v = st.v.times(maxSpeed / sqrt(v2))
		}
		if abs(st.w) > maxSpin {
			st.w = clamp(st.w, -maxSpin, maxSpin)
		}
		st.move(h)
	}
}

func (st *state) move(h float32) {
	st.d = st.d.plus(h, st.v)
	st.da += float32(h * st.w)
	st.q = smallRotation(st.da)
}

// integrateCopies moves the copies of kinematic bodies.
func (s *Stepper) integrateCopies() {
	for i := s.idleState + colourCount; i < len(s.states); i++ {
		if st := &s.states[i]; st.v != (vec{}) || st.w != 0 {
			st.move(s.h)
		}
	}
}
