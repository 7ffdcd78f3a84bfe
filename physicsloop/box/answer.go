package box

// Answer sends v to the render side in the order of events, stamped with the
// tick whose world it is about: how a question that a command asked is
// answered.
func (w *World) Answer(v any) {
	w.own()
	w.event(Answered).User = v
}
