package history

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"halfstep/internal/binenc"
	"halfstep/internal/delta"
	"halfstep/world"
)

// Kept is the set of snapshots that commands of the kinds KeepSnapshot and RestoreSnapshot use. A Kept never
// changes: each KeepSnapshot makes a new Kept. Each state of a history points to the Kept of its tick, so
// that a snapshot is in memory only once. A nil Kept is empty.
type Kept struct {
	snapshots map[int32]*keptSnapshot // by number
}

// keptSnapshot is a snapshot under a number. It does not change, with one exception: if the snapshot comes
// from a file or from another run, the first restore decodes it.
type keptSnapshot struct {
	made     uint64                 // made is the number of snapshots that were kept earlier.
	snapshot *world.Snapshot        // snapshot belongs to the world of the run.
	read     func() ([]byte, error) // read returns the bytes of a snapshot from a file or from another run. It is nil for other snapshots.
}

// Saved is a state with which a run can begin: a snapshot, and the Kept of the snapshot's tick.
type Saved struct {
	Snapshot *world.Snapshot
	Kept     *Kept
}

// Kept returns the present Kept of the run. Only the physics goroutine may call it.
func (l *Log) Kept() *Kept { return l.numbered }

// take stores the state of the run in s. It reuses the memory of the snapshot in s.
func (l *Log) take(s *Saved) error {
	s.Kept = l.numbered
	return private.Snapshot(l.World(), s.Snapshot)
}

// rerun goes to a state of this run. If the same calls follow as before, they give the same handles (see
// privateapi.World.Rerun).
func (l *Log) rerun(s Saved) error {
	err := private.Rerun(l.Simulation, s.Snapshot)
	if err == nil {
		l.numbered = s.Kept
	}
	return err
}

// keepNumbered carries out KeepSnapshot.
func (l *Log) keepNumbered(number int32) error {
	if err := checkNumber(number); err != nil {
		return err
	}
	m := &keptSnapshot{snapshot: new(world.Snapshot)}
	if err := private.Snapshot(l.World(), m.snapshot); err != nil {
		return err
	}
	with := &Kept{map[int32]*keptSnapshot{}}
	if l.numbered != nil {
		maps.Copy(with.snapshots, l.numbered.snapshots)
	}
	for _, before := range with.snapshots {
		m.made = max(m.made, before.made+1)
	}
	with.snapshots[number] = m
	l.numbered = with
	return nil
}

// restoreNumbered carries out RestoreSnapshot.
func (l *Log) restoreNumbered(number int32) error {
	if err := checkNumber(number); err != nil {
		return err
	}
	var m *keptSnapshot
	if l.numbered != nil {
		m = l.numbered.snapshots[number]
	}
	if m == nil {
		return fmt.Errorf("world: there is no snapshot %d", number)
	}
	if m.snapshot == nil {
		data, err := m.read()
		if err != nil {
			return fmt.Errorf("world: snapshot %d can not be restored: %w", number, err)
		}
		if m.snapshot, err = world.LoadSnapshot(data); err != nil {
			return err
		}
	}
	return l.World().Restore(m.snapshot)
}

func checkNumber(number int32) error {
	if number < 0 || number >= world.MaxSnapshots {
		return fmt.Errorf("world: no snapshot %d: the numbers go from 0 to %d", number, world.MaxSnapshots-1)
	}
	return nil
}

// bytes returns the snapshot as bytes. Any goroutine may call it.
func (m *keptSnapshot) bytes() ([]byte, error) {
	if m.read != nil {
		return m.read()
	}
	return m.snapshot.AppendBinary(nil)
}

// adopt returns the Kept of another run in a form for this run. A snapshot that is adopted twice becomes the
// same snapshot both times.
func (l *Log) adopt(other *Kept) *Kept {
	if other == nil {
		return nil
	}
	if l.adopted == nil {
		l.adopted = map[*keptSnapshot]*keptSnapshot{}
	}
	own := &Kept{map[int32]*keptSnapshot{}}
	for number, m := range other.snapshots {
		if l.adopted[m] == nil {
			l.adopted[m] = &keptSnapshot{made: m.made, read: m.bytes}
		}
		own.snapshots[number] = l.adopted[m]
	}
	return own
}

// difference names a snapshot in which two runs of the same ticks differ, or returns "".
func (k *Kept) difference(other *Kept) string {
	if k == other {
		return ""
	}
	for number := range int32(world.MaxSnapshots) {
		var a, b *keptSnapshot
		if k != nil {
			a = k.snapshots[number]
		}
		if other != nil {
			b = other.snapshots[number]
		}
		if a == b {
			continue
		}
		if a == nil || b == nil {
			return fmt.Sprintf("the existence of snapshot %d was %v and is %v", number, a != nil, b != nil)
		}
		if a.snapshot == nil || b.snapshot == nil {
			continue // both snapshots come from a file or from another run
		}
		if d := a.snapshot.Difference(b.snapshot); d != "" {
			return fmt.Sprintf("in snapshot %d, %s", number, d)
		}
	}
	return ""
}

// Coded is a kept snapshot as it is stored in files. Its bytes are relative to a state and to the previous
// snapshot in the list (see package delta).
type Coded struct {
	Number int32
	Length int
	Code   []byte
}

// unpackLimit returns the greatest possible length of a snapshot. The parameter bytes is the length of the
// snapshot's code, plus that of all data to which the code refers. The limit keeps a small file from taking
// much memory.
func unpackLimit(bytes int) int { return 1<<20 + 32*bytes }

// encode encodes the snapshots relative to the bytes of a state, oldest first.
func (k *Kept) encode(state []byte) (list []Coded, err error) {
	if k == nil {
		return nil, nil
	}
	numbers := slices.SortedFunc(maps.Keys(k.snapshots), func(a, b int32) int {
		return cmp.Or(cmp.Compare(k.snapshots[a].made, k.snapshots[b].made), cmp.Compare(a, b))
	})
	coder, room := delta.NewCoder(state), len(state)
	for _, number := range numbers {
		data, err := k.snapshots[number].bytes()
		if err != nil {
			return nil, fmt.Errorf("snapshot %d: %w", number, err)
		}
		code := coder.Append(nil, data)
		if len(data) > unpackLimit(room+len(code)) {
			code = delta.Plain(data)
		}
		room += len(code)
		list = append(list, Coded{number, len(data), code})
	}
	return list, nil
}

// checkCoded returns an error for a list that encode cannot have written.
func checkCoded(list []Coded, room int) error {
	seen := map[int32]bool{}
	for i := range list {
		c := &list[i]
		room += len(c.Code)
		if checkNumber(c.Number) != nil || seen[c.Number] || c.Length < 0 || c.Length > unpackLimit(room) {
			return fmt.Errorf("snapshot %d of %d bytes", c.Number, c.Length)
		}
		seen[c.Number] = true
	}
	return nil
}

// decoded returns the snapshots of a checked list. A snapshot is decoded when it is restored.
func decoded(list []Coded, state []byte) *Kept {
	if len(list) == 0 {
		return nil
	}
	k := &Kept{map[int32]*keptSnapshot{}}
	for i := range list {
		k.snapshots[list[i].Number] = &keptSnapshot{made: uint64(i), read: func() (data []byte, err error) {
			var last, spare []byte
			for n := range list[:i+1] { // each snapshot is relative to the previous snapshot
				if data, err = delta.Read(spare[:0], state, last, list[n].Code, list[n].Length); err != nil {
					return nil, err
				}
				last, spare = data, last
			}
			return data, nil
		}}
	}
	return k
}

// sent is a Saved as bytes.
type sent struct {
	State []byte
	Kept  []Coded
}

// AppendBinary appends the state as bytes, which LoadSaved reads. Any goroutine may call AppendBinary, but not
// while the snapshot is being taken or restored.
func (s Saved) AppendBinary(b []byte) ([]byte, error) {
	var all sent
	var err error
	if all.State, err = s.Snapshot.AppendBinary(nil); err != nil {
		return b, err
	}
	if all.Kept, err = s.Kept.encode(all.State); err != nil {
		return b, err
	}
	return binenc.AppendFields(b, reflect.ValueOf(&all).Elem()), nil
}

// LoadSaved reads a state for one run.
func LoadSaved(data []byte) (Saved, error) {
	r := binenc.Reader{Rest: data, Memory: 1<<16 + binenc.MemoryPerByte*int64(len(data))}
	var all sent
	binenc.ReadFields(&r, reflect.ValueOf(&all).Elem())
	if r.Expect(len(r.Rest) == 0); r.Err != nil {
		return Saved{}, errNoState
	}
	if err := checkCoded(all.Kept, len(all.State)); err != nil {
		return Saved{}, fmt.Errorf("%w: %w", errNoState, err)
	}
	snapshot, err := world.LoadSnapshot(all.State)
	return Saved{snapshot, decoded(all.Kept, all.State)}, err
}

var errNoState = errors.New("the bytes of a state are damaged")
