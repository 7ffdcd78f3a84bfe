package soft

import (
	marks "halfstep/buffer/phase"
	"halfstep/internal/atomic"
)

// stage is a part of solving that is done region by region.
type stage uint8

const (
	stagePrepare   stage = iota
	stageWarmStart       // a part of stageSolve
	stageSolve
	stageRelax
	stageBounce
	stageStore
)

// solver is the part of a Stepper that belongs to the step at hand.
type solver struct {
	stage stage

	stateOf       []int32   // by body: the state of one that is awake, in this step
	regionOf      []uint8   // by body: the region of such a one
	runners       []int32   // shapes that go in this step where their boxes in the tree do not reach, as sweep has to know
	stopped       []float32 // by body: when it was stopped in this step, from 0 to 1, if it has the flag poseStopped
	states        []state   // of bodies by region, then idle ones, then copies
	copies        int       // where the copies begin, see shareOut
	idleState     int       // where the idle ones begin, on which unused lanes work
	regions       []region
	regionCount   int // without the border
	lines         cuts
	common        common
	samples       []sample      // where some constraints are
	activeJoints  []int32       // joints of bodies that are awake
	shares        []shared      // by block of contacts
	touches       []atomic.Bool // by body, see Touches; empty until somebody asks after a step
	colours       []uint32      // by state: the colours of its contacts and joints, a bit each
	borderColours []uint32      // by state: of its contacts and joints that cross a border
	bounces       bool          // a contact has restitution
	bullets       []int32       // those that are awake
	movers        []int32       // kinematic bodies that are awake
	moversWas     []int32       // movers of the last step
	sameStates    bool          // every body has the state that it had in the last step
	moving        bool          // one of the movers moves
}

// solve computes velocities and positions at the end of the step.
func (s *Stepper) solve() {
	s.cutRegions()
	s.shareOut()
	s.prepareJoints()
	s.lane.EnterStage(marks.Solve)
	s.common = common{s.stride.warmScale, int32(s.copies) * stateSize, s.stride.contactSoft, s.stride.staticSoft}
	// Multiplied here once, for all contacts.
	s.common.soft.biasRate *= s.common.soft.massScale
	s.common.still.biasRate *= s.common.still.massScale
	n := s.regionCount
	s.runStage(stagePrepare, n+1)
	for range s.stride.subSteps {
		s.pass(stageWarmStart, &s.regions[s.border()])
		s.regionRun(stageSolve)
		if s.moving {
			s.integrateCopies()
		}
		s.regionRun(stageRelax)
	}
	if s.bounces {
		for range bounceRounds {
			s.regionRun(stageBounce)
		}
	}
	s.runStage(stageStore, n+1)
	for k := range n + 1 {
		s.storeJoints(s.regions[k].joints)
	}
}

// regionBlocks returns how many blocks n regions make.
func (s *Stepper) regionBlocks(n int) int {
	if s.crew.pool == nil || s.regionCount == 1 && !s.crew.finest {
		return 1
	}
	return n
}

// runStage does a stage in the first n regions.
func (s *Stepper) runStage(st stage, n int) {
	s.stage = st
	s.crew.run(s.tasks.solve, n, s.regionBlocks(n))
}

func (s *Stepper) solveBlock(_, from, to int) {
	for k := from; k < to; k++ {
		s.solveRegion(s.stage, k)
	}
}

// regionRun does a stage in all regions, and then with what crosses borders.
func (s *Stepper) regionRun(st stage) {
	s.runStage(st, s.regionCount)
	s.pass(st, &s.regions[s.border()])
}

// solveRegion does a stage in one region. Solving first integrates its bodies' velocities and
// applies the impulses of the last sub-step: done here and not in a stage of its own, this
// saves the workers one wait for each other in every sub-step. Solve has done so for what
// crosses borders. Relaxing first integrates positions.
func (s *Stepper) solveRegion(st stage, k int) {
	r := &s.regions[k]
	switch st {
	case stagePrepare:
		s.loadRegion(r)
		r.pins.colour(s, k, (*pinBatch).empty, s.preparePin)
		r.hinges.colour(s, k, (*hingeBatch).empty, s.prepareHinge)
		s.colourRegion(k)
		s.prepareRegion(r)
		return
	case stageStore:
		s.hold(r)
		r.pins.each(s, s.storePin)
		r.hinges.each(s, s.storeHinge)
		if len(r.batches) > 0 {
			storeBatches(r.batches, s.contacts.all)
		}
		return
	case stageSolve:
		if len(r.bodies) > 0 {
			integrateVelocities(s.states[r.first:], r.bodies, s.bodies.motions)
			s.hold(r)
		}
		s.pass(stageWarmStart, r)
	case stageRelax:
		s.hold(r)
		integratePositions(s.states[r.first:int(r.first)+len(r.bodies)], s.stride.h, s.stride.topSpeed, s.stride.topSpin)
	}
	s.pass(st, r)
	s.hold(r)
}

// pass goes once over the pins of a region, its hinges, its other joints, and then over its
// contacts. Batches of one colour follow those of another.
func (s *Stepper) pass(st stage, r *region) {
	if len(r.pins.batches) > 0 {
		switch st {
		case stageWarmStart:
			warmStartPins(r.pins.batches, s.states)
		case stageSolve, stageRelax:
			solvePins(r.pins.batches, s.states, s.stride.jointSoft, st == stageSolve)
		}
	}
	if len(r.hinges.batches) > 0 {
		switch st {
		case stageWarmStart:
			warmStartHinges(r.hinges.batches, s.states)
		case stageSolve, stageRelax:
			solveHinges(r.hinges.batches, s.states, s.stride.invH, st == stageSolve)
		}
	}
	s.solveJoints(st, r.joints)
	if s.set.Rules.Rolling != nil && len(r.batches) > 0 {
		roll(r.batches, r.rolling, s.states, st)
	}
	if len(r.batches) > 0 {
		switch st {
		case stageWarmStart:
			warmStart(r.batches, s.states)
		case stageSolve, stageRelax:
			solve(r.batches, s.states, &s.common, s.stride.invH, st == stageSolve)
		case stageBounce:
			bounce(r.batches, r.bounces, s.states, float32(s.set.Rules.BounceSpeed))
		}
	}
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

func (s *Stepper) integrateCopies() {
	for i := s.copies; i < len(s.states); i++ {
		if st := &s.states[i]; st.v != (vec{}) || st.w != 0 {
			st.move(s.stride.h)
		}
	}
}
