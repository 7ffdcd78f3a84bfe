package engine_test

import (
	"runtime"
	"runtime/metrics"
	"slices"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/privateapi"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/test/benchscene"
	"halfstep/test/benchworld"
	"halfstep/world"
)

type simulation = physicsloop.Simulation[body2d.State, world.Event, world.Command]

// fallen builds fall1000 on Box2D's own step, which makes garbage.
func fallen(b *testing.B) *world.Simulation {
	scene, err := benchscene.Build("fall1000")
	if err != nil {
		b.Fatal(err)
	}
	c := benchworld.Config()
	sim := world.NewSimulation(c)
	privateapi.World.StepAsLibrary(sim.World())
	b.Cleanup(sim.Close)
	if err := benchworld.AddTo(sim.World(), scene); err != nil {
		b.Fatal(err)
	}
	return sim
}

// film is a simulation that replays the states of another simulation after the
// same times, without allocating.
type film struct {
	states [][]body2d.State
	costs  []time.Duration
	tick   uint64
}

// shoot runs a simulation and stores every state.
func shoot(w *world.Simulation, ticks int) *film {
	f := &film{}
	w.Start(&buffer.Outbox[world.Event]{
		Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[world.Event](),
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

func (f *film) Start(*buffer.Outbox[world.Event])  {}
func (f *film) BeginFrame()                        {}
func (f *film) Apply(uint64, *world.Command, bool) {}
func (f *film) EndFrame()                          {}
func (f *film) Counts() body2d.Counts              { return body2d.Counts{} }
func (f *film) at() int                            { return int(f.tick) % len(f.states) }
func (f *film) Capture(dst []body2d.State) []body2d.State {
	return append(dst, f.states[f.at()]...)
}

func (f *film) Step(tick uint64, _ float64) {
	f.tick = tick
	for start := time.Now(); time.Since(start) < f.costs[f.at()]; {
	}
}

// filmTicks is the length of the film in ticks. The film is repeated.
const filmTicks = 600

// The benchmark runs a render loop at 60 Hz that allocates nothing. The loop
// runs beside Box2D's own step of fall1000. It also runs beside a simulation
// that replays the same states after the same times without allocating. Use
// -benchtime 3600x (a minute), and other values of GOGC.
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

// intervals simulates drawing 60 times a second, and reports how even the
// intervals were.
func intervals(b *testing.B, sim simulation) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0))))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	link := buffer.NewLink[body2d.State, world.Event, world.Command]()
	loop, err := renderloop.New(link, renderloop.Config{})
	if err != nil {
		b.Fatal(err)
	}
	physics := physicsloop.Start(sim, link, physicsloop.Options{})
	defer physics.Close()
	const interval = time.Second / 60
	took := make([]time.Duration, 0, 1<<16)
	var event world.Event
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

// collected returns the number of garbage collections, and of allocated
// objects.
func collected() [2]float64 {
	s := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/heap/allocs:objects"}}
	metrics.Read(s)
	return [2]float64{float64(s[0].Value.Uint64()), float64(s[1].Value.Uint64())}
}
