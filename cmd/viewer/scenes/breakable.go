package scenes

import (
	"math"

	"halfstep/world"
)

func init() {
	Register(Scene{
		Name:        "breakable",
		Description: "heavier and heavier weights fall on two bridges: the joints of the right one bear half as much, and break first",
		Config:      sturdy(breakable),
		View:        View{Y: 2.5, Width: 27, Height: 12},
		Labels:      []Label{{-5.5, 0, "full strength"}, {5.5, 0, "half of it"}},
		Category:    Machines,
		Params:      []Param{breakForce},
	})
}

const (
	bridgePlanks  = 10
	roundPeriods  = 9   // roundPeriods is the number of weightPeriods in a round. In the first period both bridges are built. In the other periods a weight falls on each bridge.
	weightPeriod  = 1.6 // s
	plankHalf     = .5  // m
	bridgeHeight  = 4.0 // m
	weightDensity = 3.0 // kg/m²
)

var breakForce = Param{Name: "strength of the left bridge", Unit: "N", Min: 100, Max: 3000, Default: 650, Step: 50}

func breakable(b *builder) {
	const half = plankHalf * bridgePlanks
	piers := b.static("piers", boxAt(0, -3, 13, .2, 0),
		boxAt(0, .6, .5, 3.4, 0), boxAt(-2*half-1, .6, .5, 3.4, 0), boxAt(2*half+1, .6, .5, 3.4, 0))
	force := b.param(breakForce, nil) // a change of the parameter needs no action
	b.every(weightPeriod, func(w *world.World, n int) {
		c := &builder{w: w}
		left, right := -half-.5, half+.5
		k := n % roundPeriods
		if k == 0 {
			destroy(w, "plank", "weight")
			hangBridge(c, piers, left, *force)
			hangBridge(c, piers, right, *force/2)
			return
		}
		size := .22 + .06*float64(k)
		for _, x := range [...]float64{left, right} {
			at := vec{X: x + 1.5*math.Sin(2.4*float64(k)), Y: bridgeHeight + 3}
			c.dynamic("weight", at, rough(dense(world.Box(size, size), weightDensity), .6))
		}
	})
}

// hangBridge builds a bridge whose middle is at x, in m. Its joints break at
// the given force, in N.
func hangBridge(b *builder, piers world.Body, x, force float64) {
	link := func(last, n world.Body, x float64) {
		b.at(vec{X: x, Y: bridgeHeight}, world.JointDef{Kind: world.RevoluteJoint, A: last, B: n, BreakForce: force})
	}
	last := piers
	x -= plankHalf * bridgePlanks
	for range bridgePlanks {
		n := b.dynamic("plank", vec{X: x + plankHalf, Y: bridgeHeight}, rough(dense(world.Box(plankHalf, .1), 2), .6))
		link(last, n, x)
		last = n
		x += 2 * plankHalf
	}
	link(last, piers, x)
}
