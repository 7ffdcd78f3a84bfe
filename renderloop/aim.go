package renderloop

import (
	"halfstep/renderloop/internal/pacing"
	"halfstep/renderloop/present"
)

// Presented reports when the picture of an earlier frame was seen. With pacing on,
// the loop then draws for the refresh in which a picture will be seen, as far as the
// reports prove that they can be relied on; see pacing.Aim. Reports come in the order
// of their frames. A report of a quality that is not believed, or on a frame that is
// long past, is ignored.
func (l *Loop[S, E, C]) Presented(r present.Report) {
	l.motion.meter.Report(r)
	if r.Quality.Believed() && r.WasSeen() {
		l.lead.report(r.Frame, r.Seen, l.stats.RealNanos)
	}
	if l.config.Pacing {
		l.aim.Report(r)
	}
}

// takeAim sets the distance of the shown instant from the paced one, in ticks, so that
// it is right for the refresh in which the frame will be seen. paced is the real time
// of the paced instant, see paced, and newest the newest tick that the frame can show.
func (l *Loop[S, E, C]) takeAim(paced int64, newest uint64) {
	before := l.shown.aimed
	if l.shown.aimed = 0; !l.config.Pacing || l.clock.Ended() {
		return
	}
	perTick := l.nanosPerTick()
	if perTick == 0 {
		l.shown.aimed = before // time stands still, and so does the distance
		return
	}
	span := func(tick uint64, states float64) [2]float64 {
		end := (1 - l.within(tick)) * perTick
		return [2]float64{end - states*perTick, end}
	}
	// The exchange has the newest three states.
	reach := pacing.Reach{Newest: span(newest, min(float64(newest), 2))}
	if reach.Held = reach.Newest; l.view.Tick > 0 {
		reach.Held = span(l.view.Tick, 1)
	}
	// Aim leaves the lag out, so that both instants follow it.
	l.shown.aimed = l.aim.Next(l.stats.Frames, l.stats.RealNanos, float64(paced), reach, l.pacer.Refresh) / perTick
}

// leapt tells Aim of a leap, and returns the part of it that is in effect.
func (l *Loop[S, E, C]) leapt(ticks float64) float64 {
	if ticks == 0 {
		return 0
	}
	l.aim.Leapt(ticks * l.nanosPerTick())
	return ticks * (1 - l.aim.Weight())
}

// nanosPerTick is the real time that passes in a tick, in nanoseconds, or 0 if the
// clock stands still.
func (l *Loop[S, E, C]) nanosPerTick() float64 {
	c := l.clock
	speed := c.Scale() * c.Speed()
	if c.Paused() || speed == 0 {
		return 0
	}
	return l.unit * 1e9 / speed
}

// paced is the real time that the clock has been advanced by, in nanoseconds.
func (l *Loop[S, E, C]) paced() int64 { return l.stats.RealNanos - l.pacer.Residue() }

// aimedPast reports whether only Aim puts the position t beyond the end of the pair.
// The aimed instant never is, but for rounding.
func (l *Loop[S, E, C]) aimedPast(t float64) bool { return l.shown.aimed != 0 && t < 1+1e-6 }

// notBack returns the position t in the pair at hand, or that of the frame before in
// the same pair, if it is later: a lag that grows moves the instant back while Aim has
// it stand still.
func (l *Loop[S, E, C]) notBack(t, was float64) float64 {
	if l.shown.aimed == 0 && l.aim.Weight() == 0 {
		return t
	}
	return max(t, was)
}
