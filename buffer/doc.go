// Package buffer has the data that the physics goroutine and the render thread share.
// An Exchange hands over pairs of states. Logs transport structure, events and
// commands. A Demand tells physics how far to step. A Link has one of each. The
// package depends on neither Box2D nor OpenGL.
//
// Every type has one writer and one reader. Only an Exchange has further Readers. No
// function that is called every frame or every step takes a lock, allocates or
// blocks, except Demand.Wait, in which physics sleeps until there is work, and the
// Await functions of Link, in which the render thread waits.
//
// One atomic word publishes everything that belongs together, so neither side can see
// only a part. The exchange's mailbox publishes a state together with the structure
// records and events that led to it. The demand's counter publishes a frame's steps
// together with its commands.
//
// Package body2d has the state of a 2D body, package phase the phases of a step and
// of a frame. The directory model has Promela models of the protocols.
package buffer
