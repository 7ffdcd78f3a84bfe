// Package physicsloop runs a simulation on a goroutine of its own. The loop takes the frames that
// the render side posts, applies the commands of each frame, does the demanded steps, and publishes
// each state together with the events of its step.
//
// The loop runs anything that implements Simulation; world.Simulation is the Box2D world. The loop
// has no clock: the render side decides how many steps are due.
//
// If the simulation is a Predictor, the loop also predicts the ticks up to Frame.Ahead. The
// goroutine sleeps when nothing is demanded. A panic or runtime.Goexit in the simulation, or in
// code of the program that the simulation calls, ends the loop. The render side then gets a
// buffer.Failure and keeps the last published state.
package physicsloop
