package renderloop

// WaitNow makes Auto wait from the next frame on, as after a while of quick steps.
func WaitNow[S, E, C any](l *Loop[S, E, C]) {
	if l.sync == Auto {
		l.auto.state = together
	}
}
