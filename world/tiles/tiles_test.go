package tiles

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ByteArena/box2d"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

const dt = 1. / 60

var steppers = []world.Stepper{world.FastStep, world.SoftStep}

func run(s *world.Simulation, n int, each func(w *world.World)) {
	for range n {
		s.BeginFrame()
		s.Step(s.World().Tick()+1, dt)
		s.EndFrame()
		if each != nil {
			each(s.World())
		}
	}
}

func ice(s world.ShapeDef) world.ShapeDef {
	s.Friction = 0
	return s
}

// slides has the bodies that slide over a floor: the height of the body's centre above
// the floor, and the body's shape.
var slides = map[string]struct {
	height float64
	shape  world.ShapeDef
}{
	"box":     {.5, world.Box(.5, .5)},
	"ball":    {.4, world.Circle(.4)},
	"slab":    {.2, world.Box(1.7, .2)},
	"capsule": {.4, world.Capsule(world.Vec{X: -.5}, world.Vec{X: .5}, .4)},
}

func TestWhatSlidesOverTilesMeetsOneFloor(t *testing.T) {
	norace.Only(t)
	for _, stepper := range steppers {
		for name, c := range slides {
			s := world.NewSimulation(world.Config{Stepper: stepper, Workers: 1})
			w := s.World()
			if _, err := New(w, Def{Rows: []string{strings.Repeat("#", 110), strings.Repeat("#", 110)}, Surfaces: map[byte]world.ShapeDef{'#': {}}}); err != nil {
				t.Fatal(err)
			}
			b, err := w.CreateBody(world.BodyDef{
				Kind: world.Dynamic, Position: world.Vec{X: 2, Y: 2 + c.height + .01}, Velocity: world.Vec{X: 8}, Shapes: []world.ShapeDef{ice(c.shape)},
			})
			if err != nil {
				t.Fatal(err)
			}
			touched, high, low := 0, 0.0, math.Inf(1)
			run(s, 760, func(w *world.World) {
				in, _ := w.Body(b)
				if v := in.Velocity; math.Abs(v.X-8) > .005 || w.Tick() > 30 && math.Abs(v.Y) > .1 {
					t.Fatalf("%v, %s, tick %d, at %v: velocity %v", stepper, name, w.Tick(), in.Position, v)
				}
				if w.Tick() > 30 {
					high, low = max(high, in.Position.Y), min(low, in.Position.Y)
				}
				_ = w.BodyContacts(b, func(c world.Contact) bool {
					touched++
					if math.Abs(c.Normal.X) > 1e-6 {
						t.Errorf("%v, %s, tick %d, at %v: a normal of %v", stepper, name, w.Tick(), in.Position, c.Normal)
					}
					return true
				})
			})
			in, _ := w.Body(b)
			if in.Position.X < 100 || touched < 700 || high-low > .005 {
				t.Errorf("%v, %s: at %v after %d contacts, %v m up and down", stepper, name, in.Position, touched, high-low)
			}
			s.Close()
		}
	}
}

func TestOutlinesLieRoundAllThatIsSolidAndNothingElse(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		g := grid{w: 1 + r.IntN(9), h: 1 + r.IntN(9)}
		g.cells = make([]byte, g.w*g.h)
		solid, sides := 0, 0
		for i := range g.cells {
			g.cells[i] = byte(r.IntN(2))
		}
		for y := range g.h {
			for x := range g.w {
				if g.at(x, y) == 0 {
					continue
				}
				solid++
				for _, d := range ways {
					if g.at(x+d[0], y+d[1]) == 0 {
						sides++
					}
				}
			}
		}
		area2, length := 0, 0
		for _, l := range g.lines(0, 0, g.w, g.h) {
			if !l.closed {
				t.Fatal("an open outline")
			}
			for i, p := range l.points {
				q, next := l.points[(i+1)%len(l.points)], l.points[(i+2)%len(l.points)]
				area2 += p[0]*q[1] - p[1]*q[0]
				length += max(p[0]-q[0], q[0]-p[0]) + max(p[1]-q[1], q[1]-p[1])
				if (q[0]-p[0])*(next[1]-q[1]) == (q[1]-p[1])*(next[0]-q[0]) {
					t.Fatalf("no corner at %v, between %v and %v", q, p, next)
				}
			}
		}
		if area2 != 2*solid || length != sides {
			t.Fatalf("%d by %d, %v: an area of %v/2 and %d sides, right are %d and %d", g.w, g.h, g.cells, area2, length, solid, sides)
		}
	}
}

// chains returns the outlines in a world, with the ghost vertices at their ends.
func chains(w *world.World, m *Map) (all []string) {
	for _, b := range m.parts {
		for f := w.BodyPointer(b).M_fixtureList; f != nil; f = f.M_next {
			s := f.M_shape.(*box2d.B2ChainShape)
			all = append(all, fmt.Sprint(w.BodyPointer(b).M_xf.P, s.M_vertices, s.M_prevVertex, s.M_nextVertex))
		}
	}
	slices.Sort(all)
	return all
}

func rows(m *Map) (all []string) {
	for y := m.h - 1; y >= 0; y-- {
		all = append(all, strings.ReplaceAll(string(m.cells[y*m.w:(y+1)*m.w]), "\x00", " "))
	}
	return all
}

func TestAChangedMapHasTheOutlinesOfANewOne(t *testing.T) {
	norace.Only(t)
	r := rand.New(rand.NewPCG(5, 5))
	blank := slices.Repeat([]string{strings.Repeat(" ", 40)}, 37)
	s := world.NewSimulation(world.Config{})
	m, err := New(s.World(), Def{Rows: blank})
	if err != nil {
		t.Fatal(err)
	}
	middle := func(n int) int { // most changes are near the corners of parts
		return max(0, min(n-1, 16+int(3*r.NormFloat64())))
	}
	for i := range 400 {
		if err := m.Set(s.World(), Cell{middle(m.w), middle(m.h), "#@ "[r.IntN(3)]}, Cell{r.IntN(m.w), r.IntN(m.h), '#'}); err != nil {
			t.Fatal(err)
		}
		run(s, 1, nil)
		if i%20 > 0 {
			continue
		}
		fresh := world.NewSimulation(world.Config{})
		n, err := New(fresh.World(), Def{Rows: rows(m)})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := chains(s.World(), m), chains(fresh.World(), n); !slices.Equal(got, want) {
			t.Fatalf("after %d changes:\n%v\nright is\n%v", i, got, want)
		}
	}
}

func TestTilesGoBackWithTheirWorld(t *testing.T) {
	s := world.NewSimulation(world.Config{})
	w := s.World()
	m, err := New(w, Def{Rows: []string{"#  #", "####"}})
	if err != nil {
		t.Fatal(err)
	}
	before, was := chains(w, m), rows(m)
	var shot world.Snapshot
	if err := w.Snapshot(&shot); err != nil {
		t.Fatal(err)
	}
	if err := m.Set(w, Cell{1, 0, 0}, Cell{2, 1, '#'}); err != nil {
		t.Fatal(err)
	}
	if slices.Equal(chains(w, m), before) || m.Cell(1, 0) != 0 {
		t.Fatal("nothing has changed")
	}
	if err := w.Restore(&shot); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(chains(w, m), before) || !slices.Equal(rows(m), was) {
		t.Errorf("%v\n%v", rows(m), chains(w, m))
	}
}

// A ball lies on a floor. Commands remove the floor and put it back.
func TestACommandChangesCellsInRecordingsAndRollbacks(t *testing.T) {
	play := func(c engine.Config) (hash uint64, lowest float64) {
		var m *Map
		var ball world.Body
		c.Time.Simulated = true
		c.Setup = func(w *world.World) (err error) {
			if m, err = New(w, Def{Origin: world.Vec{X: -20}, Rows: []string{strings.Repeat("#", 40), "", "", strings.Repeat("#", 40)}}); err == nil {
				ball, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: .5, Y: 4.4}, Shapes: []world.ShapeDef{world.Circle(.4)}})
			}
			return err
		}
		e, err := engine.New(c)
		if err != nil {
			t.Fatal(err)
		}
		lowest = 9
		for i := range 90 {
			switch i {
			case 20:
				x, y := m.CellAt(world.Vec{X: .5, Y: 3.5})
				m.Send(e.Commands, Cell{x, y, 0}, Cell{x, 99, 'x'}) // a refused cell
				m.Send(e.Commands, Cell{x, y, 0}, Cell{x + 1, y, 0}, Cell{x - 1, y, 0})
			case 70:
				m.Send(e.Commands, Cell{20, 3, '#'})
			}
			e.Advance(time.Second / 60)
			p, _ := e.Pose(ball)
			lowest = min(lowest, p.Y)
		}
		if err := e.Failure(); err != nil {
			t.Fatal(err)
		}
		done := make(chan uint64, 1)
		e.Inspect(func(w *world.World) { done <- w.StateHash() })
		e.Advance(0)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		return <-done, lowest
	}
	var file bytes.Buffer
	hash, lowest := play(engine.Config{History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, Scene: "tiles"}}})
	if lowest > 3 {
		t.Errorf("the ball came down to %v only", lowest)
	}
	if other, _ := play(engine.Config{Testing: engine.Testing{SyncTest: 3}}); other != hash {
		t.Errorf("with rollbacks the end is %x, without %x", other, hash)
	}
	r, err := engine.ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Verify(func(w *world.World) (err error) {
		if _, err = New(w, Def{Origin: world.Vec{X: -20}, Rows: []string{strings.Repeat("#", 40), "", "", strings.Repeat("#", 40)}}); err == nil {
			_, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: .5, Y: 4.4}, Shapes: []world.ShapeDef{world.Circle(.4)}})
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

func TestRectanglesThatAbutHaveOneOutline(t *testing.T) {
	var row []Rectangle
	for i := range 50 { // the coordinates of the sides are only nearly equal
		x := float64(i) / 3
		row = append(row, Rectangle{world.Vec{X: x}, world.Vec{X: x + 1./3 - 1e-3*float64(i%3), Y: 2}})
	}
	s, err := Outlines(row...)
	if err != nil || len(s) != 1 || len(s[0].Points) != 4 || s[0].Kind != world.ClosedChainShape {
		t.Errorf("%v, %+v", err, s)
	}
	ring := []Rectangle{{world.Vec{}, world.Vec{X: 3, Y: 1}}, {world.Vec{Y: 1}, world.Vec{X: 1, Y: 2}}, {world.Vec{X: 2, Y: .5}, world.Vec{X: 3, Y: 3}}, {world.Vec{Y: 2}, world.Vec{X: 3, Y: 3}}}
	if s, err = Outlines(ring...); err != nil || len(s) != 2 || len(s[0].Points) != 4 || len(s[1].Points) != 4 {
		t.Errorf("%v, %+v", err, s)
	}
	for _, bad := range [][]Rectangle{nil, {{}}, {{world.Vec{X: math.NaN()}, world.Vec{X: 1, Y: 1}}}} {
		if _, err := Outlines(bad...); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestBadMapsAndCellsAreRefused(t *testing.T) {
	w := world.NewSimulation(world.Config{}).World()
	for _, d := range []Def{{}, {Rows: []string{""}}, {Size: -1, Rows: []string{"#"}}, {Size: math.NaN(), Rows: []string{"#"}},
		{Origin: world.Vec{X: math.Inf(1)}, Rows: []string{"#"}}, {Rows: []string{"#"}, Surfaces: map[byte]world.ShapeDef{'#': {Friction: -1}}}} {
		if _, err := New(w, d); err == nil {
			t.Errorf("%+v is taken", d)
		}
	}
	m, err := New(w, Def{Rows: []string{"##"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Set(w, Cell{0, 0, 0}, Cell{2, 0, '#'}); err == nil || m.Cell(0, 0) == 0 {
		t.Errorf("%v, and the cell is %d", err, m.Cell(0, 0))
	}
	for _, args := range [][]float64{{math.NaN(), 0, 0}, {-1, 0, 0}, {0}, {1e300, 0, 0}, {0, 0, math.Inf(1)}} {
		if m.obey(w, args); m.Cell(0, 0) == 0 {
			t.Errorf("%v does something", args)
		}
	}
}

func TestSetChangesNothingWithItsError(t *testing.T) {
	s := world.NewSimulation(world.Config{})
	w := s.World()
	row := strings.Repeat("#", 2*side)
	m, err := New(w, Def{Rows: []string{row}, Surfaces: map[byte]world.ShapeDef{'x': {Friction: -1}}})
	if err != nil {
		t.Fatal(err)
	}
	refused := func(why string, c ...Cell) {
		t.Helper()
		lines := func() (n int) { // the lines that a ray down each column meets
			for x := range m.w {
				_ = w.Query(world.QueryFilter{}).RayCastAll(world.Vec{X: float64(x) + .5, Y: 3}, world.Vec{X: float64(x) + .5, Y: -1}, func(h world.RayHit) bool {
					if m.Is(h.Body) {
						n++
					}
					return true
				})
			}
			return n
		}
		cells, before := slices.Clone(m.cells), lines()
		if err := m.Set(w, c...); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", why, err)
		}
		if !bytes.Equal(cells, m.cells) || lines() != before {
			t.Errorf("%s: the cells are %q with %d lines, not %q with %d", why, m.cells, lines(), cells, before)
		}
	}
	refused("beyond the map", Cell{0, 0, 0}, Cell{0, 1, 0})
	refused("a surface that no shape can have", Cell{3, 0, 0}, Cell{side + 3, 0, 'x'}, Cell{3, 0, 'x'})
	if _, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 5, Y: 1.4}, Shapes: []world.ShapeDef{world.Circle(.4)}}); err != nil {
		t.Fatal(err)
	}
	stepping := false
	w.SetPreSolve(func(*world.World, *world.PreSolveContact) {
		if !stepping {
			stepping = true
			refused("in the middle of a step", Cell{3, 0, 0})
		}
	})
	run(s, 60, nil)
	refused("a surface, after a step", Cell{3, 0, 'x'}) // no function waits for the end of a step any more
	if err := w.DestroyBody(m.parts[1]); err != nil || !stepping {
		t.Fatal(err, stepping)
	}
	refused("without one of its bodies", Cell{3, 0, 0}, Cell{side + 3, 0, 0})
}

func TestMarksAreNoCellsAndAreFound(t *testing.T) {
	s := world.NewSimulation(world.Config{})
	defer s.Close()
	m, err := New(s.World(), Def{Size: 2, Origin: world.Vec{X: 10}, Marks: "PC", Rows: []string{" C  ", "P #C", "####"}})
	if err != nil {
		t.Fatal(err)
	}
	if kind := m.Cell(0, 1); kind != 0 {
		t.Errorf("the mark is a cell of kind %q", kind)
	}
	if got, want := slices.Collect(m.Marked('C')), []world.Vec{{X: 13, Y: 5}, {X: 17, Y: 3}}; !slices.Equal(got, want) {
		t.Errorf("marks at %v, not %v", got, want)
	}
	if got := slices.Collect(m.Marked('#')); len(got) != 0 {
		t.Errorf("cells are marks: %v", got)
	}
}
