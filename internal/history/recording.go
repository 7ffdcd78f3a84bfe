package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"halfstep/buffer"
)

// File is a recording that was read back.
type File struct {
	Header Header
	// The Start has no State if the recording begins with the run. The Entries contain no entries that a rollback made
	// void. A step that failed may follow the step to Ticks.
	Segment
	Ending Ending

	First, Ticks uint64 // the recording goes from tick First to tick Ticks
	Cut          bool   // the recording has no end chunk, and goes up to its last whole tick

	// while a recording of states is read: the number of slots, and the slots that have a body
	slots  int
	bodies map[int32]bool

	// For a followed recording: the size of Entries and its limit in bytes, the number of entries that were dropped at
	// the beginning, and the picture after the dropped entries (or nil).
	size, limit int64
	gone        int
	base        *picture

	pictures []Entry // shown states of a File that a Box made

	steps []int     // the index in Entries of the step to tick First+1+i
	paces []stretch // runs of steps of equal length

	// For a File that a Box made: keyframes (the first of them at First), the total cost of the steps up to tick
	// First+i, and the cost of a snapshot.
	keys   []*keyframe
	spent  []time.Duration
	taking time.Duration
}

// stretch is a run of steps of equal length.
type stretch struct {
	after  uint64  // the tick before the first of these steps
	before float64 // the time from First to the tick after, in s
	dt     float64 // length of each step, in s
}

// Dt returns the length of the step to a tick, in s, or 0 if there is no such step.
func (f *File) Dt(tick uint64) float64 {
	switch {
	case tick > f.First && tick <= f.Ticks:
		return f.Entries[f.steps[tick-f.First-1]].Dt
	case tick == f.Ticks+1:
		return f.Ending.Failed
	}
	return 0
}

// Seconds returns the world's time from the beginning of the recording to a tick, in s. Dropped ticks count.
func (f *File) Seconds(tick uint64) float64 {
	tick = min(max(tick, f.First), f.Ticks)
	for i := len(f.paces) - 1; i >= 0; i-- {
		if p := &f.paces[i]; p.after <= tick {
			return p.before + float64(tick-p.after)*p.dt
		}
	}
	return 0
}

// TickAt returns the last tick whose Seconds are at most the given seconds, or First if there is none.
func (f *File) TickAt(seconds float64) uint64 {
	for i := len(f.paces) - 1; i >= 0; i-- {
		if p := &f.paces[i]; p.before <= seconds {
			return min(max(p.after+uint64((seconds-p.before)/p.dt+1e-6), f.First), f.Ticks)
		}
	}
	return f.First
}

// Bytes encodes the file. Entries must not contain the step that failed, because Ending has it.
func (f *File) Bytes() ([]byte, error) {
	var data bytes.Buffer
	put := func(b []byte) error { data.Write(b); return nil }
	err := encodeHead(&f.Header, &f.Start, put)
	if err == nil {
		err = encodeEntries(f.Entries, put)
	}
	if err == nil {
		err = encodeEntries(f.pictures, put)
	}
	if err == nil {
		err = encode(chunkEnd, &f.Ending, put)
	}
	return data.Bytes(), err
}

// Read reads a whole recording. See engine.ReadRecording.
func Read(from io.Reader, maxContacts int, states bool) (*File, error) {
	c, f, err := begin(from, maxContacts, states)
	if err != nil {
		return nil, err
	}
	for ended := false; !ended; {
		ended, err = f.readChunk(c, f.add)
		if f.Cut = errors.Is(err, errCut); f.Cut {
			f.truncate()
			return f, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return f, c.finish()
}

// truncate removes the entries after the last step of a file without an end chunk. A recording of states keeps
// these entries, because they can be shown.
func (f *File) truncate() {
	n := len(f.Entries)
	for n > 0 && !f.Shows() && f.Entries[n-1].Kind != Step && f.Entries[n-1].Kind != Back {
		n--
	}
	f.Entries = f.Entries[:n]
}

// begin reads the header and the start. If states is true, a recording that has entries and states
// is read as a recording of states.
func begin(from io.Reader, maxContacts int, states bool) (*chunkReader, *File, error) {
	c, f := newChunkReader(from), &File{}
	err := c.magic()
	if err == nil {
		err = f.readHeader(c, states)
	}
	if has := f.Header.World.MaxContacts; err == nil && has > maxContacts {
		err = fmt.Errorf("the recorded world may hold %d contacts, more than %d: ReadOptions.MaxContacts allows more", has, maxContacts)
	}
	return c, f, err
}

// readHeader reads the header and the first picture, or the header and the snapshot.
func (f *File) readHeader(c *chunkReader, states bool) error {
	h := &f.Header
	err := c.decodeNext(chunkHeader, "header", h)
	switch {
	case h.Layout != layout && (err == nil || h.Layout != 0): // Layout is the first field, so it has been read even if a later field causes an error
		return errors.New("the recording was made by another version of halfstep")
	case err != nil:
		return err
	}
	if err := h.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if err := h.checkMethod(); err != nil {
		return err
	}
	if states && h.Begins != ofStates {
		if !h.States {
			return errors.New("the recording has no states: RecordOptions.States keeps them")
		}
		h.Begins = ofStates
	}
	switch h.Begins {
	case ofStates:
		return f.beginShown(c)
	case fromSetup:
		return nil
	}
	if err := c.decodeNext(chunkStart, "snapshot", &f.Start); err != nil {
		return err
	}
	if err := f.Start.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	f.First, f.Ticks = f.Start.Tick, f.Start.Tick
	return nil
}

// readChunk reads the next chunk and adds its entries. It reports whether the chunk was the last.
func (f *File) readChunk(c *chunkReader, add func(e *Entry) error) (ended bool, err error) {
	kind, payload, err := c.next()
	if err != nil {
		return false, err
	}
	if f.Header.States && (kind == chunkShown) != f.Shows() && kind != chunkEnd {
		return false, nil // if the recording has entries and states, only the requested kind is read
	}
	switch kind {
	case chunkEntries:
		var entries []Entry
		err = c.decode(payload, &entries)
		f.Entries = slices.Grow(f.Entries, len(entries))
		for i := 0; i < len(entries) && err == nil; i++ {
			e := &entries[i]
			if e.State != nil {
				e.state, e.State = readShown(e.State), nil
			}
			err = add(e)
		}
	case chunkShown:
		var list []Shown
		err = c.decode(payload, &list)
		for i := 0; i < len(list) && err == nil; i++ {
			if f.bodies == nil || list[i].Tick < f.Ticks {
				return false, fmt.Errorf("%w: a picture of tick %d after tick %d", ErrCorrupt, list[i].Tick, f.Ticks)
			}
			err = f.addShown(&list[i], add)
		}
	case chunkEnd:
		if err = c.decode(payload, &f.Ending); err == nil {
			err = f.end()
		}
		return true, err
	default:
		err = fmt.Errorf("%w: a chunk of kind %q", ErrCorrupt, kind)
	}
	return false, err
}

// add adds an entry. An entry of kind Back first removes the entries that it makes void. The error tells why the
// entry does not fit.
func (f *File) add(e *Entry) error {
	if err := e.check(f.First, f.Ticks); err != nil {
		return fmt.Errorf("%w: after tick %d: %w", ErrCorrupt, f.Ticks, err)
	}
	if e.Kind == Back {
		f.steps = f.steps[:e.Tick-f.First]
		n := len(f.paces)
		for n > 0 && f.paces[n-1].after >= e.Tick {
			n--
		}
		f.paces = f.paces[:n:n]
	}
	var more int64
	f.Entries, more = add(f.Entries, e, false) // the list is not shared, because Growing has reduced its capacity before
	f.size += more
	switch e.Kind {
	case Step:
		if n := len(f.paces); n == 0 || f.paces[n-1].dt != e.Dt {
			f.paces = append(f.paces, stretch{e.Tick - 1, f.Seconds(e.Tick - 1), e.Dt})
		}
		f.steps = append(f.steps, len(f.Entries)-1)
		f.Ticks = e.Tick
	case Back:
		f.Ticks = e.Tick
	}
	return nil
}

// end checks the ending, and adds a step that failed.
func (f *File) end() error {
	if f.Header.States && f.Shows() { // the states end where the entries end
		f.Ending = Ending{Ticks: f.Ticks}
	}
	if f.Ending.Ticks != f.Ticks {
		return fmt.Errorf("%w: it has %d ticks and says %d", ErrCorrupt, f.Ticks, f.Ending.Ticks)
	}
	if f.Failed() {
		step := Entry{Kind: Step, Tick: f.Ticks + 1, Dt: f.Ending.Failed}
		if err := step.check(f.First, f.Ticks); err != nil {
			return fmt.Errorf("%w: at its end: %w", ErrCorrupt, err)
		}
		f.Entries = append(f.Entries, step)
	}
	return nil
}

// HasSnapshot reports whether the recording begins with a snapshot.
func (f *File) HasSnapshot() bool { return f.Start.given() }

// Shows reports whether the recording has states instead of calls.
func (f *File) Shows() bool { return f.Header.Begins == ofStates }

// Failed reports whether the step after Ticks failed.
func (f *File) Failed() bool { return f.Ending.Failed != 0 }

// Remainder returns the remainder of the clock in the frame in which the run stepped to tick.
func (f *File) Remainder(tick uint64) buffer.Remainder {
	if tick > f.First {
		return f.remainder(f.steps[tick-f.First-1])
	}
	return f.remainder(-1)
}

// LastRemainder returns the remainder of the clock after the last frame.
func (f *File) LastRemainder() buffer.Remainder { return f.remainder(len(f.Entries) - 1) }

// remainder returns the remainder of the clock in the frame of an entry. The parameter i is the
// index of the entry.
func (f *File) remainder(i int) buffer.Remainder {
	for ; i >= 0; i-- {
		if e := &f.Entries[i]; e.Kind == Begin {
			return buffer.Remainder{Units: e.Units, Step: e.StepUnits}
		}
	}
	return buffer.Remainder{Units: f.Start.Units, Step: f.Start.StepUnits}
}

// Has returns an error if a tick is not in the recording.
func (f *File) Has(tick uint64) error {
	if tick < f.First || tick > f.Ticks {
		return fmt.Errorf("replay: no tick %d: the recording goes from tick %d to tick %d", tick, f.First, f.Ticks)
	}
	return nil
}
