package soft

import (
	"time"

	"halfstep/internal/box/workers"
)

// crew shares the work of a step among the workers.
type crew struct {
	pool      *workers.Pool // nil after close
	pooled    bool          // pooled says that this step has shared work.
	divisible bool          // divisible says that this step has work that could be shared.
	finest    bool          // finest is for tests. It makes the crew divide work into the greatest number of blocks.
	choice    workers.Choice

	// This is the present work. It has n units, in a number of blocks.
	do        work
	n, blocks int
}

// work processes the units from index from up to index to. These units are one block.
type work func(block, from, to int)

// open starts n workers, including the caller. If n is 0, it starts one less than the number
// of processors.
func (c *crew) open(n int) {
	if n <= 0 {
		n = workers.Default()
	}
	c.pool = workers.New(min(n, workers.Most()), c.block)
}

func (c *crew) close() {
	c.pool.Close()
	c.pool = nil
}

// begin wakes the workers if the last step has shared work, because this step will then also
// share work.
func (c *crew) begin() {
	if c.pool != nil && c.pooled && c.choice.Shared() {
		c.pool.Wake()
	}
	c.pooled, c.divisible = false, false
}

func (c *crew) rest() { c.pool.Rest() }

// took records the duration of a step.
func (c *crew) took(d time.Duration) {
	if c.divisible {
		c.choice.Took(d)
	}
}

// blocksOf returns the number of blocks for n units of work. If there is little work it
// returns 1. Otherwise the number is the same for each worker, and at most perWorker for
// each. If there is more than one block, each block has at least `least` units.
func (c *crew) blocksOf(n, least, perWorker int) int {
	if c.pool == nil {
		return 1
	}
	workers := c.pool.Len()
	if c.finest {
		return min(max(n, 1), workers*perWorker)
	}
	if n < 2*least {
		return 1
	}
	return min(perWorker, max(1, n/least/workers)) * workers
}

// run processes n units of work in blocks. The workers share the blocks if that takes less
// time at present (workers.Choice). Every block writes to memory of its own, and the lists of
// blocks are joined in order. The number of blocks and the choice of goroutines therefore
// change no result.
func (c *crew) run(do work, n, blocks int) {
	c.do, c.n, c.blocks = do, n, blocks
	c.divisible = c.divisible || blocks > 1
	if blocks == 1 || !c.finest && !c.choice.Shared() {
		for k := range blocks {
			c.block(k)
		}
		return
	}
	if !c.pooled {
		c.pooled = true
		c.pool.Wake()
	}
	c.pool.Run(blocks)
}

func (c *crew) block(k int) { c.do(k, k*c.n/c.blocks, (k+1)*c.n/c.blocks) }
