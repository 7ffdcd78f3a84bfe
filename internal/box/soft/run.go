package soft

import (
	"time"

	"halfstep/internal/box/workers"
)

// crew shares out the work of a step among the workers. The rooms of the step hand it their work.
type crew struct {
	pool      *workers.Pool // nil after close
	pooled    bool          // this step has shared out work
	divisible bool          // this step has work that could be shared out
	finest    bool          // tests: cut work into the most blocks, however small
	choice    workers.Choice

	// The work at hand: n units, in so many blocks.
	do        work
	n, blocks int
}

// work does the units from one to another one, which are a block.
type work func(block, from, to int)

// open starts n workers, the caller included; 0 means one less than there are processors.
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

// begin wakes the workers if the last step has shared out work: then this one will, too.
func (c *crew) begin() {
	if c.pool != nil && c.pooled && c.choice.Shared() {
		c.pool.Wake()
	}
	c.pooled, c.divisible = false, false
}

// rest lets the workers sleep.
func (c *crew) rest() { c.pool.Rest() }

// took notes how long a step took.
func (c *crew) took(d time.Duration) {
	if c.divisible {
		c.choice.Took(d)
	}
}

// blocksOf returns how many blocks n units of work are cut into: one for little work, and
// otherwise the same number for each worker, at most perWorker. If that is more than one, each
// has at least least units.
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

// run does n units of work in blocks, which the workers share if that takes less time at
// present (workers.Choice). Every block writes to memory of its own, and the lists of blocks
// are joined in their order, so neither their number nor the goroutines change a result.
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
