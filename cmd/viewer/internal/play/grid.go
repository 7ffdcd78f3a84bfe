package play

import (
	"math"

	"halfstep/world"
)

// Grid is the distance between the lines of the grid to which positions are snapped, in
// m. The value 0 means that there is no grid.
type Grid float64

// Grids are the grids that the user can choose, and GridNames are their names.
var (
	Grids     = []Grid{0, .1, .25, .5, 1}
	GridNames = []string{"none", "0.1 m", "0.25 m", "0.5 m", "1 m"}
)

// Snap returns the nearest crossing of the grid.
func (g Grid) Snap(p world.Vec) world.Vec {
	if g <= 0 {
		return p
	}
	return world.Vec{X: math.Round(p.X/float64(g)) * float64(g), Y: math.Round(p.Y/float64(g)) * float64(g)}
}

// snapTurn is the angle by which bodies turn in one step on a grid, in rad.
const snapTurn = 15 * degree
