package panel

import (
	"slices"

	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
)

// viewPane is the page View.
type viewPane struct {
	panel   *Panel
	session *play.Session
	picture *picture.Picture
}

// LayView lays out the page View of the panel: how frames are made, what is compared in the right half,
// and which layers and windows are shown.
func (v *viewPane) LayView(c *ui.Context, area ui.Rect) {
	c.BeginScroll(&v.panel.scroll[ViewPage], area)
	c.Heading(c.Next(20), "Frames")
	set := &v.session.Stage.Settings
	v.panel.layChoice(choice{
		control: "smoothing", label: "smoothing", key: v.panel.Keys.First("smoothing"),
		options: smoothingNames, at: slices.Index(play.Smoothings, set.Smoothing), tip: words.Plain[set.Smoothing.String()],
	}, func(i int) error { v.session.Tune.SetSmoothing(play.Smoothings[i]); return nil })
	caps, at := v.panel.runner.Caps()
	v.panel.layChoice(choice{
		control: "cap", label: "frames", key: v.panel.Keys.First("cap"),
		options: caps, at: at, tip: "how many pictures are made; vsync: as many as the display shows",
	}, func(i int) error { v.panel.runner.SetCap(i); return nil })
	v.panel.layChoice(choice{
		control: "sync", label: "sync", key: v.panel.Keys.First("sync"),
		options: syncNames, at: slices.Index(play.Syncs, set.Sync), tip: words.Plain[set.Sync.String()],
	}, func(i int) error { v.session.Tune.SetSync(play.Syncs[i]); return nil })
	v.panel.actionToggle("pacing", "even out frame times", set.Pacing)
	c.Tip("motion stays even where frames come unevenly", noKey)
	c.Space(6)
	v.layCompare(c)
	c.Space(3)

	c.Heading(c.Next(20), "Layers")
	for _, a := range Actions {
		if a.Layer != 0 {
			v.panel.actionToggle(a.Name, a.does, v.picture.Layers&a.Layer != 0)
			c.Tip(words.Plain[a.does], noKey)
		}
	}
	c.Space(6)

	c.Heading(c.Next(20), "Window")
	v.panel.actionToggle("metrics", "figures", v.picture.HUD.On)
	v.panel.actionToggle("timeline", "timeline of both threads", v.picture.Timeline.On)
	c.Space(4)
	row := c.Next(24)
	for i, name := range [...]string{"fit", "screenshot"} {
		v.panel.actionButton(name, row.Column(i, 2, ui.Gap), ui.NoIcon, [...]string{"Home", "Picture"}[i], Named(name).does, notChosen)
	}
	c.Space(4)
	row = c.Next(24)
	for i, name := range [...]string{"save", "save as go"} {
		v.panel.actionButton(name, row.Column(i, 2, ui.Gap), ui.NoIcon, [...]string{"Save scene", "Save as Go"}[i], Named(name).does, notChosen)
	}
	c.EndScroll()
}

var (
	smoothingNames = play.NamesOf(play.Smoothings)
	syncNames      = play.NamesOf(play.Syncs)
)
