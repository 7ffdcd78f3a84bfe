package glrender

import (
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// street returns a long row of bodies with joints and static bodies between them. A
// few of the bodies move.
func street(n int) *published {
	w := newWorld()
	r := rand.New(rand.NewPCG(7, 7))
	shapes := []body2d.Geometry{disc(.1, 0, .4), box(.4, .4), regular(5, .4, .1), polyline([2]float32{0, 0}, [2]float32{.5, .5}, [2]float32{1, 0}), sensor(box(1, .2))}
	for i := range n {
		slot := w.body(uint8(i%3), float64(i)*.5, r.NormFloat64()*4, r.Float64()*6, shapes[i%len(shapes)])
		if i%7 == 3 {
			w.joint(body2d.JointGeometry{SlotA: slot - 3, SlotB: slot})
		}
		if i%50 == 3 {
			w.joint(body2d.JointGeometry{SlotA: -1, A: [2]float32{float32(i), 9}, SlotB: slot})
		}
	}
	w.scene.Apply(&body2d.Structure{Kind: body2d.BodyChanged, Slot: 9, Handle: 10, LocalX: 2})
	return newPublished(w)
}

// Most of the world is culled, but the picture is the picture of the whole world.
// Bodies move, come to rest, wake, jump into the picture and out of it, and are
// created and destroyed. The camera moves, ticks are skipped, and there is a lag.
func TestWhatIsLeftOutIsNotInThePicture(t *testing.T) {
	fb := Viewport{W: 200, H: 120, Scale: 2}
	culled := newRenderer(t, fb.W, fb.H)
	wholes, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer wholes.Close()
	r := rand.New(rand.NewPCG(8, 8))
	p := street(2600)
	pictures, left := 0, 0
	moving := map[int]bool{}
	cam := scene.Camera{X: 300, Height: 12}
	for tick := range 150 {
		near := func() int { return min(max(int(cam.X*2)+r.IntN(120)-60, 0), len(p.cur)-1) }
		for slot := range moving {
			p.move(slot, r.Float32()-.5)
			p.cur[slot].VX = 30
			if r.IntN(8) == 0 {
				delete(moving, slot)
				p.cur[slot].VX = 0
			}
		}
		if tick%50 < 25 {
			moving[near()], moving[r.IntN(len(p.cur))] = true, true
		}
		switch slot := near(); r.IntN(7) {
		case 0, 6: // into the picture
			slot = r.IntN(len(p.cur))
			p.move(slot, float32(cam.X)-p.cur[slot].X)
			if p.cur[slot].Bits &^= uint32(body2d.Jump); r.IntN(3) == 0 {
				p.cur[slot].Bits |= uint32(body2d.Jump)
			}
		case 1: // out of it
			p.move(slot, 500)
		case 2:
			p.body(dynamic, cam.X+r.NormFloat64()*5, r.NormFloat64()*3, 0, box(.5, .5))
		case 3:
			for s := range p.scene.ShapesOf(slot) {
				p.scene.Apply(&body2d.Structure{Kind: body2d.ShapeRemoved, Slot: int32(slot), ID: s.ID})
				break
			}
		}
		if p.tick(); r.IntN(3) == 0 {
			continue
		}
		if r.IntN(3) == 0 {
			cam.X += r.NormFloat64() * 40
			cam.Height = 2 + r.Float64()*30
		}
		v := p.view(r.Float32(), r.Uint64N(2))
		v.Smoothing = body2d.Smoothing(r.IntN(4))
		layers := []body2d.Layers{DefaultLayers, allLayers, 0}[r.IntN(3)]
		for range 2 { // the second frame has another instant of the same pair of states
			got := shot(t, culled, v, cam, fb, layers)
			want := shot(t, wholes, whole(v), cam, fb, layers)
			if n, _ := differing(got, want); n != 0 {
				t.Fatalf("tick %d: %d pixels differ", tick, n)
			}
			v.Alpha = float32(tick % 2)
		}
		pictures++
		if culled.drawn.all < wholes.drawn.all/2 {
			left++
		}
	}
	if left < pictures/2 {
		t.Errorf("something was left out of %d pictures of %d", left, pictures)
	}
}

// The cost of a frame and of a new tick depends on the visible and the moving bodies.
// If the camera and the bodies are at rest, nothing is uploaded.
func TestDrawingFollowsWhatIsSeen(t *testing.T) {
	drawnOf := func(n int) int {
		r := newRenderer(t, 64, 48)
		p := street(n)
		for range 2 * ringSize {
			p.tick()
			frameCost(t, r, p.view(.5, 0), DefaultLayers)
		}
		p.move(17, .1)
		p.tick()
		moved := frameCost(t, r, p.view(.5, 0), DefaultLayers).Core
		still := frameCost(t, r, p.view(.7, 0), DefaultLayers).Core
		if still.Bytes > 1024 || moved.Bytes > 1024+200*instanceBytes {
			t.Errorf("%d bodies: %d bytes, %d without a new tick", n, moved.Bytes, still.Bytes)
		}
		if len(r.culling.list) > 3 {
			t.Errorf("%d blocks move with one body", len(r.culling.list))
		}
		return r.drawn.all
	}
	if few, many := drawnOf(2500), drawnOf(20_000); many > few+8*cullBlock {
		t.Errorf("%d instances are drawn of 2,500 bodies, %d of 20,000", few, many)
	}
}

func TestCullingAllocatesNothing(t *testing.T) {
	r := newRenderer(t, 64, 48)
	p := street(3000)
	cam := scene.Camera{X: 40, Height: 20}
	v := new(view)
	frame := func() {
		p.move(100, .1)
		p.move(101, .1)
		p.tick()
		p.x.Acquire()
		prev, cur := p.x.Previous(), p.x.Current()
		v.Prev, v.Cur, v.PrevSerial, v.CurSerial = prev.States, cur.States, prev.Serial, cur.Serial
		v.PrevChanges, v.CurChanges, v.Scene = &prev.Changes, &cur.Changes, p.scene
		cam.X += .2
		mustDraw(t, r, v, cam, testViewport, DefaultLayers)
	}
	for range 30 {
		frame()
	}
	if n := testing.AllocsPerRun(100, frame); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// The bounds of instances are those of their shapes.
func TestInstancesHaveTheBoundsOfTheirShapes(t *testing.T) {
	w := showcase()
	w.tick()
	v := w.view(.5)
	all := appendShapes(nil, w.scene)
	got, moves := boundsOf(all, v)
	want := scene.BoundsOf(v)
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-5 }
	if moves || !near(got.MinX, want.MinX) || !near(got.MinY, want.MinY) || !near(got.MaxX, want.MaxX) || !near(got.MaxY, want.MaxY) {
		t.Errorf("bounds %v, want %v; moves: %v", got, want, moves)
	}
	for i := range all {
		if all[i].what&(1<<pointsShift-1) == discInstance {
			b, _ := boundsOf(all[i:i+1], v)
			if !near(b.MaxX-b.MinX, 2*float64(all[i].radius)) {
				t.Errorf("the disc %d has the bounds %v", i, b)
			}
		}
	}
}

// A line extends beyond its bounds by half its width.
func TestALineAtTheEdgeOfThePictureIsNotLeftOut(t *testing.T) {
	fb := Viewport{W: 100, H: 100, Scale: 4}
	cam := scene.Camera{Height: 10}
	r := newRenderer(t, fb.W, fb.H)
	w := newWorld()
	for i := range cullFrom {
		w.body(static, 1000+float64(i), 0, 0, box(.4, .4))
	}
	w.body(static, 5.2, 0, 0, polyline([2]float32{0, -3}, [2]float32{0, 3})) // two pixels outside
	p := newPublished(w)
	for range 3 {
		p.tick()
	}
	if n := bodyPixels(shot(t, r, p.view(.5, 0), cam, fb, 0)); n == 0 || r.drawn.all > cullBlock {
		t.Errorf("%d pixels of the line, of %d instances", n, r.drawn.all)
	}
}

// aside returns a world with bodies outside the camera's view and a box inside the
// view.
func aside(t *testing.T) (p *published, pixels func(alpha float32) int) {
	fb := Viewport{W: 100, H: 100}
	r := newRenderer(t, fb.W, fb.H)
	w := newWorld()
	for i := range 2 * cullFrom {
		w.body(static, 1000+float64(i), 0, 0, box(.4, .4))
	}
	w.body(dynamic, 0, 0, 0, box(1, 1))
	p = newPublished(w)
	for range 3 {
		p.tick()
	}
	return p, func(alpha float32) int {
		v := p.view(alpha, 0)
		n := bodyPixels(shot(t, r, v, scene.Camera{Height: 10}, fb, 0))
		if r.drawn.all > 3*cullBlock {
			t.Errorf("%d instances are drawn", r.drawn.all)
		}
		return n
	}
}

func TestABodyThatMovesIsDrawnAtEveryInstant(t *testing.T) {
	p, pixels := aside(t)
	p.move(len(p.cur)-1, 40)
	p.tick()
	pixels(1)
	if pixels(0) == 0 {
		t.Error("the box is not drawn where it was")
	}
	p.move(len(p.cur)-1, -40)
	p.tick()
	if pixels(0) != 0 || pixels(1) == 0 {
		t.Error("the box is not drawn where it is")
	}
}

func TestASceneThatChangesIsDrawnAnewWhereNothingMoves(t *testing.T) {
	p, pixels := aside(t)
	if pixels(0) == 0 {
		t.Error("the box is not drawn")
	}
	p.scene.Apply(&body2d.Structure{Kind: body2d.ShapeRemoved, Slot: int32(len(p.cur) - 1), ID: uint32(len(p.cur))})
	if n := pixels(0); n != 0 {
		t.Errorf("the shape that is gone has %d pixels", n)
	}
}
