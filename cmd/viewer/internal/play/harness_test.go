package play

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/renderloop/clock"
	"halfstep/renderloop/frametime"
	"halfstep/world"
)

// bench is a session that is its own host. Its clock is simulated, with 60 frames a second, unless
// the flags say -clock wall.
type bench struct {
	*Session
	t      testing.TB
	source frametime.Source
	frames uint64
	now    time.Duration

	says  string   // the newest message
	asks  string   // asks says how to repeat the request (see Ask).
	told  []string // told are the scenes that were opened in place of another scene.
	mu    sync.Mutex
	calls []func() error

	at   world.Vec // where the cursor is
	held bool      // the button is down
}

func (b *bench) Say(text string)  { b.says, b.asks = text, "" }
func (b *bench) Warn(text string) { b.says, b.asks = text, "" }

func (b *bench) Ask(by, text string) bool {
	if b.asks == by {
		b.asks = ""
		return true
	}
	b.says, b.asks = text, by
	return false
}

func (b *bench) Key(action string) string { return "[" + action + "]" }

func (b *bench) Later(f func() error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = append(b.calls, f)
}

func (b *bench) Started(*Player, bool)           {}
func (b *bench) Closing(*Player) (closed func()) { return func() {} }

func (b *bench) Scene(is SceneChange, of *SceneEntry) {
	if is == SceneShown {
		b.told = append(b.told, of.Name)
	}
}

// newBench opens the scene that some flags of the program name.
func newBench(t testing.TB, args string) *bench {
	t.Helper()
	b := openBench(t, args)
	if err := b.Open(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// openBench does the same as newBench, but opens no scene yet.
func openBench(t testing.TB, args string) *bench {
	t.Helper()
	o := &Options{Scene: "rain", Begun: new(atomic.Bool), AskedToEnd: func() bool { return false }}
	with := Settings{Scale: 1, Simulated: true, Smoothing: Smoothings[0]}
	b := &bench{t: t}
	b.source, _ = frametime.NewFixedSource(clock.Hz(60))
	number := func(s string) uint64 {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	attended, file := false, ""
	f := strings.Fields(args)
	for i := 0; i < len(f); i++ {
		value := ""
		if i+1 < len(f) {
			value = f[i+1]
		}
		var err error
		switch f[i] {
		case "-panel":
			attended = true
			continue
		case "-scene":
			o.Scene = value
		case "-sync":
			with.Sync, err = ParseSync(value)
		case "-smoothing":
			with.Smoothing, err = ParseSmoothing(value)
		case "-loop":
			with.Loop = value
		case "-stepper":
			with.Stepper = value
		case "-compare":
			err = o.Compare.Parse(value)
		case "-record":
			o.Record = value
		case "-record-from":
			o.RecordFrom = number(value)
		case "-seek":
			n := number(value)
			o.Seek = &n
		case "-ticks":
			o.Ticks, o.Limited = number(value), true
			with.LastTick = o.Ticks
		case "-track":
			o.Track = strings.Split(value, ",")
		case "-hz":
			hz, _ := strconv.ParseFloat(value, 64)
			with.Rate, err = clock.RateOf(hz)
		case "-black-box":
			dir, length, timed := strings.Cut(value, ",")
			if o.BlackBox.Dir = dir; timed {
				o.BlackBox.Length, err = time.ParseDuration(length)
			}
		case "-pacing":
			with.Pacing = value == "auto"
		case "-clock":
			hz, fixed := strings.CutPrefix(value, "fixed:")
			if b.source, with.Simulated = frametime.NewWallSource(), fixed; fixed {
				b.source, err = frametime.NewFixedSource(clock.Hz(int64(number(hz))))
			}
		case "-hidden":
			o.Hidden = true
			continue
		default:
			if strings.HasPrefix(f[i], "-") {
				t.Fatalf("the bench has no flag %s", f[i])
			}
			file = f[i]
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		i++
	}
	all, first, err := OpenScenes(o.Scene, file, false)
	if err != nil {
		t.Fatal(err)
	}
	b.Session = NewSession(o, b, with, all, first)
	b.Stage.Stdout, b.Stage.Stderr = io.Discard, os.Stderr
	b.Recorder.PanelShown = attended
	return b
}

// newPanelBench does the same as newBench for a person who uses a panel: the session keeps its
// last seconds.
func newPanelBench(t testing.TB, args string) *bench {
	t.Helper()
	b := newBench(t, "-panel "+args)
	b.run(3)
	return b
}

// openRecording closes the scene and replays a recording.
func (b *bench) openRecording(file string) {
	b.t.Helper()
	sc, err := ReplayScene(file, wholeFile)
	if err != nil {
		b.t.Fatal(err)
	}
	b.Stage.Scenes = append([]SceneEntry{sc}, BuiltIn()...)
	if err := b.ChangeScene(0); err != nil {
		b.t.Fatal(err)
	}
}

// run makes frames.
func (b *bench) run(frames int) {
	b.t.Helper()
	for range frames {
		ns, _ := b.source.Next()
		b.mu.Lock()
		calls := b.calls
		b.calls = nil
		b.mu.Unlock()
		for _, f := range calls {
			if err := f(); err != nil {
				b.t.Fatal(err)
			}
		}
		if b.held {
			if b.Sketcher.Sketch.On {
				b.Sketcher.GoOn(b.at)
			} else {
				b.Changes.Pull(b.at, b.now)
			}
		}
		b.now += time.Duration(ns)
		if err := b.Advance(b.frames == 0, time.Duration(ns)); err != nil {
			b.t.Fatal(err)
		}
		b.Stage.Options.Begun.Store(true)
		b.Settle(true)
		b.frames++
	}
}

// reach is the greatest distance between the cursor and a body that it can grab, in m.
const reach = .3

// cursor moves the cursor to a point of the world.
func (b *bench) cursor(x, y float64) { b.at = world.Vec{X: x, Y: y} }

// button presses and releases the left button.
func (b *bench) button(down bool) {
	if down {
		b.held = b.Sketcher.Begin(b.at, reach) || b.Stage.Grab(b.at, reach)
		return
	}
	if b.Stage.EndDrag(); b.held && b.Sketcher.Sketch.On {
		b.Sketcher.GoOn(b.at)
		b.Sketcher.End(reach)
	}
	b.held, b.Sketcher.Sketch = false, Sketch{}
}

// dragFrom drags the body at a point by a vector, while the world runs.
func (b *bench) dragFrom(x, y, dx, dy float64) {
	b.cursor(x, y)
	b.button(true)
	b.run(1)
	for i := range 20 {
		b.cursor(x+dx*float64(i)/20, y+dy*float64(i)/20)
		b.run(1)
	}
	b.button(false)
	b.run(5)
}

// doing has the actions of those keys that need only the session.
var doing = map[string]func(b *bench) error{
	"pause":          func(b *bench) error { b.Travel.TogglePause(); return nil },
	"step":           func(b *bench) error { b.Travel.SingleStep(); return nil },
	"restart":        func(b *bench) error { return b.Again() },
	"next scene":     func(b *bench) error { return b.ChangeSceneBy(1) },
	"previous scene": func(b *bench) error { return b.ChangeSceneBy(-1) },
	"back":           func(b *bench) error { b.Travel.Skip(-1); return nil },
	"forward":        func(b *bench) error { b.Travel.Skip(1); return nil },
	"backward":       func(b *bench) error { b.Travel.ToggleBackward(); return nil },
	"present":        func(b *bench) error { b.Follow.ToNow(); return nil },
	"go on":          func(b *bench) error { b.ContinueFromPast(WithoutBranch); return nil },
	"smoothing":      func(b *bench) error { b.Tune.NextSmoothing(); return nil },
	"sync":           func(b *bench) error { b.Tune.NextSync(); return nil },
	"pacing":         func(b *bench) error { b.Tune.TogglePacing(); return nil },
	"rate down":      func(b *bench) error { return b.Tune.ChangeRate(-1) },
	"rate up":        func(b *bench) error { return b.Tune.ChangeRate(1) },
	"slower":         func(b *bench) error { return b.Tune.ChangeScale(-1) },
	"faster":         func(b *bench) error { return b.Tune.ChangeScale(1) },
	"record":         func(b *bench) error { b.Recorder.ToggleRecording(); return nil },
	"black box":      func(b *bench) error { b.Recorder.DumpBlackBox(); return nil },
	"snapshot":       func(b *bench) error { b.Changes.TakeSnapshot(); return nil },
	"restore":        func(b *bench) error { b.Changes.RestoreSnapshot(); return nil },
	"undo":           func(b *bench) error { b.Changes.Undo(); return nil },
	"redo":           func(b *bench) error { b.Changes.Redo(); return nil },
	"delete":         func(b *bench) error { b.Build.DeleteChosen(); return nil },
	"give up":        func(b *bench) error { b.Travel.GiveUpSeek(); return nil },
}

// do performs the actions of some keys. Each key has a frame of its own.
func (b *bench) do(names ...string) {
	b.t.Helper()
	for _, name := range names {
		f, ok := doing[name]
		if !ok {
			b.t.Fatalf("nothing is called %q", name)
		}
		if err := f(b); err != nil {
			b.t.Fatal(err)
		}
		b.run(1)
	}
}

// bodies returns the number of bodies.
func (b *bench) bodies() int { b.run(3); return int(b.Stage.View.Counts.Bodies) }

// replays returns an error if a recording cannot be replayed to its last complete tick.
func replays(path string) error {
	sc, err := ReplayScene(path, wholeFile)
	if err == nil {
		_, err = sc.Replay.Verify(sc.Config().Setup)
	}
	return err
}

// joints returns the number of joints in the picture.
func (b *bench) joints() int { return len(b.Stage.View.Scene.Joints) }

// hash runs frames until physics has returned the hash of the world, and returns the hash.
func (b *bench) hash() uint64 {
	return ask(b, func(w *world.World) uint64 { return w.Hash() })
}

// until runs frames until the function so returns true.
func (b *bench) until(what string, so func() bool) {
	b.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !so(); {
		if time.Now().After(deadline) {
			b.t.Fatal("never: " + what)
		}
		time.Sleep(5 * time.Millisecond)
		b.run(1)
	}
}

// recordSession records some frames of a run to a file.
func recordSession(t testing.TB, args string, frames int) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "run")
	b := newBench(t, args+" -record "+file)
	b.run(frames)
	b.Close()
	if b.Recorder.Recording.Err != nil {
		t.Fatal(b.Recorder.Recording.Err)
	}
	return file
}

// wallBench returns a bench whose frames do not wait for physics.
func wallBench(t *testing.T, args string, ticks uint64) *bench {
	t.Helper()
	b := newPanelBench(t, args)
	b.source, b.Stage.Settings.Simulated = frametime.NewWallSource(), false
	if err := b.ChangeScene(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	b.run(1)
	for b.Stage.View.Tick < ticks {
		b.Travel.Steps = 10
		b.run(1)
	}
	return b
}

// seeks runs frames until a seek has reached its target. It returns the ticks that were shown.
func (b *bench) seeks() (shown []uint64) {
	b.t.Helper()
	for b.Travel.Seeking.On {
		if b.run(1); b.Stage.View.Tick != 0 && (len(shown) == 0 || shown[len(shown)-1] != b.Stage.View.Tick) {
			shown = append(shown, b.Stage.View.Tick)
		}
		time.Sleep(time.Millisecond)
	}
	return shown
}

// farSeek returns a bench during a seek to tick 250 of a recording. The first parts of the seek
// are short.
func farSeek(t *testing.T) *bench {
	t.Helper()
	b := wallBench(t, "-scene drift", 0)
	b.openRecording(recordSession(t, "-scene spring", 300))
	b.do("pause")
	b.Travel.Seek(250)
	b.Travel.Seeking.Part = 1
	return b
}
