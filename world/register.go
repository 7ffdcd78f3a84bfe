package world

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

var registered sync.Map // name → func(*World, []float64)

// Register gives a function a name by which [Commands.DoNamed] calls it, in every
// world. Such a command can be recorded and replayed; a closure can not. The
// function must do the same whenever it is given the same world and arguments. The
// recording of somebody else may call it with any arguments, and any number of them.
// Register panics if the name is empty or taken. Any goroutine may call it.
func Register(name string, f func(w *World, args []float64)) {
	if name == "" || f == nil {
		panic(fmt.Sprintf("world: Register needs a name and a function: the name is %q, the function %v", name, given[f != nil]))
	}
	if _, taken := registered.LoadOrStore(name, f); taken {
		panic(fmt.Sprintf("world: Register: the name %q is taken", name))
	}
}

// given says in errors whether there was a function.
var given = map[bool]string{false: "nil", true: "given"}

// Register gives a function a name in this world alone, for a function that
// belongs to one game or scene. It comes before a function that all worlds know
// by that name. It panics if the name is empty or taken in this world.
func (w *World) Register(name string, f func(w *World, args []float64)) {
	w.checkGoroutine()
	if name == "" || f == nil {
		panic(fmt.Sprintf("world: Register needs a name and a function: the name is %q, the function %v", name, given[f != nil]))
	}
	if _, taken := w.registered[name]; taken {
		panic(fmt.Sprintf("world: Register: the name %q is taken in this world", name))
	}
	if w.registered == nil {
		w.registered = map[string]func(*World, []float64){}
	}
	w.registered[name] = f
}

var errNoFunctionNamed = errors.New("world: it was given no function, or an empty name")

// run carries out a command of Do or DoNamed.
func (w *World) run(c *Command) error {
	if c.Do != nil {
		c.Do(w)
		return nil
	}
	if c.Name == "" {
		return errNoFunctionNamed
	}
	f := w.function(c.Name)
	if f == nil {
		return fmt.Errorf("world: no function is registered as %q", c.Name)
	}
	f(w, slices.Clone(c.Args)) // the command may be recorded, or run again
	return nil
}

// function is what a name calls in this world, or nil.
func (w *World) function(name string) func(*World, []float64) {
	if f := w.registered[name]; f != nil {
		return f
	}
	f, _ := registered.Load(name)
	known, _ := f.(func(*World, []float64))
	return known
}
