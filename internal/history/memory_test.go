package history

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"halfstep/internal/binenc"
	"halfstep/test/norace"
	"halfstep/world"
)

// Each of these files has only a byte or two for hundreds of bytes in memory.
func TestASmallFileIsNotReadIntoMuchMemory(t *testing.T) {
	norace.Only(t)
	const many = 1 << 20
	shapes := &world.BodyDef{Shapes: make([]world.ShapeDef, many)}
	points := &world.ShapeDef{Points: make([]world.Vec, many)}
	frames := []Entry{{Kind: Begin, StepUnits: 1e9}}
	commands := slices.Repeat([]Entry{{Kind: Apply, Command: &world.Command{Op: 1}}}, many/8)
	header, err := encodeChunk(chunkHeader, small(t).Header)
	if err != nil {
		t.Fatal(err)
	}
	header = slices.Clip(append([]byte(Magic), header...))
	for name, c := range map[string]struct {
		ops   []Entry
		wants error
	}{
		"operations":           {make([]Entry, many), binenc.ErrMemory},
		"operations, somewhat": {append(frames, make([]Entry, many/2)...), binenc.ErrMemory},
		"shapes":               {[]Entry{{Kind: Apply, Command: &world.Command{BodyDef: shapes}}}, binenc.ErrMemory},
		"points":               {[]Entry{{Kind: Apply, Command: &world.Command{ShapeDef: points}}}, nil},
		"arguments":            {[]Entry{{Kind: Apply, Command: &world.Command{Args: make([]float64, many)}}}, nil},
		"commands":             {commands, nil},
		"ends of frames":       {slices.Repeat([]Entry{{}}, many), binenc.ErrMemory},
	} {
		data := header
		chunk, err := encodeChunk(chunkEntries, c.ops)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, chunk...) // the chunk is cut off before its end
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = read(bytes.NewReader(data))
		runtime.ReadMemStats(&after)
		if !errors.Is(err, c.wants) || err != nil && (!errors.Is(err, ErrCorrupt) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: error %v", name, err)
		}
		took := int(after.TotalAlloc - before.TotalAlloc)
		if t.Logf("%s: %d bytes, %d for each", name, len(data), took/len(data)); took > 100*len(data) {
			t.Errorf("%s: a file of %d bytes takes %d", name, len(data), took)
		}
	}
}
