package scene

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"halfstep/buffer/body2d"
)

// sceneModel is a simple model of the scene: the existing objects, by name.
type sceneModel struct {
	bodies map[int32]uint64         // handle by slot
	shapes map[int32]map[uint32]int // shapes has the number of pieces of each shape, by slot and by ID.
	joints map[uint32]struct{}      // by ID
}

func TestSceneIsWhatItsRecordsSay(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	s := New()
	m := sceneModel{bodies: map[int32]uint64{}, shapes: map[int32]map[uint32]int{}, joints: map[uint32]struct{}{}}
	id := uint32(0)
	for i := range 20_000 {
		slot := r.Int32N(40)
		_, exists := m.bodies[slot]
		before := [3]uint64{s.BodiesVersion, s.ShapesVersion, s.JointsVersion}
		switch k := r.IntN(10); {
		case !exists:
			handle := uint64(i + 1)
			s.Apply(&body2d.Structure{Kind: body2d.BodyAdded, Slot: slot, Handle: handle, Name: fmt.Sprint(handle)})
			m.bodies[slot], m.shapes[slot] = handle, map[uint32]int{}
		case k == 0:
			s.Apply(&body2d.Structure{Kind: body2d.BodyRemoved, Slot: slot})
			delete(m.bodies, slot)
			delete(m.shapes, slot)
		case k < 5:
			id++
			for range 1 + r.IntN(3) {
				s.Apply(&body2d.Structure{Kind: body2d.ShapeAdded, Slot: slot, ID: id})
				m.shapes[slot][id]++
			}
		case k < 8:
			for old := range m.shapes[slot] {
				s.Apply(&body2d.Structure{Kind: body2d.ShapeRemoved, Slot: slot, ID: old})
				delete(m.shapes[slot], old)
				break
			}
		case k == 8:
			id++
			s.Apply(&body2d.Structure{Kind: body2d.JointAdded, ID: id})
			m.joints[id] = struct{}{}
		default:
			for old := range m.joints {
				s.Apply(&body2d.Structure{Kind: body2d.JointRemoved, ID: old})
				delete(m.joints, old)
				break
			}
		}
		if i%50 == 0 {
			m.compare(t, s)
		}
		if after := [3]uint64{s.BodiesVersion, s.ShapesVersion, s.JointsVersion}; !exists && after == before {
			t.Fatal("a change without a new version")
		}
	}
}

func (m *sceneModel) compare(t *testing.T, s *Scene) {
	t.Helper()
	shapes := 0
	for slot, handle := range m.bodies {
		if got, ok := s.Slot(handle); !ok || got != int(slot) || !s.Bodies[slot].Exists {
			t.Fatalf("handle %d: slot %d, %v; want %d", handle, got, ok, slot)
		}
		found := map[uint32]int{}
		for p := range s.ShapesOf(int(slot)) {
			if p.Slot != slot {
				t.Fatalf("slot %d has a shape of slot %d", slot, p.Slot)
			}
			found[p.ID]++
		}
		for id, n := range m.shapes[slot] {
			if found[id] != n {
				t.Fatalf("slot %d: %d pieces of shape %d, want %d", slot, found[id], id, n)
			}
			shapes += n
		}
		if len(found) != len(m.shapes[slot]) {
			t.Fatalf("slot %d: shapes %v, want %v", slot, found, m.shapes[slot])
		}
	}
	if len(s.Shapes) != shapes || len(s.Joints) != len(m.joints) || len(s.slots) != len(m.bodies) {
		t.Fatalf("%d shapes, %d joints, %d bodies; want %d, %d, %d",
			len(s.Shapes), len(s.Joints), len(s.slots), shapes, len(m.joints), len(m.bodies))
	}
}

func TestPickFindsTheShapeUnderThePointAsItIsShown(t *testing.T) {
	s := New()
	add := func(slot int32, kind uint8, g body2d.Geometry) {
		s.Apply(&body2d.Structure{Kind: body2d.BodyAdded, Slot: slot, Handle: uint64(slot) + 1, BodyType: kind, LocalX: 1})
		s.Apply(&body2d.Structure{Kind: body2d.ShapeAdded, Slot: slot, ID: uint32(slot) + 1, Shape: g})
	}
	square := body2d.Geometry{Kind: body2d.Convex, N: 4, Points: [8][2]float32{{0, -1}, {2, -1}, {2, 1}, {0, 1}}}
	add(0, 0, body2d.Geometry{Kind: body2d.Disc, Radius: 50, Points: [8][2]float32{{1, 0}}})
	add(1, 2, square)
	add(2, 0, square) // at first this one is in front of the other
	v := &View[body2d.State]{
		Prev: []body2d.State{*state(0, 0, 0, 0, 1), *state(0, 0, 0, 0, 1), *state(0, 0, 0, 0, 1)},
		Cur:  []body2d.State{*state(0, 0, 0, 0, 1), *state(10, 0, 0, 0, 1), *state(0, 0, 0, 0, 1)},
		Dt:   1. / 60, Scene: s,
	}
	for alpha, x := range map[float32]float64{0: 0, .5: 5, 1: 10} {
		v.Alpha = alpha
		for dx, want := range map[float64]int{-.9: 1, .9: 1, 1.1: 0, -1.1: 0} {
			if got, ok := Pick(v, x+dx, .5); !ok || got != want {
				t.Errorf("alpha %v: at %v: slot %d, %v; want %d", alpha, x+dx, got, ok, want)
			}
		}
	}
	if _, ok := Pick(v, 500, 0); ok {
		t.Error("something was picked far from everything")
	}
}
