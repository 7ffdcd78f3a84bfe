package stepper

import (
	"math"

	"github.com/ByteArena/box2d"
)

// levelSchedule puts constraints in an order with the same results in which
// neighbours rarely wait for each other.
//
// A constraint reads and writes its two bodies only, so as long as every body
// meets its constraints in the library's order, all numbers stay the same. The
// library's order follows the bodies from one to the next: each constraint
// needs the result of the one before, and the processor does one at a time.
// Here a constraint's level is the length of the longest chain of constraints
// before it, and the constraints go level by level. Those of a level share no
// body, so the processor overlaps them.
type levelSchedule struct {
	nextLevel []int32 // by body: the level after its last constraint
	levels    []int32 // by constraint of the list
	starts    []int32 // by level of the list
	base      int32   // levels below are those of earlier lists
}

func (c *levelSchedule) reset(bodies int) {
	c.nextLevel = grow(c.nextLevel, bodies)
	clear(c.nextLevel)
	c.base = 0
}

// add appends a constraint. Inert bodies chain nothing.
func (c *levelSchedule) add(a, b int32, inert []bool) {
	level := max(c.nextLevel[a], c.nextLevel[b], c.base)
	if !inert[a] {
		c.nextLevel[a] = level + 1
	}
	if !inert[b] {
		c.nextLevel[b] = level + 1
	}
	level -= c.base
	if int(level) == len(c.starts) {
		c.starts = append(c.starts, 0)
	}
	c.starts[level]++
	c.levels = append(c.levels, level)
}

// order ends the list of constraints and appends to list where each goes.
func (c *levelSchedule) order(list []int32) []int32 {
	sum := int32(0)
	for level, n := range c.starts {
		c.starts[level] = sum
		sum += n
	}
	for _, level := range c.levels {
		list = append(list, c.starts[level])
		c.starts[level]++
	}
	c.base += int32(len(c.starts))
	c.starts, c.levels = c.starts[:0], c.levels[:0]
	return list
}

// isInert reports whether nothing that is finite changes a bit of a body in
// the solver: it has no mass, and no zero whose sign an addition could turn.
func isInert(b *box2d.B2Body) bool {
	if b.M_invMass != 0 || b.M_invI != 0 {
		return false
	}
	const minusZero = 1 << 63
	c, v := b.M_sweep.C, b.M_linearVelocity
	for _, x := range [...]float64{c.X, c.Y, b.M_sweep.A, v.X, v.Y, b.M_angularVelocity} {
		if math.Float64bits(x) == minusZero {
			return false
		}
	}
	return true
}
