package play

import (
	"cmp"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
)

// Tuner changes how the world is stepped, how frames wait for steps, and how frames
// show them.
type Tuner struct {
	stage    *Stage
	host     Host
	follow   *Follower
	comparer *Comparer
}

// SetSmoothing changes how bodies are drawn between two steps.
func (u *Tuner) SetSmoothing(m body2d.Smoothing) {
	u.stage.Settings.Smoothing = m
	u.comparer.applySettings()
	u.host.Say("smoothing: " + m.String())
}

// SetSync changes how frames wait for steps.
func (u *Tuner) SetSync(m renderloop.Sync) {
	if !u.anyEngine() {
		return
	}
	u.stage.Settings.Sync = m
	u.comparer.applySettings()
	u.host.Say("sync: " + m.String())
}

// setRate sets the steps per second. A recording and the past keep their own rate.
func (u *Tuner) setRate(r clock.Rate) error {
	if u.stage.Shown.Recorded() {
		u.host.Say("a recording replays at its own step rate: change the speed instead")
		return nil
	}
	u.stage.Settings.Rate = r
	u.host.Say("steps per second: " + r.String())
	var err error
	u.stage.EachPlayer(func(p *Player) { err = cmp.Or(err, p.SetRate(r)) })
	return err
}

// SetScale sets the time scale. In the past it applies to the replay only, and the
// session keeps its own scale.
func (u *Tuner) SetScale(x float64) error {
	if u.stage.Shown.What != ShowsPast {
		u.stage.Settings.Scale = x
	}
	u.follow.stopKeepingUp()
	u.host.Say("time scale: " + words.Short(x))
	var err error
	u.stage.EachPlayer(func(p *Player) { err = cmp.Or(err, p.SetScale(x)) })
	return err
}

// SetRateTo sets the steps per second.
func (u *Tuner) SetRateTo(x float64) error {
	r, err := clock.RateOf(x)
	if err != nil {
		return err
	}
	return u.setRate(r)
}

// NextSmoothing chooses the next smoothing mode. After the last mode comes the
// first.
func (u *Tuner) NextSmoothing() {
	u.SetSmoothing(Smoothings[(slices.Index(Smoothings, u.stage.Settings.Smoothing)+1)%len(Smoothings)])
}

// anyEngine reports whether a side runs an engine. A loop of the articles has no
// sync mode and no pacing. Without an engine, anyEngine therefore shows the user a
// message.
func (u *Tuner) anyEngine() (ok bool) {
	u.stage.EachPlayer(func(p *Player) { ok = ok || p.Name == "" })
	if !ok {
		u.host.Say("the " + u.stage.Player.Name + " loop does not have this setting")
	}
	return ok
}

// NextSync chooses the next sync mode. After the last mode comes the first.
func (u *Tuner) NextSync() {
	u.SetSync(Syncs[(slices.Index(Syncs, u.stage.Settings.Sync)+1)%len(Syncs)])
}

// TogglePacing turns pacing on or off. Pacing makes frame times even.
func (u *Tuner) TogglePacing() {
	if !u.anyEngine() {
		return
	}
	set := &u.stage.Settings
	set.Pacing = !set.Pacing
	u.comparer.applySettings()
	u.host.Say("even out frame times: " + words.OnOff(set.Pacing))
}

// stepRates are the step rates that the keys - and + go through.
var stepRates = []int64{5, 10, 15, 20, 30, 50, 60, 90, 120, 144, 180, 240, 480, 960}

// ChangeRate chooses the next higher step rate if `by` is above 0, and the next
// lower rate otherwise.
func (u *Tuner) ChangeRate(by int) error {
	return u.setRate(clock.Hz(nextIn(stepRates, u.stage.Player.Rate().Float(), by)))
}

// nextIn returns the next entry of an ascending list above x if `by` is above 0,
// and the next entry below x otherwise.
func nextIn(list []int64, x float64, by int) int64 {
	if by > 0 {
		for _, n := range list {
			if float64(n) > x {
				return n
			}
		}
		return list[len(list)-1]
	}
	for i := len(list) - 1; i >= 0; i-- {
		if float64(list[i]) < x {
			return list[i]
		}
	}
	return list[0]
}

// timeScales are the time scales that the keys , and . go through, in percent.
var timeScales = []int64{1, 5, 10, 25, 50, 100, 200, 400}

// ChangeScale chooses the next higher time scale if `by` is above 0, and the next
// lower scale otherwise.
func (u *Tuner) ChangeScale(by int) error {
	return u.SetScale(float64(nextIn(timeScales, 100*u.follow.Scale(), by)) / 100)
}

// applySettings sends the running engines the settings that do not need a restart.
func (h *Comparer) applySettings() {
	if h.stage.Right != nil {
		h.stage.Right.Settings = h.rightSettings()
	}
	h.stage.eachSide(func(o *Side) { o.applySettings() })
}
