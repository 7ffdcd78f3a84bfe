package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

func TestARollbackThatCannotBeIsOneClearErrorAndNothingHappens(t *testing.T) {
	e, ball := drifter(t, engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}})
	now := e.Demanded()
	for want, got := range map[string]error{
		"tick 48 is too far back: the present tick is 59, and 10 ticks are kept": e.History().Rollback(now-11, nil),
		"tick 60 is in the future: the present tick is 59":                       e.History().Rollback(now+1, nil),
		"a command for tick 55, which is before tick 56": e.History().Rollback(now-3, func(c world.Commands) {
			c.SetVelocity(ball, world.Vec{Y: 1})
			c.At(now-4).SetVelocity(ball, world.Vec{Y: 1})
		}),
	} {
		if got == nil || got.Error() != "rollback: "+want {
			t.Errorf("error %q, want %q", got, want)
		}
	}
	if err := e.History().Rollback(now-11, nil); !errors.Is(err, engine.ErrTooOld) {
		t.Errorf("%v does not wrap ErrTooOld", err)
	}
	e.Advance(frameTime)
	if v := where(e, ball).Velocity; v != (world.Vec{X: 3}) {
		t.Errorf("the ball moves at %v", v)
	}
	if err := e.History().Rollback(e.Demanded()-10, nil); err != nil {
		t.Errorf("the last tick kept: %v", err)
	}
	e.Close()
	if err := e.History().Rollback(now, nil); err == nil || err.Error() != "rollback: physics has ended" {
		t.Errorf("after Close: %v", err)
	}

	off, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer off.Close()
	if err := off.History().Rollback(0, nil); err == nil || !strings.Contains(err.Error(), "set HistoryOptions.Rollback") {
		t.Errorf("an engine that keeps nothing: %v", err)
	}
	for _, o := range []engine.RollbackOptions{{Ticks: -1}, {Ticks: 1 << 30}, {Ticks: 9, Every: -1}, {Ticks: 9, Every: 10}, {Every: 2}} {
		if _, err := engine.New(engine.Config{History: engine.HistoryOptions{Rollback: o}}); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func TestAFailureInTicksThatRunAgainEndsPhysicsAsAnyOtherDoes(t *testing.T) {
	var armed atomic.Bool
	trap := errors.New("trap")
	e, ball := drifter(t, engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}})
	e.Do(func(w *world.World) {
		w.AddController(world.ControllerFunc(func(*world.World, float64) {
			if armed.Load() {
				panic(trap)
			}
		}))
	})
	for range 5 {
		e.Advance(frameTime)
	}
	shown, _ := e.Pose(ball)
	armed.Store(true)
	if err := e.History().Rollback(e.Demanded()-3, nil); err != nil {
		t.Fatal(err)
	}
	tick := e.View().Tick
	for range 3 {
		e.Advance(frameTime)
	}
	if err := e.Failure(); !errors.Is(err, trap) {
		t.Errorf("failure %v", err)
	}
	if p, ok := e.Pose(ball); !ok || p.X < shown.X || e.View().Tick != tick {
		t.Errorf("the picture is of tick %d with the ball at %v; before, %d and %v", e.View().Tick, p, tick, shown)
	}
	if err := e.History().Rollback(e.Demanded()-3, nil); err == nil {
		t.Error("a world that failed can be rolled back")
	}
}

func TestCloseWaitsForARollbackAndCloseWithinGivesItUp(t *testing.T) {
	for _, within := range []bool{false, true} {
		var slow atomic.Bool
		begun, release := make(chan struct{}), make(chan struct{})
		e, _ := drifter(t, engine.Config{})
		e.Do(func(w *world.World) {
			w.AddController(world.ControllerFunc(func(*world.World, float64) {
				if slow.CompareAndSwap(true, false) {
					close(begun)
					<-release
				}
			}))
		})
		for range 5 {
			e.Advance(frameTime)
		}
		slow.Store(true)
		if err := e.History().Rollback(e.Demanded()-4, nil); err != nil {
			t.Fatal(err)
		}
		go e.Advance(frameTime) // waits: time is simulated
		<-begun
		closed := make(chan error)
		if within {
			go func() { closed <- e.CloseWithin(time.Millisecond) }()
			time.Sleep(20 * time.Millisecond)
			close(release)
			<-closed
			if err := e.Failure(); !errors.Is(err, world.ErrInterrupted) {
				t.Errorf("CloseWithin: failure %v", err)
			}
			continue
		}
		go func() { closed <- e.Close() }()
		select {
		case <-closed:
			t.Error("Close did not wait")
		case <-time.After(20 * time.Millisecond):
		}
		close(release)
		if err := <-closed; err != nil || e.Failure() != nil {
			t.Errorf("%v, %v", err, e.Failure())
		}
	}
}

func TestARecordingOfARunWithRollbacksReplaysWhatHappenedInTheEnd(t *testing.T) {
	norace.Only(t)
	for seed := range uint64(3) {
		var file bytes.Buffer
		c := engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}}
		a, _ := playArena(t, c, seed, 100, 7, true)
		r, err := engine.ReadRecording(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if r.Ticks != 100 || r.Cut {
			t.Errorf("%d ticks, cut: %v", r.Ticks, r.Cut)
		}
		again := &arena{}
		hash, err := r.Verify(again.setup)
		if err != nil || hash != r.FinalHash() {
			t.Fatalf("seed %d: hash %x, want %x: %v", seed, hash, r.FinalHash(), err)
		}
		for tick := range uint64(100) {
			if again.hashes[tick] != a.hashes[tick] {
				t.Fatalf("seed %d: tick %d has another hash", seed, tick)
			}
		}
		// however early the file ends, its content can be replayed
		for _, n := range []int{3, 5, 9} {
			cut, err := engine.ReadRecording(bytes.NewReader(file.Bytes()[:file.Len()*n/10]))
			if err != nil {
				continue // within the header
			}
			if _, err := cut.Verify((&arena{}).setup); err != nil {
				t.Errorf("seed %d, cut at %d tenths: %v", seed, n, err)
			}
		}
	}
}

func TestCommandsReachWhatCallbacksMadeAlsoInTheRecordingOfARunWithRollbacks(t *testing.T) {
	var file bytes.Buffer
	e, err := engine.New(engine.Config{
		Setup: maker, Time: engine.Time{Sync: renderloop.Lockstep}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 8}, Record: &engine.RecordOptions{W: &file}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var old []world.Body
	e.Advance(frameTime)
	for i := range 4 {
		old = append(old, makeOne(t, e, i))
		if err := e.History().Rollback(e.Demanded()-3, nil); err != nil {
			t.Fatal(err)
		}
		e.Advance(frameTime)
		b, ok := e.Find(fmt.Sprint("made ", i))
		if !ok || b == old[i] {
			t.Errorf("after the rollback it is %v, %v; before %v", b, ok, old[i])
		}
		e.SetVelocity(old[i], world.Vec{X: 100}) // reaches nobody
		e.SetVelocity(b, world.Vec{X: float64(i + 1)})
		e.Advance(frameTime)
		if v := where(e, b).Velocity.X; v != float64(i+1) {
			t.Errorf("its velocity is %v", v)
		}
	}
	e.Advance(frameTime / 4)
	if err := e.History().Rollback(e.Demanded()-2, nil); err != nil {
		t.Fatal(err)
	}
	e.Advance(frameTime / 4)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := engine.ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	if alpha := float64(e.View().Alpha); math.Abs(r.Alpha-alpha) > 1e-6 || alpha == 0 {
		t.Errorf("a remainder of %v is recorded, want %v", r.Alpha, alpha)
	}
	if _, err := r.Verify(maker); err != nil {
		t.Error(err)
	}
}

// A rollback leaves a snapshot for the next rollback. The snapshot is useless once
// another rollback has gone back to an earlier tick.
func TestSnapshotsOfAnAbandonedFutureAreNotGoneBackTo(t *testing.T) {
	for _, every := range []int{0, 3, 10} {
		e, ball := drifter(t, engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 10, Every: every}}})
		back := func(ticks uint64, correct func(c world.Commands)) {
			t.Helper()
			if err := e.History().Rollback(e.Demanded()-ticks, correct); err != nil {
				t.Fatal(err)
			}
			e.Advance(0)
		}
		before := where(e, ball).Position
		back(4, nil)
		back(6, func(c world.Commands) { c.SetVelocity(ball, world.Vec{X: -3}) })
		back(4, nil)
		back(3, nil)
		if v := where(e, ball).Velocity; v != (world.Vec{X: -3}) {
			t.Errorf("a snapshot every %d ticks: the ball moves at %v m/s", every, v)
		}
		if moved := where(e, ball).Position.X - before.X; moved > -.59 || moved < -.61 {
			t.Errorf("a snapshot every %d ticks: the ball lies %v m further, not 6 times -0.1", every, moved)
		}
	}
}

// Rollbacks go back to ticks before the one at which the recordings would begin if
// they began at once.
func TestARecordingThatBeginsWhileRollbacksHappenReplays(t *testing.T) {
	norace.Only(t)
	for _, from := range []uint64{0, 50} {
		var file bytes.Buffer
		c := engine.Config{Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}}
		if from > 0 {
			c.History.Record = &engine.RecordOptions{W: &file, From: from}
		}
		a := playArenaWith(t, c, 3, 100, func(e *engine.Engine, tick uint64) {
			if from == 0 && tick == 47 {
				if err := e.History().StartRecording(engine.RecordOptions{W: &file}); err != nil {
					t.Fatal(err)
				}
			}
		})
		r, err := engine.ReadRecording(&file)
		if err != nil {
			t.Fatal(err)
		}
		if r.First >= 50 || r.First < 30 || r.Ticks != 100 {
			t.Errorf("the recording goes from tick %d to %d", r.First, r.Ticks)
		}
		again := &arena{}
		if hash, err := r.Verify(again.setup); err != nil || hash != r.FinalHash() {
			t.Fatalf("from tick %d: hash %x, want %x: %v", r.First, hash, r.FinalHash(), err)
		}
		for tick := r.First + 1; tick < 100; tick++ {
			if again.hashes[tick] != a.hashes[tick] {
				t.Fatalf("tick %d has another hash", tick)
			}
		}
	}
}

func TestABlackBoxHasWhatHappenedInTheEndAlsoWhereARollbackChangedIt(t *testing.T) {
	norace.Only(t)
	var files []string
	c := engine.Config{
		Time:    engine.Time{Sync: renderloop.Lockstep},
		History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{Dir: t.TempDir(), Length: 700 * time.Millisecond, MaxFiles: 100}},
	}
	a := playArenaWith(t, c, 5, 100, func(e *engine.Engine, tick uint64) {
		if tick%13 != 0 || tick == 0 {
			return
		}
		path, err := e.History().DumpBlackBox("test")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	})
	late := uint64(0)
	for _, path := range files {
		r, err := engine.OpenRecording(path)
		if err != nil {
			t.Fatal(err)
		}
		again := &arena{}
		if _, err := r.Verify(again.setup); err != nil {
			t.Errorf("from tick %d to %d: %v", r.First, r.Ticks, err)
		}
		// later rollbacks have replaced the guesses of that time
		for tick := r.First + 1; tick+12 < r.Ticks; tick++ {
			if again.hashes[tick] != a.hashes[tick] {
				t.Errorf("from tick %d to %d: tick %d has another hash", r.First, r.Ticks, tick)
				break
			}
		}
		late = max(late, r.First)
	}
	if late < 40 {
		t.Errorf("the last file begins at tick %d", late)
	}
}

// playArenaWith does the same as playArena, with rollbacks of all lengths, and
// with a call before each frame.
func playArenaWith(t *testing.T, c engine.Config, seed uint64, ticks uint64, each func(*engine.Engine, uint64)) *arena {
	t.Helper()
	a := &arena{}
	c.Setup, c.History.Rollback.Ticks = a.setup, 12
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.SetLastTick(ticks)
	for given := uint64(0); e.View().Tick < ticks; {
		now := e.Demanded()
		each(e, now)
		if now > 1 {
			from := now - min(now-1, 1+now*7919%12)
			if err := e.History().Rollback(from, func(c world.Commands) {
				for at := from; at < now; at++ {
					a.give(c, there, at, seed, false)
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		for ; given <= now; given++ {
			e.Force(a.boxes[given%3], world.Vec{Y: 15})
			a.give(e.Commands, there, given, seed, true)
			a.give(e.Commands, here, given, seed, false)
		}
		e.Advance(frameTime)
		if err := e.Failure(); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return a
}
