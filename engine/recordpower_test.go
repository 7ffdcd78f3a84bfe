package engine_test

import (
	"bytes"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
)

// powerFile is a file that forgets what was not synced.
type powerFile struct {
	t     *testing.T
	data  []byte
	syncs []synced
	block chan struct{} // Sync waits for it, or nil

	steps  atomic.Uint64 // done so far
	chunks atomic.Int64  // synced
}

// synced is how many bytes a sync has made sure of, and how many steps were done
// by then.
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

// powerRun records from a tick on until so many chunks are safe, and returns the
// last tick.
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

// ticksOf reads the first n bytes and then so many zeros, as a file may be after
// a loss of power, and returns the ticks there are; -1 for less than a header.
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

// losePower cuts a recording at every byte. head is how many chunks, written one by
// one, come before its calls.
func losePower(t *testing.T, from uint64, head int) {
	f, last := powerRun(t, from, 3+head)
	want, chunk := -1, 0 // the ticks of the chunks that are whole
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
		if head > 1 && n%19 > 0 && f.syncs[chunk].bytes-n > 20 {
			continue // a snapshot has many bytes
		}
		if got := ticksOf(t, f.data, n, 0); got != want {
			t.Fatalf("cut at byte %d: %d ticks, want %d", n, got, want)
		}
		// Some file systems leave zeros where bytes never arrived.
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
