package world_test

import (
	"fmt"
	"math"
	"slices"

	"halfstep/world"
)

// edit is one change of a world, which can be repeated in the world's twins.
type edit struct {
	name string
	do   func(e *edited) error
	// again is true if no definition has the changed value, so that a new world needs the edit, too.
	again bool
	// remembers is true if contacts depend on the past: those of a one-way shape stay solid or passing.
	remembers bool
}

// author makes up edits of a world.
type author struct {
	*judged
	e *edited
}

func (a *author) one() (i int, is world.BodyInfo) {
	i = a.IntN(len(a.e.bodies))
	return i, a.e.info(a.e.bodies[i])
}

// dynamic returns the number of a random dynamic body, or -1.
func (a *author) dynamic() (int, world.BodyInfo) {
	for range 20 {
		if i, is := a.one(); is.Kind == world.Dynamic {
			return i, is
		}
	}
	return -1, world.BodyInfo{}
}

// solid returns the numbers of a random body and of one of its shapes. body is -1 if there is none.
func (a *author) solid(dynamic bool) (body, shape int) {
	for range 20 {
		i, is := a.one()
		if (is.Kind == world.Dynamic || !dynamic) && len(a.e.shapes[i]) > 0 {
			return i, a.IntN(len(a.e.shapes[i]))
		}
	}
	return -1, 0
}

// jointOf returns the number of a random joint of one of the given kinds, or -1.
func (a *author) jointOf(kinds ...world.JointKind) (int, world.JointInfo) {
	for range 20 {
		if len(a.e.joints) == 0 {
			break
		}
		i := a.IntN(len(a.e.joints))
		if is := must(a.e.Joint(a.e.joints[i])); slices.Contains(kinds, is.Kind) {
			return i, is
		}
	}
	return -1, world.JointInfo{}
}

// shift is a small distance, which the points of old contacts survive, or a large one, which they do
// not.
func (a *author) shift() world.Vec {
	if a.IntN(2) == 0 {
		return a.vec(.03)
	}
	return a.vec(1)
}

// shapeEdit is an edit of a shape, either of a dynamic body or of any body.
func (a *author) shapeEdit(name string, f func(e *edited, s world.Shape) error) edit {
	b, s := a.solid(a.IntN(4) > 0)
	if b < 0 {
		return edit{}
	}
	return edit{name: fmt.Sprintf("%s of shape %d of body %d", name, s, b), do: func(e *edited) error { return f(e, e.shapes[b][s]) }}
}

func (a *author) bodyEdit(name string, f func(e *edited, b world.Body) error) edit {
	b, _ := a.dynamic()
	if b < 0 {
		return edit{}
	}
	return edit{name: fmt.Sprintf("%s of body %d", name, b), do: func(e *edited) error { return f(e, e.bodies[b]) }}
}

func (a *author) jointEdit(name string, f func(e *edited, j world.Joint) error, kinds ...world.JointKind) edit {
	i, is := a.jointOf(kinds...)
	if i < 0 {
		return edit{}
	}
	return edit{name: fmt.Sprintf("%s of joint %d (%v)", name, i, is.Kind), do: func(e *edited) error { return f(e, e.joints[i]) }}
}

func allJoints() (all []world.JointKind) {
	for k := world.RevoluteJoint; k <= world.MotorJoint; k++ {
		all = append(all, k)
	}
	return all
}

func again(d edit) edit { d.again = true; return d }

func remembers(d edit) edit { d.remembers = true; return d }

// edits are all ways to change a world, by the names of their methods.
var edits = map[string]func(a *author) edit{
	"SetDensity": func(a *author) edit {
		d := math.Exp(a.span(-2.5, 2.5))
		return a.shapeEdit(fmt.Sprintf("density %.3g", d), func(e *edited, s world.Shape) error { return e.SetDensity(s, d) })
	},
	"SetFriction": func(a *author) edit {
		f := a.span(0, 1.2)
		return a.shapeEdit(fmt.Sprintf("friction %.3g", f), func(e *edited, s world.Shape) error { return e.SetFriction(s, f) })
	},
	"SetRestitution": func(a *author) edit {
		f := a.span(0, .6)
		return a.shapeEdit(fmt.Sprintf("restitution %.3g", f), func(e *edited, s world.Shape) error { return e.SetRestitution(s, f) })
	},
	"SetSensor": func(a *author) edit {
		on := a.IntN(2) == 0
		return a.shapeEdit(fmt.Sprintf("sensor %v", on), func(e *edited, s world.Shape) error { return e.SetSensor(s, on) })
	},
	"SetFilter": func(a *author) edit {
		f := []world.Filter{{}, {Category: 2, Mask: 1}, {Category: 2, Mask: 3}, {Group: -1}, {Group: 1}}[a.IntN(5)]
		return a.shapeEdit(fmt.Sprintf("filter %v", f), func(e *edited, s world.Shape) error { return e.SetFilter(s, f) })
	},
	"SetMaterial": func(a *author) edit {
		m := []world.Material{0, 7, 8, 9}[a.IntN(4)]
		return a.shapeEdit(fmt.Sprintf("material %d", m), func(e *edited, s world.Shape) error { return e.SetMaterial(s, m) })
	},
	"SetSegmentMaterial": func(a *author) edit {
		m := []world.Material{0, 7, 8}[a.IntN(3)]
		for b := range a.e.bodies {
			for s, h := range a.e.shapes[b] {
				if k := must(a.e.Shape(h)).Kind; k == world.ChainShape || k == world.ClosedChainShape {
					return edit{name: fmt.Sprintf("material %d of a segment of body %d", m, b), do: func(e *edited) error { return e.SetSegmentMaterial(e.shapes[b][s], 0, m) }}
				}
			}
		}
		return edit{}
	},
	"SetOneWay": func(a *author) edit {
		d := []world.Vec{{}, {Y: 1}}[a.IntN(2)]
		return remembers(a.shapeEdit(fmt.Sprintf("one-way %v", d), func(e *edited, s world.Shape) error { return e.SetOneWay(s, d) }))
	},
	"DropThrough": func(a *author) edit {
		return remembers(a.bodyEdit("dropping through", func(e *edited, b world.Body) error { return e.DropThrough(b) }))
	},
	"SetRollingResistance": func(a *author) edit {
		f := a.span(0, .2)
		return a.shapeEdit(fmt.Sprintf("rolling resistance %.3g", f), func(e *edited, s world.Shape) error { return e.SetRollingResistance(s, f) })
	},
	"SetSurfaceSpeed": func(a *author) edit {
		f := a.span(-2, 2)
		// If a body lies on two shapes, the load on each is undetermined.
		return a.bodyEdit(fmt.Sprintf("surface speed %.3g", f), func(e *edited, b world.Body) error {
			for _, s := range must(e.Shapes(b)) {
				if err := e.SetSurfaceSpeed(s, f); err != nil {
					return err
				}
			}
			return nil
		})
	},
	"SetSurfaces": func(a *author) edit {
		s := world.Surfaces{Mixes: []world.Mix{{A: 7, B: world.AnyMaterial, Friction: a.span(0, 1)}, {A: 8, B: world.AnyMaterial, FrictionRule: world.MixMaximum, RestitutionRule: world.MixAverage}}, RestitutionThreshold: a.span(.5, 2)}
		return edit{name: "surfaces", do: func(e *edited) error { return e.SetSurfaces(s) }}
	},
	"CreateShape": func(a *author) edit {
		b, is := a.dynamic()
		if b < 0 {
			return edit{}
		}
		d := a.shape()
		for i := range d.Points {
			d.Points[i] = d.Points[i].Mul(.5).Add(is.LocalPoint(is.Centre)).Add(world.Vec{X: a.span(-.3, .3), Y: a.span(-.1, .3)})
		}
		d.Radius /= 2
		return edit{name: fmt.Sprintf("a shape of kind %v more on body %d", d.Kind, b), do: func(e *edited) error { _, err := e.CreateShape(e.bodies[b], d); return err }}
	},
	"DestroyShape": func(a *author) edit {
		for range 20 {
			if b, s := a.solid(true); b >= 0 && len(a.e.shapes[b]) > 1 {
				return edit{name: fmt.Sprintf("shape %d of body %d gone", s, b), do: func(e *edited) error { return e.DestroyShape(e.shapes[b][s]) }}
			}
		}
		return edit{}
	},
	"ReplaceShape": func(a *author) edit {
		b, s := a.solid(true)
		if b < 0 {
			return edit{}
		}
		d := a.shape()
		return edit{name: fmt.Sprintf("shape %d of body %d replaced by a %v", s, b, d.Kind), do: func(e *edited) error { return e.ReplaceShape(e.shapes[b][s], d) }}
	},
	"CreateBody": func(a *author) edit {
		d := world.BodyDef{Kind: []world.BodyKind{world.Dynamic, world.Dynamic, world.Static}[a.IntN(3)], Position: world.Vec{X: a.span(-3, 3), Y: a.span(.5, 5)}, Angle: a.span(-3, 3), Shapes: []world.ShapeDef{a.shape()}}
		return edit{name: fmt.Sprintf("a %v body more", d.Kind), do: func(e *edited) error { _, err := e.CreateBody(d); return err }}
	},
	"DestroyBody": func(a *author) edit {
		b := a.IntN(len(a.e.bodies))
		if b == 0 || len(a.e.bodies) < 3 {
			return edit{}
		}
		return edit{name: fmt.Sprintf("body %d gone", b), do: func(e *edited) error { return e.DestroyBody(e.bodies[b]) }}
	},
	"SetGravity": func(a *author) edit {
		g := world.Vec{X: a.span(-3, 3), Y: a.span(-20, 2)}
		return edit{name: fmt.Sprintf("gravity %.3g", g), do: func(e *edited) error { return e.SetGravity(g) }}
	},
	"SetGravityScale": func(a *author) edit {
		g := a.span(-.2, 3)
		return a.bodyEdit(fmt.Sprintf("gravity scale %.3g", g), func(e *edited, b world.Body) error { return e.SetGravityScale(b, g) })
	},
	"SetKind": func(a *author) edit {
		b := a.IntN(len(a.e.bodies))
		k := world.BodyKind(a.IntN(3))
		return edit{name: fmt.Sprintf("body %d made %v", b, k), do: func(e *edited) error { return e.SetKind(e.bodies[b], k) }}
	},
	"SetEnabled": func(a *author) edit {
		b, on := a.IntN(len(a.e.bodies)), a.IntN(2) == 0
		return edit{name: fmt.Sprintf("body %d enabled %v", b, on), do: func(e *edited) error { return e.SetEnabled(e.bodies[b], on) }}
	},
	"SetFixedRotation": func(a *author) edit {
		on := a.IntN(2) == 0
		return a.bodyEdit(fmt.Sprintf("fixed rotation %v", on), func(e *edited, b world.Body) error { return e.SetFixedRotation(b, on) })
	},
	"SetFixedAxes": func(a *author) edit {
		x, y := a.IntN(2) == 0, a.IntN(2) == 0
		return a.bodyEdit(fmt.Sprintf("fixed axes %v, %v", x, y), func(e *edited, b world.Body) error { return e.SetFixedAxes(b, x, y) })
	},
	"SetDamping": func(a *author) edit {
		x, y := a.span(0, 3), a.span(0, 3)
		return a.bodyEdit("damping", func(e *edited, b world.Body) error { return e.SetDamping(b, x, y) })
	},
	"SetBullet": func(a *author) edit {
		on := a.IntN(2) == 0
		return a.bodyEdit(fmt.Sprintf("bullet %v", on), func(e *edited, b world.Body) error { return e.SetBullet(b, on) })
	},
	"SetVelocity": func(a *author) edit {
		v := a.vec([]float64{.05, 3, 30}[a.IntN(3)])
		return a.bodyEdit(fmt.Sprintf("velocity %.3g", v), func(e *edited, b world.Body) error { return e.SetVelocity(b, v) })
	},
	"SetAngularVelocity": func(a *author) edit {
		v := a.span(-3, 3)
		return a.bodyEdit(fmt.Sprintf("spin %.3g", v), func(e *edited, b world.Body) error { return e.SetAngularVelocity(b, v) })
	},
	"SetAwake": func(a *author) edit {
		on := a.IntN(2) == 0
		return a.bodyEdit(fmt.Sprintf("awake %v", on), func(e *edited, b world.Body) error { return e.SetAwake(b, on) })
	},
	"SetSleepSpeeds": func(a *author) edit {
		x, y := a.span(0, .1), a.span(0, .1)
		return a.bodyEdit("sleep speeds", func(e *edited, b world.Body) error { return e.SetSleepSpeeds(b, x, y) })
	},
	"SetName": func(a *author) edit {
		return a.bodyEdit("name", func(e *edited, b world.Body) error { return e.SetName(b, "other") })
	},
	"SetBodySmoothing": func(a *author) edit {
		return a.bodyEdit("smoothing", func(e *edited, b world.Body) error { return e.SetBodySmoothing(b, 0) })
	},
	"Teleport": func(a *author) edit {
		by, turn := a.shift(), a.span(-.1, .1)
		return a.bodyEdit(fmt.Sprintf("teleport by %.3g and %.3g rad", by, turn), func(e *edited, b world.Body) error {
			is := e.info(b)
			return e.Teleport(b, is.Position.Add(by), is.Angle+turn)
		})
	},
	"Shift": func(a *author) edit {
		by := a.shift()
		if a.IntN(3) == 0 { // everything, to another origin
			return edit{name: "all shifted", do: func(e *edited) error {
				for _, b := range e.bodies {
					if err := e.Shift(b, by); err != nil {
						return err
					}
				}
				return nil
			}}
		}
		return a.bodyEdit(fmt.Sprintf("shift by %.3g", by), func(e *edited, b world.Body) error { return e.Shift(b, by) })
	},
	"MoveTo": func(a *author) edit {
		for b, h := range a.e.bodies {
			if is := a.e.info(h); is.Kind == world.Kinematic {
				to := is.Position.Add(a.vec(.1))
				return again(edit{name: fmt.Sprintf("body %d moved", b), do: func(e *edited) error { return e.MoveTo(e.bodies[b], to, is.Angle) }})
			}
		}
		return edit{}
	},
	"Force": func(a *author) edit {
		f := a.vec(20)
		return again(a.bodyEdit("force", func(e *edited, b world.Body) error { return e.Force(b, f) }))
	},
	"ForceAt": func(a *author) edit {
		f, at := a.vec(20), a.vec(.2)
		return again(a.bodyEdit("force at a point", func(e *edited, b world.Body) error { return e.ForceAt(b, f, e.info(b).Centre.Add(at)) }))
	},
	"Torque": func(a *author) edit {
		f := a.span(-5, 5)
		return again(a.bodyEdit("torque", func(e *edited, b world.Body) error { return e.Torque(b, f) }))
	},
	"Impulse": func(a *author) edit {
		f := a.vec(2)
		return a.bodyEdit("impulse", func(e *edited, b world.Body) error { return e.Impulse(b, f) })
	},
	"ImpulseAt": func(a *author) edit {
		f, at := a.vec(2), a.vec(.2)
		return a.bodyEdit("impulse at a point", func(e *edited, b world.Body) error { return e.ImpulseAt(b, f, e.info(b).Centre.Add(at)) })
	},
	"AngularImpulse": func(a *author) edit {
		f := a.span(-.5, .5)
		return a.bodyEdit("angular impulse", func(e *edited, b world.Body) error { return e.AngularImpulse(b, f) })
	},
	"Explode": func(a *author) edit {
		x := world.Explosion{Centre: world.Vec{X: a.span(-2, 2), Y: a.span(-1, 2)}, Radius: 1, Falloff: 1, ImpulsePerLength: a.span(-2, 2)}
		return edit{name: "explosion", do: func(e *edited) error { return e.Explode(x) }}
	},
	"Refilter": func(a *author) edit {
		return a.bodyEdit("filter asked again", func(e *edited, b world.Body) error { return e.Refilter(b) })
	},
	"SetPreSolve": func(a *author) edit {
		on := a.IntN(2) == 0
		return again(edit{name: fmt.Sprintf("PreSolve %v", on), do: func(e *edited) error {
			if e.SetPreSolve(nil); on {
				e.SetPreSolve(e.preSolve)
			}
			return nil
		}})
	},
	"SetShouldCollide": func(a *author) edit {
		on := a.IntN(2) == 0
		return again(edit{name: fmt.Sprintf("ShouldCollide %v", on), do: func(e *edited) error {
			if e.SetShouldCollide(nil); on {
				e.SetShouldCollide(shouldCollide)
			}
			return nil
		}})
	},
	"CreateJoint": func(a *author) edit {
		b, is := a.dynamic()
		if b < 0 {
			return edit{}
		}
		o := a.IntN(len(a.e.bodies))
		if o == b || a.e.info(a.e.bodies[o]).Kind == world.Kinematic {
			return edit{}
		}
		d, ok := a.jointDef(is.Centre)
		if !ok {
			return edit{}
		}
		return edit{name: fmt.Sprintf("a %v joint between bodies %d and %d", d.Kind, o, b), do: func(e *edited) error {
			d := d
			d.A, d.B = e.bodies[o], e.bodies[b]
			_, err := e.CreateJoint(d)
			return err
		}}
	},
	"DestroyJoint": func(a *author) edit {
		return a.jointEdit("end", func(e *edited, j world.Joint) error { return e.DestroyJoint(j) }, allJoints()...)
	},
	"SetLength": func(a *author) edit {
		i, is := a.jointOf(world.DistanceJoint, world.RopeJoint, world.PulleyJoint)
		if i < 0 {
			return edit{}
		}
		l := max(.05, is.Length+a.span(-.2, .2))
		return edit{name: fmt.Sprintf("length %.3g of joint %d (%v)", l, i, is.Kind), do: func(e *edited) error { return e.SetLength(e.joints[i], l) }}
	},
	"SetLimits": func(a *author) edit {
		on, l, u := a.IntN(3) > 0, a.span(-.3, 0), a.span(0, .3)
		return a.jointEdit(fmt.Sprintf("limits %v %.3g to %.3g", on, l, u), func(e *edited, j world.Joint) error {
			if must(e.Joint(j)).Kind == world.DistanceJoint {
				return e.SetLimits(j, on, .3+l, .5+u)
			}
			return e.SetLimits(j, on, l, u)
		}, world.RevoluteJoint, world.PrismaticJoint, world.DistanceJoint, world.WheelJoint)
	},
	"SetMotor": func(a *author) edit {
		on, v, m := a.IntN(2) == 0, a.span(-2, 2), a.span(0, 50)
		return a.jointEdit(fmt.Sprintf("motor %v %.3g with %.3g", on, v, m), func(e *edited, j world.Joint) error { return e.SetMotor(j, on, v, m) }, world.RevoluteJoint, world.PrismaticJoint, world.WheelJoint)
	},
	"SetMotorOffset": func(a *author) edit {
		o, r := a.vec(.3), a.span(-.3, .3)
		return a.jointEdit("offset", func(e *edited, j world.Joint) error { return e.SetMotorOffset(j, o, r) }, world.MotorJoint)
	},
	"SetMotorVelocity": func(a *author) edit {
		on, v, r := a.IntN(2) == 0, a.vec(1), a.span(-1, 1)
		return a.jointEdit("velocity", func(e *edited, j world.Joint) error { return e.SetMotorVelocity(j, on, v, r) }, world.MotorJoint)
	},
	"SetMaxForce": func(a *author) edit {
		f := a.span(0, 100)
		return a.jointEdit("maximum force", func(e *edited, j world.Joint) error { return e.SetMaxForce(j, f) }, world.FrictionJoint, world.MotorJoint, world.MouseJoint)
	},
	"SetMaxTorque": func(a *author) edit {
		f := a.span(0, 50)
		return a.jointEdit("maximum torque", func(e *edited, j world.Joint) error { return e.SetMaxTorque(j, f) }, world.FrictionJoint, world.MotorJoint)
	},
	"SetSpring": func(a *author) edit {
		f, d := a.span(.5, 6), a.span(.2, 1.5)
		return a.jointEdit(fmt.Sprintf("spring %.3g Hz", f), func(e *edited, j world.Joint) error { return e.SetSpring(j, f, d) }, world.RevoluteJoint, world.PrismaticJoint, world.DistanceJoint, world.MouseJoint, world.WheelJoint, world.WeldJoint)
	},
	"SetSpringTarget": func(a *author) edit {
		f := a.span(-.3, .3)
		return a.jointEdit("target of the spring", func(e *edited, j world.Joint) error { return e.SetSpringTarget(j, f) }, world.RevoluteJoint, world.PrismaticJoint)
	},
	"SetSoftness": func(a *author) edit {
		if a.way != world.SoftStep {
			return edit{}
		}
		f, d := a.span(5, 60), a.span(.5, 2)
		return a.jointEdit("softness", func(e *edited, j world.Joint) error { return e.SetSoftness(j, f, d) }, allJoints()...)
	},
	"SetTarget": func(a *author) edit {
		i, is := a.jointOf(world.MouseJoint)
		if i < 0 {
			return edit{}
		}
		to := is.PointA.Add(a.shift())
		return edit{name: "target of a mouse joint", do: func(e *edited) error { return e.SetTarget(e.joints[i], to) }}
	},
	"SetCollideConnected": func(a *author) edit {
		on := a.IntN(2) == 0
		return a.jointEdit(fmt.Sprintf("collide connected %v", on), func(e *edited, j world.Joint) error { return e.SetCollideConnected(j, on) }, allJoints()...)
	},
	"SetBreakLimits": func(a *author) edit {
		f := a.span(0, 200)
		return a.jointEdit("break limits", func(e *edited, j world.Joint) error { return e.SetBreakLimits(j, f, 0) }, allJoints()...)
	},
}
