package engine

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"halfstep/physicsloop/box"
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
// was cut off, by a crash or since.
const (
	recordMagic   = "halfstep recording\n"
	recordVersion = 1
	maxChunk      = 1 << 30
)

// The kinds of chunk.
const (
	chunkHeader byte = 'H'
	chunkOps    byte = 'O'
	chunkEnd    byte = 'E'
)

// ErrCorrupt is wrapped by the error about a recording that was changed.
var ErrCorrupt = errors.New("the recording is corrupt")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// recordHeader is what a recording begins with.
type recordHeader struct {
	Version int
	Scene   string // as RecordOptions.Scene
	Data    []byte // as RecordOptions.Data
	World   worldConfig
	Rate    Rate
	Hash    uint64 // of the world before the first step
}

// worldConfig is what of Config decides how the world moves.
type worldConfig struct {
	Gravity                                            Vec
	VelocityIterations, PositionIterations             int
	NoSleep, NoContinuous, NoWarmStarting, SubStepping bool
	MaxContacts                                        int // what it refuses differs; 0 is the default
}

// opKind says what a recordOp stands for.
type opKind uint8

const (
	opBegin opKind = iota // a frame begins
	opApply               // a command is applied
	opStep                // a step is done
	opEnd                 // a frame with steps ends: its forces are cleared
)

// recordOp is one call that the loop made to the world.
type recordOp struct {
	Kind      opKind
	Tick      uint64  // of a step, its tick; otherwise the steps done
	Dt        float64 // s, of a step
	Carry     int64   // of a frame: the clock's remainder after it is Carry/Whole
	Whole     int64   // of a step
	Hash      uint64  // after a step
	Values    []byte  // after a step: box.World.Fingerprint
	Scheduled bool
	Command   *box.Command
}

// recordEnd closes a recording.
type recordEnd struct {
	Ticks uint64
	Hash  uint64 // of the world after the last command
}

// writeChunk writes one chunk with v as its payload.
func writeChunk(w io.Writer, kind byte, v any) error {
	var b bytes.Buffer
	b.Write(make([]byte, 9))
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return err
	}
	head := b.Bytes()[:9]
	payload := b.Bytes()[9:]
	if len(payload) > maxChunk {
		return fmt.Errorf("a chunk of %d bytes is too large to record", len(payload))
	}
	head[0] = kind
	binary.LittleEndian.PutUint32(head[1:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(head[5:], crc32.Checksum(head[:5], castagnoli))
	b.Write(binary.LittleEndian.AppendUint32(nil, crc32.Checksum(payload, castagnoli)))
	_, err := w.Write(b.Bytes())
	return err
}

// chunkReader reads chunks and knows where in the file it is.
type chunkReader struct {
	data []byte
	at   int
}

// errCut says that the file ends within a chunk or without its end.
var errCut = errors.New("the recording was cut off")

// next returns the next chunk's kind and payload.
func (r *chunkReader) next() (kind byte, payload []byte, err error) {
	head := r.data[r.at:]
	if len(head) < 9 {
		return 0, nil, errCut
	}
	if crc32.Checksum(head[:5], castagnoli) != binary.LittleEndian.Uint32(head[5:]) {
		return 0, nil, fmt.Errorf("%w: the chunk header at byte %d does not match its checksum", ErrCorrupt, r.at)
	}
	n := int(binary.LittleEndian.Uint32(head[1:]))
	body := head[9:]
	if len(body) < n+4 {
		return 0, nil, errCut
	}
	payload = body[:n]
	if crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(body[n:]) {
		return 0, nil, fmt.Errorf("%w: bytes %d to %d do not match their checksum", ErrCorrupt, r.at+9, r.at+9+n)
	}
	r.at += 9 + n + 4
	return head[0], payload, nil
}

// decode reads a payload that its checksum has vouched for.
func decode(payload []byte, v any) error {
	if err := gob.NewDecoder(bytes.NewReader(payload)).Decode(v); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return nil
}
