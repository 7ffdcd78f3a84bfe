package play

import (
	"cmp"
	"errors"
	"io/fs"
	"sync"
)

// Background writes files, such as screenshots, on other goroutines. It reports each
// file to the user.
type Background struct {
	tell func(text string) // tell shows the user that a file was written, or why it was not. Any goroutine may call it.

	wg  sync.WaitGroup
	mu  sync.Mutex
	err error // the first
}

// ReportWritten shows the user that a file was written, or the error. Any goroutine may
// call it.
func (b *Background) ReportWritten(path string, err error) {
	text := "wrote " + path
	if err != nil {
		b.Failed(err)
		text = NotSaved(err)
	}
	b.tell(text)
}

// NotSaved returns the message that a file could not be written.
func NotSaved(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return "could not save " + p.Path + ": " + p.Err.Error()
	}
	return "could not save: " + err.Error()
}

// Do writes a file on another goroutine, because a disk may be slow.
func (b *Background) Do(write func()) {
	b.wg.Add(1)
	go func() {
		defer b.wg.Done()
		write()
	}()
}

// Failed keeps the first error until the end of the run. Any goroutine may call it.
func (b *Background) Failed(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = cmp.Or(b.err, err)
}

// Wait waits until all files are written. It returns the first error.
func (b *Background) Wait() error {
	b.wg.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}
