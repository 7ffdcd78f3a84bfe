package engine

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"

	"halfstep/renderloop/clock"
	"halfstep/world"
)

// A recording is a magic word and chunks. Every byte of it is covered by one of
// the two checksums of its chunk:
//
//	kind      1 byte
//	length    4 bytes, of the payload, lowest first
//	checksum  4 bytes, CRC-32C of kind and length
//	payload   gob
//	checksum  4 bytes, CRC-32C of the payload
//
// A header chunk comes first, an end chunk last. A recording without its end
// was cut off, by a crash or since. The version says how a recording begins: with the
// run, or with a start chunk, which has a snapshot and follows the header. It also says
// which hashes the recording has: 1 and 2 have World.Hash, which older builds compared,
// 3 and 4 have World.StateHash.
const (
	recordMagic   = "halfstep recording\n"
	fromSetup     = 1 // beginnings
	fromSnapshot  = 2
	stateHashes   = 2 // that and the beginning make the version
	recordVersion = fromSnapshot
	headLen       = 9
	maxChunk      = 1 << 30
)

// The kinds of chunk.
const (
	chunkHeader byte = 'H'
	chunkStart  byte = 'S'
	chunkOps    byte = 'O'
	chunkEnd    byte = 'E'
)

// ErrCorrupt is wrapped by the error of ReadRecording if the recording was changed
// after it was written.
var ErrCorrupt = errors.New("the recording is corrupt")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// recordHeader is what a recording begins with.
type recordHeader struct {
	Version int
	Scene   string // as RecordOptions.Scene
	Data    []byte // as RecordOptions.Data
	World   worldConfig
	Rate    clock.Rate
	Hash    uint64 // of the world before the first step
}

// begins is fromSetup or fromSnapshot.
func (h *recordHeader) begins() int { return 1 + (h.Version-1)%stateHashes }

// hash is the hash of a world that the recording's hashes are to be compared with.
func (h *recordHeader) hash(w *world.World) uint64 {
	if h.Version > stateHashes {
		return w.StateHash()
	}
	return w.Hash()
}

// recordStart is where a recording begins that does not begin with the run.
type recordStart struct {
	Tick    uint64
	Carry   int64 // the clock's remainder was Carry/Whole of a step
	Whole   int64
	Stepper string // the name of world.Snapshot.Stepper
	State   []byte // of the world

	snapshot *world.Snapshot // which becomes State
}

// encode makes State, if that is still to be done. It runs on the goroutine that
// writes, so that physics does not wait for it.
func (s *recordStart) encode() (err error) {
	if s.State != nil {
		return nil
	}
	s.Stepper = s.snapshot.Stepper().String()
	s.State, err = s.snapshot.AppendBinary(nil)
	return err
}

// load puts the world where the recording begins. Setup has given it what a
// snapshot does not hold: controllers, hooks and functions.
func (s *recordStart) load(w *world.Simulation) error {
	if s.State == nil {
		return nil
	}
	snapshot, err := world.LoadSnapshot(s.State)
	if err != nil {
		return err
	}
	if snapshot.At() != s.Tick {
		return fmt.Errorf("the snapshot is of tick %d, and the recording begins at tick %d", snapshot.At(), s.Tick)
	}
	return w.Rewind(snapshot)
}

// worldConfig is what of Config decides how the world moves.
type worldConfig struct {
	Gravity                                            world.Vec
	VelocityIterations, PositionIterations             int
	NoSleep, NoContinuous, NoWarmStarting, SubStepping bool
	MaxContacts                                        int // what it refuses differs; 0 is the default
	SoftSubSteps                                       int // of the soft stepper; 0 if another stepped the world
	SoftMethod                                         int // its world.Stepper.Method; 0 is 1
}

// opKind says what a recordOp stands for.
type opKind uint8

const (
	opBegin opKind = iota // a frame begins
	opApply               // a command is applied
	opStep                // a step is done
	opEnd                 // a frame with steps ends: its forces are cleared
	opBack                // what followed a tick is void: the run went back to it
)

// recordOp is one call that the loop made to the world.
type recordOp struct {
	Kind      opKind
	Tick      uint64  // of a step, its tick; otherwise the steps done
	Dt        float64 // s, of a step
	Carry     int64   // of a frame: the clock's remainder after it is Carry/Whole
	Whole     int64   // of a step
	Hash      uint64  // after a step, as recordHeader.hash; 0 where a black box has not taken it
	Values    []byte  // after a step: world.Simulation.Fingerprint
	Scheduled bool
	Command   *world.Command
	Made      uint64 // of opBack: how many handles the world has given out
}

// recordEnd closes a recording.
type recordEnd struct {
	Ticks uint64
	Hash  uint64 // World.Hash after the last command
}

// size is about how many bytes the operation takes in memory.
func (op *recordOp) size() int64 {
	n := 100 + len(op.Values)
	if c := op.Command; c != nil {
		n += 200 + 8*len(c.Args)
		if c.BodyDef != nil {
			n += 300 * (1 + len(c.BodyDef.Shapes))
			for i := range c.BodyDef.Shapes {
				n += 16 * len(c.BodyDef.Shapes[i].Points)
			}
		}
		if c.ShapeDef != nil {
			n += 300 + 16*len(c.ShapeDef.Points)
		}
	}
	return int64(n)
}

// encodeChunk is one chunk with v as its payload.
func encodeChunk(kind byte, v any) ([]byte, error) {
	var b bytes.Buffer
	b.Write(make([]byte, headLen))
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return nil, err
	}
	head := b.Bytes()[:headLen]
	payload := b.Bytes()[headLen:]
	if len(payload) > maxChunk {
		return nil, fmt.Errorf("a chunk of %d bytes is too large to record", len(payload))
	}
	head[0] = kind
	binary.LittleEndian.PutUint32(head[1:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(head[5:], crc32.Checksum(head[:5], castagnoli))
	return binary.LittleEndian.AppendUint32(b.Bytes(), crc32.Checksum(payload, castagnoli)), nil
}
