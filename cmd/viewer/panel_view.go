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
	if i, changed := c.Choice("smoothing", c.Next(ui.RowHeight), "smoothing", key("smoothing"), smoothingNames, slices.Index(smoothings, v.settings.smoothing)); changed {
		v.count("smoothing")
		v.setSmoothing(smoothings[i])
	}
	c.Space(3)
	at := slices.Index(frameCaps, v.cap)
	if at < 0 { // that of -fps
		at = len(frameCaps)
	}
	if i, changed := c.Choice("cap", c.Next(ui.RowHeight), "frames", key("cap"), v.capNames, at); changed {
		v.count("cap")
		v.setCap(frameCaps[i])
	}
	c.Space(3)
	if i, changed := c.Choice("sync", c.Next(ui.RowHeight), "sync", key("sync"), syncNames, slices.Index(syncs, v.settings.sync)); changed {
		v.count("sync")
		v.setSync(syncs[i])
	}
	c.Space(3)
	toggle := func(name, text string, on bool) {
		if c.Toggle(name, c.Next(ui.RowHeight), text, key(name), on) {
			try(v.act(name))
		}
	}
	toggle("pacing", "even out frame times", v.settings.pacing)
	c.Space(6)

	c.Heading(c.Next(20), "Layers")
	for _, l := range [...]struct {
		action, text string
		bit          glrender.Layers
	}{
		{"layer joints", "joints", glrender.Joints},
		{"layer bounding boxes", "bounding boxes", glrender.Boxes},
		{"layer contacts", "contacts and impulses", glrender.Contacts},
		{"layer centres of mass", "centres and axes", glrender.Centres},
		{"layer previous and current state", "previous and current state", glrender.Ghosts},
		{"layer dim sleeping bodies", "dim sleeping bodies", glrender.Sleep},
		{"layer grid", "grid", glrender.Grid},
	} {
		toggle(l.action, l.text, v.layers&l.bit != 0)
	}
	toggle("names", "names", v.marks.names)
	toggle("velocities", "velocities", v.marks.velocities)
	toggle("normals", "normals of shapes", v.marks.normals)
	toggle("islands", "islands", v.marks.islands)
	toggle("fast bodies", "fast bodies", v.marks.fast)
	toggle("graph colours", "colours of the soft step", v.marks.colours)
	c.Space(6)

	c.Heading(c.Next(20), "Window")
	toggle("metrics", "metrics", v.hud.on)
	toggle("timeline", "timeline of both threads", v.timeline.on)
	c.Space(4)
	row := c.Next(24)
	for i, name := range [...]string{"fit", "screenshot", "link"} {
		if c.Button(name, row.Column(i, 3, ui.Gap), ui.NoIcon, [...]string{"Fit all", "Picture", "Link"}[i], false) {
			try(v.act(name))
		}
		c.Tip(action(name).does, key(name))
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
