package soft

// stage is a part of a step whose work is cut into blocks; block says what each does.
type stage uint8

const (
	stageLoad stage = iota
	stageLeaves
	stageMoved
	stageQuery
	stageQueryPacked
	stageContacts
	stageCut
	stageShare
	stageJoints
	stagePrepare
	stageWarmStart // a part of stageSolve
	stageSolve
	stageRelax
	stageBounce
	stageStore
	stageFinish
	stageRefit
	stageForces
	stageTouches
	stageCaller
)

// phase tells the workers the stage at hand, and that its n units of work are in so many blocks.
type phase struct {
	stage     stage
	n, blocks int
}

// blocksOf returns how many blocks n units of work are cut into: one for little work, and
// otherwise the same number for each worker, at most perWorker. If that is more than one, each
// has at least least units.
func (s *Stepper) blocksOf(n, least, perWorker int) int {
	if s.pool == nil {
		return 1
	}
	workers := s.pool.Len()
	if s.finest {
		return min(max(n, 1), workers*perWorker)
	}
	if n < 2*least {
		return 1
	}
	return min(perWorker, max(1, n/least/workers)) * workers
}

// run does n units of work in blocks, which the workers share if that takes less time at
// present (workers.Choice). Every block writes to memory of its own, and the lists of blocks
// are joined in their order, so neither their number nor the goroutines change a result.
func (s *Stepper) run(st stage, n, blocks int) {
	s.phase = phase{st, n, blocks}
	s.divisible = s.divisible || blocks > 1
	if blocks == 1 || !s.finest && !s.choice.Shared() {
		for k := range blocks {
			s.block(k)
		}
		return
	}
	if !s.pooled {
		s.pooled = true
		s.pool.Wake()
	}
	s.pool.Run(blocks)
}

// Blocks is how many blocks Share needs for n units of work that take some nanoseconds each.
func (s *Stepper) Blocks(n int) int { return s.blocksOf(n, manyBodies, 1) }

// Share does n units of the caller's work after a step, in blocks, as run does those of a step.
func (s *Stepper) Share(n, blocks int, do func(block, from, to int)) {
	s.caller = do
	s.run(stageCaller, n, blocks)
	s.pool.Rest()
}

func (s *Stepper) block(k int) {
	p := &s.phase
	from, to := k*p.n/p.blocks, (k+1)*p.n/p.blocks
	switch p.stage {
	case stageLoad:
		s.loadBlock(k, from, to)
	case stageLeaves:
		s.packed.copyLeaves(&s.set.Shapes.Tree, s.fatBoxes, from, to)
	case stageMoved:
		s.packed.noteMoved(&s.set.Shapes.Moves, s.shapes, from, to)
	case stageQuery:
		s.queryBlock(k, from, to)
	case stageQueryPacked:
		s.queryPacked(k, from, to)
	case stageContacts:
		s.updateBlock(k, from, to)
	case stageCut:
		s.cutBodies(from, to)
	case stageShare:
		s.shareBlock(k)
	case stageJoints:
		s.shareJoints(k, from, to)
	case stageFinish:
		s.finishBlock(k, from, to)
	case stageRefit:
		s.set.Shapes.Tree.RefitBlock(k, from, to)
	case stageForces:
		s.clearForces(from, to)
	case stageTouches:
		s.noteTouches(&s.narrowed[k])
	case stageCaller:
		s.caller(k, from, to)
	default:
		for k := from; k < to; k++ {
			s.solveRegion(p.stage, k)
		}
	}
}
