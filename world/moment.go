package world

type stage uint8

const (
	idle     stage = iota // between two steps
	before                // controllers run
	stepping              // Box2D is locked
	after                 // contact hooks run
)

// moment is the world's present time: its tick, and the phase of the step.
type moment struct {
	phase     stage
	tick      uint64  // steps done
	now       uint64  // the world's tick for new events and records
	shift     uint64  // the loop's tick minus the world's; a restore changes it
	dt        float64 // length of the current step in s; between two steps, of the last step
	start     uint64  // the loop's tick at which the run started
	frame     uint64  // frames that have begun
	stepped   bool    // the present frame has had a step
	still     bool    // no time passes in this frame
	scheduled bool    // the present command was given for a tick
}

// event returns the loop's tick for new events and records.
func (m *moment) event() uint64 { return m.now + m.shift }

// state returns the loop's tick of the world's present state.
func (m *moment) state() uint64 { return m.tick + m.shift }
