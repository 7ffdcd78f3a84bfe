package main

import (
	"bytes"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

// play runs a match between two computer players without a window, at the given
// frame rate. It returns the score and the world's hash after some ticks.
func play(t *testing.T, c engine.Config, ticks uint64, fps int) (score [sides]int, hash uint64) {
	t.Helper()
	c.Time.Simulated = true
	g, err := newGame(c, newCourt())
	if err != nil {
		t.Fatal(err)
	}
	g.engine.SetLastTick(ticks)
	for g.engine.View().Tick < ticks {
		if g.engine.Failure() != nil {
			t.Fatal(g.engine.Failure())
		}
		g.engine.Advance(time.Second / time.Duration(fps))
		g.events()
	}
	done := make(chan uint64, 1)
	g.engine.Inspect(func(w *world.World) { done <- w.Hash() })
	g.engine.Advance(0)
	hash = <-done
	if err := g.engine.Close(); err != nil {
		t.Fatal(err)
	}
	return g.score, hash
}

func TestMachinesScoreAgainstEachOther(t *testing.T) {
	score, _ := play(t, engine.Config{}, 4800, 60)
	if score[left]+score[right] < 2 {
		t.Errorf("%v after 80 s", score)
	}
}

func TestTheMatchIsTheSameAtAnyFrameRate(t *testing.T) {
	score, hash := play(t, engine.Config{}, 2400, 60)
	for _, fps := range []int{25, 144, 1000} {
		if s, h := play(t, engine.Config{}, 2400, fps); s != score || h != hash {
			t.Errorf("%d fps: %v, %x; %v, %x at 60", fps, s, h, score, hash)
		}
	}
}

func TestTheMatchKeepsAllItsVariables(t *testing.T) {
	score, hash := play(t, engine.Config{}, 1200, 60)
	if s, h := play(t, engine.Config{Testing: engine.Testing{SyncTest: 5}}, 1200, 60); s != score || h != hash {
		t.Errorf("under a sync test it ends with %v, %x, and else with %v, %x", s, h, score, hash)
	}
}

func TestTheBallStaysOnTheCourt(t *testing.T) {
	g, err := newGame(engine.Config{Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}}, newCourt())
	if err != nil {
		t.Fatal(err)
	}
	defer g.engine.Close()
	for range 3000 {
		g.engine.Advance(time.Second / 60)
		g.events()
		if at, ok := g.engine.Pose(g.court.ball); !ok || at.Y > halfHeight || at.Y < -halfHeight {
			t.Fatalf("tick %d: the ball is at %+v, %v", g.engine.View().Tick, at, ok)
		}
	}
}

func TestAHumanTakesOverFromTheMachine(t *testing.T) {
	g, err := newGame(engine.Config{Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true}}, newCourt())
	if err != nil {
		t.Fatal(err)
	}
	defer g.engine.Close()
	g.steer(left, paddleSpeed)
	for range 120 {
		g.engine.Advance(time.Second / 60)
		g.events()
	}
	if at, _ := g.engine.Pose(g.court.paddle[left]); at.Y < halfHeight-paddleH-.01 {
		t.Errorf("the paddle is at %v, not at the wall", at.Y)
	}
}

func TestARecordedMatchReplays(t *testing.T) {
	var file bytes.Buffer
	_, hash := play(t, engine.Config{History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, Scene: "pong"}}}, 1200, 50)
	r, err := engine.ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Verify(newCourt().setup); err != nil || got != hash {
		t.Errorf("hash %x, want %x: %v", got, hash, err)
	}
}
