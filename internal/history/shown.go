package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/binenc"
	"halfstep/internal/exports"
	"halfstep/internal/shifted"
	"halfstep/world"
)

// A world with code of a program, such as controllers and hooks, can be computed only in that program. A feed of
// such a world contains the changes of the picture: states and structure. A replay of the feed only shows these
// changes.

// Shown is the change of the picture by a tick, or by an edit between two ticks.
type Shown struct {
	Tick      uint64
	Dt        float64 // length of the step, in s
	Units     int64   // Units/StepUnits of a step is left in the clock after the frame
	StepUnits int64
	Counts    body2d.Counts
	Slots     int    // the number of states, which never decreases
	States    []byte // the changed states, each with 4 bytes for the slot and 32 for the state, lowest byte first
	Structure []body2d.Structure
	Events    []shownEvent
	Shifts    []shifted.Body // moves of earlier pictures
	Drawn     []body2d.Drawing
}

// shownEvent is an event as it is stored in a file.
type shownEvent struct {
	Event world.Event // has no error, and its User value is as binenc.User returns it
	Err   string
	Rest  exports.EventRest
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

// eventsSince returns the events of a log without the first count events. It omits replies to questions.
func eventsSince(log *buffer.Log[world.Event], count uint64) (list []shownEvent) {
	for e := range log.Since(count) {
		if private.IsReply(e) {
			continue
		}
		s := shownEvent{Event: *e, Rest: private.EventRest(e)}
		if s.Event.User = binenc.User(e.User); e.Err != nil {
			s.Err, s.Event.Err = e.Err.Error(), nil
		}
		list = append(list, s)
	}
	return list
}

// event returns the event as the program receives it.
func (s *shownEvent) event() world.Event {
	e := s.Event
	if private.SetEventRest(&e, s.Rest); s.Err != "" {
		e.Err = errors.New(s.Err)
	}
	return e
}

// mostSlots is the greatest number of slots of a picture.
const mostSlots = 1 << 22

// check returns an error if no world shows the changes s. The parameter slots is the number of slots before the change.
// The parameter bodies has the slots that have a body, and check updates it.
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
	if len(s.Drawn) > body2d.MaxDrawings {
		return fmt.Errorf("%d drawings", len(s.Drawn))
	}
	for i := range s.Structure {
		r := &s.Structure[i]
		valid := r.Slot >= 0 && int(r.Slot) < s.Slots
		switch known := bodies[r.Slot]; {
		case r.Kind == body2d.BodyAdded && valid && !known:
			bodies[r.Slot] = true
		case r.Kind == body2d.BodyChanged && known:
		case r.Kind == body2d.BodyRemoved && valid: // the first picture may already lack the body
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
		if happened.Kind > world.JointRemoved || happened.Kind == world.EventRetracted || private.IsReply(&happened) || e.Err != nil {
			return fmt.Errorf("an event of kind %d", e.Kind)
		}
	}
	return nil
}

// addShown calls the function add with the entries for the changes of a tick or an edit. A tick becomes the entries of a
// frame with one step, and an edit becomes a command.
func (f *File) addShown(s *Shown, add func(e *Entry) error) error {
	if err := s.check(f.slots, f.bodies); err != nil {
		return fmt.Errorf("%w: after tick %d: %w", ErrCorrupt, f.Ticks, err)
	}
	f.slots = s.Slots
	if s.Tick == f.Ticks {
		return add(&Entry{Kind: Apply, Tick: s.Tick, shown: s})
	}
	for _, e := range []Entry{
		{Kind: Begin, Tick: f.Ticks, Units: s.Units, StepUnits: s.StepUnits},
		{Kind: Step, Tick: s.Tick, Dt: s.Dt, shown: s},
		{Kind: End, Tick: s.Tick},
	} {
		if err := add(&e); err != nil {
			return err
		}
	}
	return nil
}

// beginShown reads the whole picture at the beginning of a recording of states. If the recording also
// has commands, chunks of commands may come before the picture. The chunk with the picture may
// contain more changes.
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
		if err := f.addShown(&list[i], f.add); err != nil {
			return err
		}
	}
	return nil
}
