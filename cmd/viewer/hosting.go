package main

import (
	"halfstep/cmd/viewer/internal/input"
	"strings"
)

// The viewer is the host of its session. say, warn and ask are the picture's.

func (v *viewer) key(action string) string { return v.panel.keys.first(action) }

func (v *viewer) later(f func() error) { v.queue.Put(input.Event{Kind: input.CallInput, Call: f}) }

func (v *viewer) started(p *player, left bool) {
	v.watchdog.watch(p)
	if left {
		v.observers.watch(p)
	}
}

func (v *viewer) closing(p *player) (closed func()) {
	v.observers.unwatch(p)
	return func() { v.watchdog.forget(p) }
}

// scene prepares the picture for another scene. If that is the open one once more, and the user has
// moved the view, the view stays.
func (v *viewer) scene(is sceneChange, of *sceneEntry) {
	c := &v.camera
	switch is {
	case sceneAgain:
		c.home = true
	case sceneChosen:
		v.kept = nil
		if of == v.stage.scene() && !c.home {
			view := c.Camera
			v.kept = &view
		}
		v.recorder.attended = v.panel.on
		if v.panel.width(v.surface) == 0 { // the panel shows them too
			v.say(strings.TrimSuffix(of.Name+": "+of.Description, ": "))
		}
	case sceneOpened:
		v.figures.Reset()
		v.stats, v.ledgerTaken = Stats{}, false
		v.panel.press0, v.panel.menu = press{}, menu{}
	case sceneBegun:
		c.start(of.View, v.stage.view)
		if v.o.Camera != nil && !v.viewed {
			c.Camera, c.home = *v.o.Camera, false
		} else {
			v.followOwn()
			v.fitHome()
		}
		v.viewed = true
	case sceneShown:
		if v.kept != nil {
			c.Camera, c.home = *v.kept, false
		}
		v.screen.Title(title(of.Name))
	}
}
