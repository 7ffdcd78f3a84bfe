// Package fast advances a Box2D world with the same bits as the library's own
// Step, several times faster and on more than one core.
//
//	s := fast.New(world, fast.Options{})
//	defer s.Close()
//	s.Step(1.0/60, 8, 3) // instead of world.Step(1.0/60, 8, 3)
//
// # What stays the same
//
// All observable results stay the same: the bits of every body, contact, joint
// and tree node, the callbacks with their arguments and their order, flags,
// locking, sleeping, the clearing of forces, sub-stepping, and the asserts that
// panic. Neither the number of workers nor their timing changes a result.
// Between steps the world is an ordinary one, and its own Step may be called.
//
// Some results may differ from the library's:
//
//   - scratch values that only the library's solver reads, such as the island
//     indices of bodies and the effective mass of a joint
//   - the times inside the solver in the world's profile (SolveInit,
//     SolveVelocity and SolvePosition are 0)
//   - the library's counters B2_toi… and b2_gjk…
//   - the payloads of NaNs
//   - which bodies become NaN if a friction, restitution or tangent speed is not
//     finite
//
// Package fast does not create contacts of types that were registered with
// box2d.AddType. If a world has a contact of such a type, the library steps the
// world.
//
// # What the package relies on
//
// M_xf.Q of a body must be the rotation of its angle M_sweep.A. The library's
// API ensures that. Programs that write to these fields must ensure it, too.
//
// # Several worlds
//
// The package has no variable that is written after the program has started. So
// worlds with separate Steppers can be stepped on different goroutines at once.
// The library's own Step counts distance queries in package variables, which is
// a data race between two worlds.
//
// # PostSolve
//
// With a contact listener, islands are solved one after the other, because
// PostSolve may change the world between two islands. If the listener promises
// not to change the world ([ReadOnlyPostSolver]), islands are solved in
// parallel, as without a listener. The narrow phase uses all workers in either
// case.
//
// The algorithm is that of Box2D 2.3 by Erin Catto (zlib licence), in the
// arithmetic of its Go port github.com/ByteArena/box2d. The code uses Box2D's
// names for the same things. docs/stepper.md explains the differences, why the
// bits are the same, and how fast the package is.
package fast
