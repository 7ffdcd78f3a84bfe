// Package world is a 2D physics world: bodies, shapes and joints, the commands that change them, events about what happened, and
// questions about places. Box2D simulates it; an engine steps it.
//
// # Two ways in
//
// A [World] is used where physics runs: in a scene's setup, in a [Controller], in a contact hook, in the functions of
// [Commands.Do] and [Ask]. Its methods act at once and return errors.
//
// [Commands] come from elsewhere, such as the goroutine that draws. They are carried out between two steps. A failure comes back
// as an [Event].
//
// Both refer to bodies, shapes and joints by handles ([Body], [Shape], [Joint]). A handle is never used twice: the handle of a
// destroyed body is stale, and a call with it returns an error that wraps [ErrStale].
//
// # Units
//
// Metres, kilograms, seconds and radians, in float64. (SoftStep rounds velocities to float32 in each step.) Angles count
// counter-clockwise. Bodies should measure 0.1 m to 10 m. Box2D limits the speed of a body to 2 m and a quarter turn in a step
// (120 m/s at 60 Hz). Fast dynamic bodies can pass through each other unless they are bullets.
//
// # Which goroutine
//
// A World belongs to the physics goroutine. Use it only in the functions that get it as an argument, and do not keep it after they
// return. It has no locks. Commands of an engine belong to the goroutine that draws; those of its Remote to any.
//
// # When things take effect
//
// A tick is the number of steps done. Commands come between two steps. Then, for each step: controllers, the step itself, joints
// that break, contact hooks, capture. While Box2D steps, the world is locked. The PreSolve and ShouldCollide hooks run then. In
// them, DestroyBody, DestroyShape, DestroyJoint and Later wait until the step is over, and every other change of gravity, bodies,
// shapes or joints returns [ErrStepping].
//
// The next picture lacks a body that is destroyed between two steps. A body that a contact hook destroys is shown once more, so
// that the picture shows the touch. So is a joint that breaks; contact hooks do not find it any more. Calls that PreSolve put off
// come between broken joints and contact hooks.
//
// # Questions
//
// [World.Query] finds the shapes that contain a point, overlap a box or another shape, or block a ray or a moving shape, with a
// [QueryFilter]. BodyContacts and ShapeContacts return the contacts of a body or a shape, and the shapes in a sensor. Other
// goroutines call [Ask].
//
// # Forces
//
// A force or torque of a frame acts on every step of that frame. The forces of one frame add up. If the frame runs no step, its
// forces wait for the next step, unless a later frame has forces on the same body: those replace them. A force from a controller,
// a contact hook or a command for a certain tick acts on one step. A force keeps its body awake. Impulses act at once, and once.
//
// # Going back
//
// [World.Snapshot] copies the whole state of the world to a [Snapshot], and [World.Restore] goes back to it: after that the same
// commands give the same states and callbacks, bit for bit. Controllers and hooks with a state of their own go back too if they
// are [Stateful].
//
// # Box2D underneath
//
// The world is github.com/ByteArena/box2d v1.0.2. [World.Box2D] returns it. Objects that are created, destroyed or change their
// type there are not drawn and have no handle. Leave the user data of bodies, fixtures and joints with a handle alone. A contact
// filter set there replaces the one that enforces Config.MaxContacts during a step.
//
// With SoftStep its lists of contacts are empty and its contact listener is never called: [World.Contacts] and
// [World.BodyContacts] have the contacts. Its tree contains the shapes only until the function that has called World.Box2D
// returns; for a listener in the middle of a step, until that step is over. Shapes with the same outline are one object there: do
// not change it in place.
package world
