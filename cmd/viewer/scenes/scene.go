// Package scenes has the viewer's built-in scenes. Each scene registers itself in the init function of its file. To add a scene,
// add a file: copy drift.go and change the copy. The scenes of the step benchmark share the file bench.go.
//
// A scene uses only the public API, as a program that uses the engine does. The step benchmark shares its scenes through an
// internal package. A scene depends on the ticks alone, and not on the wall clock or on a shared random number generator, so that
// all runs are bit-identical.
package scenes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"halfstep/engine"
)

// Scene is a scene that -scene opens by its name.
type Scene struct {
	Name        string // Name is the name for -scene, in lower-case letters and digits.
	Description string // Description is one line without a tab or a full stop.

	// Config returns a new configuration at each call. The Setup of the configuration builds all
	// bodies, joints and controllers, and the state of the controllers.
	Config func() engine.Config

	View   View
	Track  string // Track is the name of the body that is logged by default. If it is "", the first dynamic body is logged.
	Follow string // Follow is the name of the body that the camera follows, or "".
	Labels []Label
	Driven bool // Driven says that the arrow keys drive the scene, with DriveCommand.

	Category Category // Category is the group of the scene in the viewer's list.
	Params   []Param  // Params can be changed while the scene runs (see builder.param).
}

// Label is a text over the world.
type Label struct {
	X, Y float64 // X and Y are the middle of the view in m.
	Text string
}

// View is the shown part of the world. The viewer fits this part into its window.
type View struct {
	X, Y   float64 // centre, m
	Width  float64 // Width is in m. The value 0 means four thirds of Height.
	Height float64 // Height is in m. The value 0 shows all bodies.
	// Paged makes the view stand still until the body with the name Follow has left the view. The view
	// then moves by its width. The body is thus seen to move.
	Paged bool
}

var registered = map[string]Scene{}

// Register adds a scene. Only init functions should call it. It panics if the name is not valid or
// is already used.
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

// All returns all scenes, sorted by name.
func All() []Scene {
	return slices.SortedFunc(maps.Values(registered), func(a, b Scene) int { return strings.Compare(a.Name, b.Name) })
}

// Lookup returns the scene of that name. The second result reports whether there is such a scene.
func Lookup(name string) (Scene, bool) {
	s, ok := registered[name]
	return s, ok
}
