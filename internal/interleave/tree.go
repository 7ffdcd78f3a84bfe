//go:build interleave

package interleave

import "math/bits"

// clock is a vector clock. For each task it gives a step of the run: the operations of the
// task up to that step happen before.
type clock [maxTasks]int32

//go:norace
func (c *clock) join(d *clock) {
	for i := range c {
		c[i] = max(c[i], d[i])
	}
}

// node is one choice of a schedule. Its sets of tasks are bits.
type node struct {
	choice  uint8
	enabled uint8
	try     uint8 // try is the set of tasks that must be chosen here sooner or later.
	asleep  uint8 // asleep is the set of tasks whose choice would repeat an explored schedule.
	ops     [maxTasks]op
	clock   clock // clock is the clock of the operation that was chosen.
}

// explorer walks through the tree of schedules depth first. Each run follows path, and
// extends it.
type explorer struct {
	scenario func(*Run)
	path     []node
	reduce   bool   // reduce says that one schedule of each class is run. It is false only in tests of this package.
	random   uint64 // random is the state of a random generator. If it is not 0, the generator makes the choices.
	tracing  bool

	runs, repeated, longest int
}

// newExplorer allocates the longest possible path at once, because the race detector counts
// the growth of a slice as an access.
func newExplorer(scenario func(*Run)) *explorer {
	return &explorer{scenario: scenario, path: make([]node, 0, maxSteps), reduce: true}
}

// run runs the scenario once. It first follows the path, and then extends it.
func (e *explorer) run() *Run {
	r := &Run{e: e, over: make(chan bool, 1)}
	if e.tracing {
		r.trace = make([]line, 0, maxSteps+maxTasks)
	}
	setCurrent(r)
	r.Go("main", func() { e.scenario(r) })
	hide()
	r.resume(r.choose())
	ended := <-r.over
	show()
	setCurrent(nil)
	if ended {
		r.alive.Wait() // all tasks must end before the next run, as the race detector sees it
		for _, f := range r.after {
			f()
		}
	}
	e.runs++
	e.longest = max(e.longest, r.steps)
	if r.aside {
		e.repeated++
	}
	return r
}

// backtrack drops explored choices from the end of the path, and reports whether any
// choices are left.
func (e *explorer) backtrack() bool {
	for n := len(e.path); n > 0; n-- {
		last := &e.path[n-1]
		last.asleep |= 1 << last.choice
		if left := last.try &^ last.asleep; left != 0 {
			last.choice = first(left)
			e.path = e.path[:n]
			return true
		}
	}
	return false
}

//go:norace
func first(set uint8) uint8 { return uint8(bits.TrailingZeros8(set)) }

// extend adds a choice to the path, either at random or by dynamic partial order reduction.
//
//go:norace
func (r *Run) extend(enabled uint8) {
	e := r.e
	n := node{enabled: enabled}
	for i := range r.n {
		n.ops[i] = r.tasks[i].next
	}
	if e.random != 0 || !e.reduce {
		n.try, n.choice = enabled, first(enabled)
		if e.random != 0 {
			n.choice = e.chance(enabled)
		}
		e.path = append(e.path, n)
		return
	}
	if d := len(e.path); d > 0 {
		// alternatives to the last choice that were explored earlier and do not depend on it would
		// lead to the same runs
		last := &e.path[d-1]
		for i := range r.n {
			if last.asleep&(1<<i) != 0 && !last.ops[i].dependent(last.ops[last.choice]) {
				n.asleep |= 1 << i
			}
		}
	}
	r.blocked()
	if enabled&^n.asleep == 0 {
		r.aside = true
		return
	}
	n.choice = r.prefer(enabled &^ n.asleep)
	n.try = 1 << n.choice
	e.path = append(e.path, n)
}

// before reports whether the operation that was chosen at depth d happens before an
// operation with the given clock.
//
//go:norace
func (n *node) before(d int, c *clock) bool { return c[n.choice] > int32(d) }

// order finds the operations that happen before the operation at the end of the path. Some
// earlier operation may happen before it only because the two depend on each other. It
// could then also have come later, and order schedules that order for a later run.
//
//go:norace
func (e *explorer) order(t *task) {
	last := len(e.path) - 1
	n := &e.path[last]
	c := t.clock
	n.clock = t.clock
	for d := range last {
		if p := &e.path[d]; p.ops[p.choice].dependent(t.next) {
			n.clock.join(&p.clock)
		}
	}
	n.clock[t.id] = int32(last) + 1
	for d := last - 1; d >= 0; d-- {
		if p := &e.path[d]; !p.before(d, &c) && p.ops[p.choice].dependent(t.next) {
			c.join(&p.clock)
			e.reverse(d)
		}
	}
}

// reverse schedules an alternative to the choice at depth d. The alternative leads to the
// operation at the end of the path without the choice at depth d (a source set: Abdulla,
// Aronis, Jonsson and Sagonas, 2014).
//
//go:norace
func (e *explorer) reverse(d int) {
	p := &e.path[d]
	var seen, firsts uint8 // tasks
	for k := d + 1; k < len(e.path); k++ {
		n := &e.path[k]
		if p.before(d, &n.clock) && k < len(e.path)-1 || seen&(1<<n.choice) != 0 {
			continue
		}
		seen |= 1 << n.choice
		initial := true
		for j := d + 1; j < k; j++ {
			if m := &e.path[j]; !p.before(d, &m.clock) && m.before(j, &n.clock) {
				initial = false
			}
		}
		if initial {
			firsts |= 1 << n.choice
		}
	}
	switch {
	case firsts&p.try != 0:
	case firsts&p.enabled != 0:
		p.try |= 1 << first(firsts&p.enabled)
	default:
		p.try |= p.enabled
	}
}

// blocked schedules alternatives to every choice that may have made a task wait.
//
//go:norace
func (r *Run) blocked() {
	path := r.e.path
	for i := range r.n {
		t := r.tasks[i]
		if t.ended || t.enabled() {
			continue
		}
		for d := len(path) - 1; d >= 0; d-- {
			if p := &path[d]; !p.before(d, &t.clock) && p.ops[p.choice].dependent(t.next) {
				p.try |= p.enabled
			}
		}
	}
}

// chance returns a random task of the set (splitmix64).
//
//go:norace
func (e *explorer) chance(set uint8) uint8 {
	e.random += 0x9e3779b97f4a7c15
	z := e.random
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	for k := z % uint64(bits.OnesCount8(set)); k > 0; k-- {
		set &= set - 1
	}
	return first(set)
}
