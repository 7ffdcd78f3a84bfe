package history

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"halfstep/test/norace"
)

// counted counts the bytes taken.
type counted struct {
	from io.Reader
	n    int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

// forever repeats some bytes.
type forever struct {
	b  []byte
	at int
}

func (f *forever) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = f.b[f.at]
		f.at = (f.at + 1) % len(f.b)
	}
	return len(p), nil
}

func TestReadingEndsHoweverLongTheReader(t *testing.T) {
	norace.Only(t)
	zeros := &forever{b: []byte{0}}
	header, err := encodeChunk(chunkHeader, small(t).Header)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := encodeChunk(chunkEntries, []Entry(nil))
	if err != nil {
		t.Fatal(err)
	}
	begun := io.MultiReader(strings.NewReader(Magic), bytes.NewReader(header))
	for name, c := range map[string]struct {
		from  io.Reader
		most  int64
		wants string
	}{
		"zeros":         {zeros, 1 << 17, "not a halfstep recording"},
		"magic, zeros":  {io.MultiReader(strings.NewReader(Magic), zeros), maxTorn + 1<<17, "corrupt"},
		"chunks":        {io.MultiReader(begun, &forever{b: empty}), 3 << 20, "too large"},
		"no such chunk": {io.MultiReader(strings.NewReader(Magic), bytes.NewReader(longChunk(math.MaxUint32)), zeros), 1 << 17, "corrupt"},
	} {
		limit(t, 2<<20)
		from := &counted{from: c.from}
		_, err := read(from)
		if err == nil || !strings.Contains(err.Error(), c.wants) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if from.n > c.most {
			t.Errorf("%s: %d bytes were read", name, from.n)
		}
	}
}

// longChunk is a chunk's header that announces n bytes.
func longChunk(n uint32) []byte {
	head := binary.LittleEndian.AppendUint32([]byte{chunkEntries}, n)
	return binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
}

func TestAnAnnouncedLengthTakesNoMemory(t *testing.T) {
	header, err := encodeChunk(chunkHeader, small(t).Header)
	if err != nil {
		t.Fatal(err)
	}
	data := append(append([]byte(Magic), header...), longChunk(maxChunk)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := read(bytes.NewReader(data))
	runtime.ReadMemStats(&after)
	if err != nil || !r.Cut {
		t.Errorf("cut %v: %v", r != nil && r.Cut, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("%d bytes were allocated for a file of %d", n, len(data))
	}
}

func TestValuesThatLieTooDeepInEachOtherAreRefused(t *testing.T) {
	type nest struct{ In *nest }
	type slices []slices
	type maps map[int]maps
	deep, within := &nest{}, slices{}
	for range 2 * maxDepth {
		deep, within = &nest{deep}, slices{within}
	}
	for name, v := range map[string]any{
		"nest":   struct{ Nest *nest }{deep},
		"slices": struct{ S slices }{within},
		"maps":   struct{ M maps }{maps{1: {}}},
	} {
		chunk, err := encodeChunk(chunkHeader, v)
		if err != nil {
			t.Fatal(err)
		}
		_, err = read(io.MultiReader(strings.NewReader(Magic), bytes.NewReader(chunk)))
		if !errors.Is(err, errTypes) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What gob says repeats names that it has read.
func TestTheErrorAboutACorruptRecordingIsOneShortLine(t *testing.T) {
	type recorXHeader struct{ Scene, Data string } // Data is bytes in ours
	var payload bytes.Buffer
	if err := gob.NewEncoder(&payload).Encode(recorXHeader{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	spoilt := bytes.ReplaceAll(payload.Bytes(), []byte("recorX"), []byte("reco\n\x1b"))
	err := new(chunkReader).decode(spoilt, new(Header))
	if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "wrong type") || strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("%q", err)
	}
	if got := oneLine(strings.Repeat("x", 9999)); len(got) > 210 {
		t.Errorf("%d bytes", len(got))
	}
}
