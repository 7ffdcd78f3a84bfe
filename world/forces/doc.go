// Package forces holds controllers for a world: a fluid and wind. Each is a struct that a
// program fills in and adds in Setup:
//
//	w.AddController(&forces.Fluid{Level: 2, Density: 1, Drag: 1.5})
//
// They apply forces, and let bodies fall asleep. They read the true outlines of circles
// and polygons in each step, and allocate nothing once warm. Edges and chains have no area
// and are left out, and so are sensors. Their fields may be changed between steps, by
// functions that run on the physics goroutine. An explosion is not a controller: see
// [world.World.Explode].
package forces
