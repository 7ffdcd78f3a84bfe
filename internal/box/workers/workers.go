// Package workers has the goroutines that compute a step.
package workers

import (
	"os"
	"runtime"
)

// Default returns the number of goroutines that compute a step if the program sets no number. It
// is one less than the number of processors, and at least 1, because the thread that draws needs
// a processor as well.
func Default() int { return max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))-1) }

// Most returns the number of goroutines that can run at once. This is Go's default for
// GOMAXPROCS, which considers the processors that the process may use and the processor limit of
// its container. If a program raises GOMAXPROCS later, Most does not change.
func Most() int { return min(processors, runtime.GOMAXPROCS(0)) }

var processors = func() int {
	if os.Getenv("GOMAXPROCS") != "" {
		return runtime.NumCPU()
	}
	return min(runtime.NumCPU(), runtime.GOMAXPROCS(0))
}()
