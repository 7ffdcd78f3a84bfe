package world_test

import (
	"testing"

	"halfstep/world"
)

// A limit counts a pair once, however often its bodies are edited.
func TestAWorldThatIsAlmostFullTakesEditsOfWhatItHolds(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoGravity: true, MaxContacts: 30})
		ground := x.body(world.Static, world.Vec{}, world.Box(20, 1))
		for i := range 20 {
			x.body(world.Dynamic, world.Vec{X: float64(2*i) - 19, Y: 1.5}, world.Box(.5, .5))
		}
		x.steps(2)
		for range 50 { // paused
			x.worked(x.Teleport(ground, world.Vec{Y: .001}, 0))
			x.worked(x.SetKind(ground, world.Kinematic))
			x.worked(x.SetKind(ground, world.Static))
			x.worked(x.SetEnabled(ground, false))
			x.worked(x.SetEnabled(ground, true))
			x.worked(x.DestroyBody(x.body(world.Static, world.Vec{X: 1, Y: 1.5}, world.Box(1, 1))))
		}
		x.steps(2)
		x.between("contacts", float64(x.Counts().Contacts), 20, 20)
	})
}
