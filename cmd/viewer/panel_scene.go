package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"halfstep/cmd/viewer/ui"
)

// layScene is the page with what the scene shows, its parameters, and the list of
// all scenes. In a low window the page scrolls, and the list keeps some lines.
func (v *viewer) layScene(c *ui.Context, area ui.Rect) {
	const least = 140 // the least height of the list
	p, sc := &v.panel, &v.scenes[v.current]
	c.BeginScroll(&p.scroll[scenePage], area)
	for _, line := range c.Wrap(sc.Description, area.W-8, 3) {
		c.Say(c.Next(ui.LineHeight), ui.Start, ui.Dim, line)
	}
	c.Space(6)
	v.layParams(c)
	v.layMoments(c)
	c.Heading(c.Next(20), "Scenes")
	c.Space(2)
	text, entered := c.Field("search", c.Next(24), "type to search", v.keys.first("find"), p.search)
	if text != p.search {
		p.search = text
		v.count("search")
	}
	c.Space(6)
	v.layList(c, c.Next(max(c.Rest(), least)), entered)
	c.EndScroll()
}

// layParams lays out a slider for each parameter of the scene.
func (s *session) layParams(c *ui.Context) {
	sc := &s.scenes[s.current]
	if s.replay != nil || len(sc.Params) == 0 {
		return
	}
	c.Heading(c.Next(20), "Parameters")
	for i := range sc.Params {
		q := &sc.Params[i]
		g := ui.Range{Min: q.Min, Max: q.Max, Default: q.Default, Step: q.Step, Unit: q.Unit}
		x, changed, _ := c.Slider(q.Command(), c.Next(ui.SliderHeight), q.Name, "", s.param(sc, i), &g)
		c.Tip("double click: reset, or type the value", "")
		if changed && s.editWith(q.Command(), "param "+q.Name) {
			s.setParam(i, x)
		}
	}
	c.Space(4)
}

// layList lists the scenes that match what is searched for, the best match first.
// entered opens that one.
func (v *viewer) layList(c *ui.Context, area ui.Rect, entered bool) {
	p := &v.panel
	open := -1
	c.BeginScroll(&p.list, area)
	if p.search == "" && slices.ContainsFunc(v.recents, v.isClosed) {
		c.Say(c.Next(18), ui.Start, ui.Faint, "Saved and recorded, the newest first")
		for _, path := range v.recents {
			if !v.isClosed(path) { // it stands with the scenes below
				continue
			}
			if c.Item("file "+path, c.Next(20), printable(filepath.Base(path)), false) {
				v.count("open file")
				v.queue.drop([]string{path})
			}
			c.Tip(path, "")
		}
		c.Space(4)
	}
	p.found = found(p.found[:0], v.scenes, p.search)
	for at, i := range p.found {
		sc := &v.scenes[i]
		if p.search == "" && (at == 0 || v.scenes[p.found[at-1]].Category != sc.Category) {
			if at > 0 {
				c.Space(4)
			}
			if r := c.Next(18); c.Sees(r) {
				c.Print(r, ui.Plain, ui.Start, ui.Faint, string(sc.Category))
			}
		}
		if i == v.current && p.shown != i && p.search == "" {
			p.shown = i
			c.Reveal(20)
		}
		// Enter opens the first that is found.
		chosen := i == v.current && p.search == "" || at == 0 && p.search != ""
		if c.Item(sc.row, c.Next(20), sc.listed(), chosen) || entered && at == 0 {
			open = i
		}
		c.Tip(sc.Description, "")
	}
	if len(p.found) == 0 {
		c.Say(c.Next(20), ui.Start, ui.Faint, "no scene has this in its name or description")
	}
	c.EndScroll()
	if open < 0 {
		return
	}
	v.count("open")
	p.search, p.shown = "", -1
	c.Leave()
	p.try(v.leave("a click", func() error { return v.change(open) }))
}

// isClosed reports that a file has not been opened in this run.
func (v *viewer) isClosed(full string) bool {
	return !slices.ContainsFunc(v.scenes, func(s sceneEntry) bool { return s.full == full })
}

// found appends the indices of the scenes that match: those whose name is what is
// searched for, begins with it or has it, and then those with all of its words
// somewhere. Without a search it is all scenes as they are.
func found(to []int, all []sceneEntry, search string) []int {
	if search = strings.ToLower(strings.TrimSpace(search)); search == "" {
		for i := range all {
			to = append(to, i)
		}
		return to
	}
	for rank := range notFound {
		for i := range all {
			if matches(&all[i], search) == rank {
				to = append(to, i)
			}
		}
	}
	return to
}

// How a scene matches a search.
const (
	isName = iota
	beginsName
	inName
	inWords
	notFound
)

// listed is the name in the list: that of a recording is its file's.
func (sc *sceneEntry) listed() string {
	if url := sc.address(); url != "" {
		return printable(url)
	}
	if sc.replay != nil {
		return printable(filepath.Base(sc.path))
	}
	return sc.Name
}

// matches is how a scene matches a search.
func matches(sc *sceneEntry, search string) int {
	name := strings.ToLower(sc.listed())
	switch {
	case name == search:
		return isName
	case strings.HasPrefix(name, search):
		return beginsName
	case strings.Contains(name, search):
		return inName
	}
	in := strings.ToLower(sc.listed() + " " + sc.Name + " " + string(sc.Category) + " " + sc.Description)
	for _, word := range strings.Fields(search) {
		if !strings.Contains(in, word) {
			return notFound
		}
	}
	return inWords
}

// layMoments lists what has been changed, the newest first: a click goes there.
func (v *viewer) layMoments(c *ui.Context) {
	m := &v.moments
	if len(m.all) == 0 {
		return
	}
	c.Heading(c.Next(20), "Changes")
	row := c.Next(24)
	if v.actionButton("undo", row.Column(0, 2, ui.Gap), ui.NoIcon, "Undo", named("undo").does, false); m.canRedo() {
		v.actionButton("redo", row.Column(1, 2, ui.Gap), ui.NoIcon, "Redo", named("redo").does, false)
	}
	c.Space(3)
	to := -1
	c.BeginScroll(&v.panel.moments, c.Next(float32(min(len(m.all), momentsShown)*20)))
	c.Rows(len(m.all), 20, func(i int, at ui.Rect) {
		n := m.first + len(m.all) - 1 - i
		if c.Item(v.panel.momentRows.of("moment ", n), at, m.name(n), n == m.restore) {
			to = n
		}
	})
	c.EndScroll()
	if to >= 0 && v.goToMoment(to) {
		v.count("moment")
	}
}

// rowNames are the names of the rows of a list, which are made once.
type rowNames []string

func (r *rowNames) of(prefix string, n int) string {
	for n >= len(*r) {
		*r = append(*r, prefix+strconv.Itoa(len(*r)))
	}
	return (*r)[n]
}

// momentsShown is how many moments the list shows at once.
const momentsShown = 5
