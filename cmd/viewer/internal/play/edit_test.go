package play

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"halfstep/engine/rube"
	"halfstep/test/norace"
	"halfstep/world"
)

// chooses chooses a body, a shape or a joint, and waits until physics has described it.
func (b *bench) chooses(body world.Body, shape world.Shape, joint world.Joint) {
	b.t.Helper()
	b.Inspect.Choose(body)
	b.Inspect.Shape, b.Inspect.Joint = shape, joint
	b.Inspect.stale()
	b.Inspect.Info.Known = false
	b.until("the part is described", func() bool { return b.Inspect.Info.Known && b.Inspect.Info.Joint.Handle == joint })
}

// let releases the control that has changed a value.
func (b *bench) let() { b.Changes.Moments.Control = ""; b.run(3) }

func fieldOf[D any](t testing.TB, all []Field[D], d *D, name string) *Field[D] {
	t.Helper()
	i := slices.IndexFunc(all, func(f Field[D]) bool { return f.Name == name && f.In(d) })
	if i < 0 {
		t.Fatalf("there is no %q", name)
	}
	return &all[i]
}

func (b *bench) setJoint(name string, x float64) {
	b.t.Helper()
	b.Edit.SetJoint(fieldOf(b.t, JointFields, &b.Inspect.Info.Joint.Def, name), x, "")
	b.let()
}

// ask runs frames until physics has answered.
func ask[T any](b *bench, f func(*world.World) T) T {
	got := make(chan T, 1)
	world.Ask(b.Stage.Player.Commands, f, func(_ uint64, x T) { got <- x })
	for len(got) == 0 {
		b.run(1)
	}
	return <-got
}

func TestACarWithMotorWheelsIsBuiltByHand(t *testing.T) {
	b := newBench(t, "-scene empty -sync lockstep")
	b.run(5)
	b.do("pause")
	made := func(kind string, at world.Vec, s world.ShapeDef) world.Body {
		b.Build.Create(kind, at, s)
		b.run(3)
		found, _ := b.Stage.Player.Find(kind)
		return found
	}
	chassis := made("box", world.Vec{Y: 1}, world.Box(1.2, .25))
	for i, x := range []float64{-.8, .8} {
		at := world.Vec{X: x, Y: .5}
		wheel := made([]string{"ball", "capsule"}[i], at, world.Circle(.4))
		b.Build.Join("wheel", Joints[3], chassis, wheel, world.Vec{X: x, Y: 1}, at)
		b.run(3)
		b.chooses(b.Inspect.Body, 0, b.Inspect.Joint)
		b.setJoint("motor", 1)
	}
	b.do("pause")
	b.run(200)
	if p, _ := b.Stage.Player.Pose(chassis); p.X < 2 || p.Y < .3 {
		t.Errorf("the car is at %v, %v", p.X, p.Y)
	}
}

// other returns a value of a field that differs from x.
func other[D any](f *Field[D], x float64) float64 {
	switch {
	case f.Is == Truth:
		return 1 - x
	case f.Is == Choice:
		return float64((int(x) + 1) % len(f.Words))
	case f.Log && x >= math.MaxFloat32/2:
		return 100
	case f.Log:
		return 2*x + f.Min
	case x+3*f.Step <= f.Max:
		return x + 3*f.Step
	}
	return x - 3*f.Step
}

// opened saves a world as a file and opens the file. It does this n times, and returns the hash
// of the last world.
func opened(w *world.World, n int) (uint64, error) {
	for range n {
		text, err := rube.Of(w).JSON()
		if err != nil {
			return 0, err
		}
		s, err := rube.Parse("s", text)
		if err != nil {
			return 0, err
		}
		sim := world.NewSimulation(s.World)
		if err := s.Build(sim.World()); err != nil {
			return 0, err
		}
		w = sim.World()
	}
	return w.Hash(), nil
}

// inAFile returns all values of the world, and the values after saving and opening the world.
func (b *bench) inAFile() (now, saved []float64, err error) {
	ask(b, func(w *world.World) bool {
		scene := rube.Of(w)
		var text []byte
		if text, err = scene.JSON(); err != nil {
			return false
		}
		var read *rube.Scene
		if read, err = rube.Parse("s", text); err == nil {
			now, saved = fieldsOf(scene), fieldsOf(read)
		}
		return true
	})
	return now, saved, err
}

func fieldsOf(s *rube.Scene) (all []float64) {
	for i := range s.Bodies {
		all = fieldValues(all, BodyFields, &s.Bodies[i])
		for k := range s.Bodies[i].Shapes {
			all = fieldValues(all, ShapeFields, &s.Bodies[i].Shapes[k])
		}
	}
	for i := range s.Joints {
		all = fieldValues(all, JointFields, &s.Joints[i].Def)
	}
	return all
}

func fieldValues[D any](all []float64, fields []Field[D], d *D) []float64 {
	for i := range fields {
		if f := &fields[i]; f.Name == "name" {
			continue
		} else if f.Is == Text {
			x, _ := strconv.ParseUint(f.Text(d), 0, 64)
			all = append(all, float64(x))
		} else if f.In(d) {
			all = append(all, f.Get(d))
		}
	}
	return all
}

// changesAll changes each value of a chosen part with the function set, and undoes the change.
// The function choose chooses the part again.
func changesAll[D any](b *bench, what string, fields []Field[D], d func() *D, choose func(), set func(*Field[D], float64)) {
	b.t.Helper()
	for i := range fields {
		f := &fields[i]
		if !f.In(d()) || f.Is == Text {
			continue
		}
		was, x := b.hash(), other(f, f.Get(d()))
		set(f, x)
		b.let()
		choose()
		if got := f.Get(d()); math.Abs(got-x) > 1e-6*(1+math.Abs(x)) {
			b.t.Errorf("%s: %s is %v, not %v: %s", what, f.Name, got, x, b.says)
		}
		if a, z, err := b.inAFile(); err != nil || !slices.Equal(a, z) {
			b.t.Errorf("%s: %s changes in a file: %v", what, f.Name, err)
		}
		b.do("undo")
		if b.hash() != was {
			b.t.Errorf("%s: %s is not undone", what, f.Name)
		}
		choose()
	}
}

func TestEveryValueIsChangedSavedAndUndone(t *testing.T) {
	norace.Only(t)
	b := newBench(t, "-scene joints -sync lockstep")
	b.run(5)
	b.do("pause")
	kinds, all := map[world.JointKind]bool{}, b.Stage.View.Scene
	for i := range all.Joints {
		j := &all.Joints[i]
		kind := world.JointKind(j.Kind)
		if kinds[kind] {
			continue
		}
		kinds[kind] = true
		body := world.Body(all.Bodies[j.SlotB].Handle)
		b.chooses(body, 0, world.Joint(j.Handle))
		changesAll(b, kind.String(), JointFields, func() *world.JointDef { return &b.Inspect.Info.Joint.Def },
			func() { b.chooses(body, 0, b.Inspect.Joint) }, func(f *Field[world.JointDef], x float64) { b.Edit.SetJoint(f, x, "") })
	}
	if len(kinds) < 10 {
		t.Errorf("the scene has only %d kinds of joints", len(kinds))
	}
	b.Build.Create("capsule", world.Vec{Y: 30}, world.Capsule(world.Vec{X: -1}, world.Vec{X: 1}, .3))
	b.Build.Create("box", world.Vec{Y: 33}, world.Box(1, .5))
	b.run(3)
	for _, name := range []string{"capsule", "box"} {
		body, _ := b.Stage.Player.Find(name)
		choose := func() { b.chooses(body, 0, 0) }
		choose()
		changesAll(b, name, BodyFields, func() *world.BodyDef { return &b.Inspect.Info.Def }, choose, b.Edit.SetBody)
		changesAll(b, name, ShapeFields, func() *world.ShapeDef { return &b.Inspect.Info.Def.Shapes[0] }, choose,
			func(f *Field[world.ShapeDef], x float64) { b.Edit.SetShape(f, x, "") })
	}
}

func TestAGearStaysWhenAJointThatItCouplesIsMadeAnew(t *testing.T) {
	b := newBench(t, "-scene joints -sync lockstep")
	b.run(5)
	b.do("pause")
	gears := func() (all []world.JointInfo) {
		return ask(b, func(w *world.World) (all []world.JointInfo) {
			for j := range w.Joints() {
				if i, _ := w.Joint(j); i.Kind == world.GearJoint {
					all = append(all, i)
				}
			}
			return all
		})
	}
	was := gears()
	if len(was) == 0 {
		t.Fatal("the scene has no gear")
	}
	one := ask(b, func(w *world.World) world.JointInfo { i, _ := w.Joint(was[0].Def.Joint1); return i })
	b.chooses(one.B, 0, was[0].Def.Joint1)
	b.setJoint("angle at rest", 3)
	now := gears()
	if len(now) != len(was) || now[len(now)-1].Def.Joint1 == was[0].Def.Joint1 && now[0].Def.Joint1 == was[0].Def.Joint1 {
		t.Errorf("the gears are %+v", now)
	}
	if b.Inspect.Joint == was[0].Def.Joint1 {
		t.Error("the old joint is still chosen")
	}
	b.do("undo")
	if b.run(3); b.Inspect.Joint != was[0].Def.Joint1 {
		t.Error("once it is undone, the joint that was chosen is not")
	}
}

func TestAFilterIsTypedInSixteensAndWrongTextIsRefused(t *testing.T) {
	b := paused(t)
	body := b.makes(world.Vec{Y: 3}, world.Box(.5, .5))
	b.chooses(body, 0, 0)
	f := fieldOf(t, ShapeFields, &b.Inspect.Info.Def.Shapes[0], "filter mask")
	last := b.Changes.Moments.Last
	b.Edit.SetShape(f, 0, "all")
	if b.let(); b.Changes.Moments.Last != last || b.says == "" {
		t.Errorf("wrong text is a change; says %q", b.says)
	}
	b.Edit.SetShape(f, 0, "0xf0")
	b.let()
	if d := ask(b, func(w *world.World) world.BodyDef { d, _ := w.BodyDef(body); return d }); d.Shapes[0].Filter.Mask != 0xf0 {
		t.Errorf("the filter is %+v", d.Shapes[0].Filter)
	}
}

func TestAShapeAndAJointGetNames(t *testing.T) {
	b := paused(t)
	body := b.makes(world.Vec{Y: 3}, world.Box(.5, .5))
	b.chooses(body, 0, 0)
	b.Edit.SetShape(fieldOf(t, ShapeFields, &b.Inspect.Info.Def.Shapes[0], "name"), 0, "lid")
	b.let()
	b.Build.PinBody(body, world.Vec{Y: 3})
	b.run(3)
	b.chooses(b.Inspect.Body, 0, b.Inspect.Joint)
	b.Edit.SetJoint(fieldOf(t, JointFields, &b.Inspect.Info.Joint.Def, "name"), 0, "hinge")
	b.let()
	b.chooses(b.Inspect.Body, 0, b.Inspect.Joint)
	if got := b.Inspect.Info.Joint.Def.Name; got != "hinge" {
		t.Errorf("the joint is called %q", got)
	}
	if got := b.Inspect.Info.Def.Shapes[0].Name; got != "lid" {
		t.Errorf("the shape is called %q", got)
	}
	if b.joints() != 1 {
		t.Errorf("there are %d joints", b.joints())
	}
}
