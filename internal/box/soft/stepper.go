package soft

import (
	"time"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/monotime"
	"halfstep/internal/phasetrace"
	marks "halfstep/internal/timing"
)

// Options are the settings of a stepper. The zero value is ready to use.
type Options struct {
	// SubSteps is the number of sub-steps of a step. The value 0 means 4. With more sub-steps, stacks
	// and joints are stiffer. The number changes results.
	SubSteps int

	// Workers is the number of goroutines that compute a step, including the caller. The value 0 means
	// one less than the number of processors. There are never more workers than can run at once,
	// because workers spin for a while before they sleep. The number changes no result.
	Workers int

	// MaxPairs is the greatest number of new pairs in one search. If there are more, Step panics with
	// an error that wraps TooManyPairs. The value 0 means no limit. Pairs that the shapes' filters
	// refuse do not count. Pairs that only the world's filter refuses do count.
	MaxPairs     int
	TooManyPairs error

	// Listener receives the events of contacts, if it is not nil. The library's listener does not
	// receive them.
	Listener Listener

	// Active receives every change of the world between two steps. If it is nil, each step checks the
	// whole world to find the changes.
	Active *box.World
}

// Method is the number of the method. It is increased with every change of results:
//
//   - 5: the points of contacts turn with their bodies, and predict makes no points behind a wall.
//   - 7: fast bodies that fly side by side are not a pair.
//   - 8: revolute joints with a motor, limits or a spring have colours, as pins do.
//   - 9: the contacts of large worlds are shuffled before they get colours.
//   - 10: lines pass each other even if they are fast. A kinematic body that stops a body of fixed
//     rotation does not turn that body.
//   - 11: a bounce of a body that spins fast gains no energy. A polygon does not push the line of a chain
//     out by more than the length of the line. A hammer that falls on its handle does not fly off.
//   - 12: points follow a centre of mass that moves, bullets meet each other, a core that touches goes
//     on, joints return at a limited speed, and a bounce has the speed of the impact.
//   - 13: the pairs of a step are made in the order of the shapes' own numbers, and not of the library's.
//   - 14: a body that lies on another body is not between that body and a wall that it is about to meet.
//   - 15: the contact of two bodies that were made asleep begins when one of them wakes. Welds, sliders,
//     wheels and rods have colours as well, so they are solved in another order.
const Method = 15

// DefaultSubSteps is the number of sub-steps if Options.SubSteps is 0.
const DefaultSubSteps = 4

// Stepper advances one Box2D world. It must be created with [New]. Only one goroutine at a time,
// the owner of the world, may use it.
type Stepper struct {
	world  *box2d.B2World
	phases *phasetrace.Recorder // may be nil
	opts   Options
	crew   crew
	stride stride
	rules  rules

	// These tables are the world. Bodies, contacts and joints have the numbers of set, which also lists
	// the active ones. Shapes have the numbers of set.Shapes.
	set           *box.World
	bodies        bodies
	shapes        shapes
	contacts      contacts
	pairs         pairs
	stops         stops
	narrow        narrowPhase
	joints        joints
	regions       regions
	graph         graph
	jointSolver   jointSolver
	contactSolver contactSolver
	solver        solver

	sweeper sweeper
	islands islands
	loader  loader
	keeper  keeper
	forces  work     // clearForces
	columns *columns // columns is nil until Keep is called.
}

// New makes a stepper for a world. The world may be in any state between two steps.
func New(world *box2d.B2World, opts Options) *Stepper {
	set := opts.Active
	if set == nil {
		set = box.New(world, true)
	}
	s := &Stepper{world: world, opts: opts, set: set}
	s.set.GoSoft(s)
	s.bodies = bodies{set: set, stride: &s.stride}
	s.shapes = shapes{set: set, bodies: &s.bodies, rules: &s.rules}
	s.contacts = contacts{set: set, bodies: &s.bodies, shapes: &s.shapes}
	s.pairs.open(world, set, &s.crew, &s.rules, &s.bodies, &s.shapes, &s.contacts)
	s.pairs.most, s.pairs.tooMany = opts.MaxPairs, opts.TooManyPairs
	s.stops = stops{set, &s.rules, &s.bodies, &s.shapes, &s.contacts}
	s.narrow = narrowPhase{
		world: world, set: set, crew: &s.crew, stride: &s.stride, rules: &s.rules,
		bodies: &s.bodies, shapes: &s.shapes, contacts: &s.contacts, pairs: &s.pairs, stops: &s.stops,
	}
	s.narrow.updates = s.narrow.updateBlock
	s.joints = joints{set: set, bodies: &s.bodies}
	s.regions = regions{set: set, crew: &s.crew, stride: &s.stride, bodies: &s.bodies, contacts: &s.contacts, joints: &s.joints}
	s.regions.sampling, s.regions.cuts = s.regions.sampleBlock, s.regions.cutBodies
	s.graph = graph{set: set, crew: &s.crew, bodies: &s.bodies, contacts: &s.contacts, regions: &s.regions}
	s.graph.sharing = s.graph.shareBlock
	s.jointSolver = jointSolver{
		kinds: newJointKinds(), set: set, crew: &s.crew, stride: &s.stride,
		bodies: &s.bodies, joints: &s.joints, regions: &s.regions, graph: &s.graph,
		copier: &jointCopier{set, &s.stride, &s.bodies, &s.joints, &s.regions},
	}
	s.jointSolver.sharing = s.jointSolver.shareJoints
	s.contactSolver = contactSolver{
		set: set, stride: &s.stride, bodies: &s.bodies, contacts: &s.contacts, regions: &s.regions, graph: &s.graph,
	}
	s.solver = solver{
		crew: &s.crew, stride: &s.stride, bodies: &s.bodies,
		regions: &s.regions, graph: &s.graph, joints: &s.jointSolver, contacts: &s.contactSolver,
	}
	s.solver.stages = s.solver.solveBlock
	s.sweeper = sweeper{
		world: world, set: set, crew: &s.crew, stride: &s.stride, rules: &s.rules,
		bodies: &s.bodies, shapes: &s.shapes, pairs: &s.pairs, stops: &s.stops, regions: &s.regions,
	}
	s.sweeper.blocks = s.sweeper.finishBlock
	s.islands = islands{set: set, stride: &s.stride, bodies: &s.bodies, contacts: &s.contacts, joints: &s.joints, narrow: &s.narrow}
	s.loader = loader{
		set: set, crew: &s.crew, stride: &s.stride,
		bodies: &s.bodies, shapes: &s.shapes, contacts: &s.contacts, pairs: &s.pairs,
	}
	s.loader.blocks = s.loader.loadBlock
	s.keeper = keeper{set, &s.bodies, &s.shapes, &s.contacts, &s.joints, &s.loader}
	s.forces = s.bodies.clearForces
	if s.stride.subSteps = opts.SubSteps; opts.SubSteps <= 0 {
		s.stride.subSteps = DefaultSubSteps
	}
	if opts.Active == nil {
		set.Expose()
	}
	if opts.Listener != nil {
		s.set.Listen(opts.Listener)
	}
	s.crew.open(opts.Workers)
	s.MakeRoom()
	return s
}

// Close ends the worker goroutines. The stepper must not be used afterwards. A second call has no
// effect.
func (s *Stepper) Close() {
	s.crew.close()
}

// Follow makes the stepper report the stages of a step to l, which may be nil.
func (s *Stepper) Follow(l *phasetrace.Recorder) { s.phases = l }

// Step advances the world by dt seconds. It ignores the numbers of iterations, which are parameters
// of the library's Step.
func (s *Stepper) Step(dt float64, _, _ int) {
	w := s.world
	start := monotime.Now()
	w.M_flags |= box2d.B2World_Flags.E_locked
	s.crew.begin()
	defer s.crew.rest()
	s.bodies.sleepers = false
	s.stride.begin(w, dt)
	s.rules.begin(w.M_contactManager.M_contactFilter, s.opts.Listener)

	s.phases.EnterStage(marks.Pairs)
	if s.opts.Active == nil {
		s.set.Expose()
	}
	if !s.set.Begin() {
		panic(errForeign)
	}
	s.loader.load()
	s.contacts.follow()
	w.M_flags &^= box2d.B2World_Flags.E_newFixture
	s.pairs.find()
	s.set.Merge()
	s.joints.follow()

	mark := monotime.Now()
	s.phases.EnterStage(marks.NarrowPhase)
	s.pairs.packForStep()
	s.narrow.update()
	mark = lap(mark, &w.M_profile.Collide)
	if dt > 0 {
		s.phases.EnterStage(marks.Islands)
		s.islands.wake(s.narrow.results)
		s.cut()
		s.phases.EnterStage(marks.Solve)
		s.solver.solve()
		mark = lap(mark, &w.M_profile.Solve)
		s.phases.EnterStage(marks.Continuous)
		s.sweeper.finish()
		s.phases.EnterStage(marks.Pairs)
		tired := s.sweeper.moveBoxes()
		s.phases.EnterStage(marks.Sleep)
		if tired {
			s.sweeper.rest = s.islands.sleep(s.sweeper.results, s.graph.shares, s.sweeper.rest)
		}
		s.narrow.report()
		mark = lap(mark, &w.M_profile.SolveTOI)
		s.phases.EnterStage(marks.Pairs)
		s.pairs.resettled = s.pairs.find()
		lap(mark, &w.M_profile.Broadphase)
		w.M_inv_dt0 = 1 / dt
		s.stride.end()
		s.sweeper.listRest()
	} else {
		s.sweeper.rest = append(s.sweeper.rest[:0], s.set.Bodies.Seen...)
	}
	if w.M_flags&box2d.B2World_Flags.E_clearForces != 0 {
		n := len(s.set.Bodies.Seen)
		s.crew.run(s.forces, n, s.crew.blocksOf(n, manyBodies, 1))
	}
	s.set.End()
	s.phases.EnterStage(marks.NoStage)
	w.M_flags &^= box2d.B2World_Flags.E_locked
	took := monotime.Since(start)
	w.M_profile.Step = float64(took) / 1e6
	s.crew.took(took)
}

// cut divides the awake bodies and their contacts among regions, and prepares the joints of these
// bodies.
func (s *Stepper) cut() {
	work := s.contacts.count()
	if len(s.bodies.woken) > 0 {
		s.joints.listActive()
	}
	s.regions.cut(work+len(s.joints.active), s.narrow.results)
	s.graph.shareOut(s.narrow.results)
	s.jointSolver.prepare()
}

// ForgetFilters makes the next step ask for the filter of each shape again.
func (s *Stepper) ForgetFilters() { s.shapes.otherFilters = true }

// Blocks returns the number of blocks that Share needs for n units of work. Each unit must take some
// nanoseconds.
func (s *Stepper) Blocks(n int) int { return s.crew.blocksOf(n, manyBodies, 1) }

// Share runs n units of the caller's work after a step. It runs them in blocks, as a step does with
// its own work.
func (s *Stepper) Share(n, blocks int, do func(block, from, to int)) {
	s.crew.run(do, n, blocks)
	s.crew.rest()
}

// Rest returns the numbers of the bodies that the last step has worked on, and of those that were
// edited before the step. Bodies for which box.Rules.Calm has returned true are not included. Some
// of the bodies may be destroyed.
func (s *Stepper) Rest() []int32 { return s.sweeper.rest }

// Touches reports whether the last step has solved a contact in which the body touches another
// body. Several goroutines may call it at once.
func (s *Stepper) Touches(body int32) bool { return s.contacts.touch(body) }

// Colours yields the colour of each contact that the last step has solved. Contacts of one colour
// are solved side by side. The last colour is for contacts for which no colour was free. It may be
// called between two steps.
func (s *Stepper) Colours(yield func(c box.Contact, colour int)) {
	s.graph.each(func(n int32, colour int) { yield(s.set.Contacts.At(n), colour) })
}

// lap writes the milliseconds since mark to the variable ms. It returns the present time.
func lap(mark time.Time, ms *float64) time.Time {
	now := monotime.Now()
	*ms = float64(now.Sub(mark)) / 1e6
	return now
}
