package engine_test

import (
	"runtime"
	"runtime/metrics"
	"slices"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/internal/benchscene"
	"halfstep/physicsloop"
	"halfstep/physicsloop/box"
	"halfstep/renderloop"
)

type simulation = physicsloop.Simulation[buffer.BodyState, box.Event, box.Command]

// fallen builds fall1000 on Box2D's own step, which makes garbage.
func fallen(b *testing.B) *box.World {
	scene, err := benchscene.Build("fall1000")
	if err != nil {
		b.Fatal(err)
	}
	w := box.New(box.Config{Gravity: box.Vec{Y: benchscene.GravityY}, NoSleep: true, StockStep: true})
	b.Cleanup(w.Close)
	for _, d := range scene.Bodies {
		s := box.BoxShape(d.HX, d.HY)
		s.Density, s.Friction = benchscene.Density, benchscene.Friction
		_, err := w.CreateBody(box.BodyDef{
			Kind: box.BodyKind(d.Type), Position: box.Vec{X: d.X, Y: d.Y}, Shapes: []box.ShapeDef{s},
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return w
}

// film is a simulation that shows again what another did: the same states after
// the same time, and nothing allocated.
type film struct {
	states [][]buffer.BodyState
	costs  []time.Duration
	tick   uint64
}

// shoot runs a simulation and keeps every state.
func shoot(w *box.World, ticks int) *film {
	f := &film{}
	w.Start(&physicsloop.Outbox[box.Event]{
		Structure: buffer.NewLog[buffer.Structure](), Events: buffer.NewLog[box.Event](),
	})
	for tick := range uint64(ticks) {
		start := time.Now()
		w.BeginFrame()
		w.Step(tick+1, 1.0/60)
		w.EndFrame()
		f.costs = append(f.costs, time.Since(start))
		f.states = append(f.states, w.Capture(nil))
	}
	return f
}

func (f *film) Start(*physicsloop.Outbox[box.Event]) {}
func (f *film) BeginFrame()                          {}
func (f *film) Apply(uint64, *box.Command, bool)     {}
func (f *film) EndFrame()                            {}
func (f *film) Counts() buffer.Counts                { return buffer.Counts{} }
func (f *film) at() int                              { return int(f.tick) % len(f.states) }
func (f *film) Capture(dst []buffer.BodyState) []buffer.BodyState {
	return append(dst, f.states[f.at()]...)
}

func (f *film) Step(tick uint64, _ float64) {
	f.tick = tick
	for start := time.Now(); time.Since(start) < f.costs[f.at()]; {
	}
}

// filmTicks is how many ticks the film has; it goes round.
const filmTicks = 600

// A render loop at 60 Hz that allocates nothing, beside Box2D's own step of
// fall1000, and beside the same states shown after the same time by a
// simulation that allocates nothing either. Run with -benchtime 3600x (a
// minute), and with other values of GOGC.
func BenchmarkFrameIntervalUnderGarbage(b *testing.B) {
	for _, garbage := range []bool{true, false} {
		name := "nothing"
		if garbage {
			name = "garbage"
		}
		b.Run(name, func(b *testing.B) {
			var sim simulation
			if w := fallen(b); garbage {
				sim = w
			} else {
				sim = shoot(w, filmTicks)
			}
			runtime.GC()
			intervals(b, sim)
		})
	}
}

// intervals draws in thought 60 times a second and reports how even that was.
func intervals(b *testing.B, sim simulation) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0))))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	link := buffer.NewLink[buffer.BodyState, box.Event, box.Command]()
	loop, err := renderloop.New(link, renderloop.Config{})
	if err != nil {
		b.Fatal(err)
	}
	physics := physicsloop.Start(sim, link, physicsloop.Options{})
	defer physics.Close()
	const interval = time.Second / 60
	took := make([]time.Duration, 0, 1<<16)
	var event box.Event
	before := collected()
	next, last := time.Now(), time.Now()
	for b.Loop() {
		next = next.Add(interval)
		time.Sleep(time.Until(next) - time.Millisecond)
		for time.Now().Before(next) {
			runtime.Gosched()
		}
		loop.Frame(int64(time.Since(last)))
		now := time.Now()
		took, last = append(took, now.Sub(last)), now
		for loop.NextEvent(&event) {
		}
	}
	after := collected()
	slices.Sort(took)
	at := func(part float64) float64 { return took[int(part*float64(len(took)-1))].Seconds() * 1e3 }
	b.ReportMetric(at(.5), "p50-ms")
	b.ReportMetric(at(.99), "p99-ms")
	b.ReportMetric(at(.999), "p99.9-ms")
	b.ReportMetric(at(1), "max-ms")
	b.ReportMetric(after[0]-before[0], "collections")
	b.ReportMetric((after[1]-before[1])/float64(max(link.Tick(), 1)), "objects/step")
}

// collected is how many collections there were, and how many objects were
// allocated.
func collected() [2]float64 {
	s := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/heap/allocs:objects"}}
	metrics.Read(s)
	return [2]float64{float64(s[0].Value.Uint64()), float64(s[1].Value.Uint64())}
}
