package history

import (
	"halfstep/internal/binenc"
	"halfstep/world"
)

// Kind is the kind of an Entry.
type Kind uint8

// The kinds, by their numbers in recordings.
const (
	Begin Kind = iota // a frame begins
	Apply             // a command is applied
	Step              // a step is done
	End               // a frame with steps ends: its forces are cleared
	Back              // the run went back to a tick: all entries after it are void
)

// Entry is one call of the loop to the world. Recordings store it by the names of its exported
// fields. Units and StepUnits are Units and Step of a buffer.Remainder.
type Entry struct {
	Kind      Kind
	Scheduled bool           // Apply: the command was given for this tick, so that a force acts on one step alone
	Tick      uint64         // Step: its tick; for other kinds the steps done
	Dt        float64        // s, of a step
	Units     int64          // Begin: the frame leaves Units/StepUnits of a step in the clock
	StepUnits int64          // a step in these parts
	Still     bool           // Begin: no time passes in the frame
	Hash      uint64         // after a step, World.StateHash; 0 if no sink wants it
	Values    []byte         // after a step, in a recording: a fingerprint of each body, to find the first that differs
	Command   *world.Command // Apply: the command
	Handles   uint64         // Back: how many handles the world has given out; a replay does not give them out again
	Rewinds   rewinds        // Step: whether it shows an earlier state instead
	State     []byte         // in a file: that state, packed

	state *shownState // that state
	shown *Shown      // in a recording of states, in place of a command or a step
}

// stepsTo is the tick that a step leads to, or 0 if the entry is no step.
func (e *Entry) stepsTo() uint64 {
	if e.Kind == Step {
		return e.Tick
	}
	return 0
}

// Segment is a snapshot and the entries after it. They lead from one tick to another.
type Segment struct {
	Start   Start
	Entries []Entry
}

// upTo is how many entries remain when the run goes back to a tick: those up to its step, and the
// End of a frame that ends with that step. An End at the beginning always remains: it belongs to a
// step before the list.
func upTo(entries []Entry, tick uint64) int {
	n := len(entries)
	for n > 0 && (entries[n-1].Kind != Step || entries[n-1].Tick > tick) {
		n--
	}
	if n < len(entries) && entries[n].Kind == End {
		n++
	}
	return n
}

// lastTick is the tick after entries that begin at the tick from.
func lastTick(entries []Entry, from uint64) uint64 {
	for i := len(entries) - 1; i >= 0; i-- {
		if e := &entries[i]; e.Kind == Step || e.Kind == Back {
			return e.Tick
		}
	}
	return from
}

// add appends an entry, and returns by how many bytes the list has grown. Before an entry of kind
// Back it removes the entries that become void. If the list is shared, others still read it, and no
// element is overwritten.
func add(entries []Entry, e *Entry, shared bool) (_ []Entry, grown int64) {
	if e.Kind == Back {
		n := upTo(entries, e.Tick)
		grown = -sizeOf(entries[n:])
		if entries = entries[:n]; shared {
			entries = entries[:n:n] // without capacity, so that append copies
		}
	}
	return append(entries, *e), grown + e.size()
}

// sizeOf is about how many bytes entries take in memory.
func sizeOf(entries []Entry) (bytes int64) {
	for i := range entries {
		bytes += entries[i].size()
	}
	return bytes
}

// size is about how many bytes the entry takes in memory.
func (e *Entry) size() int64 {
	n := 100 + len(e.Values)
	if e.state != nil {
		n += int(e.state.size)
	}
	if e.shown != nil {
		n += len(e.shown.States) + 300*(len(e.shown.Structure)+len(e.shown.Events))
	}
	if c := e.Command; c != nil {
		n += 200 + 8*len(c.Args)
		if c.BodyDef != nil {
			n += 300 * (1 + len(c.BodyDef.Shapes))
			for i := range c.BodyDef.Shapes {
				n += 16 * len(c.BodyDef.Shapes[i].Points)
			}
		}
		if c.ShapeDef != nil {
			n += 300 + 16*len(c.ShapeDef.Points)
		}
	}
	return int64(n)
}

// kept returns a copy of the entry for a recording: without the User values that a file cannot
// hold.
func (e *Entry) kept() Entry {
	kept := *e
	if e.state != nil {
		e.state.begin()
	}
	if e.Command == nil {
		return kept
	}
	c := new(*e.Command)
	if c.BodyDef != nil {
		d := new(*c.BodyDef)
		d.User = binenc.User(d.User)
		d.Shapes = append([]world.ShapeDef(nil), d.Shapes...)
		for i := range d.Shapes {
			d.Shapes[i].User = binenc.User(d.Shapes[i].User)
		}
		c.BodyDef = d
	}
	if c.ShapeDef != nil {
		c.ShapeDef = new(*c.ShapeDef)
		c.ShapeDef.User = binenc.User(c.ShapeDef.User)
	}
	if c.JointDef != nil {
		c.JointDef = new(*c.JointDef)
		c.JointDef.User = binenc.User(c.JointDef.User)
	}
	kept.Command = c
	return kept
}
