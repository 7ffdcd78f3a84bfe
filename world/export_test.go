package world

import "math/rand/v2"

// NewChaos makes commands of all kinds for w.
func NewChaos(r *rand.Rand, w *World) *chaos { return &chaos{Rand: r, w: w} }

// Command is the next command. It takes no snapshots under a number and restores
// none: those from before a snapshot are no part of its bytes.
func (c *chaos) Command() Command {
	for {
		if k := c.command(); k.Op != opSnapshot && k.Op != opRestore {
			return k
		}
	}
}

// Names is how many handles the commands have named so far.
func (c *chaos) Names() *uint64 { return &c.names }
