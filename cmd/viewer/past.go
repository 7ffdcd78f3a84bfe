package main

import (
	"cmp"
	"errors"
	"time"

	"halfstep/engine"
)

// toPresent closes the past, if it is shown, and goes on with the session, which
// stays paused if the past was paused.
func (t *travel) toPresent() {
	t.endSeek()
	if t.stage.shown.what != showsPast {
		t.playback.backward = false
		return
	}
	present := t.stage.shown.present
	t.stage.letGo()
	e := t.stage.player // of the past
	present.SetPaused(present.Paused() || t.stopped())
	if err := t.stage.stopEngine(e); errors.Is(err, engine.ErrStuck) && !t.stage.quitting {
		t.host.say(err.Error())
		t.stage.closeErr = nil // the session goes on without that engine
	}
	t.stage.shown, t.playback = shown{}, playback{}
	t.stage.view = present.View()
	t.turnTo(present)
	t.beside.applySettings()
}

// turnTo shows another engine, and gives it the body that the user inspects and the layers that are
// drawn.
func (t *travel) turnTo(e *player) {
	t.stage.player = e
	e.samples.choose(t.inspect.body, t.inspect.what)
	t.inspect.asked, t.inspect.last = false, time.Time{} // the old answer stays until the new one
	e.SetDebugLayers(t.stage.debug)
}

// pastTicks returns how many ticks the user can go back at least, once the session is that old.
func (t *travel) pastTicks() uint64 {
	length := cmp.Or(t.stage.o.BlackBox.Length, 30*time.Second)
	return uint64(length.Seconds() * t.stage.player.Rate().Float())
}

// refusesChange reports whether a recording or the past is shown. If so, it tells the user that it
// cannot be changed.
func (t *travel) refusesChange() bool {
	if t.stage.shown.recording == nil {
		return false
	}
	if t.stage.shown.from != nil {
		t.host.say("what is watched cannot be changed from here")
	} else if t.stage.shown.replay() != nil {
		t.host.say("a recording cannot be changed")
	} else {
		t.host.say("what has been cannot be changed; " + t.host.key("go on") + " goes on from here, " + t.host.key("present") + " leads back to now")
	}
	return true
}

// whyNoPast says why the engine keeps no past.
func (t *travel) whyNoPast() string {
	switch {
	case t.beside.compare.kind != noComparison:
		return "no past while comparing"
	case t.stage.settings.loop != "":
		return "only the engine's own loop keeps a past"
	default:
		return "this run keeps no past"
	}
}
