// Package workers has the goroutines that compute a step.
package workers

import (
	"os"
	"runtime"
)

// Default is the number of goroutines that compute a step unless the program sets one: one less
// than the number of processors, and at least 1. The thread that draws needs a processor, too.
func Default() int { return max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))-1) }

// Most is the number of goroutines that can run at once: Go's default for GOMAXPROCS, which
// accounts for the processors that the process may use and the processor limit of its container.
// If a program raises GOMAXPROCS later, Most stays.
func Most() int { return min(processors, runtime.GOMAXPROCS(0)) }

var processors = func() int {
	if os.Getenv("GOMAXPROCS") != "" {
		return runtime.NumCPU()
	}
	return min(runtime.NumCPU(), runtime.GOMAXPROCS(0))
}()
