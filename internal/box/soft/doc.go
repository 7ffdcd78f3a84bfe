// Package soft advances a Box2D world by soft constraints in sub-steps. It is
// several times faster than the library's method, uses all workers in one pile,
// and has the same bits on every machine.
//
//	s := soft.New(world, soft.Options{})
//	defer s.Close()
//	s.Step(1.0/60, 0, 0) // instead of world.Step(1.0/60, 8, 3)
//
// # The method
//
// A step is cut into sub-steps. Each integrates velocities, applies the impulses
// of the last sub-step (warm start), solves all constraints once with a soft bias
// that takes out errors of position, integrates positions, and solves once more
// without bias (relax), which takes out the velocity that the bias has brought.
// Friction acts while relaxing. Restitution follows the last sub-step. The two points
// of a contact are solved together, so a fall that is even on both sides stays so.
// Contact points are found once in a step; in a sub-step their separations follow from
// how far the bodies have moved. Points are kept over several steps while two
// bodies move little against each other, and turn with them. Two bodies of which one is fast
// get the points that they will have at the end of the step, unless they move together, one
// lands flat on a body that is not dynamic, or something is between them.
//
// The bodies are cut into regions, which workers take as a whole. The contacts of
// a region have colours, and so have its joints of the kinds that worlds have many of: those of one
// colour share no body, so eight of them are solved at once, by the AVX2 kernel where there is one.
// The plain code does the same operations in the same order.
//
// After the last sub-step a body that was fast is swept along its way, and
// stopped where it meets a shape of a static or kinematic body, or of a bullet. Bullets are swept
// against all shapes, after all other bodies. The contact filter is asked first, where two
// shapes have no contact.
//
// The ideas are Erin Catto's: "Solver2D", "Simulation Islands" and the
// documentation of Box2D v3. docs/soft.md tells how it compares.
//
// # What is the same as in the library
//
// Bodies, fixtures, joints, their lists, flags, locking and sleeping, and what a
// listener is told of contacts. BeginContact, EndContact and PreSolve come from the narrow
// phase, in the order of the contacts, oldest first. Where shapes are apart when a step
// begins and push each other in it, BeginContact comes after the step, and PreSolve comes
// before it. PostSolve comes at the end of
// a step, with the sum of the impulses of all sub-steps.
//
// # What is different
//
//   - The library's tree is empty, and its fixtures have no proxies: shapes have numbers and a tree
//     of their own in the [box.World]. The library has a tree while others hold its objects
//     ([box.World.Expose]).
//   - Polygons and edges have no skin: they come to rest touching.
//   - Joints give way to great forces, as springs of 60 Hz. The impulses that the library's
//     joints keep are those of a whole step.
//   - The library's list of contacts is empty, and so are those of its bodies. The
//     contacts are the [box.World]'s own, and [Listener] is told of them: the library's
//     listener is not. What the library itself does to contacts, when somebody destroys or
//     refilters a shape with its methods, is done by the next step.
//   - A contact's friction, restitution and tangent speed are read when it
//     begins, when one of its bodies was edited or wakes, after BeginContact and
//     after PreSolve.
//   - Times of impact, sub-stepping (M_subStepping) and the library's islands do
//     not exist.
//   - The geometry of a shape must not be changed in place. A new fixture is
//     noticed, and a new shape of a fixture.
//   - The library's Step may not be called in between.
//
// # One hash everywhere
//
// Every product that is added to something is rounded first, so that no compiler
// fuses the two; sines and cosines are computed here; so are masses, centres and
// boxes, also those that the library has computed before. A test compiles the
// package for arm64 and looks for fused instructions. What user code computes in
// callbacks and controllers must be written the same way: float64(a*b) + c instead
// of a*b + c, and no math.Sin.
//
// # Rooms
//
// Each part of a step is a type that owns its tables. It is given once which other parts it
// needs, and what changes from step to step is a parameter. None knows the [Stepper], which
// makes them (New) and calls them in order (Step).
//
//	crew           shares out work                          run.go
//	stride, rules  the step at hand; whom it asks           stride.go, rules.go
//	bodies, shapes, contacts, joints                        body.go, shape.go, contact.go, joint.go
//	forms          geometries, equal ones once              forms.go
//	loader         what others have changed                 load.go
//	pairs          the tree, and shapes that may meet       pairs.go, packed.go, tree.go
//	stops          which shapes stop each other             stops.go
//	narrowPhase    where shapes touch                       narrow.go, predict.go, manifold.go
//	regions        what is awake, cut into regions          region.go
//	graph          contacts by region, colours, batches     graph.go
//	solver         passes over joints and contacts          solve.go, joint_solve.go, batch.go
//	sweeper        moves bodies, and stops fast ones        finish.go, sweep.go
//	islands        what falls asleep and wakes together     island.go
//	keeper         what is kept for the next step           snapshot.go, hash.go
//
// # What decides the next step
//
// Besides the library's objects the following outlives a step and changes results. A [State]
// holds it, which [Stepper.Save] takes and [Stepper.Restore] puts back:
//
//   - contacts: points with their impulses, kept, normal, count and flags of each
//   - poses[i].flags & poseFast, by body
//   - poses[i].x, y, q and bodies[i].a, localCenter: by body, the same as the
//     library's, unless user code has moved the body
//   - joints[i].pushed, by joint
//   - bodies[i].change, mass and inertia, by body
//   - moved: the shapes that have new boxes since the narrow phase, and fatBoxes where a
//     box is not the tree's
//   - the numbers of shapes, because pairs are made in their order. The next number is the lowest that
//     is free, so it follows from those in use. The nodes of the tree decide nothing
//   - lastH and the number of sub-steps
//
// The numbers of bodies, contacts and joints change no result. The other tables follow from
// the world.
//
// # What a step looks at
//
// A [box.World] says which bodies, contacts and joints are active, and which bodies
// were edited. Sleeping bodies and their contacts keep their places in the tables, with points
// and impulses, and no step looks at them. If nobody tells the box.World of edits
// ([Options].Active is nil), each step looks at everything.
package soft
