package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/exports"
	"halfstep/internal/owner"
	"halfstep/internal/privateapi"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
	"halfstep/world"
)

var private = privateapi.World

// These are the sources of commands in these tests.
const (
	here  = 1
	there = 2
)

// arena is a scene with many features: boxes that are kicked about, a sensor, and a contact hook
// that breaks bodies on hard hits and makes splinters.
type arena struct {
	boxes [12]world.Body

	mu     sync.Mutex
	hashes map[uint64]uint64 // by tick; when a tick runs again, its hash is replaced
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

// give gives the commands of a source for a tick. A guess differs from the final commands.
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

// toll counts the valid events: events that were delivered and not retracted.
type toll struct {
	live         map[string]int
	told, undone int
	keys         map[exports.EventKey]int
}

// about returns the part of an event that two runs have in common.
func about(ev *world.Event) string {
	return fmt.Sprint(ev.Tick, ev.Kind, ev.NameA, "/", ev.NameB)
}

func (c *toll) take(t *testing.T, e *engine.Engine) {
	if c.live == nil {
		c.live, c.keys = map[string]int{}, map[exports.EventKey]int{}
	}
	for ev := range e.Events() {
		if ev.Kind != world.EventRetracted {
			c.told++
			c.live[about(&ev)]++
			c.keys[private.EventKey(&ev)]++
			continue
		}
		c.undone++
		if c.keys[private.EventKey(&ev)]--; c.keys[private.EventKey(&ev)] < 0 {
			t.Fatalf("%v: it was never told", ev)
		}
		ev.Kind = ev.Was
		if c.live[about(&ev)]--; c.live[about(&ev)] == 0 {
			delete(c.live, about(&ev))
		}
	}
}

const frameTime = time.Second / 60

// playArena runs the arena for that many ticks. The commands of the other source become known late
// ticks afterwards. With late 0 they are known in time. Either they come before our own commands
// and are guessed until they are known, or they come after our own commands and are not guessed.
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
	if late%2 == 0 { // most frames have no step, and some rollbacks are in such frames
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
			e.Force(a.boxes[given%3], world.Vec{Y: 15}) // this is a force of the frame, and not of a tick
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

// checkRollbacks compares a run with rollbacks with a run that has the same commands in time. It
// returns the number of retracted events.
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
		{Time: engine.Time{Simulated: true}, World: world.Config{Stepper: world.SoftStep, Workers: 2}},
		{Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Every: 5}}, World: world.Config{Stepper: world.SoftStep}},
		{History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Every: 12}}},
	} {
		for _, late := range []uint64{1, 4, 12} {
			if owner.Checked && (late != 4 || i%2 > 0) {
				continue // with -race the modes so far are enough
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

// If each command were searched for among all commands, the test would take a minute.
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

func TestARollbackRunsChangesAgainAndNeitherQuestionsNorOnStep(t *testing.T) {
	steps := map[uint64]int{}
	var done, asked, answered int
	e, err := engine.New(engine.Config{
		Time: engine.Time{Sync: renderloop.Lockstep}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 10}}, World: world.Config{NoGravity: true},
		OnStep: func(tick uint64, _ time.Duration) { steps[tick]++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	frames := func(n int) {
		for range n {
			e.Advance(frameTime)
			for range e.Events() {
			}
		}
	}
	frames(5)
	made := e.CreateBody(world.BodyDef{
		Name: "made", Kind: world.Dynamic, Velocity: world.Vec{X: 6}, Shapes: []world.ShapeDef{world.Circle(.1)},
	})
	e.Do(func(*world.World) { done++ })
	e.Inspect(func(*world.World) { asked++ })
	world.Ask(e.Commands, func(*world.World) int { asked++; return 7 }, func(uint64, int) { answered++ })
	frames(4)
	var future uint64
	for range 2 {
		if err := e.History().Rollback(e.Demanded()-6, func(c world.Commands) {
			future = e.Demanded() + 2
			c.From(there).At(future).SetVelocity(made, world.Vec{Y: 6})
		}); err != nil {
			t.Fatal(err)
		}
		frames(1)
	}
	if done != 3 || asked != 2 || answered != 1 {
		t.Errorf("Do ran %d times, questions %d times, and %d answers came", done, asked, answered)
	}
	if p, ok := e.Pose(made); !ok || p.Y != 0 {
		t.Errorf("the body that a command made is at %+v, %v", p, ok)
	}
	frames(4)
	if v := where(e, made).Velocity; v != (world.Vec{Y: 6}) {
		t.Errorf("what was given for a tick to come left it at %v m/s", v)
	}
	for tick := uint64(1); tick <= e.Demanded(); tick++ {
		if steps[tick] != 1 {
			t.Errorf("OnStep was called %d times for tick %d", steps[tick], tick)
		}
	}
}

// maker registers the function "make". A callback makes the body "made 3" when the argument is 3.
func maker(w *world.World) error {
	w.Register("make", func(w *world.World, args []float64) {
		w.CreateBody(world.BodyDef{
			Name: fmt.Sprint("made ", args[0]), Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(.1)},
		})
	})
	return nil
}

// makeOne makes the function maker create a body, and returns the body after 3 frames.
func makeOne(t *testing.T, e *engine.Engine, i int) world.Body {
	t.Helper()
	e.DoNamed("make", float64(i))
	for range 3 {
		e.Advance(frameTime)
	}
	b, ok := e.Find(fmt.Sprint("made ", i))
	if !ok {
		t.Fatal("nothing was made")
	}
	return b
}

func TestASeekBackLeavesTheHandlesThatLaterCommandsName(t *testing.T) {
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: maker, Time: engine.Time{Sync: renderloop.Lockstep}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for i := range 4 {
		b := makeOne(t, e, i)
		e.SetVelocity(b, world.Vec{X: float64(i + 1)})
		for range 3 {
			e.Advance(frameTime)
		}
	}
	e.Close()
	r, err := engine.ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Player(maker, engine.PlayerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, tick := range []uint64{20, 2, 20} {
		if err := p.Seek(tick); err != nil {
			t.Fatalf("tick %d: %v", tick, err)
		}
	}
}

func TestARollbackThatChangesNothingRetractsAndDeliversNothing(t *testing.T) {
	e, err := engine.New(engine.Config{
		History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 30}}, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true, EventsAtOnce: true},
		Setup: func(w *world.World) error {
			_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Chain(world.Vec{X: -9}, world.Vec{}, world.Vec{X: 9})}})
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Step(1)
	_, shapes := e.CreateBodyWithShapes(world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{Y: .5}, Shapes: []world.ShapeDef{world.Circle(.4), world.Box(.2, .45)},
	})
	e.Step(20)
	touched := map[world.Shape]bool{}
	for ev := range e.Events() {
		touched[ev.ShapeA], touched[ev.ShapeB] = true, true
	}
	if !touched[shapes[0]] && !touched[shapes[1]] {
		t.Fatal("the shapes touch nothing")
	}
	if err := e.History().Rollback(0, nil); err != nil {
		t.Fatal(err)
	}
	e.Advance(0)
	for ev := range e.Events() {
		t.Errorf("an event came: %v", ev)
	}
}

func TestWhatIsGivenForTickZeroPrecedesTheFirstStepAndIsNotOfTickOne(t *testing.T) {
	const source = 3
	e, ball := resting(t)
	e.From(source).At(0).SetVelocity(ball, world.Vec{X: 60})
	e.Step(1)
	if x := where(e, ball).Position.X; x < .9 || x > 1.1 {
		t.Errorf("after one step it is at %v m", x)
	}
	// a correction for tick 1 replaces nothing of tick 0
	e.Step(1)
	if err := e.History().Rollback(1, func(c world.Commands) { c.From(source).At(1).Nothing() }); err != nil {
		t.Fatal(err)
	}
	if x := where(e, ball).Position.X; x < 1.9 {
		t.Errorf("after a correction of tick 1 it is at %v m", x)
	}
	if err := e.History().Rollback(0, func(c world.Commands) { c.From(source).At(0).Nothing() }); err != nil {
		t.Fatal(err)
	}
	if x := where(e, ball).Position.X; x != 0 {
		t.Errorf("after a correction of tick 0 it is at %v m", x)
	}
	err := e.History().Rollback(1, func(c world.Commands) { c.At(0).Nothing() })
	if err == nil || err.Error() != "rollback: a command for tick 0, which is before tick 1" {
		t.Errorf("error %v", err)
	}
}

func TestAForceForTickZeroActsOnOneStep(t *testing.T) {
	e, ball := resting(t)
	e.At(0).Force(ball, world.Vec{X: 60})
	e.Step(2)
	mass := where(e, ball).Mass
	if v, want := where(e, ball).Velocity.X, 1/mass; v < .99*want || v > 1.01*want {
		t.Errorf("it has %v m/s, want %v", v, want)
	}
}

// resting returns an engine before its first step, and a ball at rest.
func resting(t *testing.T) (*engine.Engine, world.Body) {
	t.Helper()
	var ball world.Body
	e, err := engine.New(engine.Config{
		History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 30}}, Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true},
		World: world.Config{NoGravity: true},
		Setup: func(w *world.World) (err error) {
			ball, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(.5)}})
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e, ball
}

func TestAQuestionInARollbackIsRefused(t *testing.T) {
	e, _ := resting(t)
	e.Step(3)
	for name, ask := range map[string]func(world.Commands){
		"Inspect": func(c world.Commands) { c.Inspect(func(*world.World) { t.Error("it is answered") }) },
		"Ask": func(c world.Commands) {
			c.RayCast(world.Vec{}, world.Vec{X: 1}, func(uint64, world.RayHit, bool) { t.Error("it is answered") })
		},
	} {
		err := e.History().Rollback(1, ask)
		if err == nil || !strings.Contains(err.Error(), "question") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	e.Step(1)
	for range e.Events() {
	}
}

// rolling makes a run of 1,000 ticks that goes back 8 ticks in every frame.
func rolling(t *testing.T, c engine.Config, back uint64) *engine.Engine {
	t.Helper()
	c.Setup, c.Time.Simulated, c.History.Rollback.Ticks = stack, true, 16
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	for range 1000 {
		e.DoNamed("test kick", .1, .2)
		e.Step(1)
		if now := e.Demanded(); back > 0 && now > back {
			if err := e.History().Rollback(now-back, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	e.Step(1)
	return e
}

func TestABlackBoxHasItsLengthHoweverOftenTheRunGoesBack(t *testing.T) {
	norace.Only(t)
	for _, back := range []uint64{0, 1, 8, 16} {
		e := rolling(t, engine.Config{History: engine.HistoryOptions{BlackBox: &engine.BlackBoxOptions{InMemory: true, Length: 10 * time.Second}}}, back)
		data, err := e.History().BlackBox()
		if err != nil {
			t.Fatal(err)
		}
		r := read(t, data)
		if ticks := r.Ticks - r.First; ticks < 600 || ticks > 750 || r.Ticks != 1001 {
			t.Errorf("back %d ticks: it goes from tick %d to %d", back, r.First, r.Ticks)
		}
		if _, err := r.Verify(stack); err != nil {
			t.Errorf("back %d ticks: %v", back, err)
		}
	}
}

func TestWhatWasTakenBackTakesNoRoomInARecording(t *testing.T) {
	norace.Only(t)
	engine.FlushEvery(t, time.Hour) // entries that are written cannot be left out any more
	var sizes [2]int
	for i, back := range []uint64{0, 8} {
		var file bytes.Buffer
		e := rolling(t, engine.Config{History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file}}}, back)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		sizes[i] = file.Len()
		if hash, err := read(t, file.Bytes()).Verify(stack); err != nil || hash == 0 {
			t.Errorf("back %d ticks: %v", back, err)
		}
	}
	if sizes[1] > sizes[0]*6/5 {
		t.Errorf("it has %d bytes, and %d without rollbacks", sizes[1], sizes[0])
	}
}

// In RunAhead, a pause, a step and another mode make the predicted ticks due before the commands of
// the frame. There may be more such ticks than the limit of the rollback.
func TestARollbackIsCarriedOutThoughItsFrameMakesTicksDue(t *testing.T) {
	for name, after := range map[string]func(*engine.Engine){
		"a step": func(e *engine.Engine) { e.Step(2) }, "a pause": func(e *engine.Engine) { e.SetPaused(true) },
		"another mode": func(e *engine.Engine) { e.SetSync(renderloop.Lockstep) },
	} {
		for _, every := range []int{1, 3} {
			var file bytes.Buffer
			var ball world.Body
			e, err := engine.New(engine.Config{
				Setup: court(&ball), Time: engine.Time{Simulated: true, Sync: renderloop.RunAhead, Rate: clock.Hz(240)},
				History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 3, Every: every, Blend: -1}, Record: &engine.RecordOptions{W: &file}},
			})
			if err != nil {
				t.Fatal(err)
			}
			var watcher bytes.Buffer
			streamed := make(chan error, 1)
			go func() { streamed <- e.History().Stream(t.Context(), &watcher) }()
			for frame := range 60 {
				e.Advance(time.Second / 60)
				if frame%20 != 19 {
					continue
				}
				to := e.Demanded() - 3
				for i := range uint64(2) {
					if err := e.History().Rollback(to+i, func(c world.Commands) { c.SetVelocity(ball, world.Vec{X: 9, Y: float64(i)}) }); err != nil {
						t.Fatal(err)
					}
				}
				after(e)
				e.Advance(time.Second / 60)
				e.SetPaused(false)
				e.SetSync(renderloop.RunAhead)
				var moved world.Vec
				e.Inspect(func(w *world.World) {
					info, _ := w.Body(ball)
					moved = info.Velocity
				})
				e.Step(1)
				if moved.X != 9 || e.Demanded() <= to+3 {
					t.Errorf("%s, every %d: velocity %v at tick %d of %d", name, every, moved, e.Demanded(), to)
				}
			}
			if err := e.Close(); err != nil {
				t.Fatalf("%s, every %d: %v", name, every, err)
			}
			if err := <-streamed; err != nil {
				t.Errorf("%s, every %d: the watcher: %v", name, every, err)
			}
			for of, b := range map[string][]byte{"file": file.Bytes(), "stream": watcher.Bytes()} {
				r, err := engine.ReadRecording(bytes.NewReader(b))
				if err == nil {
					_, err = r.Verify(court(new(world.Body)))
				}
				if err != nil {
					t.Errorf("%s, every %d: the %s: %v", name, every, of, err)
				}
			}
		}
	}
}
