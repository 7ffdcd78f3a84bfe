package scenes

import "halfstep/world"

func init() {
	Register(Scene{
		Name:        "tower",
		Description: "40 boxes on each other: they stand; with the fast stepper the tower buckles and falls",
		Config:      sturdy(boxTower),
		View:        View{Y: 19.8, Width: 26, Height: 43},
		Track:       "top",
		Category:    Stacks,
	})
}

func boxTower(b *builder) {
	const storeys = 40
	b.static("ground", rough(boxAt(0, -.5, 20, .5, 0), .6))
	for i := range storeys {
		name := "box"
		if i == storeys-1 {
			name = "top"
		}
		b.dynamic(name, vec{Y: .5 + float64(i)}, rough(dense(world.Box(.5, .5), 1), .6))
	}
}
