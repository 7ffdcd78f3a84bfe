package scenes

import (
	"fmt"
	"math"
	"strings"

	"halfstep/internal/quantise"
	"halfstep/world"
)

// Param is a quantity of a scene that the user can change while the scene runs. The
// change is a command, so a recording contains it.
type Param struct {
	Name     string  // Name is in lower-case words, such as "shot speed".
	Unit     string  // "" is none
	Min, Max float64 // Min and Max are in Unit.
	Default  float64 // the first value
	Step     float64 // between the possible values

	command string // see Command
}

// Command is the name of the function that sets the parameter. The scene's world
// registers the function under this name. Its argument is the value.
func (p *Param) Command() string {
	if p.command == "" {
		return "set " + p.Name
	}
	return p.command // made once, by Register
}

// Fix returns the nearest value that the parameter can have.
func (p *Param) Fix(x float64) float64 {
	if math.IsNaN(x) {
		return p.Default
	}
	return quantise.Within(x, p.Min, p.Max, p.Step)
}

func (p *Param) check() error {
	ok := func(c rune) bool { return c >= 'a' && c <= 'z' || c == ' ' }
	switch {
	case p.Name == "" || strings.ContainsFunc(p.Name, func(c rune) bool { return !ok(c) }):
		return fmt.Errorf("the parameter %q is not named in lower-case words", p.Name)
	case !(p.Min < p.Max) || !(p.Step > 0) || math.IsInf(p.Max-p.Min, 0):
		return fmt.Errorf("the parameter %q has no range", p.Name)
	case p.Fix(p.Default) != p.Default:
		return fmt.Errorf("the parameter %q can not have its default %v", p.Name, p.Default)
	}
	return nil
}

// param makes a parameter of the scene changeable, and returns a pointer to its value.
// If changed is not nil, it is called after each change with the new value.
func (b *builder) param(p Param, changed func(w *world.World, x float64)) *float64 {
	x := p.Default
	b.w.Keep(&x)
	b.w.Register(p.Command(), func(w *world.World, args []float64) {
		if len(args) != 1 {
			return
		}
		x = p.Fix(args[0])
		if changed != nil {
			changed(w, x)
		}
	})
	return &x
}

// frictionOfAll makes a parameter of the friction of all dynamic bodies.
func (b *builder) frictionOfAll(p Param) {
	b.param(p, func(w *world.World, mu float64) {
		for n := range w.Bodies() {
			if i, err := w.Body(n); err != nil || i.Kind != world.Dynamic {
				continue
			}
			shapes, _ := w.Shapes(n)
			for _, s := range shapes {
				w.SetFriction(s, mu)
			}
		}
	})
}
