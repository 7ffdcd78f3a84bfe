package engine

// History is the past of an engine: recordings, the black box, rollback, seeking in a
// replay, and streams for watchers. See HistoryOptions. It is a type of its own because most
// programs need none of it.
type History struct{ e *Engine }

// History returns the methods about the engine's past. Any goroutine may call History; each of
// its methods says which goroutine may call that.
func (e *Engine) History() History { return History{e} }

// Trace has the methods about an engine's own time: when its threads worked, and why they were
// late. Packages profile and hitch get a Trace and no engine, so that they can read and change
// nothing.
type Trace struct{ e *Engine }

// Trace returns the methods about the engine's time. Any goroutine may call Trace; each of
// its methods says which goroutine may call that.
func (e *Engine) Trace() Trace { return Trace{e} }

// Name is the name of the engine.
func (tr Trace) Name() string { return tr.e.Name() }

// Metrics are the metrics of the engine. Any goroutine may call it.
func (tr Trace) Metrics() Metrics { return tr.e.Metrics() }

// History is the history of the engine.
func (tr Trace) History() History { return tr.e.History() }
