package b2state

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/store"
)

// mostWorked is the greatest number of values of a joint that a soft step writes: nine of the joint,
// and two of its extra.
const mostWorked = 11

// worked are the values of a joint that a soft step writes: its impulses, and the directions in which
// they act. All other values change only when joints are made, edited or destroyed, and have their own
// column.
type worked [mostWorked]float64

// of reads the values in worked from a joint and from the joint's extra, which may be nil.
func (v *worked) of(joint box2d.B2JointInterface, x *box.JointExtra) {
	switch j := joint.(type) {
	case *box2d.B2RevoluteJoint:
		v[0], v[1], v[2], v[3] = j.M_impulse.X, j.M_impulse.Y, j.M_impulse.Z, j.M_motorImpulse
	case *box2d.B2PrismaticJoint:
		v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7] = j.M_impulse.X, j.M_impulse.Y, j.M_impulse.Z, j.M_motorImpulse, j.M_axis.X, j.M_axis.Y, j.M_perp.X, j.M_perp.Y
	case *box2d.B2DistanceJoint:
		v[0], v[1], v[2] = j.M_impulse, j.M_u.X, j.M_u.Y
	case *box2d.B2RopeJoint:
		v[0], v[1], v[2] = j.M_impulse, j.M_u.X, j.M_u.Y
	case *box2d.B2PulleyJoint:
		v[0], v[1], v[2], v[3], v[4] = j.M_impulse, j.M_uA.X, j.M_uA.Y, j.M_uB.X, j.M_uB.Y
	case *box2d.B2MouseJoint:
		v[0], v[1] = j.M_impulse.X, j.M_impulse.Y
	case *box2d.B2GearJoint:
		v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8] = j.M_impulse, j.M_JvAC.X, j.M_JvAC.Y, j.M_JwA, j.M_JwC, j.M_JvBD.X, j.M_JvBD.Y, j.M_JwB, j.M_JwD
	case *box2d.B2WheelJoint:
		v[0], v[1], v[2], v[3], v[4], v[5], v[6] = j.M_impulse, j.M_springImpulse, j.M_motorImpulse, j.M_ax.X, j.M_ax.Y, j.M_ay.X, j.M_ay.Y
	case *box2d.B2WeldJoint:
		v[0], v[1], v[2] = j.M_impulse.X, j.M_impulse.Y, j.M_impulse.Z
	case *box2d.B2FrictionJoint:
		v[0], v[1], v[2] = j.M_linearImpulse.X, j.M_linearImpulse.Y, j.M_angularImpulse
	case *box2d.B2MotorJoint:
		v[0], v[1], v[2] = j.M_linearImpulse.X, j.M_linearImpulse.Y, j.M_angularImpulse
	}
	if x != nil {
		v[mostWorked-2], v[mostWorked-1] = x.SpringImpulse, x.LimitImpulse
	}
}

// putTo writes the values in worked to a joint.
func (v *worked) putTo(joint box2d.B2JointInterface, x *box.JointExtra) {
	switch j := joint.(type) {
	case *box2d.B2RevoluteJoint:
		j.M_impulse.X, j.M_impulse.Y, j.M_impulse.Z, j.M_motorImpulse = v[0], v[1], v[2], v[3]
	case *box2d.B2PrismaticJoint:
		j.M_impulse.X, j.M_impulse.Y, j.M_impulse.Z, j.M_motorImpulse, j.M_axis.X, j.M_axis.Y, j.M_perp.X, j.M_perp.Y = v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
	case *box2d.B2DistanceJoint:
		j.M_impulse, j.M_u.X, j.M_u.Y = v[0], v[1], v[2]
	case *box2d.B2RopeJoint:
		j.M_impulse, j.M_u.X, j.M_u.Y = v[0], v[1], v[2]
	case *box2d.B2PulleyJoint:
		j.M_impulse, j.M_uA.X, j.M_uA.Y, j.M_uB.X, j.M_uB.Y = v[0], v[1], v[2], v[3], v[4]
	case *box2d.B2MouseJoint:
		j.M_impulse.X, j.M_impulse.Y = v[0], v[1]
	case *box2d.B2GearJoint:
		j.M_impulse, j.M_JvAC.X, j.M_JvAC.Y, j.M_JwA, j.M_JwC, j.M_JvBD.X, j.M_JvBD.Y, j.M_JwB, j.M_JwD = v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]
	case *box2d.B2WheelJoint:
		j.M_impulse, j.M_springImpulse, j.M_motorImpulse, j.M_ax.X, j.M_ax.Y, j.M_ay.X, j.M_ay.Y = v[0], v[1], v[2], v[3], v[4], v[5], v[6]
	case *box2d.B2WeldJoint:
		j.M_impulse.X, j.M_impulse.Y, j.M_impulse.Z = v[0], v[1], v[2]
	case *box2d.B2FrictionJoint:
		j.M_linearImpulse.X, j.M_linearImpulse.Y, j.M_angularImpulse = v[0], v[1], v[2]
	case *box2d.B2MotorJoint:
		j.M_linearImpulse.X, j.M_linearImpulse.Y, j.M_angularImpulse = v[0], v[1], v[2]
	}
	if x != nil {
		x.SpringImpulse, x.LimitImpulse = v[mostWorked-2], v[mostWorked-1]
	}
}

func (p *Past) saveWorked(r store.Run, to []worked) {
	all := p.owner.Joints.All
	for i, n := range r.Things() {
		if to[i] = (worked{}); n < len(all) && all[n].Base != nil {
			to[i].of(all[n].J, all[n].Extra)
		}
	}
}

func (p *Past) loadWorked(n int, from *worked) {
	if s := &p.owner.Joints; n < len(s.All) && s.All[n].Base != nil {
		s.List(int32(n))
		from.putTo(s.All[n].J, s.All[n].Extra)
	}
}
