package stepper

import (
	"sync"
	"sync/atomic"
)

// task is what the workers of a pool do with a piece of work.
type task uint8

const (
	taskUpdateContacts task = iota
	taskComputeManifolds
	taskSolveIslands
	taskComputeTOIs
)

// pool is a number of worker goroutines that share numbered pieces of work. They
// sleep on a channel between two tasks, so an idle world costs nothing.
//
// Which worker takes which piece is left to chance. Every piece writes to memory
// of its own, so the result does not depend on it.
type pool struct {
	wake    []chan struct{}
	busy    sync.WaitGroup // workers on the present task
	alive   sync.WaitGroup
	next    atomic.Int64
	pieces  int64
	stepper *Stepper
	task    task
	started bool

	mu       sync.Mutex
	panicked any // value of the first panic in a piece
}

func newPool(workers int) *pool {
	p := &pool{wake: make([]chan struct{}, workers)}
	for i := range p.wake {
		p.wake[i] = make(chan struct{}, 1)
	}
	return p
}

// start starts the workers. They inherit the profile labels of the goroutine
// that steps, so it is not done before there is a step.
func (p *pool) start() {
	p.started = true
	for _, w := range p.wake {
		p.alive.Add(1)
		go p.work(w)
	}
}

func (p *pool) work(wake chan struct{}) {
	defer p.alive.Done()
	for range wake {
		p.runPieces()
		p.busy.Done()
	}
}

// run shares out pieces 0 to n-1 of a task and returns when all are done. The
// caller works too. If a piece panics, run does so with the same value.
func (p *pool) run(s *Stepper, t task, n int) {
	if !p.started {
		p.start()
	}
	p.stepper, p.task, p.pieces, p.panicked = s, t, int64(n), nil
	p.next.Store(0)
	others := max(min(len(p.wake), n-1), 0)
	p.busy.Add(others)
	for _, w := range p.wake[:others] {
		w <- struct{}{}
	}
	p.runPieces()
	p.busy.Wait()
	p.stepper = nil
	if p.panicked != nil {
		panic(p.panicked)
	}
}

// runPieces takes pieces until none is left.
func (p *pool) runPieces() {
	defer func() {
		if v := recover(); v != nil {
			p.mu.Lock()
			if p.panicked == nil {
				p.panicked = v
			}
			p.mu.Unlock()
			p.next.Store(p.pieces)
		}
	}()
	for {
		i := p.next.Add(1) - 1
		if i >= p.pieces {
			return
		}
		switch p.task {
		case taskUpdateContacts:
			p.stepper.updateChunk(int(i))
		case taskComputeManifolds:
			p.stepper.computeChunk(int(i))
		case taskSolveIslands:
			p.stepper.solveGroup(int(i))
		case taskComputeTOIs:
			p.stepper.computeTOIChunk(int(i))
		}
	}
}

// close ends the goroutines and waits for them.
func (p *pool) close() {
	for _, w := range p.wake {
		close(w)
	}
	p.alive.Wait()
}
