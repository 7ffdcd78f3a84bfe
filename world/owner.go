package world

// checkGoroutine finds code that kept the world and uses it on another goroutine than the
// one that steps it. In race builds it panics there; elsewhere it is nothing.
// Until Start, and after Close, the world belongs to nobody.
func (w *World) checkGoroutine() {
	w.guard.Check("world: a World was used on another goroutine than the one that steps it: it must not be kept beyond the function that was given it (give commands, or use Do)")
}
