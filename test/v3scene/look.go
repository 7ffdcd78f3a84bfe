package v3scene

import (
	"math"

	"halfstep/world"
)

// MovingSpeed is the speed above which a body counts as moving, m/s.
const MovingSpeed = .05

// Look is what a test measures of a world after a run.
type Look struct {
	Outside   int     // the number of dynamic bodies at places where no body should be
	Moving    int     // bodies faster than MovingSpeed
	SumY      float64 // the sum of the heights of all dynamic bodies, m
	WidestGap float64 // the widest gap between the two anchors of a joint, m
	Deepest   float64 // the deepest overlap of two shapes, m
}

// Look makes one more step and measures the world.
func (s Scene) Look(sim *world.Simulation) (l Look) {
	w := sim.World()
	w.SetPreSolve(func(_ *world.World, c *world.PreSolveContact) { l.Deepest = max(l.Deepest, c.Depth) })
	sim.Step(w.Tick()+1, StepSeconds)
	w.SetPreSolve(nil)
	for b := range w.Bodies() {
		i := must(w.Body(b))
		if i.Kind != world.Dynamic {
			continue
		}
		if !(math.Abs(i.Position.X)+math.Abs(i.Position.Y) < 1e6) || s.outside != nil && s.outside(i.Position) {
			l.Outside++
		}
		if l.SumY += i.Position.Y; i.Velocity.Len() > MovingSpeed {
			l.Moving++
		}
	}
	for j := range w.Joints() {
		i := must(w.Joint(j))
		l.WidestGap = max(l.WidestGap, i.PointA.Sub(i.PointB).Len())
	}
	return l
}
