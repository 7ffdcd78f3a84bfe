package world_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/test/worldhash"
	"halfstep/world"
)

// run drives a simulation like a physics loop, and stores what each tick shows.
type run struct {
	*world.Simulation
	Dt   float64                // length of a step, s; 0 means 1/60 s
	Each func(r *run, step int) // gives the commands of a frame before each step; may be nil

	out    *buffer.Outbox[world.Event]
	tick   uint64
	states []body2d.State
	hooked []world.Event
	went   bool // start was called, and has set up hooks and the log
}

// ranTick is the visible result of one tick of a run.
type ranTick struct {
	World, Bits, Hash, State uint64
	Counts                   body2d.Counts
	States                   []body2d.State
	Events, Hooked           []world.Event
}

func (r *run) start() {
	if r.went {
		return
	}
	r.went = true
	r.out = &buffer.Outbox[world.Event]{
		Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[world.Event](),
	}
	r.World().AddContactHook(func(_ *world.World, events []world.Event) { r.hooked = append(r.hooked, events...) })
	r.Start(r.out)
}

// Steps runs n steps, each in its own frame. The first step has the number first.
func (r *run) Steps(first, n int) (ticks []ranTick) {
	r.start()
	dt := cmp.Or(r.Dt, 1./60)
	for i := range n {
		r.BeginFrame()
		if r.Each != nil {
			r.Each(r, first+i)
		}
		r.tick++
		r.hooked = nil
		r.Step(r.tick, dt)
		r.EndFrame()
		ticks = append(ticks, r.look())
	}
	return ticks
}

// Give carries out a command at the present tick.
func (r *run) Give(c world.Command) { r.Apply(r.tick, &c, false) } // not scheduled for a tick

func (r *run) look() ranTick {
	r.states = r.Capture(r.states[:0])
	t := ranTick{
		World: r.World().Tick(), Bits: worldhash.Objects(r.World().Box2D()), Hash: r.World().Hash(), State: r.World().StateHash(), Counts: r.Counts(),
		States: append([]body2d.State(nil), r.states...), Hooked: r.hooked,
	}
	for e := r.out.Events.Peek(r.out.Events.Count()); e != nil; e = r.out.Events.Peek(r.out.Events.Count()) {
		t.Events = append(t.Events, *e)
		r.out.Events.Take()
	}
	for r.out.Structure.Peek(r.out.Structure.Count()) != nil {
		r.out.Structure.Take()
	}
	return t
}

// goesOn runs the steps before a snapshot and then the steps after it. It restores the
// snapshot twice, and loads its bytes into a new simulation once. Each time it repeats
// the later steps, and reports any difference. open sets up a simulation.
func goesOn(t testing.TB, name string, open func() *run, before, after int) {
	t.Helper()
	r := open()
	defer r.Close()
	r.start()
	r.look() // a loop shows the first state, too; after that no body is new
	r.Steps(0, before)
	var s world.Snapshot
	if err := r.World().Snapshot(&s); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	bits, tick := worldhash.Objects(r.World().Box2D()), r.World().Tick() // the steps may turn the tick back, by a restore
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	want := r.Steps(before, after)
	for pass := range 2 {
		if err := r.World().Restore(&s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if worldhash.Objects(r.World().Box2D()) != bits || r.World().Tick() != tick {
			t.Fatalf("%s: the restored world has other bits", name)
		}
		r.look() // discards the events of Restore
		sameTicks(t, fmt.Sprintf("%s, pass %d", name, pass+1), want, r.Steps(before, after))
	}
	fresh := open()
	defer fresh.Close()
	loadInto(t, name+", through bytes", fresh, data)
	sameTicks(t, name+", through bytes", want, fresh.Steps(before, after))
}

func loadInto(t testing.TB, name string, r *run, data []byte) {
	t.Helper()
	s, err := world.LoadSnapshot(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	r.start()
	if err := r.World().Restore(s); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	again, err := s.MarshalBinary()
	if err != nil || !bytes.Equal(again, data) {
		t.Fatalf("%s: the bytes of what was read are others: %v", name, err)
	}
	r.look()
}

// sameTicks reports the first difference between two runs of the same steps. Handles may
// differ, if each handle of one run corresponds to exactly one of the other.
func sameTicks(t testing.TB, name string, want, got []ranTick) {
	t.Helper()
	h := handles{map[uint64]uint64{}, map[uint64]uint64{}}
	for i := range got {
		a, b := &want[i], &got[i]
		where := fmt.Sprintf("%s: %d steps after the snapshot", name, i+1)
		if a.World != b.World || a.Counts != b.Counts {
			t.Fatalf("%s: tick %d, %+v; the first time %d, %+v", where, b.World, b.Counts, a.World, a.Counts)
		}
		if a.Bits != b.Bits || a.Hash != b.Hash {
			t.Fatalf("%s: other bits", where)
		}
		if a.State != b.State {
			t.Fatalf("%s: another StateHash", where)
		}
		h.sameEvents(t, where+": events", a.Events, b.Events)
		h.sameEvents(t, where+": hooks", a.Hooked, b.Hooked)
		sameStates(t, where, a.States, b.States)
	}
}

// sameWorlds reports the first difference between two worlds whose StateHash should be
// equal.
func sameWorlds(t testing.TB, what string, want, got *world.World) {
	t.Helper()
	if want.StateHash() == got.StateHash() {
		return
	}
	var a, b world.Snapshot
	if err := errors.Join(want.Snapshot(&a), got.Snapshot(&b)); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	t.Fatalf("%s: %s (state hash %016x, not %016x)", what, a.Difference(&b), got.StateHash(), want.StateHash())
}

// sameStates compares the states of two ticks. A slot's generation may differ, and
// a run that has made more bodies since then has more slots.
func sameStates(t testing.TB, where string, want, got []body2d.State) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		var a, b body2d.State
		if i < len(want) {
			a = want[i]
		}
		if i < len(got) {
			b = got[i]
		}
		a.Bits &= 0xff
		b.Bits &= 0xff
		if a != b {
			t.Fatalf("%s: slot %d is %+v; the first time %+v", where, i, b, a)
		}
	}
}

// fields is an event that prints as a struct, and not as a sentence.
type fields world.Event

// handles maps the handles of one run to those of the other, and back.
type handles struct{ there, back map[uint64]uint64 }

func (h handles) same(a, b uint64) bool {
	if _, ok := h.there[a]; !ok {
		if _, taken := h.back[b]; taken {
			return false
		}
		h.there[a], h.back[b] = b, a
	}
	return h.there[a] == b
}

func (h handles) sameEvents(t testing.TB, where string, want, got []world.Event) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%s: %d, not %d:\n%v\nthe first time:\n%v", where, len(got), len(want), got, want)
	}
	for i := range want {
		a, b := want[i], got[i]
		if !h.same(uint64(a.A), uint64(b.A)) || !h.same(uint64(a.B), uint64(b.B)) ||
			!h.same(uint64(a.ShapeA), uint64(b.ShapeA)) || !h.same(uint64(a.ShapeB), uint64(b.ShapeB)) {
			t.Fatalf("%s: %v is of other handles than %v", where, b, a)
		}
		if (a.Err == nil) != (b.Err == nil) { // their texts name handles
			t.Fatalf("%s: %v, not %v", where, b, a)
		}
		for _, e := range [...]*world.Event{&a, &b} {
			e.A, e.B, e.ShapeA, e.ShapeB, e.Tick, e.Err, e.User = 0, 0, 0, 0, 0, nil, nil
		}
		if a != b {
			t.Fatalf("%s: %v: %+v, not %+v", where, got[i], fields(b), fields(a))
		}
	}
}
