// Package workers has the goroutines that compute a step.
package workers

import (
	"os"
	"runtime"
)

// Default is the number of goroutines that compute a step unless the program sets one: one less
// than there are processors, and at least 1. The thread that draws needs a processor, too.
func Default() int { return max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))-1) }

// Most is how many can run at once: as many as Go lets run when nobody has told it otherwise yet,
// which heeds the processors that the process may use and the share of them that its container
// has. A program may raise GOMAXPROCS above that later on.
func Most() int { return min(processors, runtime.GOMAXPROCS(0)) }

var processors = func() int {
	if os.Getenv("GOMAXPROCS") != "" {
		return runtime.NumCPU()
	}
	return min(runtime.NumCPU(), runtime.GOMAXPROCS(0))
}()
