package engine

import (
	"errors"
	"fmt"

	"halfstep/internal/history"
)

// Seek goes to a tick of the recording that the engine replays, from Recording.First to
// Recording.Ticks. It also goes backward, and also in a pause. View().Tick is the tick that the
// engine shows.
//
// Physics goes to the nearest keyframe (see HistoryOptions.SeekMemory) and steps from there. Until
// it has arrived no time passes. In Lockstep and on a simulated clock the next frame waits for the
// seek; otherwise frames show the last picture until then. After that, the picture is behind the
// tick by the part of a step that was left in the clock when the tick was recorded. View().Epoch
// changes when the seek arrives. The ticks that are passed on the way cause no events.
//
// There is an error if the engine does not replay or has ended, if the recording does not have the
// tick, or if the seek goes back with a negative SeekMemory. If the world differs from the
// recording, physics ends with a Failure that wraps a *Mismatch.
func (h History) Seek(tick uint64) error {
	e := h.e
	switch {
	case e.replay == nil:
		return errors.New("seek: the engine does not replay a recording")
	case e.stopped():
		return errors.New("seek: physics has ended")
	}
	if err := e.replay.file.Has(tick); err != nil {
		return err
	}
	if e.player.OnlyForward() && tick <= e.Demanded() {
		return fmt.Errorf("seek: tick %d is not ahead, and with SeekMemory below 0 a replay only goes forward", tick)
	}
	e.command(private.NewOrder(history.Seek{Tick: tick}))
	e.render.Seek(tick, e.replay.file.Remainder(tick))
	return nil
}

// Keyframe returns the last tick up to the given one that Seek reaches with a single step. To show
// pictures during a long seek, first seek to that tick, and then to later ticks in several parts.
// An engine that does not replay returns the given tick. Any goroutine may call it.
func (h History) Keyframe(tick uint64) uint64 {
	e := h.e
	if e.replay == nil {
		return tick
	}
	return e.player.Keyframe(tick)
}
