package engine

// History is the past of an engine: recordings, the black box, rollback, seeking in a
// replay, and streams for watchers. See HistoryOptions. It is a type of its own because most
// programs need none of it: the methods of Engine are those that every program may call.
type History struct{ e *Engine }

// History returns the methods about the engine's past. Any goroutine may call it; each of these
// methods says which goroutine may call it.
func (e *Engine) History() History { return History{e} }

// Trace is what an engine knows of its own time: when its threads did what, and why they
// were late. It is a type of its own for the same reason. Packages profile and hitch are given a
// Trace and no engine: they can look, and cannot change anything.
type Trace struct{ e *Engine }

// Trace returns the methods about the engine's time. Any goroutine may call it; each of these
// methods says which goroutine may call it.
func (e *Engine) Trace() Trace { return Trace{e} }

// Name is the name of the engine.
func (tr Trace) Name() string { return tr.e.Name() }

// Metrics are the metrics of the engine. Any goroutine may call it.
func (tr Trace) Metrics() Metrics { return tr.e.Metrics() }

// History is the history of the engine.
func (tr Trace) History() History { return tr.e.History() }
