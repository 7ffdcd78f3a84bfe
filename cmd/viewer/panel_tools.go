package main

import (
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
)

func (v *viewer) layTools(c *ui.Context) {
	var row ui.Rect
	for i := range tools {
		if i%3 == 0 {
			row = c.Next(ui.RowHeight)
			c.Space(3)
		}
		t := &tools[i]
		if c.Button(t[0], row.Column(i%3, 3, ui.Gap), ui.NoIcon, t[1], v.sketcher.tool == tool(i)) {
			v.uses.count(t[0])
			v.sketcher.useTool(tool(i))
		}
		c.Tip(t[2], v.panel.keys.first("tool"))
	}
	if v.sketcher.tool == jointTool {
		v.choice("joint kind", "joint kind", "joint", noKey, jointNames, v.sketcher.joint, words.Plain[jointNames[v.sketcher.joint]], func(i int) error { v.sketcher.joint = i; return nil })
	}
}
