package play

import (
	"cmp"
	"errors"
	"time"

	"halfstep/engine"
)

// ToPresent closes the past if it is shown, and continues the session. If the past was paused,
// the session stays paused.
func (t *Travel) ToPresent() {
	t.endSeek()
	if t.stage.Shown.What != ShowsPast { // the picture shows a replay, which then only plays forward again
		t.Playback.Backward = false
		return
	}
	present := t.stage.Shown.present
	t.stage.EndDrag()
	past := t.stage.Player
	present.SetPaused(present.Paused() || t.Stopped())
	if err := t.stage.closePlayer(past); errors.Is(err, engine.ErrStuck) && !t.stage.Quitting {
		t.host.Say(err.Error())
		t.stage.CloseErr = nil // the session continues without that player
	}
	t.stage.Shown, t.Playback = Shown{}, Playback{}
	t.stage.View = present.View()
	t.showPlayer(present)
	t.comparer.applySettings() // the user may have changed the settings in the past
}

// showPlayer shows another player. It gives this player the chosen body and the drawn layers.
func (t *Travel) showPlayer(p *Player) {
	t.stage.Player = p
	p.Samples.Choose(t.inspect.Body, t.inspect.Quantity)
	t.inspect.asked, t.inspect.Last = false, time.Time{} // the last report stays until the other engine sends a report
	p.SetDebugLayers(t.stage.Debug)
}

// PastTicks returns the least number of ticks that the user can go back, once the session has
// lasted that long.
func (t *Travel) PastTicks() uint64 {
	length := cmp.Or(t.stage.Options.BlackBox.Length, 30*time.Second) // the engine's default
	return uint64(length.Seconds() * t.stage.Player.Rate().Float())
}

// RefusesChange reports whether a recording or the past is shown. If so, it also shows the user a
// message that these cannot be changed.
func (t *Travel) RefusesChange() bool {
	if !t.stage.Shown.Recorded() {
		return false
	}
	if t.stage.Shown.Watched() {
		t.host.Say("a watched run cannot be changed")
	} else if t.stage.Shown.Replay() != nil {
		t.host.Say("a recording cannot be changed")
	} else {
		t.host.Say("the past cannot be changed; " + t.host.Key("go on") + " goes on from here, " + t.host.Key("present") + " leads back to now")
	}
	return true
}

// NoPastReason returns a text that says why the engine keeps no past.
func (t *Travel) NoPastReason() string {
	switch {
	case t.comparer.comparing():
		return "no past while comparing"
	case t.stage.Settings.Loop != "":
		return "only the engine's own loop keeps a past"
	default:
		return "this run keeps no past"
	}
}
