// Package forces holds controllers for a world: a fluid and wind. Each is a struct that a
// program fills in and adds in Setup:
//
//	w.AddController(&forces.Fluid{Level: 2, Density: 1, Drag: 1.5})
//
// The controllers apply forces, and let bodies fall asleep. They read the true outlines of
// circles and polygons in each step, and allocate nothing after the first steps. They
// leave out sensors, and edges and chains, which have no area. A program may change the
// fields of a controller between steps, on the physics goroutine. An explosion is not a
// controller: see [world.World.Explode].
package forces
