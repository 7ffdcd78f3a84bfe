package timing

// Stage is a part of the phase Step: a part of the solver's work. In profiles
// it is the label "stage".
type Stage uint8

// The stages are listed in the usual order. A step may return to an earlier
// stage.
const (
	NoStage     Stage = iota // NoStage means that the solver has not named a stage.
	Pairs                    // Pairs finds new pairs of shapes in the broad phase.
	NarrowPhase              // NarrowPhase computes the points of contact.
	Islands                  // Islands finds the bodies that are connected, or the bodies that can be solved at the same time.
	Solve                    // solving contacts and joints
	Sleep                    // Sleep reports impulses, and puts islands to sleep.
	Continuous               // Continuous is continuous collision. In the soft stepper it includes all motion of the bodies.

	Stages // Stages is the number of stages, including NoStage.
)

var stageNames = [Stages]string{"", "pairs", "narrow phase", "islands", "solve", "sleep", "continuous"}

// String returns the stage's name in profile labels. The name of NoStage is
// empty.
func (s Stage) String() string {
	if s >= Stages {
		return "unknown"
	}
	return stageNames[s]
}
