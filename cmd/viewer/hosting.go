package main

import (
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"strings"
)

// The viewer is the host of its session.

func (v *viewer) Say(text string) { v.picture.Say(text) }

func (v *viewer) Warn(text string) { v.picture.Warn(text) }

func (v *viewer) Ask(by, text string) bool { return v.picture.Ask(by, text) }

func (v *viewer) Key(action string) string { return v.panel.keys.first(action) }

func (v *viewer) Later(f func() error) { v.queue.Put(input.Event{Kind: input.CallInput, Call: f}) }

func (v *viewer) Started(p *play.Player, left bool) {
	v.watchdog.watch(p)
	if left {
		v.observers.watch(p)
	}
}

func (v *viewer) Closing(p *play.Player) (closed func()) {
	v.observers.unwatch(p)
	return func() { v.watchdog.forget(p) }
}

// Scene prepares the picture for another scene. If that is the open one once more, and the user has
// moved the view, the view stays.
func (v *viewer) Scene(is play.SceneChange, of *play.SceneEntry) {
	c := &v.picture.camera
	switch is {
	case play.SceneAgain:
		c.home = true
	case play.SceneChosen:
		v.kept = nil
		if of == v.Stage.Scene() && !c.home {
			view := c.Camera
			v.kept = &view
		}
		v.Recorder.Attended = v.panel.on
		if v.panel.width(v.picture.surface) == 0 { // the panel shows them too
			v.picture.Say(strings.TrimSuffix(of.Name+": "+of.Description, ": "))
		}
	case play.SceneOpened:
		v.picture.figures.Reset()
		v.stats, v.ledgerTaken = Stats{}, false
		v.panel.pointer.press, v.panel.menu = press{}, menu{}
	case play.SceneBegun:
		c.start(of.View, v.Stage.View)
		if v.o.Camera != nil && !v.viewed {
			c.Camera, c.home = *v.o.Camera, false
		} else {
			v.picture.followOwn()
			v.picture.fitHome()
		}
		v.viewed = true
	case play.SceneShown:
		if v.kept != nil {
			c.Camera, c.home = *v.kept, false
		}
		v.screen.Title(title(of.Name))
	}
}

// tellHitch shows the cause of a new hitch in the picture. The panel keeps showing the last one.
func (v *viewer) tellHitch() {
	if v.newest == nil {
		return
	}
	if r := v.newest.Swap(nil); r != nil {
		v.picture.verdict = words.Printable(r.Verdict)
		v.picture.Warn(r.Verdict)
		if e := v.Stage.Player.Engine; e != nil && r.Engine == e.Name() && v.Stage.Shown.What != play.ShowsPast {
			v.Notes.Note(play.BarMark{Tick: r.Tick})
		}
	}
}
