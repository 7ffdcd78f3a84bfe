package main

import (
	"bytes"
	"slices"
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/engine"
	"halfstep/world"
)

// played is what a test sees at the end of a game.
type played struct {
	coins, broken int
	won           bool
	hash          uint64
}

// play plays the demo without a window. watch is called after each frame.
func play(t *testing.T, c engine.Config, watch func(g *game)) (end played) {
	t.Helper()
	c.Time.Simulated = true
	g, err := newGame(c, new(level))
	if err != nil {
		t.Fatal(err)
	}
	s := script{moves: demo}
	for frames := 0; g.step(&s); frames++ {
		if err := g.engine.Failure(); err != nil || frames > 5000 {
			t.Fatalf("frame %d: %v", frames, err)
		}
		g.events()
		if watch != nil {
			watch(g)
		}
	}
	done := make(chan uint64, 1)
	g.engine.Inspect(func(w *world.World) { done <- w.Hash() })
	g.engine.Advance(0)
	end = played{g.coins, g.broken, g.won, <-done}
	if err := g.engine.Close(); err != nil {
		t.Fatal(err)
	}
	return end
}

func TestTheDemoCollectsAllCoinsAndBreaksTheBridge(t *testing.T) {
	coins := len(newGameLevel(t).coins)
	end := play(t, engine.Config{}, func(g *game) {
		if at, _ := g.engine.Pose(g.level.hero.Body); g.broken > 0 && at.X < 36 {
			t.Fatalf("the bridge broke under the player, at x = %v", at.X)
		}
	})
	if end.coins != coins || end.broken == 0 || !end.won {
		t.Errorf("%d of %d coins, %d ropes broken, won: %v", end.coins, coins, end.broken, end.won)
	}
	if again := play(t, engine.Config{}, nil); again != end {
		t.Errorf("again: %+v, at first %+v", again, end)
	}
}

// newGameLevel returns a level that has been built.
func newGameLevel(t *testing.T) *level {
	t.Helper()
	l := new(level)
	if err := l.setup(world.NewSimulation(world.Config{}).World()); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTheGameKeepsAllItsVariables(t *testing.T) {
	if end := play(t, engine.Config{Testing: engine.Testing{SyncTest: 2}}, nil); end != play(t, engine.Config{}, nil) {
		t.Errorf("under a sync test it ends otherwise: %+v", end)
	}
}

func TestARecordedGameReplays(t *testing.T) {
	var file bytes.Buffer
	end := play(t, engine.Config{History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, Scene: "platformer"}}}, nil)
	r, err := engine.ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Verify(new(level).setup); err != nil || got != end.hash {
		t.Errorf("hash %x, want %x: %v", got, end.hash, err)
	}
}

func TestTheLiftAndTheBeltCarryWhoStandsStill(t *testing.T) {
	for name, c := range map[string]struct {
		start world.Vec
		moves bool
	}{"ground": {world.Vec{X: 2, Y: .1}, false}, "belt": {world.Vec{X: 23.5, Y: .1}, true}, "lift": {world.Vec{X: 11.6, Y: .1}, true}} {
		g, err := newGame(engine.Config{Time: engine.Time{Simulated: true}}, new(level))
		if err != nil {
			t.Fatal(err)
		}
		g.engine.Teleport(g.level.hero.Body, c.start, 0)
		s := script{moves: []move{{ticks: 90}}}
		for g.step(&s) {
		}
		if at, _ := g.engine.Pose(g.level.hero.Body); (at.X-c.start.X > .3 || at.X-c.start.X < -.3) != c.moves || at.Y < -.1 {
			t.Errorf("%s: the player is at %+v", name, at)
		}
		g.engine.Close()
	}
}

func TestKeysForBothDirectionsMakeThePlayerStand(t *testing.T) {
	for want, keys := range map[float64][]glfw.Key{
		-1: {glfw.KeyLeft, glfw.KeyA}, 0: {glfw.KeyLeft, glfw.KeyD}, 1: {glfw.KeyD},
	} {
		for range 20 {
			if got := direction(func(key glfw.Key) bool { return slices.Contains(keys, key) }); got != want {
				t.Fatalf("with keys %v the player walks %v, not %v", keys, got, want)
			}
		}
	}
}
