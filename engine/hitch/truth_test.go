package hitch_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/engine/hitch"
	"halfstep/internal/timing"
	"halfstep/renderloop"
	"halfstep/world"
)

// asBurner is the environment variable that makes this test binary keep all
// processors busy for a time.
const asBurner = "HALFSTEP_TEST_AS_BURNER"

func init() { hitch.Burn = burn }

// burn waits for a byte of input and then keeps all processors busy. It does so
// only if this process was started for that purpose.
func burn() {
	d, err := time.ParseDuration(os.Getenv(asBurner))
	if err != nil {
		return
	}
	n := 4 * runtime.NumCPU()
	runtime.GOMAXPROCS(n + 1)
	begin := make(chan struct{})
	var all sync.WaitGroup
	for range n {
		all.Go(func() { runtime.LockOSThread(); <-begin; busy(d) })
	}
	if n, _ := os.Stdin.Read(make([]byte, 1)); n == 0 {
		os.Exit(0) // nobody wants it
	}
	close(begin)
	all.Wait()
	os.Exit(0)
}

// busy works for d.
func busy(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

// thief is the input of another program, for trials with other programs. That
// program keeps the processors busy once it gets input.
var thief io.WriteCloser

// startThief starts that program, with a higher priority than this program if the
// system allows it.
func startThief(t *testing.T, d time.Duration) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{program}
	if exec.Command("nice", "-n", "-20", "true").Run() == nil {
		args = []string{"nice", "-n", "-20", program}
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), asBurner+"="+d.String())
	if thief, err = cmd.StdinPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		thief.Close()
		cmd.Wait()
	})
}

// steal makes that program take the processors.
func steal() { thief.Write([]byte{1}) }

// trial is a fault, with the verdict that is right for it.
type trial struct {
	name      string
	threshold time.Duration // threshold is the threshold of the recorder. If it is 0, 60 ms is used.
	suspect   string
	says      string // the verdict

	always bool // always says that the fault happens from the beginning on.
	config engine.Config
	setup  func(w *world.World) error
	// Each of these is called once. The function step is called on the physics
	// goroutine before a step, and hook after it. The function frame is called on the
	// render thread before, during and after the picture.
	step, hook func(w *world.World)
	frame      func(e *engine.Engine)
	draw       func()
	swap       func()
	events     func()
}

// atTick is the tick of a fault, and atFrame is the frame of a fault in a frame.
const atTick, atFrame = 90, 90

// lockedBy makes another goroutine lock a mutex for the time d. It returns the
// mutex.
func lockedBy(d time.Duration) *sync.Mutex {
	m, held := new(sync.Mutex), make(chan struct{})
	go func() {
		m.Lock()
		close(held)
		time.Sleep(d)
		m.Unlock()
	}()
	<-held
	return m
}

func pile(n int) func(w *world.World) error {
	return func(w *world.World) error {
		_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(400, 1)}})
		for i := range n {
			if err != nil {
				return err
			}
			_, err = w.CreateBody(world.BodyDef{
				Kind: world.Dynamic, Position: world.Vec{X: float64(i % 20), Y: 1 + float64(i/20)},
				Shapes: []world.ShapeDef{world.Box(.99, .99)},
			})
		}
		return err
	}
}

// rows makes bodies that rest and touch nothing.
func rows(n int) func(w *world.World) error {
	return func(w *world.World) error {
		for i := range n {
			if _, err := w.CreateBody(world.BodyDef{Position: world.Vec{X: float64(3 * (i % 500)), Y: float64(3 * (i / 500))},
				Shapes: []world.ShapeDef{world.Box(1, 1)}}); err != nil {
				return err
			}
		}
		return nil
	}
}

// tree is memory that takes the garbage collector a long time to mark.
type tree struct{ left, right *tree }

func grow(depth int) *tree {
	if depth == 0 {
		return nil
	}
	return &tree{grow(depth - 1), grow(depth - 1)}
}

// ballast is reachable in all trials of the garbage collector.
var ballast *tree

func trials() []trial {
	const ms = time.Millisecond
	late := func(k fault.Kind, d time.Duration) engine.Config {
		return engine.Config{Testing: engine.Testing{Faults: []fault.Fault{{Kind: k, Delay: d, At: atTick}}}}
	}
	lockstep := late(fault.LateStep, 100*ms)
	lockstep.Time.Sync = renderloop.Lockstep
	hard := engine.Config{World: world.Config{VelocityIterations: 1000, PositionIterations: 3}}
	return []trial{
		{name: "a late step", suspect: "physics", says: "in the step", config: late(fault.LateStep, 120*ms)},
		{name: "a late step, lockstep", suspect: "physics", says: "in the step", config: lockstep},
		{name: "a heavy island", threshold: 40 * ms, suspect: "physics", says: "solving contacts and joints of one island of 400 bodies", config: hard, setup: pile(400),
			always: true},
		{name: "a controller", suspect: "physics", says: "in controllers", step: func(*world.World) { busy(110 * ms) }},
		{name: "a contact hook", suspect: "physics", says: "in contact hooks", hook: func(*world.World) { busy(110 * ms) }},
		{name: "capture of a huge world", threshold: 30 * ms, suspect: "physics", says: "capturing the state of", setup: rows(200_000),
			frame: func(e *engine.Engine) { e.SetDebugLayers(body2d.Layers(255)) }},
		{name: "a burst of commands", suspect: "physics", says: "carrying out 30,", frame: func(e *engine.Engine) {
			for i := range 30_000 {
				e.CreateBody(world.BodyDef{Position: world.Vec{X: float64(3 * i)}, Shapes: []world.ShapeDef{world.Box(1, 1)}})
			}
		}},
		{name: "a present", suspect: "driver", says: "in the present", swap: func() { time.Sleep(120 * ms) }},
		{name: "a present of 33 ms", threshold: 25 * ms, suspect: "driver", says: "in the present", swap: func() { time.Sleep(33 * ms) }},
		{name: "a late frame", suspect: "driver", says: "in the present", config: late(fault.LateFrame, 120*ms)},
		{name: "the collector in a controller", threshold: 40 * ms, suspect: "gc", says: "the garbage collector", step: func(*world.World) { collect() }},
		{name: "the collector in drawing", threshold: 40 * ms, suspect: "gc", says: "the garbage collector", draw: collect},
		{name: "a lock in a controller", suspect: "waiting", says: "waiting for a lock", step: func(*world.World) { lockedBy(120 * ms).Lock() }},
		{name: "a lock in drawing", suspect: "waiting", says: "waiting for a lock", draw: func() { lockedBy(120 * ms).Lock() }},
		{name: "a channel in a contact hook", suspect: "waiting", says: "waiting for a channel", hook: func(*world.World) { <-time.After(120 * ms) }},
		{name: "other programs during a step", suspect: "processor", says: "other programs", step: func(*world.World) { steal(); busy(230 * ms) }},
		{name: "other programs during a frame", suspect: "processor", says: "other programs", draw: func() { steal(); busy(230 * ms) }},
		{name: "page faults", suspect: "memory", says: "page faults", step: func(*world.World) { touch(1 << 30) }},
		{name: "events", suspect: "events", says: "does with events", events: func() { busy(110 * ms) }},
		{name: "drawing", suspect: "drawing", says: "in drawing", draw: func() { busy(110 * ms) }},
	}
}

func collect() {
	runtime.GC()
}

// TestTheCauseOfTwentyFaultsIsFound takes a minute. It needs a machine that does
// nothing else (see scripts/check/hitches).
func TestTheCauseOfTwentyFaultsIsFound(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("HALFSTEP_HITCHES"))
	if err != nil {
		t.Skip("HALFSTEP_HITCHES does not say how many rounds; see scripts/check/hitches")
	}
	runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))
	for range rounds {
		right, all := 0, trials()
		for i := range all {
			rep := all[i].run(t)
			ok := rep != nil && rep.Suspect == all[i].suspect && strings.Contains(rep.Verdict, all[i].says)
			verdict := "there was no report"
			if rep != nil {
				verdict = rep.Suspect + ": " + rep.Verdict
			}
			mark := "RIGHT"
			if ok {
				right++
			} else {
				mark = "WRONG"
			}
			fmt.Printf("%s  %-30s %s\n", mark, all[i].name, verdict)
			if !ok && rep != nil && testing.Verbose() {
				for _, s := range rep.Suspects {
					fmt.Printf("       %-10s %.2f  + %q  - %q\n", s.Name, s.Share, s.For, s.Against)
				}
			}
		}
		fmt.Printf("%d of %d right\n", right, len(all))
		if right < len(all)-1 {
			t.Errorf("%d of %d right", right, len(all))
		}
	}
}

// run runs an engine with the fault. It returns the report, or nil.
func (c *trial) run(t *testing.T) *hitch.Report {
	if strings.HasPrefix(c.name, "the collector") {
		ballast = grow(23)
		runtime.GC()
		defer func() { ballast = nil }()
	}
	if strings.HasPrefix(c.name, "other programs") {
		startThief(t, 200*time.Millisecond)
	}
	threshold := c.threshold
	if threshold == 0 {
		threshold = 60 * time.Millisecond
	}
	found := make(chan *hitch.Report, 8)
	rec, err := hitch.Start(hitch.Options{
		Dir: t.TempDir(), Threshold: threshold, StartUp: time.Millisecond, StartUpFrames: 60, Every: time.Millisecond,
		OnReport: func(r *hitch.Report, _ error) { found <- r },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	config := c.config
	config.Name = c.name
	var began atomic.Int64 // when the fault began, in ns since timing.Epoch
	if c.always {
		began.Store(1)
	}
	begin := func() bool { return began.CompareAndSwap(0, timing.Now()) }
	config.Setup = func(w *world.World) error {
		if c.step != nil {
			w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
				if w.Tick() >= atTick && begin() {
					c.step(w)
				}
			}))
		}
		if c.hook != nil {
			w.AddContactHook(func(w *world.World, _ []world.Event) {
				if w.Tick() >= atTick && begin() {
					c.hook(w)
				}
			})
		}
		if c.setup != nil {
			return c.setup(w)
		}
		return pile(40)(w)
	}
	e, err := engine.New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	rec.Watch(e.Trace())
	once := func(n int, f func()) {
		if n == atFrame && f != nil && begin() {
			f()
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for n := 0; ; n++ {
		e.Frame()
		for range e.Events() {
		}
		e.Trace().EnterPhase(phase.Events)
		once(n, c.events)
		e.Trace().EnterPhase(phase.Draw)
		once(n, c.draw)
		if c.frame != nil {
			once(n, func() { c.frame(e) })
		}
		e.Trace().EnterPhase(phase.Swap)
		once(n, c.swap)
		e.Trace().PlanSleep(16 * time.Millisecond)
		time.Sleep(16 * time.Millisecond)
		select {
		case r := <-found:
			if at := began.Load(); at != 0 && r.End() > at || len(r.Injected) > 0 {
				return r
			}
			fmt.Printf("EARLY  %-30s %s\n", c.name, r.Verdict)
		case <-ctx.Done():
			return nil
		default:
		}
	}
}

// TestARunWithoutFaultsHasNoHitch runs for the time in HALFSTEP_QUIET.
func TestARunWithoutFaultsHasNoHitch(t *testing.T) {
	d, err := time.ParseDuration(os.Getenv("HALFSTEP_QUIET"))
	if err != nil {
		t.Skip("HALFSTEP_QUIET does not say for how long; see scripts/check/hitches")
	}
	runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0)))
	rec, err := hitch.Start(hitch.Options{Dir: t.TempDir(), Threshold: 60 * time.Millisecond,
		OnReport: func(r *hitch.Report, err error) { t.Errorf("%+v, error %v", r, err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	e, err := engine.New(engine.Config{Name: "quiet", Setup: pile(200)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	rec.Watch(e.Trace())
	frames := 0
	for start := time.Now(); time.Since(start) < d; frames++ {
		e.Frame()
		e.Trace().EnterPhase(phase.Swap)
		e.Trace().PlanSleep(16 * time.Millisecond)
		time.Sleep(16 * time.Millisecond)
	}
	fmt.Printf("%d frames in %v without a fault\n", frames, d)
}
