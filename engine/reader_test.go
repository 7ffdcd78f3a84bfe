package engine_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

func newReader(t testing.TB, e *engine.Engine) *engine.Reader {
	t.Helper()
	r, err := e.NewReader()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// await updates a reader until the reader has a tick.
func await(t testing.TB, r *engine.Reader, tick uint64) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); r.View().CurSerial == 0 || r.View().Tick < tick; r.Update() {
		if time.Now().After(end) {
			t.Fatalf("tick %d in hand, tick %d was published", r.View().Tick, tick)
		}
		runtime.Gosched()
	}
}

// alike compares the picture of a reader with the engine's picture.
func alike(t *testing.T, r *engine.Reader, e *engine.Engine, within float64) {
	t.Helper()
	if r.View().Tick != e.View().Tick || r.View().Counts != e.View().Counts {
		t.Fatalf("tick %d with %v, the engine has %d with %v", r.View().Tick, r.View().Counts, e.View().Tick, e.View().Counts)
	}
	n := 0
	for b, is := range e.Poses() {
		n++
		got, ok := r.Pose(b)
		if !ok || math.Abs(got.X-is.X)+math.Abs(got.Y-is.Y)+math.Abs(got.Angle-is.Angle) > within {
			t.Fatalf("tick %d: %v is at %v, %v, the engine shows it at %v", r.View().Tick, b, got, ok, is)
		}
	}
	for range r.Poses() {
		n--
	}
	if n != 0 {
		t.Fatalf("tick %d: %d bodies are missing", r.View().Tick, n)
	}
	if a, b := len(r.View().Scene.Shapes), len(e.View().Scene.Shapes); a != b {
		t.Fatalf("%d shapes, the engine has %d", a, b)
	}
	if a, b := len(r.View().Scene.Joints), len(e.View().Scene.Joints); a != b {
		t.Fatalf("%d joints, the engine has %d", a, b)
	}
}

// comeAndGo creates and destroys bodies.
func comeAndGo(e *engine.Engine, r *rand.Rand, own []world.Body) []world.Body {
	if len(own) < 30 || r.IntN(2) == 0 {
		own = append(own, e.CreateBody(world.BodyDef{
			Kind: world.Dynamic, Position: world.Vec{X: r.NormFloat64() * 5, Y: 10}, Shapes: []world.ShapeDef{world.Circle(.3), world.Box(.2, .2)},
		}))
		return own
	}
	i := r.IntN(len(own))
	e.DestroyBody(own[i])
	own[i] = own[len(own)-1]
	return own[:len(own)-1]
}

// A reader that updates from time to time has the engine's picture at the
// reader's tick, in every mode: poses, bodies, shapes, and the answers to
// queries.
func TestAReaderHasTheNewestTickAsTheEngineShowsIt(t *testing.T) {
	for _, every := range []int{1, 3, 40} {
		r := rand.New(rand.NewPCG(1, uint64(every)))
		e := start(t, engine.Config{Setup: assorted(r, 40), Time: engine.Time{Sync: renderloop.Lockstep, Simulated: true, Smoothing: body2d.Newest}})
		reader := newReader(t, e)
		var own []world.Body
		for i := range norace.Rounds(200, 60) {
			own = comeAndGo(e, r, own)
			e.Step(1)
			if i%every != 0 {
				continue
			}
			await(t, reader, e.View().Tick)
			alike(t, reader, e, 0)
			for range 5 {
				x, y := r.NormFloat64()*5, r.NormFloat64()*5
				b, ok := e.Pick(x, y)
				if got, also := reader.Pick(x, y); got != b || ok != also {
					t.Fatalf("%v is picked, the engine picks %v", got, b)
				}
				want, found, _ := e.Shown(world.QueryFilter{}).RayCast(world.Vec{X: x, Y: 20}, world.Vec{X: y, Y: -20})
				if got, also, err := reader.Shown(world.QueryFilter{}).RayCast(world.Vec{X: x, Y: 20}, world.Vec{X: y, Y: -20}); got != want || found != also || err != nil {
					t.Fatalf("a ray hits %v, the engine's hits %v", got, want)
				}
			}
			b, ok := e.Find("ground")
			if got, also := reader.Find("ground"); !ok || got != b || !also {
				t.Fatalf("the ground is %v, the engine's is %v", got, b)
			}
		}
		reader.Close()
	}
}

// The ratio of the clock to the steps may be any number.
func TestAReaderCanShowTheInstantOfThePicture(t *testing.T) {
	for _, frame := range []time.Duration{time.Second / 144, time.Second / 60, time.Second / 47} {
		r := rand.New(rand.NewPCG(2, uint64(frame)))
		e := start(t, engine.Config{Setup: assorted(r, 40), Time: engine.Time{Simulated: true}})
		reader := newReader(t, e)
		await(t, reader, 0)
		var own []world.Body
		for i := range norace.Rounds(150, 60) {
			own = comeAndGo(e, r, own)
			e.Advance(frame)
			reader.UpdateToPicture()
			if got, want := reader.View().Instant, e.View().Instant; math.Abs(got-want) > 1e-9 {
				t.Fatalf("frame %d: instant %v, the engine shows %v", i, got, want)
			}
			if i%30 == 29 {
				e.SetPaused(true)
				e.Advance(frame)
				reader.UpdateToPicture()
				e.SetPaused(false)
			}
			if e.View().Tick > 2 && reader.View().CurSerial == e.View().CurSerial {
				alike(t, reader, e, 1e-5)
			}
		}
	}
}

// The run is ahead of the due tick, then back after a rollback, and then at
// another tick after a seek.
func TestAReaderFollowsWhereverTheRunGoes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	e := start(t, engine.Config{
		Setup: assorted(r, 30), Time: engine.Time{Sync: renderloop.RunAhead, Simulated: true}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: 30}},
	})
	reader := newReader(t, e)
	await(t, reader, 0)
	var own []world.Body
	for i := range norace.Rounds(200, 80) {
		own = comeAndGo(e, r, own)
		switch i % 20 {
		case 5:
			if tick := e.Demanded(); tick > 10 {
				if err := e.History().Rollback(tick-5, func(c world.Commands) { c.SetGravity(world.Vec{X: float64(i % 3), Y: -10}) }); err != nil {
					t.Fatal(err)
				}
			}
		case 10:
			e.SetSync(renderloop.Lockstep)
		case 15:
			e.SetSync(renderloop.RunAhead)
		}
		e.Advance(time.Second / 60)
		if i%3 == 0 {
			reader.Update()
			for range reader.Poses() {
			}
		}
	}
	e.SetSync(renderloop.Lockstep)
	e.SetSmoothing(body2d.Newest)
	e.Step(1)
	await(t, reader, e.View().Tick)
	for reader.Update() {
	}
	alike(t, reader, e, 0)
}

func TestAnEngineHasNoMoreReadersThanItSays(t *testing.T) {
	e := start(t, engine.Config{})
	var all []*engine.Reader
	for range buffer.MaxReaders {
		all = append(all, newReader(t, e))
	}
	if _, err := e.NewReader(); !errors.Is(err, engine.ErrTooManyReaders) {
		t.Fatal(err)
	}
	all[3].Close()
	all[3].Close()
	newReader(t, e)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	all[2].Update()
	all[2].Close()
	if _, err := e.NewReader(); !errors.Is(err, engine.ErrEnded) {
		t.Fatal(err)
	}
}

func TestAForgottenReaderIsGivenBack(t *testing.T) {
	e := start(t, engine.Config{})
	for range buffer.MaxReaders {
		newReader(t, e).Update()
	}
	for end := time.Now().Add(20 * time.Second); ; runtime.GC() {
		if r, err := e.NewReader(); err == nil {
			r.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatal("forgotten readers keep their places")
		}
	}
}

func TestAReaderThatIsClosedWhileItIsInUseIsEmpty(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	e := start(t, engine.Config{Setup: assorted(r, 40)})
	for _, use := range []func(r *engine.Reader){
		func(r *engine.Reader) {
			for range r.Poses() {
				r.Close()
			}
		},
		func(r *engine.Reader) {
			q := r.Shown(world.QueryFilter{})
			all := func(f func(world.Body, world.Shape) bool) {
				if err := q.OverlapBox(world.Vec{X: -50, Y: -50}, world.Vec{X: 50, Y: 50}, f); err != nil {
					t.Error(err)
				}
			}
			all(func(world.Body, world.Shape) bool { r.Close(); return true })
			all(func(world.Body, world.Shape) bool { t.Error("a closed reader shows a shape"); return true })
		},
	} {
		reader := newReader(t, e)
		await(t, reader, 0)
		use(reader)
		e.Step(3)
		if reader.Update() || reader.UpdateToPicture() {
			t.Error("a closed reader has new states")
		}
		for b := range reader.Poses() {
			t.Errorf("a closed reader shows %v", b)
		}
		if _, ok := reader.Pick(0, -8); ok {
			t.Error("a closed reader picks a body")
		}
		if _, ok := reader.Find("ground"); ok {
			t.Error("a closed reader finds a body")
		}
	}
}

// A reader does not update while a hundred thousand bodies are created and
// destroyed.
func TestAReaderThatSleepsCostsBoundedMemoryAndCatchesUp(t *testing.T) {
	norace.Only(t)
	e := start(t, engine.Config{})
	reader := newReader(t, e)
	await(t, reader, 0)
	ground := e.CreateBody(world.BodyDef{Name: "ground", Shapes: []world.ShapeDef{world.Box(5, 1)}})
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	number, before := 0, int64(0)
	for i := range 120 {
		numbered(e, &number, 1000)
		e.Step(1)
		for range e.Events() {
		}
		if i == 20 {
			before = heap()
		}
	}
	if grown := heap() - before; grown > 8<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	await(t, reader, e.View().Tick)
	alike(t, reader, e, 1e-5)
	if b, ok := reader.Find("ground"); !ok || b != ground {
		t.Error("the ground is not there")
	}
}

// Readers update at any rate beside frames and commands. Some of them join and
// leave.
func TestReadersMayComeAndGoOnGoroutinesOfTheirOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	e := start(t, engine.Config{Setup: assorted(r, 60)})
	var over atomic.Bool
	var all sync.WaitGroup
	for i := range buffer.MaxReaders {
		all.Go(func() {
			for !over.Load() {
				reader := newReader(t, e)
				last := uint64(0)
				for range 10 * (i + 1) {
					if i%2 == 0 {
						reader.Update()
					} else {
						reader.UpdateToPicture()
					}
					if tick := reader.View().Tick; tick < last && i%2 == 0 {
						t.Errorf("tick %d after %d", tick, last)
					} else {
						last = tick
					}
					for b, p := range reader.Poses() {
						if math.IsNaN(p.X + p.Y + p.Angle) {
							t.Errorf("%v is at %v", b, p)
						}
					}
					if _, _, err := reader.Shown(world.QueryFilter{}).RayCast(world.Vec{X: -20}, world.Vec{X: 20, Y: -9}); err != nil {
						t.Error(err)
					}
					time.Sleep(time.Duration(i*i) * 100 * time.Microsecond)
				}
				reader.Close()
			}
		})
	}
	frames := norace.Rounds(whole.Rounds(400, 100), 60)
	var own []world.Body
	for range frames {
		own = comeAndGo(e, r, own)
		e.Advance(time.Second / 60)
		time.Sleep(time.Millisecond)
	}
	over.Store(true)
	all.Wait()
}

// A frame, the steps of the frame and an update of each reader together allocate
// no more than without readers.
func TestReadersAllocateNothing(t *testing.T) {
	allocations := func(readers int) float64 {
		r := rand.New(rand.NewPCG(6, 6))
		e := start(t, engine.Config{Setup: assorted(r, 40), Time: engine.Time{Sync: renderloop.Lockstep}})
		var all []*engine.Reader
		for range readers {
			all = append(all, newReader(t, e))
		}
		round := func() {
			e.Advance(time.Second / 60)
			for i, r := range all {
				if i%2 == 0 {
					r.Update()
				} else {
					r.UpdateToPicture()
				}
				for range r.Poses() {
				}
			}
		}
		for range norace.Rounds(200, 40) {
			round()
		}
		return testing.AllocsPerRun(norace.Rounds(100, 20), round)
	}
	if without, with := allocations(0), allocations(buffer.MaxReaders); with > without {
		t.Errorf("%v allocations, without readers %v", with, without)
	}
}
