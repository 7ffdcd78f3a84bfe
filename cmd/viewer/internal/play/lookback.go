package play

import (
	"errors"
	"time"

	"halfstep/engine"
)

// lookBack pauses the session and opens its past just before a tick. If it cannot do this, it shows
// the user why and returns false. Another goroutine sets up the past. lookBack waits for that
// goroutine at most openTime, unless the clock is simulated.
func (t *Travel) lookBack(tick uint64) bool {
	asked := time.Now()
	var r *engine.Recording
	err := engine.ErrNoBlackBox
	if e := t.stage.Player.Engine; e != nil && t.HasPast {
		r, err = e.History().Past()
	}
	switch {
	case err == nil && r.Ticks == r.First:
		err = errors.New("nothing has happened yet")
	case errors.Is(err, engine.ErrNoBlackBox):
		err = errors.New("this run does not keep its past")
	}
	if err != nil {
		t.host.Say("no way back: " + err.Error())
		return false
	}
	t.stage.EndDrag()
	if t.wheel.Arrows != [4]bool{} { // the scene would not see that the keys are released
		t.wheel.steer([4]bool{})
	}
	sc, with := *t.stage.Scene(), t.stage.Settings // copies, for the goroutine
	with.Inject, with.LastTick = nil, 0            // the past has no injected faults and no last tick
	c := r.Config(sc.Config().Setup)
	c.History.ReplayFrom = max(min(tick, r.Ticks), 1) - 1 // the replay begins before the tick, so that a step leads to the tick
	open := make(chan Opened, 1)
	setUp := func() {
		p, err := with.startPlayer(&sc, c)
		open <- Opened{p, err}
	}
	t.stage.Shown = Shown{What: ShowsOpening, Recording: r, setUp: open}
	t.Seeking.asked, t.Seeking.first = asked, 0
	if t.stage.Settings.Simulated {
		t.stage.Owner.physicsMayBlock()
		setUp()
		t.stage.Owner.physicsReturned()
		return t.showPast(<-open)
	}
	go setUp()
	select {
	case o := <-open:
		return t.showPast(o)
	case <-time.After(openTime):
		return true
	}
}

// showPast shows a past that has been set up. If the setup has failed, it shows the user why and returns
// false.
func (t *Travel) showPast(o Opened) bool {
	r := t.stage.Shown.Recording
	t.stage.Shown = Shown{}
	if o.err != nil {
		t.host.Say("no way back: " + o.err.Error())
		t.Seeking.On, t.Playback.Backward = false, false
		return false
	}
	p := o.player
	p.SetPaused(t.stage.Player.Paused() || t.Playback.Backward)
	t.stage.Shown = Shown{What: ShowsPast, Recording: r, present: t.stage.Player}
	t.host.Started(p, inLeft)
	t.showPlayer(p)
	t.stage.View = p.Step(0) // show the keyframe of the past until the tick is computed
	return true
}

// openPast is called in every frame. When the past that lookBack sets up is ready, openPast shows it,
// and the seek continues.
func (t *Travel) openPast() {
	select {
	case o := <-t.stage.Shown.setUp: // a nil channel is never ready
		if t.showPast(o) {
			t.sendPart()
		}
	default:
	}
}

// openTime is how long a frame waits for the past to open. Most pasts open in this time. They would
// take longer if frames drew the same picture again at the same time.
const openTime = 50 * time.Millisecond

// LookBackTimes are the durations of a look back from the present, for -stats.
type LookBackTimes struct {
	Tick    uint64  `json:"tick"`     // Tick is the tick of the look back.
	FirstMS float64 `json:"first_ms"` // FirstMS is the time until the first picture of the past.
	MS      float64 `json:"ms"`       // MS is the time until the picture of the tick.
}

const mostLooksBack = 64 // the greatest number of looks back in -stats

// TimeLookBack is called when a picture has been presented. Once the picture shows the tick of the look
// back, it records the duration of the look back.
func (t *Travel) TimeLookBack() {
	k := &t.Seeking
	if k.asked.IsZero() || t.stage.Shown.What != ShowsPast {
		return
	}
	took := time.Since(k.asked)
	if k.first == 0 {
		k.first = took
	}
	if k.On { // the seek is still on its way
		return
	}
	if k.asked = (time.Time{}); len(t.LooksBack) < mostLooksBack {
		t.LooksBack = append(t.LooksBack, LookBackTimes{k.To, k.first.Seconds() * 1e3, took.Seconds() * 1e3})
	}
}
