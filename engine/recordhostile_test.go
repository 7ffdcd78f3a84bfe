package engine

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/internal/norace"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// The numbers of commands, as recordings store them.
const (
	opCreateBody   = 1
	opCreateShape  = 3
	opCreateJoint  = 5
	opImpulse      = 10
	opSetKind      = 16
	opSetSmoothing = 23
	opDo           = 29
)

// small is a recording of three ticks, taken apart.
func small(t testing.TB) *Recording {
	t.Helper()
	var file bytes.Buffer
	e, err := New(Config{Time: Time{Simulated: true}, Record: &RecordOptions{W: &file}})
	if err != nil {
		t.Fatal(err)
	}
	e.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(1)}})
	e.Advance(time.Second / 20)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// file is the recording as a file whose checksums are right, whatever it says.
func (r *Recording) file(t testing.TB) []byte {
	t.Helper()
	data := []byte(recordMagic)
	for _, c := range []struct {
		kind byte
		v    any
	}{{chunkHeader, r.header}, {chunkOps, r.ops}, {chunkEnd, r.end}} {
		b, err := encodeChunk(c.kind, c.v)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, b...)
	}
	return data
}

func (r *Recording) first(kind opKind) *recordOp {
	for i := range r.ops {
		if r.ops[i].Kind == kind {
			return &r.ops[i]
		}
	}
	panic("none")
}

func TestARecordingThatNoRecorderWritesIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(r *Recording){
		"velocity iterations": func(r *Recording) { r.header.World.VelocityIterations = math.MaxInt32 },
		"position iterations": func(r *Recording) { r.header.World.PositionIterations = math.MaxInt32 },
		"sub-steps":           func(r *Recording) { r.header.World.SoftSubSteps = math.MaxInt32 },
		"contacts":            func(r *Recording) { r.header.World.MaxContacts = math.MaxInt32 },
		"handles":             func(r *Recording) { op := r.first(opEnd); op.Kind, op.Made = opBack, 1<<63-1 },
		"negative iterations": func(r *Recording) { r.header.World.PositionIterations = -1 },
		"gravity":             func(r *Recording) { r.header.World.Gravity.X = math.NaN() },
		"no rate":             func(r *Recording) { r.header.Rate = clock.Rate{} },
		"quick rate":          func(r *Recording) { r.header.Rate = clock.Hz(1 << 40) },
		"slow rate":           func(r *Recording) { r.header.Rate = clock.Rate{Num: 1, Den: 1_000_000} },
		"version":             func(r *Recording) { r.header.Version = 4 },
		"step of NaN":         func(r *Recording) { r.first(opStep).Dt = math.NaN() },
		"step of nothing":     func(r *Recording) { r.first(opStep).Dt = 0 },
		"step of an age":      func(r *Recording) { r.first(opStep).Dt = 1e9 },
		"carry":               func(r *Recording) { r.first(opBegin).Carry = 1 << 40 },
		"negative carry":      func(r *Recording) { r.first(opBegin).Carry = -1 },
		"order of steps":      func(r *Recording) { r.first(opStep).Tick = 7 },
		"order of commands":   func(r *Recording) { r.first(opApply).Tick = 1 << 63 },
		"order of frames":     func(r *Recording) { r.first(opEnd).Tick = 1 << 63 },
		"no command":          func(r *Recording) { r.first(opApply).Command = nil },
		"kind":                func(r *Recording) { r.first(opEnd).Kind = 9 },
		"ticks":               func(r *Recording) { r.end.Ticks = 1 << 40 },
	} {
		r := small(t)
		spoil(r)
		_, err := ReadRecording(bytes.NewReader(r.file(t)))
		if err == nil || strings.Contains(err.Error(), "\n") || name != "version" && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := ReadRecording(bytes.NewReader(small(t).file(t))); err != nil {
		t.Errorf("unspoilt: %v", err)
	}
}

func TestACommandThatNoEngineGivesChangesNothingInAReplay(t *testing.T) {
	many := make([]world.Vec, 100_000)
	for name, c := range map[string]world.Command{
		"operation":    {Op: 200},
		"no body":      {Op: opCreateBody, Body: 9},
		"no shape":     {Op: opCreateShape, Body: 1, Shape: 9},
		"no joint":     {Op: opCreateJoint, Joint: 9},
		"name":         {Op: opCreateBody, Body: 1 << 63, BodyDef: &world.BodyDef{}},
		"polygon":      {Op: opCreateShape, Body: 1, Shape: 9, ShapeDef: &world.ShapeDef{Kind: world.PolygonShape, Points: many}},
		"no points":    {Op: opCreateShape, Body: 1, Shape: 9, ShapeDef: &world.ShapeDef{}},
		"shape kind":   {Op: opCreateShape, Body: 1, Shape: 9, ShapeDef: &world.ShapeDef{Kind: 99, Points: many}},
		"joint kind":   {Op: opCreateJoint, Joint: 9, JointDef: &world.JointDef{Kind: 99, A: 1, B: 1}},
		"body kind":    {Op: opCreateBody, Body: 9, BodyDef: &world.BodyDef{Kind: 99}},
		"set kind":     {Op: opSetKind, Body: 1, N: math.MaxInt32},
		"smoothing":    {Op: opSetSmoothing, Body: 1, N: math.MaxInt32},
		"not a number": {Op: opImpulse, Body: 1, V: world.Vec{X: math.NaN()}},
		"closure":      {Op: opDo},
	} {
		r := small(t)
		at := slices.IndexFunc(r.ops, func(op recordOp) bool { return op.Kind == opStep })
		r.ops = slices.Insert(r.ops, at, recordOp{Kind: opApply, Command: &c})
		r, err := ReadRecording(bytes.NewReader(r.file(t)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if hash, err := r.Verify(nil); err != nil || hash != r.FinalHash() {
			t.Errorf("%s: it changed the world: %v", name, err)
		}
	}
}

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

// A named function may trust its arguments, which a file need not hold.
func TestAPanicOfANamedFunctionIsAnErrorOfVerify(t *testing.T) {
	call := recordOp{Kind: opApply, Command: &world.Command{Op: opDo, Name: "first"}}
	setup := func(w *world.World) error {
		w.Register("first", func(_ *world.World, args []float64) { _ = args[0] })
		return nil
	}
	before, after := small(t), small(t)
	before.ops = slices.Insert(before.ops, 0, call)
	after.ops = append(after.ops, call)
	for when, r := range map[string]*Recording{"before a step": before, "after the last": after} {
		_, err := r.Verify(setup)
		var f *buffer.Failure
		if !errors.As(err, &f) || !strings.Contains(err.Error(), "index out of range") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", when, err)
		}
	}
}

func TestReadingEndsHoweverLongTheReader(t *testing.T) {
	norace.Only(t)
	zeros := &forever{b: []byte{0}}
	header, err := encodeChunk(chunkHeader, small(t).header)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := encodeChunk(chunkOps, []recordOp(nil))
	if err != nil {
		t.Fatal(err)
	}
	begun := io.MultiReader(strings.NewReader(recordMagic), bytes.NewReader(header))
	for name, c := range map[string]struct {
		from  io.Reader
		most  int64
		wants string
	}{
		"zeros":         {zeros, 1 << 17, "not a halfstep recording"},
		"magic, zeros":  {io.MultiReader(strings.NewReader(recordMagic), zeros), maxTorn + 1<<17, "corrupt"},
		"chunks":        {io.MultiReader(begun, &forever{b: empty}), 3 << 20, "too large"},
		"no such chunk": {io.MultiReader(strings.NewReader(recordMagic), bytes.NewReader(longChunk(math.MaxUint32)), zeros), 1 << 17, "corrupt"},
	} {
		LimitRecording(t, 2<<20)
		from := &counted{from: c.from}
		_, err := ReadRecording(from)
		if err == nil || !strings.Contains(err.Error(), c.wants) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if from.n > c.most {
			t.Errorf("%s: %d bytes were read", name, from.n)
		}
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		if _, err := OpenRecording("/dev/zero"); err == nil || !strings.Contains(err.Error(), "/dev/zero: not a halfstep recording") {
			t.Errorf("/dev/zero: %v", err)
		}
	}
}

// longChunk is a chunk's header that announces n bytes.
func longChunk(n uint32) []byte {
	head := binary.LittleEndian.AppendUint32([]byte{chunkOps}, n)
	return binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
}

func TestAnAnnouncedLengthTakesNoMemory(t *testing.T) {
	header, err := encodeChunk(chunkHeader, small(t).header)
	if err != nil {
		t.Fatal(err)
	}
	data := append(append([]byte(recordMagic), header...), longChunk(maxChunk)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := ReadRecording(bytes.NewReader(data))
	runtime.ReadMemStats(&after)
	if err != nil || !r.Cut {
		t.Errorf("cut %v: %v", r != nil && r.Cut, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("%d bytes were allocated for a file of %d", n, len(data))
	}
}

func TestATypeThatContainsItselfIsRefused(t *testing.T) {
	type nest struct{ In *nest }
	type slices []slices
	type maps map[int]maps
	for name, v := range map[string]any{
		"nest":   struct{ Nest *nest }{&nest{}},
		"slices": struct{ S slices }{slices{{}}},
		"maps":   struct{ M maps }{maps{1: {}}},
	} {
		chunk, err := encodeChunk(chunkHeader, v)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ReadRecording(io.MultiReader(strings.NewReader(recordMagic), bytes.NewReader(chunk)))
		if !errors.Is(err, errTypes) {
			t.Errorf("%s: %v", name, err)
		}
		// Nor does it pass behind definitions that were checked before.
		fine, err := encodeChunk(chunkHeader, recordHeader{})
		if err != nil {
			t.Fatal(err)
		}
		c := newChunkReader(nil)
		if err := c.decode(fine[headLen:len(fine)-4], new(recordHeader)); err != nil {
			t.Fatal(err)
		}
		if err := c.decode(append(bytes.Clone(c.types), chunk[headLen:len(chunk)-4]...), new(recordHeader)); !errors.Is(err, errTypes) {
			t.Errorf("%s, behind others: %v", name, err)
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
	err := new(chunkReader).decode(spoilt, new(recordHeader))
	if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "wrong type") || strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("%q", err)
	}
	if got := oneLine(strings.Repeat("x", 9999)); len(got) > 210 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestASoftRecordingOfAnotherMethodIsRefusedInOneLine(t *testing.T) {
	here := world.SoftStep.Method()
	for method, made := range map[int]int{here: here, 0: 1, here + 1: here + 1} {
		r := small(t)
		r.header.World.SoftSubSteps, r.header.World.SoftMethod = 4, method
		_, err := ReadRecording(bytes.NewReader(r.file(t)))
		want := fmt.Sprintf("the recording was made by method %d of the soft stepper; this build has method %d", made, here)
		if made == here && err != nil || made != here && fmt.Sprint(err) != want {
			t.Errorf("method %d: %v", method, err)
		}
	}
	for _, way := range [...]world.Stepper{world.FastStep, world.StockStep} {
		if way.Method() != 1 {
			t.Errorf("%v has method %d, but its recordings replay for ever", way, way.Method())
		}
	}
}
