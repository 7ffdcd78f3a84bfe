package history

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/world"
)

func TestStatesSurviveTheirBytes(t *testing.T) {
	want := body2d.State{X: 1.5, Y: -2, Angle: math.Pi / 3, VX: float32(math.Inf(1)), VY: -0, Omega: 3, Turns: -7, Bits: 0x12345678}
	slot, got := readState(appendState(nil, 77, &want))
	if slot != 77 || got != want {
		t.Errorf("slot %d, %+v", slot, got)
	}
}

// The states may come from an unknown sender.
func TestPicturesThatNoWorldShowsAreRefused(t *testing.T) {
	state := func(slot int) []byte { return appendState(nil, slot, new(body2d.State)) }
	body := func(slot int32) body2d.Structure { return body2d.Structure{Kind: body2d.BodyAdded, Slot: slot} }
	first := Shown{Tick: 5, Slots: 2, States: append(state(0), state(1)...), Structure: []body2d.Structure{body(0)}}
	file := func(list ...Shown) error {
		var data bytes.Buffer
		put := func(b []byte) error { data.Write(b); return nil }
		h := small(t).Header
		h.Begins = ofStates
		err := encodeHead(&h, nil, put)
		for i := range list {
			err = errors.Join(err, encode(chunkShown, list[i:i+1], put))
		}
		if err != nil {
			t.Fatal(err)
		}
		f, err := read(&data)
		if err != nil {
			return err
		}
		w := world.NewSimulation(f.Header.World)
		defer w.Close()
		p, err := play(w, ReplayOptions{File: f})
		if err != nil {
			return err
		}
		return p.GoTo(f.Ticks)
	}
	next := func(change func(*Shown)) Shown {
		s := Shown{Tick: 6, Dt: dt, Slots: 2}
		change(&s)
		return s
	}
	if err := file(first, next(func(s *Shown) { s.Structure = append(s.Structure, body(1)) })); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Shown){
		"a tick too far":       func(s *Shown) { s.Tick = 7 },
		"a tick back":          func(s *Shown) { s.Tick = 4 },
		"no length":            func(s *Shown) { s.Dt = 0 },
		"fewer slots":          func(s *Shown) { s.Slots = 1 },
		"slots below 0":        func(s *Shown) { s.Slots = -1 },
		"too many slots":       func(s *Shown) { s.Slots = 1 << 30 },
		"a state out of range": func(s *Shown) { s.States = state(2) },
		"half a state":         func(s *Shown) { s.States = state(1)[1:] },
		"a body out of range":  func(s *Shown) { s.Structure = []body2d.Structure{body(2)} },
		"a body below 0":       func(s *Shown) { s.Structure = []body2d.Structure{body(-1)} },
		"a body twice":         func(s *Shown) { s.Structure = []body2d.Structure{body(0)} },
		"a body that is not":   func(s *Shown) { s.Structure = []body2d.Structure{{Kind: body2d.BodyChanged, Slot: 1}} },
		"no slot to remove":    func(s *Shown) { s.Structure = []body2d.Structure{{Kind: body2d.BodyRemoved, Slot: 2}} },
		"a shape of no body":   func(s *Shown) { s.Structure = []body2d.Structure{{Kind: body2d.ShapeAdded, Slot: 1}} },
		"a shape with 200 points": func(s *Shown) {
			s.Structure = []body2d.Structure{{Kind: body2d.ShapeAdded, Shape: body2d.Geometry{N: 200}}}
		},
		"a shape of no kind": func(s *Shown) {
			s.Structure = []body2d.Structure{{Kind: body2d.ShapeAdded, Shape: body2d.Geometry{Kind: 9}}}
		},
		"a joint of no body": func(s *Shown) {
			s.Structure = []body2d.Structure{{Kind: body2d.JointAdded, Joint: body2d.JointGeometry{SlotA: 2}}}
		},
		"an event of no kind":      func(s *Shown) { s.Events = []shownEvent{{Event: world.Event{Kind: 77}}} },
		"an answer to no question": func(s *Shown) { s.Events = []shownEvent{{Event: world.Event{Kind: world.EventRetracted + 1}}} },
		"an event that took back itself": func(s *Shown) {
			s.Events = []shownEvent{{Event: world.Event{Kind: world.EventRetracted, Was: world.EventRetracted}}}
		},
		"a record of no kind": func(s *Shown) { s.Structure = []body2d.Structure{{Kind: 77}} },
	} {
		if err := file(first, next(change)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, list := range [][]Shown{{}, {{Tick: 1 << 60}}, {{Slots: -3}}} {
		if err := file(list...); err == nil {
			t.Errorf("it begins with %+v", list)
		}
	}
}

// A step in which all bodies fall asleep has almost only such events.
func TestManySmallEventsAreRead(t *testing.T) {
	s := Shown{Tick: 6, Dt: dt}
	for i := range 10_000 {
		s.Events = append(s.Events, shownEvent{Event: world.Event{Kind: world.BodySlept, Tick: 6, Contact: world.Contact{A: world.Body(i % 100)}}})
	}
	var got []Shown
	chunk, err := encodeChunk(chunkShown, []Shown{s})
	if err == nil {
		err = newChunkReader(bytes.NewReader(chunk)).decodeNext(chunkShown, "picture", &got)
	}
	if err != nil || len(got) != 1 || len(got[0].Events) != len(s.Events) || got[0].Events[99].Event != s.Events[99].Event {
		t.Error(err)
	}
}

// Earlier, removing a body searched all records, so that a file of some megabytes
// took minutes. This test also took minutes.
func TestManyBodiesComeAndGo(t *testing.T) {
	const many = 40_000
	come, gone := Shown{Slots: many}, Shown{Slots: many}
	for i := range int32(many) {
		come.Structure = append(come.Structure, body2d.Structure{Kind: body2d.BodyAdded, Slot: i}, body2d.Structure{Kind: body2d.ShapeAdded, Slot: i, ID: uint32(i)})
		gone.Structure = append(gone.Structure, body2d.Structure{Kind: body2d.BodyChanged, Slot: many - 1 - i}, body2d.Structure{Kind: body2d.BodyRemoved, Slot: many - 1 - i})
	}
	u := newPicture()
	u.show(&come)
	if n := len(u.structure()); n != 2*many {
		t.Errorf("%d records", n)
	}
	u.show(&gone)
	if n := len(u.structure()); n != 0 {
		t.Errorf("%d records are left", n)
	}
}
