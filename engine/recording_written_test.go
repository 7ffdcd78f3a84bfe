package engine_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

// writerFunc is a writer made of a function.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// after returns a writer that accepts a number of writes. It then fails in the way that the function fail does.
func after(writes int, fail func(p []byte) (int, error)) (io.Writer, *bytes.Buffer) {
	kept := &bytes.Buffer{}
	return writerFunc(func(p []byte) (int, error) {
		if writes--; writes < 0 {
			return fail(p)
		}
		return kept.Write(p)
	}), kept
}

// soon fails the test if f does not return within some seconds.
func soon(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		buf := make([]byte, 1<<16)
		t.Fatalf("%s hangs\n%s", what, buf[:runtime.Stack(buf, true)])
	}
}

// recordTo returns an engine that records.
func recordTo(t *testing.T, o engine.RecordOptions) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &o}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

var errDisk = errors.New("the disk is full")

// bad returns the ways in which writers fail, with a word of each error.
func bad(kept *bytes.Buffer) map[string]func(p []byte) (int, error) {
	return map[string]func(p []byte) (int, error){
		"disk is full":  func(p []byte) (int, error) { n, _ := kept.Write(p[:len(p)/2]); return n, errDisk },
		"short write: ": func(p []byte) (int, error) { return kept.Write(p[:len(p)-1]) },
		": 0 of ":       func([]byte) (int, error) { return 0, nil },
		": -1 of ":      func([]byte) (int, error) { return -1, nil },
		"panicked: ow":  func([]byte) (int, error) { panic("ow") },
		"goroutine":     func([]byte) (int, error) { runtime.Goexit(); return 0, nil },
	}
}

func TestAWriterThatFailsEndsTheRecordingAlone(t *testing.T) {
	engine.FlushEvery(t, time.Millisecond)
	for _, writes := range []int{1, 2, 3} {
		var kept *bytes.Buffer
		for word := range bad(nil) {
			kept = &bytes.Buffer{}
			fail := bad(kept)[word]
			said := make(chan error, 2)
			writing := make(chan struct{})
			n := 0
			e := recordTo(t, engine.RecordOptions{
				W: writerFunc(func(p []byte) (int, error) {
					if n++; n == 2 { // the first write is the header
						close(writing)
					}
					if n > writes {
						return fail(p)
					}
					return kept.Write(p)
				}),
				OnError: func(err error) { said <- err },
			})
			steps := func(to uint64) {
				for e.View().Tick < to {
					e.Advance(time.Second / 60)
				}
			}
			steps(5)
			soon(t, "the first chunk", func() { <-writing }) // there are then four writes: the header, two chunks, and the end
			steps(20)
			var err error
			soon(t, "Close", func() { err = e.Close() })
			if err == nil || !strings.Contains(err.Error(), word) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q after %d writes: Close says %v", word, writes, err)
			}
			if again := e.Close(); again != err {
				t.Errorf("%q: Close says %v the second time", word, again)
			}
			if f := e.Failure(); f != nil {
				t.Errorf("%q: physics failed: %v", word, f)
			}
			// Close waits for OnError only if the recording ended during the call of Close.
			soon(t, "OnError", func() {
				if told := <-said; told != err || len(said) != 0 {
					t.Errorf("%q: OnError was told %v, and %d more", word, told, len(said))
				}
			})
			r := read(t, kept.Bytes())
			if _, err := r.Verify(stack); err != nil || !r.Cut {
				t.Errorf("%q: what was written: cut %v, %v", word, r.Cut, err)
			}
		}
	}
}

func TestAWriterThatFailsAtOnceIsAnErrorOfNew(t *testing.T) {
	for word, fail := range bad(&bytes.Buffer{}) {
		if word == "goroutine" {
			continue // this error is the caller's own
		}
		_, err := engine.New(engine.Config{History: engine.HistoryOptions{Record: &engine.RecordOptions{W: writerFunc(fail)}}})
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q: %v", word, err)
		}
	}
	if _, err := engine.New(engine.Config{History: engine.HistoryOptions{Record: &engine.RecordOptions{}}}); err == nil {
		t.Error("no writer is taken for one")
	}
	if _, err := engine.New(engine.Config{History: engine.HistoryOptions{Record: &engine.RecordOptions{W: (*bytes.Buffer)(nil)}}}); err == nil {
		t.Error("a nil buffer is taken for a writer")
	}
}

func TestCloseInsideOnErrorReturns(t *testing.T) {
	for _, at := range []string{"a chunk", "the end", "a closure"} {
		t.Run(at, func(t *testing.T) {
			if at == "a chunk" {
				engine.FlushEvery(t, time.Millisecond)
			}
			var e *engine.Engine
			var inside error
			closed := make(chan struct{})
			w, _ := after(1, func([]byte) (int, error) { return 0, errDisk })
			if at == "a closure" {
				w = &bytes.Buffer{}
			}
			e = recordTo(t, engine.RecordOptions{
				W: w, CloseTimeout: time.Hour,
				OnError: func(error) { inside = e.Close(); close(closed) },
			})
			soon(t, "Close inside OnError", func() {
				e.Advance(time.Second / 20)
				switch at {
				case "a chunk":
					<-closed
				case "a closure":
					e.Do(func(*world.World) {})
				}
				if err := e.Close(); err == nil {
					t.Error("Close says nothing")
				}
				<-closed
			})
			if inside == nil {
				t.Error("Close inside OnError says nothing")
			}
		})
	}
}

func TestAPanicInOnErrorIsInClosesError(t *testing.T) {
	for _, at := range []string{"a write", "a closure"} {
		var file bytes.Buffer
		w := io.Writer(&file)
		if at == "a write" {
			w, _ = after(1, func([]byte) (int, error) { return 0, errDisk })
		}
		e := recordTo(t, engine.RecordOptions{W: w, OnError: func(error) { panic("ow") }})
		e.Advance(time.Second / 20)
		if at == "a closure" {
			e.Do(func(*world.World) {})
		}
		var err error
		soon(t, "Close", func() { err = e.Close() })
		if err == nil || !strings.Contains(err.Error(), "OnError panicked: ow") {
			t.Errorf("%s: %v", at, err)
		}
	}
}

func TestCloseGivesUpOnAWriterThatBlocks(t *testing.T) {
	engine.FlushEvery(t, time.Millisecond)
	let, blocked := make(chan struct{}), make(chan struct{})
	writes := 0
	w, kept := after(1, func(p []byte) (int, error) {
		if writes++; writes == 1 {
			close(blocked)
			<-let
		}
		return len(p), nil
	})
	e := recordTo(t, engine.RecordOptions{W: w, CloseTimeout: time.Millisecond, OnError: func(error) {}})
	e.Advance(time.Second / 20)
	<-blocked
	e.Advance(time.Second / 20) // something more to write
	var err error
	soon(t, "Close", func() { err = e.Close() })
	if err == nil || !strings.Contains(err.Error(), "has not returned for 1ms") {
		t.Errorf("Close says %v", err)
	}
	close(let)
	<-e.Written()
	if writes != 1 {
		t.Errorf("%d writes after Close", writes-1)
	}
	if r := read(t, kept.Bytes()); !r.Cut || r.Ticks != 0 {
		t.Errorf("%d ticks, cut %v", r.Ticks, r.Cut)
	}
}

func TestAWriterThatFallsTooFarBehindEndsTheRecording(t *testing.T) {
	engine.LimitBacklog(t, 10_000)
	let := make(chan struct{})
	blocked := false
	var file bytes.Buffer
	e := recordTo(t, engine.RecordOptions{W: writerFunc(func(p []byte) (int, error) {
		if blocked {
			<-let
		}
		blocked = true
		return file.Write(p)
	}), OnError: func(error) {}})
	for e.View().Tick < 100 { // physics goes on
		e.Advance(time.Second / 60)
	}
	close(let)
	if err := e.Close(); err == nil || !strings.Contains(err.Error(), "behind") {
		t.Errorf("Close says %v", err)
	}
	r := read(t, file.Bytes())
	if _, err := r.Verify(stack); err != nil || !r.Cut || r.Ticks == 0 || r.Ticks >= 100 {
		t.Errorf("%d ticks, cut %v: %v", r.Ticks, r.Cut, err)
	}
}

func TestAClosureIsRefusedWhicheverWayItIsGiven(t *testing.T) {
	f := func(*world.World) {}
	for name, give := range map[string]func(c world.Commands){
		"Do": func(c world.Commands) { c.Do(f) },
		"At": func(c world.Commands) { c.At(3).Do(f) },
	} {
		for _, remote := range []bool{false, true} {
			var file bytes.Buffer
			var said error
			e := recordTo(t, engine.RecordOptions{W: &file, OnError: func(err error) { said = err }})
			for e.View().Tick < 30 {
				e.Advance(time.Second / 60)
			}
			if remote {
				give(e.Remote())
			} else {
				give(e.Commands)
			}
			if said == nil || !strings.Contains(said.Error(), "recording_written_test.go:") {
				t.Errorf("%s: said %v", name, said)
			}
			e.Advance(time.Second / 20)
			if err := e.Close(); err != said {
				t.Errorf("%s: Close says %v", name, err)
			}
			r := read(t, file.Bytes()) // the earlier part is kept
			if _, err := r.Verify(stack); err != nil || !r.Cut || r.Ticks < 30 {
				t.Errorf("%s: %d ticks, cut %v: %v", name, r.Ticks, r.Cut, err)
			}
		}
	}
}

func TestARecordingCanBeWrittenToAPipe(t *testing.T) {
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	got := make(chan []byte)
	go func() { data, _ := io.ReadAll(from); got <- data }()
	e := recordTo(t, engine.RecordOptions{W: to})
	e.Advance(time.Second / 20)
	if err := errors.Join(e.Close(), to.Close()); err != nil {
		t.Fatal(err)
	}
	if r := read(t, <-got); r.Cut || r.Ticks != 3 {
		t.Errorf("%d ticks, cut %v", r.Ticks, r.Cut)
	}
}

// powerFile is a file that loses data that were not synced.
type powerFile struct {
	t     *testing.T
	data  []byte
	syncs []synced
	block chan struct{} // Sync waits for block if it is not nil.

	steps  atomic.Uint64 // done so far
	chunks atomic.Int64  // synced
}

// synced is the number of bytes that a sync has made durable, and the number of steps at that time.
type synced struct {
	bytes int
	steps uint64
}

func (f *powerFile) kept() int {
	if len(f.syncs) == 0 {
		return 0
	}
	return f.syncs[len(f.syncs)-1].bytes
}

func (f *powerFile) Write(p []byte) (int, error) {
	if len(f.data) > f.kept() {
		f.t.Errorf("byte %d is written while %d bytes before it are not safe", len(f.data), len(f.data)-f.kept())
	}
	f.data = append(f.data, p...)
	return len(p), nil
}

func (f *powerFile) Sync() error {
	f.syncs = append(f.syncs, synced{len(f.data), f.steps.Load()})
	f.chunks.Add(1)
	if f.block != nil && len(f.syncs) > 1 {
		<-f.block
	}
	return nil
}

// powerRun records from a tick on until that many chunks are durable. It returns the last tick.
func powerRun(t *testing.T, from uint64, chunks int) (*powerFile, int) {
	t.Helper()
	engine.FlushEvery(t, 100*time.Microsecond)
	f := &powerFile{t: t}
	e, err := engine.New(engine.Config{
		Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: f, From: from}},
		OnStep: func(tick uint64, _ time.Duration) { f.steps.Store(tick) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for f.chunks.Load() < int64(chunks) {
		e.DoNamed("test kick", .1, .2)
		e.Advance(time.Second / 40)
		time.Sleep(time.Millisecond)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if f.kept() != len(f.data) {
		t.Errorf("%d bytes are not safe after Close", len(f.data)-f.kept())
	}
	return f, int(f.steps.Load())
}

// ticksOf reads the first n bytes followed by some zeros, as in a file after a power failure. It
// returns the ticks of the file, or -1 if there is less than a header.
func ticksOf(t *testing.T, data []byte, n, zeros int) int {
	t.Helper()
	file := append(bytes.Clone(data[:n]), make([]byte, zeros)...)
	r, err := engine.ReadRecording(bytes.NewReader(file))
	if err != nil {
		return -1
	}
	if !r.Cut && n < len(data) && zeros == 0 {
		t.Errorf("%d of %d bytes pass for the whole", n, len(data))
	}
	return int(r.Ticks)
}

func TestALossOfPowerCostsNoWholeChunk(t *testing.T) {
	norace.Only(t)
	t.Run("from the start", func(t *testing.T) { losePower(t, 0, 1) })
	t.Run("from a snapshot", func(t *testing.T) { losePower(t, 9, 2) })
}

// losePower cuts a recording in the middle of each chunk, and at each of its last bytes. The parameter head is the
// number of chunks before the recording's calls. These chunks are written one by one.
func losePower(t *testing.T, from uint64, head int) {
	f, last := powerRun(t, from, 3+head)
	want, chunk := -1, 0 // the number of ticks in the complete chunks
	for n := range f.data {
		if chunk < len(f.syncs) && n == f.syncs[chunk].bytes {
			want = ticksOf(t, f.data, n, 0)
			if chunk > head-1 && uint64(want) < f.syncs[chunk-1].steps {
				t.Errorf("chunk %d ends with tick %d; %d steps were done before it", chunk, want, f.syncs[chunk-1].steps)
			}
			if want < 0 && chunk >= head-1 {
				t.Errorf("the first %d chunks are no recording", chunk+1)
			}
			if want >= 0 {
				if _, err := read(t, f.data[:n]).Verify(stack); err != nil {
					t.Errorf("cut at byte %d: %v", n, err)
				}
			}
			chunk++
		}
		if stride := []int{5, 19}[head-1]; n%stride > 0 && f.syncs[chunk].bytes-n > 20 {
			continue // a snapshot has many bytes, and cuts in the middle of a chunk all have the same effect
		}
		if got := ticksOf(t, f.data, n, 0); got != want {
			t.Fatalf("cut at byte %d: %d ticks, want %d", n, got, want)
		}
		// some file systems leave zeros in place of bytes that never arrived
		end := f.syncs[chunk].bytes
		if n%7 > 0 && end-n > 20 {
			continue
		}
		for _, zeros := range []int{end - n, end - n + 512} {
			whole := len(bytes.TrimRight(f.data[n:end], "\x00")) == 0
			if got := ticksOf(t, f.data, n, zeros); got != want && zeros >= 4 && !whole {
				t.Fatalf("zeros from byte %d on: %d ticks, want %d", n, got, want)
			}
		}
	}
	if want != last {
		t.Errorf("%d ticks before the end chunk, want %d", want, last)
	}
}

func TestASyncThatTakesLongHoldsUpNoStep(t *testing.T) {
	engine.FlushEvery(t, time.Millisecond)
	let := make(chan struct{})
	f := &powerFile{t: t, block: let}
	e := recordTo(t, engine.RecordOptions{W: f})
	soon(t, "a step", func() {
		for e.View().Tick < 200 {
			e.Advance(time.Second / 60)
		}
	})
	if f := e.Failure(); f != nil {
		t.Error(f)
	}
	close(let)
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if r := read(t, f.data); r.Ticks < 200 || r.Cut {
		t.Errorf("%d ticks, cut %v", r.Ticks, r.Cut)
	}
}

func TestASyncThatFailsEndsTheRecording(t *testing.T) {
	var kept bytes.Buffer
	syncs := 0
	e := recordTo(t, engine.RecordOptions{W: &syncFile{&kept, func() error {
		if syncs++; syncs > 1 {
			return errDisk
		}
		return nil
	}}, OnError: func(error) {}})
	e.Advance(time.Second / 20)
	if err := e.Close(); err == nil {
		t.Error("Close says nothing")
	}
}

type syncFile struct {
	*bytes.Buffer
	sync func() error
}

func (f *syncFile) Sync() error { return f.sync() }
