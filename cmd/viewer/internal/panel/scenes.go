package panel

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
)

// scenePane is the page Scene.
type scenePane struct {
	panel   *Panel
	session *play.Session
	picture *picture.Picture

	Search     string    // Search is the text in the search field of the list of scenes.
	list       ui.Scroll // the list of scenes
	moments    ui.Scroll // the list of changes
	MomentRows rowNames
	found      []int // found are the scenes that match the search, by index.
	arrived    int   // arrived is the value of session.Arrived when the list was last laid out.
	shown      int   // shown is the scene to which the list has been scrolled, or -1.
}

// layScene lays out the page Scene of the panel: the description of the open scene, its parameters,
// the changes that can be undone, and the list of all scenes. If the window is too low for them, the
// page scrolls, and the list has its least height.
func (v *scenePane) layScene(c *ui.Context, area ui.Rect) {
	const least = 140 // the least height of the list
	sc := &v.session.Stage.Scenes[v.session.Stage.Current]
	c.BeginScroll(&v.panel.scroll[ScenePage], area)
	for _, line := range c.Wrap(sc.Description, area.W-8, 3) {
		c.Say(c.Next(ui.LineHeight), ui.Start, ui.Dim, line)
	}
	c.Space(6)
	v.layParams(c)
	v.layMoments(c)
	c.Heading(c.Next(20), "Scenes")
	c.Space(2)
	text, entered := c.Field("search", c.Next(24), "type to search", v.panel.Keys.First("find"), v.Search)
	if text != v.Search {
		v.Search = text
		v.session.Uses.Count("search")
	}
	c.Tip("words of a name or description; Enter opens the first", v.panel.Keys.First("find"))
	c.Space(6)
	v.layList(c, c.Next(max(c.Rest(), least)), entered)
	c.EndScroll()
}

// layParams lays out a slider for each parameter of the scene.
func (v *scenePane) layParams(c *ui.Context) {
	sc := &v.session.Stage.Scenes[v.session.Stage.Current]
	if v.session.Stage.Shown.Replay() != nil || len(sc.Params) == 0 {
		return
	}
	c.Heading(c.Next(20), "Parameters")
	for i := range sc.Params {
		q := &sc.Params[i]
		g := ui.Range{Min: q.Min, Max: q.Max, Default: q.Default, Step: q.Step, Unit: q.Unit}
		x, changed, _ := c.Slider(q.Command(), c.Next(ui.SliderHeight), q.Name, noKey, v.session.Params.Param(sc, i), &g)
		c.Tip("double click: reset, or type the value", noKey)
		if changed && v.session.Changes.BeginHeldChange(q.Command(), q.Name) {
			v.session.Params.SetParam(i, x)
		}
	}
	c.Space(4)
}

// layList lists the scenes that match the search, the best match first. A click opens a scene. If
// entered is true, Enter was pressed in the search field, and the first scene is opened.
func (v *scenePane) layList(c *ui.Context, area ui.Rect, entered bool) {
	if v.arrived != v.session.Arrived { // scroll the list to the scene that was opened from outside
		v.arrived, v.shown = v.session.Arrived, -1
	}
	open := -1
	c.BeginScroll(&v.list, area)
	v.found = Found(v.found[:0], v.session.Stage.Scenes, v.Search)
	files := slices.ContainsFunc(v.session.Recents.Paths, v.listed)
	if files {
		c.Say(c.Next(18), ui.Start, ui.Faint, "Saved and recorded, the newest first")
		for _, path := range v.session.Recents.Paths {
			if !v.listed(path) {
				continue
			}
			if entered && len(v.found) == 0 { // the search matches nothing, so the file is the first entry of the list
				entered = false
				v.session.Read(path)
			}
			if c.Item("file "+path, c.Next(20), words.Printable(filepath.Base(path)), notChosen) {
				v.session.Uses.Count("open file")
				v.session.Read(path)
			}
			c.Tip(path, noKey)
		}
		c.Space(4)
	}
	for at, i := range v.found {
		sc := &v.session.Stage.Scenes[i]
		if v.Search == "" && (at == 0 || v.session.Stage.Scenes[v.found[at-1]].Category != sc.Category) {
			if at > 0 {
				c.Space(4)
			}
			if r := c.Next(18); c.Sees(r) {
				c.Print(r, ui.Plain, ui.Start, ui.Faint, string(sc.Category))
			}
		}
		if i == v.session.Stage.Current && v.shown != i && v.Search == "" {
			v.shown = i // scroll to the scene once, and not in every frame
			c.Reveal(20)
		}
		// With a search, the first match is drawn as chosen, because Enter opens it.
		chosen := i == v.session.Stage.Current && v.Search == "" || at == 0 && v.Search != ""
		if c.Item(sc.Row, c.Next(20), sc.Listed(), chosen) || entered && at == 0 {
			open = i
		}
		c.Tip(sc.Description, noKey)
	}
	if len(v.found) == 0 && !files {
		c.Say(c.Next(20), ui.Start, ui.Faint, "no scene has this in its name or description")
	}
	c.EndScroll()
	if open < 0 {
		return
	}
	v.session.Uses.Count("open")
	v.Search, v.shown = "", -1
	c.Leave() // the user has finished with the search field, so keys belong to the viewer again
	// if there is unsaved work, LeaveScene first asks for "a click once more"
	v.panel.keepError(v.session.Changes.LeaveScene("a click", func() error { return v.session.ChangeScene(open) }))
}

// unopened reports whether a file is missing in the list of scenes, because it was not opened in this
// run.
func (v *scenePane) unopened(full string) bool {
	return !slices.ContainsFunc(v.session.Stage.Scenes, func(s play.SceneEntry) bool { return s.Full == full })
}

// listed reports whether the list shows a file by its name, because the name matches the search. An
// opened scene is listed elsewhere.
func (v *scenePane) listed(path string) bool {
	return v.unopened(path) && strings.Contains(strings.ToLower(filepath.Base(path)), strings.ToLower(strings.TrimSpace(v.Search)))
}

// Found appends the indices of the scenes that match a search, the best match first (see isName and
// the constants after it). An empty search matches all scenes, in their own order.
func Found(to []int, all []play.SceneEntry, search string) []int {
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

// the ways in which a scene matches a search, the best first
const (
	isName     = iota // isName: the search is the whole name.
	beginsName        // beginsName: the name begins with the search.
	inName            // inName: the name contains the search.
	inWords           // inWords: each word of the search is in the name, the category or the description.
	notFound
)

// matches returns how well a scene matches a search, from isName to notFound. The search must be in
// lower case.
func matches(sc *play.SceneEntry, search string) int {
	name := strings.ToLower(sc.Listed())
	switch {
	case name == search:
		return isName
	case strings.HasPrefix(name, search):
		return beginsName
	case strings.Contains(name, search):
		return inName
	}
	in := strings.ToLower(sc.Listed() + " " + sc.Name + " " + string(sc.Category) + " " + sc.Description)
	for _, word := range strings.Fields(search) {
		if !strings.Contains(in, word) {
			return notFound
		}
	}
	return inWords
}

// layMoments lists the user's changes of the world, the newest first. A click restores the world as it
// was at that moment. Moments are numbered in order, and m.First is the number of the oldest moment.
func (v *scenePane) layMoments(c *ui.Context) {
	m := &v.session.Changes.Moments
	if len(m.All) == 0 {
		return
	}
	c.Heading(c.Next(20), "Changes")
	row := c.Next(24)
	v.panel.actionButton("undo", row.Column(0, 2, ui.Gap), ui.NoIcon, "Undo", Named("undo").does, notChosen)
	if m.CanRedo() {
		v.panel.actionButton("redo", row.Column(1, 2, ui.Gap), ui.NoIcon, "Redo", Named("redo").does, notChosen)
	}
	c.Space(3)
	to := -1
	c.BeginScroll(&v.moments, c.Next(float32(min(len(m.All), momentsShown)*20)))
	c.Rows(len(m.All), 20, func(i int, at ui.Rect) {
		n := m.First + len(m.All) - 1 - i
		if c.Item(v.MomentRows.of("moment ", n), at, m.Name(n), n == m.Restore) {
			to = n
		}
	})
	c.EndScroll()
	if to >= 0 && v.session.Changes.GoToMoment(to) { // the moment could be restored
		v.session.Uses.Count("moment")
	}
}

// rowNames are the control names of a list's rows. They are kept, so that a frame allocates nothing.
type rowNames []string

// of returns the name of row n: the prefix and the number n.
func (r *rowNames) of(prefix string, n int) string {
	for n >= len(*r) {
		*r = append(*r, prefix+strconv.Itoa(len(*r)))
	}
	return (*r)[n]
}

const momentsShown = 5 // the number of moments that are visible without scrolling
