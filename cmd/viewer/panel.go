package main

import (
	"cmp"
	"fmt"
	"time"

	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// panel is the part of the window with the controls. It stands at the right, and
// the world is drawn beside it.
type panel struct {
	on   bool
	ui   *ui.Context
	unit int // pixels

	page       int
	search     string // in the list of scenes
	scroll     [len(pages)]ui.Scroll
	list       ui.Scroll // the list of scenes
	moments    ui.Scroll
	parts      partList
	momentRows rowNames
	found      []int    // scenes that match the search
	shown      int      // the scene that the list has been scrolled to
	inside     bool     // the button was pressed on the panel, which gets what follows until it is let go
	x, y       float64  // the cursor, pixels
	dragged    [4]int   // what the sliders of restartSlider show until they are let go; 0 is nothing
	loops      []string // the loops that can be chosen
	barRange   ui.Range
	scrub      uint64 // the tick that the bar was dragged to
	swallow    bool   // the next character is that of the key that was just handled
	err        error  // the first of this frame's actions that failed
}

// The pages of the panel.
const (
	scenePage = iota
	worldPage
	viewPage
	bodyPage
	figuresPage
)

var (
	pages        = [...]string{"Scene", "World", "View", "Body", "Figures"}
	pageControls = [...]string{"page/Scene", "page/World", "page/View", "page/Body", "page/Figures"}
)

func newPanel(on bool) panel { return panel{on: on, unit: 1, shown: -1, loops: loopNames()} }

// Widths of the panel in units: of a wide window, and of one that is as narrow as
// 960.
const (
	panelWide   = 300
	panelNarrow = 256
	panelLow    = 240 // the least height of a window with a panel
	wideWindow  = 1100
)

// width is how much of the surface the panel takes, in pixels: nothing if it is
// hidden, or if the window is too small for it.
func (p *panel) width(s surface) int {
	unit := glrender.Unit(s.scale)
	w, h := s.w/unit, s.h/unit
	switch {
	case !p.on || w < 2*panelNarrow || h < panelLow:
		return 0
	case w < wideWindow:
		return panelNarrow * unit
	}
	return panelWide * unit
}

// crowds reports whether there is no room for the metrics beside the panel; the page
// Figures has them too.
func (p *panel) crowds(s surface) bool {
	return p.width(s) > 0 && s.w/glrender.Unit(s.scale) < wideWindow
}

// covers reports whether the panel is at a point of the window.
func (p *panel) covers(s surface, x float64) bool {
	w := p.width(s)
	return w > 0 && x >= float64(s.w-w)
}

// onControls reports whether the cursor is on the panel or the menu.
func (v *viewer) onControls() bool {
	p := &v.panel
	return p.covers(v.surface, p.x) || v.menu.open && v.menu.rect().Has(float32(p.x)/float32(p.unit), float32(p.y)/float32(p.unit))
}

// feed gives an event to the panel. It reports whether the event is the panel's
// alone.
func (v *viewer) feed(e *inputEvent) bool {
	p := &v.panel
	if p.width(v.surface) == 0 && !v.menu.open {
		if p.inside { // the window has become too small meanwhile
			p.inside = false
			p.context().Cancel()
		}
		return false
	}
	c := p.context()
	switch e.kind {
	case cursorInput:
		p.x, p.y = e.x, e.y
		c.Feed(ui.Event{Kind: ui.Move, X: float32(e.x) / float32(p.unit), Y: float32(e.y) / float32(p.unit)})
		return p.inside
	case leaveInput:
		if !p.inside { // a drag goes on outside the window
			c.Feed(ui.Event{Kind: ui.Move, X: -1, Y: -1})
		}
		return true
	case buttonInput:
		if e.button != glfw.MouseButtonLeft {
			return e.action == glfw.Press && v.onControls()
		}
		if e.action == glfw.Press {
			if p.inside = v.onControls(); p.inside {
				c.Feed(ui.Event{Kind: ui.Press, At: e.at})
			} else {
				c.Leave()
			}
			return p.inside
		}
		was := p.inside
		p.inside = false
		if was {
			c.Feed(ui.Event{Kind: ui.Release})
		}
		return was
	case scrollInput:
		if !p.covers(v.surface, p.x) {
			return false
		}
		c.Feed(ui.Event{Kind: ui.Wheel, Y: float32(e.y)})
		return true
	case charInput:
		if p.swallow {
			p.swallow = false
			return true
		}
		if c.Typing() {
			c.Feed(ui.Event{Kind: ui.Char, Rune: e.char})
		}
		return true
	case keyInput:
		p.swallow = false
		if !c.Typing() {
			return false
		}
		if k, ok := typingKeys[e.key]; ok && e.action != glfw.Release {
			c.Feed(ui.Event{Kind: ui.KeyPress, Key: k})
		}
		return e.key != glfw.KeyTab && (e.key < glfw.KeyF1 || e.key > glfw.KeyF25)
	}
	return false
}

// typingKeys are the keys that a text field handles besides characters.
var typingKeys = map[glfw.Key]ui.Key{
	glfw.KeyBackspace: ui.Backspace, glfw.KeyEnter: ui.Enter, glfw.KeyKPEnter: ui.Enter,
	glfw.KeyEscape: ui.Escape,
}

// context is the state of the controls, made when they are first shown.
func (p *panel) context() *ui.Context {
	if p.ui == nil {
		p.ui = ui.New(func(f ui.Face, s string) float32 {
			return glrender.LabelWidth(glrender.Face(f), p.unit, s)
		})
	}
	return p.ui
}

// try keeps the first error of a frame, which runPanel returns.
func (p *panel) try(err error) { p.err = cmp.Or(p.err, err) }

// actionButton is a button for an action, whose description is tip.
func (v *viewer) actionButton(name string, r ui.Rect, icon ui.Icon, text, tip string, on bool) {
	c, a := v.panel.ui, named(name)
	pressed := c.Button(name, r, icon, text, on)
	c.Tip(tip, v.keys.first(name))
	if pressed {
		v.panel.try(v.act(a))
	}
}

// actionToggle is a switch for an action.
func (v *viewer) actionToggle(name, text string, on bool) {
	c := v.panel.ui
	if c.Toggle(name, c.Next(ui.RowHeight), text, v.keys.first(name), on) {
		v.panel.try(v.act(named(name)))
	}
}

// choice is a row that chooses one of some options by calling set with its index. used is its
// name in -stats, and tip describes what is chosen.
func (v *viewer) choice(name, used, text, key string, options []string, at int, tip string, set func(i int) error) {
	c := v.panel.ui
	i, changed := c.Choice(name, c.Next(ui.RowHeight), text, key, options, at)
	c.Tip(tip, "")
	c.Space(3)
	if changed {
		v.count(used)
		v.panel.try(set(i))
	}
}

// slider is a row for a number, which it gives to set when it changes.
func (v *viewer) slider(name, text, key string, x float64, g *ui.Range, set func(x float64) error) {
	c := v.panel.ui
	if x, changed, _ := c.Slider(name, c.Next(ui.SliderHeight), text, key, x, g); changed {
		v.count(name)
		v.panel.try(set(x))
	}
}

// runPanel lays out the controls and acts on the user's input.
func (v *viewer) runPanel() error {
	p := &v.panel
	p.err = nil
	wide := p.width(v.surface)
	if wide == 0 && !v.menu.open || v.view == nil || v.view.Scene == nil {
		return nil
	}
	p.unit = glrender.Unit(v.surface.scale)
	c := p.context()
	u := float32(p.unit)
	w, h := float32(v.surface.w)/u, float32(v.surface.h)/u
	c.Begin(w, h, time.Now())
	if wide > 0 {
		area := ui.Rect{X: w - float32(wide)/u, Y: 0, W: float32(wide) / u, H: h}
		c.Box(area, 0, ui.Ground)
		c.Box(ui.Rect{X: area.X, Y: 0, W: 1, H: h}, 0, ui.Edge)
		v.layPanel(c, area.Inset(panelMargin))
	}
	v.layMenu(c)
	c.End()
	if !c.Held(v.moments.control) {
		v.moments.control = ""
	}
	if said := c.Refused(); said != "" {
		v.say(said)
	}
	return p.err
}

const panelMargin = 10

// layPanel lays out all controls. Those of the first lines are on every page.
func (v *viewer) layPanel(c *ui.Context, area ui.Rect) {
	v.transport(c, &area)
	p := &v.panel
	area.Top(4)
	if page := c.Tabs(area.Top(24), pageControls[:], pages[:], p.page); page != p.page {
		p.page = page
		v.count("page " + pages[page])
	}
	area.Top(8)
	switch p.page {
	case scenePage:
		v.layScene(c, area)
	case worldPage:
		v.layWorld(c, area)
	case viewPage:
		v.layView(c, area)
	case bodyPage:
		v.layBody(c, area)
	case figuresPage:
		v.layFigures(c, area)
	}
}

// transport is the scene's name and the controls of its time.
func (v *viewer) transport(c *ui.Context, area *ui.Rect) {
	line := area.Top(18)
	part := float32(.5)
	if v.playback.backward {
		part = .7 // the longer text says more
	}
	state := line.Right(line.W * part)
	c.Print(line, ui.Strong, ui.Start, ui.Ink, v.scenes[v.current].Name)
	t, col := v.figures.line().str("tick ").int(int64(v.view.Tick)), ui.Dim
	switch {
	case v.failure != nil:
		t, col = v.figures.line().str("physics has stopped"), ui.Bad
	case v.playback.backward:
		t, col = t.str("  playing backward"), ui.Accent
	case v.stopped():
		t, col = t.str("  paused"), ui.Warn
	}
	c.Print(state, ui.Plain, ui.End, col, t.s())
	area.Top(6)

	row := area.Top(26)
	icon, tip := ui.Pause, "pause"
	switch {
	case v.playback.backward:
		tip = "stop"
	case v.replayEnded():
		icon, tip = ui.Play, "play from the beginning"
	case v.stopped():
		icon, tip = ui.Play, "continue"
	}
	button := func(i int, name string, icon ui.Icon, tip string, on bool) {
		v.actionButton(name, row.Column(i, 6, 4), icon, "", tip, on)
	}
	button(0, "pause", icon, tip, v.stopped())
	button(1, "step", ui.StepOn, "pause and run a single step", false)
	button(2, "restart", ui.Again, "restart the scene", false)
	recording, tip := ui.Record, "record to a new file, from here on"
	if v.live().recording() {
		recording, tip = ui.Stop, "end the recording"
	}
	button(3, "record", recording, tip, v.live().recording())
	button(4, "snapshot", ui.Mark, "take a snapshot", v.saved != nil)
	if v.saved != nil {
		button(5, "restore", ui.Return, "go back to the snapshot", false)
	} else {
		if c.FaintButton("restore", row.Column(5, 6, 4), ui.Return, "") {
			v.panel.try(v.act(named("restore")))
		}
		c.Tip("no snapshot of this run to go back to", v.keys.first("restore"))
	}
	v.layTime(c, area)
	area.Top(8)
	name := "time scale"
	if v.past != nil { // the past has a scale of its own
		name = "time scale of the past"
	}
	if x, changed, _ := c.Slider("time scale", area.Top(ui.SliderHeight), name, v.keys.labels["time scale"], v.scale(), &scaleRange); changed {
		v.count("time scale")
		v.panel.try(v.setScale(x))
	}
}

var scaleRange = ui.Range{Min: .01, Max: 4, Default: 1, Log: true, Unit: "×", TypedMin: 1e-3, TypedMax: 1000}

// drawPanel draws what runPanel has laid out.
func (v *viewer) drawPanel(h *glrender.HUD) {
	if v.panel.width(v.surface) == 0 && !v.menu.open || v.panel.ui == nil {
		return
	}
	c := v.panel.ui
	shapes := c.Shapes()
	for i := range shapes {
		s := &shapes[i]
		h.Clip(0, s.Top, 1e6, s.Bottom-s.Top)
		switch s.Kind {
		case ui.Box:
			h.Panel(s.X, s.Y, s.W, s.H, s.R, s.Colour)
		case ui.Line:
			h.Line(s.X, s.Y, s.W, s.H, s.R, s.Colour)
		case ui.Label:
			h.Label(s.X, s.Y, glrender.Face(s.Face), s.Colour, c.Text(s))
		}
	}
	h.Unclip()
}

// clear is the size of the canvas beside the panel, in units.
func (v *viewer) clear(h *glrender.HUD) (width, height float32) {
	width, height = h.Size()
	return width - float32(v.panel.width(v.surface))/h.Unit(), height
}

// togglePanel shows or hides the panel. The camera keeps its centre.
func (v *viewer) togglePanel() {
	v.panel.on = !v.panel.on
	v.panel.inside = false
	if v.panel.ui != nil {
		v.panel.ui.Cancel()
	}
	v.sayNarrow()
}

// sayNarrow says that a window has no room for the panel, if it is wanted.
func (v *viewer) sayNarrow() {
	if v.panel.on && v.panel.width(v.surface) == 0 {
		v.say(fmt.Sprintf("no room for the panel: it needs a window of %d by %d", 2*panelNarrow, panelLow))
	}
}

// toggleAll hides the panel and the metrics, or shows both if neither is.
func (v *viewer) toggleAll() {
	on := !v.panel.on && !v.hud.on
	v.hud.on = on
	if v.panel.on != on {
		v.togglePanel()
	}
}

// findScene makes the list of scenes ready for a name.
func (v *viewer) findScene() {
	if v.panel.on {
		v.sayNarrow()
	} else {
		v.togglePanel()
	}
	if v.panel.width(v.surface) == 0 {
		return
	}
	v.panel.page, v.panel.swallow = scenePage, true
	v.panel.context().Focus("search")
}
