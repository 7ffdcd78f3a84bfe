// Package physicsloop runs a simulation on its own goroutine. The loop takes the frames that the render side demands, applies their
// commands, steps, and publishes each state together with the events of the step.
//
// The loop runs anything that implements Simulation; world.Simulation is the Box2D world. The loop has no clock. The renderer counts
// time, and physics uses it up in whole steps.
//
// Physics does the demanded steps and, with a Predictor, predicts a few ticks up to Frame.Ahead. So the steps that the clock allows
// limit the length of every queue. The goroutine sleeps when nothing is demanded. A panic or runtime.Goexit in the simulation, or in
// code of the program that it calls, ends the loop. The render side then gets a buffer.Failure and keeps the last published state.
package physicsloop
