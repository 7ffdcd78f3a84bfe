package history

import (
	"halfstep/internal/binenc"
	"halfstep/world"
)

// Kind is the kind of an Entry.
type Kind uint8

// The numbers of the kinds are stored in recordings.
const (
	Begin Kind = iota // a frame begins
	Apply             // a command is applied
	Step              // a step is done
	End               // a frame with steps ends, and its forces are cleared
	Back              // the run went back to a tick, so all entries after that tick are void
)

// Entry is one call that the loop makes to the world. Recordings store an entry by the names of its
// exported fields. Units and StepUnits are the fields Units and Step of a buffer.Remainder.
type Entry struct {
	Kind      Kind
	Scheduled bool           // in an Apply: the command was given for this tick, so a force acts in one step only
	Tick      uint64         // the tick of a Step; for other kinds the number of steps done
	Dt        float64        // length of a step, in s
	Units     int64          // in a Begin: Units/StepUnits of a step is left in the clock after the frame
	StepUnits int64          // the number of parts into which Units divides a step
	Still     bool           // in a Begin: no time passes in the frame
	Hash      uint64         // in a Step: World.StateHash after the step; 0 if no sink wants the hash
	Values    []byte         // in a Step of a recording: a fingerprint of each body after the step; used to find the first body that differs
	Command   *world.Command // in an Apply: the command
	Handles   uint64         // in a Back: the number of handles that the world has given out; a replay does not give these handles out again
	Rewinds   rewinds        // in a Step: whether the step shows an earlier state
	State     []byte         // in a file: the compressed earlier state

	state *shownState // state is the earlier state that the step shows.
	shown *Shown      // shown, in a recording of states, replaces the command or the step.
}

// stepsTo returns the tick of a step, or 0 if the entry is not a step.
func (e *Entry) stepsTo() uint64 {
	if e.Kind == Step {
		return e.Tick
	}
	return 0
}

// Segment is a snapshot and the entries after it. Together they lead from one tick to another.
type Segment struct {
	Start   Start
	Entries []Entry
}

// upTo returns how many entries remain when the run goes back to a tick. These are the entries up to the
// step to that tick, and the End of a frame that ends with that step. An End at the beginning of the list
// always remains, because it belongs to an earlier step.
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

// lastTick returns the tick to which a list of entries leads. The list begins at the tick from.
func lastTick(entries []Entry, from uint64) uint64 {
	for i := len(entries) - 1; i >= 0; i-- {
		if e := &entries[i]; e.Kind == Step || e.Kind == Back {
			return e.Tick
		}
	}
	return from
}

// add appends an entry, and returns by how many bytes the list has grown. An entry of kind Back first
// removes the entries that it makes void. If shared is true, others still read the list, so add overwrites
// no element.
func add(entries []Entry, e *Entry, shared bool) (_ []Entry, grown int64) {
	if e.Kind == Back {
		n := upTo(entries, e.Tick)
		grown = -sizeOf(entries[n:])
		if entries = entries[:n]; shared {
			entries = entries[:n:n] // reduce the capacity, so that append copies
		}
	}
	return append(entries, *e), grown + e.size()
}

// sizeOf returns the approximate number of bytes that entries take in memory.
func sizeOf(entries []Entry) (bytes int64) {
	for i := range entries {
		bytes += entries[i].size()
	}
	return bytes
}

// size returns the approximate number of bytes that the entry takes in memory.
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

// kept returns a copy of the entry for a recording. The copy lacks the User values that a file
// cannot store.
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
