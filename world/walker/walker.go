// Package walker moves a figure through a world: a capsule that walks, jumps and rides, and that
// no body pushes. It finds obstacles by [world.Query] and goes around them, so it moves alike with
// every stepper.
//
//	hero, err := walker.New(w, walker.Def{Position: world.Vec{X: 2, Y: 1}}) // in Setup
//	hero.Send(e.Commands, walker.Input{Walk: 1, Jump: pressed})             // in a frame
//	at, _ := e.Pose(hero.Body)                                              // its feet
//
// The figure slides along walls, walks up slopes and steps up to a limit, and follows the ground
// down. Moving ground, turning ground and belts ([world.ShapeDef].SurfaceSpeed) carry the figure.
// It passes one-way shapes from behind.
//
// The figure has up to two bodies. Body is a sensor of the figure's shape: coins and gates have
// events with Body, and rays and casts find Body only if they look for sensors. Unless the figure
// is a Ghost, a slightly smaller kinematic body moves with it: other bodies land on this body and
// bounce off it. Nothing moves it, and sensors have no events with it. The figure pushes bodies in
// its way along at its own pace, up to the force Push, and its weight presses on its ground. Lifts
// and walls that move into the figure push it away.
//
// Snapshots contain the figure's state, so it goes back in time with its world. Two walkers move
// in the order in which they were made. A controller that moves a lift should be added before the
// walker, or the walker follows a step later.
package walker

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"halfstep/buffer/body2d"
	"halfstep/internal/binenc"
	"halfstep/internal/trig"
	"halfstep/world"
)

// Def describes a figure. The zero Def is a figure of 1.8 m.
type Def struct {
	Name     string    // Name is the name of the walker's bodies.
	Position world.Vec // Position is the position of the walker's feet in m.
	Height   float64   // m; 0 means 1.8
	Radius   float64   // Radius is the radius of the capsule in m. The value 0 means 0.3.
	Ghost    bool      // bodies that move into the figure pass through it; the figure still pushes those in its way, by Settings.Push
	Filter   world.Filter
	Colour   body2d.Colour
	Settings
}

// Settings are the limits of a figure's motion. They may be changed between steps, on the physics
// goroutine. 0 means the value in brackets, and a negative number means 0.
type Settings struct {
	Speed           float64 // speed along the ground, m/s (5)
	Acceleration    float64 // acceleration on the ground, m/s² (unlimited)
	AirAcceleration float64 // acceleration in the air towards the wanted speed, m/s² (20)
	Jump            float64 // upwards, m/s (7)
	Grace           float64 // time after an edge and before a landing in which a jump is possible, s (0.1)
	MaxSlope        float64 // the steepest slope that the figure walks up, rad (0.87, which is 50°)
	StepHeight      float64 // the highest step that the figure walks up or down, m (0.35)
	Push            float64 // the force on bodies in the figure's way, N (200)
	Mass            float64 // the mass whose weight presses on the ground, kg (70)
}

var defaults = Settings{Speed: 5, AirAcceleration: 20, Jump: 7, Grace: .1, MaxSlope: .87, StepHeight: .35, Push: 200, Mass: 70}

func (s *Settings) numbers() [9]*float64 {
	return [...]*float64{&s.Speed, &s.Acceleration, &s.AirAcceleration, &s.Jump, &s.Grace, &s.MaxSlope, &s.StepHeight, &s.Push, &s.Mass}
}

// complete replaces 0 in the settings by the default, and negative numbers, numbers that are too
// large and NaN by 0.
func (s Settings) complete() Settings {
	other := defaults.numbers()
	for i, x := range s.numbers() {
		if *x == 0 {
			*x = *other[i]
		} else if !(*x > 0 && *x < 1e6) {
			*x = 0
		}
	}
	return s
}

// Input is the player's input.
type Input struct {
	Walk float64 // from -1, to the left, to 1, to the right; valid until the next Input
	Jump bool    // once
	Drop bool    // once: drop through the one-way shape below
}

// Ground is the shape under a figure.
type Ground struct {
	Body     world.Body
	Shape    world.Shape
	Point    world.Vec // the point of contact, m
	Normal   world.Vec // unit, of the ground
	Velocity world.Vec // velocity of the ground at Point, m/s
}

// Walker is a figure in a world. Its fields and methods are for the physics goroutine, except
// Body, Send and Is.
type Walker struct {
	Body world.Body // a dynamic body; its origin is at the feet
	Settings

	command        string            // the name of the function that Send calls
	solid          world.Body        // the kinematic body on which others land; 0 for a Ghost
	capsule        world.ShapeDef    // capsule has its lowest point at the feet.
	filter         world.QueryFilter // selects the shapes that may be in the figure's way
	height, radius float64

	State
	move // scratch memory of BeforeStep, set in each step
}

// State is the part of a figure's state that later steps need, except the Settings. To move a
// figure to another place, teleport its Body.
type State struct {
	Position world.Vec // place of the feet after the next step or, between two steps, after the last one, m
	Velocity world.Vec // m/s
	Input    Input
	Along    float64        // speed along the ground, m/s
	Stands   bool           // the figure stands on Ground
	Ground   Ground         // Ground is the walker's present ground, or its last ground.
	Met      []world.RayHit // the shapes in the figure's way in the last step, in order
	Dropping bool           // the figure falls through one-way shapes
	Slides   bool           // the figure slides down a slope that is too steep

	WantsJump float64 // how much longer the player's jump may still begin, s
	Off       float64 // time since the figure last stood, s; after a jump or drop, too long for another jump
}

// New makes a figure. Call New in Setup, because a replay needs the same bodies, state and
// command. The error names the wrong value in the definition. Two figures of a world need two
// names, or New panics.
func New(w *world.World, def Def) (*Walker, error) {
	if def.Height == 0 {
		def.Height = 1.8
	}
	if def.Radius == 0 {
		def.Radius = .3
	}
	if !(def.Radius >= .02 && def.Height > 2*def.Radius && def.Height < 1e3) {
		return nil, fmt.Errorf("walker: a height of %v m and a radius of %v m: it is higher than wide", def.Height, def.Radius)
	}
	h := &Walker{Settings: def.Settings, command: "walker " + def.Name, height: def.Height, radius: def.Radius}
	h.capsule = world.Capsule(world.Vec{Y: h.radius}, world.Vec{Y: h.height - h.radius}, h.radius)
	h.Position = def.Position
	h.filter.Mask, h.filter.Category = def.Filter.Mask, def.Filter.Category
	b := world.BodyDef{Name: def.Name, Kind: world.Dynamic, Position: def.Position, FixedRotation: true, NoGravity: true, Colour: def.Colour}
	var err error
	// Body has the full size. The solid body is smaller, because it must not press on the figure's
	// ground.
	if h.Body, err = h.make(w, b, 0, def.Filter); err == nil && !def.Ghost {
		b.Kind = world.Kinematic
		h.solid, err = h.make(w, b, min(inset, h.radius/3), def.Filter)
	}
	if err != nil {
		return nil, err
	}
	h.filter.Ignore = h.solid
	w.AddController(h)
	w.Register(h.command, h.obey)
	return h, nil
}

// inset is the distance by which the solid body is smaller on all sides, m. The body must not
// press on the figure's ground or on walls, because nothing can move it.
const inset = .05

// make makes a body of the figure's shape, but smaller by a length, m, on all sides. The body's
// shape is a polygon around the capsule's arcs.
func (h *Walker) make(w *world.World, b world.BodyDef, smaller float64, f world.Filter) (world.Body, error) {
	low, high := h.capsule.Points[0], h.capsule.Points[1]
	var points []world.Vec
	for i := range 4 {
		sin, cos := trig.SinCos(math.Pi / 3 * float64(i))
		out := world.Vec{X: cos, Y: sin}.Mul(h.radius - smaller)
		points = append(points, high.Add(out), low.Sub(out))
	}
	s := world.Polygon(points...)
	s.Filter, s.Sensor, s.Unsensed = f, b.Kind == world.Dynamic, b.Kind != world.Dynamic
	b.Shapes = []world.ShapeDef{s}
	return w.CreateBody(b)
}

// Set sets the input. A jump or drop that has not happened yet stays.
func (h *Walker) Set(in Input) {
	if !(in.Walk >= -1 && in.Walk <= 1) {
		in.Walk = max(-1, min(in.Walk, 1))
		if in.Walk != in.Walk { // NaN
			in.Walk = 0
		}
	}
	in.Jump, in.Drop = in.Jump || h.Input.Jump, in.Drop || h.Input.Drop
	h.Input = in
}

// Send does the work of Set as a command, for any goroutine.
func (h *Walker) Send(c world.Commands, in Input) {
	args := []float64{in.Walk, 0, 0}
	for i, on := range [...]bool{in.Jump, in.Drop} {
		if on {
			args[1+i] = 1
		}
	}
	c.DoNamed(h.command, args...)
}

// Is reports whether a body is one of the figure's: Body, or the solid one, whose contacts have
// events. Any goroutine may call it.
func (h *Walker) Is(b world.Body) bool { return b != 0 && (b == h.Body || b == h.solid) }

// obey carries out a command of Send. The command may come from another machine, with any
// arguments.
func (h *Walker) obey(_ *world.World, args []float64) {
	if len(args) == 3 {
		h.Set(Input{args[0], args[1] > 0, args[2] > 0})
	}
}

// AppendBinary appends Settings and State, so that the figure goes back in time with its world;
// see [world.Stateful].
func (h *Walker) AppendBinary(b []byte) ([]byte, error) {
	b = binenc.Append(b, reflect.ValueOf(&h.Settings).Elem())
	return binenc.Append(b, reflect.ValueOf(&h.State).Elem()), nil
}

// UnmarshalBinary sets the state from the bytes of AppendBinary.
func (h *Walker) UnmarshalBinary(b []byte) error {
	b, err := binenc.Read(b, reflect.ValueOf(&h.Settings).Elem())
	if err == nil {
		b, err = binenc.Read(b, reflect.ValueOf(&h.State).Elem())
	}
	if err != nil || len(b) > 0 {
		return errors.New("walker: not the state of a figure")
	}
	return nil
}
