package world

import (
	"math/rand/v2"
	"testing"

	"halfstep/buffer/body2d"
)

// The structure log, the states and the world agree after restores at all places:
// between steps, in controllers, in hooks, also of snapshots from bytes.
func TestStructureAndStatesAgreeAcrossRestores(t *testing.T) {
	restores, loads := 0, 0
	for seed := range uint64(12) {
		r := newRig(t, gravity())
		c := &chaos{Rand: rand.New(rand.NewPCG(seed, 13)), w: r.World}
		var kept [3]Snapshot
		travel := func(w *World) {
			s := &kept[c.IntN(len(kept))]
			switch c.IntN(12) {
			case 0:
				check(t, w.Snapshot(s))
			case 1:
				if s.of != nil {
					check(t, w.Restore(s))
					restores++
				}
			case 2:
				if s.of != nil {
					data, err := s.MarshalBinary()
					check(t, err)
					loaded, err := LoadSnapshot(data)
					check(t, err)
					check(t, w.Restore(loaded))
					loads++
				}
			}
		}
		r.AddController(ControllerFunc(func(w *World, _ float64) { travel(w) }))
		r.AddContactHook(func(w *World, contacts []Event) {
			for _, k := range contacts {
				if c.IntN(4) == 0 {
					w.DestroyBody(k.A)
				}
			}
			travel(w)
			if c.IntN(9) == 0 {
				w.CreateBody(BodyDef{Kind: Dynamic, Position: Vec{Y: 4}, Shapes: []ShapeDef{Circle(.4)}})
			}
		})
		r.start()
		p := newPicture(r)
		for range 150 {
			r.BeginFrame()
			for range c.IntN(5) {
				k := c.command()
				r.Apply(r.tick, &k, false)
			}
			travel(r.World)
			if c.IntN(3) == 0 {
				r.capture() // as the loop does when no step follows
				p.check(seed)
				continue
			}
			r.frame(1)
			p.check(seed)
		}
		r.Close()
	}
	if restores < 100 || loads < 100 {
		t.Errorf("only %d restores, %d of them from bytes", restores+loads, loads)
	}
}

// picture is a world as the structure log describes it.
type picture struct {
	r      *rig
	slots  map[int32]uint64 // handles
	names  map[int32]string
	shapes map[uint32]int32 // slots
	joints map[uint32]bool
	last   []body2d.State
	shown  map[int32]uint64 // by slot, the handle of the body in last
}

func newPicture(r *rig) *picture {
	return &picture{r: r, slots: map[int32]uint64{}, names: map[int32]string{}, shapes: map[uint32]int32{}, joints: map[uint32]bool{}, shown: map[int32]uint64{}}
}

// check compares the log, the states and the world. To each handle belongs one
// generation of a slot.
func (p *picture) check(seed uint64) {
	r := p.r
	r.t.Helper()
	generations := map[int32]uint32{}
	for _, s := range r.structure() {
		if s.Tick > r.tick {
			r.t.Fatalf("seed %d: a record of tick %d at %d", seed, s.Tick, r.tick)
		}
		switch s.Kind {
		case body2d.BodyAdded:
			if p.slots[s.Slot] != 0 {
				r.t.Fatalf("seed %d, tick %d: slot %d is taken", seed, r.tick, s.Slot)
			}
			p.slots[s.Slot], generations[s.Slot], p.names[s.Slot] = s.Handle, s.Generation, s.Name
		case body2d.BodyChanged:
			p.names[s.Slot] = s.Name
		case body2d.BodyRemoved:
			delete(p.slots, s.Slot)
			for id, slot := range p.shapes {
				if slot == s.Slot {
					delete(p.shapes, id)
				}
			}
		case body2d.ShapeAdded:
			p.shapes[s.ID] = s.Slot
		case body2d.ShapeRemoved:
			delete(p.shapes, s.ID)
		case body2d.JointAdded:
			p.joints[s.ID] = true
		case body2d.JointRemoved:
			delete(p.joints, s.ID)
		}
	}
	for i, s := range r.states {
		handle := p.slots[int32(i)]
		if alive := s.Flags()&body2d.Alive != 0; alive != (handle != 0) {
			r.t.Fatalf("seed %d, tick %d: slot %d: announced %v, state %+v", seed, r.tick, i, Body(handle), s)
		}
		if handle == 0 {
			continue
		}
		if g, ok := generations[int32(i)]; ok && g != s.Generation() {
			r.t.Fatalf("seed %d, tick %d: slot %d is of generation %d, announced %d", seed, r.tick, i, s.Generation(), g)
		}
		if was := p.shown[int32(i)]; was != 0 && was != handle && p.last[i].Generation() == s.Generation() {
			r.t.Fatalf("seed %d, tick %d: slot %d goes from %v to %v in one generation", seed, r.tick, i, Body(was), Body(handle))
		}
	}
	p.last = append(p.last[:0], r.states...)
	clear(p.shown)
	for i, handle := range p.slots {
		p.shown[i] = handle
	}
	if len(r.news.late) > 0 {
		return // not announced yet
	}
	for slot, handle := range p.slots {
		if got, want := p.names[slot], r.registry.bodies[Body(handle)].name; got != want {
			r.t.Fatalf("seed %d, tick %d: slot %d was announced as %q and is %q", seed, r.tick, slot, got, want)
		}
	}
	if len(r.places.slots) != len(r.registry.bodies)+len(r.places.free)+len(r.places.dying) {
		r.t.Fatalf("seed %d, tick %d: %d slots of %d bodies, %d free, %d dying", seed, r.tick, len(r.places.slots), len(r.registry.bodies), len(r.places.free), len(r.places.dying))
	}
	if len(p.joints) != len(r.registry.joints) || len(p.shapes) != len(r.registry.shapes) || len(p.slots) != len(r.registry.bodies) {
		r.t.Fatalf("seed %d, tick %d: announced %d bodies, %d shapes, %d joints; there are %d, %d, %d",
			seed, r.tick, len(p.slots), len(p.shapes), len(p.joints), len(r.registry.bodies), len(r.registry.shapes), len(r.registry.joints))
	}
}
