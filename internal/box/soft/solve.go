package soft

// solver computes the velocities and positions at the end of a step.
type solver struct {
	stage  stage // stage is the stage in progress.
	stages work  // solveBlock

	crew     *crew
	stride   *stride
	bodies   *bodies
	regions  *regions
	graph    *graph
	joints   *jointSolver
	contacts *contactSolver
}

// solve runs the stages of all sub-steps.
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

// regionBlocks returns the number of blocks for n regions.
func (s *solver) regionBlocks(n int) int {
	if s.crew.pool == nil || s.regions.count == 1 && !s.crew.finest {
		return 1
	}
	return n
}

// runStage runs a stage in the first n regions.
func (s *solver) runStage(st stage, n int) {
	s.stage = st
	s.crew.run(s.stages, n, s.regionBlocks(n))
}

func (s *solver) solveBlock(_, from, to int) {
	for k := from; k < to; k++ {
		s.solveRegion(s.stage, k)
	}
}

// regionRun runs a stage in all regions, and then for the constraints that cross borders.
func (s *solver) regionRun(st stage) {
	s.runStage(st, s.regions.count)
	s.pass(st, s.regions.border())
}

// solveRegion runs a stage in one region. A solve stage first integrates the velocities of
// the region's bodies, and applies the impulses of the last sub-step. If this were a stage of
// its own, the workers would wait for each other once more in every sub-step. For constraints
// that cross borders, the method solve has already done this. A relax stage first integrates
// positions.
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

// pass processes the joints of a region once, and then the contacts of the region.
func (s *solver) pass(st stage, region int) {
	s.joints.pass(st, region)
	s.contacts.pass(st, region)
}

// integrateVelocitiesPlain applies gravity, forces and damping for a sub-step.
func integrateVelocitiesPlain(states []state, bodies []int32, motions []motion) {
	for k, i := range bodies {
		st, m := &states[k], &motions[i]
		st.v.x = float32((st.v.x + m.dv.x) * m.linearScale)
		st.v.y = float32((st.v.y + m.dv.y) * m.linearScale)
		st.w = float32((st.w + m.dw) * m.angularScale)
	}
}

// integratePositionsPlain moves bodies by a sub-step. It limits their speeds.
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
