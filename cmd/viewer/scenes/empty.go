package scenes

import "halfstep/world"

func init() {
	Register(Scene{
		Name:        "empty",
		Description: "a ground to build on: the tools are on the page Body, S saves what you make",
		Config:      config(func(b *builder) { b.static("ground", world.Box(30, .5)) }),
		View:        View{Y: 4.5, Width: 16, Height: 11},
		Category:    Games,
	})
}
