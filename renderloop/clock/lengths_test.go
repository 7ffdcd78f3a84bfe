package clock

import "testing"

func TestTimeThatIsCarriedOverIsDemandedInAFrameOfNoTime(t *testing.T) {
	for _, allowed := range []uint64{0, 100} { // the backlog: either all steps are allowed, or none
		c := mustClock(t, Hz(60))
		c.Advance(16_666_666, 0)
		if err := c.SetRate(Hz(240)); err != nil {
			t.Fatal(err)
		}
		c.CarryTime()
		steps := c.Advance(0, allowed)
		if r := c.Remainder(); r.Units > r.Step {
			t.Errorf("backlog %d: the remainder is %d/%d steps", allowed, r.Units, r.Step)
		}
		if allowed == 0 && steps != 3 {
			t.Errorf("%d steps, want the 3 that are due", steps)
		}
		if ns, frac := c.Ledger().Imbalance(); ns != 0 || frac != 0 {
			t.Errorf("backlog %d: the ledger is off by %d ns and %d", allowed, ns, frac)
		}
	}
}
