package play

import (
	"slices"

	"halfstep/world"
)

// BarMark is an event that is marked on the time bar.
type BarMark struct {
	Tick uint64
	Body world.Body // Body is the body of the event. It is 0 for a late frame or step.
}

// MostBarMarks is the greatest number of marks that the bar keeps. It keeps
// the newest marks.
const MostBarMarks = 256

// BarNotes are the marks on the time bar.
type BarNotes struct {
	stage   *Stage
	inspect *Inspector
	All     []BarMark // oldest first
}

// Note keeps a mark for the bar. A replay that goes back meets the same event
// again; the mark is then kept only once.
func (n *BarNotes) Note(h BarMark) {
	if slices.Contains(n.All, h) {
		return
	}
	if len(n.All) == MostBarMarks {
		n.All = n.All[:copy(n.All, n.All[1:])]
	}
	n.All = append(n.All, h)
}

// noteEvent marks an event of the chosen body: a contact, or the moment when
// the body falls asleep or wakes up.
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
