package history

import (
	"errors"
	"io"
	"slices"
	"sync/atomic"
)

// Growing is a recording that is read while it is written.
type Growing struct {
	newest atomic.Pointer[File]
	err    error         // why it has ended, once done is closed
	done   chan struct{} // closed when no more is to come
}

// Follow reads how a recording begins, and goes on reading on a goroutine of its own. The
// error is that of Read.
func Follow(from io.Reader, maxContacts int) (*Growing, error) {
	c, f, err := begin(from, maxContacts, false)
	if err != nil {
		return nil, err
	}
	g := &Growing{done: make(chan struct{})}
	g.publish(f)
	go func() {
		defer close(g.done)
		g.err = f.readEntries(c, g.publish)
		g.publish(f)
	}()
	return g, nil
}

// publish lets others see the file as it is. What they see does not change: lists only
// grow behind their ends, and are copied where the run has gone back.
func (g *Growing) publish(f *File) { g.newest.Store(new(*f)) }

// File is the recording as far as it has come. Any goroutine.
func (g *Growing) File() *File { return g.newest.Load() }

// Ended reports whether no more is to come, and why: nil if the recording has an end or
// was cut off.
func (g *Growing) Ended() (bool, error) {
	select {
	case <-g.done:
		return true, g.err
	default:
		return false, nil
	}
}

var errWentBack = errors.New("the run has gone back to before what was shown of it")

// Grow gives a replay the file that has grown.
type Grow struct{ *File }

// grow goes on with a file that begins as the one at hand. What was done to the world
// since its last step is done at once, because there may be no next one: the run is paused.
func (p *Past) grow(f *File) {
	r := p.replay
	r.File = f
	if p.tick == f.Ticks && slices.ContainsFunc(f.Entries[r.next:], func(e Entry) bool { return e.Kind == Apply }) {
		p.finish()
	}
}
