package glrender

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"

	"github.com/go-gl/gl/v4.1-core/gl"
)

func TestSpawningAndDestroyingEveryTickAllocatesNothing(t *testing.T) {
	r := newRenderer(t, 64, 48)
	w := crowd(500)
	add := []body2d.Structure{
		{Kind: body2d.BodyRemoved, Slot: 250},
		{Kind: body2d.BodyAdded, Slot: 250, Handle: 251, BodyType: dynamic},
		{Kind: body2d.ShapeAdded, Slot: 250, ID: 9999, Shape: disc(0, 0, 1)},
	}
	v := w.view(0)
	frame := func() {
		for i := range add {
			w.scene.Apply(&add[i])
		}
		add[2].Shape.Radius += 0.01
		r.BeginFrame()
		if err := r.Draw(v, scene.Camera{}, testViewport, DefaultLayers); err != nil {
			t.Error(err)
		}
	}
	frame()
	frame()
	if n := testing.AllocsPerRun(50, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
	if b, all := r.Stats().Structure.Bytes, 500*instanceBytes; b == 0 || b > all/20 {
		t.Errorf("one body of 500 changed and %d of %d bytes went up", b, all)
	}
}

func TestAJointWithArmsHasALineToEachCentreOfABodyThatMoves(t *testing.T) {
	s := scene.New()
	for slot, kind := range []uint8{0, dynamic, dynamic} {
		s.Apply(&body2d.Structure{Kind: body2d.BodyAdded, Slot: int32(slot), Handle: uint64(slot + 1), BodyType: kind})
	}
	for _, c := range []struct {
		a, b  int32
		at    float32
		lines int
	}{{0, 1, 2, 2}, {1, 2, 2, 3}, {-1, 2, 2, 2}, {1, 2, 0, 1}} {
		s.Joints = []scene.Joint{{JointGeometry: body2d.JointGeometry{SlotA: c.a, SlotB: c.b, A: [2]float32{c.at}, B: [2]float32{c.at}, Arms: true}}}
		if n := len(appendJoints(nil, s, new([]int32))); n != c.lines {
			t.Errorf("%+v: %d lines", c, n)
		}
	}
}

// The GPU always has the same data as after a new build of the scene.
func TestInstancesFollowTheScene(t *testing.T) {
	r := newRenderer(t, 64, 48)
	w := crowd(60)
	rng := rand.New(rand.NewPCG(10, 11))
	for range 300 {
		for range rng.IntN(4) {
			changeScene(rng, w)
		}
		instancesMatch(t, r, w)
	}
}

func TestInstancesFollowGrowthAndScatteredChanges(t *testing.T) {
	r := newRenderer(t, 64, 48)
	w := crowd(40)
	for range 200 {
		w.body(dynamic, 0, 0, 0, disc(0, 0, 1))
		instancesMatch(t, r, w)
	}
	for spread := 1; spread < 60; spread++ {
		for slot := 0; slot < len(w.cur); slot += spread {
			w.scene.Apply(&body2d.Structure{Kind: body2d.BodyChanged, BodyType: dynamic,
				Slot: int32(slot), Handle: uint64(slot) + 1, LocalX: float32(spread)})
		}
		instancesMatch(t, r, w)
	}
}

// instancesMatch uploads the scene, and compares the result with a new build.
func instancesMatch(t *testing.T, r *Renderer, w *world) {
	t.Helper()
	r.structure.follow(&r.gl, w.scene)
	want := appendJoints(appendShapes(nil, w.scene), w.scene, new([]int32))
	if n := len(r.structure.instances); n != len(want) {
		t.Fatalf("%d instances, not %d", n, len(want))
	}
	if len(want) == 0 {
		return
	}
	got := make([]instance, len(want))
	gl.BindBuffer(gl.ARRAY_BUFFER, r.structure.buffer)
	gl.GetBufferSubData(gl.ARRAY_BUFFER, 0, len(got)*instanceBytes, unsafe.Pointer(&got[0]))
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("instance %d is %+v, not %+v", i, got[i], want[i])
		}
	}
}

// A picture depends only on the scene, and not on its history.
func TestTheOrderOfInstancesDoesNotDependOnThePast(t *testing.T) {
	w, again := crowd(30), crowd(0)
	rng := rand.New(rand.NewPCG(12, 13))
	for range 400 {
		changeScene(rng, w)
	}
	for slot := range w.scene.Bodies {
		b := &w.scene.Bodies[slot]
		if !b.Exists {
			continue
		}
		again.scene.Apply(&body2d.Structure{Kind: body2d.BodyAdded, Slot: int32(slot), Handle: b.Handle,
			BodyType: b.Type, LocalX: b.LocalX, LocalY: b.LocalY, Colour: b.Colour})
		for s := range w.scene.ShapesOf(slot) {
			again.scene.Apply(&body2d.Structure{Kind: body2d.ShapeAdded, Slot: s.Slot, ID: s.ID, Colour: s.Colour, Shape: s.Geometry})
		}
	}
	for _, j := range w.scene.Joints {
		again.scene.Apply(&body2d.Structure{Kind: body2d.JointAdded, ID: j.ID, Joint: j.JointGeometry})
	}
	slices.Reverse(again.scene.Joints)
	all := func(w *world) []instance {
		return appendJoints(appendShapes(nil, w.scene), w.scene, new([]int32))
	}
	if got, want := all(again), all(w); len(want) < 30 || !slices.Equal(got, want) {
		t.Errorf("%d instances, and %d otherwise, are not the same", len(want), len(got))
	}
}

func changeScene(rng *rand.Rand, w *world) {
	slot := int32(rng.IntN(80))
	exists := int(slot) < len(w.scene.Bodies) && w.scene.Bodies[slot].Exists
	w.nextID++
	switch what := rng.IntN(10); {
	case !exists:
		w.scene.Apply(&body2d.Structure{Kind: body2d.BodyAdded, Slot: slot, Handle: uint64(slot) + 1,
			BodyType: uint8(rng.IntN(3)), LocalX: rng.Float32()})
		for range rng.IntN(3) {
			w.nextID++
			w.scene.Apply(&body2d.Structure{Kind: body2d.ShapeAdded, Slot: slot, ID: w.nextID,
				Shape: polyline([2]float32{}, [2]float32{1, 1}, [2]float32{2, rng.Float32()})})
		}
		w.scene.Apply(&body2d.Structure{Kind: body2d.ShapeAdded, Slot: slot, ID: w.nextID + 1, Shape: sensor(box(1, 1))})
		w.nextID++
	case what < 3:
		w.scene.Apply(&body2d.Structure{Kind: body2d.BodyRemoved, Slot: slot})
	case what < 5:
		w.scene.Apply(&body2d.Structure{Kind: body2d.BodyChanged, Slot: slot, Handle: uint64(slot) + 1,
			BodyType: uint8(rng.IntN(3)), LocalY: rng.Float32(), Colour: body2d.Colour{1, 2, 3, 255}})
	case what < 8 || len(w.scene.Joints) == 0:
		w.scene.Apply(&body2d.Structure{Kind: body2d.JointAdded, ID: w.nextID, Joint: body2d.JointGeometry{
			SlotA: slot, SlotB: -1, HasVia: what == 7, Hidden: what == 6}})
	default:
		w.scene.Apply(&body2d.Structure{Kind: body2d.JointRemoved, ID: w.scene.Joints[rng.IntN(len(w.scene.Joints))].ID})
	}
}
