package main

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/world"
)

// rightClick clicks with the right button on a point of the world.
func (b *bench) rightClick(x, y float64) {
	b.t.Helper()
	half := b.picture.Half()
	b.pointAt(b.picture.Camera.WorldToScreen(x, y, half.W, half.H))
	b.mouse(input.MouseButtonRight, input.Press)
	b.mouse(input.MouseButtonRight, input.Release)
	b.run(2)
	if !b.panel.Menu.Open {
		b.t.Fatal("no menu opens")
	}
}

func (b *bench) bodies() int { b.run(3); return int(b.Stage.View.Counts.Bodies) }

func TestARightClickCreatesCopiesDeletesAndPinsAndEachIsUndoneAndReplays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	b := newPanelBench(t, "-scene arch -record "+file)
	b.run(30)
	b.press(input.KeySpace)
	had := b.bodies()
	do := func(item string, x, y float64, want int, joints int) {
		t.Helper()
		b.rightClick(x, y)
		b.click(item)
		if got := b.bodies(); got != had+want || b.panel.Menu.Open {
			t.Fatalf("%s: %d bodies, not %d; menu %v, says %q", item, got, had+want, b.panel.Menu.Open, b.picture.Notice.Text)
		}
		if got := int(b.Stage.View.Counts.Joints); got != joints {
			t.Fatalf("%s: %d joints, not %d", item, got, joints)
		}
	}
	do("menu capsule", 8, 3, 1, 0)
	b.press(input.KeyZ)
	do("menu ball", -8, 3, 1, 0)
	ball, ok := b.Stage.Player.Find("ball")
	if !ok {
		t.Fatal("no ball")
	}
	do("menu copy", -8, 3, 2, 0)
	do("menu pin", -8, 3, 3, 1)
	b.rightClick(-8, 3)
	deleted := b.Inspect.Body
	b.press(input.KeyEscape)
	do("menu delete", -8, 3, 1, 0) // the joint and the nail are deleted together with the body
	b.press(input.KeyZ)
	if got := b.bodies(); got != had+3 || b.Stage.View.Counts.Joints != 1 {
		t.Errorf("deleting undone: %d bodies, %d joints; says %q", got, b.Stage.View.Counts.Joints, b.picture.Notice.Text)
	}
	if b.Inspect.Body == 0 || b.Inspect.Body != deleted {
		t.Errorf("deleting undone: %v is chosen, not %v", b.Inspect.Body, deleted)
	}
	b.press(input.KeySpace)
	b.run(60)
	if p, _ := b.Stage.Player.Pose(ball); math.Hypot(p.X+8, p.Y-3) > .1 {
		t.Errorf("the pinned ball is at %+v", p)
	}
	b.press(input.KeyZ)
	b.press(input.KeyZ)
	b.press(input.KeyZ)
	if got := b.bodies(); got != had {
		t.Errorf("all undone: %d bodies, not %d", got, had)
	}
	if b.press(input.KeyZ); !strings.Contains(b.picture.Notice.Text, "nothing to undo") {
		t.Errorf("says %q", b.picture.Notice.Text)
	}
	b.Session.ChangeScene(b.Stage.Current)
	if err := replays(file); err != nil {
		t.Error(err)
	}
}

func TestACopyIsTheBodyToTheLastSettingAndStandsBesideIt(t *testing.T) {
	b := newPanelBench(t, "-scene arch -sync lockstep")
	b.run(10)
	b.press(input.KeySpace)
	shape := world.ShapeDef{Kind: world.PolygonShape, Points: world.Box(.5, .25).Points, Radius: .05, Name: "skin", Colour: body2d.Colour{1, 2, 3, 255},
		Density: 3, Friction: .8, Restitution: .3, Material: 7, RollingResistance: .1, SurfaceSpeed: 2, Filter: world.Filter{Category: 4, Mask: 5, Group: 6}}
	sensor := world.CircleAt(.3, .1, .2)
	sensor.Sensor = true
	want := world.BodyDef{Kind: world.Dynamic, Name: "original", Position: world.Vec{X: 8, Y: 3}, Angle: 1.25, Velocity: world.Vec{X: .5}, AngularVelocity: 2,
		LinearDamping: .1, AngularDamping: .2, GravityScale: .5, FixedX: true, Bullet: true, NoSleep: true, SleepSpeed: .3, SleepSpin: .4,
		Mass: &world.Mass{Mass: 11, Inertia: 5}, Colour: body2d.Colour{9, 8, 7, 255}, Shapes: []world.ShapeDef{shape, sensor}}
	b.Changes.ChangeWorld("create", func(e *play.Player) { e.CreateBody(want) })
	b.run(3)
	original, _ := b.Stage.Player.Find("original")
	b.rightClick(8, 3)
	b.click("menu copy")
	b.run(3)
	defs := make(chan []world.BodyDef, 1)
	world.Ask(b.Stage.Player.Commands, func(w *world.World) (all []world.BodyDef) {
		for body := range w.Bodies() {
			if d, _ := w.BodyDef(body); d.Name == "original" || d.Name == "original 2" {
				all = append(all, d)
			}
		}
		return all
	}, func(_ uint64, all []world.BodyDef) { defs <- all })
	for len(defs) == 0 {
		b.run(1)
	}
	all := <-defs
	if len(all) != 2 || all[0].Name == all[1].Name {
		t.Fatalf("%d bodies of that name; says %q", len(all), b.picture.Notice.Text)
	}
	apart := math.Abs(all[0].Position.X - all[1].Position.X)
	if all[0].Position.Y != all[1].Position.Y || apart < .7 || apart > 1.5 {
		t.Errorf("the copy is at %v, and the original at %v", all[1].Position, all[0].Position)
	}
	all[0].Position, all[0].Name = all[1].Position, all[1].Name
	if !reflect.DeepEqual(all[0], all[1]) {
		t.Errorf("%v: the copy is\n%+v, not\n%+v", original, all[1], all[0])
	}
}

func TestTheInspectorChangesABodyAndUndoBringsItBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	b := newPanelBench(t, "-scene cradle -record "+file)
	b.picture.Surface = input.Surface{W: 1280, H: 1400, Scale: 1}
	b.panel.Page = panel.BodyPage
	body, _ := b.Stage.Player.Find("ball5")
	b.Inspect.Choose(body)
	for !b.Inspect.Info.Known {
		b.run(1)
	}
	b.press(input.KeySpace)
	ask := func() world.BodyInfo {
		got := make(chan world.BodyInfo, 1)
		world.Ask(b.Stage.Player.Commands, func(w *world.World) world.BodyInfo { i, _ := w.Body(body); return i }, func(_ uint64, i world.BodyInfo) { got <- i })
		for len(got) == 0 {
			b.run(1)
		}
		return <-got
	}
	was := ask()
	b.typeInto("change mass", "7")
	if now := ask(); math.Abs(now.Mass-7) > 1e-6 {
		t.Errorf("the mass is %v", now.Mass)
	}
	b.typeInto("change velocity y", "6")
	if now := ask(); now.Velocity.Y != 6 {
		t.Errorf("the velocity is %v", now.Velocity)
	}
	b.click("change kind") // the next kind after dynamic is static
	if now := ask(); now.Kind != world.Static {
		t.Errorf("the kind is %v", now.Kind)
	}
	b.press(input.KeyZ)
	if now := ask(); now.Kind != world.Dynamic || now.Velocity.Y != 6 {
		t.Errorf("one undone: %v with %v", now.Kind, now.Velocity)
	}
	b.press(input.KeyZ)
	b.press(input.KeyZ)
	if now := ask(); now.Mass != was.Mass || now.Velocity != was.Velocity {
		t.Errorf("all undone: %+v, not %+v", now, was)
	}
	b.press(input.KeySpace)
	b.run(20)
	b.Session.ChangeScene(b.Stage.Current)
	if err := replays(file); err != nil {
		t.Error(err)
	}
}

func TestABodyIsRenamedByTypingAndUndoBringsItsNameBackAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	b := newPanelBench(t, "-scene cradle -sync lockstep -record "+file)
	b.picture.Surface = input.Surface{W: 1280, H: 1400, Scale: 1}
	b.panel.Page = panel.BodyPage
	body, _ := b.Stage.Player.Find("ball5")
	b.Inspect.Choose(body)
	b.run(5)
	b.typeInto("change name", " of iron")
	b.run(3)
	if now, _ := b.Stage.Player.Find("ball5 of iron"); now != body || b.panel.Ui.Typing() {
		t.Fatalf("the name is %q; typing %v; says %q", b.Inspect.Name, b.panel.Ui.Typing(), b.picture.Notice.Text)
	}
	if !b.Changes.Moments.Unsaved() || len(b.Changes.Moments.All) != 1 {
		t.Errorf("to be saved: %v; %d changes", b.Changes.Moments.Unsaved(), len(b.Changes.Moments.All))
	}
	b.press(input.KeyZ)
	b.run(3)
	if now, _ := b.Stage.Player.Find("ball5"); now != body || b.Inspect.Name != "ball5" {
		t.Errorf("undone, the name is %q", b.Inspect.Name)
	}
	b.Session.ChangeScene(b.Stage.Current)
	if err := replays(file); err != nil {
		t.Error(err)
	}
}

func TestThePastCannotBeEdited(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.run(120)
	b.press(input.KeySpace)
	b.Travel.Seek(60)
	b.run(3)
	b.rightClick(-8, 3)
	for _, item := range b.panel.Menu.Items {
		if item.Name == "menu box" {
			t.Error("the menu offers what cannot be done")
		}
	}
	b.press(input.KeyEscape)
	if b.Changes.ChangeWorld("create", func(*play.Player) {}); !strings.Contains(b.picture.Notice.Text, "cannot be changed") {
		t.Errorf("says %q", b.picture.Notice.Text)
	}
}

func TestTheArrowKeysDriveTheCarAndTheFigure(t *testing.T) {
	for name, body := range map[string]string{"car": "car", "platformer": "figure"} {
		b := newPanelBench(t, "-scene "+name)
		b.run(60)
		n, ok := b.Stage.Player.Find(body)
		if !ok {
			t.Fatal("no " + body)
		}
		key := func(k input.Key, down bool) {
			action := input.Release
			if down {
				action = input.Press
			}
			b.queue.Put(input.Event{Kind: input.KeyInput, Key: k, Action: action})
			b.run(1)
		}
		home := b.picture.Camera.Home
		x := func() float64 { p, _ := b.Stage.Player.Pose(n); return p.X }
		key(input.KeyRight, true)
		b.run(60)
		key(input.KeyRight, false)
		b.run(90)
		at := x()
		key(input.KeyLeft, true)
		b.run(90)
		if left := x(); left > at-.5 {
			t.Errorf("%s: with the left key from %v to %v", name, at, left)
		}
		key(input.KeyLeft, false)
		b.run(120)
		at = x()
		b.run(60)
		if still := x(); math.Abs(still-at) > 1.5 {
			t.Errorf("%s: without a key from %v to %v", name, at, still)
		}
		if b.picture.Camera.Home != home {
			t.Errorf("%s: the keys moved the view", name)
		}
	}
}

func TestTheMenuOffersUndoOnlyAfterAChange(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.rightClick(-8, 3)
	if _, ok := b.panel.Ui.Find("menu undo"); ok {
		t.Error("it does before any change")
	}
	b.click("menu ball")
	b.rightClick(-8, 6)
	b.control("menu undo")
}
