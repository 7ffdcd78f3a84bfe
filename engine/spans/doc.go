// Package spans keeps the spans of an engine's last seconds: its steps and frames with the times
// of their phases. Packages hitch and profile read them.
//
// The engine's threads do no work for it: whoever has a [Tape] reads the spans that they keep
// in any case.
package spans
