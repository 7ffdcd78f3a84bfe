package phase

// Stage is a part of the phase Step: what the solver is doing. A solver tells its
// lane with EnterStage. Profiles have it as the label "stage".
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

// Work is how much a step had to do. What is not known is 0.
type Work struct {
	Commands uint32 // that were carried out before it
	Bodies   uint32
	Contacts uint32 // pairs whose AABBs overlap
	Islands  uint32 // that were solved
	Largest  uint32 // dynamic and kinematic bodies of the largest island
}

// EnterStage marks the beginning of a stage of the phase Step, and the end of the
// stage before. NoStage begins none. In other phases it does nothing. The end of
// the phase ends the stage.
func (l *Lane) EnterStage(s Stage) {
	if l == nil || l.phase != Step || l.stage == s || s >= Stages {
		return
	}
	now := Now()
	l.leaveStage(now)
	l.enterStage(s, now)
}

// SetWork records how much the step had to do.
func (l *Lane) SetWork(w Work) {
	if l != nil {
		w.Commands = l.span.Work.Commands
		l.span.Work = w
	}
}

// AddCommands counts commands that belong to the step.
func (l *Lane) AddCommands(n int) {
	if l != nil {
		l.span.Work.Commands += uint32(n)
	}
}

// LongestStage is the stage that took the most time of the phase Step, and how
// many nanoseconds it took. It is NoStage if that was spent outside all stages.
func (s *Span) LongestStage() (Stage, int64) {
	rest := s.Spent[Step.Index()]
	longest := NoStage
	for i, ns := range s.Stages {
		rest -= ns
		if ns > s.Stages[longest] {
			longest = Stage(i)
		}
	}
	if rest > s.Stages[longest] {
		return NoStage, rest
	}
	return longest, s.Stages[longest]
}
