package main

import (
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// menu is what a right click offers for a body or a place.
type menu struct {
	open bool
	undo bool    // there is something to undo
	x, y float32 // its corner, units
	of   *player // the half
	body world.Body
	at   world.Vec
}

// Sizes of the menu.
const (
	menuWide = 168
	menuRow  = 22
)

// menuItem is a row of the menu.
type menuItem struct {
	name string // its control's
	text string
	do   func(v *viewer, m menu)
}

var bodyMenu = []menuItem{
	{"menu copy", "Copy", func(v *viewer, m menu) { v.copyBody(m.of, m.body) }},
	{"menu delete", "Delete", func(v *viewer, m menu) { v.deleteBody(m.body) }},
	{"menu pin", "Pin here, to the world", func(v *viewer, m menu) { v.pinBody(m.body, m.at) }},
	{"menu undo", "Undo", func(v *viewer, _ menu) { v.undo() }},
}

var placeMenu = []menuItem{
	{"menu box", "New box", func(v *viewer, m menu) { v.create("box", m.at, world.Box(.5, .5)) }},
	{"menu ball", "New ball", func(v *viewer, m menu) { v.create("ball", m.at, bouncy(world.Circle(.5))) }},
	{"menu capsule", "New capsule", func(v *viewer, m menu) {
		v.create("capsule", m.at, world.Capsule(world.Vec{X: -.4}, world.Vec{X: .4}, .3))
	}},
	{"menu plank", "New plank", func(v *viewer, m menu) { v.create("plank", m.at, world.Box(2, .12)) }},
	{"menu undo", "Undo", func(v *viewer, _ menu) { v.undo() }},
}

func bouncy(s world.ShapeDef) world.ShapeDef {
	s.Restitution = .6
	return s
}

func (m *menu) items() []menuItem {
	items := placeMenu
	if m.body != 0 {
		items = bodyMenu
	}
	if !m.undo {
		items = items[:len(items)-1]
	}
	return items
}

func (m *menu) rect() ui.Rect {
	return ui.Rect{X: m.x, Y: m.y, W: menuWide, H: float32(len(m.items())*menuRow + 8)}
}

// openMenu opens the menu for what is under the cursor.
func (v *viewer) openMenu() {
	at := v.camera.world(v.half())
	body, _ := v.under().player.pick(at)
	unit := float32(glrender.Unit(v.surface.scale))
	x := v.camera.x
	if v.overRight() {
		x += float64(v.half().w)
	}
	m := menu{open: true, undo: len(v.undos) > 0, of: v.under().player, body: body, at: at, x: float32(x) / unit, y: float32(v.camera.y) / unit}
	r := m.rect()
	m.x = max(0, min(m.x, float32(v.surface.w)/unit-r.W))
	m.y = max(0, min(m.y, float32(v.surface.h)/unit-r.H))
	if v.menu = m; body != 0 && !v.inspect.pinned {
		v.inspect.chooseIn(body, v.overRight())
	}
}

// layMenu lays out the menu over everything.
func (v *viewer) layMenu(c *ui.Context) {
	m := v.menu
	if !m.open {
		return
	}
	r := m.rect()
	c.Box(ui.Rect{X: r.X - 1, Y: r.Y - 1, W: r.W + 2, H: r.H + 2}, 5, ui.Edge)
	c.Box(r, 4, ui.Colour(helpColour))
	in := r.Inset(4)
	items := m.items()
	for i := range items {
		if c.Item(items[i].name, in.Top(menuRow), items[i].text, false) {
			v.menu.open = false
			items[i].do(v, m)
		}
	}
}
