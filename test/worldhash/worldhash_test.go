package worldhash_test

import (
	"math"
	"testing"

	"halfstep/test/benchscene"
	"halfstep/test/worldhash"
)

func TestOneBitOfAnythingChangesTheHash(t *testing.T) {
	scene, err := benchscene.Build("fall50")
	if err != nil {
		t.Fatal(err)
	}
	w := benchscene.NewWorld()
	scene.AddTo(w)
	for range 40 {
		w.Step(1.0/60, 8, 3)
	}
	want := worldhash.World(w)
	flip := func(what string, x *float64) {
		old := *x
		*x = math.Float64frombits(math.Float64bits(old) ^ 1)
		if worldhash.World(w) == want {
			t.Errorf("the hash does not see %s", what)
		}
		*x = old
	}
	b := w.M_bodyList
	flip("an angle", &b.M_sweep.A)
	flip("a velocity", &b.M_linearVelocity.Y)
	flip("a sleep time", &b.M_sleepTime)
	flip("a force", &b.M_force.X)
	c := w.M_contactManager.M_contactList
	flip("an impulse", &c.GetManifold().Points[0].NormalImpulse)
	flip("a tree node", &w.M_contactManager.M_broadPhase.M_tree.M_nodes[w.M_contactManager.M_broadPhase.M_tree.M_root].Aabb.LowerBound.X)
	c.SetEnabled(!c.IsEnabled())
	if worldhash.World(w) == want {
		t.Error("the hash does not see a contact's flags")
	}
	c.SetEnabled(!c.IsEnabled())
	if worldhash.World(w) != want {
		t.Error("the hash of one state is not always the same")
	}
}
