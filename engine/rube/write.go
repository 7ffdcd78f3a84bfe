package rube

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"halfstep/world"
)

// Of returns a scene from which the present world can be built, with exactly its settings,
// bodies, joints, places and velocities. The scene lacks User values other than *Info, and the
// code that the world calls. LeftOut names what it lacks. It also lacks contacts, so the
// impulses between touching bodies start from 0. Call Of on the physics goroutine, between two
// steps.
func Of(w *world.World) *Scene {
	s := &Scene{World: w.Config(), LeftOut: w.NotInDefinitions()}
	if s.World.Workers = 0; s.World.MaxContacts == world.DefaultMaxContacts {
		s.World.MaxContacts = 0
	}
	users := 0
	kept := func(user any) any { // keeps *Info, and counts other values
		in, ok := user.(*Info)
		if ok {
			return in
		}
		if user != nil {
			users++
		}
		return nil
	}
	bodies, joints := map[world.Body]int{0: -1}, map[world.Joint]int{} // indices in the scene; -1 for no body
	for b := range w.Bodies() {
		d, _ := w.BodyDef(b)
		d.User = kept(d.User)
		for i := range d.Shapes {
			d.Shapes[i].User = kept(d.Shapes[i].User)
		}
		bodies[b] = len(s.Bodies)
		s.Bodies = append(s.Bodies, d)
	}
	for _, n := range slices.Backward(slices.Collect(w.Joints())) {
		i, _ := w.Joint(n)
		j := Joint{Def: i.Def, BodyA: bodies[i.A], BodyB: bodies[i.B]}
		if i.Kind == world.GearJoint {
			j.Joint1, j.Joint2 = joints[i.Def.Joint1], joints[i.Def.Joint2]
		}
		j.Def.A, j.Def.B, j.Def.Joint1, j.Def.Joint2, j.Def.User = 0, 0, 0, 0, kept(i.User)
		joints[n] = len(s.Joints)
		s.Joints = append(s.Joints, j)
	}
	if users > 0 {
		s.LeftOut = append(s.LeftOut, count(users, "user value"))
	}
	return s
}

var errInfinite = errors.New("a number of the scene is not finite")

// JSON writes the scene in the format of R.U.B.E. and b2dJson. Values for which the format has
// no field, such as fixed axes, materials or the corners of a capsule, are in custom
// properties whose names begin with "halfstep.", which other programs ignore. Parse reads
// exactly the same scene.
func (s *Scene) JSON() ([]byte, error) {
	scales := world.NewSimulation(world.Config{Workers: 1})
	defer scales.Close()
	o := &object{writes: true, scales: scales}
	c := *s
	o.scene(&c)
	o.writeAll("body", len(s.Bodies), func(in *object, i int) {
		d := s.Bodies[i]
		in.body(&d)
	})
	o.writeAll("joint", len(s.Joints), func(in *object, i int) {
		j := s.Joints[i]
		in.joint(s, len(s.Joints), &j)
	})
	data := append(o.written(), '\n')
	switch {
	case o.err != nil:
		return nil, o.err
	case len(data) > maxFile:
		return nil, fmt.Errorf("the scene takes more than %d MiB", maxFile>>20)
	case !json.Valid(data):
		return nil, errInfinite
	}
	return data, nil
}
