package phase

import "testing"

func TestEveryPhaseHasANameAndASlotOfItsLoop(t *testing.T) {
	seen := map[string]bool{}
	for loop := Physics; loop <= Render; loop++ {
		for slot := 1; slot < PerThread; slot++ {
			p := loop.Phase(slot)
			if p.Index() != slot || seen[p.String()] || p.String() == "" {
				t.Errorf("%v: slot %d holds %v, whose slot is %d", loop, slot, p, p.Index())
			}
			seen[p.String()] = true
		}
	}
	if len(seen) != int(count)-1 || Other.Index() != 0 || Physics.Phase(0) != Other || Phase(99).String() != "unknown" {
		t.Errorf("%d phases: %v", len(seen), seen)
	}
}
