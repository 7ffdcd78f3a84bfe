package tiles

import (
	"errors"
	"fmt"
	"slices"

	"halfstep/world"
)

// Rectangle is a solid rectangle between its lower left and its upper right corner, in m.
type Rectangle struct{ Low, High world.Vec }

// abut is the distance, in m, up to which two sides count as one: Box2D refuses chains with
// shorter segments.
const abut = .005

// Outlines returns closed chains around the union of rectangles, without lines inside it: the
// shapes of one body, such as the ground of a level that an editor has saved as rectangles. The
// solid is on the left of a chain: a chain turns counter-clockwise around an island, and
// clockwise around a hole. Friction is 0.6.
func Outlines(rectangles ...Rectangle) ([]world.ShapeDef, error) {
	var xs, ys []float64
	for _, r := range rectangles {
		if !(r.Low.X+abut < r.High.X && r.Low.Y+abut < r.High.Y) {
			return nil, fmt.Errorf("tiles: the rectangle from %v to %v has no area", r.Low, r.High)
		}
		xs, ys = append(xs, r.Low.X, r.High.X), append(ys, r.Low.Y, r.High.Y)
	}
	xs, ys = lines(xs), lines(ys)
	if len(xs) == 0 {
		return nil, errors.New("tiles: no rectangles")
	}
	if len(xs) > mostCells/len(ys) {
		return nil, fmt.Errorf("tiles: sides at %d by %d places are too many", len(xs), len(ys))
	}
	// The sides divide the plane into a grid of cells, each solid (1) or empty (0).
	g := grid{w: len(xs) - 1, h: len(ys) - 1}
	g.cells = make([]byte, g.w*g.h)
	for _, r := range rectangles {
		x0, x1 := index(xs, r.Low.X), index(xs, r.High.X)
		for y := index(ys, r.Low.Y); y < index(ys, r.High.Y); y++ {
			for x := x0; x < x1; x++ {
				g.cells[y*g.w+x] = 1
			}
		}
	}
	var all []world.ShapeDef
	for _, l := range g.lines(0, 0, g.w, g.h) { // the closed outlines, through corners of the grid
		// A chain of the default friction: no kind of cell has a surface.
		all = append(all, l.shape(nil, func(p [2]int) world.Vec { return world.Vec{X: xs[p[0]], Y: ys[p[1]]} }))
	}
	return all, nil
}

// lines sorts the coordinates of sides in place, and returns the lines of the grid: a side at
// most abut after the previous line is on that line.
func lines(sides []float64) []float64 {
	slices.Sort(sides)
	n := 0
	for _, x := range sides {
		if n == 0 || x > sides[n-1]+abut {
			sides[n] = x
			n++
		}
	}
	return sides[:n]
}

// index is the index of the line of a side at x.
func index(lines []float64, x float64) int {
	i, exact := slices.BinarySearch(lines, x)
	if !exact {
		i-- // the side is on the previous line, at most abut after it
	}
	return i
}
