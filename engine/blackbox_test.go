package engine_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

// boxed makes an engine with a black box in dir.
func boxed(t *testing.T, c engine.Config, o engine.BlackBoxOptions) (e *engine.Engine, dir string) {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	c.Time.Simulated, c.History.BlackBox = true, &o
	if c.Setup == nil {
		c.Setup = stack
	}
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e, o.Dir
}

func kicks(e *engine.Engine, frames int) {
	for range frames {
		if e.Demanded()%5 == 0 {
			e.DoNamed("test kick", .2, .4)
		}
		e.Advance(time.Second / 50)
	}
}

// dumped reads the only black box in a folder.
func dumped(t *testing.T, dir string) (*engine.Recording, string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	r, err := engine.OpenRecording(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return r, filepath.Base(files[0])
}

func TestABlackBoxHoldsTheLastSecondsAndReplays(t *testing.T) {
	for i, length := range []time.Duration{0, time.Second, 300 * time.Millisecond, 300 * time.Millisecond} {
		var want []uint64
		e, _ := boxed(t, engine.Config{World: world.Config{Stepper: [...]world.Stepper{3: world.SoftStep}[i]}, Setup: func(w *world.World) error {
			w.AddContactHook(func(w *world.World, _ []world.Event) { want = append(want, w.Hash()) })
			return stack(w)
		}}, engine.BlackBoxOptions{Length: length, Scene: "stack", Data: []byte{7}})
		kicks(e, 400)
		var path string
		e.Inspect(func(*world.World) { // between two steps
			var err error
			if path, err = e.History().DumpBlackBox("test: run/1"); err != nil {
				t.Error(err)
			}
		})
		e.Advance(0)
		e.Advance(0)
		ticks := e.View().Tick
		r, err := engine.OpenRecording(path)
		if err != nil {
			t.Fatal(err)
		}
		if r.Scene != "stack" || len(r.Data) != 1 || r.Cut || r.Ticks != ticks || !strings.HasSuffix(path, "-testrun1.rec") {
			t.Errorf("%v: %q, ticks %d to %d of %d, %q", length, r.Scene, r.First, r.Ticks, ticks, path)
		}
		if l := length; l == 0 && r.First != 0 || l > 0 && (r.First == 0 || float64(r.Ticks-r.First)/60 < l.Seconds() || float64(r.Ticks-r.First)/60 > 1.5*l.Seconds()) {
			t.Errorf("%v: it holds ticks %d to %d", length, r.First, r.Ticks)
		}
		p, err := r.Player(stack, engine.PlayerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for tick := r.First; tick <= r.Ticks; tick++ {
			if err := p.Seek(tick); err != nil {
				t.Fatalf("%v: %v", length, err)
			}
			if got := p.World().Hash(); tick > 0 && got != want[tick-1] {
				t.Fatalf("%v: tick %d has hash %x, want %x", length, tick, got, want[tick-1])
			}
		}
		p.Close()
	}
}

func TestAPanicIsInTheBlackBoxAndHappensAgainInItsReplay(t *testing.T) {
	for name, bad := range map[string]func(w *world.World) error{
		"controller": func(w *world.World) error {
			w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
				if w.Tick() == 99 {
					panic("ow")
				}
			}))
			return stack(w)
		},
		"command": func(w *world.World) error {
			w.Register("boom", func(*world.World, []float64) { panic("ow") })
			return stack(w)
		},
	} {
		told := make(chan string, 2)
		e, dir := boxed(t, engine.Config{Setup: bad}, engine.BlackBoxOptions{
			Length: time.Second, OnDump: func(path string, err error) { told <- fmt.Sprint(path, err) },
		})
		kicks(e, 80)
		if name == "command" {
			e.DoNamed("boom")
		}
		soon(t, name, func() {
			for e.Failure() == nil {
				kicks(e, 1)
			}
		})
		e.Close()
		r, file := dumped(t, dir)
		if said := <-told; len(told) > 0 || !strings.Contains(said, file+"<nil>") || !strings.HasSuffix(file, "-panic.rec") {
			t.Errorf("%s: OnDump is told %q of %q", name, said, file)
		}
		if _, err := r.Verify(bad); err == nil || !strings.Contains(err.Error(), "panic: ow") {
			t.Errorf("%s: the replay of ticks %d to %d says %v", name, r.First, r.Ticks, err)
		}
	}
}

func TestAMismatchIsInTheBlackBoxOfTheReplay(t *testing.T) {
	data := recordRun(t, stack, engine.RecordOptions{}, 90, nil)
	other := func(w *world.World) error {
		w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
			if b, _ := w.Find("box 2"); w.Tick() == 70 {
				w.Impulse(b, world.Vec{X: 1e-9})
			}
		}))
		return stack(w)
	}
	e, dir := boxed(t, read(t, data).Config(other), engine.BlackBoxOptions{
		Length: time.Second, OnDump: func(string, error) {},
	})
	soon(t, "the mismatch", func() {
		for e.Failure() == nil {
			e.Advance(time.Second / 60)
		}
	})
	var m *engine.Mismatch
	if !errors.As(e.Failure(), &m) {
		t.Fatal(e.Failure())
	}
	e.Close()
	r, file := dumped(t, dir)
	if _, err := r.Verify(other); err != nil || r.Ticks != m.Tick || !strings.HasSuffix(file, "-mismatch.rec") {
		t.Errorf("%s: ticks %d to %d, the replay differed at %d: %v", file, r.First, r.Ticks, m.Tick, err)
	}
}

func TestABlackBoxGoesUpToAClosureOrFromIt(t *testing.T) {
	e, _ := boxed(t, engine.Config{}, engine.BlackBoxOptions{})
	kicks(e, 100)
	closure(e)
	kicks(e, 2)
	dump := func() *engine.Recording {
		path, err := e.History().DumpBlackBox("")
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.OpenRecording(path)
		if err == nil {
			_, err = r.Verify(stack)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	before := dump()
	if before.First != 0 || before.Ticks < 100 {
		t.Errorf("right after it: ticks %d to %d", before.First, before.Ticks)
	}
	e.Do(func(w *world.World) { _ = w.SetGravity(world.Vec{X: 3}) })
	kicks(e, 100)
	if after := dump(); after.First < before.Ticks || after.Ticks < after.First+40 {
		t.Errorf("later: ticks %d to %d", after.First, after.Ticks)
	}
}

func TestBlackBoxesAreBoundedInNumberAndSize(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "blackbox.txt")
	os.WriteFile(mine, make([]byte, 1<<20), 0o644)
	e, _ := boxed(t, engine.Config{}, engine.BlackBoxOptions{Dir: dir, MaxFiles: 3, MaxBytes: 1 << 19})
	var paths []string
	for range 6 {
		kicks(e, 20)
		path, err := e.History().DumpBlackBox("many")
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	for i, path := range paths {
		if _, err := os.Stat(path); (err == nil) != (i >= 3) {
			t.Errorf("file %d of 6: %v", i+1, err)
		}
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

func TestABlackBoxInMemoryWritesNoFile(t *testing.T) {
	e, dir := boxed(t, engine.Config{}, engine.BlackBoxOptions{InMemory: true, MaxFiles: 3})
	kicks(e, 90)
	if path, err := e.History().DumpBlackBox("x"); !errors.Is(err, engine.ErrNoBlackBox) {
		t.Errorf("it wrote %q, %v", path, err)
	}
	data, err := e.History().BlackBox()
	e.Close()
	if err != nil || read(t, data).Ticks < 80 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("%d files", len(files))
	}
}

// Earlier, only files that a failure had written said so.
func TestABlackBoxOfAFailedRunSaysSoWheneverItIsAskedFor(t *testing.T) {
	for _, inMemory := range []bool{true, false} {
		e, _ := boxed(t, engine.Config{Setup: func(w *world.World) error {
			w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
				if w.Tick() == 40 {
					panic("user code")
				}
			}))
			return nil
		}}, engine.BlackBoxOptions{InMemory: inMemory})
		runInto(t, e)
		for range 2 {
			data, err := e.History().BlackBox()
			if err != nil {
				t.Fatal(err)
			}
			if r := read(t, data); !r.Failed || r.Ticks != 40 {
				t.Errorf("in memory %v: failed %v, %d ticks", inMemory, r.Failed, r.Ticks)
			}
			e.Close()
		}
	}
}

func TestABlackBoxThatCannotBeSaysWhyAndTheRunGoesOn(t *testing.T) {
	if _, err := engine.New(engine.Config{History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{}}}); err == nil {
		t.Error("no folder is taken for one")
	}
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o644)
	if _, err := engine.New(engine.Config{History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{Dir: file}}}); err == nil {
		t.Error("a file is taken for a folder")
	}
	plain := recordTo(t, engine.RecordOptions{W: newSink()})
	defer plain.Close()
	if _, err := plain.History().DumpBlackBox("x"); !errors.Is(err, engine.ErrNoBlackBox) {
		t.Errorf("without one: %v", err)
	}
	e, dir := boxed(t, engine.Config{}, engine.BlackBoxOptions{})
	if _, err := e.History().DumpBlackBox("x"); err == nil {
		t.Error("nothing has happened, and there is a file of it")
	}
	kicks(e, 5)
	os.RemoveAll(dir)
	if _, err := e.History().DumpBlackBox("x"); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("without its folder: %v", err)
	}
	e, _ = boxed(t, engine.Config{Setup: withSilent}, engine.BlackBoxOptions{})
	kicks(e, 5)
	if _, err := e.History().DumpBlackBox("x"); err == nil || !strings.Contains(err.Error(), "not now") {
		t.Errorf("with a state that cannot be had: %v", err)
	}
	if f := e.Failure(); f != nil {
		t.Error(f)
	}
}

func TestManyGoroutinesDumpABlackBoxWhileItFills(t *testing.T) {
	e, _ := boxed(t, engine.Config{}, engine.BlackBoxOptions{Length: 200 * time.Millisecond, MaxFiles: 1000})
	kicks(e, 5)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 6 {
				path, err := e.History().DumpBlackBox("busy")
				if err != nil {
					t.Error(err)
					return
				}
				if r, err := engine.OpenRecording(path); err != nil {
					t.Error(err)
				} else if _, err := r.Verify(stack); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for {
		select {
		case <-done:
			return
		default:
			kicks(e, 3)
		}
	}
}

func TestADiskThatHangsHoldsUpNobodyButItsDump(t *testing.T) {
	e, _ := boxed(t, engine.Config{}, engine.BlackBoxOptions{Length: time.Second})
	kicks(e, 10)
	begun, going := engine.SlowBlackBox(e)
	written := make(chan error)
	go func() {
		_, err := e.History().DumpBlackBox("slow")
		written <- err
	}()
	<-begun
	kicks(e, 200)
	looked := make(chan []byte)
	go func() {
		data, _ := e.History().BlackBox()
		looked <- data
	}()
	select {
	case data := <-looked:
		if r := read(t, data); r.First == 0 {
			t.Errorf("nothing is forgotten meanwhile: it holds ticks %d to %d", r.First, r.Ticks)
		}
	case <-time.After(10 * time.Second):
		t.Error("BlackBox waits for the disk")
	}
	going <- struct{}{}
	if err := <-written; err != nil {
		t.Error(err)
	}
}

func TestACommandThatFailedFailsInAReplayByAnEngineToo(t *testing.T) {
	setup := func(w *world.World) error {
		w.Register("fails", func(*world.World, []float64) { panic("again") })
		return nil
	}
	e, dir := boxed(t, engine.Config{Setup: setup}, engine.BlackBoxOptions{OnDump: func(string, error) {}})
	e.Step(5)
	e.DoNamed("fails")
	e.Step(1)
	e.Close()
	r, _ := dumped(t, dir)
	again := start(t, r.Config(setup))
	again.Step(10)
	if was, is := e.Failure(), again.Failure(); is == nil || is.Error() != was.Error() {
		t.Errorf("the run: %v; its replay: %v", was, is)
	}
}
