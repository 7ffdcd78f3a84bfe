package soft

// stage is what a block of work belongs to.
type stage uint8

const (
	stageLoad stage = iota
	stageQuery
	stageContacts
	stagePrepare
	stageVelocities
	stagePositions
	stageWarmStart
	stageSolve
	stageRelax
	stageBounce
	stageWarmStartJoints
	stageSolveJoints
	stageRelaxJoints
	stageStore
	stageFinish
)

// phase is what workers have to know of the stage at hand.
type phase struct {
	stage     stage
	colour    int
	n, blocks int
	size      int
}

// run does n units of work in blocks of a size. Every block writes to memory of
// its own, so which goroutine does it changes nothing.
func (s *Stepper) run(st stage, n, size int) {
	if n == 0 {
		return
	}
	s.phase.stage, s.phase.n, s.phase.size = st, n, size
	s.phase.blocks = (n + size - 1) / size
	if s.pool == nil || s.phase.blocks == 1 {
		for k := range s.phase.blocks {
			s.block(k)
		}
		return
	}
	s.pool.run(s, s.phase.blocks)
}

// block does one block of the stage at hand.
func (s *Stepper) block(k int) {
	p := &s.phase
	from := k * p.size
	to := min(from+p.size, p.n)
	switch p.stage {
	case stageLoad:
		s.loadBlock(k, from, to)
	case stageQuery:
		s.queryBlock(k, from, to)
	case stageContacts:
		s.updateBlock(k, from, to)
	case stagePrepare:
		s.prepareBlock(k, from, to)
	case stageVelocities:
		s.integrateVelocities(from, to)
	case stagePositions:
		s.integratePositions(from, to)
	case stageWarmStart, stageSolve, stageRelax, stageBounce:
		s.solveBlock(p.stage, from, to)
	case stageWarmStartJoints, stageSolveJoints, stageRelaxJoints:
		s.solveJoints(p.stage, from, to)
	case stageStore:
		s.storeBlock(k, from, to)
	case stageFinish:
		s.finishBlock(k, from, to)
	}
}
