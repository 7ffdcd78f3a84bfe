package timing

// Stage is a part of the phase Step: what the solver is doing. Profiles have
// it as the label "stage".
type Stage uint8

// The stages, in the usual order. A step may go back to one.
const (
	NoStage     Stage = iota // the solver has not said
	Pairs                    // finding new pairs in the broad phase
	NarrowPhase              // computing the points of contact
	Islands                  // finding the bodies that are connected, or what can be solved at once
	Solve                    // solving contacts and joints
	Sleep                    // telling of impulses and putting islands to sleep
	Continuous               // continuous collision; in the soft stepper all motion of the bodies

	Stages // is how many there are, NoStage included
)

var stageNames = [Stages]string{"", "pairs", "narrow phase", "islands", "solve", "sleep", "continuous"}

// String is the stage's name in profile labels; NoStage has none.
func (s Stage) String() string {
	if s >= Stages {
		return "unknown"
	}
	return stageNames[s]
}
