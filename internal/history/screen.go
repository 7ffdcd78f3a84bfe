package history

import (
	"maps"
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/world"
)

// screen replaces the world of a Player in a recording of states. It shows the recorded states. The world of its Log
// stays empty, so questions get the answers of an empty world.
type screen struct {
	*Log
	*picture
}

// newScreen shows the beginning of a recording, and returns the number of entries that it has carried out.
func newScreen(l *Log, f *File) (s *screen, next int) {
	s = &screen{l, newPicture()}
	if f.base != nil {
		s.picture = f.base.clone()
	}
	for ; next < len(f.Entries) && f.Entries[next].Kind == Apply; next++ {
		s.picture.show(f.Entries[next].shown)
	}
	return s, next
}

// Start announces the structure at the beginning of the recording. It is a method of
// physicsloop.Simulation, like the methods down to CaptureDebug.
func (s *screen) Start(out *buffer.Outbox[world.Event]) {
	s.Log.Start(out)
	s.announce(s.structure())
}

func (s *screen) Announce(to *buffer.Log[body2d.Structure]) {
	for _, r := range s.structure() {
		r.Tick = s.tick
		to.Append(r)
	}
}

func (s *screen) Counts() body2d.Counts { return s.counts }

func (s *screen) Capture(dst []body2d.State) []body2d.State { return append(dst[:0], s.states...) }

func (s *screen) CaptureChanged(to *buffer.Slot[body2d.State]) { to.States = s.Capture(to.States) }

// CaptureDebug returns the recorded drawings. A recording of states has no other debug data.
func (s *screen) CaptureDebug(layers body2d.Layers, d *body2d.Debug) {
	if *d = (body2d.Debug{Drawn: d.Drawn[:0]}); layers&body2d.DrawnLayer != 0 {
		d.Drawn = append(d.Drawn, s.drawn...)
	}
}

// carry shows the changes that an entry contains.
func (s *screen) carry(e *Entry) {
	switch e.Kind {
	case Begin:
		s.frame = *e
	case Step:
		s.reach(e.Tick, e.Dt)
	}
	if e.shown == nil {
		return
	}
	s.picture.show(e.shown)
	s.shifts = append(s.shifts, e.shown.Shifts...)
	s.announce(e.shown.Structure)
	for i := range e.shown.Events {
		s.events.out.Events.Append(e.shown.Events[i].event())
	}
}

// announce publishes changes of the structure.
func (s *screen) announce(changed []body2d.Structure) {
	for _, r := range changed {
		r.Tick = s.tick
		s.events.out.Structure.Append(r)
	}
}

// save makes a keyframe of the picture. The method load goes back to such a keyframe.
func (s *screen) save(k *keyframe) error {
	k.tick, k.state, k.picture = s.tick, nil, s.picture.clone()
	k.size = k.picture.size()
	return nil
}

func (s *screen) load(k *keyframe) error {
	s.reach(k.tick, s.dt)
	s.announce(changes(s.structure(), k.picture.structure()))
	s.picture = k.picture.clone()
	return nil
}

// picture is the whole shown state. The time to apply a record does not depend on the size of the picture, so that no
// file can make reading slow.
type picture struct {
	counts body2d.Counts
	states []body2d.State
	drawn  []body2d.Drawing              // the drawings of the newest record; never changed
	bodies map[int32]body2d.Structure    // by slot
	held   map[int32][]uint32            // the shapes that a body has or has had
	shapes map[uint32][]body2d.Structure // by id; a chain has several records
	joints map[uint32]body2d.Structure   // by id
}

func newPicture() *picture {
	return &picture{
		bodies: map[int32]body2d.Structure{}, held: map[int32][]uint32{},
		shapes: map[uint32][]body2d.Structure{}, joints: map[uint32]body2d.Structure{},
	}
}

// show applies the changes of a tick or an edit.
func (u *picture) show(s *Shown) {
	u.counts, u.drawn = s.Counts, s.Drawn
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
func (u *picture) drop(id uint32, slot int32) {
	if s := u.shapes[id]; len(s) > 0 && s[0].Slot == slot {
		delete(u.shapes, id)
	}
}

// structure returns the records that add all bodies with their shapes, and then all joints.
func (u *picture) structure() (list []body2d.Structure) {
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

func (u *picture) clone() *picture {
	c := &picture{u.counts, slices.Clone(u.states), u.drawn, maps.Clone(u.bodies), maps.Clone(u.held), maps.Clone(u.shapes), maps.Clone(u.joints)}
	for slot, ids := range c.held {
		c.held[slot] = slices.Clone(ids)
	}
	for id, s := range c.shapes {
		c.shapes[id] = slices.Clone(s)
	}
	return c
}

// size returns the approximate number of bytes that the picture takes in memory.
func (u *picture) size() int64 {
	return int64(40*len(u.states) + 300*(len(u.bodies)+len(u.shapes)+len(u.joints)))
}

// part identifies the body, shape or joint that a structure record adds.
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

// byPart groups records by part. A chain shape has several records.
func byPart(all []body2d.Structure) map[part][]body2d.Structure {
	parts := map[part][]body2d.Structure{}
	for i := range all {
		p := partOf(&all[i])
		parts[p] = append(parts[p], all[i])
	}
	return parts
}

// changes returns the records that lead from one structure to another. A changed part is removed
// and added again. A body is removed and added with its shapes.
func changes(from, to []body2d.Structure) (list []body2d.Structure) {
	was, is := byPart(from), byPart(to)
	stale := func(p part) bool { return !slices.Equal(was[p], is[p]) }
	anew := func(slot int32) bool { return stale(part{body2d.BodyAdded, uint64(slot)}) } // if the body has changed, its shapes are added again
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
