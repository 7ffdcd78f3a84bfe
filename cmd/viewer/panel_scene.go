package main

import (
	"strings"

	"halfstep/cmd/viewer/ui"
	"halfstep/internal/scenes"
)

// layScene is the page with what the scene shows, its parameters, and the list of
// all scenes.
func (v *viewer) layScene(c *ui.Context, area ui.Rect) error {
	sc := &v.scenes[v.current]
	for _, line := range c.Wrap(sc.description, area.W, 3) {
		c.Print(area.Top(ui.LineHeight), ui.Plain, ui.Start, ui.Dim, line)
	}
	area.Top(6)
	v.layParams(c, &area)
	c.Heading(area.Top(20), "Scenes")
	area.Top(2)
	p := &v.panel
	text, entered := c.Field("search", area.Top(24), "type to search", findAction.key(), p.search)
	if text != p.search {
		p.search = text
		v.count("search")
	}
	area.Top(6)
	return v.layList(c, area, entered)
}

// layParams lays out a slider for each parameter of the scene.
func (s *session) layParams(c *ui.Context, area *ui.Rect) {
	sc := &s.scenes[s.current]
	if s.tape() != nil || len(sc.params) == 0 {
		return
	}
	c.Heading(area.Top(20), "Parameters")
	for i := range sc.params {
		q := &sc.params[i]
		g := ui.Range{Min: q.Min, Max: q.Max, Default: q.Default, Step: q.Step, Unit: q.Unit}
		x, changed, _ := c.Slider(q.Command(), area.Top(ui.SliderHeight), q.Name, "", s.param(sc, i), &g)
		c.Tip("double click: reset, or type the value", "")
		if changed {
			s.count("param " + q.Name)
			s.setParam(i, x)
		}
	}
	area.Top(4)
}

// layList lists the scenes that match what is searched for. entered opens the
// first of them.
func (v *viewer) layList(c *ui.Context, area ui.Rect, entered bool) error {
	p := &v.panel
	open := -1
	var last scenes.Category
	c.BeginScroll(&p.list, area)
	found := false
	for i := range v.scenes {
		sc := &v.scenes[i]
		if !matches(sc, p.search) {
			continue
		}
		if !found && entered {
			open = i
		}
		if !found || sc.category != last {
			last = sc.category
			if found {
				c.Space(4)
			}
			if r := c.Next(18); c.Sees(r) {
				c.Print(r, ui.Plain, ui.Start, ui.Faint, string(last))
			}
		}
		found = true
		if i == v.current && p.shown != i && p.search == "" {
			p.shown = i
			c.Reveal(20)
		}
		if c.Item(sc.row, c.Next(20), sc.name, i == v.current) {
			open = i
		}
		c.Tip(sc.description, "")
	}
	if !found {
		c.Say(c.Next(20), ui.Start, ui.Faint, "no scene has this in its name or description")
	}
	c.EndScroll()
	if open < 0 {
		return nil
	}
	v.count("open")
	p.search, p.shown = "", open
	c.Leave()
	return v.change(open)
}

// matches reports whether all words are in the name, the category or the
// description of a scene.
func matches(sc *sceneEntry, search string) bool {
	if search == "" {
		return true
	}
	in := strings.ToLower(sc.name + " " + string(sc.category) + " " + sc.description)
	for _, word := range strings.Fields(strings.ToLower(search)) {
		if !strings.Contains(in, word) {
			return false
		}
	}
	return true
}
