package world

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"halfstep/internal/plain"
)

// MaxSnapshots is how many snapshots a world keeps for [Commands.KeepSnapshot]: they
// have the numbers from 0 to MaxSnapshots-1.
const MaxSnapshots = 1024

// KeepSnapshot takes a snapshot of the world, which the world keeps under a number
// below [MaxSnapshots], in place of an earlier one. It takes its turn like any
// command: after those that were given before it in the same frame, and before
// its steps. [World.Snapshot] is for code on the physics goroutine, and for
// snapshots that become bytes. This command and RestoreSnapshot can be recorded.
func (c Commands) KeepSnapshot(number int) { c.send(Command{Op: opSnapshot, N: clampNumber(number)}) }

// RestoreSnapshot restores the snapshot with that number, as [World.Restore] does: the
// world goes back, while the ticks of views, of events and of [Commands.At] go on.
func (c Commands) RestoreSnapshot(number int) { c.send(Command{Op: opRestore, N: clampNumber(number)}) }

// clampNumber makes an int32 of a number. One that is out of range stays out of range, so that
// the command is rejected.
func clampNumber(n int) int32 { return int32(max(math.MinInt32, min(n, math.MaxInt32))) }

// numbered are the snapshots that a world keeps for commands.
type numbered map[int32]*Snapshot

// snapshotAs takes a snapshot under a number. It makes a new one: other snapshots may hold the
// one that had the number before.
func (w *World) snapshotAs(number int32) error {
	if err := checkSnapshotNumber(number); err != nil {
		return err
	}
	s := new(Snapshot)
	if err := w.snapshot(s); err != nil {
		return err
	}
	s.numbered = nil
	if w.numbered == nil {
		w.numbered = numbered{}
	}
	w.numbered[number] = s
	return nil
}

// restoreFrom restores the snapshot under a number.
func (w *World) restoreFrom(number int32) error {
	if err := checkSnapshotNumber(number); err != nil {
		return err
	}
	s := w.numbered[number]
	if s == nil {
		return fmt.Errorf("world: there is no snapshot %d", number)
	}
	return w.Restore(s)
}

func checkSnapshotNumber(number int32) error {
	if number < 0 || number >= MaxSnapshots {
		return fmt.Errorf("world: no snapshot %d: the numbers go from 0 to %d", number, MaxSnapshots-1)
	}
	return nil
}

// append appends the snapshots as bytes, each as a whole.
func (n numbered) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(n)))
	for _, number := range slices.Sorted(maps.Keys(n)) {
		data, _ := n[number].AppendBinary(nil) // it is not empty, and no commands wait in it
		b = binary.AppendUvarint(b, uint64(number))
		b = appendPlain(b, &data)
	}
	return b
}

// readNumbered reads what append wrote. Unless nested is true, there must be no snapshots.
func (s *Snapshot) readNumbered(r *plain.Reader, nested bool) {
	n := r.Count(len(snapshotMagic)) // each takes more bytes than that
	if !r.Want(n <= MaxSnapshots && (nested || n == 0)) || n == 0 {
		return
	}
	s.numbered = numbered{}
	for range n {
		var data []byte
		number := int32(r.Number(MaxSnapshots))
		r.Value(&data)
		inner := new(Snapshot)
		if !r.Want(s.numbered[number] == nil) {
			return
		}
		if r.Err = inner.load(data, false); r.Err != nil { // false: it holds none itself
			return
		}
		s.numbered[number] = inner
	}
}
