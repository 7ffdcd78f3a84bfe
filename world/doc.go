// Package world is a 2D physics world: bodies, shapes and joints, the commands
// that change them, the events that tell what happened, and questions about
// what is where. Box2D simulates it; an engine steps it.
//
// # Two ways in
//
// A [World] is used where physics runs: in a scene's setup, in a [Controller],
// in a contact hook, in functions given to [Commands.Do] and [Ask]. Its methods
// act at once and return errors.
//
// [Commands] are given from elsewhere, such as the goroutine that draws. They
// are carried out between two steps. What goes wrong there comes back as an
// [Event].
//
// Both refer to bodies, shapes and joints by handles ([Body], [Shape],
// [Joint]). A handle is never used twice: one whose body is gone is stale, and
// a call with it returns an error that wraps [ErrStale].
//
// # Units
//
// Metres, kilograms, seconds and radians, in float64. (SoftStep rounds
// velocities to float32 in each step.) Angles count counter-clockwise. Bodies should measure 0.1 m to 10 m. Box2D limits the speed
// of a body to 2 m and a quarter turn in a step (120 m/s at 60 Hz). Fast dynamic
// bodies can pass through each other unless they are bullets.
//
// # Which goroutine
//
// A World belongs to the physics goroutine. Use it only in the functions that
// are given it, and never keep it beyond them. It has no locks. Commands of an
// engine belong to the goroutine that draws; those of its Remote may be given
// from any.
//
// # When things take effect
//
// A tick is the number of steps done. Commands come between two steps. Then,
// for each step: controllers, the step itself, joints that break, contact hooks,
// capture. While Box2D steps, the world is locked. The callbacks that run then
// are the PreSolve hook and the ShouldCollide hook. In them, DestroyBody,
// DestroyShape, DestroyJoint and Later wait until the step is over, and every other
// change of gravity, bodies, shapes or joints returns [ErrStepping].
//
// A body that is destroyed between two steps is gone from the next picture. One
// that is destroyed in a contact hook is shown once more, so that the picture
// still shows it reach what it touched. So is a joint that breaks. Contact hooks
// find it gone; what PreSolve put off comes between the two.
//
// # Questions
//
// [World.Query] asks which shapes contain a point, overlap a box or another shape,
// or are in the way of a ray or of a shape that moves, with a [QueryFilter].
// BodyContacts and ShapeContacts tell what touches a body, a shape or is in a sensor. From outside
// the physics goroutine, [Ask] puts any question.
//
// # Forces
//
// A force or torque given with a frame acts on every step of that frame. The
// forces of one frame add up. If the frame runs no step, its forces wait for
// the next step, unless a later frame gives the same body forces of its own:
// those replace them. A force given by a controller, a contact hook or a
// command for a certain tick acts on one step. A force keeps its body awake.
// Impulses act at once, and once.
//
// # Going back
//
// [World.Snapshot] takes the whole state of the world into a [Snapshot], and
// [World.Restore] goes back to it: after that the same commands give the same
// states and callbacks, bit for bit. What controllers and hooks remember by
// themselves goes back too where they are [Stateful].
//
// # Box2D underneath
//
// The world is github.com/ByteArena/box2d v1.0.2. [World.Box2D] returns it. What
// is created, destroyed or given another type there is neither drawn nor has a
// handle. Leave the user data of bodies, fixtures and joints with a handle
// alone. A contact filter set there replaces the one that enforces
// Config.MaxContacts during a step.
//
// With SoftStep its lists of contacts are empty and its contact listener is told
// nothing: [World.Contacts] and [World.BodyContacts] have the contacts. Its tree has the shapes
// only until the function that has asked for Box2D's objects ends; a listener that asks in the
// middle of a step has it until that step is over. Shapes with the same outline are one object there:
// do not change it in place.
package world
