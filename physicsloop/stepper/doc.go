// Package stepper advances a Box2D world with the bits of the library's own
// Step, several times faster and on more than one core.
//
//	s := stepper.New(world, stepper.Options{})
//	defer s.Close()
//	s.Step(1.0/60, 8, 3) // instead of world.Step(1.0/60, 8, 3)
//
// # What stays the same
//
// Everything that can be seen: the bits of every body, contact, joint and tree
// node, the callbacks with their arguments and their order, flags, locking,
// sleeping, the clearing of forces, sub-stepping, the asserts that panic. The
// number of workers and the chance of their timing change nothing. The world
// remains an ordinary one between steps, and both Steps may be used in turn.
//
// Not kept are scratch values that only the library's solver reads (island
// indices of bodies, a joint's effective mass), the profile's times inside the
// solver (SolveInit, SolveVelocity and SolvePosition are 0), the counters
// B2_toi… and b2_gjk…, the payloads of NaNs, and which bodies become NaN when a
// friction, restitution or tangent speed is not finite. Contact types
// registered with box2d.AddType are not created here; a world that holds one is
// stepped by the library.
//
// # What it relies on
//
// A body's rotation is that of its angle, M_xf.Q = rot(M_sweep.A). Everything
// in the library's API keeps it so; programs that write to these fields
// themselves must too.
//
// # Several worlds
//
// The package reads no variable that anything writes, so worlds with a Stepper
// each can be stepped on different goroutines at once. (The library's own Step
// counts its distance queries in package variables, which is a data race
// between two worlds.)
//
// # PostSolve
//
// With a contact listener islands are solved one by one, because PostSolve may
// change the world between two of them. A listener that promises not to
// ([ReadOnlyPostSolver], [Options.ReadOnlyPostSolve]) lets them be solved at
// once, as without a listener. The narrow phase uses all workers in either
// case.
//
// The algorithm is that of Box2D 2.3 by Erin Catto (zlib licence), in the
// arithmetic of its Go port github.com/ByteArena/box2d; docs/stepper.md says
// what is done differently, why the bits are the same, and what it brings.
package stepper
