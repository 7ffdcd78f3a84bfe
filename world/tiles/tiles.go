// Package tiles makes the ground of a world out of cells, without seams. On boxes side by side, a
// sliding body sometimes hits the side of the next box.
//
//	ground, err := tiles.New(w, tiles.Def{Rows: []string{
//		"#          #",
//		"#     ##   #",
//		"############",
//	}})
//
// Cells can be changed at any time, by functions on the physics goroutine ([Map.Set]) or by a
// command ([Map.Send]), which recordings, rollback and matches handle like any other. A change
// remakes only the outlines in its neighbourhood.
package tiles

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"strings"

	"halfstep/buffer/body2d"
	"halfstep/world"
)

// side is the number of cells in a row of a part of a map. Each part is a body, so that a change
// remakes one part, and a body on it is tested against one part.
const side = 16

const mostCells = 1 << 24 // mostCells is the greatest number of cells of a map.

// Def describes a map.
type Def struct {
	Name   string    // Name is the name of the map's bodies.
	Origin world.Vec // lower left corner of the map, m
	Size   float64   // length of a cell's side, m; 0 means 1
	Colour body2d.Colour

	// Rows are the rows of cells from the top, each with one character (a byte) for a cell: the cell's
	// kind. A space or a dot is an empty cell; short rows are filled up with empty cells.
	Rows []string
	// Marks are the characters in Rows that mark places, such as those of a player or a coin. Their
	// cells are empty, and Map.Marked yields the places.
	Marks string

	// Surfaces has the surface of each kind of cell: friction, restitution, filter, surface speed,
	// name, colour and user value count. A kind that Surfaces lacks has a friction of 0.6. Surfaces
	// must not be changed after New.
	Surfaces map[byte]world.ShapeDef
}

// Cell is one cell of a map: the X-th from the left and the Y-th from below, from 0. A Kind of 0, '
// ' or '.' is empty.
type Cell struct {
	X, Y int
	Kind byte
}

// Map is a ground of cells in a world. It goes back in time with the world.
type Map struct {
	grid
	def     Def
	command string       // the name of the function that Send calls
	parts   []world.Body // bodies, in rows from the bottom up
	across  int          // parts in a row
}

// New makes a map. Call New in Setup, because a replay needs the same bodies, state and command.
// The error names the wrong value in the definition. Two maps of a world need two names, or New
// panics.
func New(w *world.World, def Def) (*Map, error) {
	if def.Size == 0 {
		def.Size = 1
	}
	m := &Map{def: def, command: "tiles " + def.Name}
	m.h = len(def.Rows)
	for _, row := range def.Rows {
		m.w = max(m.w, len(row))
	}
	if m.w == 0 || m.w > mostCells/m.h {
		return nil, fmt.Errorf("tiles: a map of %d by %d cells", m.w, m.h)
	}
	if !(def.Size >= .05 && def.Size <= 1e6) {
		return nil, fmt.Errorf("tiles: cells of %v m: they have 0.05 m or more", def.Size)
	}
	m.cells = make([]byte, m.w*m.h)
	for i, row := range def.Rows {
		for x, kind := range []byte(row) {
			if strings.IndexByte(def.Marks, kind) < 0 {
				m.cells[(m.h-1-i)*m.w+x] = kindOf(kind)
			}
		}
	}
	m.across = (m.w + side - 1) / side
	for i := range m.across * ((m.h + side - 1) / side) {
		b, err := w.CreateBody(world.BodyDef{Name: def.Name, Position: m.Corner(i%m.across*side, i/m.across*side), Colour: def.Colour})
		if err != nil {
			return nil, err
		}
		m.parts = append(m.parts, b)
		if err := m.draw(w, i); err != nil {
			return nil, err
		}
	}
	w.AddState(m)
	w.Register(m.command, m.obey)
	return m, nil
}

// Size returns the number of cells in a row, and the number of rows.
func (m *Map) Size() (across, high int) { return m.w, m.h }

// Cell returns the kind of a cell. 0 means an empty cell, or a cell outside the map. Call Cell on
// the physics goroutine, like Set.
func (m *Map) Cell(x, y int) byte { return m.at(x, y) }

// Corner returns the lower left corner of a cell, m.
func (m *Map) Corner(x, y int) world.Vec {
	return m.def.Origin.Add(world.Vec{X: float64(x), Y: float64(y)}.Mul(m.def.Size))
}

// CellAt returns the cell that contains a point, m. The cell may be outside the map.
func (m *Map) CellAt(point world.Vec) (x, y int) {
	p := point.Sub(m.def.Origin).Mul(1 / m.def.Size)
	return floor(p.X), floor(p.Y)
}

// Is reports whether a body is a part of the map.
func (m *Map) Is(b world.Body) bool { return slices.Contains(m.parts, b) }

// Set changes cells, on the physics goroutine, and remakes the outlines near them. It returns an
// error, and changes nothing, if a cell is outside the map, a body of the map has been removed, the
// world is stepping, or the outlines exceed Config.MaxContacts.
func (m *Map) Set(w *world.World, cells ...Cell) error {
	var near []int // parts
	for _, c := range cells {
		if c.X < 0 || c.Y < 0 || c.X >= m.w || c.Y >= m.h {
			return fmt.Errorf("tiles: no cell %d, %d: the map has %d by %d", c.X, c.Y, m.w, m.h)
		}
		if m.at(c.X, c.Y) == kindOf(c.Kind) {
			continue
		}
		// Outlines continue from cell to cell, even over corners, so the neighbouring parts of the map
		// change too.
		for y := max(c.Y-1, 0) / side; y <= min(c.Y+1, m.h-1)/side; y++ {
			for x := max(c.X-1, 0) / side; x <= min(c.X+1, m.w-1)/side; x++ {
				near = append(near, y*m.across+x)
			}
		}
	}
	slices.Sort(near)
	near = slices.Compact(near)
	err := w.SetGravity(w.Gravity()) // returns world.ErrStepping if the world cannot be changed now
	for _, i := range near {
		if err == nil {
			_, err = w.Shapes(m.parts[i])
		}
	}
	if err != nil {
		return err
	}
	was := make([]Cell, len(cells))
	for i, c := range cells {
		at := &m.cells[c.Y*m.w+c.X]
		was[i] = Cell{c.X, c.Y, *at}
		*at = kindOf(c.Kind)
	}
	for n, i := range near {
		if err = m.draw(w, i); err == nil {
			continue
		}
		for _, c := range slices.Backward(was) {
			m.cells[c.Y*m.w+c.X] = c.Kind
		}
		for _, i := range near[:n+1] {
			_ = m.draw(w, i) // cannot fail: the old outlines were inside the limits
		}
		return err
	}
	return nil
}

// Send does the work of Set as one command, for any goroutine. A command with a cell outside the
// map does nothing.
func (m *Map) Send(c world.Commands, cells ...Cell) {
	args := make([]float64, 0, 3*len(cells))
	for _, cell := range cells {
		args = append(args, float64(cell.X), float64(cell.Y), float64(cell.Kind))
	}
	c.DoNamed(m.command, args...)
}

// obey carries out a command of Send. The command may come from another machine, with any
// arguments.
func (m *Map) obey(w *world.World, args []float64) {
	var cells []Cell
	for ; len(args) >= 3; args = args[3:] {
		for _, x := range args[:3] {
			if !(x >= 0 && x <= mostCells) {
				return
			}
		}
		cells = append(cells, Cell{int(args[0]), int(args[1]), byte(int(args[2]) & 0xff)})
	}
	_ = m.Set(w, cells...)
}

// draw replaces the outlines of part i by those of its present cells.
func (m *Map) draw(w *world.World, i int) error {
	b := m.parts[i]
	old, err := w.Shapes(b)
	if err != nil {
		return err
	}
	for _, s := range old {
		if err := w.DestroyShape(s); err != nil {
			return err
		}
	}
	x0, y0 := i%m.across*side, i/m.across*side
	at := func(p [2]int) world.Vec {
		return world.Vec{X: float64(p[0] - x0), Y: float64(p[1] - y0)}.Mul(m.def.Size)
	}
	for _, l := range m.lines(x0, y0, min(x0+side, m.w), min(y0+side, m.h)) {
		if _, err := w.CreateShape(b, l.shape(m.def.Surfaces, at)); err != nil {
			return err
		}
	}
	return nil
}

// shape makes a chain of a line. The argument at converts a corner of the grid to a point.
func (l *line) shape(of map[byte]world.ShapeDef, at func([2]int) world.Vec) world.ShapeDef {
	s, ok := of[l.kind]
	if !ok {
		s.Friction = .6
	}
	s.Kind, s.Points, s.Density = world.ClosedChainShape, make([]world.Vec, len(l.points)), 0
	for i, p := range l.points {
		s.Points[i] = at(p)
	}
	if !l.closed {
		before, after := at(l.before), at(l.after)
		s.Kind, s.Before, s.After = world.ChainShape, &before, &after
	}
	return s
}

// AppendBinary appends the cells, so that the map goes back in time with its world; see
// [world.Stateful].
func (m *Map) AppendBinary(b []byte) ([]byte, error) { return append(b, m.cells...), nil }

// UnmarshalBinary sets the cells from the bytes of AppendBinary.
func (m *Map) UnmarshalBinary(b []byte) error {
	if len(b) != len(m.cells) {
		return errors.New("tiles: not the cells of this map")
	}
	copy(m.cells, b)
	return nil
}

// Marked yields the centres of the cells of a mark, m, from the top row down and from left to
// right. Any goroutine may call it.
func (m *Map) Marked(mark byte) iter.Seq[world.Vec] {
	return func(yield func(world.Vec) bool) {
		if strings.IndexByte(m.def.Marks, mark) < 0 {
			return
		}
		half := float64(m.def.Size / 2) // the conversion keeps compilers from fusing the product with the sum
		for i, row := range m.def.Rows {
			for x, c := range []byte(row) {
				if c == mark && !yield(m.Corner(x, m.h-1-i).Add(world.Vec{X: half, Y: half})) {
					return
				}
			}
		}
	}
}

// kindOf is the kind of a cell for its character; 0 means empty.
func kindOf(c byte) byte {
	if c == ' ' || c == '.' {
		return 0
	}
	return c
}

// floor rounds down. Because x may be any number, it limits the result to a range a little larger
// than the largest map.
func floor(x float64) int {
	i := int(max(-mostCells, min(x, mostCells)))
	if float64(i) > x {
		i--
	}
	return i
}
