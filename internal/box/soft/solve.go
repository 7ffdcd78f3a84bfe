package soft

// solver finds the velocities and positions at the end of a step.
type solver struct {
	stage  stage // at hand
	stages work  // solveBlock

	crew     *crew
	stride   *stride
	bodies   *bodies
	regions  *regions
	graph    *graph
	joints   *jointSolver
	contacts *contactSolver
}

// solve computes velocities and positions at the end of the step.
func (s *solver) solve() {
	n := s.regions.count
	s.contacts.begin()
	s.runStage(stagePrepare, n+1)
	for range s.stride.subSteps {
		s.pass(stageWarmStart, n)
		s.regionRun(stageSolve)
		if s.regions.moving {
			s.regions.integrateCopies()
		}
		s.regionRun(stageRelax)
	}
	if s.graph.bounces {
		for range bounceRounds {
			s.regionRun(stageBounce)
		}
	}
	s.runStage(stageStore, n+1)
	for k := range n + 1 {
		s.joints.storeOthers(k)
	}
}

// regionBlocks returns how many blocks n regions make.
func (s *solver) regionBlocks(n int) int {
	if s.crew.pool == nil || s.regions.count == 1 && !s.crew.finest {
		return 1
	}
	return n
}

// runStage does a stage in the first n regions.
func (s *solver) runStage(st stage, n int) {
	s.stage = st
	s.crew.run(s.stages, n, s.regionBlocks(n))
}

func (s *solver) solveBlock(_, from, to int) {
	for k := from; k < to; k++ {
		s.solveRegion(s.stage, k)
	}
}

// regionRun does a stage in all regions, and then with what crosses borders.
func (s *solver) regionRun(st stage) {
	s.runStage(st, s.regions.count)
	s.pass(st, s.regions.border())
}

// solveRegion does a stage in one region. Solving first integrates its bodies' velocities and
// applies the impulses of the last sub-step: done here and not in a stage of its own, this
// saves the workers one wait for each other in every sub-step. Solve has done so for what
// crosses borders. Relaxing first integrates positions.
func (s *solver) solveRegion(st stage, k int) {
	r := &s.regions.all[k]
	switch st {
	case stagePrepare:
		s.regions.loadRegion(r)
		s.joints.colour(k)
		s.graph.colourRegion(k)
		s.contacts.prepare(k)
		return
	case stageStore:
		s.regions.hold(r)
		s.joints.store(k)
		s.contacts.store(k)
		return
	case stageSolve:
		if len(r.bodies) > 0 {
			integrateVelocities(s.regions.states[r.first:], r.bodies, s.bodies.motions)
			s.regions.hold(r)
		}
		s.pass(stageWarmStart, k)
	case stageRelax:
		s.regions.hold(r)
		integratePositions(s.regions.states[r.first:int(r.first)+len(r.bodies)], s.stride.h, s.stride.topSpeed, s.stride.topSpin)
	}
	s.pass(st, k)
	s.regions.hold(r)
}

// pass goes once over the joints of a region, and then over its contacts.
func (s *solver) pass(st stage, region int) {
	s.joints.pass(st, region)
	s.contacts.pass(st, region)
}

// integrateVelocitiesPlain applies gravity, forces and damping over a sub-step.
func integrateVelocitiesPlain(states []state, bodies []int32, motions []motion) {
	for k, i := range bodies {
		st, m := &states[k], &motions[i]
		st.v.x = float32((st.v.x + m.dv.x) * m.linearScale)
		st.v.y = float32((st.v.y + m.dv.y) * m.linearScale)
		st.w = float32((st.w + m.dw) * m.angularScale)
	}
}

// integratePositionsPlain moves bodies over a sub-step. Their speeds are bounded.
func integratePositionsPlain(states []state, h, maxSpeed, maxSpin float32) {
	for k := range states {
		st := &states[k]
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
