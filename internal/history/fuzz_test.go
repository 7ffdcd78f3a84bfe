package history

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"runtime"
	"strings"
	"testing"

	"halfstep/world"
)

// sealed returns data with every checksum corrected, so that the changes of a
// fuzzer are not refused because of a checksum.
func sealed(data []byte) []byte {
	data = bytes.Clone(data)
	for at := len(Magic); at+headSize+4 <= len(data); {
		head := data[at : at+headSize]
		n := min(int(binary.LittleEndian.Uint32(head[1:])), len(data)-at-headSize-4)
		binary.LittleEndian.PutUint32(head[1:], uint32(n))
		binary.LittleEndian.PutUint32(head[5:], crc32.Checksum(head[:5], castagnoli))
		at += headSize + n
		binary.LittleEndian.PutUint32(data[at:], crc32.Checksum(data[at-n:at], castagnoli))
		at += 4
	}
	return data
}

// A recording that can be read can also be replayed, or is refused with an
// error of one line. It takes memory in proportion to its bytes.
func FuzzReadRecording(f *testing.F) {
	f.Add([]byte(nil), false)
	for _, data := range odd(f) {
		f.Add(data, false)
		f.Add(data, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, seal bool) {
		if len(data) > 1<<16 {
			return
		}
		if seal {
			data = sealed(data)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := read(bytes.NewReader(data))
		runtime.ReadMemStats(&after)
		// A value of one byte may mean a definition with all its fields, and a slice
		// grows by a factor of two.
		if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20+1000*uint64(len(data)) {
			t.Errorf("%d bytes were allocated for a file of %d", n, len(data))
		}
		if err == nil && r.Ticks < 50 && len(r.Entries) < 1000 {
			err = r.verify(nothing)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\r\n") {
			t.Errorf("%q", err)
		}
	})
}

// odd returns a complete recording, and some that no recorder writes.
func odd(t testing.TB) [][]byte {
	header := small(t).Header
	far := header
	far.World.VelocityIterations = math.MaxInt32
	shapes := &world.BodyDef{Shapes: make([]world.ShapeDef, 500)}
	begun := append([]byte(Magic), chunk(t, chunkHeader, header)...)
	with := func(chunks ...[]byte) []byte { return bytes.Join(append([][]byte{begun}, chunks...), nil) }
	end := func(ticks uint64) []byte { return chunk(t, chunkEnd, Ending{Ticks: ticks}) }
	return [][]byte{
		small(t).bytes(t), begun, with(end(0)), with(end(0), end(0)), with(longChunk(1 << 30)), with(longChunk(math.MaxUint32)), with(make([]byte, 64)),
		with(chunk(t, chunkEntries, []Entry{{Kind: Step, Tick: 1, Dt: math.NaN()}}), end(1)),
		with(chunk(t, chunkEntries, []Entry{{Kind: Step, Tick: 2, Dt: .1}}), end(2)),
		with(chunk(t, chunkEntries, []Entry{{Kind: Apply, Command: &world.Command{Op: 1, Body: 7, BodyDef: shapes}}}), end(0)),
		append([]byte(Magic), chunk(t, chunkHeader, far)...),
	}
}

func chunk(t testing.TB, kind byte, v any) []byte {
	c, err := encodeChunk(kind, v)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
