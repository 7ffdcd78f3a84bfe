package play

import (
	"testing"

	"halfstep/world"
)

func TestContactsAndJointsOfABodyAreListed(t *testing.T) {
	b := newPanelBench(t, "-scene joints")
	b.run(240) // run until the tyre is on the ground
	for name, want := range map[string][2]int{"revolute": {0, 1}, "tyre": {1, 1}} {
		n, _ := b.Stage.Player.Find(name)
		done := make(chan BodyReport, 1)
		world.Ask(b.Stage.Player.Commands, func(w *world.World) BodyReport { return report(w, n, 0, nil) }, func(_ uint64, r BodyReport) { done <- r })
		b.run(5)
		select {
		case r := <-done:
			if r.NContacts < want[0] || len(r.Joints) != want[1] {
				t.Errorf("%s: %d contacts, %d joints", name, r.NContacts, len(r.Joints))
			}
		default:
			t.Fatal("no answer")
		}
	}
}
