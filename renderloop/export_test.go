package renderloop

// Aimed is the part of pacing.Aim that is in effect, from 0 to 1.
func (l *Loop[S, E, C]) Aimed() float64 { return l.aim.Weight() }
