package world

import (
	"errors"
	"math"
)

// MaxSnapshots is the number of snapshots that an engine keeps for [Commands.KeepSnapshot],
// numbered from 0 to MaxSnapshots-1.
const MaxSnapshots = 1024

// KeepSnapshot takes a snapshot of the world, which the engine keeps under a number below
// [MaxSnapshots]. It replaces an earlier snapshot with that number. It is carried out in order, like
// any command. Code on the physics goroutine uses [World.Snapshot]. KeepSnapshot and RestoreSnapshot
// can be recorded. A [Simulation] without an engine rejects both.
func (c Commands) KeepSnapshot(number int) { c.send(Command{Op: opSnapshot, N: clampNumber(number)}) }

// RestoreSnapshot restores the snapshot with the given number, like [World.Restore]. The world goes
// back, but the ticks of views, of events and of [Commands.At] go on. The engine keeps the snapshots
// with other numbers.
func (c Commands) RestoreSnapshot(number int) { c.send(Command{Op: opRestore, N: clampNumber(number)}) }

// clampNumber converts a number to int32. A number that no snapshot can have stays invalid, so that the command is
// rejected.
func clampNumber(n int) int32 { return int32(max(math.MinInt32, min(n, math.MaxInt32))) }

var errKeepsNone = errors.New("world: only an engine keeps snapshots under numbers: World.Snapshot needs none")

// numbered carries out KeepSnapshot and RestoreSnapshot. Both functions are nil in a world without a
// history.
type numbered struct{ keep, restore func(number int32) error }

// keepsNone rejects both commands in a world without a history.
func keepsNone(int32) error { return errKeepsNone }

// Number sets the functions that carry out KeepSnapshot and RestoreSnapshot.
func (private) Number(s *Simulation, keep, restore func(number int32) error) {
	s.world.numbered = numbered{keep, restore}
}
