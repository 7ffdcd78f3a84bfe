package engine

// History is the past of an engine: recordings, the black box, rollback, seeking in a replay,
// and streams for watchers. See HistoryOptions. It is a type of its own, because most programs
// need none of its methods.
type History struct{ e *Engine }

// History returns the methods about the engine's past. Any goroutine may call History. The
// comment of each method says which goroutine may call it.
func (e *Engine) History() History { return History{e} }

// Trace has the methods about the times of an engine: when its threads worked, and why they
// were late. Packages profile and hitch get a Trace instead of an engine, so that they can
// only read.
type Trace struct{ e *Engine }

// Trace returns the methods about the engine's times. Any goroutine may call Trace. The
// comment of each method says which goroutine may call it.
func (e *Engine) Trace() Trace { return Trace{e} }

// Name is the name of the engine.
func (tr Trace) Name() string { return tr.e.Name() }

// Metrics are the metrics of the engine. Any goroutine may call it.
func (tr Trace) Metrics() Metrics { return tr.e.Metrics() }

// History is the history of the engine.
func (tr Trace) History() History { return tr.e.History() }
