package engine_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/owner"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

// rewound is a run of the arena that rewinds.
type rewound struct {
	*engine.Engine
	arena
	*testing.T
	w         *world.World
	teleports bool

	mu     sync.Mutex
	states map[uint64]uint64  // states are the hashes of the world after the steps of the run, by tick.
	shown  map[int][3]float64 // shown is where a box was shown. The keys count half steps.
}

func newRewound(t *testing.T, c engine.Config) *rewound {
	t.Helper()
	r := &rewound{T: t, states: map[uint64]uint64{}, shown: map[int][3]float64{}}
	c.Time.Simulated = true
	c.Setup = func(w *world.World) error {
		r.w = w
		w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
			if n := int(w.Tick()); r.teleports && n%9 == 0 {
				w.Teleport(r.boxes[n%5], world.Vec{X: float64(n%3) * 3}, 1)
			}
		}))
		return r.setup(w)
	}
	c.OnStep = func(tick uint64, _ time.Duration) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.states[tick] = r.w.StateHash()
	}
	if c.History.Rollback.Ticks == 0 {
		c.History.Rollback.Ticks = 100
	}
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	r.Engine = e
	return r
}

// run makes frames until that many more ticks are demanded. It kicks boxes about, unless quiet is
// true.
func (r *rewound) run(ticks int, quiet bool) {
	r.Helper()
	for to := r.Demanded() + uint64(ticks); r.Demanded() < to; {
		if tick := r.Demanded(); !quiet && tick%7 == 0 {
			for i, b := range r.boxes {
				r.Impulse(b, world.Vec{X: 3 * math.Sin(float64(tick)+float64(i)), Y: 2})
			}
		}
		r.Advance(time.Second / 120)
		if err := r.Failure(); err != nil {
			r.Fatal(err)
		}
		r.shown[half(r.Engine)] = placeOf(r.Engine, r.boxes[2])
	}
}

// half returns the shown instant in halves of steps.
func half(e *engine.Engine) int { return int(math.Round(2 * e.View().Instant)) }

// gap returns the largest difference of a coordinate or an angle.
func gap(p, q [3]float64) float64 {
	return max(math.Abs(p[0]-q[0]), math.Abs(p[1]-q[1]), math.Abs(p[2]-q[2]))
}

func placeOf(e *engine.Engine, b world.Body) (at [3]float64) {
	if p, ok := e.Pose(b); ok {
		at = [3]float64{p.X, p.Y, p.Angle}
	}
	return at
}

func (r *rewound) rewind(on bool) {
	r.Helper()
	if err := r.History().Rewind(on); err != nil {
		r.Fatal(err)
	}
}

func (r *rewound) state(tick uint64) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.states[tick]
}

// shows reports an error unless the tick after the parameter tick has the state of the tick
// earlier.
func (r *rewound) shows(tick, earlier uint64) {
	r.Helper()
	if r.state(tick) != r.state(earlier) || r.state(tick) == 0 {
		r.Errorf("tick %d has not the state of tick %d", tick, earlier)
	}
}

// rewindModes returns ways in which an engine can run.
func rewindModes() (list []engine.Config) {
	for _, s := range []renderloop.Sync{renderloop.Lockstep, renderloop.Pipelined, renderloop.RunAhead} {
		for _, by := range []world.Stepper{world.FastStep, world.SoftStep} {
			if owner.Checked && (s != renderloop.RunAhead || by != world.FastStep) {
				continue // with -race one of them is enough
			}
			list = append(list, engine.Config{Time: engine.Time{Sync: s}, World: world.Config{Stepper: by}})
		}
	}
	return list
}

func eachRewindMode(t *testing.T, f func(t *testing.T, c engine.Config)) {
	for _, c := range rewindModes() {
		t.Run(fmt.Sprint(c.Time.Sync, " ", c.World.Stepper), func(t *testing.T) { f(t, c) })
	}
}

func TestARewindShowsTheStatesOfThePastInReverseToTheBit(t *testing.T) {
	eachRewindMode(t, func(t *testing.T, c engine.Config) {
		r := newRewound(t, c)
		r.run(90, false)
		at := r.Demanded()
		r.rewind(true)
		r.run(60, true)
		for n := uint64(1); n < 58; n++ {
			r.shows(at+n, at-n)
		}
		turn := r.Demanded()
		r.rewind(false)
		r.run(30, true)
		again := r.Demanded()
		r.rewind(true)
		r.run(50, true)
		shown := at - (turn - at) // the tick whose state was shown at the end of the rewind
		for n := uint64(1); n < 28; n++ {
			r.shows(again+n, again-n)
		}
		for n := again - turn + 1; n < 48; n++ { // ticks that the first rewind undid are not shown again
			r.shows(again+n, shown-(n-(again-turn)))
		}
	})
}

func TestARewindStaysAtTheOldestTickThatIsKept(t *testing.T) {
	eachRewindMode(t, func(t *testing.T, c engine.Config) {
		c.History.Rollback.Ticks = 20
		r := newRewound(t, c)
		r.run(60, false)
		at := r.Demanded()
		r.rewind(true)
		r.run(120, true)
		for n := uint64(20); n < 118; n++ {
			r.shows(at+n, at-20)
		}
		_, cur, ok := r.States(r.boxes[0])
		if !ok || cur.VX != 0 || cur.VY != 0 || cur.Omega != 0 {
			t.Errorf("a body that stands has velocity %v, %v, %v, %v", cur.VX, cur.VY, cur.Omega, ok)
		}
		r.rewind(false)
		r.run(10, false)
		if r.state(r.Demanded()-1) == r.state(at-20) {
			t.Error("the run does not go on")
		}
		r.Inspect(func(*world.World) {}) // shows the newest state
		is := where(r.Engine, r.boxes[0])
		r.Advance(0)
		if _, cur, _ := r.States(r.boxes[0]); c.Time.Sync != renderloop.RunAhead && (cur.VX != float32(is.Velocity.X) || cur.VY != float32(is.Velocity.Y)) {
			t.Errorf("after it a body has velocity %v, and in the picture %v", is.Velocity, cur)
		}
	})
}

// Frames are at the ends and in the middles of steps. Each picture of the rewind is therefore a
// picture that the run has shown before.
func TestTheWayBackHasThePicturesOfTheWayThere(t *testing.T) {
	norace.Only(t)
	for _, by := range []world.Stepper{world.FastStep, world.SoftStep} {
		r := newRewound(t, engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}, World: world.Config{Stepper: by}})
		r.teleports = true
		type picture map[world.Body][3]float64
		there := map[int]picture{} // keys count half steps
		look := func() picture {
			p := picture{}
			for _, body := range r.View().Scene.Bodies {
				b := world.Body(body.Handle)
				if _, ok := r.Pose(b); ok && b != 0 {
					p[b] = placeOf(r.Engine, b)
				}
			}
			return p
		}
		frame := func() {
			r.Do(func(*world.World) {}) // the tick is captured again
			r.Advance(time.Second / 120)
			if err := r.Failure(); err != nil {
				t.Fatal(err)
			}
		}
		for range 180 {
			if tick := r.Demanded(); tick%7 == 0 {
				for i, b := range r.boxes {
					r.Impulse(b, world.Vec{X: 5 * math.Sin(float64(tick)+float64(i)), Y: 3})
				}
			}
			frame()
			there[half(r.Engine)] = look()
		}
		at, last := half(r.Engine), look()
		r.rewind(true)
		for n := 1; n < 100; n++ {
			frame()
			is, want := look(), there[2*at-half(r.Engine)]
			for b := range want {
				if _, ok := is[b]; !ok && n%2 > 0 { // at the instant of its end or beginning a body may be seen in one direction only
					t.Errorf("%v: %d frames back the picture has no body %v", by, n, b)
				}
			}
			for b, p := range is {
				q, ok := want[b]
				if !ok && n%2 > 0 {
					t.Errorf("%v: %d frames back the picture has body %v, at %v", by, n, b, p)
				}
				// a jump is shown at once: the new position in the run, and the old position in the rewind
				next, also := there[2*at-half(r.Engine)-2+n%2][b]
				leaps := also && math.Hypot(next[0]-q[0], next[1]-q[1]) > .25
				wrong := .004
				if _, seen := last[b]; !seen { // the body moves as it did before it was destroyed
					wrong = .5
				}
				if ok && gap(p, q) > wrong && !(leaps && gap(p, next) < .004) {
					t.Errorf("%v: %d frames back body %v is at %v, not %v", by, n, b, p, q)
				}
			}
			if last = is; t.Failed() {
				return
			}
		}
	}
}

func TestWhatIsRecordedOfARewindReplays(t *testing.T) {
	eachRewindMode(t, func(t *testing.T, c engine.Config) {
		var whole, late, within bytes.Buffer
		c.History.Record = &engine.RecordOptions{W: &whole}
		c.History.BlackBox = &engine.BlackBoxOptions{InMemory: true, Memory: 8 << 20}
		r := newRewound(t, c)
		r.run(80, false)
		if err := r.History().StopRecording(); err != nil {
			t.Fatal(err)
		}
		start := func(b *bytes.Buffer) {
			t.Helper()
			if err := r.History().StartRecording(engine.RecordOptions{W: b, OnError: func(err error) { t.Error(err) }}); err != nil {
				t.Fatal(err)
			}
		}
		start(&late)
		r.run(5, false)
		r.rewind(true)
		r.run(20, false)
		if err := r.History().StopRecording(); err != nil {
			t.Fatal(err)
		}
		start(&within)
		r.run(20, false)
		r.rewind(false)
		r.run(20, false)
		past, err := r.History().Past()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		for name, b := range map[string]*bytes.Buffer{"late": &late, "within": &within} {
			rec, err := engine.ReadRecording(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			r.replays(name, rec, c)
		}
		r.replays("past", past, c)
	})
}

// replays plays a recording, and compares each state of the replay with the run.
func (r *rewound) replays(name string, rec *engine.Recording, c engine.Config) {
	r.Helper()
	var a arena
	var w *world.World
	hashes := map[uint64]uint64{}
	e, err := engine.New(engine.Config{
		Time: engine.Time{Simulated: true}, World: c.World,
		History: engine.HistoryOptions{Replay: rec},
		Setup:   func(to *world.World) error { w = to; return a.setup(to) },
		OnStep:  func(tick uint64, _ time.Duration) { hashes[tick] = w.StateHash() },
	})
	if err != nil {
		r.Errorf("%s: %v", name, err)
		return
	}
	defer e.Close()
	for e.View().Tick < rec.Ticks && e.Failure() == nil {
		e.Advance(time.Second / 120)
		is, instant := placeOf(e, r.boxes[2]), e.View().Instant
		was, ok := r.shown[half(e)]
		if ok && c.Time.Sync != renderloop.RunAhead && instant > float64(rec.First)+1 && gap(is, was) > .001 {
			r.Fatalf("%s: at %v the replay shows a box at %v, the run did at %v", name, instant, is, was)
		}
	}
	if err := e.Failure(); err != nil {
		r.Errorf("%s: %v", name, err)
	}
	if err := e.History().Seek((rec.First + rec.Ticks) / 2); err != nil {
		r.Errorf("%s: %v", name, err)
	}
	for range 20 {
		e.Advance(time.Second / 120)
	}
	if err := e.Failure(); err != nil {
		r.Errorf("%s, after a seek: %v", name, err)
	}
	e.Close()
	for tick, hash := range hashes {
		if hash != r.state(tick) {
			r.Errorf("%s: tick %d of %d to %d has another state than it had", name, tick, rec.First, rec.Ticks)
			return
		}
	}
	if len(hashes) < 20 {
		r.Errorf("%s: %d ticks", name, len(hashes))
	}
}

func TestARollbackOverARewindEndsWhereTheRunWithThoseCommandsInTimeEnds(t *testing.T) {
	norace.Only(t)
	eachRewindMode(t, func(t *testing.T, c engine.Config) {
		c.History.Rollback.Ticks = 14
		run := func(late int) *rewound {
			r := newRewound(t, c)
			kick := func(c world.Commands) { c.From(there).Impulse(r.boxes[3], world.Vec{X: 9, Y: 4}) }
			var tick uint64
			for n, on := range []bool{false, true, false, true, false} {
				if r.rewind(on); late > 0 && n == late {
					if err := r.History().Rollback(tick, kick); err != nil {
						t.Fatal(err)
					}
				}
				r.run([]int{38, 10, 1, 3, 20}[n], true)
				if n == 0 {
					r.run(1, true)
					if tick = r.Demanded(); late == 0 {
						kick(r.At(tick))
					}
					r.run(1, true)
				}
			}
			return r
		}
		want := run(0)
		for late := 1; late < 3; late++ {
			got := run(late)
			for tick := uint64(51); tick < want.Demanded()-2; tick++ {
				if want.state(tick) != got.state(tick) {
					t.Fatalf("%d: tick %d has another state", late, tick)
				}
			}
		}
	})
}

// A held force acts in each frame. Most frames have three steps, and the rewind ends at a state in
// the middle of a frame.
func TestForcesOfFramesThatARewindUndoesDoNotActAgain(t *testing.T) {
	norace.Only(t)
	run := func(s renderloop.Sync, by world.Stepper, pushes int) *rewound {
		r := newRewound(t, engine.Config{Time: engine.Time{Sync: s}, World: world.Config{Stepper: by}})
		for n := range 60 {
			frame := time.Second / 20
			if r.rewind(n >= 30 && n < 40); n >= 30 {
				frame = time.Second / 60
			}
			for _, b := range r.boxes {
				if n < pushes {
					r.Force(b, world.Vec{X: 30, Y: 20})
				}
			}
			r.Advance(frame)
		}
		return r
	}
	for _, by := range []world.Stepper{world.FastStep, world.SoftStep} {
		want, got := run(renderloop.Lockstep, by, 30), run(renderloop.RunAhead, by, 30)
		for tick := uint64(1); tick < 118; tick++ {
			if want.state(tick) != got.state(tick) {
				t.Fatalf("%v: tick %d has another state in RunAhead than in Lockstep", by, tick)
			}
		}
	}
}

func TestARewindThatCannotBeIsRefusedInALine(t *testing.T) {
	for want, o := range map[string]engine.RollbackOptions{
		"keeps no ticks": {}, "Every must be 1": {Ticks: 10, Every: 2},
	} {
		e := start(t, engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Rollback: o}})
		if err := e.History().Rewind(true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
}

func TestTheSyncTestFindsNothingInARewind(t *testing.T) {
	norace.Only(t)
	eachRewindMode(t, func(t *testing.T, c engine.Config) {
		c.Testing.SyncTest = 5
		r := newRewound(t, c)
		for _, on := range []bool{false, true, false, true} {
			r.rewind(on)
			r.run(25, false)
		}
	})
}
