package workers

import (
	"runtime"
	"testing"
)

func TestRaisingGOMAXPROCSBeyondTheProcessorsMakesNoMoreWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU() + 3))
	if got, want := Default(), max(1, runtime.NumCPU()-1); got != want {
		t.Errorf("%d workers, not %d", got, want)
	}
}
