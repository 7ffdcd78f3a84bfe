package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/ui"
	"halfstep/world"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// rightClick clicks with the right button on a point of the world.
func (b *bench) rightClick(x, y float64) {
	b.t.Helper()
	half := b.half()
	b.pointAt(b.camera.WorldToScreen(x, y, half.w, half.h))
	b.mouse(glfw.MouseButtonRight, glfw.Press)
	b.mouse(glfw.MouseButtonRight, glfw.Release)
	b.run(2)
	if !b.menu.open {
		b.t.Fatal("no menu opens")
	}
}

func (b *bench) bodies() int { b.run(3); return int(b.view.Counts.Bodies) }

func TestARightClickCreatesCopiesDeletesAndPinsAndEachIsUndoneAndReplays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	b := newPanelBench(t, "-scene arch -record "+file)
	b.run(30)
	b.press(glfw.KeySpace)
	had := b.bodies()
	do := func(item string, x, y float64, want int, joints int) {
		t.Helper()
		b.rightClick(x, y)
		b.click(item)
		if got := b.bodies(); got != had+want || b.menu.open {
			t.Fatalf("%s: %d bodies, not %d; menu %v, says %q", item, got, had+want, b.menu.open, b.notice.text)
		}
		if got := int(b.view.Counts.Joints); got != joints {
			t.Fatalf("%s: %d joints, not %d", item, got, joints)
		}
	}
	do("menu capsule", 8, 3, 1, 0)
	b.press(glfw.KeyZ)
	do("menu ball", -8, 3, 1, 0)
	ball, ok := b.player.find("ball")
	if !ok {
		t.Fatal("no ball")
	}
	do("menu copy", -8, 3, 2, 0)
	do("menu pin", -8, 3, 3, 1)
	b.rightClick(-8, 3)
	deleted := b.inspect.body
	b.press(glfw.KeyEscape)
	do("menu delete", -8, 3, 1, 0) // the joint and the nail go with it
	b.press(glfw.KeyZ)
	if got := b.bodies(); got != had+3 || b.view.Counts.Joints != 1 {
		t.Errorf("deleting undone: %d bodies, %d joints; says %q", got, b.view.Counts.Joints, b.notice.text)
	}
	if b.inspect.body == 0 || b.inspect.body != deleted {
		t.Errorf("deleting undone: %v is chosen, not %v", b.inspect.body, deleted)
	}
	b.press(glfw.KeySpace)
	b.run(60)
	if p, _ := b.player.pose(ball); math.Hypot(p.X+8, p.Y-3) > .1 {
		t.Errorf("the pinned ball is at %+v", p)
	}
	b.press(glfw.KeyZ)
	b.press(glfw.KeyZ)
	b.press(glfw.KeyZ)
	if got := b.bodies(); got != had {
		t.Errorf("all undone: %d bodies, not %d", got, had)
	}
	if b.press(glfw.KeyZ); !strings.Contains(b.notice.text, "nothing to undo") {
		t.Errorf("says %q", b.notice.text)
	}
	b.change(b.current)
	if err := replays(file); err != nil {
		t.Error(err)
	}
}

func TestTheInspectorChangesABodyAndUndoBringsItBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	b := newPanelBench(t, "-scene cradle -record "+file)
	b.surface = surface{w: 1280, h: 1400, scale: 1}
	b.panel.page = bodyPage
	body, _ := b.player.find("ball5")
	b.inspect.choose(body)
	for !b.inspect.info.known {
		b.run(1)
	}
	b.press(glfw.KeySpace)
	ask := func() world.BodyInfo {
		got := make(chan world.BodyInfo, 1)
		world.Ask(b.player.Commands, func(w *world.World) world.BodyInfo { i, _ := w.Body(body); return i }, func(_ uint64, i world.BodyInfo) { got <- i })
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
	b.click("change kind") // the next after dynamic is static
	if now := ask(); now.Kind != world.Static {
		t.Errorf("the kind is %v", now.Kind)
	}
	b.press(glfw.KeyZ)
	if now := ask(); now.Kind != world.Dynamic || now.Velocity.Y != 6 {
		t.Errorf("one undone: %v with %v", now.Kind, now.Velocity)
	}
	b.press(glfw.KeyZ)
	b.press(glfw.KeyZ)
	if now := ask(); now.Mass != was.Mass || now.Velocity != was.Velocity {
		t.Errorf("all undone: %+v, not %+v", now, was)
	}
	b.press(glfw.KeySpace)
	b.run(20)
	b.change(b.current)
	if err := replays(file); err != nil {
		t.Error(err)
	}
}

func TestThePastCannotBeEdited(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.run(120)
	b.press(glfw.KeySpace)
	b.seek(60)
	b.run(3)
	b.rightClick(-8, 3)
	for _, item := range b.menu.items {
		if item.name == "menu box" {
			t.Error("the menu offers what cannot be done")
		}
	}
	b.press(glfw.KeyEscape)
	if b.edit("create", func(*player) {}); !strings.Contains(b.notice.text, "cannot be changed") {
		t.Errorf("says %q", b.notice.text)
	}
}

func TestTheArrowKeysDriveTheCarAndTheFigure(t *testing.T) {
	for name, body := range map[string]string{"car": "car", "platformer": "figure"} {
		b := newPanelBench(t, "-scene "+name)
		b.run(60)
		n, ok := b.player.find(body)
		if !ok {
			t.Fatal("no " + body)
		}
		key := func(k glfw.Key, down bool) {
			action := glfw.Release
			if down {
				action = glfw.Press
			}
			b.queue.put(inputEvent{kind: keyInput, key: k, action: action})
			b.run(1)
		}
		home := b.camera.home
		x := func() float64 { p, _ := b.player.pose(n); return p.X }
		key(glfw.KeyRight, true)
		b.run(60)
		key(glfw.KeyRight, false)
		b.run(90)
		at := x()
		key(glfw.KeyLeft, true)
		b.run(90)
		if left := x(); left > at-.5 {
			t.Errorf("%s: with the left key from %v to %v", name, at, left)
		}
		key(glfw.KeyLeft, false)
		b.run(120)
		at = x()
		b.run(60)
		if still := x(); math.Abs(still-at) > 1.5 {
			t.Errorf("%s: without a key from %v to %v", name, at, still)
		}
		if b.camera.home != home {
			t.Errorf("%s: the keys moved the view", name)
		}
	}
}

func TestThePlotKeepsTheLastTicksAlsoInThePast(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	b.panel.page = bodyPage
	ball, _ := b.player.find("ball1")
	b.inspect.choose(ball)
	b.run(200)
	p := &b.inspect.plot
	at := b.view.Tick
	if p.ticks[at%plotLong] != at || p.ticks[(at-100)%plotLong] != at-100 {
		t.Fatalf("tick %d is not kept", at)
	}
	was := p.values[(at-100)%plotLong]
	b.press(glfw.KeySpace)
	b.seek(at - 100)
	b.run(3)
	if now := p.values[(at-100)%plotLong]; p.ticks[(at-100)%plotLong] != at-100 || math.Abs(float64(now[1]-was[1])) > 1e-4 {
		t.Errorf("tick %d: height %v, in the past %v", at-100, was[1], now[1])
	}
}

func TestThePlotIsOneLineWhereFramesShowSeveralSteps(t *testing.T) {
	b := newPanelBench(t, "-scene cradle")
	b.panel.page = bodyPage
	ball, _ := b.player.find("ball1")
	b.inspect.choose(ball)
	b.run(3)
	for range 80 {
		b.steps = 5
		b.run(1)
	}
	r, ok := b.panel.ui.Find("plot")
	if !ok {
		t.Fatal("there is no plot")
	}
	from, to := float32(math.MaxFloat32), float32(0)
	wide := float32(0)
	for _, s := range b.panel.ui.Shapes() {
		if s.Kind == ui.Line && s.Colour == ui.Accent && s.Y > r.Y+r.H {
			from, to = min(from, s.X, s.W), max(to, s.X, s.W)
			wide += max(s.X, s.W) - min(s.X, s.W)
		}
	}
	if to-from < .9*r.W || wide < .99*(to-from) {
		t.Errorf("of %v, lines cover %v from %v to %v", r.W, wide, from, to)
	}
}

func TestTheMenuOffersUndoOnlyAfterAChange(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.rightClick(-8, 3)
	if _, ok := b.panel.ui.Find("menu undo"); ok {
		t.Error("it does before any change")
	}
	b.click("menu ball")
	b.rightClick(-8, 6)
	b.control("menu undo")
}
