package engine

import (
	"fmt"
	"time"

	"halfstep/buffer/phase"
)

// Busy says what a goroutine is doing: a step or a frame. The zero value means that
// none is under way.
type Busy struct {
	Thread     phase.Thread
	Number     uint64 // the tick that the step leads to, or which frame it is
	Phase      phase.Phase
	Continuous bool          // the step is in continuous collision
	For        time.Duration // since it began, without planned sleep
}

// String returns a sentence such as "physics has been in tick 812 for 3 s, in
// continuous collision".
func (b Busy) String() string {
	switch {
	case b == (Busy{}):
		return "nothing is under way"
	case b.Thread == phase.Render:
		return fmt.Sprintf("frame %d has taken %s, in %s", b.Number, seconds(b.For), b.Phase)
	}
	return "physics has been in " + b.where()
}

func (b Busy) where() string {
	in := b.Phase.String()
	if b.Continuous {
		in = "continuous collision"
	}
	return fmt.Sprintf("tick %d for %s, in %s", b.Number, seconds(b.For), in)
}

func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.2g s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// Busy returns which step (phase.Physics) or frame (phase.Render) is under way, in
// which phase, and for how long. It returns the zero Busy if there is none, and always
// with Testing.NoPhases. It never waits itself, so a watchdog can use it to report a
// step that does not end. Any goroutine may call it.
func (e *Engine) Busy(t phase.Thread) (b Busy) {
	if n, p, lasted, ok := e.lane(t).Busy(); ok {
		b = Busy{Thread: t, Number: n, Phase: p, Continuous: p == phase.Step && inside.Continuous(e.world), For: lasted}
	}
	return b
}
