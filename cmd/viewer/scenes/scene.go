// Package scenes holds the viewer's built-in scenes. Each registers itself in the init function of its file. To add a scene, add a
// file: copy drift.go and change it. The scenes of the step benchmark share bench.go.
//
// A scene uses only the public API, as an embedder does. The step benchmark shares its scenes through an internal package. A scene
// depends on the ticks alone, not on the wall clock or on a shared random number generator, so that all runs are bit-identical.
package scenes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"halfstep/engine"
)

// Scene is a scene that -scene opens by name.
type Scene struct {
	Name        string // as in -scene: lower-case letters and digits
	Description string // one line, without a tab or a full stop

	// Config returns a new configuration at each call. Its Setup builds all
	// bodies, joints and controllers, and the controllers' state.
	Config func() engine.Config

	View   View
	Track  string // name of the body to log by default; "" is the first dynamic one
	Follow string // name of the body that the camera follows; "" is none
	Labels []Label
	Driven bool // the arrow keys drive it, with DriveCommand

	Category Category // in the viewer's list
	Params   []Param  // can be changed while the scene runs; see builder.param
}

// Label is a text over the world.
type Label struct {
	X, Y float64 // its middle, m
	Text string
}

// View is the shown part of the world. The viewer fits it into its window.
type View struct {
	X, Y   float64 // centre, m
	Width  float64 // m; 0 is four thirds of Height
	Height float64 // m; 0 shows all bodies
	// Paged makes the view stand still until the body of Follow has left it, and then move by its
	// width, so that the body is seen to move.
	Paged bool
}

var registered = map[string]Scene{}

// Register adds a scene. It is for init functions. It panics if the name is not
// valid or is in use.
func Register(s Scene) {
	if err := s.check(); err != nil {
		panic(err)
	}
	for i := range s.Params {
		s.Params[i].command = s.Params[i].Command()
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
	case !(s.View.Height >= 0 && s.View.Width >= 0):
		return fmt.Errorf("scenes: %q shows %v by %v m", s.Name, s.View.Width, s.View.Height)
	}
	for i := range s.Params {
		if err := s.Params[i].check(); err != nil {
			return fmt.Errorf("scenes: %q: %w", s.Name, err)
		}
	}
	return nil
}

// All returns the scenes, sorted by name.
func All() []Scene {
	return slices.SortedFunc(maps.Values(registered), func(a, b Scene) int { return strings.Compare(a.Name, b.Name) })
}

// Lookup returns the scene of that name, and whether there is one.
func Lookup(name string) (Scene, bool) {
	s, ok := registered[name]
	return s, ok
}
