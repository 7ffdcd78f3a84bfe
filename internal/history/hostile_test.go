package history

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"halfstep/test/norace"
	"halfstep/world"
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

// longChunk returns the header of a chunk that announces n bytes.
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

func TestARecordingOfAnotherVersionIsRefusedInOneLine(t *testing.T) {
	other := small(t).Header
	other.Layout++
	chunk, err := encodeChunk(chunkHeader, other)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"whole": chunk, "with fields that are not known": later(t, chunk)} {
		_, err := read(io.MultiReader(strings.NewReader(Magic), bytes.NewReader(data)))
		if fmt.Sprint(err) != "the recording was made by another version of halfstep" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// later returns the chunk with one more field after the last field.
func later(t *testing.T, chunk []byte) []byte {
	t.Helper()
	payload := append(chunk[headSize:len(chunk)-5:len(chunk)-5], 99, 1, 0)
	out := binary.LittleEndian.AppendUint32([]byte{chunkHeader}, uint32(len(payload)))
	out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli))
	out = append(out, payload...)
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(payload, castagnoli))
}

func TestMomentsThatNoRunKeepsAreRefused(t *testing.T) {
	one := Coded{Number: 3, Length: 5, Code: []byte("\x05abcde\x00")}
	for what, list := range map[string][]Coded{
		"a number below 0": {{Number: -1}}, "a number too high": {{Number: world.MaxSnapshots}}, "a number twice": {one, one},
		"a length below 0": {{Length: -1}}, "a length of much more than the file": {{Length: 1 << 30}},
	} {
		if checkCoded(list, 1000) == nil {
			t.Errorf("%s is taken", what)
		}
	}
	if err := checkCoded([]Coded{one}, 1000); err != nil {
		t.Error(err)
	}
	if _, err := decoded([]Coded{{Number: 3, Length: 6, Code: one.Code}}, nil).snapshots[3].read(); err == nil {
		t.Error("a code of fewer bytes is read")
	}
}
