package main

import (
	"strings"

	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/scenes"
)

// The viewer is the host of its session.

func (v *viewer) Say(text string) { v.picture.Say(text) }

func (v *viewer) Warn(text string) { v.picture.Warn(text) }

func (v *viewer) Ask(by, text string) bool { return v.picture.Ask(by, text) }

func (v *viewer) Key(action string) string { return v.panel.Keys.First(action) }

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
	c := &v.picture.Camera
	switch is {
	case play.SceneAgain:
		c.Home = true
	case play.SceneChosen:
		v.kept = nil
		if of == v.Stage.Scene() && !c.Home {
			view := c.Camera
			v.kept = &view
		}
		v.Recorder.Attended = v.panel.On
		if v.panel.Width(v.picture.Surface) == 0 { // the panel shows them too
			v.picture.Say(strings.TrimSuffix(of.Name+": "+of.Description, ": "))
		}
	case play.SceneOpened:
		v.picture.Figures.Reset()
		v.stats, v.ledgerTaken = files.Stats{}, false
		v.panel.Pointer.Press, v.panel.Menu = panel.Press{}, panel.Menu{}
	case play.SceneBegun:
		c.Start(of.View, v.Stage.View)
		if v.o.Camera != nil && !v.viewed {
			c.Camera, c.Home = *v.o.Camera, false
		} else {
			v.picture.FollowOwn()
			v.picture.FitHome()
		}
		v.viewed = true
	case play.SceneShown:
		if v.kept != nil {
			c.Camera, c.Home = *v.kept, false
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
		v.picture.Verdict = words.Printable(r.Verdict)
		v.picture.Warn(r.Verdict)
		if e := v.Stage.Player.Engine; e != nil && r.Engine == e.Name() && v.Stage.Shown.What != play.ShowsPast {
			v.Notes.Note(play.BarMark{Tick: r.Tick})
		}
	}
}

func (r *run) Fullscreen() { r.screen.Fullscreen() }

func (r *run) Screenshot() { r.wantPicture = true }

func (v *viewer) ExportPlot() { files.ExportPlot(v.Session) }

func (v *viewer) SaveScene(ending string) { files.SaveScene(v.Session, ending, v.view) }

// view is the part of the world that the picture shows.
func (v *viewer) view() scenes.View { return v.picture.Camera.Shown(v.picture.Framing()) }
