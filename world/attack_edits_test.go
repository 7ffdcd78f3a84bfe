package world_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/world"
)

// edited is a world that is edited, with its objects in order of creation. Its twins have other
// handles but the same order, so edits refer to objects by number.
type edited struct {
	*situation
	bodies []world.Body
	shapes [][]world.Shape // of each body
	joints []world.Joint
	before []func(e *edited) // edits that a controller makes in the next step
	after  []func(e *edited) // edits that a contact hook makes in the next step
	inside []func(e *edited) // edits that the PreSolve hook puts off with Later
}

func newEdited(t testing.TB, c world.Config) *edited {
	e := &edited{situation: newSituation(t, c)}
	do := func(list *[]func(*edited)) {
		all := *list
		*list = nil
		for _, f := range all {
			f(e)
		}
	}
	e.AddController(world.ControllerFunc(func(*world.World, float64) { do(&e.before) }))
	e.AddContactHook(func(*world.World, []world.Event) { do(&e.after) })
	e.SetPreSolve(e.preSolve)
	e.SetShouldCollide(shouldCollide)
	return e
}

// The answers of preSolve and shouldCollide depend only on the world.
func (e *edited) preSolve(w *world.World, c *world.PreSolveContact) {
	if c.MaterialA == 7 || c.MaterialB == 7 {
		c.Friction *= .5
	}
	if len(e.inside) > 0 {
		all := e.inside
		e.inside = nil
		for _, f := range all {
			w.Later(func(*world.World) { f(e) })
		}
	}
}

func shouldCollide(w *world.World, a, b world.Shape) bool {
	x, y := must(w.Shape(a)), must(w.Shape(b))
	return x.Material != 9 || y.Material != 9
}

// look updates the lists of the world's objects.
func (e *edited) look() {
	e.bodies, e.shapes, e.joints = slices.Collect(e.Bodies()), nil, slices.Collect(e.Joints())
	slices.Reverse(e.joints)
	for _, b := range e.bodies {
		e.shapes = append(e.shapes, must(e.Shapes(b)))
	}
}

// bytes returns a snapshot of the world as bytes.
func (e *edited) bytes() []byte {
	var s world.Snapshot
	e.check(e.Snapshot(&s))
	return must(s.MarshalBinary())
}

// loaded is a new world from the bytes of a snapshot.
func (e *edited) loaded(b []byte) *edited {
	n := newEdited(e.t, e.Config())
	n.check(n.Restore(must(world.LoadSnapshot(b))))
	n.look()
	return n
}

// anew is a new world from the definitions of this one, so it has no state from earlier steps. Its
// bodies are moved by up to the argument by, m, and turned by up to as much, rad. With backwards
// the bodies are made in the opposite order, which shows how much the order of contacts in a step
// matters.
func (e *edited) anew(r *rand.Rand, by float64, backwards bool) *edited {
	n := newEdited(e.t, e.Config())
	e.look()
	made := map[world.Body]world.Body{}
	bodies := slices.Clone(e.bodies)
	if backwards {
		slices.Reverse(bodies)
	}
	for _, b := range bodies {
		d := must(e.BodyDef(b))
		if d.Kind == world.Dynamic && by > 0 {
			d.Position = d.Position.Add(world.Vec{X: by * (2*r.Float64() - 1), Y: by * (2*r.Float64() - 1)})
			d.Angle += by * (2*r.Float64() - 1)
		}
		made[b] = must(n.CreateBody(d))
	}
	joined := map[world.Joint]world.Joint{}
	joints := slices.Clone(e.joints)
	if backwards {
		slices.Reverse(joints)
	}
	gear := func(j world.Joint) int { // a gear comes after the joints that it couples
		if must(e.Joint(j)).Kind == world.GearJoint {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(joints, func(a, b world.Joint) int { return gear(a) - gear(b) })
	for _, j := range joints {
		d := must(e.Joint(j)).Def
		d.A, d.B, d.Joint1, d.Joint2 = made[d.A], made[d.B], joined[d.Joint1], joined[d.Joint2]
		joined[j] = must(n.CreateJoint(d))
	}
	n.look()
	for i, b := range e.bodies { // in the order of e.bodies
		n.bodies[i] = made[b]
		n.shapes[i] = must(n.Shapes(made[b]))
	}
	for i, j := range e.joints {
		n.joints[i] = joined[j]
	}
	return n
}

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

func again(d edit) edit     { d.again = true; return d }
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

// noEdits are the methods of a world that change no bodies, or that the attack calls itself.
var noEdits = strings.Fields(`AddContactHook AddController AddControllerEvery AddState Alive Bodies Body BodyContacts BodyDef Bounds
	BodyPointer Box2D Config Contacts Counts DrawLine DrawPoint DrawText Find FindJoint Gravity HandleOf HandleOfJoint HandleOfShape
	Hash Joint Joints JointsOf Keep Later NotInDefinitions Query Register Restore Shape ShapeContacts Shapes Snapshot StateHash
	Surfaces Tick`)

func TestTheAttackOfEditsUsesEveryMethodThatChangesAWorld(t *testing.T) {
	has := reflect.TypeFor[*world.World]()
	for i := range has.NumMethod() {
		name := has.Method(i).Name
		if (edits[name] != nil) == slices.Contains(noEdits, name) {
			t.Errorf("World.%s: among the edits %v, among what edits nothing %v", name, edits[name] != nil, slices.Contains(noEdits, name))
		}
	}
	for name := range edits {
		if _, ok := has.MethodByName(name); !ok {
			t.Errorf("a world has no method %s", name)
		}
	}
	// Each command that changes the world has a method of World that does the same.
	has = reflect.TypeFor[world.Commands]()
	others := strings.Fields(`At From Room Nothing Do DoNamed Inspect KeepSnapshot RestoreSnapshot NearestPoint QueryBox QueryPoint RayCast
		CreateBodyWithShapes`)
	for i := range has.NumMethod() {
		if name := has.Method(i).Name; edits[name] == nil && !slices.Contains(others, name) {
			t.Errorf("Commands.%s has no edit", name)
		}
	}
}

// jointDef returns a random joint of any kind except a gear. Some kinds have their anchor at the
// point at.
func (j *judged) jointDef(at world.Vec) (d world.JointDef, ok bool) {
	d.Kind = world.JointKind(j.IntN(int(world.MotorJoint) + 1))
	d.CollideConnected = j.IntN(3) == 0
	switch d.Kind {
	case world.RevoluteJoint, world.PrismaticJoint, world.WheelJoint, world.WeldJoint, world.FrictionJoint:
		d.Anchor = &at
	}
	switch d.Kind {
	case world.RevoluteJoint, world.PrismaticJoint:
		d.EnableLimit, d.Lower, d.Upper = j.IntN(2) == 0, -.2, .2
		d.EnableMotor, d.MaxMotorForce = j.IntN(3) == 0, j.span(0, 20)
		if j.IntN(3) == 0 {
			d.Frequency, d.Damping = j.span(1, 5), 1
		}
		d.AxisA = world.Vec{Y: 1}
	case world.DistanceJoint:
		if j.IntN(2) == 0 {
			d.Frequency, d.Damping = j.span(1, 5), 1
		}
	case world.RopeJoint:
		d.MaxLength = j.span(.5, 2)
	case world.WheelJoint:
		d.AxisA, d.Frequency, d.Damping = world.Vec{Y: 1}, j.span(2, 5), .8
	case world.WeldJoint:
		if j.IntN(2) == 0 {
			d.Frequency, d.Damping = j.span(2, 5), 1
		}
	case world.FrictionJoint:
		d.MaxForce, d.MaxTorque = j.span(10, 60), j.span(10, 60)
	case world.MotorJoint:
		d.LinearOffset, d.MaxForce, d.MaxTorque = j.vec(.5), 100, 100
	case world.MouseJoint:
		d.Target, d.MaxForce = at, 200
	case world.PulleyJoint:
		d.GroundA, d.GroundB = at.Add(world.Vec{X: -1, Y: 3}), at.Add(world.Vec{X: 1, Y: 3})
	default:
		return d, false
	}
	return d, true
}

// block is a shape that stands on its base without tipping.
func (j *judged) block() (d world.ShapeDef, hx, hy float64) {
	hx, hy = j.span(.2, .5), j.span(.15, .4)
	switch j.IntN(4) {
	case 0:
		d = world.Box(hx-.08, hy-.08)
		d.Radius = .08
	default:
		d = world.Box(hx, hy)
	}
	d.Friction, d.Density = j.span(.4, 1), j.span(.5, 2)
	return d, hx, hy
}

// pit makes a pit that no body can leave. Its floor is at a height of 0.
func (j *judged) pit(e *edited) world.Body {
	var shapes []world.ShapeDef
	switch j.IntN(3) {
	case 0:
		shapes = []world.ShapeDef{world.BoxAt(world.Vec{Y: -1}, 8, 1, 0)}
	case 1:
		shapes = []world.ShapeDef{world.Edge(world.Vec{X: -8}, world.Vec{X: 8})}
	default:
		shapes = []world.ShapeDef{world.Chain(world.Vec{X: 8}, world.Vec{X: 2}, world.Vec{X: -3}, world.Vec{X: -8})}
	}
	shapes[0].Friction = .7
	shapes = append(shapes, world.BoxAt(world.Vec{X: -8.5, Y: 4}, .5, 5, 0), world.BoxAt(world.Vec{X: 8.5, Y: 4}, .5, 5, 0))
	return e.made(world.BodyDef{Shapes: shapes})
}

func (j *judged) dynamicDef(at world.Vec, shapes ...world.ShapeDef) world.BodyDef {
	d := world.BodyDef{Kind: world.Dynamic, Position: at, Shapes: shapes, AngularDamping: .3}
	if j.IntN(5) == 0 {
		d.Mass = &world.Mass{Mass: j.span(.3, 2), Centre: j.vec(.05), Inertia: j.span(.05, .2)}
	}
	return d
}

// scenesToEdit are the worlds that are edited.
var scenesToEdit = []struct {
	name string
	make func(j *judged, e *edited)
}{
	{"a stack", func(j *judged, e *edited) {
		j.pit(e)
		y := 0.
		for range 1 + j.IntN(4) {
			d, _, hy := j.block()
			e.made(j.dynamicDef(world.Vec{X: j.span(-.02, .02), Y: y + hy}, d))
			y += 2 * hy
		}
	}},
	{"boxes on posts", func(j *judged, e *edited) {
		j.pit(e)
		for i := range 1 + j.IntN(3) {
			x, h, half := 3*float64(i)-3, j.span(.3, 1), j.span(.1, .4)
			e.made(world.BodyDef{Kind: world.BodyKind(j.IntN(2)), Position: world.Vec{X: x, Y: h}, Shapes: []world.ShapeDef{world.Box(half, h)}})
			left, right := world.BoxAt(world.Vec{X: -.25}, .25, .2, 0), world.BoxAt(world.Vec{X: .25}, .25, .2, 0)
			left.Friction, right.Friction = .6, .6
			e.made(j.dynamicDef(world.Vec{X: x, Y: 2*h + .2}, left, right))
		}
	}},
	{"bodies of several shapes", func(j *judged, e *edited) {
		j.pit(e)
		for i := range 1 + j.IntN(3) {
			var shapes []world.ShapeDef
			n := 2 + j.IntN(3)
			for k := range n {
				x := .3 * (float64(k) - float64(n-1)/2)
				d := []world.ShapeDef{world.BoxAt(world.Vec{X: x}, .15, .2, 0), world.CircleAt(x, 0, .2), world.Capsule(world.Vec{X: x - .1}, world.Vec{X: x + .1}, .2), world.BoxAt(world.Vec{X: x, Y: .05}, .15, .15, 0)}[j.IntN(4)]
				if d.Kind == world.PolygonShape && d.Points[0].Y > -.15 {
					d.Radius = .05
				}
				d.Friction, d.Density = j.span(.3, 1), j.span(.2, 3)
				shapes = append(shapes, d)
			}
			e.made(j.dynamicDef(world.Vec{X: 3*float64(i) - 3, Y: .2}, shapes...))
		}
	}},
	{"on a slope", func(j *judged, e *edited) {
		j.pit(e)
		e.made(world.BodyDef{Position: world.Vec{X: 0, Y: .5}, Angle: j.span(-.3, .3), Shapes: []world.ShapeDef{world.Box(2.5, .2)}})
		for i := range 2 {
			d, _, hy := j.block()
			if j.IntN(3) == 0 {
				d, hy = world.Circle(.2), .2
				d.RollingResistance = .5
			}
			d.Friction = 1
			e.made(j.dynamicDef(world.Vec{X: 2*float64(i) - 1, Y: .9 + hy}, d))
		}
	}},
	{"hanging", func(j *judged, e *edited) {
		above, y := j.pit(e), 6.
		for range 1 + j.IntN(3) {
			d, ok := j.jointDef(world.Vec{Y: y})
			b := e.made(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: y - .3}, LinearDamping: .3, AngularDamping: 2, Shapes: []world.ShapeDef{world.Box(.1, .3)}})
			if !ok {
				d = world.JointDef{Kind: world.RevoluteJoint, Anchor: &world.Vec{Y: y}}
			}
			d.A, d.B = above, b
			e.joint(d)
			above, y = b, y-.6
		}
	}},
	{"a car", func(j *judged, e *edited) {
		j.pit(e)
		car := e.made(j.dynamicDef(world.Vec{Y: .6}, world.Box(.8, .2), world.BoxAt(world.Vec{X: -.3, Y: .3}, .3, .15, 0)))
		for _, x := range []float64{-.6, .6} {
			d := world.Circle(.25)
			d.Friction = 1
			b := e.made(j.dynamicDef(world.Vec{X: x, Y: .25}, d))
			e.joint(world.JointDef{Kind: world.WheelJoint, A: car, B: b, Anchor: &world.Vec{X: x, Y: .25}, AxisA: world.Vec{Y: 1}, Frequency: 4, Damping: .8})
		}
	}},
	{"gears", func(j *judged, e *edited) {
		frame := j.pit(e)
		var joints [2]world.Joint
		for i := range 2 {
			at := world.Vec{X: float64(i), Y: 4}
			b := e.made(world.BodyDef{Kind: world.Dynamic, Position: at, AngularDamping: 2, Shapes: []world.ShapeDef{world.Circle(.3), world.CircleAt(0, -.3, .1)}})
			joints[i] = e.joint(world.JointDef{Kind: world.RevoluteJoint, A: frame, B: b, Anchor: &at})
		}
		e.joint(world.JointDef{Kind: world.GearJoint, Joint1: joints[0], Joint2: joints[1], Ratio: j.span(.5, 2)})
	}},
	{"balls in a groove", func(j *judged, e *edited) {
		e.made(world.BodyDef{Shapes: []world.ShapeDef{world.Chain(world.Vec{X: 8, Y: 8}, world.Vec{X: 4, Y: 2}, world.Vec{}, world.Vec{X: -4, Y: 2}, world.Vec{X: -8, Y: 8})}})
		for i := range 1 + j.IntN(2) {
			d := []world.ShapeDef{world.Circle(.3), world.CircleAt(.1, 0, .3), world.Capsule(world.Vec{X: -.2}, world.Vec{X: .2}, .2)}[j.IntN(3)]
			d.Friction = .3
			e.made(j.dynamicDef(world.Vec{X: float64(i), Y: 1.5 + float64(i)}, d, world.CircleAt(0, .2, .1)))
		}
	}},
	{"in motion", func(j *judged, e *edited) {
		j.pit(e)
		e.made(world.BodyDef{Kind: world.Kinematic, Position: world.Vec{X: j.span(-3, 3), Y: 1}, Velocity: j.vec(.5), Shapes: []world.ShapeDef{world.Box(1, .1)}})
		for range 2 + j.IntN(5) {
			d := j.dynamicDef(world.Vec{X: j.span(-3, 3), Y: j.span(.5, 6)}, j.shape())
			if j.IntN(2) == 0 {
				d.Shapes = append(d.Shapes, j.shape())
			}
			d.Angle, d.Velocity, d.AngularVelocity, d.Bullet = j.span(-3, 3), j.vec(5), j.span(-3, 3), j.IntN(4) == 0
			e.made(d)
		}
	}},
}

// speeds returns for each body its velocity, m/s, and the speed, m/s, that its rotation gives a point
// 30 cm from its centre.
func (e *edited) speeds() (all [][3]float64) {
	for _, b := range e.bodies {
		is := e.info(b)
		all = append(all, [3]float64{is.Velocity.X, is.Velocity.Y, .3 * is.AngularVelocity})
	}
	return all
}

// apart returns the difference between two speeds of a body, and the greater of the two.
func apart(a, b [3]float64) (difference, great float64) {
	for i := range a {
		difference += (a[i] - b[i]) * (a[i] - b[i])
		great += max(a[i]*a[i], b[i]*b[i])
	}
	return math.Sqrt(difference), math.Sqrt(great)
}

// rests steps the world until all bodies lie still. It returns false if they do not within some
// seconds.
func (e *edited) rests() bool {
	for range 8 {
		e.steps(90)
		still := true
		for b := range e.Bodies() {
			if is := e.info(b); is.Kind == world.Dynamic && (is.Velocity.Len() > 5e-4 || math.Abs(is.AngularVelocity) > 1e-3) {
				still = false
			}
		}
		if still {
			return true
		}
	}
	return false
}

// pairs has the numbers of each two bodies that touch.
func (e *edited) pairs() map[[2]int]bool {
	number := map[world.Body]int{}
	for b := range e.Bodies() {
		number[b] = len(number)
	}
	all := map[[2]int]bool{}
	for c := range e.Contacts() {
		a, b := number[c.A], number[c.B]
		all[[2]int{min(a, b), max(a, b)}] = true
	}
	return all
}

// farthest finds the body whose place, m, or angle, rad, differs most between two worlds, and
// returns both differences.
func (e *edited) farthest(o *edited) (body int, place, angle float64) {
	var mine, others []world.Body
	mine, others = slices.Collect(e.Bodies()), slices.Collect(o.Bodies())
	for i := range min(len(mine), len(others)) {
		a, b := e.info(mine[i]), o.info(others[i])
		p, r := a.Position.Sub(b.Position).Len(), math.Abs(a.Angle-b.Angle)
		if p+.3*r > place+.3*angle {
			body, place, angle = i, p, r
		}
	}
	return body, place, angle
}

// tally counts what the attack on edits has checked.
type tally struct{ edits, steps, rests, bytes, places uint64 }

// editing makes a world, edits it, and checks it after every edit.
func editing(j *judged, t *tally) {
	scene := scenesToEdit[j.IntN(len(scenesToEdit))]
	c := world.Config{Stepper: j.way, Workers: 1 + j.IntN(2), NoSleep: j.IntN(2) == 0, NoWarmStarting: j.IntN(2) == 0, NoContinuous: j.IntN(6) == 0}
	e := newEdited(j.TB, c)
	scene.make(j, e)
	if scene.name == "in motion" {
		e.steps(j.IntN(120))
	} else {
		e.steps([]int{0, 1, 10, 120, 240}[j.IntN(5)])
	}
	e.look()
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range edits {
			if !yield(name) {
				return
			}
		}
	})
	name, remembers := j.name, false
	for n := range 1 + j.IntN(3) {
		var d edit
		var method string
		for d.do == nil {
			if method = names[j.IntN(len(names))]; j.IntN(3) == 0 { // every third time, a change of mass
				method = []string{"SetDensity", "CreateShape", "DestroyShape", "ReplaceShape"}[j.IntN(4)]
			}
			d = edits[method](&author{j, e})
		}
		remembers = remembers || d.remembers
		j.name = fmt.Sprintf("%s: %s, warm %v, sleep %v, edit %d: %s", name, scene.name, !c.NoWarmStarting, !c.NoSleep, n, d.name)
		e = j.judge(e, d, remembers, t)
		t.edits++
		e.look()
		e.steps(j.IntN(12))
	}
	if !remembers && j.IntN(2) == 0 {
		j.rest(e, t)
	}
}

// judge edits a world and checks the step after the edit. It returns the world for the next edit.
func (j *judged) judge(e *edited, d edit, remembers bool, t *tally) *edited {
	saved := e.bytes()
	untouched := e.loaded(saved)
	control := untouched.anew(nil, 0, false)

	// Make the same edit in a world from bytes, and in other phases of a step.
	twin := e.loaded(saved)
	wrong := d.do(twin)
	inside := e.loaded(saved)
	moment := j.IntN(2)
	if moment == 0 {
		inside.before = append(inside.before, func(e *edited) { d.do(e) })
	}
	var s world.Snapshot
	around := j.IntN(5)
	switch around {
	case 1: // a snapshot before the edit; the world restores it after another edit
		e.check(e.Snapshot(&s))
		d.do(e)
		e.steps(j.IntN(3))
		e.check(e.Restore(&s))
	case 2:
		e.check(e.Snapshot(&s))
	}
	if err := d.do(e); (err == nil) != (wrong == nil) {
		j.Errorf("%s: %v: the edit says %v, and %v in the world that was loaded", j.name, j.way, err, wrong)
		return e
	}
	if wrong != nil {
		return e
	}
	switch around {
	case 2: // a snapshot after the edit
		e.check(e.Snapshot(&s))
	case 3:
		e.check(e.Snapshot(&s))
		e.steps(j.IntN(3))
		e.check(e.Restore(&s))
	}
	fresh, reversed := e.anew(nil, 0, false), e.anew(nil, 0, true)
	for _, w := range []*edited{fresh, reversed} {
		if d.again {
			w.check(d.do(w))
		}
	}
	wild := e.deep()
	for _, j := range e.joints {
		is := must(e.Joint(j))
		wild = wild || (is.Kind == world.RevoluteJoint || is.Kind == world.WeldJoint) && is.PointA.Sub(is.PointB).Len() > .05
	}
	for _, b := range e.bodies {
		is := e.info(b)
		wild = wild || is.Velocity.Len() > 3 || math.Abs(is.AngularVelocity) > 6
	}
	// The edit may wake bodies, which then have old contacts. So all bodies wake in these worlds, too.
	for _, w := range []*edited{untouched, control} {
		w.look()
		for i, b := range w.bodies {
			if i < len(e.bodies) && e.Alive(e.bodies[i]) && e.info(e.bodies[i]).Awake {
				w.check(w.SetAwake(b, true))
			}
		}
	}
	if around == 4 { // the world runs on from bytes
		if d.again {
			around = 0
		} else {
			e = e.loaded(e.bytes())
		}
	}

	for i := range 3 {
		for _, w := range []*edited{e, twin} {
			w.steps(1)
		}
		if i == 0 {
			inside.steps(1)
			fresh.steps(1)
			reversed.steps(1)
			untouched.steps(1)
			control.steps(1)
			if moment == 0 && inside.Hash() != e.Hash() {
				_, place, angle := e.farthest(inside)
				if !j.between(fmt.Sprintf("how far a body is off where the edit is made in a controller (and %.3g rad), m", angle), place, 0, 0) {
					return e
				}
			}
			t.places++
			if !remembers && !wild { // otherwise the order of contacts and the sweep determine the first result
				e.look()
				j.fresh(e, fresh, reversed, untouched, control, t)
			}
		}
		if e.StateHash() != twin.StateHash() {
			_, place, angle := e.farthest(twin)
			j.Errorf("%s: %v: %d steps after the edit the world that was loaded from bytes (around %d) has another state hash; a body is off by %.3g m, %.3g rad", j.name, j.way, i+1, around, place, angle)
			return e
		}
		t.bytes++
	}
	return e
}

// fresh compares the speeds in the step after an edit with the speeds in the same world without
// state from earlier steps. It allows for the difference between two such worlds without the edit.
func (j *judged) fresh(e, fresh, reversed, untouched, control *edited, t *tally) {
	good := 0.
	for _, w := range [][2]*edited{{untouched, control}, {fresh, reversed}} {
		a, b := w[0].speeds(), w[1].speeds()
		for i := range a {
			x, _ := apart(a[i], b[i])
			good = max(good, x)
		}
	}
	if good > .02 {
		return
	}
	// A sub-step solves each joint once. The result depends on the order of joints, of which the reversed
	// world tests only a part. The solver starts from the impulses of the last step: after a change of
	// load it converges in a few steps, and takes longer if a body has become lighter. The library's
	// solver also has fewer iterations.
	floor := .02
	if len(e.joints) > 0 {
		floor = .06
	}
	if !e.Config().NoWarmStarting {
		floor = .15
	}
	if j.way != world.SoftStep {
		floor = .3
	}
	floor *= lighter(untouched, e)
	t.steps++
	a, b := e.speeds(), fresh.speeds()
	for i := range a {
		if e.info(e.bodies[i]).Awake != fresh.info(fresh.bodies[i]).Awake { // a sleeping body has no contacts yet
			continue
		}
		x, great := apart(a[i], b[i])
		if !j.between(fmt.Sprintf("how much the speed of body %d is off one without what was kept (%.4g, not %.4g; in other ways %.3g), m/s", i, a[i], b[i], good), x, 0, .01*great+floor+3*good) {
			return
		}
	}
}

// deep reports whether two shapes overlap so deeply that the solver pushes them apart fast.
func (e *edited) deep() (deep bool) {
	q := e.Query(world.QueryFilter{})
	for i, b := range e.bodies {
		if e.info(b).Kind != world.Dynamic {
			continue
		}
		for _, s := range e.shapes[i] {
			if !e.Alive(b) {
				continue
			}
			q.OverlapShape(s, func(_ world.Body, o world.Shape) bool {
				near, err := q.Distance(s, o)
				deep = deep || err == nil && near.Distance < -.03
				return true
			})
		}
	}
	return deep
}

// lighter is the greatest factor by which a body is lighter in the second world, at least 1.
func lighter(a, b *edited) float64 {
	most := 1.
	mine, others := slices.Collect(a.Bodies()), slices.Collect(b.Bodies())
	if len(mine) != len(others) {
		return most
	}
	for i := range mine {
		if x, y := a.info(mine[i]).Mass, b.info(others[i]).Mass; x > 0 && y > 0 {
			most = max(most, x/y)
		}
	}
	return most
}

// rest lets an edited world come to rest, and compares it with new worlds.
func (j *judged) rest(e *edited, t *tally) {
	wake := func(e *edited) {
		for b := range e.Bodies() {
			if e.info(b).Kind == world.Dynamic {
				e.check(e.SetAwake(b, true))
			}
		}
	}
	wake(e)
	same := e.anew(nil, 0, false)
	others := []*edited{}
	for range 4 {
		w := e.anew(j.Rand, 3e-4, false)
		for _, b := range w.bodies {
			if is := w.info(b); is.Kind == world.Dynamic {
				w.check(w.SetVelocity(b, is.Velocity.Add(j.vec(.1))))
				w.check(w.SetAngularVelocity(b, is.AngularVelocity+j.span(-.2, .2)))
			}
		}
		others = append(others, w)
	}
	// Go on only if the resting place does not depend on the path.
	wake(same)
	if !e.rests() || !same.rests() {
		return
	}
	for _, w := range others {
		if wake(w); !w.rests() {
			return
		}
		if _, place, angle := same.farthest(w); place > .0008 || angle > .002 {
			return
		}
	}
	// The library accepts bodies that lie up to 5 mm and 2° off.
	farthest, most := .003, .01
	if j.way != world.SoftStep {
		farthest, most = .013, .045
	}
	t.rests++
	body, place, angle := e.farthest(same)
	if !j.between(fmt.Sprintf("how far body %d is off where it rests in a world made so, m", body), place, 0, farthest) {
		return
	}
	if !j.between(fmt.Sprintf("how far body %d is off as it rests in a world made so, rad", body), angle, 0, most) {
		return
	}
	mine, right := e.pairs(), same.pairs()
	for _, w := range others { // bare touches do not count
		p := w.pairs()
		for k := range p {
			if !right[k] {
				delete(mine, k)
			}
		}
		for k := range right {
			if !p[k] {
				delete(mine, k)
				delete(right, k)
			}
		}
	}
	for k := range mine {
		if !right[k] {
			j.Errorf("%s: %v: bodies %v touch, and do not in a world made so", j.name, j.way, k)
		}
	}
	for k := range right {
		if !mine[k] {
			j.Errorf("%s: %v: bodies %v do not touch, and do in a world made so", j.name, j.way, k)
		}
	}
}

// Every edit is tried at every phase of a step.
func TestAttackEdits(t *testing.T) {
	a := attack.Start(t)
	var c tally
	for r := range a.Rounds() {
		way := []world.Stepper{world.SoftStep, world.SoftStep, world.FastStep}[r.IntN(3)]
		editing(&judged{TB: a, Rand: r, way: way, name: "edits"}, &c)
	}
	a.Count("edits", c.edits)
	a.Count("steps compared", c.steps)
	a.Count("worlds at rest compared", c.rests)
}

// An edited world goes on, and comes to rest, like one that was made with the edit.
func TestAnEditedWorldIsAsOneThatWasMadeSo(t *testing.T) {
	norace.Only(t)
	for _, way := range []world.Stepper{world.FastStep, world.SoftStep} {
		t.Run(way.String(), func(t *testing.T) {
			var c tally
			for seed := range uint64(40) {
				editing(&judged{TB: t, Rand: rand.New(rand.NewPCG(seed, 62)), way: way, name: fmt.Sprintf("seed %d", seed)}, &c)
			}
			if c.steps < 30 || c.rests < 3 {
				t.Errorf("it judged too little: %+v", c)
			}
		})
	}
}
