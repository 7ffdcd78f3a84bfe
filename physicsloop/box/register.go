package box

import (
	"fmt"
	"sync"
)

var registered sync.Map // name → func(*World, []float64)

// Register names a function so that commands can ask for it by that name: such
// a command can be recorded and replayed, which a closure can not. The function
// must do the same whenever it is given the same world and arguments. It panics
// if the name is empty or taken.
func Register(name string, f func(w *World, args []float64)) {
	if name == "" || f == nil {
		panic("box: Register of nothing")
	}
	if _, taken := registered.LoadOrStore(name, f); taken {
		panic(fmt.Sprintf("box: Register: the name %q is taken", name))
	}
}

// run carries out OpDo.
func (w *World) run(c *Command) error {
	if c.Do != nil {
		c.Do(w)
		return nil
	}
	f, ok := registered.Load(c.Name)
	if !ok {
		return fmt.Errorf("box: no function is registered as %q", c.Name)
	}
	f.(func(*World, []float64))(w, c.Args)
	return nil
}
