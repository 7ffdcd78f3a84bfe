package main

import (
	"fmt"
	"time"

	"halfstep/world"
)

// ending is the world after its last step.
type ending struct {
	hash   string
	counts struct{ Bodies, Contacts int32 }
	ok     bool
}

// end closes the engine and returns what its world had come to when all steps
// that were demanded were done; not ok if physics failed before.
func (v *viewer) end() ending {
	e := v.engine
	done := make(chan ending, 1)
	e.Inspect(func(w *world.World) {
		end := ending{hash: fmt.Sprintf("%016x", w.Hash()), ok: true}
		c := w.Counts()
		end.counts.Bodies, end.counts.Contacts = c.Bodies, c.Contacts
		done <- end
	})
	// A paused frame demands nothing more. On an injected clock its time lets
	// physics finish what was demanded before.
	e.SetPaused(true)
	v.baton.wait()
	e.Advance(time.Minute)
	v.baton.resume()
	v.closeEngine()
	select {
	case end := <-done:
		return end
	default:
		return ending{}
	}
}
