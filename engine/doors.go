package engine

// History is the past of an engine: recordings, the black box, rollback, seeking in a replay, and
// streams for watchers. See HistoryOptions.
type History struct{ e *Engine }

// History returns the methods about the engine's past. Any goroutine may call History. The
// comment of each method says which goroutine may call it.
func (e *Engine) History() History { return History{e} }

// Trace has the methods that say when the threads of an engine worked and why they were late.
// Packages profile and hitch get a Trace in place of an Engine, because a Trace cannot change the
// world.
type Trace struct{ e *Engine }

// Trace returns the methods about the engine's times. Any goroutine may call Trace. The
// comment of each method says which goroutine may call it.
func (e *Engine) Trace() Trace { return Trace{e} }

// Name returns Engine.Name.
func (tr Trace) Name() string { return tr.e.Name() }

// Metrics returns the metrics of the engine; see Engine.Metrics. Any goroutine may call Metrics.
func (tr Trace) Metrics() Metrics { return tr.e.Metrics() }

// History returns Engine.History.
func (tr Trace) History() History { return tr.e.History() }
