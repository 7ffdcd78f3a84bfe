// Stepbench measures the cost of a step in a benchmark scene.
//
// It prints one line of JSON, with times in milliseconds. The line has the CPU time per step
// (user and system time of the process), the CPU time of the longest step, and the minimum, the
// median and the 99th percentile of the wall time per step. It has the sum of the heights of
// all bodies after the run, which is about equal for engines that played the same scene. It has
// the depth of the deepest overlap of two shapes after the last step in metres (max_overlap),
// the number of bodies faster than 5 cm/s (moving), the contacts, allocations and bytes per
// step, and a hash of the final state.
//
//	stepbench -scene fall1000 -steps 300 -stepper fast -workers 1
//
// The scene asleepN is another kind of run: an engine steps a world with N sleeping bodies and
// 100 awake bodies. Its line has the time for making the world, the time of a step from its
// commands to its published state, and the bytes of heap for each body. The flag -rollback
// keeps ticks, and -pick picks the body at a point in each frame.
//
//	stepbench -scene asleep50000 -stepper soft -rollback 8
//
// The scenes v3/NAME are those of Box2D v3's own benchmark, at its sizes, in a world of package
// world. Box2D's program does not count the first step. The flag -warmup 1 does the same here.
//
//	stepbench -scene v3/rain -stepper soft -warmup 1
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"

	"halfstep/internal/box/soft"
	"halfstep/internal/monotime"
	"halfstep/test/benchscene"
	"halfstep/test/cputime"
	"halfstep/test/v3scene"
	"halfstep/world"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	var usage usageError
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.As(err, &usage):
		fmt.Fprintln(os.Stderr, "stepbench:", err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "stepbench:", err)
		os.Exit(1)
	}
}

// usageError is an error in the command line. The exit status is then 2.
type usageError struct{ error }

type result struct {
	Engine        string  `json:"engine"`
	Scene         string  `json:"scene"`
	Stepper       string  `json:"stepper"`
	Workers       int     `json:"workers"`
	Steps         int     `json:"steps"`
	CPUMs         float64 `json:"cpu_ms"`
	WorstCPUMs    float64 `json:"worst_cpu_ms"`
	MinMs         float64 `json:"min_ms"`
	MedianMs      float64 `json:"median_ms"`
	P99Ms         float64 `json:"p99_ms"`
	SumY          float64 `json:"sum_y"`
	MaxOverlap    float64 `json:"max_overlap"`
	Moving        int     `json:"moving"`
	Contacts      int     `json:"contacts"`             // Contacts is the number of pairs of boxes that overlap.
	Outside       int     `json:"outside,omitempty"`    // Outside, for v3's scenes, is the number of dynamic bodies at places where none should be.
	WidestGap     float64 `json:"widest_gap,omitempty"` // WidestGap, for v3's scenes, is the greatest distance between the two anchors of a joint, in m.
	AllocsPerStep float64 `json:"allocs_per_step"`
	BytesPerStep  float64 `json:"bytes_per_step"`
	StateHash     string  `json:"state_hash"`
}

// cpuSeconds returns the user and system time that this process has used so far.
func cpuSeconds() float64 { return cputime.Used().Seconds() }

// startProfile writes a CPU profile to a file until stop is called. If path is "" it does
// nothing.
func startProfile(path string) (stop func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		f.Close()
	}, nil
}

func run(args []string, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("stepbench", flag.ContinueOnError)
	fs.SetOutput(errOut)
	name := fs.String("scene", "fall1000", "`NAME` of the scene: "+strings.Join(benchscene.Names(), ", ")+", fallN, capsulesN, asleepN, v3/"+strings.Join(v3scene.Names(), ", v3/"))
	steps := fs.Int("steps", 0, "number of measured steps; 0 is as many as v3 plays of its scenes, and 300 of the others")
	warm := fs.Int("warmup", 0, "number of steps before the measured ones; not of asleepN")
	which := fs.String("stepper", "fast", "fast, soft (soft constraints in sub-steps), or stock (the library's own Step; not of asleepN and v3/)")
	workers := fs.Int("workers", 1, "number of goroutines of the fast and the soft stepper; 0 is one less than there are processors")
	subSteps := fs.Int("substeps", soft.DefaultSubSteps, "parts of a step, with -stepper soft; not of asleepN and v3/")
	still := fs.Bool("nocontinuous", false, "turn continuous collision off; not of asleepN and v3/")
	rollback := fs.Int("rollback", 0, "ticks that are kept for rollback; of asleepN only")
	pick := fs.Bool("pick", false, "ask in each frame what is shown at a point; of asleepN only")
	profile := fs.String("cpuprofile", "", "write a CPU profile to `FILE`")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return usageError{err}
	}
	if *steps < 0 || *warm < 0 || *workers < 0 || *subSteps <= 0 {
		return usageError{errors.New("-substeps must be positive; -steps, -warmup and -workers must not be negative")}
	}
	library := *which == "stock"
	way, err := world.ParseStepper(*which)
	if err != nil && !library {
		return usageError{fmt.Errorf("-stepper %s: must be fast, soft or stock", *which)}
	}
	err = nil
	if fs.NArg() > 0 {
		return usageError{fmt.Errorf("what is %q? Scenes are named with -scene", fs.Arg(0))}
	}
	bodies, sleeps := asleepCount(*name)
	v3, isV3 := strings.CutPrefix(*name, "v3/")
	fs.Visit(func(f *flag.Flag) { // flags without an effect
		switch f.Name {
		case "rollback", "pick":
			if !sleeps {
				err = fmt.Errorf("-%s is for scenes asleepN", f.Name)
			}
		case "warmup":
			if sleeps {
				err = fmt.Errorf("-%s is not for scenes asleepN", f.Name)
			}
		case "substeps", "nocontinuous":
			if sleeps || isV3 {
				err = fmt.Errorf("-%s is not for scenes asleepN and v3/", f.Name)
			} else if f.Name == "substeps" && way != world.SoftStep {
				err = errors.New("-substeps is for -stepper soft")
			}
		case "stepper":
			if library && (sleeps || isV3) {
				err = errors.New("-stepper stock is not for scenes asleepN and v3/")
			}
		}
	})
	if err != nil {
		return usageError{err}
	}
	if sleeps {
		a := asleep{*name, bodies, cmp.Or(*steps, 300), way, *workers, *rollback, *pick, *profile}
		return a.run(out)
	}
	var p played
	if isV3 {
		scene, err := v3scene.Find(v3)
		if err != nil {
			return usageError{err}
		}
		*steps = cmp.Or(*steps, scene.Steps)
		p = playV3(scene, way, *workers)
	} else {
		scene, err := benchscene.Build(*name)
		if err != nil {
			return usageError{err}
		}
		p = playLibrary(scene, way, library, *workers, *subSteps, *still)
	}
	*steps = cmp.Or(*steps, 300)
	defer p.close()
	for range *warm {
		p.step()
	}
	stop, err := startProfile(*profile)
	if err != nil {
		return err
	}
	defer stop()

	ms := make([]float64, *steps)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	first, worst := cpuSeconds(), 0.0
	last := first
	for i := range ms {
		start := monotime.Now()
		p.step()
		ms[i] = float64(monotime.Since(start)) / 1e6
		now := cpuSeconds()
		worst, last = max(worst, now-last), now
	}
	cpu := last - first
	runtime.ReadMemStats(&after)

	n := float64(*steps)
	r := result{
		Engine: "Go box2d 1.0.2 " + *which, Scene: *name, Stepper: *which, Workers: *workers, Steps: *steps,
		CPUMs:         cpu * 1e3 / n,
		WorstCPUMs:    worst * 1e3,
		AllocsPerStep: float64(after.Mallocs-before.Mallocs) / n,
		BytesPerStep:  float64(after.TotalAlloc-before.TotalAlloc) / n,
	}
	slices.Sort(ms)
	r.MinMs, r.MedianMs, r.P99Ms = ms[0], ms[len(ms)/2], ms[len(ms)*99/100]
	p.look(&r)
	return json.NewEncoder(out).Encode(r)
}
