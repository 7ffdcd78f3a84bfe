package panel

import (
	"slices"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
)

func (v *bodyPane) layTools(c *ui.Context) {
	if v.session.Stage.Shown.Watched() {
		c.Say(c.Next(20), ui.Start, ui.Faint, noChange)
		return
	}
	var row ui.Rect
	for i := range play.Tools {
		if i%3 == 0 {
			row = c.Next(ui.RowHeight)
			c.Space(3)
		}
		t := &play.Tools[i]
		if c.Button(t.Control, row.Column(i%3, 3, ui.Gap), ui.NoIcon, t.Name, v.session.Sketcher.Tool == play.Tool(i)) {
			v.session.Uses.Count(t.Control)
			v.session.Sketcher.UseTool(play.Tool(i))
		}
		c.Tip(t.Help, v.panel.Keys.First("tool"))
	}
	if v.session.Sketcher.Tool == play.JointTool {
		joint := &v.session.Sketcher.Joint
		v.panel.layChoice(choice{
			control: "joint kind", label: "joint", key: noKey,
			options: play.JointNames, at: *joint, tip: words.Plain[play.JointNames[*joint]],
		}, func(i int) error { *joint = i; return nil })
	}
	v.panel.layChoice(choice{
		control: "grid", label: "snap to a grid", key: noKey,
		options: play.GridNames, at: max(slices.Index(play.Grids, v.session.Build.Grid), 0),
		tip: "what is drawn, moved and pasted is snapped to the crossings of a grid, and turns by 15°",
	}, func(i int) error { v.session.Build.Grid = play.Grids[i]; return nil })
}

// layRepeat lays out the settings for a row of copies.
func (v *bodyPane) layRepeat(c *ui.Context) {
	build := v.session.Build
	r := &build.Repeats
	c.Heading(c.Next(20), "Row of copies")
	if x, changed, _ := c.Slider("row copies", c.Next(ui.SliderHeight), "copies in the row", noKey, float64(r.Times), &timesRange); changed {
		r.Times = int(x)
	}
	if x, changed, _ := c.Slider("row gap", c.Next(ui.SliderHeight), "gap between them", noKey, r.Gap, &gapRange); changed {
		r.Gap = x
	}
	if c.Toggle("row joined", c.Next(ui.RowHeight), "joined to each other", noKey, r.Joined) {
		r.Joined = !r.Joined
	}
	c.Tip("a hinge holds each copy to the one before, as in a bridge or a chain", noKey)
	if c.Button("make row", c.Next(ui.RowHeight), ui.NoIcon, "Make the row", notChosen) {
		v.session.Uses.Count("make row")
		build.Repeat(*r)
	}
	c.Tip("to the right of what is chosen", noKey)
	c.Space(4)
}

var (
	timesRange = ui.Range{Min: 1, Max: 50, Default: 10, Step: 1, TypedMin: 1, TypedMax: 500}
	gapRange   = ui.Range{Min: 0, Max: 3, Default: .1, Step: .05, Unit: "m", TypedMin: -100, TypedMax: 1000}
)
