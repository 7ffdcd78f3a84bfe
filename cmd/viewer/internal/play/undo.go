package play

import (
	"halfstep/world"
)

// Undo works with snapshots. The engine keeps a snapshot before each change by the user, and undo
// restores that snapshot. Before that, undo keeps a snapshot of the present state, to which redo
// returns. Changes and snapshots are commands, so a recording contains them.

// Moment is a state of the world that can be restored.
type Moment struct {
	what   string // what is the change that followed the moment. It is "" if the moment was kept before another moment was restored.
	tick   uint64 // tick is the tick of the state.
	Before int    // Before is the moment of the previous change, or noMoment.
	next   int    // next is the moment that undo left when it restored this moment, or noMoment.
	saved  savedControls
	chosen world.Body  // chosen is the chosen body, or 0.
	joint  world.Joint // joint is the chosen joint of that body, or 0.
	right  bool        // right says that both are in the right half of a comparison.
	builds bool        // builds says that the change made, joined, moved, deleted or changed a body, so that the user may want to save the result.
}

// Moments are all moments of a world. They are numbered from 0 on. The oldest moments are dropped.
type Moments struct {
	All     []Moment
	First   int    // the number of All[0]
	Last    int    // Last is the moment of the last change, or noMoment.
	Restore int    // Restore is the restored moment if nothing was changed afterwards, or noMoment.
	Stored  int    // Stored is the value of Last when the world was saved to a file, or noMoment.
	lost    int    // lost is the newest dropped moment whose change built something, or noMoment.
	most    int    // most is the greatest number of moments. It is 0 until the first moment is kept.
	Control string // Control is the held control that has begun a change. The panel clears it when the user releases the control.
	turns   []turn
}

// turn has the values of Moments.Last and Restore from a tick on, for a run that continues from an
// earlier tick.
type turn struct {
	tick          uint64
	last, restore int
}

// The snapshots of all moments share the memory momentsMemory, which limits the number of moments.
const (
	momentsMemory = 16 << 20 // bytes
	momentBody    = 1500     // momentBody is the approximate size of a snapshot per body, in bytes.
)

// noMoment is a number that no moment has.
const noMoment = -1

func newMoments() Moments {
	return Moments{Last: noMoment, Restore: noMoment, Stored: noMoment, lost: noMoment}
}

// Of returns moment n, or nil if there is no such moment or it was dropped.
func (m *Moments) Of(n int) *Moment {
	if n < m.First || n >= m.First+len(m.All) {
		return nil
	}
	return &m.All[n-m.First]
}

// snapshotNumber returns the engine's number for the snapshot of a moment. The numbers begin after
// viewerSnapshot, and those of dropped moments are used again.
func (m *Moments) snapshotNumber(n int) int { return viewerSnapshot + 1 + n%m.most }

// Changes are the user's changes of the world, which can be undone, and the snapshot that the user takes
// with a key.
type Changes struct {
	stage   *Stage
	host    Host
	travel  *Travel
	params  *Params
	wheel   *Wheel
	inspect *Inspector
	uses    Uses

	Moments Moments
	Saved   *savedControls // Saved are the controls at the time of the user's snapshot. It is nil without a snapshot.
}

// begin drops the changes of the scene before.
func (c *Changes) begin() { c.Moments, c.Saved = newMoments(), nil }

// keep adds a moment with a snapshot of the present world. The parameter what is the change that
// follows, or "".
func (c *Changes) keep(what string) (n int) {
	m := &c.Moments
	if m.most == 0 {
		// the 16 bodies allow for the rest of a snapshot; moments do not use the numbers 0 and viewerSnapshot
		m.most = min(max(momentsMemory/(momentBody*(16+int(c.stage.View.Counts.Bodies))), 8), world.MaxSnapshots-2)
	}
	if len(m.All) == m.most {
		if m.All[0].builds {
			m.lost = m.First
		}
		m.All, m.First = m.All[1:], m.First+1
	}
	n = m.First + len(m.All)
	m.All = append(m.All, Moment{
		what: what, tick: c.stage.Player.Demanded(), Before: m.Last, next: noMoment, saved: c.controls(),
		chosen: c.inspect.Body, joint: c.inspect.Joint, right: c.inspect.Right,
	})
	c.inspect.stale()
	c.stage.EachPlayer(func(p *Player) {
		if p.Engine != nil {
			p.KeepSnapshot(m.snapshotNumber(n))
		}
	})
	return n
}

// BeginChange is called once before a change of the world. It keeps a moment for undo. If a recording is
// shown, which cannot be changed, it shows the user a message and returns false.
func (c *Changes) BeginChange(what string) bool {
	if c.travel.RefusesChange() {
		return false
	}
	c.Moments.turnTo(c.stage.Player.Demanded(), c.keep(what), noMoment)
	c.uses.Count(what)
	return true
}

// ChangeWorld makes a change that can be undone, by calling f for the player of each half. The change
// counts as building.
func (c *Changes) ChangeWorld(what string, f func(*Player)) bool {
	c.stage.EndDrag() // otherwise undo would bring back the joint of a drag
	if !c.BeginChange(what) {
		return false
	}
	c.Moments.lastBuilds()
	c.stage.EachPlayer(f)
	return true
}

// BeginHeldChange does the work of BeginChange for a control that changes a value in many frames, such as a
// slider. It is called in each of these frames. All changes while the user holds the control count as one
// change.
func (c *Changes) BeginHeldChange(control, what string) bool {
	if c.Moments.Control == control {
		return !c.travel.RefusesChange()
	}
	c.stage.EndDrag()
	ok := c.BeginChange(what)
	if ok {
		c.Moments.Control = control
	}
	return ok
}

// BeginBodyChange does the work of BeginHeldChange for a control that changes the chosen body. The
// change counts as building.
func (c *Changes) BeginBodyChange(control string) bool {
	ok := c.BeginHeldChange(control, control)
	if ok {
		c.Moments.lastBuilds()
	}
	return ok
}

// Undo restores the world from before the last change. Everything that happened since then is undone.
func (c *Changes) Undo() {
	n := c.Moments.Last
	if u := c.Moments.Of(n); u == nil {
		c.host.Say("nothing to undo")
	} else if what := u.what; c.GoToMoment(n) {
		c.host.Say("undone: " + what + "; " + c.host.Key("redo") + " brings it back")
	}
}

// Redo returns to the state from which undo came.
func (c *Changes) Redo() {
	m := &c.Moments
	if !m.CanRedo() {
		c.host.Say("nothing to redo")
		return
	}
	at := m.Of(m.Restore)
	if what := at.what; c.GoToMoment(at.next) {
		c.host.Say("done again: " + what)
	}
}

// GoToMoment restores moment n. It first keeps the present state, unless the present state is a
// restored moment without later changes.
func (c *Changes) GoToMoment(n int) bool {
	m := &c.Moments
	switch {
	case c.travel.RefusesChange():
		return false
	case c.stage.Player.Engine == nil || c.stage.Right != nil && c.stage.Right.Player.Engine == nil:
		c.host.Say("only the engine's own loop takes changes back")
		return false
	}
	c.stage.EndDrag()
	left := m.Restore
	if left == noMoment {
		left = c.keep("") // no change follows
	}
	to := m.Of(n)
	if to == nil { // the moment was the oldest, and has been dropped
		c.host.Say("too long ago")
		return false
	}
	if m.Of(left).Before == n { // this undoes one change, and redo leads back
		to.next = left
	}
	c.stage.EachPlayer(func(p *Player) { p.RestoreSnapshot(m.snapshotNumber(n)) })
	m.turnTo(c.stage.Player.Demanded(), to.Before, n)
	c.restoreControls(&to.saved)
	c.inspect.stale()
	if c.inspect.Body == to.chosen && c.inspect.Joint != 0 {
		c.inspect.Joint = to.joint // the joint may have been replaced in the meantime
	}
	if c.inspect.Body == 0 { // the chosen body may exist again
		c.inspect.awaited, c.inspect.awaitedOthers, c.inspect.Right = to.chosen, nil, to.right
	}
	return true
}

// lastBuilds marks the last change as building. A user who leaves the scene then gets a reminder to save
// it.
func (m *Moments) lastBuilds() { m.Of(m.Last).builds = true }

// turnTo sets Last and Restore for ticks from the given tick on.
func (m *Moments) turnTo(tick uint64, last, restore int) {
	m.Last, m.Restore = last, restore
	m.turns = append(m.turns, turn{tick, last, restore})
}

// Unsaved reports whether the user has built something since the world was last saved.
func (m *Moments) Unsaved() bool {
	for n := m.Last; n != m.Stored; n = m.Of(n).Before {
		if m.Of(n) == nil { // the moment was dropped, and so were all moments before it
			return m.lost > m.Stored
		}
		if m.Of(n).builds {
			return true
		}
	}
	return false
}

// LeaveScene calls do, which ends the open scene. If the user has built something that is not saved in a
// file, LeaveScene instead warns the user, and calls do when the user repeats the request. The parameter
// by says how to repeat the request: with a key, or with "a click".
func (c *Changes) LeaveScene(by string, do func() error) error {
	if c.Moments.Unsaved() && !c.host.Ask(by, "what you built is in no file: "+c.host.Key("save")+" saves it, "+by+" once more gives it up") {
		return nil
	}
	return do()
}

// CanRedo reports whether there is something to redo.
func (m *Moments) CanRedo() bool {
	at := m.Of(m.Restore)
	return at != nil && m.Of(at.next) != nil
}

// Name returns the text of a moment for the list of changes.
func (m *Moments) Name(n int) string {
	at := m.Of(n)
	if at.what != "" {
		return "before: " + at.what
	}
	if last := m.Of(at.Before); last != nil {
		return "after: " + last.what
	}
	return "after all that is forgotten"
}
