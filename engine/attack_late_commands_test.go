package engine_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/world"
)

// guesses is a run of a level in which two players give commands. It has the commands by
// tick, and how late the commands of the second player arrive.
type guesses struct {
	seed    uint64
	config  engine.Config
	ticks   uint64
	most    uint64 // ticks late, at most
	quiet   int    // quiet says that there is one command in this number of ticks.
	level   *randomLevel
	digests []uint64 // by tick: the digest before the step to the tick
	events  map[string]int
	settled uint64 // settled is the highest handle that setup makes.
	told    string // told are the events that should not have been delivered.
}

func newGuesses(seed uint64, c engine.Config, ticks uint64) *guesses {
	r := rand.New(rand.NewPCG(seed, 3))
	return &guesses{seed: seed, config: c, ticks: ticks, most: 1 + r.Uint64N(12), quiet: 2 + r.IntN(40), level: newLevel(seed)}
}

// give gives the commands of a player for a tick. A guess with another number gives other
// commands.
func (g *guesses) give(c world.Commands, player int, tick, guess uint64) {
	r := rand.New(rand.NewPCG(g.seed+guess<<32, tick<<8|uint64(player)))
	c = c.From(player).At(tick)
	if tick == 0 {
		c = c.At(0)
	}
	c.Nothing()                    // this keeps a place for corrected commands
	if tick == 0 && g.seed%4 > 0 { // here the first tick is like other ticks
		return
	}
	if r.IntN(g.quiet) == 0 {
		for range 1 + r.IntN(3) {
			g.level.Give(c, r.Uint64())
		}
	}
}

// late returns how many ticks late the second player's commands for a tick arrive.
func (g *guesses) late(tick uint64) uint64 {
	return rand.New(rand.NewPCG(g.seed, tick<<8|99)).Uint64N(g.most + 1)
}

func (g *guesses) setup(w *world.World) error {
	if err := g.level.Setup(w); err != nil {
		return err
	}
	for b := range w.Bodies() {
		shapes, err := w.Shapes(b)
		if err != nil {
			return err
		}
		g.settled = max(g.settled, uint64(b))
		for _, s := range shapes {
			g.settled = max(g.settled, uint64(s))
		}
	}
	w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
		for uint64(len(g.digests)) <= w.Tick() {
			g.digests = append(g.digests, 0)
		}
		g.digests[w.Tick()] = levelDigest(w)
	}))
	return nil
}

// replayed is the setup for a replay.
func (g *guesses) replayed(w *world.World) error { return newGuesses(g.seed, g.config, 0).setup(w) }

// take counts the events. It returns the number of events that are not about an object
// that a callback has made after setup. Such an object gets another handle when its tick
// runs again.
func (g *guesses) take(e *engine.Engine) (n int) {
	for ev := range e.Events() {
		sign, kind := 1, ev.Kind
		if kind == world.EventRetracted {
			sign, kind = -1, ev.Was
		}
		if max(uint64(ev.A), uint64(ev.B), uint64(ev.ShapeA), uint64(ev.ShapeB), uint64(ev.Joint)) <= max(g.settled, 1<<63) {
			n++
		}
		g.events[fmt.Sprintf("%v at tick %d", kind, ev.Tick)] += sign
	}
	return n
}

// run plays the level. The parameter guessed says whether the second player's commands are
// guessed first, and corrected when they arrive.
func (g *guesses) run(t testing.TB, guessed bool) { g.runUntil(t, guessed, func(*engine.Engine) {}) }

func (g *guesses) runUntil(t testing.TB, guessed bool, end func(*engine.Engine)) {
	t.Helper()
	c := g.config
	g.level, g.digests, g.events = newLevel(g.seed), nil, map[string]int{}
	c.Setup = g.setup
	if !guessed && c.Testing.SyncTest == 0 {
		c.History.Rollback = engine.RollbackOptions{}
	}
	e, err := engine.New(c)
	if err != nil {
		t.Fatalf("seed %d: %v", g.seed, err)
	}
	defer e.Close()
	r := rand.New(rand.NewPCG(g.seed, 4))
	known := uint64(0) // the second player's commands before this tick are known
	for now := uint64(0); now < g.ticks; now = e.Demanded() {
		if guessed {
			g.arrive(t, e, r, &known, now)
		}
		g.give(e.Commands, 1, now, 0)
		if guessed && g.late(now) > 0 {
			g.give(e.Commands, 2, now, 1+r.Uint64N(3))
		} else {
			g.give(e.Commands, 2, now, 0)
		}
		e.Step(1)
		g.take(e)
		if err := e.Failure(); err != nil {
			t.Fatalf("seed %d: %v\n%s", g.seed, err, stackOf(err))
		}
	}
	if guessed {
		g.arrive(t, e, nil, &known, g.ticks+g.most)
	}
	e.Step(1)
	g.take(e)
	if g.level.Restores { // its ticks go back
		g.digests = g.digests[:0]
	}
	world.Ask(e.Commands, levelDigest, func(_ uint64, d uint64) { g.digests = append(g.digests, d) })
	e.Step(0)
	g.take(e)
	end(e)
}

// arrive corrects the commands that have arrived. If r is not nil, it also makes rollbacks
// at random that change nothing.
func (g *guesses) arrive(t testing.TB, e *engine.Engine, r *rand.Rand, known *uint64, now uint64) {
	t.Helper()
	from := *known
	for *known < g.ticks && *known+g.late(*known) <= now && (*known < now || r == nil) {
		*known++
	}
	if *known > from {
		err := e.History().Rollback(from, func(c world.Commands) {
			for tick := from; tick < *known; tick++ {
				g.give(c, 2, tick, 0)
			}
		})
		if err != nil {
			t.Fatalf("seed %d: back to tick %d: %v", g.seed, from, err)
		}
		return
	}
	if r == nil || now == 0 || r.IntN(20) > 0 {
		return
	}
	// a rollback that changes nothing causes no events
	e.Step(0)
	g.take(e)
	if err := e.History().Rollback(now-min(now, 1+r.Uint64N(g.most)), nil); err != nil {
		t.Fatalf("seed %d: tick %d: %v", g.seed, now, err)
	}
	e.Step(0)
	if n := g.take(e); n > 0 {
		g.told = fmt.Sprintf("a rollback from tick %d that changes nothing tells of %d events", now, n)
	}
}

// compare reports the first tick at which two runs differ.
func (g *guesses) compare(t testing.TB, want *guesses) {
	t.Helper()
	for tick, d := range want.digests {
		if tick >= len(g.digests) || g.digests[tick] != d {
			t.Errorf("seed %d, %v: at tick %d of %d, with commands up to %d ticks late, the world is another one than without rollbacks",
				g.seed, g.config.World.Stepper, tick, g.ticks, g.most)
			return
		}
	}
	for key, n := range want.events {
		if g.events[key] != n {
			t.Errorf("seed %d, %v: %d events %s, and %d without rollbacks", g.seed, g.config.World.Stepper, g.events[key], key, n)
			return
		}
	}
	if g.told != "" {
		t.Errorf("seed %d, %v: %s", g.seed, g.config.World.Stepper, g.told)
	}
}

func guessConfig(r *rand.Rand) engine.Config {
	ways := []world.Stepper{world.SoftStep, world.FastStep}
	return engine.Config{
		World: world.Config{Workers: 1 + r.IntN(2), Stepper: ways[r.IntN(len(ways))]}, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true, EventsAtOnce: true},
		History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 16, Every: []int{0, 0, 1, 4}[r.IntN(4)]}},
		Testing: engine.Testing{SyncTest: max(0, r.IntN(16)-10)},
	}
}

// The guesses for a player's commands are wrong. The commands are of every kind, and are
// corrected up to 12 ticks later; some corrections are for the very tick that is restored.
// All ticks, and all events that are not retracted, are those of a run that had the
// commands in time.
func TestAttackLateCommands(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		c, seed, ticks := guessConfig(r), r.Uint64(), 100+r.Uint64N(500)
		straight, guessed := newGuesses(seed, c, ticks), newGuesses(seed, c, ticks)
		straight.run(t, false)
		guessed.run(t, true)
		guessed.compare(t, straight)
		a.Count("ticks", ticks)
	}
}

// In this level a body that wakes in the middle of a step closes its gap to another
// sleeping body at once. Whether the world was restored must not affect the event.
func TestSleepersThatAreWokenBeginToTouchAtTheSameTickAfterARollback(t *testing.T) {
	norace.Only(t)
	const seed, ticks = 6463845106125843780, 169
	c := engine.Config{
		World:   world.Config{Stepper: world.SoftStep},
		Time:    engine.Time{Sync: renderloop.Lockstep, Simulated: true, EventsAtOnce: true},
		History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 16}},
	}
	straight, guessed := newGuesses(seed, c, ticks), newGuesses(seed, c, ticks)
	straight.run(t, false)
	guessed.run(t, true)
	guessed.compare(t, straight)
}

// Recordings and black boxes of runs with rollbacks can be replayed, cover the promised
// time, and take no more space than those of a run without rollbacks.
func TestAttackRecordedLateCommands(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		c, seed, ticks := guessConfig(r), r.Uint64(), 300+r.Uint64N(900)
		if c.Testing.SyncTest > 0 {
			ticks = 300 // each tick runs several times, and the whole world is compared
		}
		length, from := time.Duration(r.Int64N(int64(8*time.Second))), r.Uint64N(200)*r.Uint64N(2)
		var sizes [2]int
		for i, guessed := range []bool{false, true} {
			var file bytes.Buffer
			config := c
			config.History.Record = &engine.RecordOptions{W: &file, From: from}
			config.History.BlackBox = &engine.BlackBoxOptions{InMemory: true, Length: length}
			g := newGuesses(seed, config, ticks)
			what := fmt.Sprintf("seed %d, %v, rollbacks: %v", seed, c.World.Stepper, guessed)
			g.runUntil(t, guessed, func(e *engine.Engine) {
				box, err := e.History().BlackBox()
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				rec := read(t, box)
				if _, err := rec.Verify(g.replayed); err != nil {
					t.Errorf("%s: the black box: %v", what, err)
				}
				kept, whole := time.Duration(rec.Ticks-rec.First)*time.Second/60, time.Duration(ticks)*time.Second/60
				if kept < min(length, whole) {
					t.Errorf("%s: a black box of %v has %v of %v", what, length, kept, whole)
				}
				if err := e.Close(); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			})
			if rec := read(t, file.Bytes()); rec.Ticks < ticks {
				t.Errorf("%s: the recording ends at tick %d of %d", what, rec.Ticks, ticks)
			} else if _, err := rec.Verify(g.replayed); err != nil {
				t.Errorf("%s: the recording from tick %d: %v", what, from, err)
			}
			sizes[i] = file.Len()
		}
		if sizes[1] > sizes[0]+sizes[0]/2+100_000 {
			t.Errorf("seed %d: with rollbacks a recording of %d ticks from %d has %d bytes, and else %d", seed, ticks, from, sizes[1], sizes[0])
		}
		a.Count("ticks", 2*ticks)
	}
}
