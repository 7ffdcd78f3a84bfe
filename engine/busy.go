package engine

import (
	"errors"
	"fmt"
	"time"

	"halfstep/buffer/phase"
)

// ErrStuck is wrapped by the error of CloseWithin about a step that it could
// not end.
var ErrStuck = errors.New("physics did not end")

// Busy is what the physics goroutine is doing. The zero value says nothing:
// it waits for work.
type Busy struct {
	Tick  uint64        // that is being made
	Phase string        // of the step, as in profiles, or "continuous collision"
	For   time.Duration // since the step began
}

// String is a sentence, as "physics has been in tick 812 for 3 s, in continuous
// collision".
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

// Busy says which step physics is in, in which phase, and for how long; the
// zero Busy where it waits, or with Config.NoPhases. It never waits, so a step
// that does not come back can be told of. Any goroutine may ask.
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

// interruptTime is how long CloseWithin waits for a step that it has given up.
const interruptTime = time.Second

// CloseWithin is Close for those who can not wait for ever. After d it gives up
// the step at hand: one in continuous collision ends there, any other at its
// end, and the engine's Failure wraps ErrInterrupted. Where that does not come
// within another second (a callback hangs, ReferenceStep), the error wraps
// ErrStuck and says what physics is busy with; its goroutine is left behind and ends with its
// step. Any goroutine but the physics one.
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
