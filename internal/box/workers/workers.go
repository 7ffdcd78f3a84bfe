// Package workers says how many goroutines compute a step unless somebody says it.
package workers

import "runtime"

// Default is one less than there are processors to run them, and at least 1: the thread
// that draws needs one.
func Default() int { return max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))-1) }
