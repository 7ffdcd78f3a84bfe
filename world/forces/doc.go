// Package forces holds controllers for a world: a fluid that bodies float in, and
// wind. Each is a struct to fill in and to add in Setup:
//
//	w.AddController(&forces.Fluid{Level: 2, Density: 1, Drag: 1.5})
//
// They act as forces, and let bodies fall asleep. They work from the true outlines of
// circles and polygons, each step anew, and allocate nothing once warm. Edges and chains
// have no inside and are left out, and so are sensors. Their fields may be changed between
// steps, by functions that run on the physics goroutine. An explosion is not a controller:
// see [world.World.Explode].
package forces
