package fast_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"halfstep/box/fast"
	"halfstep/test/worldhash"

	"github.com/ByteArena/box2d"
)

// pile is a small world. Each call builds the same world.
func pile(n int) (*box2d.B2World, []*box2d.B2Body) {
	w := box2d.MakeB2World(box2d.MakeB2Vec2(0, -10))
	w.SetContactFilter(&box2d.B2ContactFilter{})
	var bodies []*box2d.B2Body
	for i := range n {
		def := box2d.MakeB2BodyDef()
		half := box2d.MakeB2Vec2(0.3, 0.3)
		if i == 0 {
			half = box2d.MakeB2Vec2(20, 0.5)
		} else {
			def.Type = box2d.B2BodyType.B2_dynamicBody
			def.Position = box2d.MakeB2Vec2(0.05*float64(i%3), 0.2+0.7*float64(i))
		}
		b := w.CreateBody(&def)
		shape := box2d.MakeB2PolygonShape()
		shape.SetAsBox(half.X, half.Y)
		fd := box2d.MakeB2FixtureDef()
		fd.Shape, fd.Density, fd.Filter = &shape, 1, box2d.MakeB2Filter()
		b.CreateFixtureFromDef(&fd)
		bodies = append(bodies, b)
	}
	return &w, bodies
}

// panicky is a listener that panics in the n-th BeginContact.
type panicky struct{ n int }

func (p *panicky) BeginContact(box2d.B2ContactInterface) {
	if p.n--; p.n == 0 {
		panic("from a callback")
	}
}
func (p *panicky) EndContact(box2d.B2ContactInterface)                         {}
func (p *panicky) PreSolve(box2d.B2ContactInterface, box2d.B2Manifold)         {}
func (p *panicky) PostSolve(box2d.B2ContactInterface, *box2d.B2ContactImpulse) {}
func stepsOf(w *box2d.B2World, s *fast.Stepper) func(float64, int, int) {
	if s == nil {
		return w.Step
	}
	return s.Step
}

func TestPanicInACallbackLeavesTheWorldAsTheLibraryDoes(t *testing.T) {
	play := func(quick bool) (states []string) {
		w, _ := pile(12)
		w.SetContactListener(&panicky{n: 3})
		var s *fast.Stepper
		if quick {
			s = fast.New(w, fast.Options{Workers: 2})
			s.ForceParallel()
			defer s.Close()
		}
		step := stepsOf(w, s)
		for range 60 {
			func() {
				defer func() {
					if v := recover(); v != nil {
						states = append(states, fmt.Sprint(v, w.IsLocked()))
						w.M_flags &^= box2d.B2World_Flags.E_locked
					}
				}()
				step(1.0/60, 8, 3)
			}()
			states = append(states, fmt.Sprintf("%x", worldhash.World(w)))
		}
		return states
	}
	want, got := play(false), play(true)
	if fmt.Sprint(want) != fmt.Sprint(got) {
		t.Errorf("library:\n%v\nhere:\n%v", want, got)
	}
	if len(want) != 61 {
		t.Errorf("%d states: the callback did not panic once", len(want))
	}
}

// emptying is a listener that removes the points of a touching contact, for
// which the solver has asserts.
type emptying struct {
	panicky
	on bool
}

func (e *emptying) PreSolve(c box2d.B2ContactInterface, _ box2d.B2Manifold) {
	if e.on {
		c.GetManifold().PointCount = 0
	}
}
func (e *emptying) ReadOnlyPostSolve() bool { return true }

func TestAssertInAWorkerReachesTheCaller(t *testing.T) {
	play := func(workers int) (failure any, at int) {
		w, _ := pile(20)
		l := &emptying{}
		w.SetContactListener(l)
		var s *fast.Stepper
		if workers > 0 {
			s = fast.New(w, fast.Options{Workers: workers})
			s.ForceParallel()
			defer s.Close()
		}
		defer func() { failure = recover() }()
		for at = range 200 {
			l.on = at == 60
			stepsOf(w, s)(1.0/60, 8, 3)
		}
		return nil, at
	}
	want, wantAt := play(0)
	if want == nil {
		t.Fatal("the library does not panic")
	}
	for _, workers := range []int{1, 2, 4} {
		if got, at := play(workers); got != want || at != wantAt {
			t.Errorf("%d workers: panic %v in step %d, the library's %v in step %d", workers, got, at, want, wantAt)
		}
	}
}

// foreignContact is a contact type that the library does not have.
type foreignContact struct{ box2d.B2PolygonContact }

func TestForeignContactsAreLeftToTheLibrary(t *testing.T) {
	box := box2d.B2Shape_Type.E_polygon
	box2d.AddType(func(a *box2d.B2Fixture, _ int, b *box2d.B2Fixture, _ int) box2d.B2ContactInterface {
		return &foreignContact{box2d.B2PolygonContact{B2Contact: box2d.MakeB2Contact(a, 0, b, 0)}}
	}, box2d.B2PolygonContact_Destroy, box, box)
	defer box2d.AddType(box2d.B2PolygonContact_Create, box2d.B2PolygonContact_Destroy, box, box)

	library, _ := pile(8)
	quick, _ := pile(8)
	s := fast.New(quick, fast.Options{Workers: 2})
	defer s.Close()
	for i := range 60 {
		if i == 0 { // the library's own search for pairs makes the foreign contacts
			library.M_contactManager.FindNewContacts()
			quick.M_contactManager.FindNewContacts()
		}
		library.Step(1.0/60, 8, 3)
		s.Step(1.0/60, 8, 3)
		if worldhash.World(library) != worldhash.World(quick) {
			t.Fatalf("other bits after step %d", i+1)
		}
	}
	if _, ok := quick.M_contactManager.M_contactList.(*foreignContact); !ok {
		t.Error("the world has no foreign contact: the test shows nothing")
	}
}

// The library refuses to destroy a contact before it has made one itself. So
// the test needs a program of its own that has not made any contact.
func TestFreshProgramCanDestroyBodies(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("no processes")
	}
	if os.Getenv("FRESH_PROGRAM") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFreshProgramCanDestroyBodies$")
		cmd.Env = append(os.Environ(), "FRESH_PROGRAM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	w, bodies := pile(4)
	s := fast.New(w, fast.Options{Workers: 1})
	defer s.Close()
	for range 20 {
		s.Step(1.0/60, 8, 3)
	}
	if w.GetContactCount() == 0 {
		t.Fatal("no contact to destroy")
	}
	w.DestroyBody(bodies[1])
}

func TestDestroyedBodiesAreLetGo(t *testing.T) {
	w, bodies := pile(12)
	s := fast.New(w, fast.Options{Workers: 1})
	defer s.Close()
	for range 60 {
		s.Step(1.0/60, 8, 3)
	}
	const destroyed = 10
	gone := make(chan struct{}, destroyed)
	for i := 1; i <= destroyed; i++ {
		runtime.AddCleanup(bodies[i], func(c chan struct{}) { c <- struct{}{} }, gone)
		w.DestroyBody(bodies[i])
		bodies[i] = nil
	}
	// The library's tree keeps the user data of freed nodes.
	for i, n := range w.M_contactManager.M_broadPhase.M_tree.M_nodes {
		if n.Height < 0 {
			w.M_contactManager.M_broadPhase.M_tree.M_nodes[i].UserData = nil
		}
	}
	s.Step(1.0/60, 8, 3)
	for range 100 {
		runtime.GC()
		if len(gone) == destroyed {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d of %d destroyed bodies are still reachable", destroyed-len(gone), destroyed)
}

// If one body is removed and another is added, the number of bodies stays the
// same.
func TestReplacedBodiesAreNoticed(t *testing.T) {
	library, libraryBodies := pile(10)
	quick, quickBodies := pile(10)
	s := fast.New(quick, fast.Options{Workers: 1})
	defer s.Close()
	replace := func(w *box2d.B2World, b *box2d.B2Body) *box2d.B2Body {
		w.DestroyBody(b)
		def := box2d.MakeB2BodyDef()
		def.Type = box2d.B2BodyType.B2_dynamicBody
		def.Position = box2d.MakeB2Vec2(0.1, 9)
		b = w.CreateBody(&def)
		shape := box2d.MakeB2CircleShape()
		shape.SetRadius(0.3)
		fd := box2d.MakeB2FixtureDef()
		fd.Shape, fd.Density, fd.Filter = &shape, 1, box2d.MakeB2Filter()
		b.CreateFixtureFromDef(&fd)
		return b
	}
	for i := range 200 {
		if k := 1 + i/20%9; i%20 == 10 {
			libraryBodies[k] = replace(library, libraryBodies[k])
			quickBodies[k] = replace(quick, quickBodies[k])
		}
		library.Step(1.0/60, 8, 3)
		s.Step(1.0/60, 8, 3)
		if worldhash.World(library) != worldhash.World(quick) {
			t.Fatalf("other bits after step %d", i+1)
		}
	}
}
