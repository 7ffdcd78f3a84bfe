package history

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/test/norace"
	"halfstep/world"
)

func TestARollbackWhileAFileIsMadeLosesNothingAndLeavesTheFileAlone(t *testing.T) {
	var ball world.Body
	d := drive(t, world.Config{}, Options{Box: NewBox(10*time.Second, 0, false, "", nil)}, RollbackOptions{Ticks: 16}, func(w *world.World) (err error) {
		ball, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(1)}})
		return err
	})
	d.begin()
	push := new(commandList)
	private.NewCommands(push, nil).Force(ball, world.Vec{Y: 1})
	for range 40 {
		d.step(*push...)
	}
	f, parts, err := d.o.Box.parts()
	if err != nil {
		t.Fatal(err)
	}
	other := new(commandList)
	private.NewCommands(other, nil).Impulse(ball, world.Vec{X: 5})
	d.back.rollBack(&Rollback{To: 30, Commands: []buffer.Scheduled[world.Command]{{At: 30, Command: (*other)[0]}}})
	for range 5 {
		d.step(*push...)
	}
	whole, err := d.o.Box.File()
	if err != nil {
		t.Fatal(err)
	}
	later, err := read(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	f.Entries = slices.Concat(parts...)
	before, err := read(bytes.NewReader(f.bytes(t)))
	if err != nil {
		t.Fatal(err)
	}
	setup := func(w *world.World) error {
		_, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(1)}})
		return err
	}
	if err := errors.Join(before.verify(setup), later.verify(setup)); err != nil {
		t.Error(err)
	}
	if before.First != 0 || before.Ticks != 40 || later.First != 0 || later.Ticks != 45 {
		t.Errorf("ticks %d to %d, then %d to %d", before.First, before.Ticks, later.First, later.Ticks)
	}
}

func TestSnapshotsOfThePastAreCheapAndNeverALongWayApartUnlessTheyCostTooMuch(t *testing.T) {
	for taking, want := range map[time.Duration]time.Duration{
		100 * time.Microsecond: 5 * KeyframeGap,
		time.Millisecond:       75 * time.Millisecond,
		3 * time.Millisecond:   quickReplay,
		20 * time.Millisecond:  time.Second,
	} {
		if got := snapshotGap(taking); got != want {
			t.Errorf("snapshots that take %v are %v of steps apart, not %v", taking, got, want)
		}
	}
}

func TestAStepThatTakesLongOnceBringsNoSnapshotNearer(t *testing.T) {
	s := new(boxSegment)
	b := &Box{list: []*boxSegment{s}}
	for tick := range uint64(20) {
		took := time.Millisecond
		if tick == 10 {
			took = time.Second
		}
		b.add(s, &Entry{Kind: Step, Tick: tick + 1}, took)
	}
	if s.cost > 30*time.Millisecond {
		t.Errorf("19 steps of 1 ms and one of 1 s count as %v", s.cost)
	}
}

// spinning makes a world with n bodies that never come to rest.
func spinning(n int) func(*world.World) error {
	return func(w *world.World) error {
		for i := range n {
			if _, err := w.CreateBody(world.BodyDef{Kind: world.Kinematic, Position: world.Vec{X: 3 * float64(i)}, AngularVelocity: 1, Shapes: []world.ShapeDef{world.Circle(1)}}); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestABoxHasStatesOfWorldsWithCodeAlone(t *testing.T) {
	for name, add := range map[string]func(*world.World){
		"":           func(*world.World) {},
		"controller": func(w *world.World) { w.AddController(world.ControllerFunc(func(*world.World, float64) {})) },
		"hook":       func(w *world.World) { w.AddContactHook(func(*world.World, []world.Event) {}) },
		"filter": func(w *world.World) {
			w.SetShouldCollide(func(*world.World, world.Shape, world.Shape) bool { return true })
		},
		"pre-solve": func(w *world.World) { w.SetPreSolve(func(*world.World, *world.PreSolveContact) {}) },
		"variable":  func(w *world.World) { w.Keep(new(int)) },
		"function":  func(w *world.World) { w.Register("f", func(*world.World, []float64) {}) },
	} {
		d := drive(t, world.Config{}, Options{Box: NewBox(time.Second, 0, true, "", nil)}, RollbackOptions{}, func(w *world.World) error {
			add(w)
			return spinning(1)(w)
		})
		d.begin()
		for range 90 {
			d.step()
		}
		data, err := d.o.Box.File()
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(bytes.NewReader(data), world.DefaultMaxContacts, name != "")
		if err != nil || f.Header.States != (name != "") || f.Ticks != 90 {
			t.Errorf("%q: states %v, to tick %d: %v", name, f.Header.States, f.Ticks, err)
		}
	}
}

// A world with much motion has as long a past as other worlds, and has the states of the
// last part of its past.
func TestTheStatesOfABoxTakeBoundedMemory(t *testing.T) {
	norace.Only(t)
	defer func(was int64) { MostShown = was }(MostShown)
	MostShown = 2 << 20
	d := drive(t, world.Config{}, Options{Box: NewBox(5*time.Second, 0, true, "", nil)}, RollbackOptions{}, func(w *world.World) error {
		w.Keep(new(int))
		return spinning(300)(w)
	})
	d.begin()
	for range 600 { // each takes 11 kB
		if d.step(); d.o.Box.sizeShown() > MostShown+400_000 {
			t.Fatalf("%d bytes of pictures", d.o.Box.sizeShown())
		}
	}
	data, err := d.o.Box.File()
	if err != nil {
		t.Fatal(err)
	}
	done, err := read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	shown, err := Read(bytes.NewReader(data), world.DefaultMaxContacts, true)
	if err != nil || done.Ticks-done.First < 300 || shown.Ticks != 600 || shown.Ticks-shown.First < 60 || shown.Ticks-shown.First > 180 {
		t.Errorf("ticks %d to %d are computed and %d to %d shown: %v", done.First, done.Ticks, shown.First, shown.Ticks, err)
	}
}
