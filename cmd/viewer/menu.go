package main

import (
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// menu is the list that a right click opens for a body, for a place without one, or in the past.
type menu struct {
	open  bool
	items []menuItem   // those that can be used now
	x, y  float32      // its corner, units
	of    *play.Player // the engine of the half that was clicked
	body  world.Body   // under the cursor, or 0
	at    world.Vec    // the point of the world that was clicked, m
}

// Sizes of the menu, in units.
const (
	menuWide = 168
	menuRow  = 22
)

// menuItem is a row of the menu.
type menuItem struct {
	name string // of its control
	text string
	can  func(v *panel, m *menu) bool // whether it is in the menu; nil: always
	do   func(v *panel, m menu)
}

func canRedo(v *panel, _ *menu) bool { return v.session.Changes.Moments.CanRedo() }

func canUndo(v *panel, _ *menu) bool {
	return v.session.Changes.Moments.Of(v.session.Changes.Moments.Last) != nil
}

var bodyMenu = []menuItem{
	{"menu copy", "Copy", nil, func(v *panel, m menu) { v.session.Build.CopyBody(m.of, m.body) }},
	{"menu delete", "Delete", nil, func(v *panel, m menu) { v.session.Build.DeleteBody(m.of, m.body) }},
	{"menu pin", "Pin here, to the world", func(_ *panel, m *menu) bool { return m.of.Kind(m.body) == world.Dynamic }, func(v *panel, m menu) { v.session.Build.PinBody(m.body, m.at) }},
	{"menu unpin", "Unpin", func(_ *panel, m *menu) bool { return len(play.NailsOf(m.of, m.body, play.AnyJoint)) > 0 }, func(v *panel, m menu) { v.session.Build.UnpinBody(m.of, m.body) }},
	{"menu undo", "Undo", canUndo, func(v *panel, _ menu) { v.session.Changes.Undo() }},
	{"menu redo", "Redo", canRedo, func(v *panel, _ menu) { v.session.Changes.Redo() }},
}

var placeMenu = []menuItem{
	{"menu box", "New box", nil, func(v *panel, m menu) { v.session.Build.Create("box", m.at, world.Box(.5, .5)) }},
	{"menu ball", "New ball", nil, func(v *panel, m menu) { v.session.Build.Create("ball", m.at, bouncy(world.Circle(.5))) }},
	{"menu capsule", "New capsule", nil, func(v *panel, m menu) {
		v.session.Build.Create("capsule", m.at, world.Capsule(world.Vec{X: -.4}, world.Vec{X: .4}, .3))
	}},
	{"menu plank", "New plank", nil, func(v *panel, m menu) { v.session.Build.Create("plank", m.at, world.Box(2, .12)) }},
	{"menu undo", "Undo", canUndo, func(v *panel, _ menu) { v.session.Changes.Undo() }},
	{"menu redo", "Redo", canRedo, func(v *panel, _ menu) { v.session.Changes.Redo() }},
}

var pastMenu = []menuItem{
	{"menu go on", "Go on from here", nil, func(v *panel, _ menu) { v.session.GoOn(play.WithoutBranch) }},
	{"menu go on beside", "Go on, beside what was", nil, func(v *panel, _ menu) { v.session.GoOn(play.BesideBranch) }},
	{"menu now", "Back to now", nil, func(v *panel, _ menu) { v.session.Follow.ToNow() }},
}

func bouncy(s world.ShapeDef) world.ShapeDef {
	s.Restitution = .6
	return s
}

func (m *menu) rect() ui.Rect {
	return ui.Rect{X: m.x, Y: m.y, W: menuWide, H: float32(len(m.items)*menuRow + 8)}
}

// openMenu opens the menu for what is under the cursor. In a recording it says instead that nothing
// can be changed.
func (v *panel) openMenu() {
	if v.session.Stage.Shown.What != play.ShowsPast && v.session.Travel.RefusesChange() {
		return
	}
	at := v.picture.camera.world(v.picture.half())
	body, _ := v.session.Stage.Under().Player.Pick(at)
	unit := float32(glrender.Unit(v.picture.surface.Scale))
	x := v.picture.camera.x
	if v.session.Stage.OverRight() {
		x += float64(v.picture.half().W)
	}
	m := menu{open: true, of: v.session.Stage.Under().Player, body: body, at: at, x: float32(x) / unit, y: float32(v.picture.camera.y) / unit}
	all := placeMenu
	if v.session.Stage.Shown.What == play.ShowsPast {
		all = pastMenu
	} else if body != 0 {
		all = bodyMenu
	}
	for _, item := range all {
		if item.can == nil || item.can(v, &m) {
			m.items = append(m.items, item)
		}
	}
	r := m.rect()
	m.x = max(0, min(m.x, float32(v.picture.surface.W)/unit-r.W))
	m.y = max(0, min(m.y, float32(v.picture.surface.H)/unit-r.H))
	if v.menu = m; body != 0 && !v.session.Inspect.Pinned {
		v.session.Inspect.ChooseIn(body, v.session.Stage.OverRight())
	}
}

// layMenu lays out the menu over everything.
func (v *panel) layMenu(c *ui.Context) {
	m := v.menu
	if !m.open {
		return
	}
	r := m.rect()
	c.Box(ui.Rect{X: r.X - 1, Y: r.Y - 1, W: r.W + 2, H: r.H + 2}, 5, ui.Edge)
	c.Box(r, 4, ui.Colour(helpColour))
	in := r.Inset(4)
	for _, item := range m.items {
		if c.Item(item.name, in.Top(menuRow), item.text, notChosen) {
			v.menu.open = false
			item.do(v, m)
		}
	}
}
