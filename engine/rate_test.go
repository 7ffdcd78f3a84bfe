package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"halfstep/engine"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
)

// In qu3e issue 49 a user asks to change the step while a program runs. The world must
// continue at its pace. The picture must neither jump nor slow down for the rest of a
// step of the old length.
func TestAChangeOfTheRateIsNotSeen(t *testing.T) {
	for _, sync := range syncs {
		for _, r := range norace.Some([][2]int64{{30, 60}, {60, 10}, {60, 120}, {10, 60}, {60, 30}, {7, 1000}, {1000, 7}}, 2) {
			t.Run(fmt.Sprintf("%v, %d to %d Hz", sync, r[0], r[1]), func(t *testing.T) {
				for phase := range norace.Rounds(8, 1) {
					e, b := mover(t, engine.Config{Time: engine.Time{Sync: sync, Rate: clock.Hz(r[0])}})
					last := 0.0
					for f := range 240 {
						switch f {
						case 150 + 3*phase:
							_ = e.SetRate(clock.Hz(r[1]))
						case 190 + phase: // back to the old rate, in the middle of a step
							_ = e.SetRate(clock.Hz(r[0]))
						}
						e.Advance(time.Second / 144)
						x := shownX(e, b)
						if speed := (x - last) * 144; f > 144 && (speed < .9 || speed > 1.1) {
							t.Fatalf("phase %d, frame %d: %.3f m/s", phase, f, speed)
						}
						last = x
					}
					if m := e.Metrics(); m.BackwardFrames != 0 || math.Abs(m.Dropped) > 1e-9 {
						t.Errorf("phase %d: %d frames backward, %v s dropped", phase, m.BackwardFrames, m.Dropped)
					}
				}
			})
		}
	}
}

// The rate changes in every frame, as when a user drags a slider.
func TestARateThatChangesAllTheTimeIsNotSeen(t *testing.T) {
	norace.Only(t)
	for _, sync := range syncs {
		e, b := mover(t, engine.Config{Time: engine.Time{Sync: sync}})
		last := 0.0
		for f := range 600 {
			if f > 200 {
				_ = e.SetRate(clock.Hz(int64(20 + f*37%400)))
			}
			e.Advance(time.Second / 100)
			x := shownX(e, b)
			if speed := (x - last) * 100; f > 100 && (speed < .9 || speed > 1.1) {
				t.Fatalf("%v, frame %d: %.3f m/s", sync, f, speed)
			}
			last = x
		}
	}
}

// rateChanges returns the recording of a run of 2 s: one second at 60 steps a second,
// and one second at 120.
func rateChanges(t *testing.T, c engine.Config) *engine.Recording {
	t.Helper()
	var file bytes.Buffer
	c.History.Record = &engine.RecordOptions{W: &file}
	e, _ := mover(t, c)
	for f := range 288 {
		if f == 144 {
			if err := e.SetRate(clock.Hz(120)); err != nil {
				t.Fatal(err)
			}
		}
		e.Advance(time.Second / 144)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return read(t, file.Bytes())
}

// A replay must take as long as the run took, move as fast, and report the rate of the
// run.
func TestAReplayFollowsAChangeOfTheRate(t *testing.T) {
	r := rateChanges(t, engine.Config{})
	if got := r.TimeAt(r.Ticks); got < 1980*time.Millisecond || got > 2020*time.Millisecond {
		t.Errorf("the recording says that it takes %v", got)
	}
	if tick := r.TickAt(r.TimeAt(100)); tick != 100 {
		t.Errorf("tick 100 is at %v, where tick %d is", r.TimeAt(100), tick)
	}
	for _, sync := range syncs {
		for _, fps := range norace.Some([]int{5, 144, 60}, 2) {
			c := r.Config(nil)
			c.Time.Sync = sync
			e, b := mover(t, c)
			last, frames := 0.0, 0
			for ; e.Demanded() < r.Ticks && frames < 10*fps; frames++ {
				v := e.Advance(time.Second / time.Duration(fps))
				x := shownX(e, b)
				if speed := (x - last) * float64(fps); frames > fps/4+1 && x < 1.9 && (speed < .9 || speed > 1.1) {
					t.Errorf("%v, %d fps, frame %d: %.3f m/s", sync, fps, frames, speed)
				}
				if want := 1 / 60.; v.Tick > 0 && v.Tick < 50 && v.Dt != want || v.Tick > 70 && v.Dt != want/2 {
					t.Errorf("%v, %d fps, frame %d: the step to tick %d took %v s", sync, fps, frames, v.Tick, v.Dt)
				}
				last = x
			}
			if took := float64(frames) / float64(fps); took < 1.95 || took > 2.05+1/float64(fps) {
				t.Errorf("%v, %d fps: the replay took %v s", sync, fps, took)
			}
			if e.Rate() != clock.Hz(120) {
				t.Errorf("the replay ends at %v", e.Rate())
			}
			if err := e.SetRate(clock.Hz(30)); err == nil {
				t.Error("a replay has taken another rate")
			}
			if err := e.History().Seek(10); err != nil {
				t.Fatal(err)
			}
			e.Advance(0)
			if e.Rate() != clock.Hz(60) {
				t.Errorf("after a seek to tick 10: %v", e.Rate())
			}
			if err := e.Failure(); err != nil {
				t.Error(err)
			}
		}
	}
}

// begun is a watcher's stream. The channel on is closed when the stream begins.
type begun struct {
	bytes.Buffer
	on   chan struct{}
	once sync.Once
}

func (b *begun) Write(p []byte) (int, error) {
	b.once.Do(func() { close(b.on) })
	return b.Buffer.Write(p)
}

// watchedBy streams the commands or the states of an engine until the stream is closed.
// It returns when the stream has begun.
func watchedBy(e *engine.Engine, stream func(context.Context, io.Writer) error) (*begun, <-chan error) {
	file, over := &begun{on: make(chan struct{})}, make(chan error, 1)
	go func() { over <- stream(context.Background(), file) }()
	for {
		select {
		case <-file.on:
			return file, over
		default:
			e.Advance(0)
			time.Sleep(time.Millisecond)
		}
	}
}

// A watcher sees a run at the pace of the run, whether the watcher gets commands or
// states.
func TestAWatcherFollowsAChangeOfTheRate(t *testing.T) {
	for _, states := range []bool{false, true} {
		e, _ := mover(t, engine.Config{})
		stream := e.History().Stream
		if states {
			stream = e.History().StreamStates
		}
		file, over := watchedBy(e, stream)
		for f := range 288 {
			if f == 144 {
				_ = e.SetRate(clock.Hz(120))
			}
			e.Advance(time.Second / 144)
		}
		e.Close()
		if err := <-over; err != nil {
			t.Fatal(err)
		}
		r := read(t, file.Bytes())
		if r.States != states || r.Rate != clock.Hz(60) {
			t.Errorf("states %v, %v a second", r.States, r.Rate)
		}
		f := start(t, r.Config(nil))
		frames := 0
		for ; f.Demanded() < r.Ticks && frames < 1000; frames++ {
			f.Advance(time.Second / 144)
		}
		if took := float64(frames) / 144; took < 1.95 || took > 2.05 {
			t.Errorf("states %v: the run of 2 s took its watcher %v s", states, took)
		}
		if f.Rate() != clock.Hz(120) {
			t.Errorf("states %v: it ends at %v", states, f.Rate())
		}
	}
}

// A recording that begins after a change of the rate has the rate that is valid at its
// beginning.
func TestARecordingThatBeginsAfterSetRateNamesTheRightRate(t *testing.T) {
	for _, steps := range []int{0, 7} {
		var file bytes.Buffer
		e, _ := mover(t, engine.Config{})
		e.Step(20)
		if err := e.SetRate(clock.Rate{Num: 2997, Den: 50}); err != nil {
			t.Fatal(err)
		}
		e.Step(1)
		if err := e.History().StartRecording(engine.RecordOptions{W: &file}); err != nil {
			t.Fatal(err)
		}
		e.Step(steps)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if r := read(t, file.Bytes()); r.Rate != (clock.Rate{Num: 2997, Den: 50}) {
			t.Errorf("%d steps: %v a second", steps, r.Rate)
		}
	}
}

// In Godot issue 49426 and openrw issue 297, the limit on steps in a frame made the
// world slow at a low frame rate or a high step rate, although steps were quick.
func TestASlowPictureDoesNotSlowDownAWorldOfQuickSteps(t *testing.T) {
	norace.Only(t)
	for _, sync := range syncs {
		for _, c := range norace.Some([]struct{ hz, fps int }{{60, 10}, {240, 30}, {60, 5}, {240, 10}, {1000, 60}, {1000, 5}, {30, 4}}, 2) {
			e, b := mover(t, engine.Config{Time: engine.Time{Sync: sync, Rate: clock.Hz(int64(c.hz))}})
			for range 10 * c.fps {
				e.Advance(time.Second / time.Duration(c.fps))
			}
			if d := e.Metrics().Dropped; math.Abs(d) > 1e-9 {
				t.Errorf("%v, %d Hz at %d fps: %v s dropped", sync, c.hz, c.fps, d)
			}
			if x := shownX(e, b); x < 9.4 {
				t.Errorf("%v, %d Hz at %d fps: %v s of 10", sync, c.hz, c.fps, x)
			}
		}
	}
}

// The number that the user has set stays valid, whatever steps cost. The number 0
// restores the default.
func TestMaxStepsIsTheBoundThatWasAskedFor(t *testing.T) {
	e, _ := mover(t, engine.Config{Time: engine.Time{MaxSteps: 3}})
	if n := e.Advance(200 * time.Millisecond).Steps; n != 3 {
		t.Errorf("%d steps, the bound is 3", n)
	}
	if err := e.SetMaxSteps(0); err != nil {
		t.Fatal(err)
	}
	e.Advance(0)
	if n := e.Advance(200 * time.Millisecond).Steps; n != 12 {
		t.Errorf("%d steps in 0.2 s", n)
	}
}

// In ENIGMA issue 473 a program shows a message box, and draws no frame until the user
// answers. The time counts as a pause, however long it is, and the clock does not catch
// up.
func TestAPauseInWhichNoFrameIsDrawnLeavesNoJump(t *testing.T) {
	for _, sync := range syncs {
		for name, set := range map[string]func(e *engine.Engine, on bool){
			"pause":      (*engine.Engine).SetPaused,
			"scale of 0": func(e *engine.Engine, on bool) { _ = e.SetScale(map[bool]float64{true: 0, false: 1}[on]) },
		} {
			t.Run(fmt.Sprint(sync, ", ", name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					e, b := mover(t, engine.Config{Time: engine.Time{Sync: sync, Pacing: engine.PacingOff}})
					defer e.Close()
					frame := func() float64 {
						time.Sleep(10 * time.Millisecond)
						e.Frame()
						synctest.Wait()
						return shownX(e, b)
					}
					var before float64
					for range 50 {
						before = frame()
					}
					for range 2 { // a dialog, and the next dialog at once
						time.Sleep(2 * time.Millisecond)
						set(e, true)
						time.Sleep(1500 * time.Millisecond)
						set(e, false)
					}
					for i := 1; i < 5; i++ {
						if moved := frame() - before; moved < float64(i)*.0099-.011 || moved > float64(i)*.0101+.012 {
							t.Errorf("frame %d after the pauses: %v m", i, moved)
						}
					}
					if m := e.Metrics(); m.Dropped != 0 || math.Abs(m.Paused-3) > 1e-6 || m.BackwardFrames != 0 {
						t.Errorf("dropped %v s, paused %v s, %d frames backward", m.Dropped, m.Paused, m.BackwardFrames)
					}
				})
			})
		}
	}
}
