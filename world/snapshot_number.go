package world

import (
	"errors"
	"math"
)

// MaxSnapshots is the number of snapshots that an engine keeps for [Commands.KeepSnapshot],
// numbered from 0 to MaxSnapshots-1.
const MaxSnapshots = 1024

// KeepSnapshot takes a snapshot of the world, which the engine keeps under a number below
// [MaxSnapshots] and which replaces an earlier one. It is carried out in order like any command:
// after earlier commands of the same frame, and before the frame's steps. Code on the physics
// goroutine uses [World.Snapshot], also for snapshots as bytes. This command and RestoreSnapshot
// can be recorded. A [Simulation] without an engine rejects both.
func (c Commands) KeepSnapshot(number int) { c.send(Command{Op: opSnapshot, N: clampNumber(number)}) }

// RestoreSnapshot restores the snapshot with that number, like [World.Restore]: the world goes
// back, while the ticks of views, of events and of [Commands.At] go on. Snapshots under other
// numbers stay.
func (c Commands) RestoreSnapshot(number int) { c.send(Command{Op: opRestore, N: clampNumber(number)}) }

// clampNumber converts a number to int32. A number that is no valid number of a snapshot stays
// invalid, so that the command is rejected.
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
