package panel

import (
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
		if c.Button(t[0], row.Column(i%3, 3, ui.Gap), ui.NoIcon, t[1], v.session.Sketcher.Tool == play.Tool(i)) {
			v.session.Uses.Count(t[0])
			v.session.Sketcher.UseTool(play.Tool(i))
		}
		c.Tip(t[2], v.panel.Keys.First("tool"))
	}
	if v.session.Sketcher.Tool == play.JointTool {
		v.panel.choice("joint kind", "joint kind", "joint", noKey, play.JointNames, v.session.Sketcher.Joint, words.Plain[play.JointNames[v.session.Sketcher.Joint]], func(i int) error { v.session.Sketcher.Joint = i; return nil })
	}
}
