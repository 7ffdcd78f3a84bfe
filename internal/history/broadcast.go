package history

import (
	"bytes"
	"errors"
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/shifted"
	"halfstep/world"
)

// structureOf returns the records that add all bodies, shapes and joints of a world.
func structureOf(w *world.Simulation) []body2d.Structure {
	log := buffer.NewLog[body2d.Structure]()
	private.Structure(w, log)
	return drain(nil, log)
}

// broadcaster passes the shown states to the watchers of a feed of states, to a recording with states,
// and to a black box.
type broadcaster struct {
	*Writer                       // writes a feed that somebody watches; nil without watchers
	joining        *Feed          // a feed whose new watchers begin with the next capture, or nil
	tick           uint64         // the last tick that was passed on
	states         []body2d.State // the states that were last passed on
	debug          body2d.Debug   // the program's own drawings
	changed        []byte         // the bytes of the states that have changed; the memory is reused
	drew           bool           // the program has drawn during this capture or the previous capture
	follows        bool           // the last captured tick was passed on, so changes are enough for the next tick
	structureCount uint64         // the number of structure records of the world at the last call that passed states on
	eventCount     uint64         // the number of delivered events at the last call that passed states on

	// the changes, events and shifts since the tick that was passed on last
	structure []body2d.Structure
	events    []shownEvent
	shifts    []shifted.Body
}

// broadcastShown passes the states of a capture on to everybody who wants them.
func (l *Log) broadcastShown(states []body2d.State) {
	s := &l.shown
	if s.Writer != nil && s.ended() {
		s.Writer = nil
	}
	rec := l.recording()
	if rec != nil && (!rec.o.States || rec.ended()) {
		rec = nil
	}
	boxed := l.o.Box.showsCode(l)
	if s.Writer == nil && s.joining == nil && rec == nil && !boxed { // nobody wants the states, so only keep the memory
		*s = broadcaster{tick: s.tick, states: s.states, debug: s.debug, changed: s.changed} // follows is now false
		return
	}
	followed, hasWriter := s.follows, s.Writer != nil
	s.gather(l)
	back := followed && l.at < s.tick
	if back && s.joining == nil {
		return // this is an earlier tick of a corrected prediction; the newest tick is captured next
	}
	next, list := s.next(l, states), []Entry(nil)
	if followed {
		list = s.entries(next)
	}
	if !back {
		s.tick = next.Tick
	}
	if hasWriter && !followed {
		s.Fail(errShownBack) // the picture does not follow from the last picture
	}
	if hasWriter {
		for i := range list {
			s.add(&list[i])
		}
	}
	if rec != nil && !rec.shows {
		rec.shows = true
		rec.picture([]Entry{s.whole(l)})
	} else if rec != nil {
		rec.picture(list)
	}
	if boxed {
		l.o.Box.picture(l, list, followed)
	}
	if s.joining == nil {
		return
	}
	f := s.joining
	if s.joining = nil; !hasWriter {
		s.Writer = newFeedWriter(f)
		s.start(0, nil)
	}
	b := beginning{watchers: f.admitWatchers(s.Writer), header: f.describe(l.header(ofStates, "", nil, false)), first: s.whole(l).shown}
	s.join(&b, nil)
}

// gather copies the structure records and the events since the last capture. It must run before the
// render side removes them from the logs.
func (s *broadcaster) gather(l *Log) {
	if s.follows {
		for r := range l.events.out.Structure.Since(s.structureCount) {
			s.structure = append(s.structure, *r)
		}
		s.events = append(s.events, eventsSince(l.events.delivered, s.eventCount)...)
	}
	s.follows, s.structureCount, s.eventCount = true, l.events.out.Structure.Count(), l.events.delivered.Count()
}

// next returns the changes since the tick that was passed on last.
func (s *broadcaster) next(l *Log, states []body2d.State) Shown {
	next := l.picture(max(len(states), len(s.states)))
	for len(states) < next.Slots { // after a restore there may be fewer states
		states = append(slices.Clip(states), body2d.State{})
	}
	s.changed = s.changed[:0]
	for i := range states {
		if i >= len(s.states) || states[i] != s.states[i] {
			s.changed = appendState(s.changed, i, &states[i])
		}
	}
	s.states = append(s.states[:0], states...)
	before := len(s.debug.Drawn)
	l.Simulation.CaptureDebug(body2d.DrawnLayer, &s.debug)
	next.Drawn, s.drew = slices.Clone(s.debug.Drawn), before > 0 || len(s.debug.Drawn) > 0
	next.States, next.Structure, next.Events, next.Shifts = bytes.Clone(s.changed), s.structure, s.events, s.shifts
	s.structure, s.events, s.shifts = nil, nil, nil
	return next
}

// whole returns the whole picture as an entry. The entry has no step length.
func (s *broadcaster) whole(l *Log) Entry {
	all := l.picture(len(s.states))
	all.Tick, all.Dt, all.Structure, all.Drawn = s.tick, 0, structureOf(l.Simulation), slices.Clone(s.debug.Drawn)
	for i := range s.states {
		all.States = appendState(all.States, i, &s.states[i])
	}
	return Entry{Kind: Step, Tick: all.Tick, shown: &all}
}

// fullPicture returns the whole picture of the present tick. It also works if no capture of this tick was
// passed on.
func (l *Log) fullPicture() Entry {
	s := broadcaster{tick: l.at}
	s.next(l, l.Simulation.Capture(nil))
	return s.whole(l)
}

// picture returns a Shown of the present tick with the given number of slots, but without states.
func (l *Log) picture(slots int) Shown {
	return Shown{Tick: l.at, Dt: l.atDt, Units: l.frame.Units, StepUnits: l.frame.StepUnits, Counts: l.Counts(), Slots: slots}
}

// entries turns changes into entries. The changes become a step if the tick is new, and a command if it is
// not. Each tick between them that was not captured becomes an empty step.
func (s *broadcaster) entries(next Shown) (list []Entry) {
	switch {
	case next.Tick > s.tick:
		for tick := s.tick + 1; tick < next.Tick; tick++ {
			list = append(list, Entry{Kind: Step, Tick: tick, shown: &Shown{Tick: tick, Dt: next.Dt, Units: next.Units, StepUnits: next.StepUnits, Counts: next.Counts, Slots: next.Slots}})
		}
		list = append(list, Entry{Kind: Step, Tick: next.Tick, shown: &next})
	case len(next.States) > 0 || len(next.Structure) > 0 || len(next.Events) > 0 || len(next.Shifts) > 0 || s.drew:
		next.Tick = s.tick
		list = append(list, Entry{Kind: Apply, Tick: next.Tick, shown: &next})
	}
	return list
}

var errShownBack = errors.New("the program has gone back to an earlier tick")
