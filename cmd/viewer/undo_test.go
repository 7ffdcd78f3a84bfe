package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/world"
)

// dragFrom drags the body at a point by a vector, while the world runs.
func (b *bench) dragFrom(x, y, dx, dy float64) {
	b.cursor(x, y)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(1)
	for i := range 20 {
		b.cursor(x+dx*float64(i)/20, y+dy*float64(i)/20)
		b.run(1)
	}
	b.mouse(input.MouseButtonLeft, input.Release)
	b.run(5)
}

// for more sessions and events: go test ./cmd/viewer -run TestRandomSessions -sessions 50
// -events 200
var (
	sessions = flag.Uint64("sessions", 9, "how many random sessions of editing")
	events   = flag.Int("events", 60, "how many events each of them has")
)

func TestRandomSessionsAreUndoneToTheirBeginningAndRedoneToTheirEndAndSaved(t *testing.T) {
	for seed := range *sessions {
		r := rand.New(rand.NewPCG(seed, 1))
		b := newBench(t, []string{"-scene arch -sync lockstep", "-scene joints -sync lockstep", "-scene cradle -sync lockstep -stepper soft"}[seed%3])
		b.run(10)
		begin := uint64(0)
		for n := range *events {
			if n == 0 {
				b.press(input.KeySpace)
				begin = b.hash()
				b.Build.Create("first", world.Vec{Y: 9}, world.Circle(.3))
				b.press(input.KeySpace)
			}
			at := world.Vec{X: r.Float64()*16 - 8, Y: r.Float64() * 8}
			any := func() (body world.Body) {
				s := b.Stage.View.Scene
				return world.Body(s.Bodies[r.IntN(len(s.Bodies))].Handle)
			}
			switch r.IntN(11) {
			case 0:
				shape := world.Box(.5, .5)
				if r.IntN(2) == 0 {
					shape = world.Capsule(world.Vec{X: -.4}, world.Vec{X: .4}, .3)
				}
				b.Build.Create("made", at, shape)
			case 1:
				b.Build.DeleteBody(b.Stage.Player, any())
			case 2:
				b.Build.PinBody(any(), at)
			case 3:
				b.Build.CopyBody(b.Stage.Player, any())
			case 4:
				b.dragFrom(at.X, at.Y, 1, 2)
			case 5:
				b.Changes.ChangeWorld("kind", func(e *play.Player) { e.SetKind(any(), world.BodyKind(r.IntN(3))) })
			case 6:
				if b.Changes.BeginHeldChange("gravity", "gravity") {
					b.Params.SetGravity(world.Vec{X: 5 * r.Float64(), Y: -20 * r.Float64()})
					b.Changes.Moments.Control = ""
				}
			case 8:
				k, to := r.IntN(len(play.Joints)), world.Vec{X: at.X + 2, Y: at.Y}
				if other := any(); r.IntN(4) == 0 {
					b.Build.Join(play.JointNames[k], play.Joints[k], any(), 0, at, to)
				} else if one := any(); one != other {
					b.Build.Join(play.JointNames[k], play.Joints[k], one, other, at, to)
				}
			case 9: // moved, turned, or drawn
				b.press(input.KeySpace)
				b.Sketcher.Tool = play.Tool(r.IntN(len(play.Tools)))
				b.dragFrom(at.X, at.Y, r.Float64()*3-1, r.Float64()*3-1)
				b.Sketcher.Tool = play.HandTool
				b.press(input.KeySpace)
			case 10:
				if all := b.Stage.View.Scene.Joints; len(all) > 0 {
					b.Inspect.Joint = world.Joint(all[r.IntN(len(all))].Handle)
					b.Build.DeleteChosen()
				}
			case 7: // the first change stays
				if m := b.Changes.Moments.Of(b.Changes.Moments.Last); m != nil && m.Before >= 0 {
					b.Changes.Undo()
				}
			}
			b.run(r.IntN(4))
		}
		b.Build.Create("last", world.Vec{Y: 9}, world.Circle(.3))
		b.press(input.KeySpace)
		end := b.hash()
		b.checkSaved(fmt.Sprint("session ", seed))
		kept := b.Changes.Moments.First
		back := 0
		for b.Changes.Moments.Of(b.Changes.Moments.Last) != nil {
			b.press(input.KeyZ)
			back++
		}
		if got := b.hash(); kept == 0 && got != begin {
			t.Errorf("session %d: %d undone, and the world is not that of the beginning", seed, back)
		}
		for range back {
			b.press(input.KeyY)
		}
		if got := b.hash(); got != end {
			t.Errorf("session %d: %d redone, and the world is not that of the end; says %q", seed, back, b.picture.Notice.Text)
		}
		if b.Outcome.Failure != nil {
			t.Fatal(b.Outcome.Failure)
		}
	}
}

func TestWhatWasDoneSinceStaysAsABranchInTheList(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.run(10)
	b.press(input.KeySpace)
	had := b.bodies()
	b.Build.Create("box", world.Vec{X: 8, Y: 3}, world.Box(.5, .5))
	b.Build.Create("ball", world.Vec{X: -8, Y: 3}, world.Circle(.5))
	b.run(2)
	b.press(input.KeyZ, input.KeyZ)
	b.Build.Create("plank", world.Vec{Y: 12}, world.Box(2, .1))
	if n := b.bodies(); n != had+1 {
		t.Fatalf("%d bodies, not %d", n, had+1)
	}
	b.panel.Page = panel.ScenePage
	b.run(2)
	for n := range b.Changes.Moments.All { // the moment after those of the box and the ball
		if b.Changes.Moments.Name(n) == "after: create ball" {
			b.click(b.panel.Scenes.MomentRows[n])
		}
	}
	if n := b.bodies(); n != had+2 {
		t.Errorf("a click on the branch: %d bodies, not %d; says %q", n, had+2, b.picture.Notice.Text)
	}
}

func TestAMomentOfThePastIsGoneOnFromAndWhatWasStaysBeside(t *testing.T) {
	for _, item := range []string{"menu go on", "menu go on beside"} {
		b := newPanelBench(t, "-scene arch -sync lockstep")
		b.run(60)
		b.press(input.KeySpace)
		at, want := b.Stage.View.Tick, b.hash()
		had := b.bodies()
		b.press(input.KeySpace)
		b.run(30)
		b.Build.Create("box", world.Vec{X: 8, Y: 3}, world.Box(.5, .5))
		b.run(60)
		b.press(input.KeySpace)
		b.Travel.Seek(at)
		b.run(5)
		b.rightClick(8, 9)
		b.click(item)
		b.until("it goes on", func() bool { return b.Stage.Shown.What != play.ShowsPast })
		if got := b.Stage.Player.Demanded(); got != at {
			t.Fatalf("%s: now is tick %d, not %d", item, got, at)
		}
		if !b.Stage.Player.Paused() {
			b.press(input.KeySpace)
		}
		if got := b.hash(); got != want || b.bodies() != had || b.Stage.Player.Demanded() != at {
			t.Errorf("%s: another world than at tick %d; tick %d", item, at, b.Stage.Player.Demanded())
		}
		b.Build.Create("ball", world.Vec{X: -8, Y: 3}, world.Circle(.5))
		b.press(input.KeySpace)
		b.run(40)
		if n := b.bodies(); n != had+1 {
			t.Errorf("%s: %d bodies now, not %d", item, n, had+1)
		}
		if item == "menu go on" {
			b.press(input.KeyZ)
			if n := b.bodies(); n != had {
				t.Errorf("undone: %d bodies, not %d", n, had)
			}
			branch := -1
			for i := range b.Stage.Scenes {
				if strings.Contains(b.Stage.Scenes[i].Path, "left at") {
					branch = i
				}
			}
			if branch < 0 {
				t.Fatal("the branch is not in the list")
			}
			b.Session.ChangeScene(branch)
			b.until("the branch has its box", func() bool { _, ok := b.Stage.Player.Find("box"); return ok })
			continue
		}
		if b.Stage.Right == nil {
			t.Fatal("nothing is beside it")
		}
		if _, ok := b.Stage.Right.Player.Find("box"); !ok || b.Stage.Right.Player.Failure() != nil {
			t.Errorf("what was has no box; %v", b.Stage.Right.Player.Failure())
		}
		if l, r := b.picture.Labels(); !strings.Contains(l, "now") || !strings.Contains(r, "old run") {
			t.Errorf("the halves are %q and %q", l, r)
		}
		b.press(input.KeyR, input.KeyR) // it asks
		if b.Stage.Right != nil {
			t.Error("a restart is beside what was")
		}
	}
}
