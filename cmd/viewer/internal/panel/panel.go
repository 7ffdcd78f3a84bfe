// Package panel handles the user's input: the panel with its pages, the menu, the pointer, and the
// keys.
package panel

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/ui"
)

// Panel is the part of the window that has the controls. It uses the immediate-mode widgets of
// package ui. It is at the right side of the window, and the world is drawn beside it.
type Panel struct {
	session *play.Session
	picture *picture.Picture
	runner  Runner

	On   bool
	Ui   *ui.Context
	unit int // pixels

	Keys    keyboard
	Pointer pointer
	Menu    Menu

	Page       int // Page is the open page, such as ScenePage.
	scroll     [len(Pages)]ui.Scroll
	Bar        timeBar
	Scenes     scenePane
	World      worldPane
	Views      viewPane
	Bodies     bodyPane
	figs       figuresPane
	inside     bool    // inside says that the button was pressed on the panel. The panel then gets all events until the release.
	X, y       float64 // the cursor, pixels
	ignoreChar bool    // ignoreChar makes the panel ignore the next character, which comes from the key that opened the search.
	Err        error   // Err is the error of the first action of this frame that failed.
}

// Runner has the parts of the run that the panel uses.
type Runner interface {
	Quit()
	Fullscreen()             // Fullscreen makes the window fill the screen, or restores the window.
	Screenshot()             // Screenshot saves a picture of the next frame.
	SaveScene(ending string) // .json or .go
	ExportPlot()             // ExportPlot exports all values of the chosen body.

	Caps() (names []string, at int) // Caps returns the limits for the frame rate that the user can choose, and the index of the present one.
	SetCap(i int)                   // SetCap sets a limit by its index in Caps. NextCap goes through the standard limits only.
	NextCap()
}

// These are the pages of the panel.
const (
	ScenePage = iota
	WorldPage
	ViewPage
	BodyPage
	FiguresPage
)

var (
	Pages        = [...]string{"Scene", "World", "View", "Body", "Figures"}
	pageControls = [...]string{"page/Scene", "page/World", "page/View", "page/Body", "page/Figures"}
)

// New makes a panel. The caller must call Plays before the first layout.
func New(pic *picture.Picture, with Runner, on bool) *Panel {
	v := &Panel{picture: pic, runner: with, On: on, unit: 1, Keys: NewKeyboard(usLayout)}
	v.Pointer.panel, v.Pointer.picture = v, pic
	v.Bar.panel, v.Bar.picture = v, pic
	v.Scenes = scenePane{panel: v, picture: pic, shown: -1}
	v.World = worldPane{panel: v, picture: pic, loops: play.LoopNames()}
	v.Views.panel, v.Views.picture = v, pic
	v.Bodies.panel, v.Bodies.picture = v, pic
	v.figs.panel, v.figs.picture = v, pic
	return v
}

// Plays sets the session that the panel controls.
func (v *Panel) Plays(s *play.Session) {
	v.session, v.Pointer.session, v.Bar.session, v.Scenes.session = s, s, s, s
	v.World.session, v.Views.session, v.Bodies.session, v.figs.session = s, s, s, s
}

// Sizes are in units (pixels divided by the scale of the display).
const (
	PanelWide   = 300  // PanelWide is the width of the panel in a window that is at least wideWindow wide.
	PanelNarrow = 256  // PanelNarrow is the width of the panel in a narrower window, which must be at least twice as wide as the panel.
	panelLow    = 240  // panelLow is the least height of a window with a panel.
	wideWindow  = 1100 // wideWindow is the least width of a window in which the panel has room beside the metrics.
)

// Arguments of controls.
const (
	notChosen = false // notChosen means that a button or an item of a list is drawn in the usual way.
	noKey     = ""    // noKey means that no key does the same as the control.
	noText    = ""    // noText means that the button has only an icon.

	noChange = "a watched run cannot be changed"
)

// Width returns the width of the panel on the surface in pixels. It is 0 if the panel is hidden, or
// if the window is too small for the panel.
func (v *Panel) Width(s input.Surface) int {
	unit := picture.Unit(s.Scale)
	w, h := s.W/unit, s.H/unit
	switch {
	case !v.On || w < 2*PanelNarrow || h < panelLow:
		return 0
	case w < wideWindow:
		return PanelNarrow * unit
	}
	return PanelWide * unit
}

// Crowds reports whether there is no room for the metrics beside the panel. The page Figures also
// shows the metrics.
func (v *Panel) Crowds(s input.Surface) bool {
	return v.Width(s) > 0 && s.W/picture.Unit(s.Scale) < wideWindow
}

// covers reports whether the panel is at a point of the window.
func (v *Panel) covers(s input.Surface, x float64) bool {
	w := v.Width(s)
	return w > 0 && x >= float64(s.W-w)
}

// OnControls reports whether the cursor is on the panel or the menu.
func (v *Panel) OnControls() bool {
	return v.covers(v.picture.Surface, v.X) || v.Menu.Open && v.Menu.rect().Has(float32(v.X)/float32(v.unit), float32(v.y)/float32(v.unit))
}

// Feed gives an event to the panel. It reports whether the event is for the panel alone.
func (v *Panel) Feed(e *input.Event) bool {
	if v.Width(v.picture.Surface) == 0 && !v.Menu.Open {
		if v.inside { // the window has become too small in the meantime
			v.inside = false
			v.context().Cancel()
		}
		return false
	}
	c := v.context()
	switch e.Kind {
	case input.CursorInput:
		v.X, v.y = e.X, e.Y
		c.Feed(ui.Event{Kind: ui.Move, X: float32(e.X) / float32(v.unit), Y: float32(e.Y) / float32(v.unit)})
		return v.inside
	case input.LeaveInput:
		if !v.inside { // a drag continues outside the window
			c.Feed(ui.Event{Kind: ui.Move, X: -1, Y: -1})
		}
		return true
	case input.ButtonInput:
		if e.Button != input.MouseButtonLeft {
			return e.Action == input.Press && v.OnControls()
		}
		if e.Action == input.Press {
			if v.inside = v.OnControls(); v.inside {
				c.Feed(ui.Event{Kind: ui.Press, At: e.At})
			} else {
				c.Leave()
			}
			return v.inside
		}
		pressedHere := v.inside
		v.inside = false
		if pressedHere {
			c.Feed(ui.Event{Kind: ui.Release})
		}
		return pressedHere
	case input.ScrollInput:
		if !v.covers(v.picture.Surface, v.X) {
			return false
		}
		c.Feed(ui.Event{Kind: ui.Wheel, Y: float32(e.Y)})
		return true
	case input.CharInput:
		if v.ignoreChar {
			v.ignoreChar = false
			return true
		}
		if c.Typing() {
			c.Feed(ui.Event{Kind: ui.Char, Rune: e.Char})
		}
		return true
	case input.KeyInput:
		v.ignoreChar = false
		if !c.Typing() {
			return false
		}
		if e.Mods&input.ModControl != 0 && v.Keys.Key(e.Key) == input.KeyA && e.Action == input.Press {
			c.Feed(ui.Event{Kind: ui.KeyPress, Key: ui.SelectAll})
		} else if k, ok := typingKeys[e.Key]; ok && e.Action != input.Release {
			c.Feed(ui.Event{Kind: ui.KeyPress, Key: k})
		}
		return e.Key != input.KeyTab && (e.Key < input.KeyF1 || e.Key > input.KeyF25) // these keys work even while the user types
	}
	return false
}

// typingKeys are the keys that a text field handles in addition to characters.
var typingKeys = map[input.Key]ui.Key{
	input.KeyBackspace: ui.Backspace, input.KeyEnter: ui.Enter, input.KeyKPEnter: ui.Enter,
	input.KeyEscape: ui.Escape,
}

// context returns the state of the controls. The first call makes the state.
func (v *Panel) context() *ui.Context {
	if v.Ui == nil {
		v.Ui = ui.New(func(f ui.Face, s string) float32 {
			return picture.TextWidth(f, v.unit, s)
		})
	}
	return v.Ui
}

// keepError keeps the first error of a frame's controls. The method Run returns it.
func (v *Panel) keepError(err error) { v.Err = cmp.Or(v.Err, err) }

// actionButton lays out a button that runs the action of that name (see actions.go). If on is true
// the button is drawn as chosen.
func (v *Panel) actionButton(name string, r ui.Rect, icon ui.Icon, text, tip string, on bool) {
	c, a := v.Ui, Named(name)
	pressed := c.Button(name, r, icon, text, on)
	c.Tip(tip, v.Keys.First(name))
	if pressed {
		v.keepError(v.act(a))
	}
}

// actionToggle lays out a switch that runs the action of that name.
func (v *Panel) actionToggle(name, text string, on bool) {
	c := v.Ui
	if c.Toggle(name, c.Next(ui.RowHeight), text, v.Keys.First(name), on) {
		v.keepError(v.act(Named(name)))
	}
}

// slider lays out a row for the number x. When the user changes the number, slider calls set with
// the new number. The parameter key is a key that does the same, or "".
func (v *Panel) slider(name, text, key string, x float64, g *ui.Range, set func(x float64) error) {
	c := v.Ui
	if x, changed, _ := c.Slider(name, c.Next(ui.SliderHeight), text, key, x, g); changed {
		v.session.Uses.Count(name)
		v.keepError(set(x))
	}
}

// Run lays out the controls, and handles the user's input. It is called once in each frame, before
// the world advances.
func (v *Panel) Run() error {
	v.Err = nil
	wide := v.Width(v.picture.Surface)
	if wide == 0 && !v.Menu.Open || v.session.Stage.View == nil || v.session.Stage.View.Scene == nil {
		return nil
	}
	v.unit = picture.Unit(v.picture.Surface.Scale)
	c := v.context()
	u := float32(v.unit)
	w, h := float32(v.picture.Surface.W)/u, float32(v.picture.Surface.H)/u
	c.Begin(w, h, time.Now())
	if wide > 0 {
		area := ui.Rect{X: w - float32(wide)/u, Y: 0, W: float32(wide) / u, H: h}
		c.Box(area, 0, ui.Ground)
		c.Box(ui.Rect{X: area.X, Y: 0, W: 1, H: h}, 0, ui.Edge)
		v.layPanel(c, area.Inset(panelMargin))
	}
	v.layMenu(c)
	c.End()
	if !c.Held(v.session.Changes.Moments.Control) { // the control was released, so its next use is another change
		v.session.Changes.Moments.Control = ""
	}
	if why := c.Refused(); why != "" { // a typed value is out of range
		v.picture.Say(why)
	}
	return v.Err
}

const panelMargin = 10

// layPanel lays out all controls. The transport controls, which are on every page, come first. The
// open page follows.
func (v *Panel) layPanel(c *ui.Context, area ui.Rect) {
	v.transport(c, &area)
	area.Top(4)
	if page := c.Tabs(area.Top(24), pageControls[:], Pages[:], v.Page); page != v.Page {
		v.Page = page
		v.session.Uses.Count("page " + Pages[page])
	}
	area.Top(8)
	switch v.Page {
	case ScenePage:
		v.Scenes.layScene(c, area)
	case WorldPage:
		v.World.LayWorld(c, area)
	case ViewPage:
		v.Views.LayView(c, area)
	case BodyPage:
		v.Bodies.layBody(c, area)
	case FiguresPage:
		v.figs.layFigures(c, area)
	}
}

// transport lays out the scene's name and tick, and the controls of its time.
func (v *Panel) transport(c *ui.Context, area *ui.Rect) {
	line := area.Top(18)
	part := float32(.5)
	if v.session.Travel.Playback.Backward {
		part = .7 // the fraction of the width for the text, which is longer than usual
	}
	state := line.Right(line.W * part)
	c.Print(line, ui.Strong, ui.Start, ui.Ink, v.session.Stage.Scenes[v.session.Stage.Current].Name)
	t, col := v.picture.Figures.Line().Str("tick ").Int(int64(v.Bar.Scrubbed(c.Held("scrub")))), ui.Dim
	switch {
	case v.session.Outcome.Failure != nil:
		t, col = v.picture.Figures.Line().Str("physics has stopped"), ui.Bad
	case v.session.Travel.Playback.Backward:
		t, col = t.Str("  playing backward"), ui.Accent
	case v.session.Travel.Stopped():
		t, col = t.Str("  paused"), ui.Warn
	}
	c.Print(state, ui.Plain, ui.End, col, t.S())
	area.Top(6)

	row := area.Top(26)
	icon, tip := ui.Pause, "pause"
	switch {
	case v.session.Travel.Playback.Backward:
		tip = "stop"
	case v.session.Travel.ReplayEnded():
		icon, tip = ui.Play, "play from the beginning"
	case v.session.Travel.Stopped():
		icon, tip = ui.Play, "continue"
	}
	button := func(i int, name string, icon ui.Icon, tip string, on bool) {
		v.actionButton(name, row.Column(i, 6, 4), icon, noText, tip, on)
	}
	button(0, "pause", icon, tip, v.session.Travel.Stopped())
	button(1, "step", ui.StepOn, "pause and run a single step", notChosen)
	button(2, "restart", ui.Again, "restart the scene", notChosen)
	recording, tip := ui.Record, "record to a new file, from here on"
	if v.session.Stage.Present().Records() {
		recording, tip = ui.Stop, "end the recording"
	}
	button(3, "record", recording, tip, v.session.Stage.Present().Records())
	faint := func(i int, name string, icon ui.Icon, tip string) { // a click shows why the button does nothing
		if c.FaintButton(name, row.Column(i, 6, 4), icon, noText) {
			v.keepError(v.act(Named(name)))
		}
		c.Tip(tip, v.Keys.First(name))
	}
	watched, saved := v.session.Stage.Shown.Watched(), v.session.Changes.Saved != nil
	if watched {
		faint(4, "snapshot", ui.Mark, noChange)
	} else {
		button(4, "snapshot", ui.Mark, "take a snapshot", saved)
	}
	switch {
	case watched:
		faint(5, "restore", ui.Return, noChange)
	case saved:
		button(5, "restore", ui.Return, "go back to the snapshot", notChosen)
	default:
		faint(5, "restore", ui.Return, "no snapshot of this run to go back to")
	}
	v.Bar.layTime(c, area)
	area.Top(8)
	name := "time scale"
	if v.session.Stage.Shown.What == play.ShowsPast { // the past has a time scale of its own
		name = "time scale of the past"
	}
	if x, changed, _ := c.Slider("time scale", area.Top(ui.SliderHeight), name, v.Keys.Labels["time scale"], v.session.Follow.Scale(), &scaleRange); changed {
		v.session.Uses.Count("time scale")
		v.keepError(v.session.Tune.SetScale(x))
	}
}

var scaleRange = ui.Range{Min: .01, Max: 4, Default: 1, Log: true, Unit: "×", TypedMin: 1e-3, TypedMax: 1000}

// togglePanel shows or hides the panel. The camera keeps its centre.
func (v *Panel) togglePanel() {
	v.On = !v.On
	v.inside = false
	if v.Ui != nil {
		v.Ui.Cancel()
	}
	v.sayNarrow()
}

// sayNarrow shows a message if the panel is wanted but the window has no room for it.
func (v *Panel) sayNarrow() {
	if v.On && v.Width(v.picture.Surface) == 0 {
		v.picture.Say(fmt.Sprintf("no room for the panel: it needs a window of %d by %d", 2*PanelNarrow, panelLow))
	}
}

// toggleAll hides the panel and the metrics. If neither is shown, it shows both.
func (v *Panel) toggleAll() {
	on := !v.On && !v.picture.HUD.On
	v.picture.HUD.On = on
	if v.On != on {
		v.togglePanel()
	}
}

// findScene opens the panel at the list of scenes, with the cursor in the search field of the list.
func (v *Panel) findScene() {
	if v.On {
		v.sayNarrow()
	} else {
		v.togglePanel()
	}
	if v.Width(v.picture.Surface) == 0 {
		return
	}
	v.Page, v.ignoreChar = ScenePage, true
	v.context().Focus("search")
}

// The panel is the picture.Controls of the picture.

// Shapes returns the shapes of the panel and the menu, or nil.
func (v *Panel) Shapes() *ui.Context {
	if v.Width(v.picture.Surface) == 0 && !v.Menu.Open {
		return nil
	}
	return v.Ui
}

func (v *Panel) Knob() uint64 { return v.Bar.scrub }

func (v *Panel) Drags() bool { return v.Pointer.Press.drag }

func (v *Panel) Key(action string) string { return v.Keys.First(action) }

// HelpLines returns all lines of the help. If there is no black box, the line of its key is missing.
func (v *Panel) HelpLines() []picture.HelpLine {
	lines := v.Keys.HelpLines()
	if v.session.Stage.Options.BlackBox.Dir != "" {
		return lines
	}
	return slices.DeleteFunc(lines, func(l picture.HelpLine) bool { return l.Does == Named("black box").does })
}
