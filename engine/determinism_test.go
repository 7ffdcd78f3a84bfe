package engine_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/internal/frametrace"
	"halfstep/internal/owner"
	"halfstep/renderloop"
	"halfstep/test/whole"
	"halfstep/world"
)

const scripted = 240 // a script runs for this number of ticks

// script gives commands of every kind for the ticks from first to last. Each
// command is for a tick, so that its effect must not depend on the time of the
// call.
type script struct {
	r    *rand.Rand
	next uint64 // tick
	made []world.Body
}

func (s *script) write(e *engine.Engine, until uint64) {
	for ; s.next < min(until, scripted); s.next++ {
		c := e.At(s.next + 1)
		vec := func(scale float64) world.Vec {
			return world.Vec{X: scale * s.r.NormFloat64(), Y: scale * s.r.NormFloat64()}
		}
		if s.next%5 == 0 {
			shape := world.Box(.2+.2*s.r.Float64(), .3)
			if s.r.IntN(2) == 0 {
				shape = world.Capsule(world.Vec{X: -.2}, world.Vec{X: .2}, .1+.2*s.r.Float64())
			}
			s.made = append(s.made, c.CreateBody(world.BodyDef{
				Kind: world.Dynamic, Position: world.Vec{X: s.r.NormFloat64(), Y: 9}, Velocity: vec(2),
				Shapes: []world.ShapeDef{shape},
			}))
		}
		b := s.made[s.r.IntN(len(s.made))]
		switch s.r.IntN(12) {
		case 0:
			c.Force(b, vec(100))
		case 1:
			c.Torque(b, 20*s.r.NormFloat64())
		case 2:
			c.ImpulseAt(b, vec(2), vec(5))
		case 3:
			c.Teleport(b, world.Vec{X: s.r.NormFloat64(), Y: 6}, s.r.Float64())
		case 4:
			c.SetEnabled(b, s.r.IntN(2) == 0)
		case 5:
			c.SetKind(b, world.BodyKind(1+s.r.IntN(2)))
		case 6:
			c.SetGravity(world.Vec{X: s.r.NormFloat64(), Y: -10})
		case 7:
			c.CreateJoint(world.JointDef{Kind: world.RopeJoint, A: b, B: s.made[len(s.made)-1], MaxLength: 2})
		case 8:
			c.DestroyBody(b)
		case 9:
			c.DoNamed("test kick", .3*s.r.NormFloat64(), .3)
		}
	}
}

// pace is one way in which time can pass.
type pace struct {
	name   string
	config engine.Config
	// frames returns a function that lets the time of one frame pass.
	frames func() func(e *engine.Engine)
	// every is the number of steps from one slow step to the next. The value 0
	// means that there are no slow steps.
	every uint64
}

func fixed(fps int) pace {
	return pace{fmt.Sprint(fps, " Hz"), engine.Config{Time: engine.Time{Simulated: true}}, func() func(*engine.Engine) {
		return func(e *engine.Engine) { e.Advance(time.Second / time.Duration(fps)) }
	}, 0}
}

func paces(t *testing.T) []pace {
	stalls := pace{"stalls", engine.Config{Time: engine.Time{Simulated: true}}, func() func(*engine.Engine) {
		n := 0
		return func(e *engine.Engine) {
			if n++; n%17 == 0 {
				e.Advance(400 * time.Millisecond)
			}
			e.Advance(7 * time.Millisecond)
		}
	}, 0}
	slow := fixed(60)
	slow.name = "slow steps on a simulated clock"
	slow.config.Testing.StepCost = func(tick uint64) time.Duration {
		return time.Duration(tick%7) * 5 * time.Millisecond
	}
	wall := func() func(*engine.Engine) {
		return func(e *engine.Engine) {
			_ = e.SetScale(30) // to be quick
			e.Frame()
			if runtime.GOARCH == "wasm" {
				runtime.Gosched() // js/wasm has one thread, which is never preempted
			}
		}
	}
	all := []pace{
		fixed(30), fixed(60), fixed(144), fixed(1000), stalls, slow,
		{"the wall clock, uncapped", engine.Config{}, wall, 0},
		{"the wall clock beside stalling steps", engine.Config{}, wall, 40},
	}
	return append(all, traces(t)...)
}

// traces returns recorded frame times.
func traces(t *testing.T) (all []pace) {
	dir := os.Getenv("HALFSTEP_DATA")
	if dir == "" {
		t.Log("HALFSTEP_DATA is not set: recorded frame times are left out")
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(dir, "frametimes", "*", "*.csv"))
	for _, file := range files {
		trace, err := frametrace.ReadTraceFile(file, "")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pace{filepath.Base(file), engine.Config{Time: engine.Time{Simulated: true}}, func() func(*engine.Engine) {
			i := 0
			return func(e *engine.Engine) {
				e.Advance(time.Duration(trace.Frames[i%len(trace.Frames)].Duration))
				i++
			}
		}, 0})
	}
	return all
}

// play runs the script, and returns the hash after every tick.
func (p pace) play(t *testing.T, sync renderloop.Sync) []uint64 {
	t.Helper()
	hashes := make([]uint64, 0, scripted)
	c := p.config
	c.Time.Sync = sync
	c.Setup = func(w *world.World) error {
		w.AddContactHook(func(w *world.World, _ []world.Event) {
			hashes = append(hashes, w.Hash())
			if p.every > 0 && w.Tick()%p.every == 0 {
				time.Sleep(10 * time.Millisecond)
			}
		})
		return stack(w)
	}
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.SetLastTick(scripted)
	s := script{r: rand.New(rand.NewPCG(5, 5))}
	for frame := p.frames(); e.View().Tick < scripted; {
		if e.Failure() != nil {
			t.Fatal(e.Failure())
		}
		s.write(e, e.Demanded()+50) // this is more than a frame can demand
		frame(e)
	}
	e.Close()
	return hashes
}

func TestAScriptIsTheSameToTheBitHoweverTimePasses(t *testing.T) {
	want := fixed(60).play(t, renderloop.Pipelined)
	if len(want) != scripted {
		t.Fatalf("%d hashes of %d ticks", len(want), scripted)
	}
	for i, p := range paces(t) {
		for j, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep} {
			for k, procs := range []int{2, 1, 8} {
				if (p.config.Time.Simulated || !whole.Asked()) && (i+j+k)%3 > 0 || owner.Checked && k > 0 {
					continue // the other tests have each pace, mode and number
				}
				t.Run(fmt.Sprintf("%s, %v, GOMAXPROCS %d", p.name, sync, procs), func(t *testing.T) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					got := p.play(t, sync)
					if n := len(got); n != scripted {
						t.Fatalf("%d ticks of %d", n, scripted)
					}
					for i := range got {
						if got[i] != want[i] {
							t.Fatalf("tick %d: hash %x, want %x", i+1, got[i], want[i])
						}
					}
				})
			}
		}
	}
}

// digest returns one hash of the hashes of all ticks.
func digest(hashes []uint64) string {
	h := fnv.New64a()
	for _, x := range hashes {
		fmt.Fprintf(h, "%016x", x)
	}
	return fmt.Sprintf("digest %016x", h.Sum64())
}

// The order of maps, addresses and the scheduler differ from process to
// process. The digest is logged for scripts/check/determinism, which compares
// builds.
func TestAScriptIsTheSameInAnotherProcess(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("no processes")
	}
	own := digest(fixed(144).play(t, renderloop.Pipelined))
	if os.Getenv("HALFSTEP_OTHER_PROCESS") != "" {
		fmt.Println(own)
		return
	}
	t.Log(own)
	for _, env := range [][]string{{"GOMAXPROCS=1"}, {"GOMAXPROCS=8", "GOGC=5"}} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestAScriptIsTheSameInAnotherProcess$", "-test.count=1")
		cmd.Env = slices.Concat(os.Environ(), env, []string{"HALFSTEP_OTHER_PROCESS=1"})
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if other := regexp.MustCompile(`digest [0-9a-f]{16}`).FindString(string(out)); other != own {
			t.Errorf("%v: %q, want %q", env, other, own)
		}
	}
}
