//go:build interleave

package interleave

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

const (
	maxTasks = 4
	maxSteps = 4000 // maxSteps is the number of operations from which on a run counts as endless.
)

type kind uint8

const (
	begin kind = iota // begin means that the task has no operation yet.
	load
	store // store is any operation that other tasks may notice: a store, swap, send or receive.
)

// op is the next operation of a task.
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

// task is a goroutine of the scenario. It is stopped before its next operation.
type task struct {
	id    uint8
	name  string
	next  op
	on    <-chan struct{} // on is the channel from which the operation next receives, or nil.
	wake  chan struct{}   // lets it go on
	where string          // where is the line of the operation next, for a trace.
	ended bool
	clock clock // clock says which operations happen before next.
}

// enabled reports whether the next operation can run without waiting.
//
//go:norace
func (t *task) enabled() bool {
	if t.on == nil || len(t.on) > 0 {
		return true
	}
	select { // the channel is empty, and no other task runs, so this receives nothing
	case <-t.on:
		return true // closed
	default:
		return false
	}
}

var current *Run // current is the run in progress. It is nil between runs, when no task is stopped.

//go:norace
func setCurrent(r *Run) { current = r }

// Go runs f as another task.
func (r *Run) Go(name string, f func()) {
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
	r.resume(r.choose())
	show()
}

// point stops the running task before its next operation, until the scheduler chooses
// the task. The parameter on is the channel from which the operation receives, or nil.
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
		r.resume(next)
		<-t.wake
	}
	show()
}

// resume lets a task run. A nil task ends the run.
//
//go:norace
func (r *Run) resume(t *task) {
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

// choose returns the task that runs next, or nil if there is none.
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
			return t // the task runs up to its first operation, which no other task can notice
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
			n.ops[i] = r.tasks[i].next // the words may have other addresses in this run
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

// prefer returns the task that ran last if it can continue.
//
//go:norace
func (r *Run) prefer(set uint8) uint8 {
	if set&(1<<r.now.id) != 0 {
		return r.now.id
	}
	return first(set)
}

// caller returns the line of the next operation, and the name of its function.
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
