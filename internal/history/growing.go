package history

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
)

// Growing is a recording that is read while it is being written.
type Growing struct {
	newest atomic.Pointer[File]
	err    error         // the reason for the end, once done is closed
	done   chan struct{} // closed when the recording ends
}

// Follow reads the beginning of a recording, and then reads the rest on another goroutine. The parameter
// memory limits the size of the recording in memory, in bytes. A negative memory means no limit. The error
// is an error of Read.
func Follow(from io.Reader, maxContacts int, memory int64) (*Growing, error) {
	const states = false // if the recording has both entries and states, the entries are read
	c, f, err := begin(from, maxContacts, states)
	if err != nil {
		return nil, err
	}
	f.limit = memory
	g := &Growing{done: make(chan struct{})}
	g.publish(f)
	go func() {
		defer close(g.done)
		g.err = g.follow(c, f)
		g.publish(f)
	}()
	return g, nil
}

// follow reads the rest of the recording, and publishes the file after each chunk.
func (g *Growing) follow(c *chunkReader, f *File) error {
	for {
		seen := f.Ticks
		ended, err := f.readChunk(c, func(e *Entry) error {
			if e.Kind == Back && e.Tick < seen {
				return errWentBack
			}
			if e.Kind == Back {
				n := upTo(f.Entries, e.Tick)
				f.size -= sizeOf(f.Entries[n:])
				f.Entries = f.Entries[:n:n] // other goroutines may have read the entries from n on, so append must copy
			}
			return f.add(e)
		})
		if f.Cut = errors.Is(err, errCut); f.Cut {
			return nil
		}
		if ended || err != nil {
			return err
		}
		if err := f.dropOldest(); err != nil {
			return err
		}
		g.publish(f)
	}
}

// publish makes a copy of the file visible to other goroutines. The copy shares
// the memory of the lists and never changes: later entries go behind the ends of its lists, and when the
// run goes back, append copies the lists.
func (g *Growing) publish(f *File) { g.newest.Store(new(*f)) }

// File returns the part of the recording that has been read. Any goroutine may call File.
func (g *Growing) File() *File { return g.newest.Load() }

// Ended reports whether the recording has ended, and returns its error. The error is nil if the recording has
// an end chunk, or if it was interrupted.
func (g *Growing) Ended() (bool, error) {
	select {
	case <-g.done:
		return true, g.err
	default:
		return false, nil
	}
}

// dropOldest drops the oldest entries of a followed recording that takes more memory than its limit. It does
// nothing to a recording of commands, which would be useless without its beginning. The field base becomes
// the picture after the dropped entries. Copies that were published earlier do not change.
func (f *File) dropOldest() error {
	switch {
	case f.limit < 0 || f.size <= f.limit:
		return nil
	case !f.Shows():
		return fmt.Errorf("the recorded past takes more than %d MiB of memory: join again", f.limit>>20)
	}
	base := newPicture()
	if f.base != nil {
		base = f.base.clone()
	}
	n := 0
	for f.size > f.limit*3/4 || n < len(f.Entries) && f.Entries[n].Kind != Begin {
		e := &f.Entries[n]
		switch n++; {
		case e.shown != nil:
			base.show(e.shown)
		case e.Kind == Begin:
			f.Start.Units, f.Start.StepUnits = e.Units, e.StepUnits
		}
		if e.Kind == Step {
			f.First, f.steps = e.Tick, f.steps[1:]
		}
		f.size -= e.size()
	}
	f.base, f.gone, f.Entries = base, f.gone+n, slices.Clone(f.Entries[n:])
	steps := make([]int, len(f.steps))
	for i, at := range f.steps {
		steps[i] = at - n
	}
	f.steps = steps
	return nil
}

var errWentBack = errors.New("the run has gone back to before what was shown of it")
