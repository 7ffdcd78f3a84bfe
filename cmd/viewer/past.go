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
func (s *session) live() *player {
	if s.past != nil {
		return s.past.present
	}
	return s.player
}

// keepsPast reports whether the engine of a scene keeps its last seconds, so that the user can look
// back: if a person uses the viewer (panel says that the panel is open), or with -black-box. Only the
// engine's own loop can keep them, and not while runs are compared. Because it costs time, with -hitch
// only -black-box does it.
func (s *session) keepsPast(sc *sceneEntry, panel bool) bool {
	o := s.o
	return sc.replay == nil && s.settings.loop == "" && s.compare.name == "" &&
		(o.BlackBox.dir != "" || o.Hitch == 0 && (o.interactive() || panel))
}

// toPresent closes the past, if it is shown, and goes on with the session, which
// stays paused if the past was paused.
func (s *session) toPresent() {
	s.endSeek()
	p := s.past
	if p == nil {
		s.playback.backward = false
		return
	}
	s.letGo()
	e := s.player // of the past
	p.present.SetPaused(p.present.Paused() || s.stopped())
	s.unwatch(e)
	if err := s.stopEngine(e); errors.Is(err, engine.ErrStuck) && !s.quitting {
		s.say(err.Error())
		s.closeErr = nil // the session goes on without that engine
	}
	s.past, s.playback = nil, playback{}
	s.view = p.present.View()
	s.turnTo(p.present)
	s.applySettings()
}

// turnTo shows another engine, and gives it the body that the user inspects and the layers that are
// drawn.
func (s *session) turnTo(e *player) {
	s.player = e
	e.samples.choose(s.inspect.body, s.inspect.what)
	s.inspect.asked, s.inspect.last = false, time.Time{} // the old answer stays until the new one
	e.SetDebugLayers(s.debug)
}

// pastTicks returns how many ticks the user can go back at least, once the session is that old.
func (s *session) pastTicks() uint64 {
	length := cmp.Or(s.o.BlackBox.length, 30*time.Second)
	return uint64(length.Seconds() * s.player.Rate().Float())
}

// refusesChange reports whether a recording or the past is shown. If so, it tells the user that it
// cannot be changed.
func (s *session) refusesChange() bool {
	if s.playedRecording() == nil {
		return false
	}
	if s.watched() != nil {
		s.say("what is watched cannot be changed from here")
	} else if s.replay != nil {
		s.say("a recording cannot be changed")
	} else {
		s.say("what has been cannot be changed; " + s.keys.first("go on") + " goes on from here, " + s.keys.first("present") + " leads back to now")
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
	case v.past != nil || v.seeking.opening != nil:
		c.Rect(0, 0, width, height, pastTint)
		text, button = v.place(v.bannerTick()), "Now"
		if done, ok := v.progress(); ok {
			text = fmt.Sprintf("%s, on the way: %.0f %% (Esc stops)", v.place(v.seeking.to), 100*done)
		}
	case v.watched() != nil && v.watched().url != "" && (!v.following.on || !v.replay.Live):
		if text = v.watchText(v.bannerTick()); v.replay.Live {
			button = "Now"
		}
	case v.replay != nil:
		text = v.replayVerdict()
		if done, ok := v.progress(); ok {
			text = fmt.Sprintf("tick %d, on the way: %.0f %% (Esc stops)", v.seeking.to, 100*done)
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
	return v.view.Tick
}
