package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/scene"
	"halfstep/test/norace"
	"halfstep/world"
)

// watched returns an engine for watchers: the stack, with kicks and new bodies.
func watched(t *testing.T, c engine.Config) *engine.Engine {
	t.Helper()
	c.Setup, c.Time.Simulated = stack, true
	c.History.Watch = engine.WatchOptions{Scene: "stack", Data: []byte("bricks"), CameraMax: world.Vec{X: 3, Y: 4}}
	return start(t, c)
}

// act runs a frame with a random action.
func act(e *engine.Engine) {
	switch tick := e.View().Tick; {
	case tick%7 == 0:
		e.DoNamed("test kick", float64(tick%5)-2, 3)
	case tick%11 == 0:
		e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(tick % 3), Y: 20}, Shapes: []world.ShapeDef{world.Circle(.4)}})
	}
	e.Advance(time.Second / 60)
}

// stream streams an engine to a pipe. It returns the other end of the pipe, and the
// result of Stream.
func stream(t *testing.T, e *engine.Engine) (*io.PipeReader, chan error) {
	t.Helper()
	from, to := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	t.Cleanup(func() { from.Close() })
	over := make(chan error, 1)
	go func() {
		err := e.History().Stream(ctx, to)
		to.CloseWithError(err)
		over <- err
	}()
	return from, over
}

// runUntil makes frames until a condition is true.
func runUntil(t *testing.T, e *engine.Engine, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		act(e)
	}
}

// follower follows a stream with another engine.
func follower(t *testing.T, from io.Reader) (*engine.Recording, *engine.Engine) {
	t.Helper()
	r, err := engine.FollowRecording(from)
	if err != nil {
		t.Fatal(err)
	}
	c := r.Config(stack)
	c.Time.Simulated = true
	return r, start(t, c)
}

func hashOf(t *testing.T, e *engine.Engine) (hash uint64) {
	t.Helper()
	e.Inspect(func(w *world.World) { hash = w.StateHash() })
	e.Step(0)
	return hash
}

func TestAWatcherComputesTheSameWorldTickByTick(t *testing.T) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		e := watched(t, engine.Config{World: world.Config{Stepper: stepper}})
		for range 50 {
			act(e)
		}
		from, over := stream(t, e)
		var f *engine.Engine
		var r *engine.Recording
		ready := make(chan struct{})
		go func() {
			defer close(ready)
			r, f = follower(t, from)
		}()
		runUntil(t, e, "a watcher", func() bool {
			select {
			case <-ready:
				return true
			default:
				return false
			}
		})
		if r.Scene != "stack" || string(r.Data) != "bricks" || r.First < 40 || !r.Live || (r.CameraMax != world.Vec{X: 3, Y: 4}) {
			t.Fatalf("%v: %+v", stepper, r)
		}
		// Each step of the follower is compared with the recorded hash.
		for range norace.Rounds(300, 100) {
			act(e)
		}
		want, tick := hashOf(t, e), e.View().Tick
		stepTo(t, f, tick)
		if got := hashOf(t, f); got != want || f.Failure() != nil {
			t.Errorf("%v: tick %d has hash %x, watched %x: %v", stepper, tick, got, want, f.Failure())
		}
		if err := errors.Join(e.Close(), <-over); err != nil {
			t.Error(err)
		}
		for r.Live {
			f.Advance(0)
		}
		if r.Cut || r.Err() != nil || r.Ticks != tick {
			t.Errorf("%v: at the end: %+v, %v", stepper, r, r.Err())
		}
	}
}

// stepTo steps a follower to a tick while the follower's recording grows.
func stepTo(t *testing.T, f *engine.Engine, tick uint64) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); f.View().Tick < tick && f.Failure() == nil; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it has come to tick %d of %d", f.View().Tick, tick)
		}
		f.Step(int(tick - f.View().Tick))
	}
}

// streamed is the result of Stream after Stream has returned.
type streamed struct {
	bytes.Buffer
	began chan struct{} // began is closed when the first bytes arrive.
	err   chan error
}

func (s *streamed) Write(b []byte) (int, error) {
	if s.Len() == 0 {
		close(s.began)
	}
	return s.Buffer.Write(b)
}

func streamTo(e *engine.Engine) *streamed { return streamBy(e.History().Stream) }

func streamBy(stream func(context.Context, io.Writer) error) *streamed {
	s := &streamed{began: make(chan struct{}), err: make(chan error, 1)}
	go func() { s.err <- stream(context.Background(), s) }()
	return s
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestWhatIsStreamedIsTheRecordingOfTheRunForWhoeverComesAndWhenever(t *testing.T) {
	engine.FeedEvery(t, 100*time.Microsecond) // this finds entries that are written too early
	for name, c := range map[string]engine.Config{
		"plain":                     {},
		"black box":                 {History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{InMemory: true}}},
		"dense black box":           {History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{InMemory: true, Memory: 1 << 20}}},
		"rollback":                  {History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 8}}},
		"rollback with a black box": {History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 8, Every: 3}, BlackBox: &engine.BlackBoxOptions{InMemory: true, Length: time.Second}}},
		"run-ahead":                 {Time: engine.Time{Sync: renderloop.RunAhead}},
	} {
		t.Run(name, func(t *testing.T) {
			e := watched(t, c)
			var all []*streamed
			for n := range norace.Rounds(4, 2) {
				for range 40 + n {
					act(e)
					if tick := e.Demanded(); c.History.Rollback.Ticks > 0 && tick%5 == 0 && tick > 10 {
						if err := e.History().Rollback(tick-3, func(c world.Commands) { c.At(tick-2).Impulse(3, world.Vec{X: 2}) }); err != nil {
							t.Fatal(err)
						}
					}
				}
				s := streamTo(e)
				all = append(all, s)
				runUntil(t, e, "a watcher", func() bool { return closed(s.began) })
			}
			for range 30 {
				act(e)
			}
			at := e.Demanded() // in RunAhead the last tick may be missing
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			for n, s := range all {
				if err := <-s.err; err != nil {
					t.Fatal(err)
				}
				live, err := engine.FollowRecording(bytes.NewReader(s.Bytes()))
				if err != nil {
					t.Fatal(err)
				}
				f := start(t, live.Config(stack))
				for live.Live || f.View().Tick < live.Ticks && f.Failure() == nil {
					f.Step(1)
				}
				if live.Err() != nil || f.Failure() != nil {
					t.Errorf("watcher %d: %v, %v", n, live.Err(), f.Failure()) // a part of what the watcher has seen was withdrawn
				}
				r, err := engine.ReadRecording(&s.Buffer)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := r.Verify(stack); err != nil || got != r.FinalHash() || r.Ticks+1 < at || r.Cut {
					t.Errorf("watcher %d, from tick %d to %d of %d: hash %x, want %x: %v", n, r.First, r.Ticks, at, got, r.FinalHash(), err)
				}
				if c.History.BlackBox != nil && c.History.BlackBox.Length == 0 && r.First != 0 {
					t.Errorf("watcher %d begins at tick %d, not with the past", n, r.First)
				}
			}
		})
	}
}

func TestAWatcherThatDoesNotReadIsCutOffAndDelaysNobody(t *testing.T) {
	engine.LimitUnread(t, 1<<18)
	e := watched(t, engine.Config{})
	blocked, over := make(chan struct{}), make(chan error, 1)
	go func() { over <- e.History().Stream(context.Background(), deaf(blocked)) }()
	other := streamTo(e)
	runUntil(t, e, "the other", func() bool { return closed(other.began) })
	for i := range 4000 { // these take far more memory, in a world that stays small
		if i%50 == 0 {
			time.Sleep(10 * time.Millisecond) // the other keeps up
		}
		for range 3 {
			e.DoNamed("test kick", 0, 3)
		}
		e.Advance(time.Second / 60)
	}
	time.Sleep(200 * time.Millisecond) // wait until the last part is written
	close(blocked)
	runUntil(t, e, "an end", func() bool { return len(over) > 0 })
	if err := <-over; !errors.Is(err, engine.ErrSlowWatcher) {
		t.Error(err)
	}
	if e.Close(); <-other.err != nil {
		t.Error("the other watcher was cut off, too")
	}
}

// deaf is a writer that blocks until it is closed.
type deaf chan struct{}

func (d deaf) Write(b []byte) (int, error) { <-d; return len(b), nil }

func TestNothingIsWrittenOnceTheLastWatcherHasLeft(t *testing.T) {
	e := watched(t, engine.Config{})
	for n := range 30 { // many of them write at the same time
		ctx, leave := context.WithCancel(context.Background())
		s := &streamed{began: make(chan struct{}), err: make(chan error, 1)}
		go func() { s.err <- e.History().Stream(ctx, s) }()
		if n%10 == 9 {
			runUntil(t, e, "a watcher", func() bool { return closed(s.began) })
		}
		leave()
		if err := <-s.err; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	act(e)
	act(e)
	e.Step(0)
	if engine.Watched(e) {
		t.Error("it is still written")
	}
	if n := testing.AllocsPerRun(100, func() { e.Advance(time.Second / 60) }); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestAWatcherThatComesBetweenFramesAfterTheLastOneHasLeftSeesTheEnd(t *testing.T) {
	e := watched(t, engine.Config{})
	ctx, leave := context.WithCancel(context.Background())
	first := streamBy(func(_ context.Context, w io.Writer) error { return e.History().Stream(ctx, w) })
	<-first.began // without a frame
	leave()
	<-first.err
	second := streamTo(e)
	<-second.began
	e.Close()
	select {
	case err := <-second.err:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the stream goes on after the run")
	}
	if r, err := engine.ReadRecording(&second.Buffer); err != nil || r.Cut {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestWhatCannotBeRecordedEndsAStreamAndTheNextOneGoesOn(t *testing.T) {
	e := watched(t, engine.Config{})
	s := streamTo(e)
	runUntil(t, e, "a watcher", func() bool { return closed(s.began) })
	e.Do(func(w *world.World) { w.SetGravity(world.Vec{Y: -3}) })
	act(e)
	if err := <-s.err; err == nil || !strings.Contains(err.Error(), "given to Do") {
		t.Error(err)
	}
	s = streamTo(e)
	runUntil(t, e, "a watcher", func() bool { return closed(s.began) })
	e.Close()
	if err := <-s.err; err != nil {
		t.Error(err)
	}
	if err := e.History().Stream(context.Background(), io.Discard); err == nil {
		t.Error("an engine that has ended is streamed")
	}
}

func TestAFailureOfPhysicsEndsItsStreams(t *testing.T) {
	e := watched(t, engine.Config{})
	s := streamTo(e)
	runUntil(t, e, "a watcher", func() bool { return closed(s.began) })
	e.Inspect(func(*world.World) { panic("on purpose") })
	act(e)
	if err := <-s.err; err != nil {
		t.Error(err)
	}
	if r, err := engine.ReadRecording(&s.Buffer); err != nil || !r.Cut {
		t.Errorf("%+v, %v", r, err)
	}
}

// A stream may arrive in pieces of any size, and may end anywhere.
func TestAStreamThatIsCutOrChangedIsFollowedToThere(t *testing.T) {
	e := watched(t, engine.Config{})
	s := streamTo(e)
	runUntil(t, e, "a watcher", func() bool { return closed(s.began) })
	for range 120 {
		act(e)
	}
	e.Close()
	<-s.err
	data := s.Bytes()
	whole, err := engine.ReadRecording(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for cut := len(data); cut > 0; cut -= 1 + len(data)/40 {
		r, err := engine.FollowRecording(iotest.OneByteReader(bytes.NewReader(data[:cut])))
		if err != nil {
			continue // it does not even begin
		}
		f := start(t, r.Config(stack))
		for r.Live || f.View().Tick < r.Ticks {
			f.Step(1000)
		}
		if f.Failure() != nil || r.Ticks > whole.Ticks || r.Cut != (cut < len(data)) || r.Err() != nil {
			t.Fatalf("%d of %d bytes: tick %d of %d: %v, %v", cut, len(data), r.Ticks, whole.Ticks, f.Failure(), r.Err())
		}
		f.Close()
	}
	data[len(data)-40] ^= 4
	r, err := engine.FollowRecording(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	f := start(t, r.Config(stack))
	for r.Live {
		f.Step(1)
	}
	if !errors.Is(r.Err(), engine.ErrCorrupt) {
		t.Error(r.Err())
	}
}

// drivenByCode is a world with code that no watcher has: a controller that creates,
// moves and destroys bodies and joints.
func drivenByCode(w *world.World) error {
	if err := stack(w); err != nil {
		return err
	}
	n := 0
	var made []world.Body
	w.Keep(&n)
	w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
		switch n++; {
		case n%5 == 0:
			b, _ := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Name: fmt.Sprint("made ", n), Position: world.Vec{X: float64(n % 9), Y: 9}, Shapes: []world.ShapeDef{world.Circle(.3)}})
			made = append(made, b)
			if len(made) > 1 {
				_, _ = w.CreateJoint(world.JointDef{Kind: world.DistanceJoint, A: made[len(made)-2], B: b})
			}
		case n%11 == 0:
			w.SetKind(made[0], []world.BodyKind{world.Dynamic, world.Kinematic}[n%2])
		case n%7 == 0 && len(made) > 3:
			w.DestroyBody(made[0])
			made = made[1:]
		}
	}))
	return nil
}

// picture returns a text that describes a view.
func picture(v *scene.View[body2d.State]) string {
	var b strings.Builder
	for i := range v.Scene.Bodies {
		body := &v.Scene.Bodies[i]
		if !body.Exists {
			continue
		}
		fmt.Fprintf(&b, "%d %d %q %v %+v:", i, body.Handle, body.Name, body.Type, v.Cur[i])
		for s := range v.Scene.ShapesOf(i) {
			fmt.Fprintf(&b, " %d %+v", s.ID, s.Geometry)
		}
		b.WriteByte('\n')
	}
	var joints []string
	for _, j := range v.Scene.Joints {
		joints = append(joints, fmt.Sprintf("%+v", j))
	}
	slices.Sort(joints)
	return b.String() + strings.Join(joints, "\n")
}

func TestAWorldWithCodeIsWatchedByItsStatesForwardAndBack(t *testing.T) {
	engine.DenseKeyframes(t)
	e := start(t, engine.Config{Setup: drivenByCode, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}})
	for range 40 {
		e.Step(1)
	}
	from, to := io.Pipe()
	over := make(chan error, 1)
	go func() { err := e.History().StreamStates(context.Background(), to); to.CloseWithError(err); over <- err }()
	var r *engine.Recording
	var f *engine.Engine
	ready := make(chan struct{})
	go func() {
		defer close(ready)
		var err error
		if r, err = engine.FollowRecording(from); err != nil {
			t.Error(err)
			return
		}
		c := r.Config(nil)
		c.Time.Simulated = true
		f = start(t, c)
	}()
	want, happened := map[uint64]string{}, map[uint64][]string{}
	events := func(of *engine.Engine) (list []string) {
		for ev := range of.Events() {
			list = append(list, fmt.Sprintf("%v: %+v %v %v", ev, ev.Contact, ev.User, ev.Err))
		}
		return list
	}
	look := func() {
		e.SetFriction(7777, 1) // is rejected
		e.Step(1)
		tick := e.View().Tick
		want[tick], happened[tick] = picture(e.View()), events(e)
	}
	events(e) // the watcher does not get earlier events
	for deadline := time.Now().Add(30 * time.Second); !closed(ready); time.Sleep(time.Millisecond) {
		if look(); time.Now().After(deadline) {
			t.Fatal("nobody comes")
		}
	}
	for range norace.Rounds(200, 60) {
		look()
	}
	if !r.States || !r.Live {
		t.Fatalf("%+v", r)
	}
	last := e.View().Tick
	check := func() {
		t.Helper()
		if got := picture(f.View()); got != want[f.View().Tick] {
			t.Fatalf("tick %d shows\n%s\nwant\n%s", f.View().Tick, got, want[f.View().Tick])
		}
	}
	kinds := map[string]int{"began to touch": 0, "hit": 0, "was removed": 0, "was rejected: ": 0, "<nil>": 0}
	for f.View().Tick < last && f.Failure() == nil {
		before := f.View().Tick
		f.Step(1)
		got, tick := events(f), f.View().Tick
		if tick == before {
			continue
		}
		if check(); !slices.Equal(got, happened[tick]) {
			t.Fatalf("in tick %d happened\n%s\nwant\n%s", tick, strings.Join(got, "\n"), strings.Join(happened[tick], "\n"))
		}
		for _, event := range got {
			for kind := range kinds {
				if strings.Contains(event, kind) {
					kinds[kind]++
				}
			}
		}
	}
	for kind, n := range kinds {
		if n == 0 {
			t.Errorf("nothing %s", kind)
		}
	}
	for tick := last; tick > r.First+9; tick -= 9 {
		if err := f.History().Seek(tick); err != nil {
			t.Fatal(err)
		}
		f.Step(0)
		check()
		f.Step(3)
		check()
	}
	if f.Failure() != nil {
		t.Fatal(f.Failure())
	}
	e.Close()
	if err := <-over; err != nil {
		t.Error(err)
	}
}
