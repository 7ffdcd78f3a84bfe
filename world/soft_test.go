package world

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"halfstep/internal/norace"
)

// notSoftly are the tests that the soft stepper does not run.
var notSoftly = []string{
	// They take long.
	"Attack", "Fuzz", "TestAPileOf", "UpperLimits", "NumberOfContactsMade", "MemoryFlat",
	// It chooses its steppers.
	"TestAStepTellsItsStages",
	// They compare bits with the library, or to more digits than float32 has.
	"TestCommandsDoTheSame", "TestHooksHaveTheSameBits",
}

// The other tests of this package run again in a process of their own, with the
// soft stepper in every world whose test does not choose a stepper.
func TestTheOtherTestsHoldWithTheSoftStepper(t *testing.T) {
	norace.Only(t)
	if softly {
		t.Skip("this is that process")
	}
	run := exec.Command(os.Args[0], "-test.short", "-test.skip="+strings.Join(notSoftly, "|"))
	run.Env = append(os.Environ(), withStepper+"=soft")
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
