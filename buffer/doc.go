// Package buffer has what the physics goroutine and the render thread share:
// the state of a body, the exchange that hands pairs of states over, the logs
// for what is not state, the demand that drives physics, and the doorbells. It
// knows nothing of Box2D and nothing of OpenGL.
//
// Everything here has one writer and one reader. Nothing that is called every
// frame or every step takes a lock, allocates or waits, but for the two waits
// that are meant: physics sleeping until something is demanded (Demand.Wait),
// and a render thread that wants to wait for a tick (Link.Await).
//
// Everything that one side tells the other is published by a single atomic
// word: the exchange's mailbox publishes a state together with the structure
// and events that led to it, the demand's counter a frame's steps together with
// its commands. So neither side can see one without the other.
//
// The protocols are modelled in Promela in buffer/model.
package buffer
