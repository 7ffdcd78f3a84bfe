//go:build interleave

package interleave

import (
	"fmt"
	"math/bits"
	"runtime"
	"runtime/debug"
	"strings"
)

const (
	maxTasks = 4
	maxSteps = 4000 // a run with more operations does not end
)

type kind uint8

const (
	begin kind = iota // of a task: no operation yet
	load
	store // or swap, send, receive: whatever can change what others see
)

// op is what a task will do next.
type op struct {
	word uintptr
	kind kind
}

// dependent reports whether the order of two operations can matter.
//
//go:norace
func (a op) dependent(b op) bool {
	return a.word == b.word && (a.kind == store || b.kind == store)
}

// clock says, for each task, how many steps of the run come before.
type clock [maxTasks]int32

//go:norace
func (c *clock) join(d *clock) {
	for i := range c {
		c[i] = max(c[i], d[i])
	}
}

type task struct {
	id    uint8
	name  string
	next  op
	on    <-chan struct{} // what next receives from, or nil
	wake  chan struct{}
	where string // the line of next, where a trace is wanted
	ended bool
	clock clock
}

//go:norace
func (t *task) enabled() bool {
	if t.on == nil || len(t.on) > 0 {
		return true
	}
	if cap(t.on) > 0 {
		return false
	}
	select { // nobody sends without a buffer, so this takes nothing
	case <-t.on:
		return true // closed
	default:
		return false
	}
}

// node is one choice of a schedule. Sets of tasks are bits.
type node struct {
	choice  uint8
	enabled uint8
	try     uint8 // to be chosen here, sooner or later
	asleep  uint8 // choosing these would repeat what was explored
	ops     [maxTasks]op
	clock   clock // of the operation chosen
}

// explorer walks the tree of schedules depth first. Each run follows path, and
// extends it.
type explorer struct {
	scenario func(*Run)
	path     []node
	reduce   bool
	random   uint64 // state of a generator that chooses, if it is not 0
	tracing  bool

	runs, repeated, longest int
}

// newExplorer makes the longest path at once: growing a slice is an access that
// the race detector sees, whoever does it.
func newExplorer(scenario func(*Run)) *explorer {
	return &explorer{scenario: scenario, path: make([]node, 0, maxSteps), reduce: true}
}

// current is the run in progress, or nil.
var current *Run

//go:norace
func setCurrent(r *Run) { current = r }

func (e *explorer) run() *Run {
	r := &Run{e: e, over: make(chan bool, 1)}
	if e.tracing {
		r.trace = make([]line, 0, maxSteps+maxTasks)
	}
	setCurrent(r)
	r.spawn("main", func() { e.scenario(r) })
	hide()
	r.give(r.choose())
	ended := <-r.over
	show()
	setCurrent(nil)
	if ended {
		r.alive.Wait() // for the race detector: all tasks come before what follows
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

// backtrack drops what was explored from the end of the path, and reports
// whether there is something left.
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

func (r *Run) spawn(name string, f func()) {
	t := r.add(name)
	r.alive.Add(1)
	go func() {
		hide()
		<-t.wake
		show()
		defer r.leave(t)
		defer r.alive.Done()
		defer func() {
			if v := recover(); v != nil {
				r.Errorf("%s: panic: %v\n%s", t.name, v, debug.Stack())
			}
		}()
		f()
	}()
}

//go:norace
func (r *Run) add(name string) *task {
	if r.n == maxTasks {
		panic("interleave: too many tasks")
	}
	t := &task{id: uint8(r.n), name: name, wake: make(chan struct{}, 1)}
	if r.now != nil {
		t.clock = r.now.clock
	}
	r.tasks[r.n] = t
	r.n++
	return t
}

//go:norace
func (r *Run) leave(t *task) {
	t.ended = true
	hide()
	r.give(r.choose())
	show()
}

// point stops the task that runs before its next operation, until it is chosen.
//
//go:norace
func point(o op, on <-chan struct{}) {
	r := current
	if r == nil {
		return
	}
	t := r.now
	t.next, t.on = o, on
	if r.e.tracing {
		t.where = caller()
	}
	hide()
	if next := r.choose(); next != t {
		r.give(next)
		<-t.wake
	}
	show()
}

// give lets a task run; with none the run is over.
//
//go:norace
func (r *Run) give(t *task) {
	if t != nil {
		r.now = t
		t.wake <- struct{}{}
		return
	}
	ended := true
	for i := range r.n {
		if t := r.tasks[i]; !t.ended {
			ended = false
			r.wrong("all that are left wait for ever")
			r.note(t, "waits")
		}
	}
	r.over <- ended
}

// choose returns the task that is to go on, or nil if there is none.
//
//go:norace
func (r *Run) choose() *task {
	var enabled uint8
	for i := range r.n {
		t := r.tasks[i]
		if t.ended {
			continue
		}
		if t.next.kind == begin {
			return t // as far as its first operation, which nobody can notice
		}
		if t.enabled() {
			enabled |= 1 << i
		}
	}
	if enabled == 0 {
		r.blocked()
		return nil
	}
	if r.steps == maxSteps {
		r.wrong("no end")
		return nil
	}
	e := r.e
	if r.steps == len(e.path) && !r.aside {
		r.extend(enabled)
	}
	choice := r.prefer(enabled)
	if r.steps < len(e.path) {
		n := &e.path[r.steps]
		if n.enabled != enabled {
			r.wrong("the scenario depends on more than the schedule")
			return nil
		}
		choice = n.choice
		for i := range r.n {
			n.ops[i] = r.tasks[i].next // the words may lie elsewhere in this run
		}
		if r.steps == len(e.path)-1 && e.random == 0 {
			e.order(r.tasks[choice])
		}
		r.tasks[choice].clock = n.clock
	}
	r.steps++
	t := r.tasks[choice]
	r.note(t, "")
	return t
}

// prefer chooses the task that ran last, if it can go on.
//
//go:norace
func (r *Run) prefer(set uint8) uint8 {
	if set&(1<<r.now.id) != 0 {
		return r.now.id
	}
	return first(set)
}

// extend adds a choice to the path: by chance, or by dynamic partial order
// reduction.
//
//go:norace
func (r *Run) extend(enabled uint8) {
	e := r.e
	n := node{enabled: enabled}
	for i := range r.n {
		n.ops[i] = r.tasks[i].next
	}
	if e.random != 0 {
		n.choice = e.chance(enabled)
		e.path = append(e.path, n)
		return
	}
	if !e.reduce {
		n.try = enabled
		n.choice = first(enabled)
		e.path = append(e.path, n)
		return
	}
	if d := len(e.path); d > 0 {
		// What was tried before the last choice, and does not depend on it, would
		// lead where it led then.
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

// before reports whether the operation chosen at depth d comes before one with
// the given clock.
//
//go:norace
func (n *node) before(d int, c *clock) bool { return c[n.choice] > int32(d) }

// order finds what comes before the operation chosen at the end of the path.
// Each earlier one that it depends on, and that is before it for no other
// reason, could as well have come after it: that is tried too.
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

// reverse has something tried in place of the choice at depth d that leads to
// the end of the path without it (a source set: Abdulla, Aronis, Jonsson and
// Sagonas, 2014).
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

// blocked has everything tried in place of what may have kept a task waiting.
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

// chance is one of the set (splitmix64).
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

// caller is the line whose operation comes next, and its function.
func caller() string {
	var pc [12]uintptr
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc[:])])
	for {
		f, more := frames.Next()
		file := f.File[strings.LastIndexByte(f.File, '/')+1:]
		if !more || !strings.Contains(f.Function, "internal/interleave.") && !strings.Contains(f.Function, "internal/atomic.") && file != "bell.go" {
			return fmt.Sprintf("%s:%d %s", file, f.Line, f.Function[strings.LastIndexByte(f.Function, '/')+1:])
		}
	}
}
