package glrender

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

type view = scene.View[body2d.State]

// world is a scene with states, which a test makes by hand.
type world struct {
	scene     *scene.Scene
	prev, cur []body2d.State
	serial    uint64
	nextID    uint32
}

// types of bodies, as in Box2D
const static, kinematic, dynamic = 0, 1, 2

func newWorld() *world {
	return &world{scene: scene.New(), serial: 100}
}

func (w *world) body(kind uint8, x, y, angle float64, shapes ...body2d.Geometry) int32 {
	slot := int32(len(w.cur))
	w.scene.Apply(&body2d.Structure{Kind: body2d.BodyAdded, BodyType: kind, Slot: slot, Handle: uint64(slot) + 1})
	for _, g := range shapes {
		w.nextID++
		w.scene.Apply(&body2d.Structure{Kind: body2d.ShapeAdded, Slot: slot, ID: w.nextID, Shape: g})
	}
	s := body2d.State{X: float32(x), Y: float32(y)}
	s.SetAngle(angle)
	s.SetBits(body2d.Alive|body2d.Awake, 0)
	w.prev = append(w.prev, s)
	w.cur = append(w.cur, s)
	return slot
}

func (w *world) joint(j body2d.JointGeometry) {
	w.nextID++
	w.scene.Apply(&body2d.Structure{Kind: body2d.JointAdded, ID: w.nextID, Joint: j})
}

// tick makes the current states the previous ones, as the exchange does.
func (w *world) tick() {
	w.serial++
	w.prev = append(w.prev[:0], w.cur...)
}

// skip makes a tick that has no view.
func (w *world) skip() { w.tick() }

func (w *world) view(alpha float32) *view {
	return &view{
		Prev: w.prev, Cur: w.cur, PrevSerial: w.serial - 1, CurSerial: w.serial,
		Alpha: alpha, Dt: 1.0 / 60, Scene: w.scene,
	}
}

func disc(x, y, r float32) body2d.Geometry {
	return body2d.Geometry{Kind: body2d.Disc, N: 1, Radius: r, Points: [8][2]float32{{x, y}}}
}

func box(hw, hh float32) body2d.Geometry {
	return convex(0, [2]float32{-hw, -hh}, [2]float32{hw, -hh}, [2]float32{hw, hh}, [2]float32{-hw, hh})
}

func convex(radius float32, points ...[2]float32) body2d.Geometry {
	g := body2d.Geometry{Kind: body2d.Convex, N: uint8(len(points)), Radius: radius}
	copy(g.Points[:], points)
	return g
}

func regular(n int, r, radius float64) body2d.Geometry {
	var p [][2]float32
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		p = append(p, [2]float32{float32(r * c), float32(r * s)})
	}
	return convex(float32(radius), p...)
}

func polyline(points ...[2]float32) body2d.Geometry {
	g := body2d.Geometry{Kind: body2d.Polyline, N: uint8(len(points))}
	copy(g.Points[:], points)
	return g
}

func sensor(g body2d.Geometry) body2d.Geometry {
	g.Sensor = true
	return g
}

// showcase returns a world with one shape and one joint of each kind.
func showcase() *world {
	w := newWorld()
	w.body(static, 0, -0.5, 0, box(12, 0.5))
	w.body(static, 0, 0, 0, polyline([2]float32{-12, 5}, [2]float32{-11, 3}, [2]float32{-9.5, 1.6},
		[2]float32{-8, 0.9}, [2]float32{-6.5, 0.4}, [2]float32{-5, 0}))
	for row := range 6 {
		for i := range 6 - row {
			w.body(dynamic, float64(i)*1.05+float64(row)*0.525-1, 0.5+float64(row), 0, box(0.5, 0.5))
		}
	}
	w.body(dynamic, -9, 2.2, 0.7, disc(0, 0, 0.7))
	w.body(dynamic, -7, 1.5, 2, disc(0, 0, 0.5))
	w.body(dynamic, -4, 5, 0.3, regular(3, 0.8, 0))
	w.body(dynamic, -2.5, 6.5, 0.3, regular(5, 0.7, 0))
	w.body(dynamic, 7, 0.75, 0, regular(8, 0.8, 0))
	w.body(dynamic, 5.5, 4.5, -0.4, convex(0.25, [2]float32{-0.8, -0.2}, [2]float32{0.8, -0.2}, [2]float32{0.8, 0.2}, [2]float32{-0.8, 0.2}))
	w.body(kinematic, 9, 3, 0.2, box(1.5, 0.15))
	w.body(static, 9.5, 1.2, 0, sensor(box(1.4, 1)))
	asleep := w.body(dynamic, 9.3, 0.4, 0, box(0.4, 0.4))
	off := w.body(dynamic, 10.6, 0.4, 0, box(0.4, 0.4))
	hinge := w.body(static, 0, 8.5, 0, box(0.25, 0.25))
	last := hinge
	for i := range 5 {
		next := w.body(dynamic, 0.5+float64(i)*0.95, 8.3-float64(i)*0.2, -0.2, box(0.42, 0.12))
		a := [2]float32{0.45, 0}
		if last == hinge {
			a = [2]float32{}
		}
		w.joint(body2d.JointGeometry{SlotA: last, SlotB: next, A: a, B: [2]float32{-0.45, 0}})
		last = next
	}
	bob := w.body(dynamic, -6, 5.2, 0, disc(0, 0, 0.55))
	w.joint(body2d.JointGeometry{SlotA: -1, SlotB: bob, A: [2]float32{-6.8, 8.5}})
	left := w.body(dynamic, -10.5, 6.3, 0, box(0.4, 0.4))
	right := w.body(dynamic, -8.5, 5.3, 0, box(0.4, 0.4))
	w.joint(body2d.JointGeometry{SlotA: left, SlotB: right, A: [2]float32{0, 0.4}, B: [2]float32{0, 0.4},
		HasVia: true, Via: [2][2]float32{{-10.5, 8.7}, {-8.5, 8.7}}})
	w.tick()
	for i := range w.cur {
		s := &w.cur[i]
		switch int32(i) {
		case asleep:
			s.SetBits(body2d.Alive, 0)
		case off:
			s.SetBits(body2d.Alive|body2d.Disabled, 0)
		case bob, left, right, last:
			s.X += 0.25
			s.Y -= 0.2
			s.SetAngle(s.Unwrapped() + 0.2)
		}
	}
	return w
}
