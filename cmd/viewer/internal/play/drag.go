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
	Body   world.Body  // 0 means none
	joint  world.Joint // joint is the mouse joint. It is 0 while the joint does not pull yet.
	grip   world.Vec   // grip is the held point in the body's frame, in m.
	force  float64     // force is the largest force of the joint in N.
	target world.Vec   // target is the target of the joint as it was last sent, in m.
	Trail  Trail       // Trail measures how far the body is behind the pointer.
}

// The joint is a spring of 5 Hz that hardly oscillates. The limit of its force is given per square
// metre of the body. It is about 200 times the body's weight if the body has 1 kg/m².
const (
	dragFrequency = 5
	dragDamping   = 0.7
	dragForce     = 2000 // N/m²
)

// hold takes hold of a body at a point, if the body is dynamic. Only the method move makes the
// joint that pulls, because a click must not change the world.
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

// held returns the shown position of the point at which the body is held.
func (d *Drag) held(p *Player) (at world.Vec, ok bool) {
	pose, ok := p.Pose(d.Body)
	return pose.WorldPoint(d.grip), ok
}

// move pulls the held point of the body towards a point. The parameter now is the time of the frame.
func (d *Drag) move(p *Player, to world.Vec, now time.Duration) {
	if d.Body == 0 {
		return
	}
	at, ok := d.held(p)
	if ok {
		d.Trail.note(now, to, at)
	}
	if ok && d.joint == 0 { // the joint begins at the body's position, so that the body does not jerk
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

// release lets go of the held body, if there is one.
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

// Grab takes hold of the body at a point, or of a body at most `reach` m away. It does so in both halves
// of a comparison. It returns false if there is no such body. The body is picked in the half under the
// cursor. The same body has the same handle in the other half.
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

// EndDrag removes the joints with which the user drags a body.
func (g *Stage) EndDrag() { g.eachSide(func(o *Side) { o.Drag.release(o.Player) }) }

// Pull pulls the held bodies towards a point. It is called in each frame while the button is down, even if
// no body is held. The parameter now is the time of the frames.
func (c *Changes) Pull(at world.Vec, now time.Duration) {
	g := c.stage
	if g.Shown.Recorded() { // the bodies of a recording and of the past cannot be pulled
		if g.Side.Drag.Body != 0 { // otherwise the user does not try to pull a body
			c.travel.RefusesChange() // tells him
		}
		g.EndDrag()
		return
	}
	under := g.Under()
	first := under.Drag.Body != 0 && under.Drag.joint == 0 // the joint is made now, and undo removes it
	if first && !c.BeginChange("drag") {
		g.EndDrag()
		return
	}
	g.eachSide(func(o *Side) { o.Drag.move(o.Player, at, now) })
}

// area returns the area of the shapes of the body in a slot, in m².
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

// Trail measures by how much time the held point is shown behind the pointer. This time is the
// distance between the two along the pointer's path, divided by the pointer's speed. The quotient
// far/fast is the mean of this time over about the last third of a second in which the pointer
// moved.
type Trail struct {
	at   time.Duration // at is the time of the frame before, or 0 if there was none.
	to   world.Vec     // to is the pointer in that frame.
	far  float64       // far is the decaying integral of distance times speed, in m².
	fast float64       // fast is the decaying integral of the speed squared, in m²/s.
}

// note adds a frame. The parameter to is the position of the pointer, and held is the shown position of
// the held point.
func (t *Trail) note(at time.Duration, to, held world.Vec) {
	if dt := (at - t.at).Seconds(); t.at > 0 && dt > 0 {
		vx, vy, keep := (to.X-t.to.X)/dt, (to.Y-t.to.Y)/dt, math.Exp(-3*dt)
		t.far = keep*t.far + dt*((to.X-held.X)*vx+(to.Y-held.Y)*vy)
		t.fast = keep*t.fast + dt*(vx*vx+vy*vy)
	}
	t.at, t.to = at, to
}

// Text appends the trail in ms, for the HUD. Of this time 45 ms come from the joint's spring.
func (t *Trail) Text(to words.Line) words.Line {
	if t.fast == 0 {
		return to.Str("–")
	}
	return to.Ms(1e3 * t.far / t.fast)
}
