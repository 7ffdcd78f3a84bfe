package engine

// History is the past of an engine: recordings, the black box, rollback, seeking in a
// replay, and what is told to those who watch. See HistoryOptions. It is a door, and not
// methods of Engine, because most programs need none of it: who reads the methods of Engine
// sees what every program calls.
type History struct{ e *Engine }

// History returns what can be asked of the engine's past. Any goroutine may call it;
// each method says who may call that.
func (e *Engine) History() History { return History{e} }

// Trace is what an engine knows of its own time: when its threads did what, and why they
// were late. It is a door for the same reason. Packages profile, hitch and spans are given a
// Trace and no engine: they can look, and cannot change anything.
type Trace struct{ e *Engine }

// Trace returns what can be asked of the engine's time. Any goroutine may call it; each
// method says who may call that.
func (e *Engine) Trace() Trace { return Trace{e} }

// Name is that of the engine.
func (tr Trace) Name() string { return tr.e.Name() }

// Metrics are those of the engine. Any goroutine may call it.
func (tr Trace) Metrics() Metrics { return tr.e.Metrics() }

// History is that of the engine.
func (tr Trace) History() History { return tr.e.History() }
