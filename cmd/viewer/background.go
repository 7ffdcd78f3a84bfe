package main

import (
	"cmp"
	"sync"
)

// background counts the files that are being written on other goroutines, such as screenshots.
type background struct {
	tell func(text string) // tells the user that a file was written, or why not; on any goroutine

	wg  sync.WaitGroup
	mu  sync.Mutex
	err error // the first
}

// wrote tells the user that a file was written, or the error. Any goroutine may call it.
func (p *background) wrote(path string, err error) {
	text := "wrote " + path
	if err != nil {
		p.failed(err)
		text = err.Error()
	}
	p.tell(text)
}

// do writes a file on another goroutine: a disk may be slow.
func (p *background) do(write func()) {
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		write()
	}()
}

// failed keeps the first error for the end of the run. Any goroutine may call it.
func (p *background) failed(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = cmp.Or(p.err, err)
}

// wait waits until all files are written, and returns the first error.
func (p *background) wait() error {
	p.wg.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}
