package main

import (
	"halfstep/renderloop/glrender"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/world"
)

// sketchFrom drags from one point of the world to another.
func (b *bench) sketchFrom(x0, y0, x1, y1 float64) {
	b.t.Helper()
	half := b.picture.Half()
	at := func(x, y float64) { b.pointAt(b.picture.Camera.WorldToScreen(x, y, half.W, half.H)) }
	at(x0, y0)
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(1)
	at((x0+x1)/2, (y0+y1)/2)
	b.run(1)
	at(x1, y1)
	b.run(1)
	b.mouse(input.MouseButtonLeft, input.Release)
	b.run(3)
}

// defs returns the definitions of the bodies with a name, the newest first.
func (b *bench) defs(name string) (all []world.BodyDef) {
	b.t.Helper()
	got := make(chan []world.BodyDef, 1)
	world.Ask(b.Stage.Player.Commands, func(w *world.World) (all []world.BodyDef) {
		for body := range w.Bodies() {
			if d, _ := w.BodyDef(body); d.Name == name || strings.HasPrefix(d.Name, name+" ") {
				all = append(all, d)
			}
		}
		slices.Reverse(all)
		return all
	}, func(_ uint64, all []world.BodyDef) { got <- all })
	for len(got) == 0 {
		b.run(1)
	}
	return <-got
}

func near(a, b world.Vec) bool { return math.Hypot(a.X-b.X, a.Y-b.Y) < .05 }

// workbench returns a paused scene with free space at the right, and opens the page
// with the tools.
func workbench(t *testing.T, args string) *bench {
	b := newPanelBench(t, "-scene arch -sync lockstep "+args)
	b.picture.Surface = input.Surface{W: 1280, H: 1400, Scale: 1}
	b.run(10)
	b.press(input.KeySpace)
	b.panel.Page = panel.BodyPage
	b.run(2)
	return b
}

func TestShapesAreDrawnToSizeAndEachIsUndone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	b := workbench(t, "-record "+file)
	had := b.bodies()
	for i, c := range []struct {
		name           string
		x0, y0, x1, y1 float64
		at             world.Vec
		w, h           float64 // of the outline
	}{
		{"box", 8, 9, 6, 8, world.Vec{X: 7, Y: 8.5}, 2, 1},
		{"ball", 8, 6, 8.6, 6.8, world.Vec{X: 8, Y: 6}, 2, 2},
		{"capsule", -8, 6, -6, 6.5, world.Vec{X: -7, Y: 6.25}, 2, .5},
		{"capsule", -8, 8, -7.5, 10, world.Vec{X: -7.75, Y: 9}, .5, 2},
	} {
		b.click("tool " + c.name)
		b.sketchFrom(c.x0, c.y0, c.x1, c.y1)
		made := b.defs(c.name)
		if len(made) == 0 || b.bodies() != had+i+1 {
			t.Fatalf("%s: %d bodies, not %d; says %q", c.name, b.bodies(), had+i+1, b.picture.Notice.Text)
		}
		d := made[0]
		low, high := world.Vec{X: math.Inf(1), Y: math.Inf(1)}, world.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
		s := d.Shapes[0]
		for _, p := range s.Points {
			low = world.Vec{X: min(low.X, p.X-s.Radius), Y: min(low.Y, p.Y-s.Radius)}
			high = world.Vec{X: max(high.X, p.X+s.Radius), Y: max(high.Y, p.Y+s.Radius)}
		}
		if !near(d.Position, c.at) || d.Kind != world.Dynamic || !near(world.Vec{X: high.X - low.X, Y: high.Y - low.Y}, world.Vec{X: c.w, Y: c.h}) {
			t.Errorf("%s: %v at %v, from %v to %v", c.name, d.Kind, d.Position, low, high)
		}
		if body, _ := b.Stage.Player.Find(c.name); b.Inspect.Body == 0 || c.name == "box" && b.Inspect.Body != body {
			t.Errorf("%s: %v is chosen", c.name, b.Inspect.Body)
		}
	}
	b.sketchFrom(8, 3, 8.001, 3) // too small
	if b.bodies() != had+4 {
		t.Errorf("what is too small makes %d bodies of %d", b.bodies(), had+4)
	}
	if b.press(input.KeyEscape); b.Sketcher.Tool != play.HandTool {
		t.Error("Esc leaves the tool")
	}
	b.press(input.KeyZ, input.KeyZ, input.KeyZ, input.KeyZ)
	if b.bodies() != had {
		t.Errorf("all undone: %d bodies, not %d", b.bodies(), had)
	}
	b.Session.ChangeScene(b.Stage.Current)
	if err := replays(file); err != nil {
		t.Error(err)
	}
}

func TestWhileTimeStandsStillABodyIsMovedAndTurned(t *testing.T) {
	b := workbench(t, "")
	at := func(e *play.Player) world.BodyDef {
		all := b.defs("plank")
		if len(all) != 1 {
			t.Fatalf("%d planks; says %q", len(all), b.picture.Notice.Text)
		}
		return all[0]
	}
	b.Build.Create("plank", world.Vec{X: 7, Y: 6}, world.Polygon(world.Vec{}, world.Vec{X: 2}, world.Vec{X: 2, Y: .5}, world.Vec{Y: .5}))
	b.run(3)
	b.sketchFrom(7.5, 6.2, 6.5, 8.2)
	if d := at(b.Stage.Player); !near(d.Position, world.Vec{X: 6, Y: 8}) || b.joints() != 0 {
		t.Errorf("moved to %v, %d joints", d.Position, b.joints())
	}
	moved := b.hash()
	b.click("tool turn")
	b.sketchFrom(7.9, 8.25, 7, 9.2) // its centre is at (7, 8.25)
	d := at(b.Stage.Player)
	if math.Abs(d.Angle-math.Pi/2) > .05 || !near(d.Position, world.Vec{X: 7.25, Y: 7.25}) {
		t.Errorf("turned by %v to %v", d.Angle, d.Position)
	}
	turned := b.hash()
	if b.press(input.KeyZ); b.hash() != moved {
		t.Error("turning undone is not what was")
	}
	if b.press(input.KeyY); b.hash() != turned {
		t.Error("turning redone is not what was turned")
	}
	b.click("tool hand")
	b.picture.Camera.Home = false
	was := b.picture.Camera.Camera
	b.sketchFrom(0, -.3, 1, -.3) // the ground
	if b.picture.Camera.Camera == was || at(b.Stage.Player).Position != d.Position {
		t.Error("a drag on the ground does not pan")
	}
	b.press(input.KeySpace)
	b.sketchFrom(7, 8, 7.5, 8)
	if b.joints() != 0 || b.Sketcher.Sketch.On {
		t.Errorf("after a pull %d joints are left", b.joints())
	}
}

func TestJointsAreMadeByDraggingFromOneBodyToAnother(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run")
	b := workbench(t, "-record "+file)
	b.Build.Create("left", world.Vec{X: 6, Y: 8}, world.Box(.5, .5))
	b.run(3)
	b.Build.Create("right", world.Vec{X: 8, Y: 8}, world.Box(.5, .5))
	b.run(3)
	had := b.bodies()
	b.click("tool joint")
	last := func() (d world.JointDef) {
		got := make(chan world.JointDef, 1)
		world.Ask(b.Stage.Player.Commands, func(w *world.World) (d world.JointDef) {
			for j := range w.Joints() {
				info, _ := w.Joint(j)
				return info.Def
			}
			return d
		}, func(_ uint64, d world.JointDef) { got <- d })
		for len(got) == 0 {
			b.run(1)
		}
		return <-got
	}
	left, _ := b.Stage.Player.Find("left")
	right, _ := b.Stage.Player.Find("right")
	for i, name := range play.JointNames {
		b.Sketcher.Joint = i
		b.sketchFrom(6.2, 8.1, 7.9, 8.3)
		d := last()
		if d.Kind != play.Joints[i].Kind || d.A != left || d.B != right || d.Frequency != play.Joints[i].Frequency {
			t.Errorf("%s: %+v", name, d)
		}
		tied := d.Kind == world.DistanceJoint || d.Kind == world.RopeJoint
		want := world.Vec{X: 1.9, Y: .3} // this is the end of the drag in the frame of A
		if tied {
			want = world.Vec{X: .2, Y: .1}
		}
		if !near(d.AnchorA, want) {
			t.Errorf("%s: A is held at %v", name, d.AnchorA)
		}
		if tied && !near(d.AnchorB, world.Vec{X: -.1, Y: .3}) ||
			d.Kind == world.DistanceJoint && math.Abs(d.Length-1.71) > .05 || d.Kind == world.RopeJoint && math.Abs(d.MaxLength-1.71) > .05 {
			t.Errorf("%s: B is held at %v, length %v or %v", name, d.AnchorB, d.Length, d.MaxLength)
		}
		b.press(input.KeyZ)
	}
	for i, name := range play.JointNames { // to the world
		b.Sketcher.Joint = i
		b.sketchFrom(6, 8.1, 6.5, 10)
		d := last()
		if b.bodies() != had+1 || d.B != left {
			t.Errorf("%s to the world: %+v, %d bodies", name, d, b.bodies())
		}
		if p, _ := b.Stage.Player.Pose(d.A); !near(world.Vec{X: p.X, Y: p.Y}, world.Vec{X: 6.5, Y: 10}) {
			t.Errorf("%s to the world: the nail is at %v, %v", name, p.X, p.Y)
		}
		b.press(input.KeyZ)
	}
	if b.joints() != 0 || b.bodies() != had {
		t.Errorf("all undone: %d joints, %d bodies", b.joints(), b.bodies())
	}
	b.Inspect.Choose(0)
	b.sketchFrom(0, -.3, 12, 12) // from the ground to a point of the world without a body
	if b.joints() != 0 || !strings.Contains(b.picture.Notice.Text, "can move") {
		t.Errorf("a joint of what stands: says %q", b.picture.Notice.Text)
	}
	b.Session.ChangeScene(b.Stage.Current)
	if err := replays(file); err != nil {
		t.Error(err)
	}
}

func TestTheListFindsBodiesShapesAndJointsAndFollowsWhatIsChosen(t *testing.T) {
	b := newPanelBench(t, "-scene joints")
	b.picture.Surface = input.Surface{W: 1280, H: 1000, Scale: 1}
	b.panel.Page = panel.BodyPage
	b.run(2)
	l := &b.panel.Bodies.Parts
	rows := func(search string) (list []string) {
		l.Search = search
		b.run(2)
		for i := range l.Rows {
			list = append(list, strings.Clone(b.panel.Bodies.PartText(&l.Rows[i])))
		}
		return list
	}
	all := rows("")
	if len(all) != int(b.Stage.View.Counts.Bodies) {
		t.Fatalf("%d rows, %d bodies", len(all), b.Stage.View.Counts.Bodies)
	}
	for search, want := range map[string]func() int{
		"revolute": func() (n int) {
			for i := range b.Stage.View.Scene.Joints {
				if world.JointKind(b.Stage.View.Scene.Joints[i].Kind) == world.RevoluteJoint {
					n++
				}
			}
			if _, named := b.Stage.Player.Find("revolute"); named {
				n++
			}
			return n
		},
		"CIRCLE": func() (n int) {
			for i := range b.Stage.View.Scene.Shapes {
				if b.Stage.View.Scene.Shapes[i].Kind == body2d.Disc {
					n++
				}
			}
			return n
		},
		"joint":         func() int { return len(b.Stage.View.Scene.Joints) },
		"no such thing": func() int { return 0 },
		"#1":            func() int { return 1 },
	} {
		if got := rows(search); len(got) != want() || search != "no such thing" && want() == 0 {
			t.Errorf("%q finds %d, not %d: %v", search, len(got), want(), got)
		}
	}
	// The bodies that are chosen in the picture are also chosen in the list. They are in
	// view, with their parts below them.
	rows("")
	at := len(b.Stage.View.Scene.Joints) - 1
	slot := int(b.Stage.View.Scene.Joints[at].SlotB)
	b.Inspect.Choose(world.Body(b.Stage.View.Scene.Bodies[slot].Handle))
	b.run(3)
	chosen := slices.IndexFunc(l.Rows, func(r panel.PartRow) bool { return r.Part == panel.Part{Body: b.Inspect.Body} })
	if chosen < 0 || l.Rows[chosen+1].Shape == 0 {
		t.Fatalf("row %d of %v", chosen, l.Rows)
	}
	if b.control(l.Names[chosen]).H < 20 {
		t.Error("the chosen body is not in sight")
	}
	b.click(l.Names[chosen+1])
	if b.Inspect.Shape == 0 || b.Inspect.Shape != l.Rows[chosen+1].Shape {
		t.Errorf("shape %v is chosen", b.Inspect.Shape)
	}
	joint := slices.IndexFunc(l.Rows, func(r panel.PartRow) bool { return r.Joint != 0 })
	b.panel.Ui.Find(l.Names[joint])
	b.Inspect.Shape, b.Inspect.Joint = 0, l.Rows[joint].Joint
	b.run(2)
	n := len(b.Stage.View.Scene.Joints)
	b.press(input.KeySpace)
	b.press(input.KeyDelete)
	b.run(3)
	if got := len(b.Stage.View.Scene.Joints); got != n-1 || b.Inspect.Joint != 0 {
		t.Errorf("Del of a joint: %d joints, not %d; says %q", got, n-1, b.picture.Notice.Text)
	}
	b.press(input.KeyZ)
	b.run(3)
	if got := len(b.Stage.View.Scene.Joints); got != n {
		t.Errorf("undone: %d joints, not %d", got, n)
	}
}

func TestAPanelWithTheListAllocatesNothingForManyBodies(t *testing.T) {
	b := newPanelBench(t, "-scene pyramid")
	b.panel.Page = panel.BodyPage
	b.run(3)
	b.press(input.KeySpace)
	b.run(3)
	if n := testing.AllocsPerRun(20, func() { b.panel.Run() }); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestShiftChoosesSeveralBodiesAndCtrlCopiesThem(t *testing.T) {
	b := workbench(t, "")
	b.Inspect.Choose(0)
	b.click("tool box")
	b.sketchFrom(7, 9, 8, 10)
	b.sketchFrom(9, 9, 10, 10)
	b.click("tool hand")
	bodies := b.bodies()
	shift := func(x, y float64, action input.Action) {
		half := b.picture.Half()
		b.pointAt(b.picture.Camera.WorldToScreen(x, y, half.W, half.H))
		b.run(1)
		b.queue.Put(input.Event{Kind: input.ButtonInput, Button: input.MouseButtonLeft, Action: action, Mods: input.ModShift})
		b.run(1)
	}
	chosen := func(n int, what string) {
		t.Helper()
		b.run(3)
		if got := len(b.Inspect.Bodies()); got != n {
			t.Errorf("%s: %d are chosen, not %d; says %q", what, got, n, b.picture.Notice.Text)
		}
	}
	b.Inspect.Choose(0)
	shift(6.5, 8.5, input.Press)
	half := b.picture.Half()
	b.pointAt(b.picture.Camera.WorldToScreen(10.5, 10.5, half.W, half.H))
	b.run(1)
	shift(10.5, 10.5, input.Release)
	chosen(2, "a frame")
	shift(7.5, 9.5, input.Press)
	shift(7.5, 9.5, input.Release)
	chosen(1, "a click on one of them")
	shift(7.5, 9.5, input.Press)
	shift(7.5, 9.5, input.Release)
	chosen(2, "a click on it once more")
	ctrl := func(key input.Key) {
		b.queue.Put(input.Event{Kind: input.KeyInput, Key: key, Action: input.Press, Mods: input.ModControl})
		b.run(4)
	}
	ctrl(input.KeyD)
	if chosen(2, "the copies"); b.bodies() != bodies+2 {
		t.Errorf("copied beside: %d bodies, not %d", b.bodies(), bodies+2)
	}
	ctrl(input.KeyC)
	b.pointAt(b.picture.Camera.WorldToScreen(8, 13, half.W, half.H))
	ctrl(input.KeyV)
	if chosen(2, "what was pasted"); b.bodies() != bodies+4 {
		t.Errorf("pasted: %d bodies, not %d", b.bodies(), bodies+4)
	}
	b.click("row of copies")

	b.typeInto("row copies", "3")
	b.click("row joined")
	b.click("make row")
	if b.run(4); b.bodies() != bodies+10 {
		t.Errorf("repeated: %d bodies, not %d", b.bodies(), bodies+10)
	}
	b.press(input.KeyZ, input.KeyZ, input.KeyZ)
	if b.bodies() != bodies {
		t.Errorf("three undone: %d bodies, not %d", b.bodies(), bodies)
	}
	ctrl(input.KeyA)
	if n := len(b.Inspect.Bodies()); n < bodies-4 {
		t.Errorf("%d of %d are chosen", n, bodies)
	}
	if b.panel.Page != panel.BodyPage {
		t.Error("another page is open")
	}
}

func TestAChosenToolIsSeenInThePictureAndAtTheCursor(t *testing.T) {
	b := newPanelBench(t, "-scene empty")
	b.pointAt(300, 300)
	if b.run(2); b.screen.cross || b.picture.Tool() != "" {
		t.Errorf("the hand: crosshair %v, %q", b.screen.cross, b.picture.Tool())
	}
	b.press(input.KeyA, input.KeyA)
	if !b.screen.cross || !strings.HasPrefix(b.picture.Tool(), "Box: ") || !strings.Contains(b.picture.Tool(), "Esc") {
		t.Errorf("crosshair %v, %q", b.screen.cross, b.picture.Tool())
	}
	b.pointAt(900, 300)
	if b.run(2); b.screen.cross {
		t.Error("the cursor is a crosshair over the panel")
	}
	b.pointAt(300, 300)
	if b.press(input.KeyEscape); b.screen.cross || b.picture.Tool() != "" {
		t.Errorf("ended: crosshair %v, %q", b.screen.cross, b.picture.Tool())
	}
}

func TestTheMenuOpensUnderTheCursor(t *testing.T) {
	b := newBench(t, "-scene arch -compare soft")
	b.run(3)
	at := func(x, y float64, unit float32) {
		t.Helper()
		b.queue.Put(input.Event{Kind: input.CursorInput, X: x, Y: y})
		b.run(1)
		b.panel.OpenMenu()
		if m := b.panel.Menu; m.X*unit != float32(x) || m.Y*unit != float32(y) {
			t.Errorf("at %v, %v: the menu is at %v, %v", x, y, m.X*unit, m.Y*unit)
		}
	}
	at(100, 90, 1)
	at(600, 90, 1)
	if b.panel.Menu.Of != b.Stage.Right.Player {
		t.Error("it is not of the right half")
	}
	c := newBench(t, "-scene arch")
	b = c
	b.picture.Surface = input.Surface{W: 2000, H: 1000, Scale: 2}
	at(300, 200, 2)
}

func TestAPinnedBodyIsMarkedAndCanBeUnpinned(t *testing.T) {
	b := newPanelBench(t, "-scene arch")
	b.run(10)
	b.press(input.KeySpace)
	b.rightClick(8, 3)
	for _, item := range b.panel.Menu.Items {
		if item.Name == "menu undo" {
			t.Error("the menu offers to undo nothing")
		}
	}
	b.click("menu ball")
	b.run(3)
	marks := func() int {
		c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
		b.picture.DrawMarks(c)
		return quads(c)
	}
	b.rightClick(8, 3)
	before := marks()
	b.click("menu pin")
	b.run(3)
	if marks() <= before {
		t.Error("the pinned body is not marked")
	}
	b.rightClick(8, 3)
	b.click("menu unpin")
	b.run(3)
	if n := b.Stage.View.Counts.Joints; n != 0 || marks() != before {
		t.Errorf("unpinned, there are %d joints", n)
	}
	b.rightClick(8, 3)
	for _, item := range b.panel.Menu.Items {
		if item.Name == "menu unpin" {
			t.Error("the menu offers to unpin what is not pinned")
		}
	}
}
