package engine

import (
	"errors"
	"fmt"

	"halfstep/renderloop/clock"
	"halfstep/world"
)

// The checksums vouch for what was written and not for who wrote it. What a
// recording says of the world's solver, of time and of the order of calls is
// held against what a recorder writes. Its commands are not: a recorder also
// keeps those that the world rejects, and it will reject them again.

// maxDt is the longest step that a rate allows, in s.
const maxDt = 1000

// check reports a header that no recorder writes.
func (h *recordHeader) check() error {
	if _, err := clock.New(h.Rate); err != nil {
		return err
	}
	c := world.Config{
		Gravity:            h.World.Gravity,
		VelocityIterations: h.World.VelocityIterations, PositionIterations: h.World.PositionIterations,
		SubSteps: h.World.SoftSubSteps, MaxContacts: h.World.MaxContacts,
	}
	return c.Validate()
}

// checkMethod refuses a recording of the soft stepper that another method of it made:
// the replay would differ from it sooner or later.
func (c *worldConfig) checkMethod() error {
	made, here := max(c.SoftMethod, 1), world.SoftStep.Method()
	if c.SoftSubSteps > 0 && made != here {
		return fmt.Errorf("the recording was made by method %d of the soft stepper; this build has method %d", made, here)
	}
	return nil
}

// check reports an operation that cannot follow so many ticks.
func (op *recordOp) check(ticks uint64) error {
	at := ticks
	switch op.Kind {
	case opStep:
		if at++; !(op.Dt > 0 && op.Dt <= maxDt) {
			return fmt.Errorf("a step of %v s", op.Dt)
		}
	case opBegin:
		if err := checkRemainder(op.Carry, op.Whole); err != nil {
			return err
		}
	case opApply:
		if op.Command == nil {
			return errors.New("a command is missing")
		}
	case opEnd:
	case opBack:
		if op.Made > maxMade {
			return fmt.Errorf("%d handles", op.Made)
		}
		if op.Tick <= ticks {
			return nil
		}
	default:
		return fmt.Errorf("an operation of kind %d", op.Kind)
	}
	if op.Tick != at {
		return fmt.Errorf("tick %d is out of order", op.Tick)
	}
	return nil
}

func checkRemainder(carry, whole int64) error {
	if carry < 0 || whole < 0 || carry > whole {
		return fmt.Errorf("a remainder of %d/%d steps", carry, whole)
	}
	return nil
}

// check reports a start that no recorder writes. What its state says is checked
// when it is loaded.
func (s *recordStart) check() error {
	if s.Tick >= maxTick {
		return fmt.Errorf("tick %d", s.Tick)
	}
	return checkRemainder(s.Carry, s.Whole)
}

// maxMade is how many handles a world can have given out: no run counts on from
// there to where they repeat.
const maxMade = 1 << 62

// maxTick is how far a recording's ticks can go: those beyond would not fit the
// exchange.
const maxTick = 1 << 47
