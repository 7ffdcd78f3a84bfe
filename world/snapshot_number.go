package world

import "fmt"

// MaxSnapshots is how many snapshots a world keeps for [Commands.Snapshot]: they
// have the numbers from 0 to MaxSnapshots-1.
const MaxSnapshots = 64

// Snapshot takes a snapshot of the world, which the world keeps under a number
// below [MaxSnapshots], in place of an earlier one. These two commands can be
// recorded.
func (c Commands) Snapshot(number int) { c.send(Command{Op: opSnapshot, N: clampNumber(number)}) }

// Restore restores the snapshot with that number, as [World.Restore] does.
func (c Commands) Restore(number int) { c.send(Command{Op: opRestore, N: clampNumber(number)}) }

// clampNumber keeps a number that is out of range out of range.
func clampNumber(n int) int32 { return int32(max(-1, min(n, MaxSnapshots))) }

func (w *World) snapshotAs(number int32) error {
	if number < 0 || number >= MaxSnapshots {
		return fmt.Errorf("world: no snapshot %d: the numbers go from 0 to %d", number, MaxSnapshots-1)
	}
	s := w.saved[number]
	if s == nil {
		s = new(Snapshot)
		if w.saved == nil {
			w.saved = map[int32]*Snapshot{}
		}
		w.saved[number] = s
	}
	return w.Snapshot(s)
}

func (w *World) restoreFrom(number int32) error {
	s := w.saved[number]
	if s == nil {
		return fmt.Errorf("world: there is no snapshot %d", number)
	}
	return w.Restore(s)
}
