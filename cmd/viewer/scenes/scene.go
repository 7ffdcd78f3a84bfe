// Package scenes holds the viewer's built-in scenes. Each is a file of its own
// that registers itself: to add one, copy a file and change it.
//
// A scene uses nothing but the engine's public face, as an embedder would. What
// happens in it depends on the ticks alone, never on the wall clock or on a
// shared source of random numbers, so that two runs are the same bit for bit.
package scenes

import (
	"fmt"
	"sort"
	"strings"

	"halfstep/engine"
)

// Scene is a world that can be opened by name.
type Scene struct {
	Name        string // as in -scene: lower-case letters and digits
	Description string // one line, without a tab or a full stop

	// Config makes the world from scratch at each call: gravity, iterations
	// and a Setup that builds everything, controllers with their state too.
	Config func() engine.Config

	View  View
	Track string // the body to log by default; "" is the first dynamic one
}

// View is where the camera starts.
type View struct {
	X, Y   float64 // centre, m
	Height float64 // visible height, m; 0 means as much as shows all bodies
}

var registered = map[string]Scene{}

// Register adds a scene. It is for init functions and panics on a scene that
// can not be named in a flag or exists already.
func Register(s Scene) {
	if err := s.check(); err != nil {
		panic(err)
	}
	registered[s.Name] = s
}

func (s *Scene) check() error {
	ok := func(c rune) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
	switch _, taken := registered[s.Name]; {
	case s.Name == "" || strings.ContainsFunc(s.Name, func(c rune) bool { return !ok(c) }):
		return fmt.Errorf("scenes: name %q is not lower-case letters and digits", s.Name)
	case taken:
		return fmt.Errorf("scenes: two scenes are named %q", s.Name)
	case s.Description == "" || strings.ContainsAny(s.Description, "\t\r\n"):
		return fmt.Errorf("scenes: the description of %q is not one line", s.Name)
	case s.Config == nil:
		return fmt.Errorf("scenes: %q has no Config", s.Name)
	case !(s.View.Height >= 0):
		return fmt.Errorf("scenes: %q shows a height of %v", s.Name, s.View.Height)
	}
	return nil
}

// All returns the scenes, sorted by name.
func All() []Scene {
	all := make([]Scene, 0, len(registered))
	for _, s := range registered {
		all = append(all, s)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

// Lookup returns the scene of that name and false if there is none.
func Lookup(name string) (Scene, bool) {
	s, ok := registered[name]
	return s, ok
}
