package v3scene

import (
	"math"

	"halfstep/world"
)

// trough is a ground of blocks side by side, from -half to half, with a wall of blocks at
// each end.
func trough(half, high int) (blocks []world.ShapeDef) {
	for x := -half; x <= half; x++ {
		blocks = append(blocks, block(float64(x), 0, .55, .5))
	}
	for _, x := range []int{-half, half} {
		for y := 1; y <= high; y++ {
			blocks = append(blocks, block(float64(x), float64(y), .5, .55))
		}
	}
	return blocks
}

// compounds drops 3,000 arrow heads, each of two triangles, into a trough.
func compounds(b *builder) {
	b.fixed(append(trough(40, 100), usual(world.Edge(world.Vec{X: -800, Y: -80}, world.Vec{X: 800, Y: -80})))...)
	left := usual(world.Polygon(world.Vec{X: -1}, world.Vec{X: .5, Y: 1}, world.Vec{Y: 2}))
	right := usual(world.Polygon(world.Vec{X: 1}, world.Vec{X: -.5, Y: 1}, world.Vec{Y: 2}))
	left.Friction, right.Friction = .5, .5
	head := []world.ShapeDef{left, right}
	sway := .25
	for i := range 20 {
		for k := range 150 {
			b.loose(float64(2*i-19)+sway, float64(2.25*float64(k))+5.575, head...)
			sway = -sway
		}
	}
}

// jointGrid is a net of 100 by 100 discs. Seven of the discs hold it.
func jointGrid(b *builder) {
	const n = 100
	disc := usual(world.Circle(.4))
	disc.Filter = world.Filter{Category: 2, Mask: world.AllCategories &^ 2}
	pin := func(a, c world.Body, at world.Vec) {
		must(b.w.CreateJoint(world.JointDef{Kind: world.RevoluteJoint, A: a, B: c, AnchorA: at, AnchorB: at.Mul(-1)}))
	}
	var net [n][n]world.Body
	for k := range n {
		for i := range n {
			d := world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(k), Y: -float64(i)}, Shapes: []world.ShapeDef{disc}}
			if i == 0 && k >= n/2-3 && k <= n/2+3 {
				d.Kind = world.Static
			}
			net[k][i] = must(b.w.CreateBody(d))
			if i > 0 {
				pin(net[k][i-1], net[k][i], world.Vec{Y: -.5})
			}
			if k > 0 {
				pin(net[k-1][i], net[k][i], world.Vec{X: .5})
			}
		}
	}
}

// junkyard drops 8,000 pentagons, which a pusher then moves to and fro.
func junkyard(b *builder) {
	b.fixed(trough(80, 50)...)
	const radius = .25
	var points []world.Vec
	for i := range 5 { // v3 makes a spiral of the golden angle, with sides of different lengths
		points = append(points, polar(radius, math.Pi*(math.Sqrt(5)-1)*float64(i)))
	}
	scrap := []world.ShapeDef{usual(world.Polygon(points...))}
	sway := -.1
	for i := range 200 {
		for k := range 40 {
			b.loose(float64(1.5*radius*float64(2*i-200))+sway, float64(4*radius*float64(k))+15, scrap...)
			sway = -sway
		}
	}
	pusher := must(b.w.CreateBody(world.BodyDef{Kind: world.Kinematic, Shapes: []world.ShapeDef{block(0, 4, 2, 4)}}))
	b.beforeEach(func(step int) {
		// with this velocity the pusher is at its next place after one step
		to := world.Vec{X: polar(60, float64(.2*StepSeconds*float64(step))).Y}
		i := must(b.w.Body(pusher))
		must(0, b.w.SetVelocity(pusher, to.Sub(i.Position).Mul(1/StepSeconds)))
	})
}

// pile makes a stack of boxes with half extent h. The lowest row has base boxes, and each
// row above has one less.
func (b *builder) pile(base int, h, left, bottom float64) {
	brick := []world.ShapeDef{usual(world.Box(h, h))}
	for row := range base {
		for k := range base - row {
			b.loose(float64(h*float64(row+1+2*k))+left, float64(h*float64(2*row+1))+bottom, brick...)
		}
	}
}

func largePyramid(b *builder) {
	b.fixed(block(0, -1, 100, 1))
	b.pile(100, .5, -50, 0)
}

// manyPyramids builds 20 pyramids on each of 20 storeys.
func manyPyramids(b *builder) {
	const width, rise = 220, 11
	var floors []world.ShapeDef
	for i := range 20 {
		y := float64(rise * i)
		floors = append(floors, usual(world.Edge(world.Vec{X: -width / 2, Y: y}, world.Vec{X: width / 2, Y: y})))
	}
	b.fixed(floors...)
	for i := range 20 {
		for k := range 20 {
			b.pile(10, .5, float64(11*k-width/2)+.5, float64(rise*i))
		}
	}
}

// smash throws a big block into a sleeping wall of 9,600 small ones.
func smash(b *builder) {
	big := usual(world.Box(4, 4))
	big.Density = 8
	must(b.w.CreateBody(world.BodyDef{
		Kind: world.Dynamic, Position: world.Vec{X: -20}, Velocity: world.Vec{X: 40}, Shapes: []world.ShapeDef{big},
	}))
	small := []world.ShapeDef{usual(world.Box(.2, .2))}
	for i := range 120 {
		for k := range 80 {
			at := world.Vec{X: float64(.4*float64(i)) + 30, Y: .4 * float64(k-40)}
			must(b.w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: at, Asleep: true, Shapes: small}))
		}
	}
}

// spinner has a long bar that stirs 6,076 bodies in a round bowl.
func spinner(b *builder) {
	var rim []world.Vec
	for i := range 360 {
		rim = append(rim, polar(40, -math.Pi/180*float64(i)).Add(world.Vec{Y: 32}))
	}
	bowl := world.ClosedChain(rim...)
	bowl.Friction = .1
	ground := b.fixed(bowl)

	bar := usual(world.Box(.4, 20))
	bar.Friction, bar.Radius = 0, .2
	hub := world.Vec{Y: 12}
	spun := must(b.w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: hub, NoSleep: true, Shapes: []world.ShapeDef{bar}}))
	must(b.w.CreateJoint(world.JointDef{
		Kind: world.RevoluteJoint, A: ground, B: spun, AnchorA: hub, EnableMotor: true, MotorSpeed: 5, MaxMotorForce: math.MaxFloat32,
	}))

	stuff := [...]world.ShapeDef{world.Capsule(world.Vec{X: -.25}, world.Vec{X: .25}, .25), world.Circle(.35), world.Box(.35, .35)}
	for i := range stuff {
		stuff[i].Density, stuff[i].Friction, stuff[i].Restitution = .25, .1, .1
	}
	const inRow = 92
	for i := range 2 * 3038 {
		b.loose(float64(.5*float64(i%inRow))-23, float64(.5*float64(i/inRow))+2, stuff[i%3:i%3+1]...)
	}
}

// tumbler turns 2,025 small boxes in a large box that a motor drives.
func tumbler(b *builder) {
	walls := []world.ShapeDef{block(10, 0, .5, 10), block(-10, 0, .5, 10), block(0, 10, 10, .5), block(0, -10, 10, .5)}
	for i := range walls {
		walls[i].Density = 50
	}
	ground, drum := b.fixed(), b.loose(0, 10, walls...)
	must(b.w.CreateJoint(world.JointDef{
		Kind: world.RevoluteJoint, A: ground, B: drum, AnchorA: world.Vec{Y: 10}, EnableMotor: true, MotorSpeed: math.Pi / 180 * 25, MaxMotorForce: 1e8,
	}))
	small := []world.ShapeDef{usual(world.Box(.125, .125))}
	for i := range 45 {
		for k := range 45 {
			b.loose(float64(.4*float64(k))-9, float64(.4*float64(i))+1, small...)
		}
	}
}

// washer turns 8,100 boxes in a kinematic ring with four paddles. It also receives hit
// events.
func washer(b *builder) {
	b.fixed()
	const inner, rim, outer, part, seam = 14, 16, 18, math.Pi / 18, math.Pi / 180
	quad := func(low, high, from, to float64) world.ShapeDef {
		return usual(world.Polygon(polar(low, from), polar(high, from), polar(low, to), polar(high, to)))
	}
	var ring []world.ShapeDef
	for i := range 36 {
		from, to := part*float64(i), part*float64(i+1)
		if ring = append(ring, quad(rim, outer, from-seam, to+seam)); i%9 == 0 {
			ring = append(ring, quad(inner, rim, from, to))
		}
	}
	must(b.w.CreateBody(world.BodyDef{
		Kind: world.Kinematic, Position: world.Vec{Y: 10}, AngularVelocity: math.Pi / 180 * 25, Velocity: world.Vec{X: .001, Y: -.002}, Shapes: ring,
	}))
	small := []world.ShapeDef{usual(world.Box(.1, .1))}
	for i := range 90 {
		for k := range 90 {
			b.loose(float64(.21*float64(k))-9.9, float64(.21*float64(i))+.1, small...)
		}
	}
	b.w.AddContactHook(func(*world.World, []world.Event) {}) // v3's boxes also report hits
}
