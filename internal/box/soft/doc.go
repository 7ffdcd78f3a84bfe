// Package soft advances a Box2D world by soft constraints in sub-steps. It is several times faster than
// the library's method, uses all workers even for a single pile of bodies, and gives the same bits on
// every machine.
//
//	s := soft.New(world, soft.Options{})
//	defer s.Close()
//	s.Step(1.0/60, 0, 0) // instead of world.Step(1.0/60, 8, 3)
//
// # The method
//
// A step is cut into sub-steps. Each sub-step has five parts. It integrates velocities. It applies
// the impulses of the last sub-step (warm start). It solves all constraints once with a soft bias
// that corrects errors of position. It integrates positions. It solves all constraints once more
// without bias (relax), which removes the velocity that the bias has added. Friction acts in the
// relax pass. Restitution follows the last sub-step. The two points of a contact are solved
// together, so a body that lands flat stays level.
//
// Contact points are found once in a step. In a sub-step their separations follow from the motion
// of the bodies. Points are kept over several steps, and turn with the two bodies, while these move
// little relative to each other. A pair with a fast body gets the points that it will have at the
// end of the step. There are three exceptions: the two bodies move together, one lands flat on a
// body that is not dynamic, or a shape is between them.
//
// The bodies are divided into regions. One worker solves a region as a whole. The contacts of a
// region have colours, and so have its joints of frequent kinds. Two contacts of one colour share
// no body, so eight are solved at once, by the AVX2 kernel if the processor supports it. The Go
// code does the same operations in the same order.
//
// After the last sub-step a body that was fast is swept along its way, and stops where it meets a shape
// of a static or kinematic body, or of a bullet. Bullets are swept against all shapes, after all other
// bodies. If two shapes have no contact, the contact filter is asked first.
//
// The ideas are Erin Catto's: "Solver2D", "Simulation Islands" and the documentation of Box2D v3.
// The page docs/soft.md compares this package with them.
//
// # What is the same as in the library
//
// Bodies, fixtures, joints, their lists, flags, locking and sleeping, and the events of contacts.
// BeginContact, EndContact and PreSolve come from the narrow phase, in the order of the contacts,
// oldest first. If shapes are apart when a step begins and push each other in it, BeginContact comes
// after the step, and PreSolve before it. PostSolve comes at the end of a step, with the sum of the
// impulses of all sub-steps.
//
// # What is different
//
//   - The library's tree is empty, and its fixtures have no proxies: shapes have numbers and a tree of
//     their own in the [box.World]. The library has a tree while other code holds its objects
//     ([box.World.Expose]).
//   - Polygons and edges have no skin: they come to rest touching.
//   - Joints yield to great forces, like springs of 60 Hz. The impulses that the library's joints keep
//     are those of a whole step.
//   - The library's list of contacts is empty, and so are those of its bodies. The contacts are the
//     [box.World]'s own, and [Listener] receives their events: the library's listener does not. If
//     other code destroys or refilters a shape by the library's methods, the next step does the
//     library's work on the contacts.
//   - A contact's friction, restitution and tangent speed are read when it begins, when one of its
//     bodies was edited or wakes, after BeginContact and after PreSolve.
//   - Times of impact, sub-stepping (M_subStepping) and the library's islands do not exist.
//   - The geometry of a shape must not be changed in place. A new fixture is noticed, and a new shape
//     of a fixture.
//   - The library's Step may not be called between two steps.
//
// # One hash everywhere
//
// Every product in a sum is rounded first, so that no compiler fuses the two. Sines, cosines, masses,
// centres and boxes are computed here, also those that the library has computed before. A test compiles
// the package for arm64 and looks for fused instructions. User code in callbacks and controllers must
// be written the same way: float64(a*b) + c instead of a*b + c, and no math.Sin.
//
// # Parts
//
// Each part of a step is a type that owns its tables. It gets the other parts that it needs once;
// values that change from step to step are parameters. None knows the [Stepper], which makes them (New)
// and calls them in order (Step).
//
//	crew           shares out work                          run.go
//	stride, rules  the present step; its callbacks          stride.go, rules.go
//	bodies, shapes, contacts, joints                        body.go, shape.go, contact.go, joint.go
//	forms          geometries, equal ones once              forms.go
//	loader         edits since the last step                load.go
//	pairs          the tree, and shapes that may meet       pairs.go, packed.go, tree.go
//	stops          which shapes stop each other             stops.go
//	narrowPhase    points of contact                        narrow.go, predict.go, manifold.go
//	regions        awake bodies, cut into regions           region.go
//	graph          contacts by region, colours, batches     graph.go
//	solver         passes over joints and contacts          solve.go, joint_solve.go, batch.go
//	sweeper        moves bodies, and stops fast ones        finish.go, sweep.go
//	islands        bodies that sleep and wake together      island.go
//	keeper         values kept for the next step            snapshot.go, hash.go
//
// # What decides the next step
//
// Besides the library's objects the following values outlive a step and change results. A [State] holds
// them, which [Stepper.Save] fills and [Stepper.Restore] restores:
//
//   - contacts: points with their impulses, kept, normal, count and flags of each
//   - poses[i].flags & poseFast, by body
//   - poses[i].x, y, q and bodies[i].a, localCenter: by body, the same as the library's, unless user
//     code has moved the body
//   - joints[i].pushed, by joint
//   - bodies[i].change, mass and inertia, by body
//   - moved: the shapes with new boxes since the narrow phase, and fatBoxes that differ from the tree's
//     boxes
//   - the numbers of shapes, because pairs are made in their order. The next number is the lowest free
//     one, so it follows from those in use. The nodes of the tree decide nothing
//   - lastH and the number of sub-steps
//
// The numbers of bodies, contacts and joints change no result. The other tables follow from the world.
//
// # What a step looks at
//
// A [box.World] lists the active bodies, contacts and joints, and the edited bodies. Sleeping bodies
// and their contacts keep their places in the tables, with points and impulses, and no step looks at
// them. If edits are not reported to the box.World ([Options].Active is nil), each step looks at
// everything.
package soft
