//go:build !purego

package soft

import (
	"golang.org/x/sys/cpu"
)

// The kernel works on eight contacts at once. The program tools/softkernel writes its code.
//go:generate sh -c "cd ../../../tools/softkernel && go run . -out ../../internal/box/soft/kernel_amd64.s"

// wide says whether the kernel is used. Tests set it to false.
var wide = cpu.X86.HasAVX2

//go:noescape
func warmStartAVX2(batches *float32, n int, states *float32)

//go:noescape
func solveAVX2(batches *float32, n int, states, with *float32, invH float32)

//go:noescape
func relaxAVX2(batches *float32, n int, states *float32, invH float32)

//go:noescape
func warmStartPinsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func solvePinsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func relaxPinsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func warmStartHingesAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func solveHingesAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func relaxHingesAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func warmStartWeldsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func solveWeldsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func relaxWeldsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func solveSpringWeldsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func relaxSpringWeldsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func warmStartSlidersAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func solveSlidersAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func relaxSlidersAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func warmStartWheelsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func solveWheelsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func relaxWheelsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func warmStartRodsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func solveRodsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func relaxRodsAVX2(batches *float32, n int, states, with *float32)

//go:noescape
func prepareAVX2(batches *float32, n int, contacts, masses, with *float32)

//go:noescape
func storeAVX2(batches *float32, n int, contacts *float32)

//go:noescape
func integrateVelocitiesAVX2(states *float32, bodies *int32, n int, motions *float32)

//go:noescape
func integratePositionsAVX2(states *float32, n int, h, maxSpeed, maxSpin float32)

//go:noescape
func separationsAVX2(a, from, b *float32, qs, qc, x, y float32, to *float32, countA, countB int) int

//go:noescape
func separations8AVX2(a, from, b *float32, qs, qc, x, y float32, to *float32, countA, countB int) int

//go:noescape
func meetingAVX2(edges *uint64, nodes *int32, n int, facing *uint64) uint64

//go:noescape
func nearestAVX2(a, b *float32, countA, countB int) int

//go:noescape
func fetchRows(table uintptr, size int, list *int32, stride, n int)

//go:noescape
func fetchPointed(pointers uintptr, size int, list *int32, stride, n, length int)

//go:noescape
func fetchSides(contacts *float32, slots *int32, n int, poses *float32, forms *int32, geometries *float32)
