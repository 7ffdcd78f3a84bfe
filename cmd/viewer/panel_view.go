package main

import (
	"cmp"
	"slices"

	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

// layView is the page with how frames are made and what they show.
func (v *viewer) layView(c *ui.Context, area ui.Rect) error {
	var err error
	try := func(e error) { err = cmp.Or(err, e) }
	c.BeginScroll(&v.panel.scroll[viewPage], area)
	c.Heading(c.Next(20), "Frames")
	if i, changed := c.Choice("smoothing", c.Next(ui.RowHeight), "smoothing", smoothingAction.key(), smoothingNames, slices.Index(smoothings, v.settings.smoothing)); changed {
		v.count("smoothing")
		v.setSmoothing(smoothings[i])
	}
	c.Space(3)
	at := slices.Index(frameCaps, v.cap)
	if at < 0 { // that of -fps
		at = len(frameCaps)
	}
	if i, changed := c.Choice("cap", c.Next(ui.RowHeight), "frames", capAction.key(), v.capNames, at); changed {
		v.count("cap")
		v.setCap(frameCaps[i])
	}
	c.Space(3)
	if i, changed := c.Choice("sync", c.Next(ui.RowHeight), "sync", syncAction.key(), syncNames, slices.Index(syncs, v.settings.sync)); changed {
		v.count("sync")
		v.setSync(syncs[i])
	}
	c.Space(3)
	toggle := func(a *action, text string, on bool) {
		if c.Toggle(a.name, c.Next(ui.RowHeight), text, a.key(), on) {
			try(v.act(a))
		}
	}
	toggle(pacingAction, "even out frame times", v.settings.pacing)
	c.Space(6)

	c.Heading(c.Next(20), "Layers")
	for _, l := range [...]struct {
		action *action
		text   string
		bit    glrender.Layers
	}{
		{layerJointsAction, "joints", glrender.Joints},
		{layerBoxesAction, "bounding boxes", glrender.Boxes},
		{layerContactsAction, "contacts and impulses", glrender.Contacts},
		{layerCentresAction, "centres and axes", glrender.Centres},
		{layerGhostsAction, "previous and current state", glrender.Ghosts},
		{layerSleepAction, "dim sleeping bodies", glrender.Sleep},
		{layerGridAction, "grid", glrender.Grid},
	} {
		toggle(l.action, l.text, v.layers&l.bit != 0)
	}
	toggle(namesAction, "names", v.marks.names)
	toggle(velocitiesAction, "velocities", v.marks.velocities)
	toggle(normalsAction, "normals of shapes", v.marks.normals)
	toggle(islandsAction, "islands", v.marks.islands)
	toggle(fastBodiesAction, "fast bodies", v.marks.fast)
	toggle(graphColoursAction, "colours of the soft step", v.marks.colours)
	c.Space(6)

	c.Heading(c.Next(20), "Window")
	toggle(metricsAction, "metrics", v.hud.on)
	toggle(timelineAction, "timeline of both threads", v.timeline.on)
	c.Space(4)
	row := c.Next(24)
	for i, a := range [...]*action{fitAction, screenshotAction, linkAction} {
		if c.Button(a.name, row.Column(i, 3, ui.Gap), ui.NoIcon, [...]string{"Fit all", "Picture", "Link"}[i], false) {
			try(v.act(a))
		}
		c.Tip(a.does, a.key())
	}
	c.EndScroll()
	return err
}

var (
	smoothingNames []string
	syncNames      []string
	capNames       []string
)

func init() {
	for _, m := range smoothings {
		smoothingNames = append(smoothingNames, m.String())
	}
	for _, m := range syncs {
		syncNames = append(syncNames, m.String())
	}
	for _, n := range frameCaps {
		capNames = append(capNames, capName(n))
	}
}
