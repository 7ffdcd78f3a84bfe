package play

import (
	"strings"
	"testing"

	"halfstep/world"
)

func TestWhatUndoHasForgottenIsAskedAboutUnlessItIsSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newBench(t, "-scene empty -sync lockstep")
	b.run(5)
	b.Changes.Moments.most = 8
	pushes := func() {
		b.run(3)
		for range 9 {
			b.Changes.BeginChange("push")
		}
	}
	b.Build.Create("box", world.Vec{Y: 3}, world.Box(.5, .5))
	if pushes(); b.Changes.Moments.First == 0 || !b.Changes.Moments.Unsaved() {
		t.Errorf("from %d on, there is something to save: %v", b.Changes.Moments.First, b.Changes.Moments.Unsaved())
	}
	b.Changes.Moments.Stored = b.Changes.Moments.Last // this is what saving the world does
	if pushes(); b.Changes.Moments.Unsaved() {
		t.Error("it asks about what was saved")
	}
}

func TestEachBodyThatIsMadeHasANameOfItsOwn(t *testing.T) {
	b := newBench(t, "-scene empty -sync lockstep")
	b.run(1)
	for range 3 {
		b.Build.Create("box", world.Vec{Y: 3}, world.Box(.5, .5))
		b.run(3)
	}
	for _, name := range []string{"box", "box 2", "box 3"} {
		if !b.Stage.Player.Has(name) {
			t.Errorf("there is no %s", name)
		}
	}
}

func TestAThrowGravityAndAParameterAreUndoneAndRedoneToTheBit(t *testing.T) {
	b := newBench(t, "-scene cradle -sync lockstep")
	b.run(20)
	ball, _ := b.Stage.Player.Find("ball5")
	p, _ := b.Stage.Player.Pose(ball)
	b.dragFrom(p.X, p.Y, 1, 1)
	if b.Changes.Moments.Last < 0 {
		t.Fatal("a throw is no change")
	}
	if b.Changes.BeginHeldChange("gravity", "gravity") {
		b.Params.SetGravity(world.Vec{Y: -3})
	}
	b.Changes.Moments.Control = ""
	b.run(5)
	if b.Changes.BeginHeldChange("x", "param") {
		b.Params.SetParam(0, b.Stage.Scene().Params[0].Max)
	}
	b.Changes.Moments.Control = ""
	b.run(30)
	b.do("pause")
	end, ended := b.hash(), b.Params.Gravity()
	var was []uint64
	for range 3 {
		b.do("undo")
		was = append(was, b.hash())
	}
	if b.Params.Gravity() == ended || b.Changes.Moments.Last != -1 {
		t.Errorf("all undone, gravity is %v, the last change %d", b.Params.Gravity(), b.Changes.Moments.Last)
	}
	if b.do("undo"); !strings.Contains(b.says, "nothing to undo") {
		t.Errorf("says %q", b.says)
	}
	for i := range 2 {
		if b.do("redo"); b.hash() != was[1-i] {
			t.Errorf("redone %d: another world", i)
		}
	}
	if b.do("redo"); b.hash() != end || b.Params.Gravity() != ended {
		t.Errorf("all redone: another world, gravity %v", b.Params.Gravity())
	}
	if b.do("redo"); !strings.Contains(b.says, "nothing to redo") {
		t.Errorf("says %q", b.says)
	}
}

func TestUndoAfterGoingOnIsThatOfTheMoment(t *testing.T) {
	b := newPanelBench(t, "-scene arch -sync lockstep")
	b.run(20)
	b.Build.Create("box", world.Vec{X: 8, Y: 3}, world.Box(.5, .5))
	b.run(5)
	b.Build.Create("ball", world.Vec{X: -8, Y: 3}, world.Circle(.5))
	b.run(5)
	b.do("undo")
	b.run(20)
	at := b.Stage.View.Tick
	b.Build.Create("plank", world.Vec{Y: 12}, world.Box(2, .1))
	b.run(20)
	b.do("pause")
	b.Travel.Seek(at)
	b.run(5)
	b.do("go on")
	b.until("it goes on", func() bool { return b.Stage.Shown.What != ShowsPast })
	has := func(name string) bool { b.run(3); _, ok := b.Stage.Player.Find(name); return ok }
	if b.do("redo"); !has("ball") || !has("box") || has("plank") {
		t.Errorf("redone what was undone by then: says %q", b.says)
	}
	b.do("undo", "undo")
	if has("ball") || has("box") {
		t.Errorf("undone all of then: says %q", b.says)
	}
}

func TestUndoIsRefusedWhereOneHalfCannotTakeItBack(t *testing.T) {
	b := newBench(t, "-scene arch -compare fixed")
	b.run(5)
	b.Build.Create("box", world.Vec{X: 0, Y: 8}, world.Box(.5, .5))
	n := b.bodies()
	b.do("undo")
	if got := b.bodies(); got != n || !strings.HasPrefix(b.says, "only the engine's own loop") {
		t.Errorf("%d bodies, not %d: %s", got, n, b.says)
	}
}
