package engine

import (
	"errors"
	"fmt"

	"halfstep/internal/history"
)

// Seek goes to a tick of the recording that the engine replays, forward or backward. The tick must
// be from Recording.First to Recording.Ticks. Seek also works in a pause.
//
// Physics goes to the nearest keyframe (see HistoryOptions.SeekMemory) and steps from the keyframe
// to the tick. Until the end of these steps no time of the clock passes. In Lockstep and on a
// simulated clock the next frame waits for these steps. In all other modes frames show the last
// picture until physics has reached the tick. View().Epoch changes in the first frame that shows
// the tick. The steps of a seek cause no events.
//
// Seek returns an error if the engine does not replay or has ended, if the recording does not have
// the tick, or if SeekMemory is negative and the tick is an earlier one. If the world differs from
// the recording, physics ends with a Failure that wraps a *Mismatch.
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

// Keyframe returns the last tick, up to the given tick, that Seek reaches with a single step. To
// show pictures during a long seek, first seek to the tick that Keyframe returns, and then to some
// ticks between that tick and the target. An engine that does not replay returns the given tick.
// Any goroutine may call it.
func (h History) Keyframe(tick uint64) uint64 {
	e := h.e
	if e.replay == nil {
		return tick
	}
	return e.player.Keyframe(tick)
}
