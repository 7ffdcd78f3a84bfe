package renderloop

// Aimed is how much of pacing.Aim is in effect, from 0 to 1.
func (l *Loop[S, E, C]) Aimed() float64 { return l.aim.Weight() }

// WaitNow makes Auto wait in the next frame, as after a while of quick steps.
func WaitNow[S, E, C any](l *Loop[S, E, C]) {
	if l.config.Sync == Auto {
		l.auto.state, l.auto.trail, l.last.trail = together, 0, 0
	}
}
