package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"halfstep/cmd/viewer/ui"
	"halfstep/engine"
	"halfstep/renderloop/glrender"
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

// keepsPast reports whether the engine of a scene keeps its last seconds, so that the user can look
// back: if a person uses the viewer, or with -black-box. Only the
// engine's own loop can keep them, and not while runs are compared. Because it costs time, with -hitch
// only -black-box does it.
func (c *recorder) keepsPast(sc *sceneEntry) bool {
	o := c.stage.o
	return sc.replay == nil && c.stage.settings.loop == "" && c.beside.compare.name == "" &&
		(o.BlackBox.dir != "" || o.Hitch == 0 && (o.interactive() || c.attended))
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

// The look of the past: a tint over it and a banner.
var (
	pastTint   = colour{255, 196, 120, 26}
	bannerBack = colour{120, 84, 32, 245}
)

// drawPast draws the tint of the past, and a banner if the picture does not show the present: it shows
// the past, a watched program some time ago, or the end of a replay. The banner may have a button that
// leads back to the present; hud.now is its place.
func (v *viewer) drawPast(c *glrender.HUD) {
	v.hud.now = ui.Rect{}
	width, height := v.clear(c)
	text, button := "", ""
	switch {
	case v.travel.past != nil || v.travel.seeking.opening != nil:
		c.Rect(0, 0, width, height, pastTint)
		text, button = v.travel.place(v.bannerTick()), "Now"
		if done, ok := v.travel.progress(); ok {
			text = fmt.Sprintf("%s, on the way: %.0f %% (Esc stops)", v.travel.place(v.travel.seeking.to), 100*done)
		}
	case v.follow.watched() != nil && v.follow.watched().url != "" && (!v.follow.on || !v.stage.replay.Live):
		if text = v.follow.watchText(v.bannerTick()); v.stage.replay.Live {
			button = "Now"
		}
	case v.stage.replay != nil:
		text = v.travel.replayVerdict()
		if done, ok := v.travel.progress(); ok {
			text = fmt.Sprintf("tick %d, on the way: %.0f %% (Esc stops)", v.travel.seeking.to, 100*done)
		}
	}
	if text == "" {
		return
	}
	unit := int(c.Unit())
	w := labelWidth(unit, text)
	wide := w + 2*padding
	if button != "" {
		wide += labelWidth(unit, button) + 3*padding
	}
	x, y := (width-wide)/2, float32(margin)
	c.Panel(x, y, wide, bannerTall, 5, bannerBack)
	c.Label(x+padding, y+4, glrender.Regular, textColour, text)
	if button != "" {
		v.hud.now = ui.Rect{X: x + w + 2*padding, Y: y + 3, W: labelWidth(unit, button) + 2*padding, H: bannerTall - 6}
		r := v.hud.now
		c.Panel(r.X, r.Y, r.W, r.H, 4, colour{255, 255, 255, 40})
		c.Label(r.X+padding, y+4, glrender.Regular, textColour, button)
	}
}

const bannerTall = 24

// bannerTick returns the tick for the banner: that of the picture, or of the time bar's knob if the
// panel is open.
func (v *viewer) bannerTick() uint64 {
	if v.panel.width(v.surface) > 0 {
		return v.panel.scrub
	}
	return v.stage.view.Tick
}
