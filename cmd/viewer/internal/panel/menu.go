package panel

import (
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
	"halfstep/world"
)

// Menu is the list that a right click opens. The click is on a body, on a place without a body,
// or on the past.
type Menu struct {
	Open  bool
	Items []menuItem   // Items are the rows that can be used now.
	X, Y  float32      // X and Y are the position of the menu's corner, in units.
	Of    *play.Player // Of is the player of the half that was clicked.
	body  world.Body   // body is the body under the cursor, or 0.
	at    world.Vec    // at is the clicked point of the world, in m.
}

// These are sizes in the menu, in units.
const (
	menuWide = 168
	menuRow  = 22
)

// menuItem is a row of the menu.
type menuItem struct {
	Name string // Name is the name of the item's control.
	text string
	can  func(v *Panel, m *Menu) bool // can reports whether the menu has the item now. If it is nil, the menu always has the item.
	do   func(v *Panel, m Menu)
}

func canRedo(v *Panel, _ *Menu) bool { return v.session.Changes.Moments.CanRedo() }

func canUndo(v *Panel, _ *Menu) bool {
	return v.session.Changes.Moments.Of(v.session.Changes.Moments.Last) != nil
}

var bodyMenu = []menuItem{
	{"menu copy", "Copy", nil, func(v *Panel, m Menu) { v.session.Build.CopyBody(m.Of, m.body) }},
	{"menu delete", "Delete", nil, func(v *Panel, m Menu) { v.session.Build.DeleteBody(m.Of, m.body) }},
	{"menu pin", "Pin here, to the world", func(_ *Panel, m *Menu) bool { return m.Of.Kind(m.body) == world.Dynamic }, func(v *Panel, m Menu) { v.session.Build.PinBody(m.body, m.at) }},
	{"menu unpin", "Unpin", func(_ *Panel, m *Menu) bool { return len(play.NailsOf(m.Of, m.body)) > 0 }, func(v *Panel, m Menu) { v.session.Build.UnpinBody(m.Of, m.body) }},
	{"menu undo", "Undo", canUndo, func(v *Panel, _ Menu) { v.session.Changes.Undo() }},
	{"menu redo", "Redo", canRedo, func(v *Panel, _ Menu) { v.session.Changes.Redo() }},
}

var placeMenu = []menuItem{
	{"menu box", "Create box", nil, func(v *Panel, m Menu) { v.session.Build.Create("box", m.at, world.Box(.5, .5)) }},
	{"menu ball", "Create ball", nil, func(v *Panel, m Menu) { v.session.Build.Create("ball", m.at, bouncy(world.Circle(.5))) }},
	{"menu capsule", "Create capsule", nil, func(v *Panel, m Menu) {
		v.session.Build.Create("capsule", m.at, world.Capsule(world.Vec{X: -.4}, world.Vec{X: .4}, .3))
	}},
	{"menu plank", "Create plank", nil, func(v *Panel, m Menu) { v.session.Build.Create("plank", m.at, world.Box(2, .12)) }},
	{"menu undo", "Undo", canUndo, func(v *Panel, _ Menu) { v.session.Changes.Undo() }},
	{"menu redo", "Redo", canRedo, func(v *Panel, _ Menu) { v.session.Changes.Redo() }},
}

var pastMenu = []menuItem{
	{"menu go on", "Go on from here", nil, func(v *Panel, _ Menu) { v.session.ContinueFromPast(play.WithoutBranch) }},
	{"menu go on beside", "Go on, beside the old run", nil, func(v *Panel, _ Menu) { v.session.ContinueFromPast(play.BesideBranch) }},
	{"menu now", "Back to now", nil, func(v *Panel, _ Menu) { v.session.Follow.ToNow() }},
}

func bouncy(s world.ShapeDef) world.ShapeDef {
	s.Restitution = .6
	return s
}

func (m *Menu) rect() ui.Rect {
	return ui.Rect{X: m.X, Y: m.Y, W: menuWide, H: float32(len(m.Items)*menuRow + 8)}
}

// OpenMenu opens the menu for the place under the cursor. If a recording is shown, a message
// says instead that nothing can be changed.
func (v *Panel) OpenMenu() {
	if v.session.Stage.Shown.What != play.ShowsPast && v.session.Travel.RefusesChange() {
		return
	}
	at := v.picture.Camera.World(v.picture.Half())
	body, _ := v.session.Stage.Under().Player.Pick(at)
	unit := float32(picture.Unit(v.picture.Surface.Scale))
	x := v.picture.Camera.CursorX
	if v.session.Stage.CursorOnRight() {
		x += float64(v.picture.Half().W)
	}
	m := Menu{Open: true, Of: v.session.Stage.Under().Player, body: body, at: at, X: float32(x) / unit, Y: float32(v.picture.Camera.CursorY) / unit}
	all := placeMenu
	if v.session.Stage.Shown.What == play.ShowsPast {
		all = pastMenu
	} else if body != 0 {
		all = bodyMenu
	}
	for _, item := range all {
		if item.can == nil || item.can(v, &m) {
			m.Items = append(m.Items, item)
		}
	}
	r := m.rect()
	m.X = max(0, min(m.X, float32(v.picture.Surface.W)/unit-r.W))
	m.Y = max(0, min(m.Y, float32(v.picture.Surface.H)/unit-r.H))
	if v.Menu = m; body != 0 && !v.session.Inspect.Pinned && !v.session.Inspect.Has(body) {
		v.session.Inspect.ChooseIn(body, v.session.Stage.CursorOnRight())
	}
}

// layMenu lays out the menu on top of everything else.
func (v *Panel) layMenu(c *ui.Context) {
	m := v.Menu
	if !m.Open {
		return
	}
	r := m.rect()
	c.Box(ui.Rect{X: r.X - 1, Y: r.Y - 1, W: r.W + 2, H: r.H + 2}, 5, ui.Edge)
	c.Box(r, 4, ui.Colour(picture.HelpColour))
	in := r.Inset(4)
	for _, item := range m.Items {
		if c.Item(item.Name, in.Top(menuRow), item.text, notChosen) {
			v.Menu.Open = false
			item.do(v, m)
		}
	}
}
