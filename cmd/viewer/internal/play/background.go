package play

import (
	"cmp"
	"errors"
	"io/fs"
	"sync"
)

// Background counts the files that are being written on other goroutines, such as screenshots.
type Background struct {
	tell func(text string) // tells the user that a file was written, or why not; on any goroutine

	wg  sync.WaitGroup
	mu  sync.Mutex
	err error // the first
}

// Wrote tells the user that a file was written, or the error. Any goroutine may call it.
func (p *Background) Wrote(path string, err error) {
	text := "wrote " + path
	if err != nil {
		p.Failed(err)
		text = NotSaved(err)
	}
	p.tell(text)
}

// NotSaved says that a file could not be written, and why.
func NotSaved(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return "could not save " + p.Path + ": " + p.Err.Error()
	}
	return "could not save: " + err.Error()
}

// Do writes a file on another goroutine: a disk may be slow.
func (p *Background) Do(write func()) {
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		write()
	}()
}

// Failed keeps the first error for the end of the run. Any goroutine may call it.
func (p *Background) Failed(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = cmp.Or(p.err, err)
}

// Wait waits until all files are written, and returns the first error.
func (p *Background) Wait() error {
	p.wg.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}
