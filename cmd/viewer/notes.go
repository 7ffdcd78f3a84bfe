package main

import (
	"halfstep/world"
	"slices"
)

// barMark is an event that the bar marks.
type barMark struct {
	tick uint64
	body world.Body // the body that it happened to; 0 is a late frame or step
}

// mostBarMarks is how many marks the bar keeps: the newest ones.
const mostBarMarks = 256

// barNotes are the marks on the time bar.
type barNotes struct {
	stage   *stage
	inspect *inspector
	all     []barMark // oldest first
}

// note keeps a mark for the bar. A replay that goes back meets the same event again, which is kept once.
func (n *barNotes) note(h barMark) {
	if slices.Contains(n.all, h) {
		return
	}
	if len(n.all) == mostBarMarks {
		n.all = n.all[:copy(n.all, n.all[1:])]
	}
	n.all = append(n.all, h)
}

// noteEvent marks a contact, a sleep or an awakening of the body that the user has chosen.
func (n *barNotes) noteEvent(ev *world.Event) {
	b := n.inspect.body
	if b == 0 || n.stage.shown.what == showsPast || ev.A != b && ev.B != b {
		return
	}
	switch ev.Kind {
	case world.ContactBegin, world.SensorBegin, world.BodySlept, world.BodyWoke:
		n.note(barMark{ev.Tick, b})
	}
}
