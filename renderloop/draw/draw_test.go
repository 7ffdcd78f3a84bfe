package draw_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/scene"
	"halfstep/shaders"
	"halfstep/world"
)

// drawn counts the drawings of a painter, and records their positions.
type drawn struct {
	circles, polygons, capsules []draw.Vec
	lines, points               int
	texts                       []string
}

func (d *drawn) Polygon(c []draw.Vec, _ float64, _ draw.Look)  { d.polygons = append(d.polygons, c[0]) }
func (d *drawn) Circle(at draw.Vec, _ float64, _ draw.Look)    { d.circles = append(d.circles, at) }
func (d *drawn) Capsule(a, _ draw.Vec, _ float64, _ draw.Look) { d.capsules = append(d.capsules, a) }
func (d *drawn) Line(draw.Vec, draw.Vec, body2d.Colour)        { d.lines++ }
func (d *drawn) Point(draw.Vec, body2d.Colour)                 { d.points++ }
func (d *drawn) Text(_ draw.Vec, text string, _ body2d.Colour) { d.texts = append(d.texts, text) }

const all = body2d.JointsLayer | body2d.BoxesLayer | body2d.ContactsLayer | body2d.CentresLayer | body2d.VelocitiesLayer | body2d.NamesLayer | body2d.SleepLayer

// scenery returns a world in motion, and one of the discs in the world.
func scenery(t *testing.T) (e *engine.Engine, disc world.Body) {
	t.Helper()
	e, err := engine.New(engine.Config{Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	e.SetDebugLayers(all)
	ground := e.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Chain(world.Vec{X: -9}, world.Vec{}, world.Vec{X: 9})}})
	disc = e.CreateBody(world.BodyDef{Kind: world.Dynamic, Name: "ball & <chain>", Position: world.Vec{X: 2, Y: 3}, Velocity: world.Vec{X: 1}, Shapes: []world.ShapeDef{world.CircleAt(.2, .1, .5)}})
	e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -3, Y: .5}, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
	e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -5, Y: .4}, Shapes: []world.ShapeDef{world.Capsule(world.Vec{X: -.5}, world.Vec{X: .5}, .3)}})
	e.CreateJoint(world.JointDef{Kind: world.DistanceJoint, A: ground, B: disc, Length: 3})
	for range 25 {
		e.Advance(time.Second / 70)
	}
	return e, disc
}

func TestAShapeIsDrawnWhereTheViewShowsItsBody(t *testing.T) {
	e, disc := scenery(t)
	var d drawn
	draw.NewPainter(all).Draw(&d, e.View())
	p, ok := e.Pose(disc)
	want := p.WorldPoint(world.Vec{X: .2, Y: .1})
	if !ok || len(d.circles) != 1 || math.Hypot(d.circles[0].X-want.X, d.circles[0].Y-want.Y) > 1e-5 {
		t.Errorf("the disc is at %v, want %v", d.circles, want)
	}
	if len(d.polygons) != 1 || len(d.capsules) != 1 {
		t.Errorf("%d polygons, %d capsules", len(d.polygons), len(d.capsules))
	}
	if len(d.texts) != 1 || d.texts[0] != "ball & <chain>" {
		t.Errorf("names: %q", d.texts)
	}
	bare := drawn{}
	draw.NewPainter(0).Draw(&bare, e.View())
	if bare.lines != 3 || bare.points != 0 || len(bare.texts) != 0 { // two lines for the chain, and one for the disc
		t.Errorf("without layers: %+v", bare)
	}
	if d.lines < bare.lines+1+4*4+2*3+1 || d.points < 2+2 {
		t.Errorf("layers: %d lines, %d points", d.lines, d.points)
	}
}

func TestARevoluteJointIsDrawnFromTheCentresOfTheBodiesThatMove(t *testing.T) {
	e, disc := scenery(t)
	wall := e.CreateBody(world.BodyDef{})
	box := e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 4, Y: 3}, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
	lines := func() int {
		e.Step(1)
		var d drawn
		draw.NewPainter(body2d.JointsLayer).Draw(&d, e.View())
		return d.lines
	}
	was := lines()
	e.CreateJoint(world.JointDef{Kind: world.RevoluteJoint, A: wall, B: box, Anchor: &world.Vec{X: 4, Y: 4}})
	if n := lines(); n != was+2 {
		t.Errorf("with the world: %d lines, and %d before", n, was)
	}
	e.CreateJoint(world.JointDef{Kind: world.WeldJoint, A: disc, B: box, Anchor: &world.Vec{X: 3, Y: 3}})
	if n := lines(); n != was+5 {
		t.Errorf("with another body, too: %d lines, and %d before", n, was)
	}
}

func TestMarksAreDrawnWithoutTheBodies(t *testing.T) {
	e, _ := scenery(t)
	e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 20}, Velocity: world.Vec{X: 60}, Shapes: []world.ShapeDef{world.Circle(.5)}})
	for layers, want := range map[body2d.Layers]drawn{
		body2d.NormalsLayer: {lines: 2 + 4 + 2}, // lines of the chain, the box and the capsule
		body2d.IslandsLayer: {polygons: make([]draw.Vec, 1), circles: make([]draw.Vec, 2), capsules: make([]draw.Vec, 1)},
		body2d.FastLayer:    {circles: make([]draw.Vec, 1)},
	} {
		e.SetDebugLayers(layers)
		e.Step(2)
		var d drawn
		draw.NewPainter(layers).Marks(&d, e.View())
		if d.lines != want.lines || len(d.polygons) != len(want.polygons) || len(d.circles) != len(want.circles) || len(d.capsules) != len(want.capsules) {
			t.Errorf("%b: %+v", layers, d)
		}
	}
}

// coloured records the colours of points.
type coloured struct {
	null
	points []body2d.Colour
}

func (c *coloured) Point(_ draw.Vec, col body2d.Colour) { c.points = append(c.points, col) }

func TestAContactPointHasItsColourInTheGraphBesideItsImpulses(t *testing.T) {
	at := body2d.DebugContact{Impulse: 1, Colour: 2}
	v := &scene.View[body2d.State]{Scene: &scene.Scene{}, Debug: &body2d.Debug{Contacts: []body2d.DebugContact{at}}}
	points := func(l body2d.Layers) []body2d.Colour {
		var c coloured
		draw.NewPainter(l).Marks(&c, v)
		return c.points
	}
	graph, plain, both := points(body2d.ColoursLayer), points(body2d.ContactsLayer), points(body2d.ColoursLayer|body2d.ContactsLayer)
	if len(graph) != 1 || len(plain) != 1 || !slices.Equal(both, graph) || graph[0] == plain[0] {
		t.Errorf("%v in the graph, %v without, %v with both layers", graph, plain, both)
	}
}

// null draws nothing.
type null struct{}

func (null) Polygon([]draw.Vec, float64, draw.Look)         {}
func (null) Circle(draw.Vec, float64, draw.Look)            {}
func (null) Capsule(draw.Vec, draw.Vec, float64, draw.Look) {}
func (null) Line(draw.Vec, draw.Vec, body2d.Colour)         {}
func (null) Point(draw.Vec, body2d.Colour)                  {}
func (null) Text(draw.Vec, string, body2d.Colour)           {}

func TestAPainterAllocatesNothing(t *testing.T) {
	e, _ := scenery(t)
	p := draw.NewPainter(all | body2d.NormalsLayer | body2d.IslandsLayer | body2d.ColoursLayer | body2d.FastLayer)
	e.SetDebugLayers(p.Layers)
	e.Advance(time.Second / 60)
	if n := testing.AllocsPerRun(50, func() { p.Draw(null{}, e.View()) }); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestRoundedCornersAreAsFarOutAsTheRadius(t *testing.T) {
	for _, corners := range [][]draw.Vec{{{X: 1, Y: 2}}, {{X: 0, Y: 0}, {X: 3, Y: 1}}, {{X: 0, Y: 0}, {X: 2, Y: 0}, {X: 2, Y: 1}, {X: 0, Y: 1}}} {
		for _, p := range draw.Rounded(nil, corners, .5) {
			nearest := math.Inf(1)
			for _, c := range corners {
				nearest = min(nearest, math.Hypot(p.X-c.X, p.Y-c.Y))
			}
			if math.Abs(nearest-.5) > 1e-12 {
				t.Errorf("%v: %v is %v from the nearest corner", corners, p, nearest)
			}
		}
	}
	if n := len(draw.Rounded(nil, []draw.Vec{{X: 0, Y: 0}, {X: 3, Y: 1}}, .5)); n != 26 {
		t.Errorf("a capsule has %d corners, want two half circles of 13", n)
	}
	if got := draw.Rounded(nil, []draw.Vec{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 0, Y: 1}}, 0); len(got) != 3 {
		t.Errorf("sharp: %v", got)
	}
}

func TestTheThemeHasTheTonesOfThePalette(t *testing.T) {
	text, err := shaders.Load("palette.glsl")
	if err != nil {
		t.Fatal(err)
	}
	theme := draw.DefaultTheme()
	want := append([]body2d.Colour{theme.Background}, theme.Dynamic[:]...)
	want = append(want, theme.Static, theme.Kinematic)
	found := regexp.MustCompile(`vec3\((\d\.\d+), (\d\.\d+), (\d\.\d+)\)`).FindAllStringSubmatch(text.Text, -1)
	n := 0
	for _, m := range found {
		if n == len(want) {
			break
		}
		for i := range 3 {
			x, _ := strconv.ParseFloat(m[1+i], 64)
			if math.Abs(x*255-float64(want[n][i])) > 1 {
				t.Errorf("colour %d is %v in the theme, and %s in the palette", n, want[n], m[0])
				break
			}
		}
		n++
	}
	if n != len(want) {
		t.Errorf("%d colours in the palette, want %d", n, len(want))
	}
}

func TestAnSVGIsWellFormedAndHasEveryShape(t *testing.T) {
	e, _ := scenery(t)
	p := draw.NewPainter(all)
	s := draw.NewSVG(scene.Camera{Y: 2, Height: 10}, 400, 300, p.Theme.Background)
	p.Draw(s, e.View())
	counts := map[string]int{}
	var text strings.Builder
	for r := xml.NewDecoder(strings.NewReader(string(s.Bytes()))); ; {
		token, err := r.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			counts[x.Name.Local]++
		case xml.CharData:
			text.Write(x)
		}
	}
	if counts["polygon"] != 2 || counts["circle"] < 1 || counts["text"] != 1 || !strings.Contains(text.String(), "ball & <chain>") {
		t.Error(fmt.Sprint(counts), text.String())
	}
}
