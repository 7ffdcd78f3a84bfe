//go:build !amd64 || purego

package soft

// wide says whether the kernel is used. Only amd64 has a kernel.
var wide = false

// These functions are never called, because wide is false.

func warmStartAVX2(batches *float32, n int, states *float32)                 {}
func solveAVX2(batches *float32, n int, states, with *float32, invH float32) {}
func relaxAVX2(batches *float32, n int, states *float32, invH float32)       {}
func warmStartPinsAVX2(batches *float32, n int, states, with *float32)       {}
func solvePinsAVX2(batches *float32, n int, states, with *float32) {
}
func relaxPinsAVX2(batches *float32, n int, states, with *float32)                    {}
func warmStartHingesAVX2(batches *float32, n int, states, with *float32)              {}
func solveHingesAVX2(batches *float32, n int, states, with *float32)                  {}
func relaxHingesAVX2(batches *float32, n int, states, with *float32)                  {}
func warmStartWeldsAVX2(batches *float32, n int, states, with *float32)               {}
func solveWeldsAVX2(batches *float32, n int, states, with *float32)                   {}
func relaxWeldsAVX2(batches *float32, n int, states, with *float32)                   {}
func solveSpringWeldsAVX2(batches *float32, n int, states, with *float32)             {}
func relaxSpringWeldsAVX2(batches *float32, n int, states, with *float32)             {}
func warmStartSlidersAVX2(batches *float32, n int, states, with *float32)             {}
func solveSlidersAVX2(batches *float32, n int, states, with *float32)                 {}
func relaxSlidersAVX2(batches *float32, n int, states, with *float32)                 {}
func warmStartWheelsAVX2(batches *float32, n int, states, with *float32)              {}
func solveWheelsAVX2(batches *float32, n int, states, with *float32)                  {}
func relaxWheelsAVX2(batches *float32, n int, states, with *float32)                  {}
func warmStartRodsAVX2(batches *float32, n int, states, with *float32)                {}
func solveRodsAVX2(batches *float32, n int, states, with *float32)                    {}
func relaxRodsAVX2(batches *float32, n int, states, with *float32)                    {}
func prepareAVX2(batches *float32, n int, contacts, masses, with *float32)            {}
func storeAVX2(batches *float32, n int, contacts *float32)                            {}
func integrateVelocitiesAVX2(states *float32, bodies *int32, n int, motions *float32) {}
func integratePositionsAVX2(states *float32, n int, h, maxSpeed, maxSpin float32)     {}
func separationsAVX2(a, from, b *float32, qs, qc, x, y float32, to *float32, countA, countB int) int {
	return 0
}
func separations8AVX2(a, from, b *float32, qs, qc, x, y float32, to *float32, countA, countB int) int {
	return 0
}
func meetingAVX2(edges *uint64, nodes *int32, n int, facing *uint64) uint64       { return 0 }
func nearestAVX2(a, b *float32, countA, countB int) int                           { return 0 }
func fetchRows(table uintptr, size int, list *int32, stride, n int)               {}
func fetchPointed(pointers uintptr, size int, list *int32, stride, n, length int) {}
func fetchSides(contacts *float32, slots *int32, n int, poses *float32, forms *int32, geometries *float32) {
}
