package engine_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

// counted counts the bytes that are read.
type counted struct {
	io.Reader
	bytes atomic.Int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.bytes.Add(int64(n))
	return n, err
}

// watchBy streams an engine to a pipe.
func watchBy(t *testing.T, stream func(context.Context, io.Writer) error) *counted {
	t.Helper()
	from, to := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		to.CloseWithError(stream(ctx, to))
		close(over)
	}()
	t.Cleanup(func() {
		cancel()
		from.Close()
		<-over
	})
	return &counted{Reader: from}
}

// Earlier, a program that was minimised or stopped in its debugger made no frames, and
// sent its world to nobody. The viewer gave up after ten seconds.
func TestAProgramThatMakesNoFramesTellsItsWorldAndThatItIsThere(t *testing.T) {
	engine.SetHeartbeatInterval(t, 50*time.Millisecond)
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		for _, states := range []bool{false, true} {
			t.Run(fmt.Sprint(sync, ", states ", states), func(t *testing.T) {
				e := watched(t, engine.Config{Time: engine.Time{Sync: sync}})
				for range 30 {
					act(e)
				}
				shows := e.View().Tick
				stream := e.History().Stream
				if states {
					stream = e.History().StreamStates
				}
				from := watchBy(t, stream)
				r, err := engine.FollowRecording(from) // no frame meanwhile
				if err != nil {
					t.Fatal(err)
				}
				if r.First+6 < shows || r.First > shows+9 || r.States != states { // in RunAhead it is a due tick
					t.Errorf("it begins at tick %d; the program shows tick %d", r.First, shows)
				}
				for deadline, begun := time.Now().Add(30*time.Second), from.bytes.Load(); from.bytes.Load() < begun+100; time.Sleep(time.Millisecond) {
					if time.Now().After(deadline) {
						t.Fatal("it does not say that it is there")
					}
				}
				// The program continues as if nobody had joined.
				c := r.Config(stack)
				c.Time.Simulated = true
				f := start(t, c)
				runUntil(t, e, "the watcher comes to where the program is", func() bool {
					f.Step(100)
					return f.View().Tick > shows+30 || f.Failure() != nil
				})
				if f.Failure() != nil {
					t.Fatal(f.Failure())
				}
			})
		}
	}
}

// drifters makes a world in which all bodies move.
func drifters(n int) func(*world.World) error {
	return func(w *world.World) error {
		for i := range n {
			if _, err := w.CreateBody(world.BodyDef{
				Kind: world.Kinematic, Name: fmt.Sprint(i), Position: world.Vec{X: float64(i)}, Velocity: world.Vec{X: 1, Y: .1}, AngularVelocity: 1,
				Shapes: []world.ShapeDef{world.Circle(.1)},
			}); err != nil {
				return err
			}
		}
		return nil
	}
}

// watchFor runs both engines for that many ticks, until the follower has seen the
// ticks. It records the pictures of both.
func watchFor(t *testing.T, e, f *engine.Engine, ticks int, pictures map[uint64]string, each func()) {
	t.Helper()
	for range ticks {
		e.Step(1)
		pictures[e.View().Tick] = picture(e.View())
		for range e.Events() {
		}
	}
	for deadline := time.Now().Add(60 * time.Second); f.View().Tick < e.View().Tick; time.Sleep(time.Millisecond) {
		if f.Step(100); f.Failure() != nil || time.Now().After(deadline) {
			t.Fatalf("it has come to tick %d of %d: %v", f.View().Tick, e.View().Tick, f.Failure())
		}
		if each != nil {
			each()
		}
	}
}

// Earlier, a watcher of states kept all states: 1,000 bodies used 12 GB in an hour.
func TestWhoWatchesByStatesKeepsABoundedPast(t *testing.T) {
	norace.Only(t)
	engine.DenseKeyframes(t)
	const bodies, memory = 100, 1 << 20 // some 280 ticks
	e := start(t, engine.Config{Setup: drifters(bodies), Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}})
	e.Step(1)
	r, err := engine.ReadOptions{Memory: memory}.Follow(watchBy(t, e.History().StreamStates))
	if err != nil {
		t.Fatal(err)
	}
	c := r.Config(nil)
	c.Time.Simulated = true
	f := start(t, c)
	pictures := map[uint64]string{}
	for range norace.Rounds(16, 10) {
		watchFor(t, e, f, 50, pictures, func() {
			if r.Ticks-r.First > 400 {
				t.Fatalf("it has ticks %d to %d", r.First, r.Ticks)
			}
		})
		if got, want := picture(f.View()), picture(e.View()); f.View().Tick == e.View().Tick && got != want {
			t.Fatalf("tick %d shows\n%s\nwant\n%s", f.View().Tick, got, want)
		}
	}
	if r.First < 200 || r.Ticks-r.First < 100 {
		t.Errorf("it has ticks %d to %d", r.First, r.Ticks)
	}
	// The follower can go back to that tick, and forward again.
	for _, tick := range []uint64{r.First, r.Ticks, r.First + 7, r.First + 50} {
		if err := f.History().Seek(tick); err != nil {
			t.Fatal(err)
		}
		if f.Step(0); f.View().Tick != tick || f.Failure() != nil {
			t.Errorf("it goes to tick %d and shows tick %d: %v", tick, f.View().Tick, f.Failure())
		}
		if got := picture(f.View()); got != pictures[tick] {
			t.Errorf("tick %d shows\n%.300s\nwant\n%.300s", tick, got, pictures[tick])
		}
	}
	if err := f.History().Seek(r.First - 1); err == nil {
		t.Error("it goes back to a tick that has gone")
	}
	// another engine that plays the rest shows the same pictures
	last := r.Ticks
	c = r.Config(nil)
	c.Time.Simulated = true
	g := start(t, c)
	g.Step(int(last - g.View().Tick))
	if got, want := picture(g.View()), picture(e.View()); g.View().Tick != last || got != want {
		t.Errorf("from tick %d on, tick %d shows\n%s\nwant\n%s", r.First, g.View().Tick, got, want)
	}
}

// A user who looks at a part of the past that is dropped is moved to the oldest tick
// that is left.
func TestWhoLooksAtAPastThatGoesSeesTheOldestThatIsLeft(t *testing.T) {
	norace.Only(t)
	for _, memory := range []int64{0, -1} { // of keyframes
		e := start(t, engine.Config{Setup: drivenByCode, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}})
		e.Step(1)
		r, err := engine.ReadOptions{Memory: 200_000}.Follow(watchBy(t, e.History().StreamStates))
		if err != nil {
			t.Fatal(err)
		}
		c := r.Config(nil)
		c.Time.Simulated, c.History.SeekMemory = true, memory
		f := start(t, c)
		pictures := map[uint64]string{}
		for range 40 {
			f.Advance(0) // the follower takes the new ticks, and stays at its own tick
			e.Step(1)
			pictures[e.View().Tick] = picture(e.View())
			for range e.Events() {
			}
		}
		f.SetPaused(true)
		jumps, shown := 0, f.View().Tick
		for deadline := time.Now().Add(60 * time.Second); jumps < 3; {
			for range 10 {
				e.Step(1)
				pictures[e.View().Tick] = picture(e.View())
				for range e.Events() {
				}
			}
			time.Sleep(time.Millisecond)
			f.Advance(time.Second / 60)
			if f.Failure() != nil || time.Now().After(deadline) {
				t.Fatalf("at tick %d of %d to %d: %v", f.View().Tick, r.First, r.Ticks, f.Failure())
			}
			if tick := f.View().Tick; tick != shown {
				jumps, shown = jumps+1, tick
				if tick < r.First {
					t.Fatalf("it shows tick %d; the oldest is %d", tick, r.First)
				}
				if got := picture(f.View()); got != pictures[tick] {
					t.Fatalf("tick %d shows\n%s\nwant\n%s", tick, got, pictures[tick])
				}
			}
		}
		f.SetPaused(false)
		watchFor(t, e, f, 5, pictures, nil)
		if got := picture(f.View()); got != picture(e.View()) {
			t.Errorf("tick %d shows\n%s\nwant\n%s", f.View().Tick, got, picture(e.View()))
		}
	}
}

// A recording of commands is useless without its beginning, so its follower gets an
// error.
func TestWhoFollowsWhatHappensIsToldWhenItIsTooMuch(t *testing.T) {
	e := watched(t, engine.Config{})
	act(e)
	r, err := engine.ReadOptions{Memory: 20_000}.Follow(watchBy(t, e.History().Stream))
	if err != nil {
		t.Fatal(err)
	}
	runUntil(t, e, "it ends", func() bool { return r.Err() != nil })
	if err := r.Err(); !strings.Contains(err.Error(), "join again") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}
