package engine

import (
	"errors"
	"fmt"
	"time"

	"halfstep/buffer/phase"
)

// ErrStuck is wrapped by the error of CloseWithin if a step could not be ended.
var ErrStuck = errors.New("physics did not end")

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
	if in == phase.Step && e.world.Continuous() {
		b.Phase = "continuous collision"
	}
	return b
}

// interruptTime is how long CloseWithin waits for a step after interrupting it.
const interruptTime = time.Second

// CloseWithin is Close with a time limit. After d it interrupts the step in
// progress, and the engine's Failure wraps world.ErrInterrupted: a step that is in
// continuous collision ends at once, any other ends as usual.
//
// If the step has not ended a second later (because user code hangs, or with
// World.ReferenceStep), the error wraps ErrStuck and says what physics is busy
// with. The physics goroutine is then left behind and ends when its step does.
//
// Any goroutine may call it but the physics goroutine; see Close.
func (e *Engine) CloseWithin(d time.Duration) error {
	cut := e.recordingCut()
	e.close()
	if e.endsWithin(d) {
		return e.recordingError(cut)
	}
	e.world.Interrupt()
	if e.endsWithin(interruptTime) {
		return e.recordingError(cut)
	}
	b := e.Busy()
	if b == (Busy{}) {
		return fmt.Errorf("%w in tick %d", ErrStuck, e.link.Tick()+1)
	}
	return fmt.Errorf("%w: it has been in tick %d for %s, in %s", ErrStuck, b.Tick, seconds(b.For), b.Phase)
}

func (e *Engine) endsWithin(d time.Duration) bool {
	select {
	case <-e.ended:
		return true
	case <-time.After(d):
		return false
	}
}
