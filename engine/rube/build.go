package rube

import (
	"errors"
	"fmt"
	"strings"

	"halfstep/world"
)

// Config is the configuration of a world for the scene. Where the file does
// not say how many iterations a step has, the world chooses.
func (s *Scene) Config() world.Config {
	return world.Config{
		Gravity:            s.Gravity,
		NoGravity:          s.Gravity == world.Vec{},
		VelocityIterations: s.VelocityIterations,
		PositionIterations: s.PositionIterations,
		NoSleep:            s.NoSleep,
		NoContinuous:       s.NoContinuous,
		NoWarmStarting:     s.NoWarmStarting,
		SubStepping:        s.SubStepping,
	}
}

// Build creates the scene's bodies and joints in w, in the order of the file,
// gear joints last. What Box2D could not take is an error, one line that
// begins with the file's name; what was made before it stays.
func (s *Scene) Build(w *world.World) error {
	bodies := make([]world.Body, len(s.Bodies))
	for i, d := range s.Bodies {
		var err error
		if bodies[i], err = w.CreateBody(d); err != nil {
			if text, _, one := strings.Cut(err.Error(), " (shape "); one { // a limit on all its fixtures together
				err = errors.New(strings.TrimPrefix(text, "world: "))
			}
			return fmt.Errorf("%s: %s: %w", s.Name, place("body", i, d.Name), err)
		}
	}
	joints := make([]world.Joint, len(s.Joints))
	for _, gears := range []bool{false, true} { // gears come last: they need the joints that they couple
		for i := range s.Joints {
			j := &s.Joints[i]
			if gears != (j.Def.Kind == world.GearJoint) {
				continue
			}
			var err error
			if joints[i], err = j.build(w, bodies, joints); err != nil {
				return fmt.Errorf("%s: joint %d: %w", s.Name, i, err)
			}
		}
	}
	return nil
}

func (j *Joint) build(w *world.World, bodies []world.Body, joints []world.Joint) (world.Joint, error) {
	d := j.Def
	switch d.Kind {
	case world.GearJoint: // takes its bodies from the joints
		d.Joint1, d.Joint2 = joints[j.Joint1], joints[j.Joint2]
		return w.CreateJoint(d)
	case world.MouseJoint: // holds the body where its first target is
		d.A, d.B, d.Target = bodies[j.BodyA], bodies[j.BodyB], j.Grab
		n, err := w.CreateJoint(d)
		if err == nil {
			err = w.SetTarget(n, j.Def.Target)
		}
		return n, err
	}
	d.A, d.B = bodies[j.BodyA], bodies[j.BodyB]
	return w.CreateJoint(d)
}
