package main

import (
	"cmp"
	"errors"
	"time"

	"halfstep/engine"
)

// past replaces the present while the user looks back at the last seconds of the
// session. The engine's black box has recorded them, and another engine, which is
// then session.player, replays them. The engine of the session waits meanwhile.
type past struct {
	recording *engine.Recording
	present   *player // the engine of the session
}

// live returns the player of the present, even while the past is shown.
func (t *travel) live() *player {
	if t.past != nil {
		return t.past.present
	}
	return t.stage.player
}

// toPresent closes the past, if it is shown, and goes on with the session, which
// stays paused if the past was paused.
func (t *travel) toPresent() {
	t.endSeek()
	p := t.past
	if p == nil {
		t.playback.backward = false
		return
	}
	t.stage.letGo()
	e := t.stage.player // of the past
	p.present.SetPaused(p.present.Paused() || t.stopped())
	if err := t.stage.stopEngine(e); errors.Is(err, engine.ErrStuck) && !t.stage.quitting {
		t.host.say(err.Error())
		t.stage.closeErr = nil // the session goes on without that engine
	}
	t.past, t.playback = nil, playback{}
	t.stage.view = p.present.View()
	t.turnTo(p.present)
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
	length := cmp.Or(t.stage.o.BlackBox.length, 30*time.Second)
	return uint64(length.Seconds() * t.stage.player.Rate().Float())
}

// refusesChange reports whether a recording or the past is shown. If so, it tells the user that it
// cannot be changed.
func (t *travel) refusesChange() bool {
	if t.playedRecording() == nil {
		return false
	}
	if t.follow.watched() != nil {
		t.host.say("what is watched cannot be changed from here")
	} else if t.stage.replay != nil {
		t.host.say("a recording cannot be changed")
	} else {
		t.host.say("what has been cannot be changed; " + t.host.key("go on") + " goes on from here, " + t.host.key("present") + " leads back to now")
	}
	return true
}

// whyNoPast says why the engine keeps no past.
func (t *travel) whyNoPast() string {
	switch {
	case t.beside.compare.name != "":
		return "no past while comparing"
	case t.stage.settings.loop != "":
		return "only the engine's own loop keeps a past"
	default:
		return "this run keeps no past"
	}
}
