package engine_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/bridge"
	"halfstep/internal/owner"
	"halfstep/internal/within"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

var inside = within.World

// The sources of commands in these tests.
const (
	here  = 1
	there = 2
)

// arena is a scene in which all kinds of things happen: boxes that are kicked
// about, a sensor, and a contact hook that breaks what is hit hard and makes
// splinters.
type arena struct {
	boxes [12]world.Body

	mu     sync.Mutex
	hashes map[uint64]uint64 // by tick; a tick that is done again replaces its own
}

func (a *arena) setup(w *world.World) (err error) {
	a.hashes = map[uint64]uint64{}
	add := func(def world.BodyDef) world.Body {
		b, e := w.CreateBody(def)
		err = errors.Join(err, e)
		return b
	}
	for i, wall := range [...][4]float64{{0, -5, 10, .5}, {-9, 0, .5, 5}, {9, 0, .5, 5}, {0, 5, 10, .5}} {
		add(world.BodyDef{
			Name: fmt.Sprint("wall ", i), Position: world.Vec{X: wall[0], Y: wall[1]},
			Shapes: []world.ShapeDef{world.Box(wall[2], wall[3])},
		})
	}
	zone := world.Box(2, 2)
	zone.Sensor = true
	add(world.BodyDef{Name: "zone", Shapes: []world.ShapeDef{zone}})
	for i := range a.boxes {
		a.boxes[i] = add(world.BodyDef{
			Name: fmt.Sprint("box ", i), Kind: world.Dynamic, Position: world.Vec{X: float64(i%4)*2 - 3, Y: float64(i/4)*2 - 3},
			Shapes: []world.ShapeDef{world.Box(.4, .4)},
		})
	}
	w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.hashes[w.Tick()] = w.StateHash()
	}))
	w.AddContactHook(func(w *world.World, events []world.Event) {
		for _, ev := range events {
			if ev.Kind != world.ContactBegin || ev.Impulse < 6 {
				continue
			}
			for _, b := range [...]world.Body{ev.A, ev.B} {
				if info, e := w.Body(b); e == nil && strings.HasPrefix(info.Name, "splinter") {
					w.DestroyBody(b)
				}
			}
			w.CreateBody(world.BodyDef{
				Name: fmt.Sprint("splinter of tick ", w.Tick()), Kind: world.Dynamic, Position: ev.Point,
				Velocity: world.Vec{Y: 3}, Shapes: []world.ShapeDef{world.Circle(.1)},
			})
		}
	})
	return err
}

// give gives what a source does at a tick. A guess is not what it will turn out to be.
func (a *arena) give(c world.Commands, source int, tick uint64, seed uint64, guess bool) {
	r := rand.New(rand.NewPCG(seed, tick<<8|uint64(source)))
	if guess {
		r = rand.New(rand.NewPCG(seed, tick|1<<40))
	}
	c = c.From(source).At(tick)
	b := a.boxes[r.IntN(len(a.boxes))]
	vec := func(scale float64) world.Vec {
		return world.Vec{X: scale * r.NormFloat64(), Y: scale * r.NormFloat64()}
	}
	switch r.IntN(8) {
	case 0:
		c.Force(b, vec(60))
	case 1:
		c.Impulse(b, vec(4))
	case 2:
		c.SetVelocity(b, vec(6))
	case 3:
		c.Teleport(b, vec(1), r.Float64())
	case 4:
		c.SetGravity(vec(5))
	case 5:
		c.Torque(b, 30)
		c.AngularImpulse(b, 2)
	default:
		c.Nothing()
	}
}

// toll counts the events that count: those delivered and not retracted.
type toll struct {
	live         map[string]int
	told, undone int
	keys         map[bridge.EventKey]int
}

// about is an event by what two runs have in common.
func about(ev *world.Event) string {
	return fmt.Sprint(ev.Tick, ev.Kind, ev.NameA, "/", ev.NameB)
}

func (c *toll) take(t *testing.T, e *engine.Engine) {
	if c.live == nil {
		c.live, c.keys = map[string]int{}, map[bridge.EventKey]int{}
	}
	for ev := range e.Events() {
		if ev.Kind != world.EventRetracted {
			c.told++
			c.live[about(&ev)]++
			c.keys[inside.EventKey(&ev)]++
			continue
		}
		c.undone++
		if c.keys[inside.EventKey(&ev)]--; c.keys[inside.EventKey(&ev)] < 0 {
			t.Fatalf("%v: it was never told", ev)
		}
		ev.Kind = ev.Was
		if c.live[about(&ev)]--; c.live[about(&ev)] == 0 {
			delete(c.live, about(&ev))
		}
	}
}

const frameTime = time.Second / 60

// playArena runs the arena for so many ticks. What the other source does is known late
// ticks afterwards; 0 means that it is known in time. It comes before what is done
// here and is guessed until it is known, or it comes after that and is not guessed.
func playArena(t *testing.T, c engine.Config, seed uint64, ticks uint64, late uint64, guess bool) (*arena, *toll) {
	t.Helper()
	a, events := &arena{}, &toll{}
	c.Setup, c.History.Rollback.Ticks = a.setup, 12
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.SetLastTick(ticks)
	frame := frameTime
	if late%2 == 0 { // most frames have no step; they go back as well
		frame = time.Second / 144
	}
	waits := c.Time.Simulated || c.Time.Sync == renderloop.Lockstep
	given, rolled, instant := uint64(0), uint64(0), 0.0
	for e.View().Tick < ticks {
		now := e.Demanded()
		if late > 0 && now%late == 0 && now >= late && (waits || now > rolled) {
			rolled = now
			from := now - late
			if err := e.History().Rollback(from, func(c world.Commands) {
				for at := max(from, 1); at < now; at++ {
					a.give(c, there, at, seed, false)
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		for ; given <= now; given++ {
			if given == 0 {
				continue
			}
			e.Force(a.boxes[given%3], world.Vec{Y: 15}) // of the frame, not of a tick
			if guess {
				a.give(e.Commands, there, given, seed, late > 0)
			}
			a.give(e.Commands, here, given, seed, false)
			if late == 0 && !guess {
				a.give(e.Commands, there, given, seed, false)
			}
		}
		e.Advance(frame)
		if !waits {
			time.Sleep(time.Millisecond)
		}
		events.take(t, e)
		if err := e.Failure(); err != nil {
			t.Fatal(err)
		}
		if e.View().Instant < instant {
			t.Fatalf("the shown instant goes from %v back to %v", instant, e.View().Instant)
		}
		instant = e.View().Instant
	}
	if n := e.Metrics().BackwardFrames; n > 0 {
		t.Errorf("%d frames went back", n)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	events.take(t, e)
	return a, events
}

// checkRollbacks compares a run with rollbacks with one that has the same commands in
// time, and returns how many events were retracted.
func checkRollbacks(t *testing.T, c engine.Config, seed, ticks, late uint64) (retracted int) {
	t.Helper()
	want, wanted := playArena(t, c, seed, ticks, 0, true)
	got, events := playArena(t, c, seed, ticks, late, true)
	confirmed := ticks - late
	for tick := range confirmed {
		if got.hashes[tick] != want.hashes[tick] {
			t.Fatalf("%+v, seed %d, %d ticks late: tick %d has another hash", c, seed, late, tick)
		}
	}
	before := func(m map[string]int) map[string]int {
		m = maps.Clone(m)
		maps.DeleteFunc(m, func(k string, _ int) bool {
			var tick uint64
			fmt.Sscan(k, &tick)
			return tick >= confirmed
		})
		return m
	}
	if g, w := before(events.live), before(wanted.live); !maps.Equal(g, w) {
		t.Errorf("%+v, seed %d, %d ticks late: events\n%v\nwant\n%v", c, seed, late, g, w)
	}
	return events.undone
}

func TestARollbackEndsWhereTheRunWithThoseCommandsInTimeEnds(t *testing.T) {
	retracted := 0
	for i, c := range []engine.Config{
		{}, // the render side does not wait
		{Time: engine.Time{Simulated: true}},
		{Time: engine.Time{Sync: renderloop.Lockstep}},
		{Time: engine.Time{Simulated: true, EventsAtOnce: true}},
		{Time: engine.Time{Simulated: true}, World: world.Config{Stepper: world.StockStep}},
		{Time: engine.Time{Simulated: true}, World: world.Config{Stepper: world.SoftStep, Workers: 2}},
		{Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Every: 5}}, World: world.Config{Stepper: world.SoftStep}},
		{History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Every: 12}}},
	} {
		for _, late := range []uint64{1, 4, 12} {
			if owner.Checked && late != 4 {
				continue // -race has seen all by then
			}
			retracted += checkRollbacks(t, c, uint64(i), 80, late)
		}
	}
	if retracted < 50 {
		t.Errorf("%d events were retracted in all", retracted)
	}
}

func TestWithoutAGuessWhatComesLateComesLastInItsTick(t *testing.T) {
	want, _ := playArena(t, engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}}, 9, 60, 0, false)
	got, _ := playArena(t, engine.Config{Time: engine.Time{Sync: renderloop.Lockstep}}, 9, 60, 5, false)
	for tick := range uint64(55) {
		if got.hashes[tick] != want.hashes[tick] {
			t.Fatalf("tick %d has another hash", tick)
		}
	}
}

func TestOfEventsThatLookAlikeAsManyAreRetractedAsDidNotHappen(t *testing.T) {
	e, ball := drifter(t, engine.Config{
		Time: engine.Time{Sync: renderloop.Lockstep, EventsAtOnce: true}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 20}},
	})
	e.DestroyBody(ball)
	e.Advance(frameTime)
	tick := e.Demanded()
	var events toll
	told := func(refused int) {
		t.Helper()
		for range 3 {
			e.Advance(frameTime)
			events.take(t, e)
		}
		for about, n := range events.live {
			if strings.Contains(about, "rejected") && n != refused {
				t.Errorf("%d rejections are left, want %d", n, refused)
			}
		}
	}
	for range 3 {
		e.From(there).Impulse(ball, world.Vec{})
	}
	told(3)
	for _, refused := range []int{1, 2, 2, 0} {
		if err := e.History().Rollback(tick, func(c world.Commands) {
			c.From(there).Nothing()
			for range refused {
				c.From(there).Impulse(ball, world.Vec{})
			}
		}); err != nil {
			t.Fatal(err)
		}
		told(refused)
	}
	if events.told != 1+3+1 || events.undone != 2+2 {
		t.Errorf("%d events were delivered and %d retracted", events.told, events.undone)
	}
}

// A search through all commands for each one takes a minute.
func TestManyCommandsInARollbackCostLittleMoreThanOneEach(t *testing.T) {
	norace.Only(t)
	const many = 60_000
	for name, from := range map[string][2]func(i int) int{
		"two sources":  {func(int) int { return 1 }, func(int) int { return 2 }},
		"many sources": {func(i int) int { return i + 1 }, func(i int) int { return many - i }},
	} {
		e := start(t, engine.Config{Setup: stack, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 4}}})
		frames(e, 3)
		now := e.Demanded()
		for i := range many {
			e.From(from[0](i)).Nothing()
		}
		e.Step(1)
		if err := e.History().Rollback(now, func(c world.Commands) {
			for i := range many {
				c.From(from[1](i)).Nothing()
			}
		}); err != nil {
			t.Fatal(err)
		}
		stepped := make(chan bool)
		go func() { e.Step(1); close(stepped) }()
		select {
		case <-stepped:
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: still at it", name)
		}
		if err := e.Failure(); err != nil || e.View().Tick != now+2 {
			t.Errorf("%s: tick %d, %v", name, e.View().Tick, err)
		}
	}
}
