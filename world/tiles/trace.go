package tiles

// grid is a rectangle of cells, in rows from the bottom up. Each cell has a kind; 0 means
// empty.
type grid struct {
	w, h  int // width and height in cells
	cells []byte
}

func (g *grid) at(x, y int) byte {
	if x < 0 || y < 0 || x >= g.w || y >= g.h {
		return 0
	}
	return g.cells[y*g.w+x]
}

// edge is a side of a solid cell next to an empty cell. It begins at a corner of the grid, and
// its cell is on its left, so outlines run counter-clockwise around solid cells.
type edge struct {
	x, y int
	way  int // direction: 0 to the right, 1 up, 2 to the left, 3 down
}

// ways has the step from corner to corner for each direction, and cellOnLeft the offset from
// the corner to the edge's cell. The index of both is edge.way.
var ways, cellOnLeft = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}, [4][2]int{{0, 0}, {-1, 0}, {-1, -1}, {0, -1}}

func (e edge) cell() (x, y int) { return e.x + cellOnLeft[e.way][0], e.y + cellOnLeft[e.way][1] }

// end is the corner to which an edge leads.
func (e edge) end() (x, y int) { return e.x + ways[e.way][0], e.y + ways[e.way][1] }

// is reports whether the edge exists.
func (g *grid) is(e edge) bool {
	x, y := e.cell()
	right := ways[(e.way+3)&3] // the cell on the right is one step to the right of the cell on the left
	return g.at(x, y) != 0 && g.at(x+right[0], y+right[1]) == 0
}

// next is the edge that follows. If two cells touch only at a corner, the outline continues
// from one cell to the other, so that there is no gap.
func (g *grid) next(e edge) edge {
	x, y := e.end()
	for _, turn := range [...]int{3, 0} { // first a turn to the right, then straight on
		if n := (edge{x, y, (e.way + turn) & 3}); g.is(n) {
			return n
		}
	}
	return edge{x, y, (e.way + 1) & 3}
}

// previous is the edge before e: its next is e.
func (g *grid) previous(e edge) edge {
	for turn := range 4 {
		way := (e.way + turn) & 3
		if p := (edge{e.x - ways[way][0], e.y - ways[way][1], way}); g.is(p) && g.next(p) == e {
			return p
		}
	}
	return e // not reached: every edge follows another
}

// line is a part of an outline, through corners of the grid. It is closed, or it has the
// corners before and after it, which become the ghost vertices of its chain.
type line struct {
	points        [][2]int
	kind          byte
	closed        bool
	before, after [2]int
}

// lines returns the outlines of the cells between two corners of the grid. An outline is cut
// where it leaves these cells, and where the kind of its cells changes.
func (g *grid) lines(x0, y0, x1, y1 int) (all []line) {
	seen := map[edge]bool{}
	in := func(e edge, kind byte) bool {
		x, y := e.cell()
		return x0 <= x && x < x1 && y0 <= y && y < y1 && g.at(x, y) == kind
	}
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			for way := range 4 {
				e := edge{x - cellOnLeft[way][0], y - cellOnLeft[way][1], way}
				if !g.is(e) || seen[e] {
					continue
				}
				kind := g.at(x, y)
				// Go back to the beginning of the outline. A closed outline begins at a corner.
				first := e
				closed := false
				for p := g.previous(first); in(p, kind) && !closed; p = g.previous(first) {
					first = p
					closed = first == e
				}
				for closed && g.previous(first).way == first.way {
					first = g.next(first)
				}
				p := g.previous(first)
				l := line{kind: kind, closed: closed, before: [2]int{p.x, p.y}}
				last := first.way + 1 // not the direction of the first edge, so that edge adds a point
				e = first
				for ; in(e, kind) && !seen[e]; e = g.next(e) {
					seen[e] = true
					if e.way != last { // straight on is one segment
						l.points = append(l.points, [2]int{e.x, e.y})
					}
					last = e.way
				}
				if !closed {
					x, y := e.end()
					l.points, l.after = append(l.points, [2]int{e.x, e.y}), [2]int{x, y}
				}
				all = append(all, l)
			}
		}
	}
	return all
}
