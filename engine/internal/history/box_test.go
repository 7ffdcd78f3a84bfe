package history

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/world"
)

func TestARollbackWhileAFileIsMadeLosesNothingAndLeavesTheFileAlone(t *testing.T) {
	var ball world.Body
	d := drive(t, world.Config{}, Options{Box: NewBox(10*time.Second, 0, "", nil), Rollback: RollbackOptions{Ticks: 16}}, func(w *world.World) (err error) {
		ball, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Circle(1)}})
		return err
	})
	d.begin()
	push := new(sink)
	inside.NewCommands(push, nil).Force(ball, world.Vec{Y: 1})
	for range 40 {
		d.step(*push...)
	}
	f, parts, err := d.o.Box.parts(0)
	if err != nil {
		t.Fatal(err)
	}
	other := new(sink)
	inside.NewCommands(other, nil).Impulse(ball, world.Vec{X: 5})
	d.goBack(&GoBack{To: 30, Commands: []buffer.Scheduled[world.Command]{{At: 30, Command: (*other)[0]}}})
	for range 5 {
		d.step(*push...)
	}
	whole, err := d.o.Box.File(0)
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
		3 * time.Millisecond:   quickWay,
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
		if b.took = time.Millisecond; tick == 10 {
			b.took = time.Second
		}
		b.add(&Entry{Kind: Step, Tick: tick + 1})
	}
	if s.cost > 30*time.Millisecond {
		t.Errorf("19 steps of 1 ms and one of 1 s count as %v", s.cost)
	}
}
