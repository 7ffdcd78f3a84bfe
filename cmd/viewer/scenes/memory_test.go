package scenes

import (
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
)

// In this scene contacts begin and end all the time, but no bodies are created or
// destroyed. The test would detect a buffer of the stepper that keeps an ended
// contact. Through its links such a contact keeps all contacts that end later.
func TestContactsThatHaveEndedAreLetGo(t *testing.T) {
	norace.Only(t)
	c := lookup(t, "sensors").Config()
	c.Time.Simulated, c.Time.Sync = true, renderloop.Lockstep
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	play := func(ticks int) int64 {
		for range ticks {
			e.Advance(time.Second / 60)
			for range e.Events() {
			}
		}
		return used()
	}
	before := play(1000)
	if after := play(3000); after > before+200<<10 {
		t.Errorf("the heap has grown from %d to %d kB", before>>10, after>>10)
	}
}
