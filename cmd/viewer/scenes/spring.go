package scenes

import (
	"fmt"
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "spring",
		Description: "springs, stiffer to the right: stable at 60 steps per second, torn by the long step of a slow frame",
		Config:      config(spring),
		View:        View{Y: -.6, Width: 13, Height: 4.6},
		Track:       "weight3",
		Category:    Smoothness,
		Params:      []Param{stiffness},
	})
}

// tearLength is how far, in m, a spring can be stretched or compressed before it
// tears. A stable spring stays far below this length.
const tearLength = 1.2

// stiffness multiplies the angular frequency of all springs.
var stiffness = Param{Name: "stiffness", Min: .25, Max: 2, Default: 1, Step: .05}

// weight hangs on a spring. The force of the spring is computed once, before each
// step. Such a spring is stable if its angular frequency times the step is below
// 2. This means below 120 rad/s at 60 steps per second, and below 20 rad/s at 10
// steps per second.
type weight struct {
	body  world.Body
	line  world.Joint
	rest  vec     // rest is the position towards which the spring pulls, in m.
	omega float64 // rad/s
	torn  bool
}

func spring(b *builder) {
	beam := b.static("beam", boxAt(0, .9, 6, .1, 0))
	var weights []weight
	stiff := b.param(stiffness, nil)
	for i, omega := range [...]float64{25, 40, 55, 70, 85} {
		s := weight{rest: vec{X: 2.2 * float64(i-2), Y: -1}, omega: omega}
		s.body = b.body(world.BodyDef{
			Name: fmt.Sprintf("weight%d", i+1), Kind: world.Dynamic, NoSleep: true,
			Position: vec{X: s.rest.X, Y: s.rest.Y - .5},
			Shapes:   []world.ShapeDef{dense(world.Circle(.3), 2)},
		})
		// a rope that is never taut makes the spring visible
		s.line = b.joint(world.JointDef{Kind: world.RopeJoint, A: beam, B: s.body,
			AnchorA: vec{X: s.rest.X, Y: .8}, MaxLength: 1e4})
		weights = append(weights, s)
	}
	b.w.Keep(&weights)
	b.control(func(w *world.World, dt float64) {
		for i := range weights {
			weights[i].pull(w, *stiff, dt)
		}
	})
}

// pull applies the spring's force for one step, unless the spring tears.
func (s *weight) pull(w *world.World, stiff, dt float64) {
	b, err := w.Body(s.body)
	if err != nil || s.torn {
		return
	}
	x, y := s.rest.X-b.Position.X, s.rest.Y-b.Position.Y
	if math.Hypot(x, y) > tearLength {
		s.torn = true
		w.DestroyJoint(s.line)
		return
	}
	omega := s.omega * stiff
	k := b.Mass * omega * omega
	w.Impulse(s.body, vec{X: k * x * dt, Y: k * y * dt})
}
