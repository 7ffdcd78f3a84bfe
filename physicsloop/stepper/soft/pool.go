package soft

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// pool is a number of worker goroutines that share the blocks of a stage. They
// sleep on a channel between steps. Within a step they spin from stage to stage,
// for a bounded time.
//
// One word holds the number of the stage and the next block. Whoever raises it
// has the block. So a worker that comes late to a stage can take nothing of the
// next one by mistake.
type pool struct {
	doors   []chan struct{}
	alive   sync.WaitGroup
	stepper *Stepper
	started bool

	_        [64]byte
	ticket   atomic.Uint64 // stage number << 32 | blocks << 16 | next block
	_        [64]byte
	done     atomic.Int32 // blocks of this stage
	_        [64]byte
	stepping atomic.Bool
	number   uint64

	mu       sync.Mutex
	panicked any
}

const mostBlocks = 1<<16 - 1

func newPool(workers int) *pool {
	p := &pool{doors: make([]chan struct{}, workers)}
	for i := range p.doors {
		p.doors[i] = make(chan struct{}, 1)
	}
	return p
}

// wake lets the workers take part in a step.
func (p *pool) wake() {
	if !p.started {
		// They inherit the profile labels of the goroutine that steps, so this is
		// not done before there is a step.
		p.started = true
		for _, d := range p.doors {
			p.alive.Add(1)
			go p.work(d)
		}
	}
	p.stepping.Store(true)
	for _, d := range p.doors {
		select {
		case d <- struct{}{}:
		default: // it has not slept yet
		}
	}
}

// rest ends the workers' part in a step.
func (p *pool) rest() {
	p.stepping.Store(false)
}

func (p *pool) close() {
	for _, d := range p.doors {
		close(d)
	}
	p.alive.Wait()
}

// spins bounds how often a worker looks for the next stage before it lets others
// run.
const spins = 2000

func (p *pool) work(door chan struct{}) {
	defer p.alive.Done()
	for range door {
		for idle := 0; p.stepping.Load(); {
			if p.takeBlocks() {
				idle = 0
				continue
			}
			if idle++; idle%spins == 0 {
				runtime.Gosched()
			}
		}
	}
}

// takeBlocks does blocks of the present stage until none is left. It reports
// whether it has done any.
func (p *pool) takeBlocks() bool {
	any := false
	for {
		t := p.ticket.Load()
		next, blocks := t&0xffff, t>>16&0xffff
		if next >= blocks {
			return any
		}
		if !p.ticket.CompareAndSwap(t, t+1) {
			continue
		}
		any = true
		p.do(int(next))
		p.done.Add(1)
	}
}

func (p *pool) do(block int) {
	defer func() {
		if v := recover(); v != nil {
			p.mu.Lock()
			if p.panicked == nil {
				p.panicked = v
			}
			p.mu.Unlock()
		}
	}()
	p.stepper.block(block)
}

// run shares out the blocks of a stage and returns when all are done. The caller
// works too. If a block panics, run does so with the same value.
func (p *pool) run(s *Stepper, blocks int) {
	p.stepper = s
	p.number++
	p.done.Store(0)
	p.ticket.Store(p.number<<32 | uint64(blocks)<<16)
	p.takeBlocks()
	for n := 0; p.done.Load() != int32(blocks); n++ {
		if n%spins == spins-1 {
			runtime.Gosched()
		}
	}
	if p.panicked != nil {
		v := p.panicked
		p.panicked = nil
		panic(v)
	}
}
