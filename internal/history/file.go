package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"reflect"

	"halfstep/internal/binenc"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// A recording is a magic word, which ends in the number of the format, and chunks. Every byte of a
// chunk is covered by one of its two checksums:
//
//	kind      1 byte
//	length    4 bytes, of the payload, lowest first
//	checksum  4 bytes, CRC-32C of kind and length
//	payload   a Go value, as binenc.AppendFields encodes it
//	checksum  4 bytes, CRC-32C of the payload
//
// A header chunk comes first, an end chunk last. A recording without an end was cut off.
const (
	Magic    = magic + "3\n"
	magic    = "halfstep recording "
	headSize = 9
	maxChunk = 1 << 30
)

// The beginnings of a recording, as Header.Begins.
const (
	fromSetup    = 1 + iota // the recording begins with the run
	fromSnapshot            // a start chunk follows the header
	ofStates                // the recording has the shown states, in place of calls
)

// The kinds of chunk.
const (
	chunkHeader  byte = 'H'
	chunkStart   byte = 'S'
	chunkEntries byte = 'O'
	chunkShown   byte = 'P'
	chunkEnd     byte = 'E'
)

// ErrCorrupt is engine.ErrCorrupt: the recording was changed after it was written.
var ErrCorrupt = errors.New("the recording is corrupt")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// layout differs between builds whose commands or other contents have different fields.
var layout = func() uint64 {
	h := fnv.New64a()
	for _, t := range []reflect.Type{
		reflect.TypeFor[Header](), reflect.TypeFor[Start](), reflect.TypeFor[Entry](), reflect.TypeFor[Shown](), reflect.TypeFor[Ending](),
	} {
		h.Write([]byte(binenc.DescribeFields(t)))
	}
	return h.Sum64()
}()

// Header is the first chunk of a recording.
type Header struct {
	Layout uint64 // layout of the build that wrote it; it must stay the first field
	Begins int
	Scene  string       // as RecordOptions.Scene
	Data   []byte       // as RecordOptions.Data
	World  world.Config // as worldConfig leaves it: a world with other limits would refuse other contacts
	Method int          // of the stepper, see world.Stepper.Method
	Rate   clock.Rate
	Hash   uint64 // World.StateHash before the first step

	CameraMin, CameraMax world.Vec // as engine.WatchOptions

	States bool // the recording has states beside its entries
}

// Start is the beginning of a recording that does not begin with the run.
type Start struct {
	Tick      uint64
	Units     int64 // the clock's remainder was Units/StepUnits of a step
	StepUnits int64
	State     []byte // the bytes of a world.Snapshot
	Kept      []Coded

	saved Saved // encode computes State and Kept from it
}

// encode computes State and Kept, unless they exist. A Writer's goroutine calls it so that physics
// does not wait.
func (s *Start) encode() (err error) {
	if err = s.encodeState(); err == nil && s.Kept == nil {
		s.Kept, err = s.saved.Kept.encode(s.State)
	}
	return err
}

// encodeState computes State, unless it exists.
func (s *Start) encodeState() (err error) {
	if s.State == nil {
		s.State, err = s.saved.Snapshot.AppendBinary(nil)
	}
	return err
}

// given reports whether there is a snapshot; s may be nil.
func (s *Start) given() bool { return s != nil && (s.saved.Snapshot != nil || s.State != nil) }

// load moves the world to the beginning of the recording. Setup has added controllers, hooks and
// functions, which a snapshot does not hold.
func (s *Start) load(l *Log) error {
	if !s.given() {
		return nil
	}
	w, state, kept := l.Simulation, s.State, decoded(s.Kept, s.State)
	if state == nil { // it is a state of another run
		var err error
		if state, err = s.saved.Snapshot.AppendBinary(nil); err != nil {
			return err
		}
		kept = l.adopt(s.saved.Kept)
	}
	snapshot, err := world.LoadSnapshot(state)
	if err != nil {
		return err
	}
	if private.Tick(snapshot) != s.Tick {
		return fmt.Errorf("the snapshot is of tick %d, and the recording begins at tick %d", private.Tick(snapshot), s.Tick)
	}
	most := w.Config().MaxContacts
	if err := private.GoBack(w, snapshot); err != nil {
		return err
	}
	l.numbered = kept
	if has := w.Config().MaxContacts; has != most {
		return fmt.Errorf("the snapshot's world may hold %d contacts, the recording's %d", has, most)
	}
	return nil
}

// worldConfig returns the part of a configuration that decides how the world moves.
func worldConfig(c world.Config) world.Config {
	c.Workers, c.NoGravity = 0, c.Gravity == world.Vec{}
	if c.MaxContacts == world.DefaultMaxContacts {
		c.MaxContacts = 0
	}
	if c.Stepper != world.SoftStep {
		c.SubSteps = 0
	}
	return c
}

// header returns the header of a recording that begins now, with a hash of the state if hashed is
// true.
func (l *Log) header(begins int, scene string, data []byte, hashed bool) Header {
	h := Header{Layout: layout, Begins: begins, Scene: scene, Data: data, Rate: l.rate(), World: worldConfig(l.Config())}
	h.Method = h.World.Stepper.Method()
	if hashed {
		h.Hash = l.World().StateHash()
	}
	return h
}

// Ending closes a recording.
type Ending struct {
	Ticks  uint64
	Hash   uint64  // World.Hash after the last command, or 0
	Failed float64 // s, the length of the next step, which failed; 0 if none did
}

// encodeHead calls put once with all data before the entries: the magic word, the header, and the
// start if it has a snapshot.
func encodeHead(h *Header, start *Start, put func([]byte) error) error {
	head := []byte(Magic)
	chunk, err := encodeChunk(chunkHeader, h)
	head = append(head, chunk...)
	if err == nil && start.given() {
		if err = start.encode(); err == nil {
			chunk, err = encodeChunk(chunkStart, start)
			head = append(head, chunk...)
		}
	}
	if err != nil {
		return err
	}
	return put(head)
}

// fullChunk is about the size of a chunk of entries, in bytes.
const fullChunk = 16 << 20

// encodeEntries calls put with the chunks of entries. Either all of them have shown states, or
// none.
func encodeEntries(entries []Entry, put func([]byte) error) error {
	for len(entries) > 0 {
		n := 0
		for size := int64(0); n < len(entries) && size < fullChunk; n++ {
			size += entries[n].size()
		}
		var err error
		if entries[0].shown != nil {
			shown := make([]Shown, n)
			for i := range shown {
				shown[i] = *entries[i].shown
			}
			err = encode(chunkShown, shown, put)
		} else {
			var list []Entry
			if list, err = withStates(entries[:n]); err == nil {
				err = encode(chunkEntries, list, put)
			}
		}
		if err != nil {
			return err
		}
		entries = entries[n:]
	}
	return nil
}

// encodeBeat calls put with an empty chunk, which shows that the feed is alive.
func encodeBeat(shows bool, put func([]byte) error) error {
	if shows {
		return encode(chunkShown, []Shown{}, put)
	}
	return encode(chunkEntries, []Entry{}, put)
}

// encode calls put with a chunk of the fields of v.
func encode(kind byte, v any, put func([]byte) error) error {
	chunk, err := encodeChunk(kind, v)
	if err != nil {
		return err
	}
	return put(chunk)
}

func encodeChunk(kind byte, v any) ([]byte, error) {
	b := binenc.AppendFields(make([]byte, headSize), reflect.Indirect(reflect.ValueOf(v)))
	head, payload := b[:headSize], b[headSize:]
	if len(payload) > maxChunk {
		return nil, fmt.Errorf("a chunk of %d bytes is too large to record", len(payload))
	}
	head[0] = kind
	binary.LittleEndian.PutUint32(head[1:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(head[5:], crc32.Checksum(head[:5], castagnoli))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(payload, castagnoli)), nil
}

// The checksums detect damage, but not a forged file. So the data on the solver, on time and on the
// order of calls is checked: it must be data that a recorder writes. Commands are not checked: a
// recorder also keeps those that the world rejects, and a replay rejects them again.

// maxDt is the longest step that a rate allows, in s.
const maxDt = 1000

func (h *Header) check() error {
	if h.Begins < fromSetup || h.Begins > ofStates {
		return fmt.Errorf("a beginning of kind %d", h.Begins)
	}
	if _, err := clock.New(h.Rate); err != nil {
		return err
	}
	if h.World.Workers != 0 {
		return errors.New("a number of workers")
	}
	return h.World.Validate()
}

// checkMethod refuses a recording by another method of the soft stepper, because the replay would
// differ from it sooner or later.
func (h *Header) checkMethod() error {
	if here := world.SoftStep.Method(); h.World.Stepper == world.SoftStep && h.Method != here {
		return fmt.Errorf("the recording was made by method %d of the soft stepper; this build has method %d", h.Method, here)
	}
	return nil
}

// check returns an error for an entry that no recorder writes after ticks ticks, in a recording
// that begins at tick first.
func (e *Entry) check(first, ticks uint64) error {
	at := ticks // the tick that the entry must have
	switch e.Kind {
	case Step:
		if at++; !(e.Dt > 0 && e.Dt <= maxDt) {
			return fmt.Errorf("a step of %v s", e.Dt)
		}
		if e.Rewinds > keepsShown || (e.Rewinds != steps) != (e.state != nil) {
			return fmt.Errorf("a step back of kind %d", e.Rewinds)
		}
	case Begin:
		if err := checkRemainder(e.Units, e.StepUnits); err != nil {
			return err
		}
	case Apply:
		if e.Command == nil && e.shown == nil {
			return errors.New("a command is missing")
		}
	case End:
	case Back:
		if e.Handles > maxHandles {
			return fmt.Errorf("%d handles", e.Handles)
		}
		if e.Tick < first {
			return fmt.Errorf("it goes back to tick %d, before its beginning", e.Tick)
		}
		if e.Tick <= ticks {
			return nil
		}
	default:
		return fmt.Errorf("an entry of kind %d", e.Kind)
	}
	if e.Tick != at {
		return fmt.Errorf("tick %d is out of order", e.Tick)
	}
	return nil
}

func checkRemainder(units, step int64) error {
	if units < 0 || step < 0 || units > step {
		return fmt.Errorf("a remainder of %d/%d steps", units, step)
	}
	return nil
}

// check returns an error for a start that no recorder writes. State is checked when it is
// loaded.
func (s *Start) check() error {
	if s.Tick >= maxTick {
		return fmt.Errorf("tick %d", s.Tick)
	}
	if err := checkCoded(s.Kept, len(s.State)); err != nil {
		return err
	}
	return checkRemainder(s.Units, s.StepUnits)
}

// maxHandles is a number of handles that no run gives out, far from the end of the numbers.
const maxHandles = 1 << 62

// maxTick is the greatest tick of a recording: later ticks would not fit in the exchange of states
// between physics and rendering.
const maxTick = 1 << 47
