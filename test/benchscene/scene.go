// Package benchscene has the scenes of the step benchmark as data.
//
// A scene is a list of bodies and joints in metres, radians and seconds. It depends on no
// physics engine: the benchmark builds it in a Box2D world, and the viewer builds it with
// the engine. [AddTo] is the builder for a Box2D world.
//
// Products are converted before they are added, so that no compiler fuses a product and a
// sum. So a scene has the same bits on every machine.
//
// Every scene is made for gravity (0, -10), steps of 1/60 s, 8 velocity and 3 position
// iterations, sleeping off, density 1 and friction 0.6.
package benchscene

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// the constants of every scene
const (
	GravityX           = 0.0        // m/s²
	GravityY           = -10.0      // m/s²
	StepSeconds        = 1.0 / 60.0 // seconds per step
	VelocityIterations = 8
	PositionIterations = 3
	Density            = 1.0 // kg/m²
	Friction           = 0.6
)

// Type is a body's kind of motion. The values are those of box2d.B2BodyType.
type Type uint8

// The body types.
const (
	Static    Type = 0
	Kinematic Type = 1
	Dynamic   Type = 2
)

// Part is one box of a compound body, in the body's frame.
type Part struct {
	X, Y   float64 // centre, metres
	HX, HY float64 // half extents, metres
}

// Body is a box, a circle, a capsule or a compound of boxes.
type Body struct {
	X, Y            float64 // origin, metres
	HX, HY          float64 // half extents, m; the radius of a circle is HX, that of a capsule is HY
	Type            Type
	AngularVelocity float64 // radians per second
	Circle          bool
	Capsule         bool   // a capsule along the x axis
	Collides        bool   // bodies for which this is false do not collide with each other
	Parts           []Part // boxes of a compound, instead of HX and HY
}

// Joint holds two bodies together at a point that may turn (revolute).
type Joint struct {
	A, B   int     // indices into Scene.Bodies
	AX, AY float64 // anchor in A's frame, metres
	BX, BY float64 // anchor in B's frame, metres
}

// Scene is the world of one benchmark run.
type Scene struct {
	Name        string
	Description string
	Bodies      []Body
	Joints      []Joint
}

// Filter bits of bodies that do not collide with each other.
const (
	LonerCategory = 0x0002
	LonerMask     = 0xFFFF &^ LonerCategory
)

var builders = []struct {
	name, description string
	build             func(*Scene)
}{
	{"pyramid", "820 unit boxes in a pyramid with a base of 40", pyramid},
	{"fall1000", "1,000 half-metre boxes falling into a container", fall},
	{"fall5000", "5,000 half-metre boxes falling into a container", fall},
	{"fall10000", "10,000 half-metre boxes falling into a container", fall},
	{"tumbler", "1,024 boxes in a box that turns 25 degrees a second", tumbler},
	{"jointgrid", "a net of 20 by 20 circles held by revolute joints", jointgrid},
	{"islands", "200 separate piles of 25 boxes", islands},
}

// Names lists the scenes in the order in which the benchmark runs them.
func Names() []string {
	names := make([]string, len(builders))
	for i, b := range builders {
		names[i] = b.name
	}
	return names
}

// Build makes a scene by name, or lists the names in an error. Besides those of [Names],
// "fallN" makes a container of N boxes, and "capsulesN" makes a container of N capsules of
// the same width. The library has no capsules.
func Build(name string) (Scene, error) {
	for _, b := range builders {
		if b.name == name {
			s := Scene{Name: name, Description: b.description}
			b.build(&s)
			return s, nil
		}
	}
	if digits, ok := strings.CutPrefix(name, "fall"); ok {
		if n, err := strconv.Atoi(digits); err == nil && n > 0 && n <= 1_000_000 {
			s := Scene{Name: name, Description: digits + " half-metre boxes falling into a container"}
			fall(&s)
			return s, nil
		}
	}
	if digits, ok := strings.CutPrefix(name, "capsules"); ok {
		s, err := Build("fall" + digits)
		s.Name, s.Description = name, digits+" capsules falling into a container"
		for i := range s.Bodies {
			if b := &s.Bodies[i]; b.Type == Dynamic {
				b.Capsule, b.HX, b.HY = true, 0.25, 0.15
			}
		}
		return s, err
	}
	return Scene{}, fmt.Errorf("unknown scene %q (have %s)", name, strings.Join(Names(), ", "))
}

func box(x, y, hx, hy float64, t Type) Body {
	return Body{X: x, Y: y, HX: hx, HY: hy, Type: t, Collides: true}
}

func pyramid(s *Scene) {
	const n, h = 40, 0.5
	s.Bodies = append(s.Bodies, box(0, -1, 100, 1, Static))
	for i := 0; i < n; i++ {
		for j := i; j < n; j++ {
			x := float64((float64(i)+1)*h) + float64(2*float64(j-i)*h) - h*n
			y := (float64(2*i) + 1) * h
			s.Bodies = append(s.Bodies, box(x, y, h, h, Dynamic))
		}
	}
}

// random is a linear congruential generator that returns its upper 24 bits, so that programs
// in other languages can draw the same numbers.
type random uint32

func (r *random) next() float64 {
	*r = *r*1664525 + 1013904223
	return float64(*r>>8) / 16777216
}

func fall(s *Scene) {
	n, _ := strconv.Atoi(strings.TrimPrefix(s.Name, "fall"))
	cols := 125
	switch n {
	case 1000:
		cols = 40
	case 5000:
		cols = 100
	}
	w := float64(float64(cols)*0.6) + 1
	height := float64(float64(n/cols)*0.6) + 10
	s.Bodies = append(s.Bodies,
		box(0, -0.5, w/2+1, 0.5, Static),
		box(-w/2-0.5, height/2, 0.5, height/2, Static),
		box(w/2+0.5, height/2, 0.5, height/2, Static))
	r := random(12345)
	for i := 0; i < n; i++ {
		x := -w/2 + 0.8 + float64(float64(i%cols)*0.6) + float64((r.next()-0.5)*0.08)
		s.Bodies = append(s.Bodies, box(x, 0.5+float64(float64(i/cols)*0.6), 0.25, 0.25, Dynamic))
	}
}

func tumbler(s *Scene) {
	s.Bodies = append(s.Bodies, Body{
		Y: 10, Type: Kinematic, AngularVelocity: math.Pi / 180 * 25, Collides: true,
		Parts: []Part{{10, 0, 0.5, 10}, {-10, 0, 0.5, 10}, {0, 10, 10, 0.5}, {0, -10, 10, 0.5}},
	})
	const g = 32
	for i := 0; i < g; i++ {
		for j := 0; j < g; j++ {
			s.Bodies = append(s.Bodies, box(-0.2*g+float64(0.4*float64(j)), -0.2*g+10+float64(0.4*float64(i)), 0.125, 0.125, Dynamic))
		}
	}
}

func jointgrid(s *Scene) {
	const n = 20
	for k := 0; k < n; k++ {
		for i := 0; i < n; i++ {
			b := box(float64(k), -float64(i), 0.4, 0.4, Dynamic)
			b.Circle, b.Collides = true, false
			if i == 0 && k >= n/2-3 && k <= n/2+3 {
				b.Type = Static
			}
			index := len(s.Bodies)
			s.Bodies = append(s.Bodies, b)
			if i > 0 {
				s.Joints = append(s.Joints, Joint{A: index - 1, B: index, AY: -0.5, BY: 0.5})
			}
			if k > 0 {
				s.Joints = append(s.Joints, Joint{A: index - n, B: index, AX: 0.5, BX: -0.5})
			}
		}
	}
}

// islands stacks rows of 7, 6, 5, 4 and 3 boxes, 200 times on one long floor.
func islands(s *Scene) {
	const piles, spacing, h = 200, 6.0, 0.25
	s.Bodies = append(s.Bodies, box(0, -0.5, piles*spacing/2+spacing, 0.5, Static))
	for p := 0; p < piles; p++ {
		centre := (float64(p) - (piles-1)/2.0) * spacing
		for row := 0; row < 5; row++ {
			count := 7 - row
			for k := 0; k < count; k++ {
				x := centre + float64((float64(k)-float64(count-1)/2)*2.1*h)
				s.Bodies = append(s.Bodies, box(x, h+float64(float64(row)*2.02*h), h, h, Dynamic))
			}
		}
	}
}
