package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/bridge"
	"halfstep/world"
)

// A world with code that a watcher does not have cannot be computed elsewhere. Of such a
// world a feed tells what the picture shows: states and structure, as far as they have
// changed. What is read of it is played as a recording whose steps do nothing but show
// that.

// Shown is what a tick, or an edit between two, has changed in the picture.
type Shown struct {
	Tick      uint64
	Dt        float64 // s, of the step
	Carry     int64   // as of an Entry
	Whole     int64
	Counts    body2d.Counts
	Slots     int    // how many states there are; never fewer than before
	States    []byte // those that have changed: 4 bytes of slot, 32 of state, lowest first
	Structure []body2d.Structure
	Events    []shownEvent
	Shifts    []body2d.Shift // of what was shown before
}

// shownEvent is an event as a file can hold it.
type shownEvent struct {
	Event world.Event // without an error, and with User only as plainUser has it
	Err   string
	Rest  bridge.EventRest
}

const stateSize = 4 + 32

func appendState(to []byte, slot int, s *body2d.State) []byte {
	to = binary.LittleEndian.AppendUint32(to, uint32(slot))
	for _, x := range [...]float32{s.X, s.Y, s.Angle, s.VX, s.VY, s.Omega} {
		to = binary.LittleEndian.AppendUint32(to, math.Float32bits(x))
	}
	to = binary.LittleEndian.AppendUint32(to, uint32(s.Turns))
	return binary.LittleEndian.AppendUint32(to, s.Bits)
}

func readState(from []byte) (slot int, s body2d.State) {
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(from[4*i:]) }
	float := func(i int) float32 { return math.Float32frombits(word(i)) }
	return int(word(0)), body2d.State{
		X: float(1), Y: float(2), Angle: float(3), VX: float(4), VY: float(5), Omega: float(6), Turns: int32(word(7)), Bits: word(8),
	}
}

// structureOf is what there is, in the records that tell of it.
func structureOf(w *world.Simulation) []body2d.Structure {
	log := buffer.NewLog[body2d.Structure]()
	inside.Structure(w, log)
	return drain(nil, log)
}

// drain takes all records of a log that belongs to one goroutine.
func drain[T any](to []T, log *buffer.Log[T]) []T {
	for r := log.Peek(log.Count()); r != nil; r = log.Peek(log.Count()) {
		to = append(to, *r)
		log.Take()
	}
	return to
}

// shower tells the watchers of a world what it shows. It belongs to physics.
type shower struct {
	*Writer  // or nil
	joining  *Feed
	tick     uint64 // that was told last
	states   []body2d.State
	changed  []byte // of them; used again
	follows  bool   // it was given the capture before
	made     uint64 // records of structure that the world had made by then
	happened uint64 // events that the render side had been told by then

	// What has come, changed and happened since the tick that was told last.
	structure []body2d.Structure
	events    []shownEvent
	shifts    []body2d.Shift
}

// tellShown follows a capture.
func (p *Past) tellShown(states []body2d.State) {
	s := &p.shower
	if s.Writer != nil && s.ended() {
		s.Writer = nil
	}
	rec := p.writer
	if rec != nil && (!rec.o.States || rec.ended()) {
		rec = nil
	}
	boxed := p.o.Box.showsCode(p)
	if s.Writer == nil && s.joining == nil && rec == nil && !boxed {
		*s = shower{tick: s.tick, states: s.states, changed: s.changed}
		return
	}
	followed, told := s.follows, s.Writer != nil
	s.gather(p)
	back := followed && p.replay == nil && p.shown() < s.tick
	if back && s.joining == nil {
		return // part of a correction of what was predicted: the newest tick follows
	}
	next, list := s.next(p, states), []Entry(nil)
	if followed {
		list = s.entries(next)
	}
	if !back {
		s.tick = next.Tick
	}
	if told {
		s.tell(list, followed)
	}
	if rec != nil && !rec.told {
		rec.told = true
		rec.picture([]Entry{s.whole(p)})
	} else if rec != nil {
		rec.picture(list)
	}
	if boxed {
		p.o.Box.picture(p, list, followed)
	}
	if s.joining == nil {
		return
	}
	f := s.joining
	if s.joining = nil; !told {
		s.Writer = newFeedWriter(f)
		s.start(0, nil)
	}
	b := beginning{watchers: f.letIn(s.Writer), header: f.describe(p.header(ofStates, "", nil, false)), first: s.whole(p).shown}
	s.join(&b, nil)
}

// gather takes what the world has told of since the capture before, while nobody can have
// read it.
func (s *shower) gather(p *Past) {
	if s.follows {
		for r := range p.out.Structure.Since(s.made) {
			s.structure = append(s.structure, *r)
		}
		s.events = append(s.events, eventsSince(p.outer, s.happened)...)
	}
	s.follows, s.made, s.happened = true, p.out.Structure.Count(), p.outer.Count()
}

// next is what has changed since the tick that was told last.
func (s *shower) next(p *Past, states []body2d.State) Shown {
	next := p.picture(max(len(states), len(s.states)))
	for len(states) < next.Slots { // after a restore
		states = append(slices.Clip(states), body2d.State{})
	}
	s.changed = s.changed[:0]
	for i := range states {
		if i >= len(s.states) || states[i] != s.states[i] {
			s.changed = appendState(s.changed, i, &states[i])
		}
	}
	s.states = append(s.states[:0], states...)
	next.States, next.Structure, next.Events, next.Shifts = bytes.Clone(s.changed), s.structure, s.events, s.shifts
	s.structure, s.events, s.shifts = nil, nil, nil
	return next
}

// whole is all that is shown, which no step has led to.
func (s *shower) whole(p *Past) Entry {
	all := p.picture(len(s.states))
	all.Tick, all.Dt, all.Structure = s.tick, 0, structureOf(p.Simulation)
	for i := range s.states {
		all.States = appendState(all.States, i, &s.states[i])
	}
	return Entry{Kind: Step, Tick: all.Tick, shown: &all}
}

// picture is what is shown, with so many states, but for these.
func (p *Past) picture(slots int) Shown {
	s := Shown{Tick: p.shown(), Dt: p.dt, Carry: p.frame.Carry, Whole: p.frame.Whole, Counts: p.Counts(), Slots: slots}
	if t := p.ahead.find(s.Tick); p.ahead.on && s.Tick > p.tick && t != nil {
		s.Dt = t.dt
	}
	return s
}

// eventsSince are the events after the first count, but for answers to questions.
func eventsSince(log *buffer.Log[world.Event], count uint64) (list []shownEvent) {
	for e := range log.Since(count) {
		if inside.IsReply(e) {
			continue
		}
		s := shownEvent{Event: *e, Rest: inside.EventRest(e)}
		if s.Event.User = plainUser(e.User); e.Err != nil {
			s.Err, s.Event.Err = e.Err.Error(), nil
		}
		list = append(list, s)
	}
	return list
}

// event is the event as the program got it.
func (s *shownEvent) event() world.Event {
	e := s.Event
	if inside.SetEventRest(&e, s.Rest); s.Err != "" {
		e.Err = errors.New(s.Err)
	}
	return e
}

// tell hands on what has changed. What a replay shows after it went to another tick does not
// follow from what was told.
func (s *shower) tell(list []Entry, followed bool) {
	if !followed {
		s.Fail(errShownBack)
	}
	for i := range list {
		s.add(&list[i])
	}
}

// entries are what has changed: since the tick before, or at the same tick again. For each
// tick that the picture left out there is one as well.
func (s *shower) entries(next Shown) (list []Entry) {
	switch {
	case next.Tick > s.tick:
		for tick := s.tick + 1; tick < next.Tick; tick++ {
			list = append(list, Entry{Kind: Step, Tick: tick, shown: &Shown{Tick: tick, Dt: next.Dt, Carry: next.Carry, Whole: next.Whole, Counts: next.Counts, Slots: next.Slots}})
		}
		list = append(list, Entry{Kind: Step, Tick: next.Tick, shown: &next})
	case len(next.States) > 0 || len(next.Structure) > 0 || len(next.Events) > 0 || len(next.Shifts) > 0:
		next.Tick = s.tick
		list = append(list, Entry{Kind: Apply, Tick: next.Tick, shown: &next})
	}
	return list
}

var errShownBack = errors.New("the program has gone back to an earlier tick")

// part identifies what a record of structure adds.
type part struct {
	kind body2d.StructureKind
	id   uint64
}

func partOf(r *body2d.Structure) part {
	if r.Kind == body2d.BodyAdded {
		return part{r.Kind, uint64(r.Slot)}
	}
	return part{r.Kind, uint64(r.ID)}
}

// byPart sorts records, of which a part may take several.
func byPart(all []body2d.Structure) map[part][]body2d.Structure {
	parts := map[part][]body2d.Structure{}
	for i := range all {
		p := partOf(&all[i])
		parts[p] = append(parts[p], all[i])
	}
	return parts
}

// changes are the records that lead from one structure to another. What has changed is
// removed and added again, a body with its shapes.
func changes(from, to []body2d.Structure) (list []body2d.Structure) {
	was, is := byPart(from), byPart(to)
	stale := func(p part) bool { return !slices.Equal(was[p], is[p]) }
	anew := func(slot int32) bool { return stale(part{body2d.BodyAdded, uint64(slot)}) }
	removed := map[part]bool{}
	for i := len(from) - 1; i >= 0; i-- {
		r := &from[i]
		p := partOf(r)
		if removed[p] || !stale(p) {
			continue
		}
		removed[p] = true
		switch {
		case r.Kind == body2d.BodyAdded:
			list = append(list, body2d.Structure{Kind: body2d.BodyRemoved, Slot: r.Slot})
		case r.Kind == body2d.JointAdded:
			list = append(list, body2d.Structure{Kind: body2d.JointRemoved, ID: r.ID})
		case !anew(r.Slot):
			list = append(list, body2d.Structure{Kind: body2d.ShapeRemoved, Slot: r.Slot, ID: r.ID})
		}
	}
	for i := range to {
		if r := &to[i]; stale(partOf(r)) || r.Kind == body2d.ShapeAdded && anew(r.Slot) {
			list = append(list, *r)
		}
	}
	return list
}

// puppet is a world of which only the picture is known. It belongs to physics. A record
// takes as long to follow in a large world as in a small one: files come from anybody.
type puppet struct {
	counts body2d.Counts
	states []body2d.State
	bodies map[int32]body2d.Structure    // by slot
	held   map[int32][]uint32            // the shapes that a body has or has had
	shapes map[uint32][]body2d.Structure // by id; a chain takes several records
	joints map[uint32]body2d.Structure   // by id
}

func newPuppet() *puppet {
	return &puppet{
		bodies: map[int32]body2d.Structure{}, held: map[int32][]uint32{},
		shapes: map[uint32][]body2d.Structure{}, joints: map[uint32]body2d.Structure{},
	}
}

// show does to a puppet what a program has told of it.
func (u *puppet) show(s *Shown) {
	u.counts = s.Counts
	u.states = append(u.states, make([]body2d.State, s.Slots-len(u.states))...)
	for at := 0; at < len(s.States); at += stateSize {
		slot, state := readState(s.States[at:])
		u.states[slot] = state
	}
	for _, r := range s.Structure {
		switch r.Kind {
		case body2d.BodyAdded, body2d.BodyChanged:
			r.Kind = body2d.BodyAdded
			u.bodies[r.Slot] = r
		case body2d.BodyRemoved:
			for _, id := range u.held[r.Slot] {
				u.drop(id, r.Slot)
			}
			delete(u.bodies, r.Slot)
			delete(u.held, r.Slot)
		case body2d.ShapeAdded:
			if len(u.shapes[r.ID]) == 0 {
				u.held[r.Slot] = append(u.held[r.Slot], r.ID)
			}
			u.shapes[r.ID] = append(u.shapes[r.ID], r)
		case body2d.ShapeRemoved:
			u.drop(r.ID, r.Slot)
		case body2d.JointAdded:
			u.joints[r.ID] = r
		case body2d.JointRemoved:
			delete(u.joints, r.ID)
		}
	}
}

// drop drops a shape of a body.
func (u *puppet) drop(id uint32, slot int32) {
	if s := u.shapes[id]; len(s) > 0 && s[0].Slot == slot {
		delete(u.shapes, id)
	}
}

// structure is what there is, in the records that tell of it: bodies with their shapes, and
// then joints.
func (u *puppet) structure() (list []body2d.Structure) {
	for _, slot := range slices.Sorted(maps.Keys(u.bodies)) {
		list = append(list, u.bodies[slot])
		ids := slices.Sorted(slices.Values(u.held[slot]))
		for _, id := range slices.Compact(ids) {
			if s := u.shapes[id]; len(s) > 0 && s[0].Slot == slot {
				list = append(list, s...)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(u.joints)) {
		list = append(list, u.joints[id])
	}
	return list
}

func (u *puppet) clone() *puppet {
	c := &puppet{u.counts, slices.Clone(u.states), maps.Clone(u.bodies), maps.Clone(u.held), maps.Clone(u.shapes), maps.Clone(u.joints)}
	for slot, ids := range c.held {
		c.held[slot] = slices.Clone(ids)
	}
	for id, s := range c.shapes {
		c.shapes[id] = slices.Clone(s)
	}
	return c
}

// size is about how many bytes the puppet takes in memory.
func (u *puppet) size() int64 {
	return int64(40*len(u.states) + 300*(len(u.bodies)+len(u.shapes)+len(u.joints)))
}

// showNext shows what a recording of states has next.
func (p *Past) showNext(s *Shown, tick uint64) {
	p.puppet.show(s)
	p.shifts = append(p.shifts, s.Shifts...)
	p.announce(s.Structure, tick)
	for i := range s.Events {
		p.replay.own.Events.Append(s.Events[i].event())
	}
}

// announce tells the render side of changes to the structure.
func (p *Past) announce(changed []body2d.Structure, tick uint64) {
	for _, r := range changed {
		r.Tick = tick
		p.replay.own.Structure.Append(r)
	}
}

// turn makes a puppet what it was at a keyframe.
func (p *Past) turn(to *puppet, tick uint64) {
	p.announce(changes(p.puppet.structure(), to.structure()), tick)
	p.puppet = to.clone()
}

// mostSlots limits the bodies of a picture.
const mostSlots = 1 << 22

// check reports what no world shows after so many slots. bodies are the slots that have
// one.
func (s *Shown) check(slots int, bodies map[int32]bool) error {
	if s.Slots < slots || s.Slots > mostSlots || len(s.States)%stateSize != 0 {
		return fmt.Errorf("%d states in %d bytes", s.Slots, len(s.States))
	}
	for at := 0; at < len(s.States); at += stateSize {
		if slot, _ := readState(s.States[at:]); slot >= s.Slots {
			return fmt.Errorf("a state of slot %d of %d", slot, s.Slots)
		}
	}
	for _, h := range s.Shifts {
		if !(math.Abs(h.X)+math.Abs(h.Y) <= math.MaxFloat32) {
			return fmt.Errorf("a shift by (%v, %v)", h.X, h.Y)
		}
	}
	for i := range s.Structure {
		r := &s.Structure[i]
		inside := r.Slot >= 0 && int(r.Slot) < s.Slots
		switch known := bodies[r.Slot]; {
		case r.Kind == body2d.BodyAdded && inside && !known:
			bodies[r.Slot] = true
		case r.Kind == body2d.BodyChanged && known:
		case r.Kind == body2d.BodyRemoved && inside: // it may have been on its way out at first
			delete(bodies, r.Slot)
		case r.Kind == body2d.ShapeAdded && known && r.Shape.Kind <= body2d.Polyline && r.Shape.N <= body2d.MaxPoints:
		case r.Kind == body2d.ShapeRemoved && known:
		case r.Kind == body2d.JointAdded && int(r.Joint.SlotA) < s.Slots && int(r.Joint.SlotB) < s.Slots && min(r.Joint.SlotA, r.Joint.SlotB) >= -1:
		case r.Kind == body2d.JointRemoved:
		default:
			return fmt.Errorf("a record of kind %d for slot %d", r.Kind, r.Slot)
		}
	}
	for i := range s.Events {
		e := &s.Events[i].Event
		happened := *e
		if e.Kind == world.EventRetracted {
			happened.Kind = e.Was
		}
		if happened.Kind > world.JointRemoved || happened.Kind == world.EventRetracted || inside.IsReply(&happened) || e.Err != nil {
			return fmt.Errorf("an event of kind %d", e.Kind)
		}
	}
	return nil
}

// addShown adds what a tick or an edit shows, as the entries of a frame.
func (f *File) addShown(s *Shown) error {
	if err := s.check(f.slots, f.bodies); err != nil {
		return err
	}
	f.slots = s.Slots
	if s.Tick == f.Ticks {
		return f.add(&Entry{Kind: Apply, Tick: s.Tick, shown: s})
	}
	err := f.add(&Entry{Kind: Begin, Tick: f.Ticks, Carry: s.Carry, Whole: s.Whole})
	if err == nil {
		err = f.add(&Entry{Kind: Step, Tick: s.Tick, Dt: s.Dt, shown: s})
	}
	if err == nil {
		err = f.add(&Entry{Kind: End, Tick: s.Tick})
	}
	return err
}

// beginShown reads with what a recording of states begins.
func (f *File) beginShown(c *chunkReader) error {
	var list []Shown
	err := c.decodeNext(chunkShown, "first picture", &list)
	for f.Header.States && errors.Is(err, errOtherChunk) {
		err = c.decodeNext(chunkShown, "first picture", &list)
	}
	if err != nil {
		return err
	}
	if len(list) == 0 || len(list) > 1 && !f.Header.States || list[0].Tick >= maxTick {
		return fmt.Errorf("%w: it begins with no picture", ErrCorrupt)
	}
	f.bodies = map[int32]bool{}
	f.First, f.Ticks = list[0].Tick, list[0].Tick
	for i := range list {
		if err := f.addShown(&list[i]); err != nil {
			return fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	}
	return nil
}
