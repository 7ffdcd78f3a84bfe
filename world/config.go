package world

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"halfstep/internal/box/soft"
	"halfstep/internal/box/workers"
)

// Config describes a world. The zero Config is a world with a gravity of
// (0, -10) m/s².
type Config struct {
	Gravity   Vec  // in m/s²; zero means (0, -10), see NoGravity
	NoGravity bool // the world has no gravity

	// VelocityIterations and PositionIterations are the solver's iterations in a step, each
	// at most MaxIterations. 0 means 8 and 3. More iterations make stacks and joints stiffer,
	// and a step slower.
	VelocityIterations, PositionIterations int

	NoSleep        bool // bodies at rest stay awake
	NoContinuous   bool // no continuous collision, so fast bodies pass through others
	NoWarmStarting bool // each step starts with zero impulses
	SubStepping    bool // at most one time-of-impact event in a step

	// Stepper selects the way to step the world. The default is FastStep.
	Stepper Stepper
	// SubSteps is the number of parts of a step of SoftStep, at most 64. 0 means 4. More parts
	// make stacks and joints stiffer, and a step slower. FastStep has iterations instead.
	SubSteps int
	// Workers is the number of goroutines that compute a step, at most 256. 0 means one less
	// than the number of processors, which leaves one for the goroutine that draws. Workers
	// does not change results.
	Workers int

	// Surfaces are the rules for the friction and restitution of two shapes, and for hits. See
	// [World.SetSurfaces].
	Surfaces Surfaces

	// MaxContacts is the greatest number of contacts: pairs of shapes that touch or soon may.
	// It is at most 50 million, and 0 means DefaultMaxContacts. A body or shape that would
	// exceed it is refused with an error that wraps ErrCrowded. If the contacts that begin in a
	// step exceed it, the step panics with such an error.
	MaxContacts int
}

// Stepper is a way to step a world.
type Stepper uint8

// The ways to step a world. The same bodies, commands, events and queries work with each.
const (
	// FastStep has the results of Box2D 2.3, bit for bit, and is several times faster than
	// Box2D.
	FastStep Stepper = iota
	// SoftStep solves soft constraints in sub-steps, as Box2D v3 does, on all workers. Its
	// results differ from those of Box2D, and have the same bits on every machine. Shapes come
	// to rest without the gap of Box2D 2.3. SoftStep ignores VelocityIterations,
	// PositionIterations and SubStepping.
	SoftStep
)

var stepperNames = [...]string{FastStep: "fast", SoftStep: "soft"}

// String returns the name of the stepper: "fast" or "soft".
func (s Stepper) String() string { return wordOf(stepperNames[:], int(s)) }

// ParseStepper returns the stepper with the given name. For an unknown name it returns FastStep
// and an error that lists the names.
func ParseStepper(name string) (Stepper, error) {
	if i := slices.Index(stepperNames[:], name); i >= 0 {
		return Stepper(i), nil
	}
	return FastStep, errors.New("must be fast or soft")
}

// The limits on counts. Larger counts are a mistake or an attack: a step would never end or
// would fill the memory.
const (
	maxSubSteps    = 64      // maxSubSteps is the greatest number of sub-steps of a soft step.
	MaxIterations  = 1000    // of the solver in a step, for velocities and for positions
	MaxBodyShapes  = 10_000  // MaxBodyShapes is the greatest number of shapes of a body.
	MaxChainPoints = 100_000 // MaxChainPoints is the greatest number of points of a chain, open or closed.

	// DefaultMaxContacts is the limit if Config.MaxContacts is 0. A contact takes 0.4 kB, and
	// about 1.3 kB after it has begun to push. So 500,000 contacts take 650 MB, or 1 GB in a
	// step in which all of them begin. A pile of 20,000 bodies has 100,000 contacts.
	DefaultMaxContacts = 500_000
)

const (
	mostWorkers     = 256
	mostMaxContacts = 50_000_000
)

// Validate returns an error that names the first wrong field of c. It refuses a gravity that
// is not finite, and counts that are negative or above their limits.
func (c Config) Validate() error {
	if err := checkVec("gravity", c.Gravity, maxValue); err != nil {
		return err
	}
	if int(c.Stepper) >= len(stepperNames) {
		return fmt.Errorf("world: there is no stepper %d", c.Stepper)
	}
	return firstError(
		checkCount("sub-steps", c.SubSteps, maxSubSteps),
		checkCount("workers", c.Workers, mostWorkers),
		checkCount("velocity iterations", c.VelocityIterations, MaxIterations),
		checkCount("position iterations", c.PositionIterations, MaxIterations),
		checkCount("contacts at most", c.MaxContacts, mostMaxContacts),
		c.Surfaces.check(),
	)
}

// withDefaults replaces zero fields by defaults. A gravity that Validate refuses becomes 0.
func (c Config) withDefaults() Config {
	switch {
	case c.NoGravity || checkVec("", c.Gravity, maxValue) != nil:
		c.Gravity = Vec{}
	case c.Gravity == Vec{}:
		c.Gravity = Vec{Y: -10}
	}
	c.VelocityIterations = cmp.Or(max(c.VelocityIterations, 0), 8)
	c.PositionIterations = cmp.Or(max(c.PositionIterations, 0), 3)
	c.SubSteps = cmp.Or(max(c.SubSteps, 0), soft.DefaultSubSteps)
	c.Workers = cmp.Or(max(c.Workers, 0), workers.Default())
	c.MaxContacts = cmp.Or(max(c.MaxContacts, 0), DefaultMaxContacts)
	return c
}
