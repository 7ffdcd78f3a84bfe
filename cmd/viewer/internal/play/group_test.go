package play

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

// paused returns an empty scene in which time stands still.
func paused(t testing.TB) *bench {
	b := newBench(t, "-scene empty -sync lockstep")
	b.run(5)
	b.do("pause")
	return b
}

// makes creates a body, and returns the body when the picture has it.
func (b *bench) makes(at world.Vec, s world.ShapeDef) world.Body {
	b.t.Helper()
	b.Build.Create("thing", at, s)
	was := b.Inspect.Body
	b.until("it is made and chosen", func() bool { return b.Inspect.Body != was && b.Inspect.Body != 0 })
	return b.Inspect.Body
}

func (b *bench) frame(x0, y0, x1, y1 float64) {
	b.Sketcher.BeginFrame(world.Vec{X: x0, Y: y0})
	b.Sketcher.GoOn(world.Vec{X: x1, Y: y1})
	b.Sketcher.End(reach)
	b.run(2)
}

func TestAFrameChoosesWhatLiesInItWhole(t *testing.T) {
	b := paused(t)
	one, two := b.makes(world.Vec{X: -3, Y: 3}, world.Box(.5, .5)), b.makes(world.Vec{X: 0, Y: 3}, world.Box(.5, .5))
	three := b.makes(world.Vec{X: 3, Y: 3}, world.Circle(.5))
	b.Inspect.Choose(0)
	b.frame(-4, 4, 3.2, 2)
	if n := b.Inspect; len(n.Bodies()) != 2 || !n.Has(one) || !n.Has(two) {
		t.Errorf("chosen: %v", n.Bodies())
	}
	b.Inspect.Toggle(three, false)
	b.Inspect.Toggle(one, false)
	if n := b.Inspect; len(n.Bodies()) != 2 || !n.Has(three) || !n.Has(two) {
		t.Errorf("one more and one less: %v", n.Bodies())
	}
	b.do("delete")
	if b.run(3); b.Inspect.Body != 0 || b.bodies() != 2 {
		t.Errorf("%d bodies are left, chosen %v", b.bodies(), b.Inspect.Bodies())
	}
	b.do("undo")
	if b.bodies() != 4 {
		t.Errorf("one undo brings back %d bodies", b.bodies())
	}
}

func TestChosenBodiesMoveTogetherOnTheGridAsOneChange(t *testing.T) {
	b := paused(t)
	one, two := b.makes(world.Vec{X: -3.1, Y: 3.2}, world.Box(.5, .5)), b.makes(world.Vec{X: .2, Y: 3}, world.Box(.5, .5))
	was := b.hash()
	b.Inspect.ChooseAll([]world.Body{one, two}, false)
	b.Build.Grid = .5
	b.dragFrom(-3.1, 3.2, 2, 1)
	at := func(x world.Body) world.Vec { p, _ := b.Stage.Player.Pose(x); return world.Vec{X: p.X, Y: p.Y} }
	if p, q := at(one), at(two); math.Abs(p.X+1) > 1e-5 || math.Abs(p.Y-4) > 1e-5 || math.Abs(q.X-2.3) > 1e-5 || math.Abs(q.Y-3.8) > 1e-5 {
		t.Errorf("they are at %v and %v", p, q)
	}
	b.do("undo")
	if b.hash() != was {
		t.Error("one undo does not take it back")
	}
}

func TestAValueOfSeveralBodiesIsSetAtOnce(t *testing.T) {
	b := paused(t)
	one, two := b.makes(world.Vec{X: -3, Y: 3}, world.Box(.5, .5)), b.makes(world.Vec{Y: 3}, world.Circle(.5))
	b.Inspect.ChooseAll([]world.Body{one, two}, false)
	b.until("both are described", func() bool { return len(b.Inspect.Info.More) == 1 })
	b.Edit.SetShape(fieldOf(t, ShapeFields, &b.Inspect.Info.Def.Shapes[0], "friction"), 1.5, "")
	b.let()
	for _, x := range []world.Body{one, two} {
		if d := ask(b, func(w *world.World) world.BodyDef { d, _ := w.BodyDef(x); return d }); d.Shapes[0].Friction != 1.5 {
			t.Errorf("the friction is %v", d.Shapes[0].Friction)
		}
	}
}

func TestACopyHasTheJointsBetweenItsBodies(t *testing.T) {
	b := paused(t)
	one, two := b.makes(world.Vec{X: -3, Y: 3}, world.Box(.5, .5)), b.makes(world.Vec{X: -2, Y: 3}, world.Box(.5, .5))
	b.Build.Join("weld", Joints[1], one, two, world.Vec{X: -2.5, Y: 3}, world.Vec{X: -2.4, Y: 3})
	b.Build.PinBody(one, world.Vec{X: -3, Y: 3})
	b.run(3)
	bodies, joints := b.bodies(), b.joints()
	b.Inspect.ChooseAll([]world.Body{one, two}, false)
	b.Build.Copy()
	b.run(3)
	b.Build.Paste(world.Vec{X: 5, Y: 6})
	if b.run(3); b.bodies() != bodies+3 || b.joints() != joints+2 {
		t.Errorf("pasted: %d bodies and %d joints more", b.bodies()-bodies, b.joints()-joints)
	}
	if n := b.Inspect; n.Has(one) || len(n.Bodies()) != 3 {
		t.Errorf("chosen: %v", n.Bodies())
	}
	b.do("undo")
	if b.bodies() != bodies || b.joints() != joints {
		t.Error("one undo does not take the copy back")
	}
}

func TestACopyHangsFromTheStaticBodyThatTheFirstOneHangsFrom(t *testing.T) {
	b := paused(t)
	ceiling, lamp := b.makes(world.Vec{Y: 8}, world.Box(9, .2)), b.makes(world.Vec{X: -3, Y: 5}, world.Circle(.4))
	b.chooses(ceiling, 0, 0)
	b.Edit.SetBody(fieldOf(t, BodyFields, &b.Inspect.Info.Def, "kind"), float64(world.Static))
	b.let()
	b.chooses(ceiling, 0, 0)
	b.Edit.SetBody(fieldOf(t, BodyFields, &b.Inspect.Info.Def, "angle"), 30)
	b.let()
	b.Build.Join("rope", Joints[6], ceiling, lamp, world.Vec{X: -3, Y: 8}, world.Vec{X: -3, Y: 5})
	b.run(3)
	b.Inspect.ChooseAll([]world.Body{lamp}, false)
	b.Build.Copy()
	b.run(3)
	b.Build.Paste(world.Vec{X: 1, Y: 4})
	b.run(3)
	at := ask(b, func(w *world.World) (at []world.Vec) {
		for j := range w.Joints() {
			i, _ := w.Joint(j)
			if at = append(at, i.PointA); i.A != ceiling {
				at = nil
			}
		}
		return at
	})
	if len(at) != 2 || math.Abs(at[1].Sub(at[0]).X) < 3.9 && math.Abs(at[0].Sub(at[1]).X) < 3.9 || math.Abs(math.Abs(at[0].Y-at[1].Y)-1) > 1e-6 {
		t.Errorf("the ropes hang from %v", at)
	}
}

func TestEachCopyGetsANameOfItsOwn(t *testing.T) {
	b := paused(t)
	one := b.makes(world.Vec{X: -9, Y: 3}, world.Box(.5, .5))
	b.Stage.Player.SetName(one, "plank 2")
	b.run(3)
	b.Build.Repeat(Repetition{Times: 3, Gap: .1})
	b.until("they are made and chosen", func() bool { return len(b.Inspect.Bodies()) == 4 })
	b.Build.Duplicate()
	b.until("they are copied", func() bool { return b.bodies() == 9 })
	names := map[string]bool{}
	for i := range b.Stage.View.Scene.Bodies {
		names[b.Stage.View.Scene.Bodies[i].Name] = true
	}
	for _, name := range []string{"plank 2", "plank 3", "plank 4", "plank 5", "plank 6", "plank 7", "plank 8", "plank 9"} {
		if !names[name] {
			t.Errorf("there is no %q among %v", name, names)
		}
	}
}

func TestAMassIsThatOfEachChosenBody(t *testing.T) {
	b := paused(t)
	one, two := b.makes(world.Vec{X: -3, Y: 3}, world.Box(.5, .5)), b.makes(world.Vec{Y: 3}, world.Circle(.5))
	b.Inspect.ChooseAll([]world.Body{one, two}, false)
	b.until("both are described", func() bool { return len(b.Inspect.Info.More) == 1 })
	b.Edit.SetMass(7)
	b.let()
	for _, x := range []world.Body{one, two} {
		if i := ask(b, func(w *world.World) world.BodyInfo { i, _ := w.Body(x); return i }); math.Abs(i.Mass-7) > 1e-9 {
			t.Errorf("the mass is %v", i.Mass)
		}
	}
}

func TestAJointHoldsWhereTheDragEndsAndIsThatOfWhatMoves(t *testing.T) {
	b := paused(t)
	post, door := b.makes(world.Vec{X: -1, Y: 3}, world.Box(.2, 1)), b.makes(world.Vec{X: .3, Y: 3}, world.Box(1, .1))
	b.Stage.Player.SetKind(post, world.Static)
	for _, drag := range [][2]world.Body{{post, door}, {door, post}} {
		for _, kind := range []int{0, 1, 2, 3} {
			from, to := world.Vec{X: -1, Y: 3.5}, world.Vec{X: -.6, Y: 3}
			b.Build.Join(JointNames[kind], Joints[kind], drag[0], drag[1], from, to)
			b.run(3)
			j := b.Inspect.Joint // the new one
			made := ask(b, func(w *world.World) world.JointInfo { i, _ := w.Joint(j); return i })
			if made.A != post || made.B != door || math.Hypot(made.PointB.X-to.X, made.PointB.Y-to.Y) > 1e-6 {
				t.Errorf("%s from %v: between %v and %v at %v", JointNames[kind], drag[0], made.A, made.B, made.PointB)
			}
		}
	}
}

// If the joint stayed chosen, its controls would stay visible, and a click on them would
// drop the changes that can be redone.
func TestAJointThatIsUndoneIsNotChosenAnyMore(t *testing.T) {
	b := paused(t)
	chassis, wheel := b.makes(world.Vec{Y: 3}, world.Box(1, .2)), b.makes(world.Vec{Y: 2}, world.Circle(.3))
	b.Build.Join("wheel", Joints[3], wheel, chassis, world.Vec{Y: 2}, world.Vec{Y: 3})
	b.until("the joint is described", func() bool { return b.Inspect.Joint != 0 && b.Inspect.Info.Joint.Handle == b.Inspect.Joint })
	b.do("undo")
	b.until("the joint is not chosen", func() bool { return b.Inspect.Joint == 0 })
	if b.Inspect.Body != chassis {
		t.Errorf("body %v is chosen", b.Inspect.Body)
	}
}

func TestAToolSaysWhyItDrewNothing(t *testing.T) {
	b := paused(t)
	says := func(tool Tool, from, to world.Vec, want string) {
		t.Helper()
		b.Sketcher.Tool, b.says = tool, ""
		if b.Sketcher.Begin(from, 0) {
			b.Sketcher.GoOn(to)
			b.Sketcher.End(0)
		}
		if !strings.Contains(b.says, want) {
			t.Errorf("%s: %q", Tools[tool].Name, b.says)
		}
	}
	says(capsuleTool, world.Vec{Y: 9}, world.Vec{X: 1, Y: 9}, "too thin")
	says(JointTool, world.Vec{Y: 9}, world.Vec{X: 1, Y: 9}, "begins on a body")
	b.Stage.Shown.Recording, b.Stage.Shown.What = new(engine.Recording), ShowsPast
	says(boxTool, world.Vec{Y: 9}, world.Vec{X: 1, Y: 8}, "cannot be changed")
	b.Stage.Shown = Shown{}
}

func TestAHingeToTheWorldIsWhereTheDragEnds(t *testing.T) {
	b := paused(t)
	ball := b.makes(world.Vec{Y: 3}, world.Circle(.3))
	b.Build.Join("revolute", Joints[0], ball, theWorld, world.Vec{Y: 3}, world.Vec{Y: 5})
	b.run(3)
	at := ask(b, func(w *world.World) (at world.Vec) {
		for j := range w.Joints() {
			i, _ := w.Joint(j)
			at = i.PointB
		}
		return at
	})
	if math.Abs(at.Y-5) > 1e-6 {
		t.Errorf("it hangs from %v", at)
	}
}

func TestABridgeOfTwentyPlanksHangsTogether(t *testing.T) {
	b := paused(t)
	plank := b.makes(world.Vec{X: -10, Y: 8}, world.Box(.5, .1))
	b.Build.Repeat(Repetition{Times: 19, Gap: .05, Joined: true})
	b.until("they are made and chosen", func() bool { return len(b.Inspect.Bodies()) == 20 })
	if b.joints() != 19 {
		t.Fatalf("%d joints", b.joints())
	}
	last := b.Inspect.More[18]
	b.Build.PinBody(plank, world.Vec{X: -10.5, Y: 8})
	b.run(3)
	p, _ := b.Stage.Player.Pose(last)
	b.Build.PinBody(last, world.Vec{X: p.X + .5, Y: 8})
	b.do("pause")
	b.run(300)
	q, _ := b.Stage.Player.Pose(last)
	if math.Abs(q.X-p.X) > .6 || q.Y < 6 {
		t.Errorf("its end is at %v, %v", q.X, q.Y)
	}
	gaps := ask(b, func(w *world.World) (most float64) {
		for j := range w.Joints() {
			i, _ := w.Joint(j)
			most = max(most, i.PointA.Sub(i.PointB).Len())
		}
		return most
	})
	if gaps > .05 {
		t.Errorf("a joint is %v m apart", gaps)
	}
}

// TestRandomEditsAreUndoneRedoneSavedAndOpenedToTheBit makes sessions of random edits.
func TestRandomEditsAreUndoneRedoneSavedAndOpenedToTheBit(t *testing.T) {
	sessions, edits := norace.Rounds(5, 1), 40
	for seed := range sessions {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 72))
			file := filepath.Join(t.TempDir(), "run")
			b := newBench(t, "-scene "+[]string{"empty", "joints", "ragdolls", "car", "arch"}[seed%5]+" -sync lockstep -record "+file)
			b.run(5)
			b.Changes.Moments.most = world.MaxSnapshots - 2
			b.do("pause")
			begin := b.hash()
			for range edits {
				at := world.Vec{X: 20*r.Float64() - 10, Y: 12 * r.Float64()}
				b.randomEdit(r, at)
				b.let()
				if r.IntN(4) == 0 { // time goes on
					b.do("step")
				}
				b.Sketcher.Sketch = Sketch{}
				if b.Changes.Moments.Last < 0 {
					begin = b.hash() // nothing was changed yet, but time may have passed
				}
			}
			end := b.hash()
			b.reopens()
			undone := 0
			var at []uint64
			for b.Changes.Moments.Last >= 0 {
				at = append(at, b.hash())
				b.do("undo")
				undone++
			}
			if undone < edits/3 || b.hash() != begin {
				t.Fatalf("%d undone, to another beginning: %v", undone, b.hash() != begin)
			}
			for i := range undone {
				b.do("redo")
				if h := b.hash(); h != at[undone-1-i] {
					t.Fatalf("redone %d of %d: another world", i+1, undone)
				}
			}
			if b.hash() != end {
				t.Error("redone to the end: another world")
			}
			b.Close()
			if err := replays(file); err != nil {
				t.Errorf("the recording: %v", err)
			}
		})
	}
}

// reopens fails the test if the world differs after it has been saved and opened, or
// after this was done again.
func (b *bench) reopens() {
	b.t.Helper()
	hashes, errs := [2]uint64{}, [2]error{}
	ask(b, func(w *world.World) bool {
		for i := range hashes {
			hashes[i], errs[i] = opened(w, i+1)
		}
		return true
	})
	if errs[0] != nil || errs[1] != nil || hashes[0] != hashes[1] {
		b.t.Errorf("saved and opened: %x, %v", hashes, errs)
	}
}

// randomEdit makes one of the edits that a user can make.
func (b *bench) randomEdit(r *rand.Rand, at world.Vec) {
	some := func(all []world.Body) []world.Body {
		r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		return all[:min(len(all), 1+r.IntN(4))]
	}
	s := b.Stage.View.Scene
	var all []world.Body
	for i := range s.Bodies {
		if s.Bodies[i].Exists {
			all = append(all, world.Body(s.Bodies[i].Handle))
		}
	}
	described := func() bool { return b.Inspect.Info.Known && len(b.Inspect.Info.More) == len(b.Inspect.More) }
	edit := r.IntN(12)
	if len(all) == 0 {
		edit = 0
	}
	switch edit {
	case 0, 1:
		b.Build.Create("box", at, world.Box(.2+r.Float64(), .2+r.Float64()))
	case 2:
		b.Build.Create("ball", at, world.Circle(.2+r.Float64()))
	case 3:
		if two := some(all); len(two) > 1 {
			b.Build.Join("joint", Joints[r.IntN(len(Joints))], two[0], two[1], at, at.Add(world.Vec{X: 1}))
		}
	case 4:
		b.Inspect.ChooseAll(some(all), false)
		b.Build.Repeat(Repetition{Times: 1 + r.IntN(3), Gap: .1, Joined: r.IntN(2) == 0})
	case 5:
		b.Inspect.ChooseAll(some(all), false)
		b.Build.Copy()
		b.run(3)
		b.Build.Paste(at)
	case 6:
		b.Inspect.ChooseAll(some(all), false)
		b.Build.DeleteChosen()
	case 7:
		b.Build.Grid = Grids[r.IntN(len(Grids))]
		b.frame(at.X-5, at.Y-5, at.X+5, at.Y+5)
		if b.Inspect.Body != 0 {
			p, _ := b.Stage.Player.Pose(b.Inspect.Body)
			b.dragFrom(p.CentreX, p.CentreY, r.Float64(), r.Float64())
		}
	case 8, 9:
		b.chooses(some(all)[0], 0, 0)
		b.Inspect.ChooseAll(some(all), false)
		b.Inspect.Info.Known = false
		b.until("they are described", described)
		if f := &BodyFields[r.IntN(len(BodyFields))]; f.In(&b.Inspect.Info.Def) {
			b.Edit.SetBody(f, other(f, f.Get(&b.Inspect.Info.Def)))
		}
		if i := b.Inspect.Shapes(); len(i) > 0 {
			fields := b.Inspect.ShapeFieldsShown()
			d := &b.Inspect.Info.Def.Shapes[i[0]]
			if f := &fields[r.IntN(len(fields))]; f.In(d) && f.Is != Text {
				b.let()
				b.Edit.SetShape(f, other(f, f.Get(d)), "")
			} else if f.Is == Text {
				b.Edit.SetShape(f, 0, "0x3")
			}
		}
	default:
		if len(s.Joints) == 0 {
			return
		}
		j := &s.Joints[r.IntN(len(s.Joints))]
		if j.SlotB < 0 {
			return
		}
		b.chooses(world.Body(s.Bodies[j.SlotB].Handle), 0, world.Joint(j.Handle))
		if f := &JointFields[r.IntN(len(JointFields))]; f.In(&b.Inspect.Info.Joint.Def) {
			x := 0.
			if f.Is != Text {
				x = other(f, f.Get(&b.Inspect.Info.Joint.Def))
			}
			b.Edit.SetJoint(f, x, "named")
		}
	}
}
