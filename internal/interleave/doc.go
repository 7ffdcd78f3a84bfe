// Package interleave lets a test decide the order of operations on data that
// goroutines share.
//
// The explored code uses the atomics of halfstep/internal/atomic and the channel
// operations of this package. In a normal build the atomics are those of
// sync/atomic, and the channel operations an inlined send, receive and go
// statement. With the build tag interleave each operation is a point at which a
// scheduler stops the goroutine and chooses which one goes on. Explore runs a
// scenario again and again until every order has been tried:
//
//	go test -tags interleave -run Interleav ./buffer ./physicsloop ./renderloop
//
// Only one goroutine runs at a time, so a schedule is a list of choices, and the
// same list gives the same run. Because the scheduler knows who waits for which
// channel, a lost wake-up shows as a deadlock.
//
// # What counts as every order
//
// Two schedules that differ only in the order of operations that cannot affect
// one another (on different words, or both of them loads) are the same to all
// goroutines. Explore runs one schedule of each such class, by dynamic partial
// order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson and
// Sagonas, 2014).
//
// That is correct if the operations enforce an order for all accesses to plain
// memory. The scheduler may not see a violation, but the race detector does: the
// scheduler's own hand-overs are invisible to it, so with -race the schedules
// are also searched for data races. Explore then samples the larger scenarios,
// because a race shows in most schedules.
//
// Sequential consistency is assumed, which is what sync/atomic promises.
package interleave
