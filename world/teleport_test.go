package world_test

import (
	"testing"

	"halfstep/world"
)

func TestContactsOfATeleportedBodyEndAtOnceWhereItTouchesNothing(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		for _, c := range []struct {
			by   world.Vec
			ends float64
		}{{world.Vec{Y: 5}, 2}, {world.Vec{Y: .05}, 1}, {world.Vec{X: .1}, 0}, {}} {
			x := newSituation(t, world.Config{Stepper: s})
			x.body(world.Static, world.Vec{Y: -1}, world.Box(20, 1))
			zone := x.body(world.Static, world.Vec{}, sensor(2, 2))
			b := x.body(world.Dynamic, world.Vec{Y: .5}, world.Box(.5, .5))
			x.steps(60)
			now := x.info(b).Position
			x.worked(x.Teleport(b, world.Vec{X: now.X + c.by.X, Y: now.Y + c.by.Y}, 0))
			left := 0
			x.worked(x.BodyContacts(b, func(world.Contact) bool { left++; return true }))
			x.worked(x.ShapeContacts(must(x.Shapes(zone))[0], func(world.Contact) bool { left++; return true }))
			x.between("contacts left", float64(left), 2-c.ends, 2-c.ends)
			x.events = nil
			x.steps(1)
			x.between("ends told", float64(x.told(world.ContactEnd)+x.told(world.SensorEnd)), c.ends, c.ends)
			x.between("begins told", float64(x.told(world.ContactBegin)+x.told(world.SensorBegin)), 0, 0)
		}
	})
}
