package main

import (
	"halfstep/world"
)

// Undo works with snapshots. Before each change by the user the engine keeps one, and undo restores
// it. Undo itself first keeps a snapshot of what it leaves, to which redo returns. Changes and
// snapshots are commands, so a recording has them.

// moment is a state of the world that can be restored.
type moment struct {
	what   string // the change that followed it; "" if it was kept because another moment was restored
	tick   uint64
	before int // the moment of the previous change, or -1
	next   int // the moment that undo left when it restored this one, or -1
	saved  savedControls
	chosen world.Body // the body in the inspector
	right  bool       // the inspector is the right half's
	builds bool       // the change made, joined, deleted or changed a body: the user may want to save it
}

// moments are all moments of a world. They are numbered on from 0; the oldest are forgotten.
type moments struct {
	all     []moment // the number of the first is first
	first   int
	last    int    // the moment of the last change, or -1
	restore int    // the moment that was restored, if nothing was changed since, or -1
	stored  int    // the value of last when the world was saved to a file, or -1
	lost    int    // the newest forgotten moment whose change built something, or -1
	most    int    // how many there can be
	control string // the control that is held and has begun a change; see beginControlChange
	were    []wereAt
}

// wereAt are the values that moments.last and restore had from a tick on. They are needed when the
// user goes on from an earlier tick.
type wereAt struct {
	tick          uint64
	last, restore int
}

// The snapshots of all moments share momentsMemory; that bounds the number of moments.
const (
	momentsMemory = 16 << 20 // bytes
	momentBody    = 1500     // bytes of a snapshot per body, about
)

func newMoments() moments { return moments{last: -1, restore: -1, stored: -1, lost: -1} }

// of returns moment n, or nil if there is none or it is forgotten.
func (m *moments) of(n int) *moment {
	if n < m.first || n >= m.first+len(m.all) {
		return nil
	}
	return &m.all[n-m.first]
}

// snapshot returns the number under which the engine keeps a moment's snapshot. Numbers follow
// viewerSnapshot, and those of forgotten moments are used again.
func (m *moments) snapshot(n int) int { return viewerSnapshot + 1 + n%m.most }

// changes are the user's changes of the world, which can be undone, and the snapshot of a key.
type changes struct {
	stage   *stage
	host    host
	travel  *travel
	params  *params
	wheel   *wheel
	inspect *inspector
	uses    uses

	moments moments
	saved   *savedControls // the controls as of the user's snapshot; nil: there is none
}

// begin forgets the changes of the scene before.
func (c *changes) begin() { c.moments, c.saved = newMoments(), nil }

// keep adds a moment: the world as it is now, with a snapshot of it. what is the change that follows,
// or "".
func (c *changes) keep(what string) (n int) {
	m := &c.moments
	if m.most == 0 {
		m.most = min(max(momentsMemory/(momentBody*(16+int(c.stage.view.Counts.Bodies))), 8), world.MaxSnapshots-2)
	}
	if len(m.all) == m.most {
		if m.all[0].builds {
			m.lost = m.first
		}
		m.all, m.first = m.all[1:], m.first+1
	}
	n = m.first + len(m.all)
	m.all = append(m.all, moment{what, c.stage.player.Demanded(), m.last, -1, c.controls(), c.inspect.body, c.inspect.right, false})
	c.stage.engines(func(e *player) {
		if e.engine != nil {
			e.KeepSnapshot(m.snapshot(n))
		}
	})
	return n
}

// beginChange is called before a change of the world, and keeps a moment for undo. It returns false, and
// tells the user why, if a recording is shown, which cannot be changed.
func (c *changes) beginChange(what string) bool {
	if c.travel.refusesChange() {
		return false
	}
	c.moments.turnTo(c.stage.player.Demanded(), c.keep(what), -1)
	c.uses.count(what)
	return true
}

// changeWorld makes a change that undo takes back: it calls f for the engine of each half.
func (c *changes) changeWorld(what string, f func(*player)) bool {
	c.stage.letGo() // or undo would bring back the joint of a drag
	if !c.beginChange(what) {
		return false
	}
	c.moments.of(c.moments.last).builds = true
	c.stage.engines(f)
	return true
}

// beginControlChange is beginChange for a control that changes a value in many frames, such as a
// slider: all that it does while it is held is one change.
func (c *changes) beginControlChange(control, what string) bool {
	if c.moments.control == control {
		return !c.travel.refusesChange()
	}
	c.stage.letGo()
	ok := c.beginChange(what)
	if ok {
		c.moments.control = control
	}
	return ok
}

// undo restores the world as it was before the last change. All that happened since is undone, too.
func (c *changes) undo() {
	n := c.moments.last
	if u := c.moments.of(n); u == nil {
		c.host.say("nothing to undo")
	} else if what := u.what; c.goToMoment(n) {
		c.host.say("undone: " + what + "; " + c.host.key("redo") + " brings it back")
	}
}

// redo returns to the state that undo has left.
func (c *changes) redo() {
	m := &c.moments
	at := m.of(m.restore)
	if at == nil || m.of(at.next) == nil {
		c.host.say("nothing to redo")
		return
	}
	if what := at.what; c.goToMoment(at.next) {
		c.host.say("done again: " + what)
	}
}

// goToMoment restores moment n. It first keeps the present state, unless that is a restored moment to
// which nothing was done.
func (c *changes) goToMoment(n int) bool {
	m := &c.moments
	switch {
	case c.travel.refusesChange():
		return false
	case c.stage.player.engine == nil || c.stage.right != nil && c.stage.right.player.engine == nil:
		c.host.say("only the engine's own loop takes changes back")
		return false
	}
	c.stage.letGo()
	left := m.restore
	if left < 0 {
		left = c.keep("") // no change follows
	}
	to := m.of(n)
	if to == nil { // it was the oldest, and had to make room
		c.host.say("too long ago")
		return false
	}
	if was := m.of(left); was.before == n {
		to.next = left
	}
	c.stage.engines(func(e *player) { e.RestoreSnapshot(m.snapshot(n)) })
	m.turnTo(c.stage.player.Demanded(), to.before, n)
	c.restoreControls(&to.saved)
	if c.inspect.body == 0 {
		c.inspect.awaited, c.inspect.right = to.chosen, to.right
	}
	return true
}

// turnTo sets the moments last and restore, from a tick on.
func (m *moments) turnTo(tick uint64, last, restore int) {
	m.last, m.restore = last, restore
	m.were = append(m.were, wereAt{tick, last, restore})
}

// unsaved reports whether the user has built something since the world was last saved.
func (m *moments) unsaved() bool {
	for n := m.last; n != m.stored; n = m.of(n).before {
		if m.of(n) == nil {
			return m.lost > m.stored
		}
		if m.of(n).builds {
			return true
		}
	}
	return false
}

// leaveScene calls do, which ends the open scene. If the user has built something that is in no file,
// it asks first, and calls do when the same is done again. by names that: a key, or "a click".
func (c *changes) leaveScene(by string, do func() error) error {
	if c.moments.unsaved() && !c.host.ask(by, "what you built is in no file: "+c.host.key("save")+" saves it, "+by+" once more gives it up") {
		return nil
	}
	return do()
}

// canRedo reports whether there is something to redo.
func (m *moments) canRedo() bool {
	at := m.of(m.restore)
	return at != nil && m.of(at.next) != nil
}

// name returns the text of a moment for the list of changes.
func (m *moments) name(n int) string {
	at := m.of(n)
	if at.what != "" {
		return "before: " + at.what
	}
	if last := m.of(at.before); last != nil {
		return "after: " + last.what
	}
	return "after all that is forgotten"
}

// beginBodyChange begins a change of the chosen body by a control; see beginControlChange. The change
// counts as building: whoever leaves the scene is reminded to save it.
func (c *changes) beginBodyChange(control string) bool {
	ok := c.beginControlChange(control, control)
	if ok {
		c.moments.of(c.moments.last).builds = true
	}
	return ok
}
