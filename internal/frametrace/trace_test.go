package frametrace

import "testing"

func TestFrameNStartsAfterRows0ToNMinus1(t *testing.T) {
	s := NewTraceSource(&Trace{Frames: []TraceFrame{{Duration: 5}, {Duration: 7}, {Duration: 11}}})
	for i, want := range []int64{0, 5, 7} {
		if ns, ok := s.Next(); ns != want || !ok {
			t.Errorf("frame %d: %d ns, %v; want %d", i, ns, ok, want)
		}
	}
	if !s.Simulated() {
		t.Error("a trace that the wall clock slows down")
	}
	for range 2 {
		if _, ok := s.Next(); ok {
			t.Error("a frame after the last row")
		}
	}
}
