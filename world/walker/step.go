package walker

import (
	"math"

	"halfstep/internal/trig"
	"halfstep/world"
)

const (
	turns     = 5    // the greatest number of surfaces that the figure goes around in one step
	deep      = 1e-6 // m; shallower overlaps are ignored
	frontDeep = .01  // m; the greatest depth of the figure in a one-way shape that carries it
	frontCone = .5   // least cosine of the angle between the normal and the direction of a one-way shape that carries the figure
	beside    = 1e-3 // m; the distance from a point of contact at which the faces of a corner are searched for
	farthest  = 1.9  // m in a step; Box2D moves a body at most 2 m, so the figure is teleported farther than this
)

// move holds the variables of one step: of BeforeStep and the methods that it calls.
type move struct {
	w       *world.World
	q       world.Query
	set     Settings
	dt      float64
	least   float64    // the smallest y of a ground's normal on which the figure can walk
	carrier world.Body // the ground, no obstacle while carry moves the figure with it
}

// BeforeStep moves the figure to its place after a step of dt seconds.
func (h *Walker) BeforeStep(w *world.World, dt float64) {
	in, err := w.Body(h.Body)
	if err != nil || !(dt > 0) {
		return
	}
	set := h.Settings.complete()
	_, cos := trig.SinCos(min(set.MaxSlope, math.Pi/2))
	h.move = move{w: w, q: w.Query(h.filter), set: set, dt: dt, least: cos}
	if in.Position.Sub(h.Position).Len() > frontDeep { // the program has teleported the body
		h.Position, h.Stands = in.Position, false
	}
	h.Met = h.Met[:0]
	h.leaveOverlaps()
	h.Dropping = h.Dropping && h.inOneWay()
	if h.Stands {
		h.Stands = h.settle(h.set.StepHeight)
	}
	h.jumpOrDrop()
	if h.Stands {
		h.walk()
		h.Velocity = h.Ground.Velocity.Add(along(h.Ground.Normal, h.Along))
		h.carry()
		h.Off = 0
	} else {
		h.fly()
		h.Off += dt
	}
	h.giveWay()
	h.WantsJump = max(h.WantsJump-dt, 0)
	h.follow(h.Body)
	if h.solid != 0 {
		h.follow(h.solid)
	}
}

// follow gives a body the velocity that takes it to the figure's place in the step.
func (h *Walker) follow(b world.Body) {
	in, err := h.w.Body(b)
	if err != nil {
		return
	}
	way := h.Position.Sub(in.Position)
	if way.Len() > farthest {
		_ = h.w.Teleport(b, h.Position, 0)
		way = world.Vec{}
	}
	_ = h.w.SetVelocity(b, way.Mul(1/h.dt))
}

// jumpOrDrop carries out the player's jump or drop. A jump is also possible shortly before a
// landing and shortly after leaving an edge, but only once: it sets Off above Grace.
func (h *Walker) jumpOrDrop() {
	if h.Input.Jump {
		h.WantsJump = max(h.set.Grace, h.dt)
	}
	if h.Input.Drop && h.Stands {
		if s, err := h.w.Shape(h.Ground.Shape); err == nil && s.OneWay != (world.Vec{}) {
			h.Dropping, h.Stands, h.Off = true, false, h.set.Grace+1
		}
	}
	h.Input.Jump, h.Input.Drop = false, false
	if h.WantsJump > 0 && h.set.Jump > 0 && (h.Stands || h.Off < h.set.Grace) {
		if h.Stands {
			h.Velocity = h.Ground.Velocity.Add(world.Vec{X: float64(h.Ground.Normal.Y * h.Along)})
		}
		h.Velocity.Y = max(h.Ground.Velocity.Y, 0) + h.set.Jump
		h.Stands, h.WantsJump, h.Off = false, 0, h.set.Grace+1
	}
}

// approach moves x towards the argument to, by at most the argument most.
func approach(x, to, most float64) float64 { return max(x-most, min(x+most, to)) }

// walk moves the figure along the ground.
func (h *Walker) walk() {
	// The conversions to float64 in this file keep compilers from fusing a product with a sum.
	wish := float64(h.Input.Walk * h.set.Speed)
	if h.set.Acceleration > 0 {
		h.Along = approach(h.Along, wish, float64(h.set.Acceleration*h.dt))
	} else {
		h.Along = wish
	}
	by := along(h.Ground.Normal, h.Along*h.dt)
	h.goAlong(by)
	if !h.settle(h.set.StepHeight + by.Len()) {
		h.Stands = false
	}
}

// along is a vector of the given length along a surface. On a floor, a positive length is a vector to
// the right.
func along(normal world.Vec, length float64) world.Vec {
	return world.Vec{X: normal.Y, Y: -normal.X}.Mul(length)
}

// goAlong moves the figure by a vector along the ground: up slopes and steps, until a wall stops
// it.
func (h *Walker) goAlong(left world.Vec) {
	for range turns {
		hit, ok := h.advance(&left)
		if !ok {
			return
		}
		length := math.Copysign(left.Len(), left.X)
		if face := h.face(&hit); hit.Normal.Y >= h.least && face.Dot(hit.Normal) > .999 {
			left = along(hit.Normal, length) // a slope
			continue
		}
		h.push(&hit)
		if !h.stepUp(length) {
			h.Along = 0
		}
		return
	}
}

// stepUp moves the figure up, then right by the given length, and down again. It reports whether
// the figure then is on a step. If not, it puts the figure back.
func (h *Walker) stepUp(length float64) bool {
	if !(h.set.StepHeight > 0) || length == 0 {
		return false
	}
	from := h.Position
	up, on := world.Vec{Y: h.set.StepHeight}, world.Vec{X: length}
	met := len(h.Met)
	h.advance(&up)
	h.advance(&on)
	ok := math.Abs(h.Position.X-from.X) > math.Abs(length)/8 && h.settle(h.Position.Y-from.Y+h.set.StepHeight) && h.Ground.Point.Y <= from.Y+h.set.StepHeight
	if h.Met = h.Met[:met]; !ok { // hits of the attempt do not count
		h.Position = from
	}
	return ok
}

// advance moves the figure by the vector left, up to the first obstacle, and leaves the rest of the
// way in left.
func (h *Walker) advance(left *world.Vec) (hit world.RayHit, ok bool) {
	if *left == (world.Vec{}) {
		return hit, false
	}
	hit, ok = h.cast(h.Position, *left)
	if !ok {
		h.Position = h.Position.Add(*left)
		return hit, false
	}
	h.Position = h.Position.Add(left.Mul(hit.Fraction))
	*left = left.Mul(1 - hit.Fraction)
	h.Met = append(h.Met, hit)
	return hit, true
}

// cast returns the first obstacle that the capsule meets if it moves from a place by a vector.
func (h *Walker) cast(from, by world.Vec) (hit world.RayHit, ok bool) {
	hit, ok, _ = h.q.ShapeCast(h.capsule, from, from.Add(by), 0)
	if ok && h.passes(&hit, from, by) {
		ok = false
		_ = h.q.ShapeCastAll(h.capsule, from, from.Add(by), 0, func(next world.RayHit) bool {
			if ok = !h.passes(&next, from, by); ok {
				hit = next
			}
			return !ok
		})
	}
	return hit, ok
}

// passes reports whether the figure can pass a shape that it hits when it moves from a place by a
// vector. It can if the shape carries the figure, or is a one-way shape that is solid from another
// side.
func (h *Walker) passes(hit *world.RayHit, from, by world.Vec) bool {
	if hit.Body == h.carrier {
		return true
	}
	front, ok := h.oneWay(hit.Shape)
	if !ok {
		return false
	}
	n, most := hit.Normal, 0.0
	if h.Stands && hit.Point.Y <= from.Y+h.set.StepHeight { // the figure steps onto the edge of a one-way shape
		n, most = h.face(hit), .7*by.Len()
	}
	if h.Dropping || by.Dot(front) > most || n.Dot(front) < frontCone {
		return true
	}
	through := false
	if hit.Fraction == 0 {
		_ = h.q.Near(h.capsule, from, 0, 0, func(n world.NearHit) bool {
			through = through || n.Shape == hit.Shape && n.Distance < -frontDeep
			return !through
		})
	}
	return through
}

// oneWay returns the direction towards the solid side of a one-way shape; ok is false for any
// other shape.
func (h *Walker) oneWay(s world.Shape) (front world.Vec, ok bool) {
	in, err := h.w.Shape(s)
	if err != nil || in.OneWay == (world.Vec{}) {
		return front, false
	}
	b, err := h.w.Body(in.Body)
	return b.WorldVector(in.OneWay), err == nil
}

// inOneWay reports whether the figure is still in or touches a one-way shape.
func (h *Walker) inOneWay() (in bool) {
	_ = h.q.Near(h.capsule, h.Position, 0, frontDeep, func(n world.NearHit) bool {
		_, in = h.oneWay(n.Shape)
		return !in
	})
	return in
}

// settle moves the figure down to the ground and sets Ground, if the ground is at most down, m,
// below the figure.
func (h *Walker) settle(down float64) bool {
	hit, ok := h.cast(h.Position, world.Vec{Y: -down - deep})
	if !ok {
		return false
	}
	face := h.face(&hit)
	at := h.Position.Add(world.Vec{Y: -(down + deep)}.Mul(hit.Fraction))
	if face.Y < h.least || hit.Normal.Y < h.least && !h.held(&hit, at) {
		return false
	}
	h.Position = at
	g := Ground{Body: hit.Body, Shape: hit.Shape, Point: hit.Point, Normal: face}
	if b, err := h.w.Body(hit.Body); err == nil {
		g.Velocity = b.VelocityAt(hit.Point)
	}
	if s, err := h.w.Shape(hit.Shape); err == nil {
		g.Velocity = g.Velocity.Add(along(face, s.SurfaceSpeed))
	}
	h.Ground = g
	return true
}

// held reports whether a figure that touches only an edge below its side still stands. It does if
// it walks onto the edge, or if a floor is not far below.
func (h *Walker) held(edge *world.RayHit, at world.Vec) bool {
	if edge.Normal.X*h.Input.Walk < 0 {
		return true
	}
	below, _ := h.q.RayCastAny(at.Add(world.Vec{Y: beside}), at.Add(world.Vec{Y: -h.set.StepHeight - beside}))
	return below
}

// face returns the normal of the surface that the figure touches. At a corner, it is the normal of
// the flatter side.
func (h *Walker) face(hit *world.RayHit) world.Vec {
	best := hit.Normal
	if best.Y > .9999 {
		return best
	}
	for _, x := range [...]float64{-beside, beside} {
		p := hit.Point.Add(world.Vec{X: x})
		ray, ok, _ := h.q.RayCast(p.Add(world.Vec{Y: 5 * beside}), p.Add(world.Vec{Y: -5 * beside}))
		if ok && ray.Normal.Y > best.Y {
			best = ray.Normal
		}
	}
	return best
}

// carry moves the figure with the ground, as if the figure were a part of the ground.
func (h *Walker) carry() {
	g := &h.Ground
	in, err := h.w.Body(g.Body)
	if err != nil || !h.Stands {
		return
	}
	if in.Kind == world.Dynamic {
		_ = h.w.ForceAt(g.Body, h.w.Gravity().Mul(h.set.Mass), g.Point)
	}
	// The centre of the lower circle turns with the ground, so its distance from the ground stays the
	// same.
	arm := h.Position.Add(world.Vec{Y: h.radius}).Sub(in.Centre)
	left := in.Velocity.Mul(h.dt).Add(arm.Rotate(in.AngularVelocity * h.dt).Sub(arm))
	if s, err := h.w.Shape(g.Shape); err == nil {
		left = left.Add(along(g.Normal, s.SurfaceSpeed*h.dt))
	}
	h.carrier = g.Body
	for range turns {
		hit, ok := h.advance(&left)
		if !ok {
			break
		}
		left = without(left, hit.Normal)
	}
	h.carrier = 0
}

// without returns a vector without its part that leads into a surface.
func without(way, normal world.Vec) world.Vec {
	return way.Sub(normal.Mul(min(way.Dot(normal), 0)))
}

// fly moves a falling figure, and slides it along obstacles until it lands.
func (h *Walker) fly() {
	if !h.Slides || h.Input.Walk != 0 {
		// A figure that jumps on a moving lift keeps the lift's velocity.
		wish := float64(h.Input.Walk*h.set.Speed) + h.Ground.Velocity.X
		h.Velocity.X = approach(h.Velocity.X, wish, float64(h.set.AirAcceleration*h.dt))
	}
	h.Slides = false
	h.Velocity = h.Velocity.Add(h.w.Gravity().Mul(h.dt))
	left := h.Velocity.Mul(h.dt)
	var last world.Vec
	for range turns {
		hit, ok := h.advance(&left)
		if !ok {
			return
		}
		h.push(&hit)
		if hit.Normal.Y >= h.least && h.settle(0) {
			h.Stands = true
			h.Along = h.Velocity.Sub(h.Ground.Velocity).Dot(along(h.Ground.Normal, 1))
			return
		}
		h.Slides = h.Slides || hit.Normal.Y > 0
		slid := without(left, hit.Normal)
		if hit.Normal.Y > 0 && slid.Y > max(left.Y, 0) { // a figure does not run up steep slopes
			slid = without(world.Vec{Y: left.Y}, hit.Normal)
			h.Velocity.X = 0
		}
		h.Velocity = without(h.Velocity, hit.Normal)
		if slid.Dot(last) < 0 { // a corner
			return
		}
		left, last = slid, hit.Normal
	}
}

// push pushes a dynamic body in the way, if the player walks towards it. The force is Push, or less
// if less lets the body keep the pace of the figure.
func (h *Walker) push(hit *world.RayHit) {
	if hit.Normal.X*h.Input.Walk >= 0 || hit.Normal.Y >= h.least {
		return
	}
	b, err := h.w.Body(hit.Body)
	if err != nil || b.Kind != world.Dynamic {
		return
	}
	pace := float64(h.set.Speed * math.Abs(h.Input.Walk*hit.Normal.X))
	lacks := pace + b.VelocityAt(hit.Point).Dot(hit.Normal) // m/s, along the push
	if lacks > 0 {
		_ = h.w.Force(hit.Body, hit.Normal.Mul(-min(h.set.Push, float64(b.Mass*lacks)/h.dt)))
	}
}

// leaveOverlaps moves the figure out of shapes that have moved into it: lifts, walls, and bodies
// under its feet. Other dynamic bodies do not push the figure.
func (h *Walker) leaveOverlaps() {
	for range turns {
		var out world.Vec
		_ = h.q.Near(h.capsule, h.Position, 0, 0, func(n world.NearHit) bool {
			if n.Distance > -deep || n.Normal == (world.Vec{}) {
				return n.Distance < 0 // the deepest overlaps come first
			}
			if b, err := h.w.Body(n.Body); err != nil || b.Kind == world.Dynamic && n.Normal.Y < h.least {
				return true
			}
			front, ok := h.oneWay(n.Shape)
			if ok && (h.Dropping || !h.Stands || n.Normal.Dot(front) < frontCone || n.Distance < -frontDeep) {
				return true
			}
			if more := -n.Distance - out.Dot(n.Normal); more > 0 {
				out = out.Add(n.Normal.Mul(more))
			}
			return true
		})
		if out == (world.Vec{}) {
			return
		}
		h.Position = h.Position.Add(out)
	}
}

// giveWay moves the figure out of the way of lifts and walls that move into it in the step.
func (h *Walker) giveWay() {
	for range turns {
		var out world.Vec
		_ = h.q.Near(h.capsule, h.Position, 0, farthest, func(n world.NearHit) bool {
			b, err := h.w.Body(n.Body)
			if err != nil || b.Kind != world.Kinematic || n.Normal == (world.Vec{}) {
				return true
			}
			if front, ok := h.oneWay(n.Shape); ok && (h.Dropping || n.Normal.Dot(front) < frontCone) {
				return true
			}
			comes := float64(b.VelocityAt(n.Point).Dot(n.Normal) * h.dt)
			if more := comes - n.Distance - out.Dot(n.Normal); comes > 0 && more > deep {
				out = out.Add(n.Normal.Mul(more))
			}
			return true
		})
		before := h.Position
		for left := out; left != (world.Vec{}); {
			hit, ok := h.advance(&left)
			if !ok {
				break
			}
			if left = without(left, hit.Normal); hit.Fraction == 0 {
				break
			}
		}
		if h.Position == before {
			return
		}
	}
}
