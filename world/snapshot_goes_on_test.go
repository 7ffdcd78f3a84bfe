package world_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/test/attack"
	"halfstep/test/benchscene"
	"halfstep/test/benchworld"
	"halfstep/test/norace"
	"halfstep/world"
)

// chaotic is a run with commands of all kinds, many of them senseless. The state of its
// random numbers goes back in time with the world.
func chaotic(t testing.TB, seed uint64, cfg world.Config) *run {
	t.Helper()
	sim := world.NewSimulation(cfg)
	w := sim.World()
	source := rand.NewPCG(seed, 5)
	c := world.NewChaos(rand.New(source), w)
	w.AddState(source)
	w.Keep(c.Names())
	w.AddContactHook(func(w *world.World, events []world.Event) {
		for i := range events {
			switch c.IntN(30) {
			case 0:
				w.DestroyBody(events[i].A)
			case 1:
				if w.Counts().Bodies > 100 {
					continue // otherwise the number of objects would grow without end
				}
				w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 5}, Shapes: []world.ShapeDef{world.Box(.3, .3)}})
			}
		}
	})
	return &run{Simulation: sim, Each: func(r *run, step int) {
		for range c.IntN(5) {
			r.Give(c.Command())
		}
	}}
}

func configOf(i int) world.Config {
	return world.Config{
		Stepper: [...]world.Stepper{world.SoftStep, world.FastStep, world.FastStep}[i%3], SubSteps: i % 4 * 2,
		NoSleep: i%5 == 1, NoContinuous: i%5 == 2, SubStepping: i%7 == 3, Workers: max(1, i%4*2-2),
	}
}

func TestARestoredWorldGoesOnAsItDidTheFirstTime(t *testing.T) {
	for i := range norace.Rounds(16, 4) {
		open := func() *run { return chaotic(t, uint64(i), configOf(i)) }
		goesOn(t, fmt.Sprintf("seed %d, %+v", i, configOf(i)), open, 20+5*(i%5), 40)
	}
}

// In step 51 of this world a body is lost while it touches another one. The hit on the
// other body must not depend on the order in which the step handles the two bodies.
func TestWhoIsHitByALostBodyIsTheSameAfterARestore(t *testing.T) {
	cfg := world.Config{Stepper: world.FastStep, SubSteps: 2, Workers: 1}
	goesOn(t, "a lost body", func() *run { return chaotic(t, 6774457617344397208, cfg) }, 50, 8)
}

// In one step, two bodies turn by nearly a quarter. The step predicts that they will touch,
// with rotations whose length is not exactly 1.
func TestAPredictedContactOfBodiesThatSpinIsReadFromItsBytes(t *testing.T) {
	goesOn(t, "spinning bodies", func() *run { return chaotic(t, 6115377271402539744, configOf(15)) }, 80, 28)
}

func TestAttackSnapshots(t *testing.T) {
	a := attack.Start(t)
	for rng := range a.Rounds() {
		seed, after := rng.Uint64(), 1+rng.IntN(60)
		cfg := configOf(rng.IntN(1000))
		open := func() *run { return chaotic(t, seed, cfg) }
		goesOn(t, fmt.Sprintf("seed %d, %+v", seed, cfg), open, rng.IntN(100), after)
		a.Count("steps after a restore", uint64(after))
	}
}

// pile is a scene of the step benchmark, after some steps.
func pile(t testing.TB, name string, steps int, cfg world.Config) *world.Simulation {
	t.Helper()
	scene, err := benchscene.Build(name)
	if err != nil {
		t.Fatal(err)
	}
	sim := world.NewSimulation(cfg)
	if err := benchworld.AddTo(sim.World(), scene); err != nil {
		t.Fatal(err)
	}
	for tick := range steps {
		sim.BeginFrame()
		sim.Step(uint64(tick+1), benchscene.StepSeconds)
		sim.EndFrame()
	}
	return sim
}

func TestASnapshotAllocatesNothingInTheSteadyState(t *testing.T) {
	norace.Only(t)
	const most = 1_715_000 // bytes
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		cfg := benchworld.Config()
		cfg.Stepper = stepper
		sim := pile(t, "fall1000", 100, cfg)
		defer sim.Close()
		w := sim.World()
		var s world.Snapshot
		take := func() {
			if err := w.Snapshot(&s); err != nil {
				t.Fatal(err)
			}
		}
		restore := func() {
			if err := w.Restore(&s); err != nil {
				t.Fatal(err)
			}
		}
		take()
		restore()
		if n := testing.AllocsPerRun(20, take); n != 0 {
			t.Errorf("%s: a snapshot makes %v allocations", s.Stepper(), n)
		}
		if n := testing.AllocsPerRun(20, restore); n != 0 {
			t.Errorf("%s: a restore makes %v allocations", s.Stepper(), n)
		}
		if size := s.Size(); size > most {
			t.Errorf("%s: %d bytes", s.Stepper(), size)
		}
	}
}

// The benchmark steps the world between two snapshots, as a program does, but does not time
// the step.
func BenchmarkSnapshot(b *testing.B) {
	b.Run("fast", func(b *testing.B) { benchmarkSnapshot(b, world.FastStep) })
	b.Run("soft", func(b *testing.B) { benchmarkSnapshot(b, world.SoftStep) })
}

func benchmarkSnapshot(b *testing.B, stepper world.Stepper) {
	cfg := benchworld.Config()
	cfg.Stepper = stepper
	sim := pile(b, "fall1000", 199, cfg)
	defer sim.Close()
	w := sim.World()
	var before, s world.Snapshot
	step := func(b *testing.B) {
		b.StopTimer()
		if err := w.Restore(&before); err != nil {
			b.Fatal(err)
		}
		sim.Step(200, benchscene.StepSeconds)
		b.StartTimer()
	}
	if err := w.Snapshot(&before); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"take", func() error { return w.Snapshot(&s) }},
		{"restore", func() error { return w.Restore(&s) }},
		{"bytes", func() error { _, err := s.MarshalBinary(); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				step(b)
				if err := c.do(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.Size()), "bytes")
			b.ReportMetric(float64(w.Counts().Contacts), "contacts")
		})
	}
}

// A snapshot goes to another process as bytes. The world runs on there.
func TestASnapshotGoesOnInANewProcess(t *testing.T) {
	norace.Only(t)
	const before, after = 30, 60
	open := func() *run { return chaotic(t, 77, world.Config{Stepper: world.SoftStep, Workers: 2}) }
	if name := os.Getenv("HALFSTEP_TEST_SNAPSHOT"); name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := world.LoadSnapshot(data)
		if err != nil {
			t.Fatal(err)
		}
		r := open()
		if err := r.World().Restore(s); err != nil {
			t.Fatal(err)
		}
		for _, tick := range r.Steps(before, after) {
			fmt.Printf("hash %x %x\n", tick.Hash, tick.Bits)
		}
		return
	}
	r := open()
	r.Steps(0, before)
	var s world.Snapshot
	if err := r.World().Snapshot(&s); err != nil {
		t.Fatal(err)
	}
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "snapshot")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, tick := range r.Steps(before, after) {
		want += fmt.Sprintf("hash %x %x\n", tick.Hash, tick.Bits)
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1")
	c.Env = append(os.Environ(), "HALFSTEP_TEST_SNAPSHOT="+name)
	out, err := c.Output()
	if got, _, _ := strings.Cut(string(out), "PASS"); err != nil || got != want {
		t.Fatalf("%v: the new process went on with\n%snot\n%s", err, out, want)
	}
}
