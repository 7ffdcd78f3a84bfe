// Package spans keeps the spans (steps and frames with the times of their phases) of an
// engine's last seconds, and writes them in Chrome's trace event format, which ui.perfetto.dev and
// chrome://tracing open.
//
//	rec := spans.Record(file)
//	rec.Watch(e.Trace())
//	defer rec.Close()
//
// The engine's threads do no work for it: a goroutine of the package reads the
// spans that they keep in any case.
package spans
