package workers

import (
	"runtime"
	"sync"

	"halfstep/internal/atomic"
	"halfstep/internal/interleave"
)

// Pool is a number of worker goroutines. Together with the goroutine of Step they process the
// blocks of a stage. Workers spin between stages and between steps. A goroutine that has spun for
// a long time sleeps on a channel, because it may be waiting for a goroutine whose processor other
// programs use.
//
// Each goroutine has its own share of the blocks. The share is the same part of every stage, so
// that the memory that the goroutine has written stays in its cache. A goroutine that has waited
// for some time takes blocks from the shares of other goroutines, in case these are not running. A
// share is one word, which consists of the number of the stage and the next block. A goroutine
// that increases the word owns the block. No code resets the word: the first goroutine that takes
// a block of a stage finds an older number, and starts again at the first block. A stage ends only
// after all shares, so that a late goroutine cannot take a block of it.
type Pool struct {
	doors   []chan struct{} // by worker: wakes the worker if it sleeps
	parked  []atomic.Bool   // by worker: whether the worker sleeps at its door
	ended   chan struct{}   // ended receives one value from each worker when the worker ends.
	block   func(k int)     // block processes block k.
	started bool
	number  uint64 // number is the number of the last stage.

	Patience
	spins int // spins is the number of polls between two calls of runtime.Gosched.

	_      [64]byte
	stage  atomic.Uint64 // stage is number << 24 | blocks.
	_      [56]byte
	done   atomic.Uint64 // done is the number of blocks of this stage that are done.
	asleep atomic.Bool   // asleep says that the goroutine of Step waits for bell.
	bell   chan struct{}
	_      [40]byte
	shares []share

	mu       sync.Mutex
	panicked any // panicked is the value of the first block that panicked.
}

type share struct {
	next atomic.Uint64 // next is number << 24 | block.
	_    [120]byte     // padding, because processors load cache lines in pairs
}

const lowBits = 1<<24 - 1

// These are values of the low bits of Pool.stage that are not a number of blocks.
const (
	resting = 0       // resting: no step is being made.
	waiting = lowBits // waiting: a step is in progress, and its first stage has not begun.
)

// New returns a pool of n goroutines, which process blocks for the caller of Run. If n is at most 1
// it returns nil, because a single goroutine needs no pool.
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

// Len returns the number of goroutines that process blocks, including the caller of Run. For a nil
// Pool it returns 1.
func (p *Pool) Len() int {
	if p == nil {
		return 1
	}
	return len(p.shares)
}

// announce publishes a new stage to the workers. The parameter blocks may also be resting or
// waiting.
func (p *Pool) announce(blocks uint64) uint64 {
	p.number++
	stage := p.number<<24 | blocks
	p.stage.Store(stage)
	return stage
}

// Wake lets the workers take part in a step. A second call has no effect.
func (p *Pool) Wake() {
	if p.stage.Load()&lowBits == resting {
		p.announce(waiting)
	}
	if !p.started {
		// The workers inherit the profile labels of the goroutine that steps, so they are started in the
		// first step.
		p.started = true
		for i := range p.doors {
			interleave.Go(func() { p.work(i + 1) })
		}
	}
	p.openDoors()
}

// openDoors wakes the workers that sleep. The caller has already announced their work.
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

// Close ends the workers, and waits for their end.
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

// Patience has numbers of polls for work, after which a goroutine does something else.
type Patience struct {
	Help   int // Help is the number of polls before a goroutine helps other goroutines, in case they are not running.
	Linger int // Linger is the number of polls before a goroutine sleeps between two steps.
	// Stay is the number of polls before a worker sleeps during a step, while the goroutine of Step
	// may be working alone. It is large because a worker that must be woken is late for several
	// stages.
	Stay int
}

// Usual corresponds to about 5 µs, 50 µs and 400 µs. A worker need not be woken if stages and
// steps follow each other at once.
var Usual = Patience{1 << 12, 1 << 15, 1 << 18}

// mostSpins is the number of polls before a goroutine lets other goroutines run. If there are more
// goroutines than processors, the number is fewSpins.
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

// finish counts processed blocks. After the last block it wakes the goroutine of Step.
func (p *Pool) finish(did, blocks uint64) {
	if p.done.Add(did) == blocks && p.asleep.CompareAndSwap(true, false) {
		interleave.TrySend(p.bell)
	}
}

// sleep makes the goroutine of Step wait until all blocks are done. It may return too early,
// because a worker of the last stage was late to ring the bell.
func (p *Pool) sleep(blocks uint64) {
	p.asleep.Store(true)
	if p.done.Load() != blocks || !p.asleep.CompareAndSwap(true, false) {
		interleave.Receive(p.bell)
	}
}

// take processes blocks of a share until none is left.
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

// help processes blocks of other goroutines' shares.
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

// Run processes the blocks of a stage, and returns when all are done. The caller processes blocks
// as well. If a block panics, Run panics with the same value.
func (p *Pool) Run(blocks int) {
	p.done.Store(0)
	stage := p.announce(uint64(blocks))
	p.openDoors()
	p.take(stage, 0)
	for k := 1; p.done.Load() != uint64(blocks); k++ {
		switch k {
		case p.Help:
			p.help(stage, 0)
		case p.Linger: // other goroutines have the last blocks
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
