package engine_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/internal/history"
	"halfstep/internal/shifted"
	"halfstep/renderloop"
	"halfstep/test/attack"
	"halfstep/world"
)

// piece is a chunk of a recording. Its checksums are computed again, so that
// the contents of the chunk are attacked as well.
type piece struct {
	kind    byte
	payload []byte
}

const recordingMagic = history.Magic

func takeApart(t testing.TB, data []byte) (pieces []piece) {
	t.Helper()
	data, ok := bytes.CutPrefix(data, []byte(recordingMagic))
	if !ok {
		t.Fatal("not a recording")
	}
	for len(data) > 0 {
		n := binary.LittleEndian.Uint32(data[1:])
		pieces = append(pieces, piece{data[0], bytes.Clone(data[9 : 9+n])})
		data = data[9+n+4:]
	}
	return pieces
}

func putTogether(pieces []piece) []byte {
	sum := func(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
	b := []byte(recordingMagic)
	for _, p := range pieces {
		head := binary.LittleEndian.AppendUint32([]byte{p.kind}, uint32(len(p.payload)))
		b = append(b, binary.LittleEndian.AppendUint32(head, sum(head))...)
		b = append(append(b, p.payload...), binary.LittleEndian.AppendUint32(nil, sum(p.payload))...)
	}
	return b
}

// call is one call of a recording.
type call = history.Entry

// spoilCalls changes the numbers and the order of the calls in a chunk.
func spoilCalls(r *rand.Rand, payload []byte) []byte {
	var calls []call
	if decode(payload, &calls) != nil || len(calls) == 0 {
		return payload
	}
	for range 1 + r.IntN(5) {
		i, j := r.IntN(len(calls)), r.IntN(len(calls))
		c := &calls[i]
		switch r.IntN(10) {
		case 0:
			calls[i], calls[j] = calls[j], calls[i]
		case 1:
			c.Kind = history.Kind(r.IntN(6))
		case 2:
			c.Tick = []uint64{0, 1, c.Tick + 1, 1 << 40, ^uint64(0)}[r.IntN(5)]
		case 3:
			c.Dt = attack.Number(r)
		case 4:
			c.Units, c.StepUnits = r.Int64()-r.Int64(), r.Int64N(3)-1
		case 5:
			calls = append(calls[:i:i], append([]call{calls[j]}, calls[i:]...)...)
		case 6: // as a rollback does
			*c = call{Kind: 4, Tick: calls[j].Tick, Handles: []uint64{0, uint64(r.IntN(40)), 1<<63 - 1, 1<<63 + 1, ^uint64(0)}[r.IntN(5)]}
		default:
			if c.Command == nil {
				c.Command = &world.Command{}
			}
			wild := *c.Command
			n := uint64(r.IntN(30))
			switch r.IntN(5) {
			case 0:
				wild.Op += 1
			case 1:
				wild.Body, wild.Shape, wild.Joint = world.Body(n), world.Shape(n), world.Joint(n)
			case 2:
				wild.BodyDef, wild.ShapeDef, wild.JointDef = nil, nil, nil
			case 3:
				wild.V, wild.P = world.Vec{X: attack.Number(r), Y: attack.Number(r)}, world.Vec{X: attack.Number(r)}
				wild.X, wild.Y, wild.N = attack.Number(r), attack.Number(r), int32(r.Uint32())
			case 4:
				wild.Name, wild.Args = "nobody", make([]float64, r.IntN(3))
			}
			c.Command = &wild
		}
	}
	return encoded(calls)
}

// spoilShown changes pictures in the same way as spoilCalls changes calls.
func spoilShown(r *rand.Rand, payload []byte) []byte {
	var list []history.Shown
	if decode(payload, &list) != nil || len(list) == 0 {
		return payload
	}
	for range 1 + r.IntN(5) {
		i, j := r.IntN(len(list)), r.IntN(len(list))
		s := &list[i]
		switch r.IntN(9) {
		case 0:
			list[i], list[j] = list[j], list[i]
		case 1:
			s.Tick = []uint64{0, 1, s.Tick + 1, 1 << 40, ^uint64(0)}[r.IntN(5)]
		case 2:
			s.Dt = attack.Number(r)
		case 3:
			s.Slots = []int{-1, 0, s.Slots + 1, 1 << 21, math.MaxInt}[r.IntN(5)]
		case 4:
			s.States = attack.Bytes(r, s.States, list[j].States)
		case 5:
			s.Units, s.StepUnits = r.Int64()-r.Int64(), r.Int64N(3)-1
		case 6:
			s.Shifts = append(s.Shifts, shifted.Body{X: attack.Number(r), Y: attack.Number(r)})
		default:
			record := body2d.Structure{Kind: body2d.StructureKind(r.IntN(8)), Slot: int32(r.IntN(20)) - 1, ID: uint32(r.IntN(20))}
			if n := len(list[j].Structure); n > 0 && r.IntN(2) == 0 {
				record = list[j].Structure[r.IntN(n)]
			}
			record.Shape.N, record.Joint.SlotA = uint8(r.IntN(10)), int32(r.IntN(20))-2
			s.Structure = append(s.Structure[:len(s.Structure):len(s.Structure)], record)
			if r.IntN(3) == 0 {
				s.Structure = slices.Repeat(s.Structure, 1+r.IntN(3))
			}
		}
	}
	return encoded(list)
}

func spoilRecording(r *rand.Rand, data []byte, pieces []piece) []byte {
	if r.IntN(3) == 0 {
		return attack.Bytes(r, data, data)
	}
	p := append([]piece{}, pieces...)
	for range 1 + r.IntN(2) {
		i, j := r.IntN(len(p)), r.IntN(len(p))
		switch r.IntN(6) {
		case 0:
			p[i], p[j] = p[j], p[i]
		case 1:
			p = append(p[:i:i], append([]piece{p[j]}, p[i:]...)...)
		case 2:
			p[i].kind = "HSOPEX"[r.IntN(6)]
		case 3:
			p[i].payload = attack.Bytes(r, p[i].payload, p[j].payload)
		default:
			spoil := spoilCalls
			if p[i].kind == 'P' {
				spoil = spoilShown
			}
			p[i].payload = spoil(r, p[i].payload)
		}
	}
	return putTogether(p)
}

// Each recording is replayed to its end or to a tick that differs, or is
// refused with an error of one line. A changed recording never passes for the
// whole original recording, unless its checksums were computed again.
func TestAttackRecordings(t *testing.T) {
	a := attack.Start(t)
	type source struct {
		data  []byte
		setup func(*world.World) error
	}
	var sources []source
	for seed := range uint64(4) {
		data, _ := session(t, a.Seed+seed, 60+40*seed)
		sources = append(sources, source{data, stack})
		data, _ = sessionFrom(t, a.Seed+seed, 20+10*seed, 60+40*seed)
		sources = append(sources, source{data, stack})
	}
	for seed := range 2 {
		var file bytes.Buffer
		playArenaWith(t, engine.Config{
			Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}, History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{InMemory: true}, Record: &engine.RecordOptions{W: &file, From: uint64(50 * seed), States: true}},
		}, 3, 100, func(e *engine.Engine, tick uint64) {
			if tick == 90 {
				boxed, err := e.History().BlackBox()
				if err != nil {
					t.Fatal(err)
				}
				sources = append(sources, source{boxed, func(w *world.World) error { return new(arena).setup(w) }})
			}
		})
		sources = append(sources, source{file.Bytes(), func(w *world.World) error { return new(arena).setup(w) }})
	}
	e, every := recordEvery(t)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	sources = append(sources, source{every.Bytes(), everyDef})
	for r := range a.Rounds() {
		s := sources[r.IntN(len(sources))]
		spoilt, shown := spoilRecording(r, s.data, takeApart(t, s.data)), r.IntN(2) == 0
		a.Try("a recording", func() {
			rec, err := engine.ReadOptions{States: shown}.Read(bytes.NewReader(spoilt))
			if err != nil {
				a.Count("refused", 1)
				if strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
					t.Errorf("%q", err)
				}
				return
			}
			_, err = rec.Verify(s.setup)
			var m *engine.Mismatch
			var bug runtime.Error
			switch {
			case errors.As(err, &bug):
				t.Errorf("%v\n%s", err, stackOf(err))
			case err == nil && rec.States:
				a.Count("shown", 1)
			case err == nil:
				a.Count("replayed whole", 1)
			case errors.As(err, &m):
				a.Count("replayed to a difference", 1)
			default:
				a.Count("refused", 1)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
		})
		if t.Failed() {
			if err := os.WriteFile(filepath.Join(os.TempDir(), "finding.rec"), spoilt, 0o600); err != nil {
				t.Error(err)
			}
		}
	}
}
