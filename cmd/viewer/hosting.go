package main

import (
	"strings"

	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/scenes"
)

// The viewer is the play.Host of its session. It has the methods below.

func (v *viewer) Say(text string) { v.picture.Say(text) }

func (v *viewer) Warn(text string) { v.picture.Warn(text) }

func (v *viewer) Ask(by, text string) bool { return v.picture.Ask(by, text) }

func (v *viewer) Key(action string) string { return v.panel.Keys.First(action) }

func (v *viewer) Later(f func() error) { v.queue.Put(input.Event{Kind: input.CallInput, Call: f}) }

func (v *viewer) Started(p *play.Player, left bool) {
	v.watchdog.watch(p)
	if left { // the left player is the only one unless runs are compared
		v.observers.watch(p)
	}
}

func (v *viewer) Closing(p *play.Player) (closed func()) {
	v.observers.unwatch(p)
	return func() { v.watchdog.forget(p) }
}

// Scene prepares the picture for another scene, stage by stage. If the user opens the open scene
// again after moving the view, the view stays. A restart shows the scene's own view.
func (v *viewer) Scene(is play.SceneChange, of *play.SceneEntry) {
	c := &v.picture.Camera
	switch is {
	case play.SceneAgain:
		c.Home = true // a restart
	case play.SceneChosen:
		v.viewToKeep = nil
		if of == v.Stage.Scene() && !c.Home {
			view := c.Camera
			v.viewToKeep = &view
		}
		v.Recorder.PanelShown = v.panel.On         // a shown panel has the time bar, for which the past is kept
		if v.panel.Width(v.picture.Surface) == 0 { // a shown panel already shows the name and the description
			v.picture.Say(strings.TrimSuffix(of.Name+": "+of.Description, ": "))
		}
	case play.SceneOpened: // drop the data of the scene before
		v.picture.Figures.Reset()
		v.stats, v.ledgerRead = files.Stats{}, false
		v.panel.Pointer.Press, v.panel.Menu = panel.Press{}, panel.Menu{}
	case play.SceneBegun: // there are bodies now, so a view can be fitted to them
		c.Start(of.View, v.Stage.View)
		if v.o.Camera != nil && !v.cameraUsed {
			c.Camera, c.Home = *v.o.Camera, false
		} else {
			v.picture.FollowOwn()
			v.picture.FitHome()
		}
		v.cameraUsed = true
	case play.SceneShown:
		if v.viewToKeep != nil {
			c.Camera, c.Home = *v.viewToKeep, false
		}
		v.screen.Title(title(of.Name))
	}
}

// The run is the panel.Runner of its panel. Its methods are here and in caps.go.

func (r *run) Fullscreen() { r.screen.Fullscreen() }

func (r *run) Screenshot() { r.wantPicture = true }

func (v *viewer) ExportPlot() { files.ExportPlot(v.Session) }

func (v *viewer) SaveScene(ending string) { files.SaveScene(v.Session, ending, v.view) }

// view returns the shown part of the world.
func (v *viewer) view() scenes.View { return v.picture.Camera.Shown(v.picture.Framing()) }
