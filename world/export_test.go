package world

import (
	"fmt"
	"math/rand/v2"
)

// NewChaos makes commands of all kinds for w.
func NewChaos(r *rand.Rand, w *World) *chaos { return &chaos{Rand: r, w: w} }

// Command is the next command. It neither keeps nor restores numbered snapshots:
// the bytes of a snapshot do not contain earlier ones.
func (c *chaos) Command() Command {
	for {
		if k := c.command(); k.Op != opSnapshot && k.Op != opRestore {
			return k
		}
	}
}

// Names is the number of handles in the commands so far.
func (c *chaos) Names() *uint64 { return &c.names }

// Walked is a snapshot that shares nothing with others: it reads the whole world.
func Walked(w *World) (*Snapshot, error) {
	defer func(was keeping) { w.keeping = was }(w.keeping)
	w.keeping.open(w.b2, w.soft)
	s := new(Snapshot)
	return s, w.Snapshot(s)
}

// WalkedHash is the StateHash, computed from all objects.
func WalkedHash(w *World) uint64 { return w.hashes.walkedHash() }

// Hashed is the number of bodies, contacts and joints that StateHash has hashed
// so far.
func Hashed(w *World) int { return w.hashes.made }

// Library is the part of a snapshot with Box2D's objects, as bytes.
func Library(s *Snapshot) []byte {
	order := s.b2.Order()
	b, _ := s.b2.Append(nil, &order)
	return b
}

// OfStepper is the part of a snapshot with the soft stepper, as bytes.
func OfStepper(s *Snapshot) []byte { return s.soft.Append(nil, &s.b2) }

// Difference is the first difference of two snapshots in Box2D's objects, or
// empty.
func Difference(s, o *Snapshot) string {
	if d := s.b2.Difference(&o.b2); d != nil {
		return fmt.Sprintf("%+v", d)
	}
	return ""
}

// Copied is the number of pages that the snapshots of a world have made or
// copied.
func Copied(w *World) int { return w.keeping.store.Copied() }
