package presenttimes

import (
	"testing"
	"time"
	"unsafe"
)

func TestDWMTellsAGrid(t *testing.T) {
	if size := unsafe.Sizeof(dwmTiming{}); size != 292 {
		t.Fatalf("DWM_TIMING_INFO has %d bytes", size)
	}
	s, err := OpenWindows()
	if err != nil {
		t.Skip(err)
	}
	at, period, ok := s.(*grid).refresh()
	if !ok || period < time.Millisecond || period > time.Second/10 || time.Since(at).Abs() > time.Second {
		t.Errorf("a refresh %v ago, and every %v", time.Since(at), period)
	}
}
