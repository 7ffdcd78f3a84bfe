package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"

	"halfstep/engine"
	"halfstep/world"
)

// asleep is a large world in which most bodies sleep: N bodies sleep on and above a long
// ground, and 100 boxes among them are awake. An engine steps it, so that the cost of a
// step includes the commands before the step and the publishing after it.
type asleep struct {
	name     string
	asleep   int
	steps    int
	stepper  world.Stepper
	workers  int
	rollback int    // ticks kept for rollback
	pick     bool   // pick makes one query about the picture in each frame.
	profile  string // profile is the file for a CPU profile, or "".
}

type asleepResult struct {
	Scene        string  `json:"scene"`
	Stepper      string  `json:"stepper"`
	Workers      int     `json:"workers"`
	Steps        int     `json:"steps"`
	Rollback     int     `json:"rollback"`
	Pick         bool    `json:"pick"`
	MakeMs       float64 `json:"make_ms"`       // MakeMs is the CPU time for making the world and for the first step.
	FirstPickMs  float64 `json:"first_pick_ms"` // FirstPickMs is the CPU time of the first query. It is 0 without queries.
	CPUMs        float64 `json:"cpu_ms"`        // CPUMs is the CPU time of a step.
	WorstCPUMs   float64 `json:"worst_cpu_ms"`
	Awake        int     `json:"awake"`
	BytesPerBody float64 `json:"bytes_per_body"`
}

const awakeBoxes = 100

// asleepCount returns the number N of a scene with the name asleepN. The result ok is
// false for all other scenes.
func asleepCount(scene string) (n int, ok bool) {
	digits, ok := strings.CutPrefix(scene, "asleep")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0 && n <= 1_000_000
}

func (a *asleep) setup(w *world.World) error {
	wide := float64(a.asleep)*1.5 + 400
	_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(wide, 0.5)}})
	for i := 0; err == nil && i < a.asleep; i++ {
		// the bodies are in a row from left to right, with room for the awake boxes; every second
		// body lies on the ground
		at := world.Vec{X: 1.5 * (float64(i) - float64(a.asleep)/2), Y: 1}
		if at.X += 150; i < a.asleep/2 {
			at.X -= 300
		}
		if i%2 == 1 {
			at.Y = 30
		}
		_, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Asleep: true, Position: at, Shapes: []world.ShapeDef{world.Box(0.5, 0.5)}})
	}
	for i := 0; err == nil && i < awakeBoxes; i++ {
		at := world.Vec{X: 2*float64(i) - awakeBoxes, Y: 8}
		_, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, NoSleep: true, Position: at, AngularVelocity: 1, Shapes: []world.ShapeDef{world.Box(0.3, 0.3)}})
	}
	return err
}

func (a *asleep) run(out io.Writer) error {
	start := cpuSeconds()
	e, err := engine.New(engine.Config{
		World: world.Config{Stepper: a.stepper, Workers: a.workers}, History: engine.HistoryOptions{Rollback: engine.RollbackOptions{Ticks: a.rollback}}, Setup: a.setup,
	})
	if err != nil {
		return err
	}
	defer e.Close()
	frame := func() {
		e.Step(1)
		for range e.Events() {
		}
	}
	frame()
	r := asleepResult{
		Scene: a.name, Stepper: a.stepper.String(), Workers: a.workers, Steps: a.steps, Rollback: a.rollback, Pick: a.pick,
		MakeMs: (cpuSeconds() - start) * 1e3,
	}
	for range 2 * 60 { // wait until the boxes have landed
		frame()
	}
	ask := func() {
		if a.pick {
			e.Pick(0, 1)
		}
	}
	start = cpuSeconds()
	ask()
	if a.pick {
		r.FirstPickMs = (cpuSeconds() - start) * 1e3
	}
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	r.BytesPerBody = float64(memory.HeapAlloc) / float64(a.asleep+awakeBoxes)
	stop, err := startProfile(a.profile)
	if err != nil {
		return err
	}
	defer stop()
	first := cpuSeconds()
	last := first
	for range a.steps {
		frame()
		ask()
		now := cpuSeconds()
		r.WorstCPUMs, last = max(r.WorstCPUMs, (now-last)*1e3), now
	}
	r.CPUMs = (last - first) * 1e3 / float64(a.steps)
	if r.Awake = int(e.Metrics().Awake); r.Awake != awakeBoxes {
		return fmt.Errorf("%d bodies are awake, not %d", r.Awake, awakeBoxes)
	}
	return json.NewEncoder(out).Encode(r)
}
