package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

// kickTicks gives, by frame, the tick after which the frame's command took effect.
var kickTicks map[int]uint64

func init() {
	world.Register("ahead.kick", func(w *world.World, a []float64) {
		if _, ok := kickTicks[int(a[0])]; !ok {
			kickTicks[int(a[0])] = w.Tick()
		}
		w.SetVelocity(world.Body(uint64(a[1])|1<<63), world.Vec{X: a[2], Y: a[3]})
	})
}

// court is a closed room with a ball, boxes, and a spawner. The state of the spawner is restored
// with the world.
func court(ball *world.Body) func(*world.World) error {
	return func(w *world.World) error {
		made := 0
		w.Keep(&made)
		w.AddControllerEvery(11, world.ControllerFunc(func(w *world.World, _ float64) {
			if made++; made < 6 {
				w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(made) - 3, Y: 2}, Shapes: []world.ShapeDef{world.Circle(.2)}})
			}
		}))
		for _, q := range [][4]float64{{0, -5, 10, .5}, {0, 5, 10, .5}, {-9, 0, .5, 6}, {9, 0, .5, 6}} {
			if _, err := w.CreateBody(world.BodyDef{Position: world.Vec{X: q[0], Y: q[1]}, Shapes: []world.ShapeDef{world.Box(q[2], q[3])}}); err != nil {
				return err
			}
		}
		for i := range 8 {
			if _, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i) - 4, Y: -3.5}, Shapes: []world.ShapeDef{world.Box(.3, .3)}}); err != nil {
				return err
			}
		}
		c := world.Circle(.4)
		c.Restitution = .8
		b, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, NoSleep: true, Position: world.Vec{Y: 3}, Shapes: []world.ShapeDef{c}})
		*ball = b
		return err
	}
}

// seenFrame is the picture of the ball in a frame.
type seenFrame struct{ instant, x, y float64 }

const swapPacing = 1 << 32

// aheadSession plays random frames, most of them in RunAhead, and returns the recording. If steps
// cost nothing, each frame shows the effect of all commands so far. If swapPacing is added to the
// seed, pacing is switched from on to off or from off to on.
func aheadSession(t *testing.T, seed uint64, frames int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed%swapPacing, 77))
	kickTicks = map[int]uint64{}
	var file bytes.Buffer
	var ball world.Body
	setup := court(&ball)
	c := engine.Config{
		Setup:   setup,
		World:   world.Config{Stepper: []world.Stepper{world.FastStep, world.SoftStep}[seed%2], Workers: 1},
		Time:    engine.Time{Sync: renderloop.RunAhead, Simulated: true, Pacing: engine.Pacing(1 - r.IntN(2) ^ int(seed/swapPacing)), EventsAtOnce: r.IntN(4) == 0},
		History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, States: true}, BlackBox: &engine.BlackBoxOptions{InMemory: true}},
	}
	cost := time.Duration([]int{0, 0, 500, 4000, 12000}[r.IntN(5)]) * time.Microsecond
	if cost > 0 {
		c.Testing.StepCost = func(tick uint64) time.Duration { return cost * time.Duration(1+tick%3) / 2 }
	}
	rollbacks := r.IntN(4) == 0
	if rollbacks {
		c.History.Rollback = engine.RollbackOptions{Ticks: 12}
	}
	e := start(t, c)
	var seen []seenFrame
	exact := cost == 0 && !rollbacks
	var created []world.Body
	given := map[int]int{} // by kick: the frame that gave the kick
	held := 0
	slowest := 20
	if exact {
		slowest = 150 // if frames are longer than a step, a correction may be seen later
	}
	typical := time.Second / time.Duration(slowest+r.IntN(150))
	steps := r.IntN(2) == 0
	for i := range frames {
		if r.IntN(40) == 0 {
			typical = time.Second / time.Duration(slowest+r.IntN(150))
		}
		d, was := typical, e.Rate()
		note := func() {
			given[i] = i
			e.DoNamed("ahead.kick", float64(i), 0, 0, 0)
		}
		switch r.IntN(30) {
		case 0:
			d += time.Duration(r.IntN(400)) * time.Millisecond
		case 1:
			e.SetPaused(!e.Paused())
		case 2:
			rate := clock.Hz([]int64{30, 50, 60, 120, 240}[r.IntN(5)])
			if exact {
				rate = clock.Hz([]int64{30, 50, 60}[r.IntN(3)])
			}
			if err := e.SetRate(rate); err != nil {
				t.Fatal(err)
			}
			note()
		case 3:
			if err := e.SetScale([]float64{.1, .5, 1}[r.IntN(3)]); err != nil {
				t.Fatal(err)
			}
		case 4:
			note()
			created = append(created, e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 8*r.Float64() - 4, Y: 0}, Shapes: []world.ShapeDef{world.Capsule(world.Vec{}, world.Vec{X: .2}, .2)}}))
		case 5:
			note()
			if len(created) > 0 {
				e.DestroyBody(created[r.IntN(len(created))])
			}
		case 6:
			held = 1 + r.IntN(10)
		case 7:
			e.Commands.KeepSnapshot(1)
		case 8:
			if !exact { // the corrected picture would show the ball elsewhere at once
				e.Commands.RestoreSnapshot(1)
			}
		case 9:
			e.SetSync([]renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.Pipelined, renderloop.RunAhead}[r.IntN(4)])
		case 10, 11, 12:
			e.SetSync(renderloop.RunAhead)
		case 13:
			if rollbacks && e.Demanded() > 4 {
				if err := e.History().Rollback(e.Demanded()-uint64(r.IntN(5)), func(c world.Commands) {
					c.DoNamed("ahead.kick", -1, float64(uint64(ball)&^(1<<63)), 3, 3)
				}); err != nil {
					t.Fatal(err)
				}
			}
		case 14, 15, 16:
			given[i] = i
			e.DoNamed("ahead.kick", float64(i), float64(uint64(ball)&^(1<<63)), 12*r.Float64()-6, 12*r.Float64()-6)
		}
		if held > 0 {
			held--
			note()
			if e.Force(ball, world.Vec{X: 5, Y: 12}); held == 0 {
				held = -1
			}
		} else if held < 0 {
			held = 0
			note() // the end of the force is seen like a command
		}
		before := e.View().Instant
		if e.Rate() != was {
			before = 0 // the same time is another instant in ticks, and BackwardFrames counts times
		}
		if steps && r.IntN(40) == 0 {
			e.Step(r.IntN(4))
		} else {
			e.Advance(d)
		}
		happened(e)
		v := e.View()
		if v.Instant < before {
			t.Fatalf("seed %d, frame %d: from %v back to %v", seed, i, before, v.Instant)
		}
		if ns, frac := e.Ledger().Imbalance(); ns != 0 || frac != 0 {
			t.Fatalf("seed %d, frame %d: the ledger is out by %d ns and %d", seed, i, ns, frac)
		}
		p, _ := e.Pose(ball)
		seen = append(seen, seenFrame{v.Instant, p.X, p.Y})
	}
	last := lastPicture(e)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if f := e.Failure(); f != nil {
		t.Fatalf("seed %d: %v", seed, f)
	}
	if err := last.shownBy(file.Bytes()); err != nil {
		t.Errorf("seed %d: the recording: %v", seed, err)
	}
	boxed, err := e.History().BlackBox()
	if err == nil {
		err = last.shownBy(boxed)
	}
	if err != nil {
		t.Errorf("seed %d: the black box: %v", seed, err)
	}
	if n := e.Metrics().BackwardFrames; n != 0 {
		t.Errorf("seed %d: %d frames went back", seed, n)
	}
	ticks := kickTicks
	kickTicks = map[int]uint64{}
	rec, err := engine.ReadRecording(&file)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if _, err := rec.Verify(setup); err != nil {
		t.Errorf("seed %d, %v a step: %v", seed, cost, err)
		return
	}
	if exact {
		if n := comparePoses(t, seed, rec, setup, ball, seen, given, ticks); n < frames/4 {
			t.Logf("seed %d: only %d of %d frames could be compared", seed, n, frames)
		}
	}
}

// comparePoses compares the pictures of the frames with blends of the recording's ticks. It leaves
// out frames that a later command changed. It returns the number of frames that it has compared.
func comparePoses(t *testing.T, seed uint64, rec *engine.Recording, setup func(*world.World) error, ball world.Body, seen []seenFrame, given map[int]int, ticks map[int]uint64) (compared int) {
	t.Helper()
	p, err := rec.Player(setup, engine.PlayerOptions{Memory: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var at []world.Vec
	for tick := uint64(0); tick <= rec.Ticks; tick++ {
		if err := p.Seek(tick); err != nil {
			t.Fatal(err)
		}
		b, _ := p.World().Body(ball)
		at = append(at, b.Position)
	}
	for i, f := range seen {
		lo, hi := uint64(f.instant), uint64(math.Ceil(f.instant))
		known := hi <= rec.Ticks
		for k := range given {
			if tick, ok := ticks[k]; k > i && (!ok || tick < hi) {
				known = false
			}
		}
		if !known {
			continue
		}
		compared++
		s := f.instant - float64(lo)
		x, y := at[lo].X*(1-s)+at[hi].X*s, at[lo].Y*(1-s)+at[hi].Y*s
		if far := math.Hypot(f.x-x, f.y-y); far > 1e-3 {
			t.Errorf("seed %d, frame %d: tick %v is shown %v m off", seed, i, f.instant, far)
			return compared
		}
	}
	return compared
}

// The run runs ahead and uses all features. Its recording verifies, because the ticks that became
// due are those of a run with the same commands and without predictions. The pictures of the frames
// are blends of the recording's ticks.
func TestARunAheadIsWhatItsRecordingSays(t *testing.T) {
	runs := uint64(norace.Rounds(whole.Rounds(60, 15), 4))
	for seed := range runs {
		aheadSession(t, seed, 240)
	}
	for _, seed := range []uint64{148, 644, swapPacing + 49} { // they found something once
		aheadSession(t, seed, 240)
	}
}

// While a step hangs, only one frame waits for it, and later frames do not.
func TestAStepThatHangsCostsRunAheadOneWait(t *testing.T) {
	var ball world.Body
	var hang atomic.Bool
	e, err := engine.New(engine.Config{
		Setup: func(w *world.World) error {
			w.AddController(world.ControllerFunc(func(*world.World, float64) {
				for hang.Load() {
					runtime.Gosched()
				}
			}))
			return court(&ball)(w)
		},
		Time: engine.Time{Sync: renderloop.RunAhead, WaitBudget: 10 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	defer hang.Store(false)
	for n := 0; ; n++ { // if physics is behind when the step hangs, no frame waits
		hang.Store(true)
		before := e.Metrics().MissedWaits
		for i := range 100 {
			e.SetVelocity(ball, world.Vec{X: float64(i % 7)})
			e.Frame()
		}
		// on a busy machine, one more frame may have waited for an earlier step
		if missed := e.Metrics().MissedWaits - before; missed > 2 {
			t.Fatalf("%d frames of 100 waited in vain", missed)
		} else if missed > 0 {
			return
		}
		hang.Store(false)
		if n == 1000 {
			t.Fatal("no frame has waited for the step that hangs")
		}
		time.Sleep(time.Millisecond)
	}
}

// When the mode changes, the picture neither jumps nor moves backwards.
func TestSetSyncToAndFromRunAheadIsNotSeen(t *testing.T) {
	norace.Only(t)
	for _, other := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep} {
		var ball world.Body
		e := start(t, engine.Config{Setup: court(&ball), Time: engine.Time{Simulated: true}})
		const advance = 60. / 144
		for n := range 800 {
			if n%100 == 0 {
				e.SetSync([]renderloop.Sync{renderloop.RunAhead, other}[n/100%2])
			}
			before := e.View().Instant
			moved := e.Advance(time.Second/144).Instant - before
			// Pipelined shows the clock of the frame before, so its picture stands still once
			if most := advance * (1 + 1./64); n > 10 && (moved > most+1e-3 || moved < advance*(1-1./16)-1e-3 && n%100 != 0 || moved < 0) {
				t.Errorf("%v: frame %d moves by %v ticks of %v", other, n, moved, advance)
			}
		}
	}
}

// Bodies that a command does not affect move in the same way as without the fast body.
func TestACorrectionDoesNotMoveWhatItDoesNotReach(t *testing.T) {
	norace.Only(t)
	play := func(kick bool) (shown []string) {
		var ball world.Body
		setup := func(w *world.World) error {
			for i := range 6 {
				if _, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 100, Y: float64(i) * .7}, Shapes: []world.ShapeDef{world.Box(.3, .3)}}); err != nil {
					return err
				}
			}
			return court(&ball)(w)
		}
		e := start(t, engine.Config{Setup: setup, Time: engine.Time{Sync: renderloop.RunAhead, Simulated: true}})
		for n := range 200 {
			if kick && n%3 == 0 {
				e.SetVelocity(ball, world.Vec{X: float64(n % 7), Y: 5})
			}
			v := e.Advance(time.Second / 100)
			shown = append(shown, fmt.Sprint(v.Instant, v.Prev[:6], v.Cur[:6]))
		}
		return shown
	}
	if with, without := play(true), play(false); !slices.Equal(with, without) {
		t.Error("a body moves otherwise because another one was kicked")
	}
}

// By default an event comes when its tick is due. With EventsAtOnce it comes with the prediction.
// If a command then prevents the event, it is retracted.
func TestEventsAtOnceOfARunAheadComeWithThePrediction(t *testing.T) {
	norace.Only(t)
	for _, atOnce := range []bool{false, true} {
		var ball world.Body
		e := start(t, engine.Config{Setup: court(&ball), Time: engine.Time{Sync: renderloop.RunAhead, EventsAtOnce: atOnce}})
		early, retracted := false, false
		for range 200 {
			e.Advance(time.Second / 60)
			for ev := range e.Events() {
				if ev.Kind == world.ContactBegin && (ev.A == ball || ev.B == ball) && ev.Tick > e.Demanded() {
					early = true
					e.SetVelocity(ball, world.Vec{Y: 5}) // away
				}
				retracted = retracted || ev.Kind == world.EventRetracted && ev.Was == world.ContactBegin
			}
		}
		if early != atOnce || retracted != atOnce {
			t.Errorf("at once %v: early %v, retracted %v", atOnce, early, retracted)
		}
	}
}

// A command changes the picture at once, or gradually with CorrectionBlend. The final picture is
// the same.
func TestACorrectionIsBlendedOnRequest(t *testing.T) {
	norace.Only(t)
	for _, hz := range []int{60, 144, 300} {
		var end [2]float64
		for i, blend := range []time.Duration{0, 100 * time.Millisecond} {
			var ball world.Body
			e := start(t, engine.Config{
				Time: engine.Time{Sync: renderloop.RunAhead, CorrectionBlend: blend}, World: world.Config{NoGravity: true},
				Setup: func(w *world.World) (err error) {
					ball, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, NoSleep: true, Shapes: []world.ShapeDef{world.Circle(.4)}})
					return err
				},
			})
			farthest, x := 0., 0.
			for n := range 2 * hz {
				if n > hz/2 && n < hz && n%(hz/10) == 0 { // the ball becomes faster by 9 m/s, and later slower by 9 m/s
					e.SetVelocity(ball, world.Vec{X: 9 * float64(n/(hz/10)%2)})
				}
				e.Advance(time.Second / time.Duration(hz))
				p, _ := e.Pose(ball)
				farthest = max(farthest, math.Abs(p.X-x))
				x = p.X
			}
			// the lead is the length of a step and a frame
			frame, leap := 9/float64(hz), 9*(1./60+1/float64(hz))
			if least := .9 * (frame + leap); blend == 0 && farthest < least {
				t.Errorf("%d Hz: in a frame the ball moves by %.3f m at most, want %.3f", hz, farthest, least)
			}
			if most := 1.2 * (frame + leap*10/float64(hz)); blend > 0 && farthest > most {
				t.Errorf("%d Hz, blended: in a frame the ball moves by %.3f m, want at most %.3f", hz, farthest, most)
			}
			end[i] = x
		}
		if end[0] != end[1] {
			t.Errorf("%d Hz: the ball ends at %v, and blended at %v", hz, end[0], end[1])
		}
	}
}

// There are several steps in a frame. Physics is then further ahead than the three states of the
// exchange.
func TestATimeScaleThatChangesInRunAheadNeitherLeapsNorStands(t *testing.T) {
	for _, c := range []struct {
		hz, fps  int64
		from, to float64
		frames   int // before the change
	}{
		{60, 60, 1, .1, 300}, {240, 60, 1, .1, 300}, {120, 30, 1, .1, 300}, {60, 60, 4, 1, 300}, {500, 60, 1, .02, 300}, {240, 60, .1, 1, 300},
		{1000, 60, .5, 1, 300}, {120, 30, 1, 2, 6}, {60, 60, 1, 2, 1}, {500, 144, 1, .1, 3},
	} {
		var b world.Body
		e, err := engine.New(engine.Config{
			Setup: func(w *world.World) (err error) {
				b, err = w.CreateBody(world.BodyDef{Kind: world.Kinematic, Velocity: world.Vec{X: 1}, Shapes: []world.ShapeDef{world.Circle(1)}})
				return err
			},
			Time: engine.Time{Simulated: true, Sync: renderloop.RunAhead, Rate: clock.Hz(c.hz)},
		})
		if err = errors.Join(err, e.SetScale(c.from)); err != nil {
			t.Fatal(err)
		}
		frame := time.Second / time.Duration(c.fps)
		for range c.frames {
			e.Advance(frame)
		}
		if err := e.SetScale(c.to); err != nil {
			t.Fatal(err)
		}
		p, _ := e.Pose(b)
		for n := range 30 {
			e.Advance(frame)
			q, _ := e.Pose(b)
			// the lead changes by at most a sixteenth of the distance
			if speed := (q.X - p.X) * float64(c.fps); speed < .93*c.to || speed > 1.02*c.to {
				t.Errorf("%d Hz, %d frames a second, scale %v to %v: frame %d moves at %.4f m/s", c.hz, c.fps, c.from, c.to, n, speed)
			}
			p = q
		}
		e.Close()
	}
}

// After a pause the lead is small. The picture is behind the newest due tick, and a command may move
// physics to other ticks than the shown ones.
func TestWhatReachesPhysicsBehindRunAheadsPictureDoesNotMoveIt(t *testing.T) {
	var file bytes.Buffer
	for what, do := range map[string]func(e *engine.Engine, b world.Body) error{
		"push": func(e *engine.Engine, b world.Body) error { e.Impulse(b, world.Vec{}); return nil },
		"kept": func(e *engine.Engine, _ world.Body) error { e.KeepSnapshot(1); return nil },
		"rollback": func(e *engine.Engine, _ world.Body) error {
			return e.History().Rollback(e.Demanded()-1, func(world.Commands) {})
		},
		"record": func(e *engine.Engine, _ world.Body) error {
			return e.History().StartRecording(engine.RecordOptions{W: &file})
		},
		"stop":         func(e *engine.Engine, _ world.Body) error { return e.History().StopRecording() },
		"black box":    func(e *engine.Engine, _ world.Body) error { _, err := e.History().BlackBox(); return err },
		"frame of 0 s": func(e *engine.Engine, _ world.Body) error { e.Advance(0); return nil },
	} {
		for _, to := range []float64{.1, 1} {
			for at := 20; at < 26; at++ {
				c := engine.Config{Time: engine.Time{Sync: renderloop.RunAhead, Rate: clock.Hz(50)}}
				switch what {
				case "rollback":
					c.History.Rollback.Ticks = 8
				case "stop":
					c.History.Record = &engine.RecordOptions{W: &file}
				case "black box":
					c.History.BlackBox = &engine.BlackBoxOptions{InMemory: true}
				}
				e, b := mover(t, c)
				last, scale := 0., 1.
				for n := range 34 {
					e.SetPaused(n == 10)
					switch n {
					case 12:
						scale = 2
					case at:
						scale = to
					}
					err := e.SetScale(scale)
					if n == at+1 {
						err = errors.Join(err, do(e, b))
					}
					if err != nil {
						t.Fatal(err)
					}
					e.Advance(time.Second / 30)
					x, want := shownX(e, b), scale/30
					if moved := x - last; n > 12 && (moved < .93*want-1e-5 || moved > 1.07*want+1e-5) {
						t.Errorf("%s, scale %v in frame %d: want frame %d to move by %.5f m, got %.5f", what, to, at, n, want, moved)
					}
					last = x
				}
				e.Close()
			}
		}
	}
}

func TestARateThatChangesInRunAheadDoesNotMoveThePicture(t *testing.T) {
	rates := []int64{7, 50, 60, 1000}
	for at := 0; at < 2*6*2*3*len(rates)*len(rates); at += norace.Rounds(1, 35) {
		n := at
		pick := func(of int) (i int) { n, i = n/of, n%of; return i }
		from, to := rates[pick(len(rates))], rates[pick(len(rates))]
		frames, scale := []int{0, 1, 2, 5, 9, 150}[pick(6)], float64(pick(2)) // the number of frames before the change, and the scale after it
		then, frame := []string{"", "pause", "pipelined"}[pick(3)], time.Second/[]time.Duration{34, 60}[pick(2)]
		e, b := mover(t, engine.Config{Time: engine.Time{Sync: renderloop.RunAhead, Rate: clock.Hz(from)}})
		for range frames {
			e.Advance(frame)
		}
		x := shownX(e, b)
		err := e.SetScale(scale)
		for range frames % 3 {
			e.Advance(0)
		}
		if err = errors.Join(err, e.SetRate(clock.Hz(to))); err != nil {
			t.Fatal(err)
		}
		want := scale * frame.Seconds()
		switch then {
		case "pause":
			e.SetPaused(true)
			want = 0
		case "pipelined":
			e.SetSync(renderloop.Pipelined)
			want = 0 // the picture stands still until the clock has reached it
		}
		what := fmt.Sprintf("%d to %d Hz after %d frames of %v, scale %v, %s", from, to, frames, frame, scale, then)
		for n := range 4 {
			e.Advance(frame)
			was := x
			if x = shownX(e, b); frames+n == 0 && scale > 0 {
				continue // the lead comes
			}
			if moved := x - was; moved < .93*want-2e-5 || moved > 1.07*want+2e-5 && then != "pipelined" {
				t.Errorf("%s: want frame %d to move by %.5f m, got %.5f", what, n, want, moved)
			}
		}
		if n := e.Metrics().BackwardFrames; n != 0 {
			t.Errorf("%s: want no frame backward, got %d", what, n)
		}
		e.Close()
	}
}

// RunAhead begins at the instant that Pipelined shows, one frame behind the clock, and gradually
// comes closer to the clock.
func TestATimeScaleThatChangesWhenRunAheadHasJustBegunShowsAtMostTheFrameBefore(t *testing.T) {
	for _, hz := range []int64{60, 500} {
		e, b := mover(t, engine.Config{Time: engine.Time{Rate: clock.Hz(hz)}})
		const frame = time.Second / 100
		x, before := 0., .02 // the picture moves by `before` in a frame, in m
		for n, scale := range slices.Concat(slices.Repeat([]float64{2}, 30), slices.Repeat([]float64{.02}, 30)) {
			if n == 22 {
				e.SetSync(renderloop.RunAhead)
			}
			if err := e.SetScale(scale); err != nil {
				t.Fatal(err)
			}
			e.Advance(frame)
			was, want := x, scale*frame.Seconds()
			x = shownX(e, b)
			if moved := x - was; n > 12 && (moved < .93*want-2e-5 || moved > 1.07*max(want, before)+2e-5) {
				t.Errorf("%d Hz: want frame %d to move by %.5f to %.5f m, got %.5f", hz, n, want, max(want, before), moved)
			}
			before = want
		}
	}
}
