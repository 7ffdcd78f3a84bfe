package world

import "math/rand/v2"

// NewChaos makes commands of all kinds for w.
func NewChaos(r *rand.Rand, w *World) *chaos { return &chaos{Rand: r, w: w} }

// Command is the next command.
func (c *chaos) Command() Command { return c.command() }

// Names is how many handles the commands have named so far.
func (c *chaos) Names() *uint64 { return &c.names }
