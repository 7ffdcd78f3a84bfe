package play

import (
	"math"
	"time"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// Drag is a body that the mouse holds with a mouse joint.
type Drag struct {
	Body   world.Body  // 0: none
	joint  world.Joint // 0: it does not pull yet
	grip   world.Vec   // in the body's frame, m
	force  float64     // the joint's largest force, N
	target world.Vec   // the target of the joint, as last sent, m
	Trail  Trail       // how far the body is behind the pointer
}

// The joint is a spring of 5 Hz that hardly oscillates. The limit of its force is per square metre
// of the body: about 200 times its weight at 1 kg/m².
const (
	dragFrequency = 5
	dragDamping   = 0.7
	dragForce     = 2000 // N/m²
)

// hold takes hold of a body at a point, if the body is dynamic. Only move makes the joint that
// pulls: a click does not change the world.
func (d *Drag) hold(p *Player, b world.Body, at world.Vec) bool {
	pose, ok := p.Pose(b)
	if !ok || p.Kind(b) != world.Dynamic {
		return false
	}
	all := p.View().Scene
	slot, _ := all.Slot(uint64(b))
	*d = Drag{Body: b, grip: pose.LocalPoint(at), force: dragForce * math.Max(area(all, slot), 1e-3)}
	return true
}

// held returns the shown place of the point by which the body is held.
func (d *Drag) held(p *Player) (at world.Vec, ok bool) {
	pose, ok := p.Pose(d.Body)
	return pose.WorldPoint(d.grip), ok
}

// move pulls the held point of the body towards a point. now is the time of the frame.
func (d *Drag) move(p *Player, to world.Vec, now time.Duration) {
	if d.Body == 0 {
		return
	}
	at, ok := d.held(p)
	if ok {
		d.Trail.note(now, to, at)
	}
	if ok && d.joint == 0 { // the joint begins at the body's place, so that the body does not jerk
		d.target = at
		d.joint = p.CreateJoint(world.JointDef{
			Kind: world.MouseJoint, B: d.Body, AnchorB: d.grip, Target: d.target,
			MaxForce: d.force, Frequency: dragFrequency, Damping: dragDamping,
		})
	}
	if to != d.target {
		d.target = to
		p.SetTarget(d.joint, to)
	}
}

// release lets go of the body that is held, if one is.
func (d *Drag) release(p *Player) {
	if d.Body != 0 {
		if d.joint != 0 {
			p.DestroyJoint(d.joint)
		}
		*d = Drag{}
	}
}

// forget lets go of a body that was removed together with its joint.
func (d *Drag) forget(b world.Body) {
	if d.Body == b {
		*d = Drag{}
	}
}

// Grab takes hold of the body at a point, or within reach of it, in m, in both halves of a comparison, and
// returns false if there is none. The body is picked in the half under the cursor. The same body of the
// other half has the same handle.
func (g *Stage) Grab(at world.Vec, reach float64) bool {
	under := g.Under()
	if !under.Drag.hold(under.Player, under.Player.Near(at, reach), at) {
		return false
	}
	g.eachSide(func(o *Side) {
		if o != under {
			o.Drag.hold(o.Player, under.Drag.Body, at)
		}
	})
	return true
}

// EndDrag ends the joints by which the user drags a body.
func (g *Stage) EndDrag() { g.eachSide(func(o *Side) { o.Drag.release(o.Player) }) }

// Pull pulls the held bodies towards a point. It is called in each frame while the button is down, also if
// no body is held. now is the time of the frames.
func (c *Changes) Pull(at world.Vec, now time.Duration) {
	g := c.stage
	if g.Shown.Recorded() { // a recording, or the past: its bodies cannot be pulled
		if g.Side.Drag.Body != 0 { // otherwise the user does not try to pull one
			c.travel.RefusesChange() // tells him
		}
		g.EndDrag()
		return
	}
	under := g.Under()
	first := under.Drag.Body != 0 && under.Drag.joint == 0 // the joint is made now, and undo takes it back
	if first && !c.BeginChange("drag") {
		g.EndDrag()
		return
	}
	g.eachSide(func(o *Side) { o.Drag.move(o.Player, at, now) })
}

// area is the area of the shapes of the body in a slot, m².
func area(s *scene.Scene, slot int) float64 {
	sum := 0.0
	for g := range s.ShapesOf(slot) {
		r := float64(g.Radius)
		sum += math.Pi * r * r // a disc, or the round corners of a polygon
		n := int(g.N)
		for i := range n {
			a, b := g.Points[i], g.Points[(i+1)%n]
			sum += float64(a[0]*b[1]-b[0]*a[1])/2 + r*math.Hypot(float64(b[0]-a[0]), float64(b[1]-a[1]))
		}
	}
	return sum
}

// Trail measures by how much time the held point is shown behind the pointer: the distance between
// them along the pointer's way, divided by the pointer's speed. far/fast is its mean over about the
// last third of a second in which the pointer moved.
type Trail struct {
	at   time.Duration // the time of the frame before; 0 if there is none
	to   world.Vec     // the pointer in that frame
	far  float64       // decaying integral of distance times speed, m²
	fast float64       // decaying integral of speed squared, m²/s
}

// note adds a frame: to is the place of the pointer, held the shown place of the held point.
func (t *Trail) note(at time.Duration, to, held world.Vec) {
	if dt := (at - t.at).Seconds(); t.at > 0 && dt > 0 {
		vx, vy, keep := (to.X-t.to.X)/dt, (to.Y-t.to.Y)/dt, math.Exp(-3*dt)
		t.far = keep*t.far + dt*((to.X-held.X)*vx+(to.Y-held.Y)*vy)
		t.fast = keep*t.fast + dt*(vx*vx+vy*vy)
	}
	t.at, t.to = at, to
}

// Text appends the trail in ms, for the HUD. 45 ms of it come from the joint's spring.
func (t *Trail) Text(to words.Line) words.Line {
	if t.fast == 0 {
		return to.Str("–")
	}
	return to.Ms(1e3 * t.far / t.fast)
}
