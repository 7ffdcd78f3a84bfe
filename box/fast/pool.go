package fast

import (
	"sync"

	"halfstep/internal/atomic"
	"halfstep/internal/interleave"
)

// task is what the workers of a pool do with a piece of work. It is a method and no
// closure, which would be allocated in each step.
type task func(s *Stepper, piece int)

// pool is a number of worker goroutines that share numbered pieces of work. They
// sleep on a channel between two tasks, so an idle world costs nothing.
//
// Which worker takes which piece is left to chance. Every piece writes to memory
// of its own, so the result does not depend on it.
type pool struct {
	wake    []chan struct{}
	ended   chan struct{} // a worker has
	done    chan struct{} // the workers are, with the present task
	busy    atomic.Uint64 // workers on the present task
	next    atomic.Uint64
	pieces  uint64
	of      *Stepper
	task    task
	started bool

	mu       sync.Mutex
	panicked any // value of the first panic in a piece
}

func newPool(workers int, of *Stepper) *pool {
	p := &pool{wake: make([]chan struct{}, workers), ended: make(chan struct{}, workers), done: make(chan struct{}, 1), of: of}
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
		interleave.Go(func() { p.work(w) })
	}
}

func (p *pool) work(wake chan struct{}) {
	defer interleave.TrySend(p.ended)
	for interleave.Receive(wake) {
		p.runPieces()
		if p.busy.Add(^uint64(0)) == 0 {
			interleave.TrySend(p.done)
		}
	}
}

// run shares out pieces 0 to n-1 of a task and returns when all are done. The
// caller works too. If a piece panics, run does so with the same value.
func (p *pool) run(t task, n int) {
	if !p.started {
		p.start()
	}
	p.task, p.pieces, p.panicked = t, uint64(n), nil
	p.next.Store(0)
	others := max(min(len(p.wake), n-1), 0)
	p.busy.Store(uint64(others))
	for _, w := range p.wake[:others] {
		interleave.TrySend(w)
	}
	p.runPieces()
	if others > 0 {
		interleave.Receive(p.done)
	}
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
		p.task(p.of, int(i))
	}
}

// close ends the goroutines and waits for them.
func (p *pool) close() {
	for _, w := range p.wake {
		interleave.Close(w)
	}
	if p.started {
		for range p.wake {
			interleave.Receive(p.ended)
		}
	}
}
