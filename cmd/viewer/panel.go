package main

import (
	"cmp"
	"fmt"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

// panel is the part of the window with the controls, made with the immediate-mode widgets of package
// ui. It stands at the right, and the world is drawn beside it.
type panel struct {
	picture *picture

	on   bool
	ui   *ui.Context
	unit int // pixels

	keys   keyboard
	press0 press // of the left or right button
	menu   menu

	page       int    // the open one, such as scenePage
	search     string // in the list of scenes
	scroll     [len(pages)]ui.Scroll
	list       ui.Scroll // the list of scenes
	moments    ui.Scroll // the list of changes
	parts      partList  // the list of bodies, shapes and joints
	momentRows rowNames
	found      []int    // scenes that match the search
	arrived    int      // session.arrived when the list was last laid out
	shown      int      // the scene that the list has been scrolled to, or -1
	inside     bool     // the button was pressed on the panel, which gets what follows until it is let go
	x, y       float64  // the cursor, pixels
	dragged    [4]int   // the values of the sliders of restartSlider while they are held; 0: not held
	loops      []string // the loops that can be chosen
	barRange   ui.Range // of the time bar; see layTime
	scrub      uint64   // the tick that the bar was dragged to
	swallow    bool     // ignore the next character: it comes from the key that opened the search
	err        error    // the first of this frame's actions that failed
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

func newPanel(on bool) *panel { return &panel{on: on, unit: 1, shown: -1, loops: play.LoopNames()} }

// Sizes in units (pixels divided by the scale of the display).
const (
	panelWide   = 300  // the panel's width in a window of wideWindow or more
	panelNarrow = 256  // its width in a narrower one, down to twice this
	panelLow    = 240  // the least height of a window with a panel
	wideWindow  = 1100 // the width from which on the panel has room beside the metrics
)

// Arguments of controls.
const (
	notChosen = false // a button or an item of a list is drawn in the usual way
	noKey     = ""    // no key does the same as the control
	noText    = ""    // the button has only an icon
)

// width is how much of the surface the panel takes, in pixels: nothing if it is
// hidden, or if the window is too small for it.
func (p *panel) width(s input.Surface) int {
	unit := glrender.Unit(s.Scale)
	w, h := s.W/unit, s.H/unit
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
func (p *panel) crowds(s input.Surface) bool {
	return p.width(s) > 0 && s.W/glrender.Unit(s.Scale) < wideWindow
}

// covers reports whether the panel is at a point of the window.
func (p *panel) covers(s input.Surface, x float64) bool {
	w := p.width(s)
	return w > 0 && x >= float64(s.W-w)
}

// onControls reports whether the cursor is on the panel or the menu.
func (v *viewer) onControls() bool {
	p := v.panel
	return p.covers(v.picture.surface, p.x) || v.panel.menu.open && v.panel.menu.rect().Has(float32(p.x)/float32(p.unit), float32(p.y)/float32(p.unit))
}

// feed gives an event to the panel. It reports whether the event is the panel's
// alone.
func (v *viewer) feed(e *input.Event) bool {
	p := v.panel
	if p.width(v.picture.surface) == 0 && !v.panel.menu.open {
		if p.inside { // the window has become too small meanwhile
			p.inside = false
			p.context().Cancel()
		}
		return false
	}
	c := p.context()
	switch e.Kind {
	case input.CursorInput:
		p.x, p.y = e.X, e.Y
		c.Feed(ui.Event{Kind: ui.Move, X: float32(e.X) / float32(p.unit), Y: float32(e.Y) / float32(p.unit)})
		return p.inside
	case input.LeaveInput:
		if !p.inside { // a drag goes on outside the window
			c.Feed(ui.Event{Kind: ui.Move, X: -1, Y: -1})
		}
		return true
	case input.ButtonInput:
		if e.Button != input.MouseButtonLeft {
			return e.Action == input.Press && v.onControls()
		}
		if e.Action == input.Press {
			if p.inside = v.onControls(); p.inside {
				c.Feed(ui.Event{Kind: ui.Press, At: e.At})
			} else {
				c.Leave()
			}
			return p.inside
		}
		pressedHere := p.inside
		p.inside = false
		if pressedHere {
			c.Feed(ui.Event{Kind: ui.Release})
		}
		return pressedHere
	case input.ScrollInput:
		if !p.covers(v.picture.surface, p.x) {
			return false
		}
		c.Feed(ui.Event{Kind: ui.Wheel, Y: float32(e.Y)})
		return true
	case input.CharInput:
		if p.swallow {
			p.swallow = false
			return true
		}
		if c.Typing() {
			c.Feed(ui.Event{Kind: ui.Char, Rune: e.Char})
		}
		return true
	case input.KeyInput:
		p.swallow = false
		if !c.Typing() {
			return false
		}
		if k, ok := typingKeys[e.Key]; ok && e.Action != input.Release {
			c.Feed(ui.Event{Kind: ui.KeyPress, Key: k})
		}
		return e.Key != input.KeyTab && (e.Key < input.KeyF1 || e.Key > input.KeyF25) // these work while one types
	}
	return false
}

// typingKeys are the keys that a text field handles besides characters.
var typingKeys = map[input.Key]ui.Key{
	input.KeyBackspace: ui.Backspace, input.KeyEnter: ui.Enter, input.KeyKPEnter: ui.Enter,
	input.KeyEscape: ui.Escape,
}

// context returns the state of the controls. It makes it when they are first shown.
func (p *panel) context() *ui.Context {
	if p.ui == nil {
		p.ui = ui.New(func(f ui.Face, s string) float32 {
			return glrender.LabelWidth(glrender.Face(f), p.unit, s)
		})
	}
	return p.ui
}

// keepError keeps the first error of a frame's controls; runPanel returns it.
func (p *panel) keepError(err error) { p.err = cmp.Or(p.err, err) }

// actionButton lays out a button that runs the action of that name (actions.go). With on it is drawn
// as chosen.
func (v *viewer) actionButton(name string, r ui.Rect, icon ui.Icon, text, tip string, on bool) {
	c, a := v.panel.ui, named(name)
	pressed := c.Button(name, r, icon, text, on)
	c.Tip(tip, v.panel.keys.first(name))
	if pressed {
		v.panel.keepError(v.act(a))
	}
}

// actionToggle lays out a switch that runs the action of that name.
func (v *viewer) actionToggle(name, text string, on bool) {
	c := v.panel.ui
	if c.Toggle(name, c.Next(ui.RowHeight), text, v.panel.keys.first(name), on) {
		v.panel.keepError(v.act(named(name)))
	}
}

// choice lays out a row that chooses one of some options. at is the index of the chosen one; set is
// called with a new one. used is the name under which -stats counts it, key the key that does the
// same or "", and tip describes the chosen option.
func (v *viewer) choice(name, used, text, key string, options []string, at int, tip string, set func(i int) error) {
	c := v.panel.ui
	i, changed := c.Choice(name, c.Next(ui.RowHeight), text, key, options, at)
	c.Tip(tip, noKey)
	c.Space(3)
	if changed {
		v.Uses.Count(used)
		v.panel.keepError(set(i))
	}
}

// slider lays out a row for a number x, and calls set with a new one. key is a key that does the
// same, or "".
func (v *viewer) slider(name, text, key string, x float64, g *ui.Range, set func(x float64) error) {
	c := v.panel.ui
	if x, changed, _ := c.Slider(name, c.Next(ui.SliderHeight), text, key, x, g); changed {
		v.Uses.Count(name)
		v.panel.keepError(set(x))
	}
}

// runPanel lays out the controls, and acts on the user's input. Each frame calls it once, before it
// advances the world.
func (v *viewer) runPanel() error {
	p := v.panel
	p.err = nil
	wide := p.width(v.picture.surface)
	if wide == 0 && !v.panel.menu.open || v.Stage.View == nil || v.Stage.View.Scene == nil {
		return nil
	}
	p.unit = glrender.Unit(v.picture.surface.Scale)
	c := p.context()
	u := float32(p.unit)
	w, h := float32(v.picture.surface.W)/u, float32(v.picture.surface.H)/u
	c.Begin(w, h, time.Now())
	if wide > 0 {
		area := ui.Rect{X: w - float32(wide)/u, Y: 0, W: float32(wide) / u, H: h}
		c.Box(area, 0, ui.Ground)
		c.Box(ui.Rect{X: area.X, Y: 0, W: 1, H: h}, 0, ui.Edge)
		v.layPanel(c, area.Inset(panelMargin))
	}
	v.layMenu(c)
	c.End()
	if !c.Held(v.Changes.Moments.Control) { // the control has been let go: its next use is another change
		v.Changes.Moments.Control = ""
	}
	if why := c.Refused(); why != "" { // a typed value is out of range
		v.picture.Say(why)
	}
	return p.err
}

const panelMargin = 10

// layPanel lays out all controls: first the transport, which is on every page, and then the open page.
func (v *viewer) layPanel(c *ui.Context, area ui.Rect) {
	v.transport(c, &area)
	p := v.panel
	area.Top(4)
	if page := c.Tabs(area.Top(24), pageControls[:], pages[:], p.page); page != p.page {
		p.page = page
		v.Uses.Count("page " + pages[page])
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

// transport lays out the scene's name and tick, and the controls of its time.
func (v *viewer) transport(c *ui.Context, area *ui.Rect) {
	line := area.Top(18)
	part := float32(.5)
	if v.Travel.Playback.Backward {
		part = .7 // of the width: this text is longer
	}
	state := line.Right(line.W * part)
	c.Print(line, ui.Strong, ui.Start, ui.Ink, v.Stage.Scenes[v.Stage.Current].Name)
	t, col := v.picture.figures.Line().Str("tick ").Int(int64(v.Stage.View.Tick)), ui.Dim
	switch {
	case v.Outcome.Failure != nil:
		t, col = v.picture.figures.Line().Str("physics has stopped"), ui.Bad
	case v.Travel.Playback.Backward:
		t, col = t.Str("  playing backward"), ui.Accent
	case v.Travel.Stopped():
		t, col = t.Str("  paused"), ui.Warn
	}
	c.Print(state, ui.Plain, ui.End, col, t.S())
	area.Top(6)

	row := area.Top(26)
	icon, tip := ui.Pause, "pause"
	switch {
	case v.Travel.Playback.Backward:
		tip = "stop"
	case v.Travel.ReplayEnded():
		icon, tip = ui.Play, "play from the beginning"
	case v.Travel.Stopped():
		icon, tip = ui.Play, "continue"
	}
	button := func(i int, name string, icon ui.Icon, tip string, on bool) {
		v.actionButton(name, row.Column(i, 6, 4), icon, noText, tip, on)
	}
	button(0, "pause", icon, tip, v.Travel.Stopped())
	button(1, "step", ui.StepOn, "pause and run a single step", notChosen)
	button(2, "restart", ui.Again, "restart the scene", notChosen)
	recording, tip := ui.Record, "record to a new file, from here on"
	if v.Stage.Live().Recording() {
		recording, tip = ui.Stop, "end the recording"
	}
	button(3, "record", recording, tip, v.Stage.Live().Recording())
	button(4, "snapshot", ui.Mark, "take a snapshot", v.Changes.Saved != nil)
	if v.Changes.Saved != nil { // there is a snapshot
		button(5, "restore", ui.Return, "go back to the snapshot", notChosen)
	} else {
		if c.FaintButton("restore", row.Column(5, 6, 4), ui.Return, noText) {
			v.panel.keepError(v.act(named("restore")))
		}
		c.Tip("no snapshot of this run to go back to", v.panel.keys.first("restore"))
	}
	v.layTime(c, area)
	area.Top(8)
	name := "time scale"
	if v.Stage.Shown.What == play.ShowsPast { // the past has a scale of its own
		name = "time scale of the past"
	}
	if x, changed, _ := c.Slider("time scale", area.Top(ui.SliderHeight), name, v.panel.keys.labels["time scale"], v.Follow.Scale(), &scaleRange); changed {
		v.Uses.Count("time scale")
		v.panel.keepError(v.Tune.SetScale(x))
	}
}

var scaleRange = ui.Range{Min: .01, Max: 4, Default: 1, Log: true, Unit: "×", TypedMin: 1e-3, TypedMax: 1000}

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
	if v.panel.on && v.panel.width(v.picture.surface) == 0 {
		v.picture.Say(fmt.Sprintf("no room for the panel: it needs a window of %d by %d", 2*panelNarrow, panelLow))
	}
}

// toggleAll hides the panel and the metrics, or shows both if neither is shown.
func (v *viewer) toggleAll() {
	on := !v.panel.on && !v.picture.hud.on
	v.picture.hud.on = on
	if v.panel.on != on {
		v.togglePanel()
	}
}

// findScene opens the panel at the list of scenes, and puts the cursor into its search field.
func (v *viewer) findScene() {
	if v.panel.on {
		v.sayNarrow()
	} else {
		v.togglePanel()
	}
	if v.panel.width(v.picture.surface) == 0 {
		return
	}
	v.panel.page, v.panel.swallow = scenePage, true
	v.panel.context().Focus("search")
}

// The panel is the picture's controls.

// shapes returns what is to be drawn of the panel and the menu, or nil.
func (p *panel) shapes() *ui.Context {
	if p.width(p.picture.surface) == 0 && !p.menu.open {
		return nil
	}
	return p.ui
}

func (p *panel) knob() uint64 { return p.scrub }

func (p *panel) drags() bool { return p.press0.drag }

func (p *panel) key(action string) string { return p.keys.first(action) }

func (p *panel) helpLines() []helpLine { return p.keys.helpLines() }
