package world_test

import (
	"math/rand/v2"
	"slices"
	"testing"

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
