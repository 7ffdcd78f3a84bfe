package world_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/world"
)

// Without an obstacle a body loses less than the first of these fractions of its way, and
// without a push it gains less than the second of its speed.
const partLost, partGained = .03, .002

// thrown returns a shape that flies or is a target, and its size: the distance, m, from its
// centroid to its nearest side. Unless lopsided is true, the shape is symmetric about the
// axes of its frame, so that two shapes in line push each other straight.
func (j *judged) thrown(lopsided bool) (d world.ShapeDef, size float64, name string) {
	s, n := math.Exp(j.span(math.Log(.06), math.Log(.5))), 4
	if lopsided {
		n = 6
	}
	switch j.IntN(n) {
	case 0:
		d, size, name = world.Circle(s), s, "circle"
	case 1:
		d, size, name = world.Box(s*j.span(1, 3), s), s, "box"
	case 2:
		d, size, name = world.Capsule(world.Vec{X: -s * j.span(0.3, 2)}, world.Vec{X: s}, s), s, "capsule"
		d.Points[1].X = -d.Points[0].X
	case 3:
		d, size, name = world.Box(s*.7, s*.6), s, "rounded box"
		d.Radius = s * .4
	case 4:
		d, size, name = world.CircleAt(s*j.span(-1, 1), s*j.span(-1, 1), s), s, "circle off its origin"
	default:
		var points []world.Vec
		corners := 3 + j.IntN(5)
		for i := range corners {
			points = append(points, world.Vec{Y: s / math.Cos(math.Pi/float64(corners))}.Rotate(2*math.Pi*(float64(i)+.5)/float64(corners)))
		}
		d, size, name = world.Polygon(points...), s, fmt.Sprintf("polygon of %d corners", corners)
		if j.IntN(2) == 0 {
			d.Radius = s * j.span(.1, .5)
			size += d.Radius
		}
	}
	d.Friction, d.Density = 0, math.Exp(j.span(-1, 1))
	return d, size, name
}

// wall is a large target. If flat is true, its upper side is flat over 10 m to both sides.
func (j *judged) wall() (d world.ShapeDef, flat bool, name string) {
	thick := math.Exp(j.span(math.Log(.01), math.Log(.5)))
	switch j.IntN(8) {
	case 0:
		d, flat, name = world.Box(10, thick), true, "box"
	case 1:
		d, flat, name = world.Capsule(world.Vec{X: -10}, world.Vec{X: 10}, thick), true, "capsule"
	case 2:
		d, flat, name = world.Edge(world.Vec{X: -10}, world.Vec{X: 10}), true, "edge"
	case 3:
		var points []world.Vec
		for x := 10.; x >= -10; x -= 2.5 {
			points = append(points, world.Vec{X: x})
		}
		d, flat, name = world.Chain(points...), true, "chain"
	case 4:
		d, flat, name = world.ClosedChain(world.Vec{X: -10, Y: -2 * thick}, world.Vec{X: 10, Y: -2 * thick}, world.Vec{X: 10}, world.Vec{X: -10}), true, "closed chain"
	case 5:
		d, flat, name = world.Box(10, thick), true, "rounded box"
		d.Radius = thick / 2
	case 6:
		d, name = world.Circle(j.span(1, 4)), "circle"
	default:
		d, flat, name = world.Polygon(world.Vec{X: -10}, world.Vec{X: 10}, world.Vec{X: 4, Y: -thick}, world.Vec{X: -4, Y: -thick}), true, "polygon"
	}
	d.Friction = 0
	return d, flat, name
}

// touching throws a shape at another shape, along it or away from it. At the start the two
// nearly touch.
type touching struct {
	*judged
	x            *situation
	mover, other world.Body
	size         float64   // of the thrown shape
	n            world.Vec // unit vector from the other shape to the thrown one
	gap          float64   // distance between the two outlines, m; negative if they overlap
	over         float64   // distance from the outline of the other shape to the centre of the thrown one, m
	inside       bool      // the core of the thrown shape is in the other shape
	far          float64   // distance from the centre of the thrown shape to its farthest point, m
	gravity      float64   // along -n, m/s²
	what         string
}

func (c *touching) shapeOf(b world.Body) world.Shape { return must(c.x.Shapes(b))[0] }

// height returns the distance between the centre of the thrown body and the other shape's
// outline. The normal points to the thrown body.
func (c *touching) height() world.NearHit {
	return must(c.x.Query(world.QueryFilter{}).NearestPointOf(c.shapeOf(c.other), c.x.info(c.mover).Centre))
}

// put moves the thrown body so that its outline, or its core, is at the given distance from
// the other shape.
func (c *touching) put(core bool, gap float64) bool {
	between := func() world.NearHit {
		return must(c.x.Query(world.QueryFilter{}).Distance(c.shapeOf(c.mover), c.shapeOf(c.other)))
	}
	for range 6 {
		is := c.x.info(c.mover)
		near, far := between(), gap
		if core {
			near, far = c.height(), gap+c.size/4
		}
		c.n = near.Normal
		c.x.check(c.x.Teleport(c.mover, is.Position.Add(c.n.Mul(far-near.Distance)), is.Angle))
	}
	c.gap, c.over = between().Distance, c.height().Distance
	if core {
		return math.Abs(c.over-gap-c.size/4) < 1e-5
	}
	return math.Abs(c.gap-gap) < 1e-5
}

// relative returns the place and the velocity of the thrown body relative to the other one.
func (c *touching) relative() (at, velocity world.Vec) {
	m, o := c.x.info(c.mover), c.x.info(c.other)
	return m.Centre.Sub(o.Centre), m.Velocity.Sub(o.Velocity)
}

// reach is the distance between the centre of a body's shape and its farthest point.
func (c *touching) reach(d world.ShapeDef, b world.Body) (far float64) {
	is := c.x.info(b)
	for _, p := range d.Points {
		far = max(far, p.Sub(is.LocalPoint(is.Centre)).Len())
	}
	return far + d.Radius
}

func (j *judged) speed() float64 { return math.Exp(j.span(math.Log(.1), math.Log(100))) }

// touchingWalls throws a body at, along or away from a wall that cannot move.
func touchingWalls(j *judged) {
	c := &touching{judged: j, x: newSituation(j.TB, world.Config{Stepper: j.way, NoSleep: true, Workers: 1})}
	core, gap, from := j.IntN(2) == 0, j.span(-.005, .005), "outline"
	if core {
		from = "core"
	}
	d, size, name := j.thrown(!core)
	w, flat, wall := j.wall()
	c.size = size

	turned, at, drift := j.span(-math.Pi, math.Pi), j.vec(20), world.Vec{}
	kind := world.Static
	if j.IntN(2) == 0 {
		if kind = world.Kinematic; j.IntN(3) > 0 {
			drift = j.vec(8)
		}
	}
	c.other = c.x.made(world.BodyDef{Kind: kind, Position: at, Angle: turned, Velocity: drift, Shapes: []world.ShapeDef{w}})
	site := world.Vec{X: j.span(-3, 3), Y: 8}
	lies := turned + []float64{0, math.Pi / 2, j.span(-math.Pi, math.Pi)}[j.IntN(3)]
	bullet := j.IntN(3) == 0
	c.mover = c.x.made(world.BodyDef{Kind: world.Dynamic, Position: at.Add(site.Rotate(turned)), Angle: lies, Bullet: bullet, Shapes: []world.ShapeDef{d}})
	if !c.put(core, gap) {
		return
	}

	c.far, c.inside = c.reach(d, c.mover), core && gap < 0
	v, side, turn, spin := j.speed(), float64(1-2*j.IntN(2)), 0., 0.
	way := []string{"away from", "along", "at"}[j.IntN(3)]
	switch {
	case way == "away from":
		turn = side * j.span(0, 1.4)
		if j.IntN(2) == 0 { // no corner comes nearer
			spin = max(-60, min(60, j.span(-.8, .8)*v*math.Cos(turn)/c.far))
		}
	case way == "along" && flat:
		turn = side * math.Pi / 2
	default:
		way, turn = "at", math.Pi+side*j.span(0, 1.4)
		if j.IntN(2) == 0 {
			spin = j.span(-10, 10)
		}
	}
	u := c.n.Rotate(turn)
	if j.IntN(2) == 0 {
		c.gravity = j.span(1, 12)
	}
	c.x.check(c.x.SetGravity(c.n.Mul(-c.gravity)))
	c.x.check(c.x.SetVelocity(c.mover, u.Mul(v).Add(drift)))
	c.x.check(c.x.SetAngularVelocity(c.mover, spin))
	c.what = fmt.Sprintf("a %s of size %.3g m (bullet %v, spin %.3g rad/s, turned by %.3g rad) that flies %s a %v %s (drift %.3g m/s) at %.4g m/s, %.3g rad off its normal, its %s %.2f mm away, its outline %.2f mm, gravity %.3g m/s² towards it",
		name, size, bullet, spin, lies-turned, way, kind, wall, drift.Len(), v, turn, from, 1000*gap, 1000*c.gap, c.gravity)
	if way == "at" {
		c.fliesAt(u, v, flat)
	} else {
		c.fliesOff(u, v, flat)
	}
}

const tick = 1. / 60

// along returns the direction of u along the wall, and the length of u in that direction.
func (c *touching) along(u world.Vec) (t world.Vec, part float64) {
	t = world.Vec{X: -c.n.Y, Y: c.n.X}
	if u.Dot(t) < 0 {
		t = t.Mul(-1)
	}
	return t, u.Dot(t)
}

// fliesOff checks a body that flies away from a wall, or along a flat wall: it meets no
// obstacle.
func (c *touching) fliesOff(u world.Vec, v float64, flat bool) {
	t, part := c.along(u)
	out, n := u.Dot(c.n)*v, 24
	if part > .99 {
		n = max(1, min(n, int(5/(v*tick)))) // the wall ends
	} else if c.gravity > 0 {
		n = min(n, int(.8*out/c.gravity/tick)) // it comes back
	}
	// Box2D has a skin of a centimetre around polygons. It pushes a shape that is deep in a line
	// out to either side.
	overlap, skin, sideways := max(0, -c.gap), 0., .001
	if c.way != world.SoftStep {
		skin, sideways = .02, .001+overlap
	}
	lifted := 0. // a shape in the wall may tip onto a corner
	if overlap > 0 {
		lifted = 1.1*overlap + c.far - c.over
	}
	start, _ := c.relative()
	for i := range n {
		was, _ := c.relative()
		c.x.steps(1)
		at, goes := c.relative()
		time, way, made := float64(i+1)*tick, at.Sub(start), at.Sub(was).Mul(1/tick)
		falls := c.gravity * time * (time + tick) / 2
		after := fmt.Sprintf(" after %d steps of %s", i+1, c.what)
		if !flat {
			free := v*time - falls*u.Dot(c.n)
			if !c.between("the way, m,"+after, way.Dot(u), (1-partLost)*free-sideways, (1+partGained)*v*time+1.1*overlap+skin+.005) {
				return
			}
			continue
		}
		if free := part * v * time; part > .1 && !c.between("the way along the wall, m,"+after, way.Dot(t), (1-partLost)*free-sideways, (1+partGained)*free+sideways) {
			return
		}
		low, high := out*time-falls, out*time
		if part > .99 { // if the body turns on a corner, its centre comes down
			gap := must(c.x.Query(world.QueryFilter{}).Distance(c.shapeOf(c.mover), c.shapeOf(c.other))).Distance
			if !c.between("the gap, m,"+after, gap, 1.2*min(0, c.gap)-.02, math.Inf(1)) {
				return
			}
			low, high = math.Inf(-1), .001
		}
		if !c.between("the way away from the wall, m,"+after, way.Dot(c.n), low-partLost*math.Abs(out*time)-.001, high+partGained*high+lifted+skin+.005) {
			return
		}
		if !c.between("the speed along the wall that it makes less the one that it reports, m/s,"+after, made.Sub(goes).Dot(t), -.03*v-.02-(sideways-.001)/tick, .03*v+.02+(sideways-.001)/tick) {
			return
		}
	}
}

// fliesAt checks a body that flies at a wall.
func (c *touching) fliesAt(u world.Vec, v float64, flat bool) {
	t, part := c.along(u)
	n := 60
	if flat {
		n = min(n, int(5/(part*v*tick+1e-9))) // the wall ends
	}
	start, _ := c.relative()
	energy := func() float64 { // J/kg
		at, velocity := c.relative()
		is := c.x.info(c.mover)
		return (velocity.Dot(velocity)+is.Inertia/is.Mass*is.AngularVelocity*is.AngularVelocity)/2 + c.gravity*at.Sub(start).Dot(c.n)
	}
	// A body that is pushed out of a shape at 3 m/s rises, and may keep some of that speed.
	first, allowed := energy(), .02
	if c.gap < 0 {
		allowed += 4.5 + c.gravity*-c.gap
	}
	for i := range n {
		c.x.steps(1)
		at, _ := c.relative()
		after := fmt.Sprintf(" after %d steps of %s", i+1, c.what)
		over := c.over + at.Sub(start).Dot(c.n)
		if !flat {
			over = c.height().Distance
		}
		if c.way != world.SoftStep && (c.inside || c.gap < -.02) {
			continue // Box2D 2.x allows this
		}
		if !c.between("how far its centre is from the outline, m,"+after, over, -max(.02, c.size/4), math.Inf(1)) {
			return
		}
		if !c.between("its energy, J/kg,"+after, energy(), math.Inf(-1), first*1.002+allowed+c.gravity*.03) {
			return
		}
	}
	if n < 10 {
		return
	}
	after := fmt.Sprintf(" after %d steps of %s", n, c.what)
	if n == 60 && c.gravity > 0 && flat {
		is := must(c.x.Query(world.QueryFilter{}).Distance(c.shapeOf(c.mover), c.shapeOf(c.other)))
		if !c.between("the gap, m,"+after, is.Distance, -.025, math.Inf(1)) {
			return
		}
	}
	if at, _ := c.relative(); flat { // the body stops in the steps in which it hits the wall
		free := part * v * float64(n) * tick
		c.between("the way along the wall, m,"+after, at.Sub(start).Dot(t), (1-partLost)*free-4*part*v*tick-.01, (1+partGained)*free+.05)
	}
}

// touchingPairs throws two free bodies at each other, or away from each other.
func touchingPairs(j *judged) {
	c := &touching{judged: j, x: newSituation(j.TB, world.Config{Stepper: j.way, NoGravity: true, NoSleep: true, Workers: 1})}
	from, core, gap := "outline", false, j.span(-.005, .005)
	switch j.IntN(3) {
	case 0:
		from, core = "core", true
	case 1:
		gap = j.span(0, 3)
	}
	straight := core || j.IntN(2) == 0 // the bodies push each other through their centres
	a, size, name := j.thrown(!straight)
	b, otherSize, other := j.thrown(!straight)
	if core && otherSize < size { // the core is over the outline of the larger shape
		a, b, size, otherSize, name, other = b, a, otherSize, size, other, name
	}
	c.size = size
	turned, at := j.span(-math.Pi, math.Pi), j.vec(20)
	lies := turned + j.span(-math.Pi, math.Pi)
	site := world.Vec{X: j.span(-.2, .2), Y: 8}
	if straight {
		lies, site.X = turned, 0
	}
	bulletA, bulletB := j.IntN(3) > 0, j.IntN(3) == 0
	c.other = c.x.made(world.BodyDef{Kind: world.Dynamic, Position: at, Angle: turned, Bullet: bulletB, Shapes: []world.ShapeDef{b}})
	c.mover = c.x.made(world.BodyDef{Kind: world.Dynamic, Position: at.Add(site.Rotate(turned)), Angle: lies, Bullet: bulletA, Shapes: []world.ShapeDef{a}})
	if !c.put(core, gap) {
		return
	}
	away, v, share := j.IntN(3) == 0, j.speed(), j.span(-.2, 1)
	turn := math.Pi + j.span(-.02, .02)
	var spinA, spinB float64
	switch {
	case away:
		turn = j.span(-1.4, 1.4)
	case !straight:
		turn, spinA, spinB = math.Pi+j.span(-1, 1), j.span(-10, 10), j.span(-10, 10)
	}
	u := c.n.Rotate(turn)
	v = min(v, 100)
	c.x.check(c.x.SetVelocity(c.mover, u.Mul(v*share)))
	c.x.check(c.x.SetVelocity(c.other, u.Mul(v*(share-1))))
	c.x.check(c.x.SetAngularVelocity(c.mover, spinA))
	c.x.check(c.x.SetAngularVelocity(c.other, spinB))
	c.what = fmt.Sprintf("a %s of size %.3g m (bullet %v, %.3g rad/s) and a %s of size %.3g m (bullet %v, %.3g rad/s) that fly together at %.4g m/s (the first with %.2f of it), %.3g rad off their normal, straight %v, the %s %.2f mm away, the outline %.2f mm",
		name, size, bulletA, spinA, other, otherSize, bulletB, spinB, v, share, turn, straight, from, 1000*gap, 1000*c.gap)
	c.pair(u, v, away, straight && !away && (bulletA || bulletB))
}

// pair checks two free bodies.
func (c *touching) pair(u world.Vec, v float64, away, meets bool) {
	sum := func() (p world.Vec, spin, energy, most float64) {
		for _, b := range []world.Body{c.mover, c.other} {
			is := c.x.info(b)
			p = p.Add(is.Velocity.Mul(is.Mass))
			spin += is.Mass*is.Centre.Cross(is.Velocity) + is.Inertia*is.AngularVelocity
			energy += is.KineticEnergy()
			most += is.Mass * is.Velocity.Len()
		}
		return p, spin, energy, most
	}
	m, o := c.x.info(c.mover).Mass, c.x.info(c.other).Mass
	first, _, energy, most := sum()
	start, _ := c.relative()
	reduced, allowed := m*o/(m+o), 1e-4*(m+o)
	if c.gap < 0 {
		allowed += reduced * 4.5
	}
	_, part := c.along(u)
	overlap, skin := max(0, -c.gap), 0.
	if c.way != world.SoftStep {
		skin = .02
	}
	for i := range 24 {
		was, _ := c.relative()
		c.x.steps(1)
		at, goes := c.relative()
		after := fmt.Sprintf(" after %d steps of %s", i+1, c.what)
		p, _, e, _ := sum()
		if !c.between("the momentum that came, kg·m/s,"+after, p.Sub(first).Len(), 0, 1e-4*most+1e-5*(m+o)) {
			return
		}
		if !c.between("the energy, J,"+after, e, 0, energy*(1+partGained)+allowed) {
			return
		}
		time, way, made := float64(i+1)*tick, at.Sub(start), at.Sub(was).Mul(1/tick)
		if away && !c.between("the way, m,"+after, way.Dot(u), (1-partLost)*v*time-.001, (1+partGained)*v*time+1.1*overlap+skin+.005) {
			return
		}
		if away && overlap+skin == 0 && !c.between("the speed that they make less the one that they report, m/s,"+after, made.Sub(goes).Len(), 0, .03*v+.02) {
			return
		}
		// A body that is no longer in the way of the other may pass it.
		if meets && part < .5 && math.Abs(at.Cross(c.n)) < .3*c.size && !c.between("how far the one is before the other, m,"+after, at.Dot(c.n), 0, math.Inf(1)) {
			return
		}
	}
}

// touchings are the referees for all throws at all targets.
func touchings() []referee {
	return []referee{
		{name: "touching: walls", judge: touchingWalls},
		{name: "touching: pairs", judge: touchingPairs},
	}
}

// Every shape is thrown at every other shape, along it and away from it. At the start the two
// nearly touch.
func TestAttackTouchingShapes(t *testing.T) {
	a := attack.Start(t)
	all := touchings()
	for r := range a.Rounds() {
		way := []world.Stepper{world.SoftStep, world.SoftStep, world.FastStep}[r.IntN(3)]
		f := all[r.IntN(len(all))]
		f.judge(&judged{TB: a, Rand: r, way: way, name: f.name})
		a.Count("throws", 1)
	}
}

// A shape does not stop a body that flies away from it or along it, and no body passes
// through a shape.
func TestWhatFliesOffGoesItsWayAndWhatFliesAtAShapeDoesNotPass(t *testing.T) {
	norace.Only(t)
	for _, f := range touchings() {
		for _, way := range []world.Stepper{world.FastStep, world.SoftStep} {
			t.Run(fmt.Sprintf("%s/%v", f.name, way), func(t *testing.T) {
				for seed := range uint64(400) {
					f.judge(&judged{TB: t, Rand: rand.New(rand.NewPCG(seed, 61)), way: way, name: fmt.Sprintf("%s, seed %d", f.name, seed)})
				}
			})
		}
	}
}

func TestBulletsThatOverlapDoNotPassThroughEachOther(t *testing.T) {
	for _, core := range []float64{.001, .003, .005, .01} { // distance from the core of the small shape to the outline of the other, m
		x := newSituation(t, world.Config{Stepper: world.SoftStep, NoGravity: true, NoSleep: true, Workers: 1})
		o := x.made(world.BodyDef{Kind: world.Dynamic, Velocity: world.Vec{Y: 50}, Bullet: true, Shapes: []world.ShapeDef{world.Circle(.25)}})
		m := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: .25 + .1/4 + core}, Velocity: world.Vec{Y: -50}, Bullet: true, Shapes: []world.ShapeDef{world.Circle(.1)}})
		x.steps(1)
		if d := x.info(m).Position.Y - x.info(o).Position.Y; d < 0 {
			t.Errorf("core %g m away: the upper one is %.3f m below the other after a step", core, -d)
		}
	}
}

func TestABodyOnOneCornerWhoseCoreIsInALineDoesNotPassIt(t *testing.T) {
	for _, core := range []float64{-.005, -.0001, .0001} {
		x := newSituation(t, world.Config{Stepper: world.SoftStep, NoGravity: true, NoSleep: true, Workers: 1})
		x.made(world.BodyDef{Shapes: []world.ShapeDef{world.Edge(world.Vec{X: -10}, world.Vec{X: 10})}})
		m := x.made(world.BodyDef{Kind: world.Dynamic, Angle: .8, Position: world.Vec{Y: .4/4 + core}, Velocity: world.Vec{Y: -30}, Shapes: []world.ShapeDef{world.Capsule(world.Vec{X: -.6}, world.Vec{X: .6}, .4)}})
		x.steps(60)
		if y := x.info(m).Position.Y; y < 0 {
			t.Errorf("core %g m away: y %.2f after 60 steps", core, y)
		}
	}
}

func TestACoreThatTouchesAChainGoesOverItsCorners(t *testing.T) {
	for _, core := range []float64{-.002, .001, .003} {
		x := newSituation(t, world.Config{Stepper: world.SoftStep, NoGravity: true, NoSleep: true, Workers: 1})
		w, c := world.Chain(world.Vec{X: 10}, world.Vec{}, world.Vec{X: -10}), world.Circle(.12)
		w.Friction, c.Friction = 0, 0
		x.made(world.BodyDef{Shapes: []world.ShapeDef{w}})
		m := x.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: -.04, Y: .12/4 + core}, Velocity: world.Vec{X: 20}, Shapes: []world.ShapeDef{c}})
		x.steps(1)
		if way := x.info(m).Position.X + .04; way < .3 {
			t.Errorf("core %g m away: it goes %.3f m in a step, of 0.333", core, way)
		}
	}
}
