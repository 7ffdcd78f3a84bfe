package world

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

var registered sync.Map // name → func(*World, []float64)

// Register gives a function a name by which [Commands.DoNamed] calls it, in every
// world. Such a command can be recorded and replayed, unlike a closure. The
// function's results must depend only on the world and the arguments. The function
// must accept any number of arguments with any values, because a recording from an
// unknown source may contain such calls. Register panics if the name is empty or
// already in use. Any goroutine may call Register.
func Register(name string, f func(w *World, args []float64)) {
	if name == "" || f == nil {
		panic(fmt.Sprintf("world: Register needs a name and a function: the name is %q, the function %v", name, given[f != nil]))
	}
	if _, taken := registered.LoadOrStore(name, f); taken {
		panic(fmt.Sprintf("world: Register: the name %q is in use", name))
	}
}

// given has the words by which errors say whether a function is nil.
var given = map[bool]string{false: "nil", true: "given"}

// Register gives a function a name in this world only. It is for a function of one
// game or scene. If a function of all worlds has the same name, this world uses its
// own function. Register panics if the name is empty or already in use in this world.
func (w *World) Register(name string, f func(w *World, args []float64)) {
	w.checkGoroutine()
	if name == "" || f == nil {
		panic(fmt.Sprintf("world: Register needs a name and a function: the name is %q, the function %v", name, given[f != nil]))
	}
	if _, taken := w.registered[name]; taken {
		panic(fmt.Sprintf("world: Register: the name %q is in use in this world", name))
	}
	if w.registered == nil {
		w.registered = map[string]func(*World, []float64){}
	}
	w.registered[name] = f
}

var errNoFunctionNamed = errors.New("world: it was given no function, or an empty name")

// run carries out a command that Do or DoNamed has made.
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
	f(w, slices.Clone(c.Args)) // a copy, because the command may be recorded or run again
	return nil
}

// function returns the function with the given name in this world, or nil.
func (w *World) function(name string) func(*World, []float64) {
	if f := w.registered[name]; f != nil {
		return f
	}
	f, _ := registered.Load(name)
	known, _ := f.(func(*World, []float64))
	return known
}
