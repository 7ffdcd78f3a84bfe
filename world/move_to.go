package world

import (
	"fmt"
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// aim is the place of a kinematic body after the next step.
type aim struct {
	position box2d.B2Vec2 // in m
	angle    float64      // in rad
	state    aimState
}

type aimState uint8

const (
	noAim   aimState = iota
	aiming           // the next step moves the body to the target
	arrived          // the last step has moved the body to the target, and the next step stops the body
)

// MoveTo moves a kinematic body so that the next step ends with the body's origin at a position, in m, and with
// the body at an angle, in rad. The body gets the velocity for that motion, and turns the shorter way round. It
// pushes and carries other bodies on its way. After the step the body stops, unless MoveTo is called again. If a
// velocity is set before the step, it replaces the target. A step moves a body by at most 2 m and a quarter turn.
// [World.Teleport] is for more. MoveTo returns an error for a body that is not kinematic.
func (w *World) MoveTo(b Body, position Vec, angle float64) error {
	r, err := w.mutable(b, checkVec("position", position, maxPosition), checkPosition("angle", angle))
	if err != nil {
		return err
	}
	if r.b.M_type != box2d.B2BodyType.B2_kinematicBody {
		return fmt.Errorf("world: %v is not kinematic, and MoveTo cannot move it: push it, or teleport it", b)
	}
	l := w.forces.loadOf(r)
	l.aim = aim{b2vec(position), angle, aiming}
	w.forces.head(l, w.when.dt) // controllers see the velocity; applyLoads sets it again for the dt of the step
	return nil
}

// head gives a body the velocity that moves the body to its target in dt seconds.
func (o *forces) head(l *loaded, dt float64) {
	to, b := &l.aim, l.of.b
	turn := math.Remainder(to.angle-b.M_sweep.A, 2*math.Pi)
	if b.M_flags&b2.BodyFixed != 0 {
		turn = 0
	}
	way := box2d.B2Vec2Sub(to.position, b.M_xf.P) // the centre of mass of a kinematic body is at its origin
	v, omega := box2d.B2Vec2{X: way.X / dt, Y: way.Y / dt}, turn/dt
	if b.M_type != box2d.B2BodyType.B2_kinematicBody || !within(v.X, maxValue) || !within(v.Y, maxValue) || !within(omega, maxValue) {
		return // dt is 0 before the first step; the kind of the body may have changed
	}
	o.setVelocities(l.of, v, omega)
}

// forgetAim removes the target that MoveTo has given to a body.
func (o *forces) forgetAim(r *body) {
	if r.loaded > 0 {
		o.loaded[r.loaded-1].aim = aim{}
	}
}

// setVelocities sets the velocity and the angular velocity of a body.
func (o *forces) setVelocities(r *body, v box2d.B2Vec2, omega float64) {
	o.box.SetVelocity(r.b, v)
	o.box.SetAngularVelocity(r.b, omega)
	o.places.velocityChanged(r)
}

// stopArrived is called before a step. It stops the bodies that the last step has moved to
// their targets of MoveTo.
func (o *forces) stopArrived() {
	for i := range o.loaded {
		if l := &o.loaded[i]; l.aim.state == arrived {
			l.aim = aim{}
			if r := l.of; r.b != nil && r.b.M_type == box2d.B2BodyType.B2_kinematicBody {
				o.setVelocities(r, box2d.B2Vec2{}, 0)
			}
		}
	}
}
