//go:build interleave

package interleave

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Explore runs the scenario under one schedule of each class of equivalent schedules (see
// the package comment). It fails the test with a trace of the first run that fails. A run
// fails when a task panics or calls Run.Errorf, or when all remaining tasks wait for ever.
//
// With -race the schedules after the first 2,000 are drawn at random, as in Sample, unless
// HALFSTEP_INTERLEAVE is set.
//
// The scenario runs as the first task of each run. Its behaviour must depend on the schedule
// alone.
func Explore(t *testing.T, scenario func(*Run)) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // with one processor a hand-over stays on its thread
	began := time.Now()
	e := newExplorer(scenario)
	for more := true; more; more = e.backtrack() {
		if e.runs >= enough && os.Getenv("HALFSTEP_INTERLEAVE") == "" {
			e.sample(t, began, 0) // runs no more than 300 schedules
			return
		}
		if r := e.run(); r.failure != "" {
			e.fail(t, r)
		}
	}
	t.Logf("%d schedules and %d repetitions, of at most %d operations, in %.1f s",
		e.runs-e.repeated, e.repeated, e.longest, time.Since(began).Seconds())
}

// Sample runs a scenario under 300 random schedules. It is for scenarios that are too large
// for Explore. The environment variable HALFSTEP_INTERLEAVE can give a time, such as "10m",
// for which it runs more schedules.
func Sample(t *testing.T, scenario func(*Run)) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	began := time.Now()
	var lasting time.Duration
	if s := os.Getenv("HALFSTEP_INTERLEAVE"); s != "" {
		var err error
		if lasting, err = time.ParseDuration(s); err != nil {
			t.Fatalf("HALFSTEP_INTERLEAVE: %v", err)
		}
	}
	newExplorer(scenario).sample(t, began, lasting)
}

// sample runs 300 random schedules. Then it runs more schedules until the time lasting has passed
// since began.
func (e *explorer) sample(t *testing.T, began time.Time, lasting time.Duration) {
	t.Helper()
	inOrder := e.runs
	seed := rand.Uint64()
	for n := uint64(0); n < 300 || time.Since(began) < lasting; n++ {
		e.random = (seed + n) | 1<<63
		e.path = e.path[:0]
		if r := e.run(); r.failure != "" {
			e.fail(t, r)
		}
	}
	t.Logf("%d schedules in order, then %d random ones from seed %d, of at most %d operations, in %.1f s",
		inOrder, e.runs-inOrder, seed, e.longest, time.Since(began).Seconds())
}

// fail ends the test with a trace of the schedule of r. It runs that schedule again to get
// the trace.
func (e *explorer) fail(t *testing.T, r *Run) {
	t.Helper()
	n := e.runs
	e.tracing = true
	again := e.run()
	if again.failure != r.failure {
		t.Fatalf("schedule %d: %s\nbut the same schedule again: %q: the scenario depends on more than the schedule", n, r.failure, again.failure)
	}
	var trace strings.Builder
	for _, l := range again.trace {
		fmt.Fprintf(&trace, "%4d %-12s %s %s\n", l.step, l.task, l.where, l.what)
	}
	t.Fatalf("schedule %d: %s\n%s", n, r.failure, &trace)
}

// Run is one run of a scenario, under one schedule. Its methods are for the
// tasks.
type Run struct {
	e       *explorer
	tasks   [maxTasks]*task
	n       int    // n is the number of tasks.
	now     *task  // now is the only task that runs.
	steps   int    // number of operations so far
	aside   bool   // aside says that each possible next operation was explored before, so that the rest of the run does not count.
	failure string // the first failure
	trace   []line
	after   []func() // see After
	alive   sync.WaitGroup
	over    chan bool // over receives whether all tasks have ended.
}

// line is a line of a trace: one operation of a task.
type line struct {
	step              int
	task, where, what string
}

// After calls f when all tasks have ended.
func (r *Run) After(f func()) { r.after = append(r.after, f) }

// Errorf fails the run. Only the first call counts.
//
//go:norace
func (r *Run) Errorf(format string, a ...any) {
	if r.failure == "" {
		r.failure = fmt.Sprintf(format, a...)
	}
}

// wrong does the same as Errorf, for the scheduler itself. It does not use package fmt,
// because the race detector does not follow the scheduler.
//
//go:norace
func (r *Run) wrong(what string) {
	if r.failure == "" {
		r.failure = what
	}
}

//go:norace
func (r *Run) note(t *task, what string) {
	if r.e.tracing && len(r.trace) < cap(r.trace) {
		r.trace = append(r.trace, line{r.steps, t.name, t.where, what})
	}
}

// Step returns the number of operations of the run so far, so that tasks can compare the
// order of their actions afterwards. Read it right after an operation. Relative to
// operations on the same word it is then the same in all schedules of a class.
//
//go:norace
func (r *Run) Step() int { return r.steps }
