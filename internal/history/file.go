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

// A recording consists of a magic word and chunks. The magic word ends in the number of the format. A chunk
// has two checksums, which together cover all its bytes:
//
//	kind      1 byte
//	length    4 bytes, of the payload, lowest first
//	checksum  4 bytes, CRC-32C of kind and length
//	payload   a Go value, as binenc.AppendFields encodes it
//	checksum  4 bytes, CRC-32C of the payload
//
// The first chunk is a header, and the last is an end chunk. A recording without an end chunk was
// interrupted.
const (
	Magic    = magic + "3\n"
	magic    = "halfstep recording "
	headSize = 9
	maxChunk = 1 << 30
)

// These are the values of Header.Begins.
const (
	fromSetup    = 1 + iota // the recording begins with the run
	fromSnapshot            // a start chunk follows the header
	ofStates                // the recording has the shown states instead of calls
)

// The kinds of chunk.
const (
	chunkHeader  byte = 'H'
	chunkStart   byte = 'S'
	chunkEntries byte = 'O'
	chunkShown   byte = 'P'
	chunkEnd     byte = 'E'
)

// ErrCorrupt is engine.ErrCorrupt. It says that the recording was changed after it was written.
var ErrCorrupt = errors.New("the recording is corrupt")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// layout is a number that depends on the fields of commands and of the other types in recordings. Builds
// with other fields have another number.
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
	Layout uint64 // layout of the build that wrote the recording; must stay the first field
	Begins int
	Scene  string       // Scene is RecordOptions.Scene.
	Data   []byte       // Data is RecordOptions.Data.
	World  world.Config // World is the result of worldConfig. It must be the same in a replay, because a world with other limits would refuse other contacts.
	Method int          // Method is the method of the stepper (see world.Stepper.Method).
	Rate   clock.Rate
	Hash   uint64 // World.StateHash before the first step

	CameraMin, CameraMax world.Vec // the corners of the view, as in engine.WatchOptions

	States bool // the recording has states as well as entries
}

// Start is the beginning of a recording that does not begin with the run.
type Start struct {
	Tick      uint64
	Units     int64 // Units/StepUnits of a step is left in the clock
	StepUnits int64
	State     []byte // bytes of a world.Snapshot
	Kept      []Coded

	saved Saved // the state from which encode computes State and Kept
}

// encode computes State and Kept, unless they are already computed. A Writer's goroutine calls
// encode, so that the physics goroutine does not wait.
func (s *Start) encode() (err error) {
	if err = s.encodeState(); err == nil && s.Kept == nil {
		s.Kept, err = s.saved.Kept.encode(s.State)
	}
	return err
}

// encodeState computes State, unless it is already computed.
func (s *Start) encodeState() (err error) {
	if s.State == nil {
		s.State, err = s.saved.Snapshot.AppendBinary(nil)
	}
	return err
}

// given reports whether there is a snapshot. The receiver may be nil.
func (s *Start) given() bool { return s != nil && (s.saved.Snapshot != nil || s.State != nil) }

// load moves the world to the beginning of the recording. The setup must already have added controllers,
// hooks and functions, because snapshots do not contain them.
func (s *Start) load(l *Log) error {
	if !s.given() {
		return nil
	}
	w, state, kept := l.Simulation, s.State, decoded(s.Kept, s.State)
	if state == nil { // s is a state of another run
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

// worldConfig returns the part of a configuration that affects how bodies move.
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

// header returns the header of a recording that begins now. If hashed is true, the header has a
// hash of the state.
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
	Failed float64 // length of the step that failed, in s; 0 if no step failed
}

// encodeHead calls put once with all bytes before the entries. These are the magic word, the header, and
// the start if it has a snapshot.
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

// fullChunk is the approximate size of a full chunk of entries, in bytes.
const fullChunk = 16 << 20

// encodeEntries calls put with chunks of the entries. Either all entries must have shown states, or none.
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

// encodeBeat calls put with an empty chunk, which shows a watcher that the program still runs.
func encodeBeat(shows bool, put func([]byte) error) error {
	if shows {
		return encode(chunkShown, []Shown{}, put)
	}
	return encode(chunkEntries, []Entry{}, put)
}

// encode calls put with a chunk that has the fields of v.
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

// The checksums detect damage, but do not detect a forged file. So the check methods test whether a recorder
// could have written the numbers for the solver, the times, and the order of calls. They do not test
// commands, because a recorder also keeps commands that the world rejects.

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

// checkMethod returns an error if the recording was made with another method of the soft stepper. A replay
// would sooner or later differ from such a recording.
func (h *Header) checkMethod() error {
	if here := world.SoftStep.Method(); h.World.Stepper == world.SoftStep && h.Method != here {
		return fmt.Errorf("the recording was made by method %d of the soft stepper; this build has method %d", h.Method, here)
	}
	return nil
}

// check returns an error if no recorder writes the entry e after the given number of ticks. The parameter
// first is the first tick of the recording.
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

// check returns an error if no recorder writes the start s. It does not check State, which is checked when it
// is loaded.
func (s *Start) check() error {
	if s.Tick >= maxTick {
		return fmt.Errorf("tick %d", s.Tick)
	}
	if err := checkCoded(s.Kept, len(s.State)); err != nil {
		return err
	}
	return checkRemainder(s.Units, s.StepUnits)
}

// maxHandles is a number of handles that no run reaches. It is far below the greatest handle.
const maxHandles = 1 << 62

// maxTick is the greatest tick of a recording. The numbers that physics and rendering exchange have no room
// for later ticks.
const maxTick = 1 << 47
