// Package box is the Box2D world as the physics loop steps it: bodies, shapes
// and joints under names that are never reused, commands, events, forces that
// last a frame, and the 32-byte states that are drawn.
//
// # Which goroutine
//
// A World belongs to the physics goroutine. Its methods may be called before
// the loop starts (a scene's setup), from a command's Do, from a Controller,
// from a contact hook, and nowhere else. None of them locks anything.
//
// # When things take effect
//
// A tick is the number of steps done. Commands come between two steps; then,
// for each step: controllers, the step itself, contact hooks, capture. While
// Box2D steps, the world is locked: the one callback that runs then is the
// PreSolve hook, in which DestroyBody, DestroyShape, DestroyJoint and Later are
// put off until the step is over and every other change returns ErrStepping.
//
// A body destroyed between two steps is gone from the next capture. One
// destroyed after a step, in a contact hook, is captured once more with its
// last state, so that the picture still shows it reach what it touched.
//
// # Forces
//
// A force or torque given in a frame acts on every step of that frame. Those
// of one frame add up. A frame that ran no step keeps its forces for the next
// step, unless a later frame gives the same body forces of its own, which
// replace them. A force given by a controller, by a contact hook or by a
// scheduled command acts on one step. A force keeps its body awake. Impulses
// act at once, and once.
//
// # Box2D underneath
//
// The world is box2d v1.0.2, in float64, metres, kilograms and seconds. Bodies
// move at most 2 m and a quarter turn a step (120 m/s at 60 Hz), and dynamic
// bodies that are not bullets can pass through each other. Box2D returns the
// world itself: whatever is created, destroyed or re-typed there, behind the
// World's back, is neither drawn nor named, and user data of named bodies,
// fixtures and joints must be left alone. A contact filter set there replaces
// the one that holds Config.MaxContacts in a step.
package world
