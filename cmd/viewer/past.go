package main

import (
	"bytes"
	"errors"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// past is what the user looks at in place of the present: the last seconds of the
// session, as the engine's black box has them. An engine of its own replays them.
// The session waits meanwhile.
type past struct {
	recording *engine.Recording
	present   *player

	// Until the engine has come to the tick that was asked for, the picture stays
	// that of the present.
	view    *scene.View[body2d.State]
	epoch   uint32
	arrived bool
}

// tape is the recording that is played: that of -replay, or the past. In the
// present it is nil.
func (v *viewer) tape() *engine.Recording {
	if v.past != nil {
		return v.past.recording
	}
	return v.replay
}

// session is the engine of the present.
func (v *viewer) session() *player {
	if v.past != nil {
		return v.past.present
	}
	return v.player
}

// keepsPast reports whether the engine that is opened next keeps the last seconds
// for a person at the panel. One that writes black boxes does anyway.
func (v *viewer) keepsPast() bool {
	o := v.o
	return v.replay == nil && v.settings.loop == "" && o.Compare.name == "" &&
		(o.BlackBox.dir != "" || o.Hitch == 0 && (o.interactive() || v.panel.on))
}

// lookBack stops the session and opens its past. It says why it cannot.
func (v *viewer) lookBack() bool {
	var r *engine.Recording
	var data []byte
	err := engine.ErrNoBlackBox
	if e := v.player.engine; e != nil {
		data, err = e.BlackBox()
	}
	if err == nil {
		r, err = engine.ReadRecording(bytes.NewReader(data))
	}
	if err == nil && r.Ticks == r.First {
		err = errors.New("nothing has happened yet")
	}
	if errors.Is(err, engine.ErrNoBlackBox) {
		err = errors.New("this run does not keep its past")
	}
	if err != nil {
		v.say("no way back: " + err.Error())
		return false
	}
	sc := &v.scenes[v.current]
	s := v.settings
	s.inject, s.lastTick = nil, 0
	v.owner.beginWait()
	e, err := s.engine(sc, r.Config(sc.config().Setup))
	v.owner.endWait()
	if err != nil {
		v.say("no way back: " + err.Error())
		return false
	}
	v.letGo()
	e.SetPaused(v.player.Paused())
	v.past = &past{recording: r, present: v.player, view: v.view, epoch: e.View().Epoch}
	v.watch(e)
	v.turnTo(e)
	return true
}

// toPresent closes the past and goes on with the session, if it was left.
func (v *viewer) toPresent() {
	p := v.past
	if p == nil {
		return
	}
	v.letGo()
	e := v.player
	p.present.SetPaused(e.Paused() && !v.travel.backward) // which pauses, see toggleBackward
	v.unwatch(e)
	if err := v.stopEngine(e); errors.Is(err, engine.ErrStuck) && !v.quitting {
		v.say(err.Error())
		v.closeErr = nil
	}
	v.past, v.travel = nil, travel{}
	v.view = p.present.View()
	v.turnTo(p.present)
	v.applySettings()
}

// turnTo makes an engine the one that is shown.
func (v *viewer) turnTo(e *player) {
	v.player = e
	v.inspect.asked, v.inspect.info = false, bodyReport{}
	e.SetDebugLayers(v.payload())
}

// travelling reports whether the past is still on its way to the tick that was
// asked for. view is the newest of its engine.
func (v *viewer) travelling(view *scene.View[body2d.State]) bool {
	p := v.past
	if p != nil && !p.arrived {
		p.arrived = view.Epoch != p.epoch
	}
	return p != nil && !p.arrived
}

// happening is something to find on the bar.
type happening struct {
	tick uint64
	body world.Body // that something happened to; 0 is a hitch
}

// mostHappenings is how many of them the bar shows, the newest.
const mostHappenings = 256

// note keeps a happening for the bar. A replay that goes back brings it again.
func (v *viewer) note(h happening) {
	if slices.Contains(v.happened, h) {
		return
	}
	if len(v.happened) == mostHappenings {
		v.happened = v.happened[:copy(v.happened, v.happened[1:])]
	}
	v.happened = append(v.happened, h)
}

// noteEvent keeps what happens to the chosen body.
func (v *viewer) noteEvent(ev *world.Event) {
	b := v.inspect.body
	if b == 0 || v.past != nil || ev.A != b && ev.B != b {
		return
	}
	switch ev.Kind {
	case world.ContactBegin, world.SensorBegin, world.BodySlept, world.BodyWoke:
		v.note(happening{ev.Tick, b})
	}
}
