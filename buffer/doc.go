// Package buffer has the data that the physics goroutine and the render thread share. An Exchange
// passes pairs of states to the render thread. Logs pass structure records and events to the render
// thread, and commands to physics. A Demand tells physics which steps to do. A Link has all of
// these. The package uses neither Box2D nor OpenGL.
//
// Each value of these types has one writer and one reader; an Exchange can also have further
// Readers. No function that is called in each frame or in each step takes a lock, allocates or
// blocks. The exceptions are Demand.Wait, in which physics sleeps, and the Await functions of Link,
// in which the render thread waits.
//
// Data that belong together are published by one atomic word, so no side can see a part of the
// data. The mailbox of an Exchange publishes a state together with the state's structure records
// and events. The counter of a Demand publishes the steps of a frame together with the frame's
// commands.
//
// Package body2d has the state of a 2D body. Package phase has the phases of a step and of a frame.
// The directory model has Promela models of the protocols.
package buffer
