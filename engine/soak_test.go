package engine_test

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

var soak = flag.Int("soak", 20_000, "bodies that TestSpawningForEver spawns and destroys; scripts/check/attack takes more")

// churn creates and destroys bodies through the API, and keeps a list of these bodies.
type churn struct {
	t    *testing.T
	e    *engine.Engine
	r    *rand.Rand
	made int
	last world.Body
	// alive are the bodies that were not destroyed, the oldest first. Their user data is
	// their serial number.
	alive  []world.Body
	serial map[world.Body]int
	stale  [512]world.Body // stale are destroyed bodies, some of which were among the very first.
	gone   int

	given, rejected int // commands to stale handles
}

const (
	perFrame = 100
	living   = 400
	nowhere  = 1e5 // nowhere is the target of commands to destroyed bodies, in m.
)

func (c *churn) frame() {
	for range perFrame {
		c.spawn()
	}
	for len(c.alive) > living {
		c.e.DestroyBody(c.alive[0])
		c.alive = append(c.alive[:0], c.alive[1:]...)
	}
	if c.gone > 0 {
		for range 3 {
			b := c.stale[c.r.IntN(min(c.gone, len(c.stale)))]
			c.e.Teleport(b, world.Vec{X: nowhere}, 0)
			c.e.Impulse(b, world.Vec{X: 1e9})
			c.e.DestroyBody(b)
			c.given += 3
		}
	}
	c.e.Advance(time.Second / 60)
	c.events()
}

func (c *churn) spawn() {
	at := world.Vec{X: float64(c.made % 40), Y: float64(c.made / 40 % 10)}
	def := world.BodyDef{Kind: world.Dynamic, Position: at, User: c.made, Name: "one of many"}
	def.Shapes = []world.ShapeDef{[...]world.ShapeDef{
		world.Circle(.55), world.Box(.4, .4), world.Capsule(world.Vec{X: -.3}, world.Vec{X: .3}, .25),
	}[c.made%3]} // some touch
	b := c.e.CreateBody(def)
	if b <= c.last {
		c.t.Fatalf("%v after %v", b, c.last)
	}
	if c.made%5 == 0 && len(c.alive) > 0 {
		c.e.CreateJoint(world.JointDef{Kind: world.DistanceJoint, A: b, B: c.alive[len(c.alive)-1], Frequency: 4, Damping: 1})
	}
	c.last = b
	c.alive = append(c.alive, b)
	c.serial[b] = c.made
	c.made++
}

func (c *churn) events() {
	for ev := range c.e.Events() {
		switch ev.Kind {
		case world.BodyRemoved:
			if n, ok := c.serial[ev.A]; !ok || ev.User != n {
				c.t.Fatalf("%v came back with %v, was given %v, %v", ev.A, ev.User, n, ok)
			}
			delete(c.serial, ev.A)
			if c.gone < len(c.stale) {
				c.stale[c.gone] = ev.A
			} else if i := c.r.IntN(len(c.stale)); i >= 64 { // the first 64 stay
				c.stale[i] = ev.A
			}
			c.gone++
		case world.CommandRejected:
			if _, ok := c.serial[ev.A]; ok {
				c.t.Fatalf("tick %d: %v", ev.Tick, ev.Err)
			}
			c.rejected++
		}
	}
}

// look compares the picture and the world with the lists.
func (c *churn) look() {
	for b, p := range c.e.Poses() {
		if _, ok := c.serial[b]; !ok || p.X > nowhere/2 {
			c.t.Fatalf("%v is shown at %v; known: %v", b, p.X, ok)
		}
	}
	for _, b := range c.stale[:min(c.gone, len(c.stale))] {
		if p, ok := c.e.Pose(b); ok {
			c.t.Fatalf("%v has gone and is shown at %+v", b, p)
		}
	}
	type found struct {
		body world.Body
		user any
	}
	world.Ask(c.e.Commands, func(w *world.World) (all []found) {
		for b := range w.Bodies() {
			info, _ := w.Body(b)
			all = append(all, found{b, info.User})
		}
		return all
	}, func(_ uint64, all []found) {
		for _, f := range all {
			if n, ok := c.serial[f.body]; !ok || f.user != n {
				c.t.Fatalf("%v has %v, was given %v, %v", f.body, f.user, n, ok)
			}
		}
	})
}

// heap returns the size of the heap in use after a garbage collection, in bytes.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // this frees objects that the first call moved out of pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The test would detect a map that keeps names, a log that keeps chunks, a scene that
// keeps shapes, a broad phase that keeps bodies, and a slot whose new body responds to
// the old handle.
func TestSpawningForEverNeedsNoMemoryAndConfusesNobody(t *testing.T) {
	norace.Only(t)
	e := start(t, engine.Config{World: world.Config{NoGravity: true}, Time: engine.Time{Sync: renderloop.Lockstep, EventsAtOnce: true}})
	c := &churn{t: t, e: e, r: rand.New(rand.NewPCG(1, 9)), serial: map[world.Body]int{}}
	begun, warm := time.Now(), uint64(0)
	for tenth := 1; tenth <= 10; tenth++ {
		for c.made < *soak/10*tenth {
			c.frame()
			if c.made%(50*perFrame) == 0 {
				c.look()
			}
		}
		used := heap()
		if tenth == 1 {
			warm = used
		}
		t.Logf("%7d spawned, %7d gone, %6d of %6d commands to stale handles rejected, heap %5d kB, %v",
			c.made, c.gone, c.rejected, c.given, used>>10, time.Since(begun).Round(time.Millisecond))
		if used > warm+warm/10+64<<10 {
			t.Errorf("the heap has grown from %d to %d kB", warm>>10, used>>10)
		}
	}
	e.Advance(0)
	c.events()
	if c.rejected != c.given || c.given == 0 {
		t.Errorf("%d of %d commands to stale handles were rejected", c.rejected, c.given)
	}
	if want := c.made - living; c.gone < want-perFrame || c.gone > want {
		t.Errorf("%d of %d have gone", c.gone, want)
	}
}
