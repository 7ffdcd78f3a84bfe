package timing

// Stage is a part of the phase Step: the work of the solver. In profiles it is
// the label "stage".
type Stage uint8

// The stages, in the usual order. A step may go back to one.
const (
	NoStage     Stage = iota // the solver has not said
	Pairs                    // finding new pairs in the broad phase
	NarrowPhase              // computing the points of contact
	Islands                  // finding the connected bodies, or those that can be solved at once
	Solve                    // solving contacts and joints
	Sleep                    // reporting impulses and putting islands to sleep
	Continuous               // continuous collision; in the soft stepper all motion of the bodies

	Stages // is their number, with NoStage
)

var stageNames = [Stages]string{"", "pairs", "narrow phase", "islands", "solve", "sleep", "continuous"}

// String is the stage's name in profile labels; that of NoStage is empty.
func (s Stage) String() string {
	if s >= Stages {
		return "unknown"
	}
	return stageNames[s]
}
