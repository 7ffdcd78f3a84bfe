package workers

import (
	"runtime"
	"sync"

	"halfstep/internal/atomic"
	"halfstep/internal/interleave"
)

// Pool is a number of worker goroutines that share the blocks of a stage with
// the goroutine of Step. They spin from stage to stage and from step to step. A goroutine
// that has spun for long sleeps on a channel: other programs may have the processor of
// the goroutine that it waits for.
//
// Each of them has a share of the blocks of its own, the same part of every
// stage, so that what it has written stays in its cache. One that has waited a while
// takes from the others' shares, in case they are not running. A share is one
// word: the number of the stage and the next block. Whoever raises it has the
// block. Nobody resets it: the first to take a block of a stage finds an older
// number and starts anew. A stage is not over before all shares are, so one that
// comes late can take nothing.
type Pool struct {
	doors   []chan struct{} // by worker: wakes it if it sleeps
	parked  []atomic.Bool   // by worker: it sleeps at its door
	ended   chan struct{}   // gets one value from each worker that ends
	block   func(k int)     // does block k
	started bool
	number  uint64 // of the last stage

	Patience
	spins int // looks for work between two calls of runtime.Gosched

	_      [64]byte
	stage  atomic.Uint64 // number << 24 | blocks
	_      [56]byte
	done   atomic.Uint64 // blocks of this stage
	asleep atomic.Bool   // the goroutine of Step waits for bell
	bell   chan struct{}
	_      [40]byte
	shares []share

	mu       sync.Mutex
	panicked any // the value of the first block that panicked
}

type share struct {
	next atomic.Uint64 // number << 24 | block
	_    [120]byte     // processors fetch lines in pairs
}

const lowBits = 1<<24 - 1

// What the low bits of Pool.stage hold besides a number of blocks.
const (
	resting = 0       // no step is made
	waiting = lowBits // a step is made, and the first stage is yet to come
)

// New returns a pool of n goroutines, which do blocks for whoever calls Run, or nil: one goroutine
// needs none.
func New(n int, block func(k int)) *Pool {
	if n <= 1 {
		return nil
	}
	p := &Pool{doors: make([]chan struct{}, n-1), parked: make([]atomic.Bool, n-1), shares: make([]share, n)}
	p.bell, p.ended, p.block = make(chan struct{}, 1), make(chan struct{}, n-1), block
	p.Patience, p.spins = Usual, mostSpins
	if runtime.GOMAXPROCS(0) < n {
		p.spins = fewSpins
	}
	for i := range p.doors {
		p.doors[i] = make(chan struct{}, 1)
	}
	return p
}

// Len is how many goroutines do blocks, with the one that calls Run. A nil Pool has that one alone.
func (p *Pool) Len() int {
	if p == nil {
		return 1
	}
	return len(p.shares)
}

// announce tells the workers of a new stage; blocks may also be resting or waiting.
func (p *Pool) announce(blocks uint64) uint64 {
	p.number++
	stage := p.number<<24 | blocks
	p.stage.Store(stage)
	return stage
}

// Wake lets the workers take part in a step. Doing so twice does no harm.
func (p *Pool) Wake() {
	if p.stage.Load()&lowBits == resting {
		p.announce(waiting)
	}
	if !p.started {
		// They inherit the profile labels of the goroutine that steps, so this is
		// not done before there is a step.
		p.started = true
		for i := range p.doors {
			interleave.Go(func() { p.work(i + 1) })
		}
	}
	p.openDoors()
}

// openDoors wakes the workers that sleep. What they are to do has been announced.
func (p *Pool) openDoors() {
	for i := range p.doors {
		if p.parked[i].Load() && p.parked[i].CompareAndSwap(true, false) {
			interleave.TrySend(p.doors[i])
		}
	}
}

// Rest ends the workers' part in a step.
func (p *Pool) Rest() {
	if p != nil && p.stage.Load()&lowBits != resting {
		p.announce(resting)
	}
}

// Close ends the workers and waits for them.
func (p *Pool) Close() {
	if p == nil {
		return
	}
	for _, d := range p.doors {
		interleave.Close(d)
	}
	if p.started {
		for range p.doors {
			interleave.Receive(p.ended)
		}
	}
}

// Patience is how often a goroutine looks for something to do.
type Patience struct {
	Help   int // before it helps the others, in case they are not running
	Linger int // before it sleeps between two steps
	// Stay is how often a worker does in a step, where the goroutine of Step may have
	// something to do alone: a worker that is woken comes late to several stages.
	Stay int
}

// Usual is some 5 µs, 50 µs and 400 µs: a worker need not be woken where stages and steps follow
// each other at once.
var Usual = Patience{1 << 12, 1 << 15, 1 << 18}

// mostSpins is how often a goroutine looks for work before it lets other goroutines run, and
// fewSpins if there are more goroutines than processors to run them.
const mostSpins, fewSpins = 1 << 12, 1 << 5

func (p *Pool) work(me int) {
	defer interleave.TrySend(p.ended)
	last, idle := uint64(0), 0
	for {
		stage := p.stage.Load()
		if stage != last {
			last, idle = stage, 0
			if n := stage & lowBits; n != resting && n != waiting {
				p.take(stage, me)
			}
			continue
		}
		idle++
		switch {
		case idle == p.Help:
			p.help(stage, me)
		case idle == p.Linger && stage&lowBits == resting, idle == p.Stay:
			idle = 0
			if !p.park(stage, me-1) {
				return
			}
		}
		if idle%p.spins == p.spins-1 {
			runtime.Gosched()
		}
	}
}

// park sleeps until the next stage or step. It returns false if the pool is closed.
func (p *Pool) park(stage uint64, i int) bool {
	p.parked[i].Store(true)
	if p.stage.Load() != stage && p.parked[i].CompareAndSwap(true, false) {
		return true // it has begun, and nobody will open the door
	}
	return interleave.Receive(p.doors[i])
}

// finish counts blocks that are done, and tells the goroutine of Step if all are.
func (p *Pool) finish(did, blocks uint64) {
	if p.done.Add(did) == blocks && p.asleep.CompareAndSwap(true, false) {
		interleave.TrySend(p.bell)
	}
}

// sleep makes the goroutine of Step wait until so many blocks are done. Now and then it
// returns before: for a block of the last stage whose worker comes late to the bell.
func (p *Pool) sleep(blocks uint64) {
	p.asleep.Store(true)
	if p.done.Load() != blocks || !p.asleep.CompareAndSwap(true, false) {
		interleave.Receive(p.bell)
	}
}

// take does blocks of a share until none is left.
func (p *Pool) take(stage uint64, i int) {
	number, blocks := stage&^lowBits, int(stage&lowBits)
	n, did := len(p.shares), uint64(0)
	s, start, end := &p.shares[i].next, uint64(i*blocks/n), uint64((i+1)*blocks/n)
	for start < end {
		v := s.Load()
		block := v & lowBits
		switch {
		case v&^lowBits > number: // a later stage
			start = end
			continue
		case v&^lowBits < number:
			block = start
		}
		if block >= end {
			break
		}
		if s.CompareAndSwap(v, number|(block+1)) {
			p.do(int(block))
			did++
		}
	}
	if did > 0 {
		p.finish(did, uint64(blocks))
	}
}

// help does blocks of the others' shares.
func (p *Pool) help(stage uint64, me int) {
	if n := stage & lowBits; n == resting || n == waiting {
		return
	}
	for i := range p.shares {
		if i != me {
			p.take(stage, i)
		}
	}
}

func (p *Pool) do(block int) {
	defer func() {
		if v := recover(); v != nil {
			p.mu.Lock()
			if p.panicked == nil {
				p.panicked = v
			}
			p.mu.Unlock()
		}
	}()
	p.block(block)
}

// Run shares out the blocks of a stage and returns when all are done. The caller
// works too. If a block panics, Run does so with the same value.
func (p *Pool) Run(blocks int) {
	p.done.Store(0)
	stage := p.announce(uint64(blocks))
	p.openDoors()
	p.take(stage, 0)
	for k := 1; p.done.Load() != uint64(blocks); k++ {
		switch k {
		case p.Help:
			p.help(stage, 0)
		case p.Linger: // others have the last blocks
			k = 0
			p.sleep(uint64(blocks))
		}
		if k%p.spins == 0 {
			runtime.Gosched()
		}
	}
	if p.panicked != nil {
		v := p.panicked
		p.panicked = nil
		panic(v)
	}
}
