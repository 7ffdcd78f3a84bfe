// Package interleave lets a test choose the order of operations on data that
// goroutines share.
//
// The explored code uses the atomics of halfstep/internal/atomic and the channel
// operations of this package. In a normal build the atomics are those of
// sync/atomic, and the channel operations are an inlined send, receive and go
// statement. With the build tag interleave a scheduler stops the goroutine at
// each operation and chooses which goroutine continues. Explore runs a scenario
// repeatedly until every order has been tried:
//
//	go test -tags interleave -run Interleav ./buffer ./physicsloop ./renderloop
//
// Only one goroutine runs at a time, so a schedule is a list of choices, and the
// same list gives the same run. The scheduler knows which goroutine waits for
// which channel, so a lost wake-up shows as a deadlock.
//
// # What counts as every order
//
// Operations on different words cannot affect one another, and neither can two
// loads. Two schedules that differ only in the order of such operations are the
// same to all goroutines. Explore runs one schedule of each such class, by
// dynamic partial order reduction with source sets and sleep sets (Abdulla,
// Aronis, Jonsson and Sagonas, 2014).
//
// That is correct if the operations enforce an order for all accesses to plain
// memory. The scheduler may miss a violation, but the race detector finds it:
// the scheduler's own hand-overs are invisible to the detector, so with -race
// the schedules are also searched for data races. With -race Explore samples the
// larger scenarios, because a race shows in most schedules.
//
// The package assumes sequential consistency, as sync/atomic promises.
package interleave
