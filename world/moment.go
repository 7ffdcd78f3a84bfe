package world

type stage uint8

const (
	idle     stage = iota // between two steps
	before                // controllers run
	stepping              // Box2D is locked
	after                 // contact hooks run
)

// moment is when the world is: its tick, and in which part of a step.
type moment struct {
	phase     stage
	tick      uint64  // steps done
	now       uint64  // the world's tick of events and records that are made now
	shift     uint64  // the loop's tick less the world's; a restore changes it
	dt        float64 // of the step at hand or, between steps, the last one
	start     uint64  // the loop's tick at which the run began: time stands still there
	frame     uint64  // frames begun
	stepped   bool    // since the frame began
	still     bool    // no time passes in this frame
	scheduled bool    // the command that is carried out was given for its tick, not with a frame
}

// event is the loop's tick of events and records that are made now.
func (m *moment) event() uint64 { return m.now + m.shift }

// state is the loop's tick of the state in which the world is.
func (m *moment) state() uint64 { return m.tick + m.shift }
