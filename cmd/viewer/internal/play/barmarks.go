package play

import (
	"slices"

	"halfstep/world"
)

// BarMark is an event that the time bar marks.
type BarMark struct {
	Tick uint64
	Body world.Body // the body of the event; 0 for a late frame or step
}

// MostBarMarks is the number of marks that the bar keeps, the newest ones.
const MostBarMarks = 256

// BarNotes are the marks on the time bar.
type BarNotes struct {
	stage   *Stage
	inspect *Inspector
	All     []BarMark // oldest first
}

// Note keeps a mark for the bar. A replay that goes back meets the same event
// again; it is kept once.
func (n *BarNotes) Note(h BarMark) {
	if slices.Contains(n.All, h) {
		return
	}
	if len(n.All) == MostBarMarks {
		n.All = n.All[:copy(n.All, n.All[1:])]
	}
	n.All = append(n.All, h)
}

// noteEvent marks a contact, a sleep or an awakening of the chosen body.
func (n *BarNotes) noteEvent(ev *world.Event) {
	b := n.inspect.Body
	if b == 0 || n.stage.Shown.What == ShowsPast || ev.A != b && ev.B != b { // events of the past were marked when they happened
		return
	}
	switch ev.Kind {
	case world.ContactBegin, world.SensorBegin, world.BodySlept, world.BodyWoke:
		n.Note(BarMark{ev.Tick, b})
	}
}
