package engine

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"halfstep/internal/norace"
	"halfstep/world"
)

// Each of these takes a byte or two for what becomes hundreds in memory.
func TestASmallFileIsNotReadIntoMuchMemory(t *testing.T) {
	norace.Only(t)
	const many = 1 << 20
	// As recordOp, of which an empty shape takes more bytes.
	type shape struct{ Name string }
	type body struct{ Shapes []shape }
	type command struct{ BodyDef *body }
	type op struct {
		Kind    opKind
		Command *command
	}
	points := &world.ShapeDef{Points: make([]world.Vec, many)}
	frames := []recordOp{{Kind: opBegin, Whole: 1e9}}
	commands := slices.Repeat([]recordOp{{Kind: opApply, Command: &world.Command{Op: 1}}}, many/8)
	header, err := encodeChunk(chunkHeader, small(t).header)
	if err != nil {
		t.Fatal(err)
	}
	header = slices.Clip(append([]byte(recordMagic), header...))
	for name, c := range map[string]struct {
		ops   any
		wants error
	}{
		"operations":           {make([]recordOp, many), errMemory},
		"operations, somewhat": {append(frames, make([]recordOp, many/2)...), errMemory},
		"shapes":               {[]op{{opApply, &command{&body{make([]shape, many)}}}}, errMemory},
		"points":               {[]recordOp{{Kind: opApply, Command: &world.Command{ShapeDef: points}}}, nil},
		"arguments":            {[]recordOp{{Kind: opApply, Command: &world.Command{Args: make([]float64, many)}}}, nil},
		"commands":             {commands, nil},
		"ends of frames":       {slices.Repeat([]struct{ Kind opKind }{{opEnd}}, many), errMemory},
	} {
		data := header
		chunk, err := encodeChunk(chunkOps, c.ops)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, chunk...) // it is cut before its end
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = ReadRecording(bytes.NewReader(data))
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

func TestARecordedWorldHasNoHigherLimitOfContactsThanItsReaderAllows(t *testing.T) {
	r := small(t)
	r.header.World.MaxContacts = world.DefaultMaxContacts + 1
	_, err := ReadRecording(bytes.NewReader(r.file(t)))
	if want := "the recorded world may hold 500001 contacts, more than 500000: ReadOptions.MaxContacts allows more"; err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
	if _, err := (ReadOptions{MaxContacts: 1e6}).Read(bytes.NewReader(r.file(t))); err != nil {
		t.Errorf("allowed: %v", err)
	}
	r.header.World.MaxContacts = math.MaxInt32
	if _, err := (ReadOptions{MaxContacts: math.MaxInt}).Read(bytes.NewReader(r.file(t))); !errors.Is(err, ErrCorrupt) {
		t.Errorf("more than any world may have: %v", err)
	}
}

// The snapshot's settings become the world's.
func TestASnapshotHasNoOtherLimitOfContactsThanItsRecording(t *testing.T) {
	var file bytes.Buffer
	e, err := New(Config{World: world.Config{MaxContacts: 400}, Time: Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	e.Step(3)
	if err := e.StartRecording(RecordOptions{W: &file}); err != nil {
		t.Fatal(err)
	}
	e.Step(3)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Verify(nil); err != nil {
		t.Fatal(err)
	}
	r.header.World.MaxContacts = 300
	if _, err := r.Verify(nil); err == nil || err.Error() != "replay: the snapshot's world may hold 400 contacts, the recording's 300" {
		t.Errorf("error %v", err)
	}
}
