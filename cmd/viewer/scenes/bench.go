package scenes

import (
	"halfstep/engine"
	"halfstep/internal/benchscene"
	"halfstep/internal/benchworld"
	"halfstep/world"
)

// bench is a scene of the step benchmark, with its numbers.
func bench(name, description string, view View) Scene {
	return Scene{
		Name: name, Description: description, View: view,
		Config: func() engine.Config {
			return engine.Config{
				World: benchworld.Config(),
				Setup: func(w *world.World) error {
					s, err := benchscene.Build(name)
					if err != nil {
						return err
					}
					return benchworld.AddTo(w, s)
				},
			}
		},
	}
}
