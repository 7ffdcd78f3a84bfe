package engine

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/internal/history"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// These are the numbers of commands in the form in which recordings store them.
const (
	opCreateBody   = 1
	opCreateShape  = 3
	opCreateJoint  = 5
	opImpulse      = 10
	opSetKind      = 16
	opSetSmoothing = 23
	opDo           = 29
)

// small returns a recording of three ticks, split into its parts.
func small(t testing.TB) *Recording {
	t.Helper()
	var file bytes.Buffer
	e, err := New(Config{Time: Time{Simulated: true}, History: HistoryOptions{Record: &RecordOptions{W: &file}}})
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

// bytes returns the recording as a file with correct checksums, whatever the content is.
func (r *Recording) bytes(t testing.TB) []byte {
	t.Helper()
	data, err := r.file.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (r *Recording) first(kind history.Kind) *history.Entry {
	for i := range r.file.Entries {
		if r.file.Entries[i].Kind == kind {
			return &r.file.Entries[i]
		}
	}
	panic("none")
}

func TestARecordingThatNoRecorderWritesIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(r *Recording){
		"velocity iterations": func(r *Recording) { r.file.Header.World.VelocityIterations = math.MaxInt32 },
		"position iterations": func(r *Recording) { r.file.Header.World.PositionIterations = math.MaxInt32 },
		"sub-steps":           func(r *Recording) { r.file.Header.World.SubSteps = math.MaxInt32 },
		"contacts":            func(r *Recording) { r.file.Header.World.MaxContacts = math.MaxInt32 },
		"handles":             func(r *Recording) { op := r.first(history.End); op.Kind, op.Handles = history.Back, 1<<63-1 },
		"negative iterations": func(r *Recording) { r.file.Header.World.PositionIterations = -1 },
		"gravity":             func(r *Recording) { r.file.Header.World.Gravity.X = math.NaN() },
		"no rate":             func(r *Recording) { r.file.Header.Rate = clock.Rate{} },
		"quick rate":          func(r *Recording) { r.file.Header.Rate = clock.Hz(1 << 40) },
		"slow rate":           func(r *Recording) { r.file.Header.Rate = clock.Rate{Num: 1, Den: 1_000_000} },
		"beginning":           func(r *Recording) { r.file.Header.Begins = 4 },
		"step of NaN":         func(r *Recording) { r.first(history.Step).Dt = math.NaN() },
		"step of nothing":     func(r *Recording) { r.first(history.Step).Dt = 0 },
		"step of an age":      func(r *Recording) { r.first(history.Step).Dt = 1e9 },
		"carry":               func(r *Recording) { r.first(history.Begin).Units = 1 << 40 },
		"negative carry":      func(r *Recording) { r.first(history.Begin).Units = -1 },
		"order of steps":      func(r *Recording) { r.first(history.Step).Tick = 7 },
		"order of commands":   func(r *Recording) { r.first(history.Apply).Tick = 1 << 63 },
		"order of frames":     func(r *Recording) { r.first(history.End).Tick = 1 << 63 },
		"no command":          func(r *Recording) { r.first(history.Apply).Command = nil },
		"kind":                func(r *Recording) { r.first(history.End).Kind = 9 },
		"ticks":               func(r *Recording) { r.file.Ending.Ticks = 1 << 40 },
	} {
		r := small(t)
		spoil(r)
		_, err := ReadRecording(bytes.NewReader(r.bytes(t)))
		if err == nil || strings.Contains(err.Error(), "\n") || !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := ReadRecording(bytes.NewReader(small(t).bytes(t))); err != nil {
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
		at := slices.IndexFunc(r.file.Entries, func(op history.Entry) bool { return op.Kind == history.Step })
		r.file.Entries = slices.Insert(r.file.Entries, at, history.Entry{Kind: history.Apply, Command: &c})
		r, err := ReadRecording(bytes.NewReader(r.bytes(t)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if hash, err := r.Verify(nil); err != nil || hash != r.FinalHash() {
			t.Errorf("%s: it changed the world: %v", name, err)
		}
	}
}

// A named function may rely on its arguments, but the arguments in a file may be wrong.
func TestAPanicOfANamedFunctionIsAnErrorOfVerify(t *testing.T) {
	call := history.Entry{Kind: history.Apply, Command: &world.Command{Op: opDo, Name: "first"}}
	setup := func(w *world.World) error {
		w.Register("first", func(_ *world.World, args []float64) { _ = args[0] })
		return nil
	}
	before, after := small(t), small(t)
	before.file.Entries = slices.Insert(before.file.Entries, 0, call)
	after.file.Entries = append(after.file.Entries, call)
	for when, r := range map[string]*Recording{"before a step": before, "after the last": after} {
		_, err := r.Verify(setup)
		var f *buffer.Failure
		if !errors.As(err, &f) || !strings.Contains(err.Error(), "index out of range") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", when, err)
		}
	}
}

func TestARecordedWorldHasNoHigherLimitOfContactsThanItsReaderAllows(t *testing.T) {
	r := small(t)
	r.file.Header.World.MaxContacts = world.DefaultMaxContacts + 1
	_, err := ReadRecording(bytes.NewReader(r.bytes(t)))
	if want := "the recorded world may hold 500001 contacts, more than 500000: ReadOptions.MaxContacts allows more"; err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
	if _, err := (ReadOptions{MaxContacts: 1e6}).Read(bytes.NewReader(r.bytes(t))); err != nil {
		t.Errorf("allowed: %v", err)
	}
	r.file.Header.World.MaxContacts = math.MaxInt32
	if _, err := (ReadOptions{MaxContacts: math.MaxInt}).Read(bytes.NewReader(r.bytes(t))); !errors.Is(err, ErrCorrupt) {
		t.Errorf("more than any world may have: %v", err)
	}
}

// The settings in the snapshot become those of the world.
func TestASnapshotHasNoOtherLimitOfContactsThanItsRecording(t *testing.T) {
	var file bytes.Buffer
	e, err := New(Config{World: world.Config{MaxContacts: 400}, Time: Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	e.Step(3)
	if err := e.History().StartRecording(RecordOptions{W: &file}); err != nil {
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
	r.file.Header.World.MaxContacts = 300
	if _, err := r.Verify(nil); err == nil || err.Error() != "replay: the snapshot's world may hold 400 contacts, the recording's 300" {
		t.Errorf("error %v", err)
	}
}

func TestASoftRecordingOfAnotherMethodIsRefusedInOneLine(t *testing.T) {
	here := world.SoftStep.Method()
	for _, method := range []int{here, here + 1} {
		r := small(t)
		r.file.Header.World.Stepper, r.file.Header.World.SubSteps, r.file.Header.Method = world.SoftStep, 4, method
		_, err := ReadRecording(bytes.NewReader(r.bytes(t)))
		want := fmt.Sprintf("the recording was made by method %d of the soft stepper; this build has method %d", method, here)
		if method == here && err != nil || method != here && fmt.Sprint(err) != want {
			t.Errorf("method %d: %v", method, err)
		}
	}
	if way := world.FastStep; way.Method() != 1 {
		t.Errorf("%v has method %d, but its recordings replay for ever", way, way.Method())
	}
}
