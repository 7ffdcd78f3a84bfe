package engine

import (
	"fmt"
	"time"

	"halfstep/buffer/phase"
)

// Busy says what the physics goroutine is doing. The zero value means that it
// waits for work.
type Busy struct {
	Tick  uint64        // that the step leads to
	Phase string        // of the step: a name as in profiles, or "continuous collision"
	For   time.Duration // since the step began
}

// String returns a sentence such as "physics has been in tick 812 for 3 s, in
// continuous collision".
func (b Busy) String() string {
	if b == (Busy{}) {
		return "physics waits for work"
	}
	return fmt.Sprintf("physics has been in tick %d for %s, in %s", b.Tick, seconds(b.For), b.Phase)
}

func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.2g s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// Busy returns which step physics is in, in which phase, and for how long. It
// returns the zero Busy if physics waits for work, and always with
// Testing.NoPhases. It never waits itself, so a watchdog can use it to report a
// step that does not end. Any goroutine may call it.
func (e *Engine) Busy() Busy {
	tick, in, lasted, ok := e.steps.Busy()
	if !ok {
		return Busy{}
	}
	b := Busy{Tick: tick, Phase: in.String(), For: lasted}
	if in == phase.Step && inside.Continuous(e.world) {
		b.Phase = "continuous collision"
	}
	return b
}
