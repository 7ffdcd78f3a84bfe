package world

import (
	"fmt"
	"math/rand/v2"
)

// NewChaos makes commands of all kinds for w.
func NewChaos(r *rand.Rand, w *World) *chaos { return &chaos{Rand: r, w: w} }

// Command returns the next command. It leaves out the commands that keep and
// restore numbered snapshots, because the bytes of a snapshot lack earlier
// snapshots.
func (c *chaos) Command() Command {
	for {
		if k := c.command(); k.Op != opSnapshot && k.Op != opRestore {
			return k
		}
	}
}

// Names points to the number of handles in the commands so far.
func (c *chaos) Names() *uint64 { return &c.names }

// Walked returns a snapshot that shares no data with others, because it reads the
// whole world.
func Walked(w *World) (*Snapshot, error) {
	defer func(was keeping) { w.keeping = was }(w.keeping)
	w.keeping.open(w.b2, w.soft)
	s := new(Snapshot)
	return s, w.Snapshot(s)
}

// WalkedHash is the StateHash, with the hashes of all objects computed anew.
func WalkedHash(w *World) uint64 { return w.hashes.walkedHash() }

// Hashed is the number of bodies, contacts and joints that StateHash has hashed
// so far.
func Hashed(w *World) int { return w.hashes.made }

// Library returns as bytes the part of a snapshot that has Box2D's objects.
func Library(s *Snapshot) []byte {
	order := s.b2.Order()
	b, _ := s.b2.Append(nil, &order)
	return b
}

// OfStepper returns as bytes the part of a snapshot that has the soft stepper's
// data.
func OfStepper(s *Snapshot) []byte { return s.soft.Append(nil, &s.b2) }

// Difference describes the first difference between Box2D's objects in two
// snapshots. It is empty if there is none.
func Difference(s, o *Snapshot) string {
	if d := s.b2.Difference(&o.b2); d != nil {
		return fmt.Sprintf("%+v", d)
	}
	return ""
}

// Copied is the number of pages that the snapshots of a world have created or
// copied.
func Copied(w *World) int { return w.keeping.store.Copied() }
