// Package presenttimes asks window systems when frames were seen. It loads their
// libraries at run time, so a program also starts where they are missing.
//
//	Wayland   wp_presentation: every frame, from the display's own clock at best
//	X11       complete events of the Present extension: every frame, if the driver
//	          presents by it (Mesa's do, NVIDIA's does not)
//	Windows   the composition timing of DWM: the times of refreshes, but not which of them
//	          shows a frame, which is inferred
//	macOS     nothing; it reports only to programs that draw with Metal
//
// A program opens a Source for its window, calls Swapping right before it swaps buffers,
// and in each frame reads the Times that have come. It gives them to Display.Presented,
// each as a present.Report.
package presenttimes

import (
	"errors"
	"sync/atomic"
	"time"

	"halfstep/renderloop/present"
)

// ErrNone says that there is no Source for this system or window system.
var ErrNone = errors.New("this window system does not report when frames are seen")

// Time is the report about a frame.
type Time struct {
	// Frame is the number with which Swapping was called.
	Frame uint64
	// Swapped is the time at which Swapping was called.
	Swapped time.Time
	// Seen is the time at which the frame was first on the display, or the zero Time if it
	// was never seen.
	Seen time.Time
	// Refresh is the time between two refreshes, or 0 if it is unknown or varies.
	Refresh time.Duration
	Quality present.Quality
}

// Report converts the time to a present.Report. axis converts a time to the form of
// present.Report.Seen.
func (t *Time) Report(axis func(time.Time) time.Duration) present.Report {
	r := present.Report{Frame: t.Frame, Seen: present.NeverSeen, Refresh: int64(t.Refresh), Quality: t.Quality}
	if !t.Seen.IsZero() {
		r.Seen = int64(axis(t.Seen))
	}
	if !t.Swapped.IsZero() {
		r.Swapped = int64(axis(t.Swapped))
	}
	return r
}

// Source reports when the frames of one window were seen. Its methods belong to the
// render thread. Except for Close, they take no lock and do not wait.
type Source interface {
	// Swapping says that the next swap shows the frame with this number. Numbers
	// increase.
	Swapping(frame uint64)
	// Next moves the oldest report to t. It returns false if there is none.
	Next(t *Time) bool
	// State describes the source and the quality of its reports in a few words, such as
	// "wp_presentation: hardware clock".
	State() string
	// Close ends the Source, and waits until it has ended. Call Close before the window is
	// closed.
	Close()
}

// ring passes times from the goroutine that receives them to the render thread. If the
// ring is full, the newest times are lost.
type ring struct {
	times [256]Time
	put   atomic.Uint64 // moved by the writer
	taken atomic.Uint64 // moved by the reader
}

func (r *ring) add(t Time) {
	n := r.put.Load()
	if n-r.taken.Load() == uint64(len(r.times)) {
		return
	}
	r.times[n%uint64(len(r.times))] = t
	r.put.Store(n + 1) // after the time was written
}

func (r *ring) Next(t *Time) bool {
	n := r.taken.Load()
	if n == r.put.Load() {
		return false
	}
	*t = r.times[n%uint64(len(r.times))]
	r.taken.Store(n + 1) // after the time was read
	return true
}

// answers counts the reports, for State.
type answers struct {
	asked, told atomic.Uint64
	quality     atomic.Uint32 // the last one
}

// patience is the number of swaps without an answer after which no answer is expected
// any more.
const patience = 120

func (a *answers) state(name string) string {
	switch asked := a.asked.Load(); {
	case a.told.Load() > 0:
		return name + ": " + present.Quality(a.quality.Load()).String()
	case asked > patience:
		return name + ": no answer"
	}
	return name + ": waiting"
}

func (a *answers) count(t Time) {
	a.told.Add(1)
	if !t.Seen.IsZero() || a.quality.Load() == 0 {
		a.quality.Store(uint32(t.Quality))
	}
}
