package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"halfstep/cmd/viewer/articles"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// comparison is the value of -compare: what differs in the right half of the picture.
type comparison struct {
	name  string          // as given; "" compares nothing
	apply func(*settings) // changes the left half's settings into the right half's
	// branch is a run that the right half replays in place of the scene with another setting: the
	// one that the user left to go on from its past, or the second recording of -diff. Or nil.
	branch *branch
	setup  func(*world.World) error // sets up the branch's scene; nil: that of the open scene
}

// parse takes the value of -compare: the name of a smoothing, sync, pacing, loop or stepper.
func (c *comparison) parse(name string) error {
	smoothing, noSmoothing := parseSmoothing(name)
	sync, noSync := parseSync(name)
	_, noStepper := parseStepper(name)
	switch {
	case noSmoothing == nil:
		c.apply = func(s *settings) { s.smoothing = smoothing }
	case noSync == nil:
		c.apply = func(s *settings) { s.sync, s.loop = sync, "" }
	case name == "pacing" || name == "nopacing":
		c.apply = func(s *settings) { s.pacing, s.loop = name == "pacing", "" }
	case slices.Contains(articles.Names(), name):
		c.apply = func(s *settings) { s.loop = name }
	case noStepper == nil:
		c.apply = func(s *settings) { s.stepper = name }
	default:
		return errors.New("must be a smoothing mode, a sync mode, pacing, nopacing, a stepper or a loop: " + strings.Join(articles.Names(), ", "))
	}
	c.name = name
	return nil
}

// rightHalf is the right half of a comparison. It shows the same scene in a second
// engine, which gets the frame times and commands of the first.
type rightHalf struct {
	side
	// underCursor says that the cursor is in the right half. It does not change
	// while a button is down.
	underCursor bool
}

// beside is what the right half of the picture shows.
type beside struct {
	stage   *stage
	travel  *travel
	compare comparison
}

// openRight starts the engine of the right half, if there is one.
func (h *beside) openRight(sc *sceneEntry) error {
	if h.compare.name == "" {
		h.stage.right = nil
		return nil
	}
	if h.stage.right == nil {
		h.stage.right = &rightHalf{}
	}
	with := h.rightSettings()
	h.stage.owner.beginWait() // the setup may take long; see ownership
	config := sc.Config()
	if b := h.compare.branch; b != nil {
		setup := config.Setup
		if h.compare.setup != nil {
			setup = h.compare.setup
		}
		config = b.recording.Config(setup)
		config.History.ReplayFrom = b.from
	}
	e, err := with.engine(sc, config)
	h.stage.owner.endWait()
	if err != nil {
		return err
	}
	h.stage.host.started(e, false)
	o := h.stage.right
	o.player, o.drag, o.settings = e, drag{}, with
	o.view = e.View()
	if b := h.compare.branch; b != nil {
		if err := e.engine.History().Seek(b.from); err != nil {
			return err
		}
		o.view = e.Step(0) // the state of that tick, without a step
	}
	return nil
}

// rightSettings returns the settings of the left half with the one that differs.
func (h *beside) rightSettings() settings {
	with := h.stage.settings
	h.compare.apply(&with)
	return with
}

// closeRight closes the engine of the right half.
func (h *beside) closeRight() {
	if o := h.stage.right; o != nil && o.player != nil {
		h.stage.stopEngine(o.player)
	}
}

// setCompare compares with one setting in the right half, or with nothing if it is "".
func (s *session) setCompare(what string) error {
	var c comparison
	if what != "" {
		if err := c.parse(what); err != nil {
			return err
		}
		if s.travel.live().recording() || s.stage.replay != nil {
			s.host.say("a recording has no second half to compare with")
			return nil
		}
	}
	old := s.beside.compare
	err := s.restart("comparison", cmp.Or(what, "off"), func() { s.beside.compare = c })
	if err != nil {
		s.beside.compare = old
	}
	return err
}

// comparesWith are the settings that the right half can have, by kind. The first option of each kind
// ends the comparison; the last is usually the setting of the left half.
var comparesWith = [...]struct {
	kind, name string // name: of the control
	options    []string
}{
	{"stepper", "compare stepper", []string{"same", "soft", "fast"}},
	{"sync", "compare sync", []string{"same", "lockstep", "run-ahead", "pipelined"}},
	{"smoothing", "compare smoothing", []string{"same", "none", "extrapolate", "hermite", "interpolate"}},
	{"loop", "compare loop", append([]string{"same"}, articles.Names()...)},
}

// layCompare lays out the controls that choose what the right half shows.
func (v *viewer) layCompare(c *ui.Context) {
	c.Heading(c.Next(20), "Compare: in the right half")
	row := c.Next(24)
	if c.Button("compare tower", row.Column(0, 2, ui.Gap), ui.NoIcon, "Try the tower", notChosen) {
		v.uses.count("compare tower")
		v.panel.keepError(v.session.compareTower())
	}
	c.Tip("40 boxes: the soft stepper at the right keeps them up", noKey)
	if c.Button("compare nothing", row.Column(1, 2, ui.Gap), ui.NoIcon, "Off", v.beside.compare.name == "") && v.beside.compare.name != "" {
		v.uses.count("compare nothing")
		v.panel.keepError(v.session.setCompare(""))
	}
	c.Space(3)
	for i := range comparesWith {
		k := &comparesWith[i]
		at := max(0, slices.Index(k.options, v.beside.compare.name))
		v.choice(k.name, "compare", k.kind, noKey, k.options, at, words.Plain[k.options[at]], func(i int) error {
			if i == 0 {
				return v.session.setCompare("")
			}
			return v.session.setCompare(k.options[i])
		})
	}
}

// compareTower shows the scene for which the steppers differ most.
func (s *session) compareTower() error {
	at := slices.IndexFunc(s.stage.scenes, func(s sceneEntry) bool { return s.Name == "tower" && s.replay == nil })
	if at < 0 {
		return nil
	}
	return s.changes.leaveScene("a click", func() error {
		s.stage.settings.stepper = ""
		return cmp.Or(s.changeScene(at), s.setCompare("soft"))
	})
}

// failure is why physics has ended in the right half, or nil.
func (o *rightHalf) failure() error {
	if o == nil {
		return nil
	}
	if err := o.player.Failure(); err != nil {
		return fmt.Errorf("-compare: %w", err)
	}
	return nil
}

// half returns the surface that the world is drawn on: all that the panel leaves free, or its left half.
func (v *viewer) half() input.Surface {
	s := v.surface
	s.W -= v.panel.width(s)
	if v.stage.right != nil {
		s.W = (s.W + 1) / 2
	}
	return s
}

// left returns the viewport of the left half, or of the whole picture if nothing is compared.
func (v *viewer) left() glrender.Viewport {
	s := v.half()
	return glrender.Viewport{W: s.W, H: s.H, Scale: s.Scale}
}

// drawRight draws the right half, if there is one.
func (v *viewer) drawRight() error {
	o := v.stage.right
	if o == nil {
		v.closeGL(onRight)
		return nil
	}
	gl := v.gl[onRight]
	if gl == nil {
		var err error
		if gl, err = glrender.New(); err != nil {
			return err
		}
		v.gl[onRight] = gl
	}
	gl.BeginFrame()
	fb := v.left()
	fb.X, fb.W = fb.W, v.surface.W-v.panel.width(v.surface)-fb.W
	// Both viewports have the same height and the camera is centred in each, so
	// both halves show the same part of the world.
	return gl.Draw(o.view, v.camera.Camera, fb, v.layers)
}

var dividerColour = colour{255, 255, 255, 120}

// label draws the line between the halves and, beside it, a label for each.
func (v *viewer) label(c *glrender.HUD) {
	if v.stage.right == nil {
		return
	}
	_, height := c.Size()
	c.Rect(float32(v.half().W)/c.Unit()-.5, 0, 1, height, dividerColour)
	for _, t := range v.tags() {
		c.Panel(t.x, t.y, t.w, t.h, 5, panelColour)
		y := t.y + padding/2
		for line := range strings.SplitSeq(t.text, "\n") {
			c.Label(t.x+padding, y, glrender.Regular, textColour, line)
			y += glrender.LabelHeight
		}
	}
}

// tag is a label and where it is drawn, in units of the HUD.
type tag struct {
	text       string
	x, y, w, h float32
}

// tags places the labels of the left and the right half, beside the line between them.
// If one of them is too wide for its half, both get a line for each of their parts.
func (v *viewer) tags() [2]tag {
	unit := float32(glrender.Unit(v.surface.Scale))
	middle, width := float32(v.half().W)/unit, float32(v.surface.W-v.panel.width(v.surface))/unit
	left, right := v.labels()
	if max(labelWidth(int(unit), left), labelWidth(int(unit), right)) > min(middle, width-middle)-2*(margin+padding) {
		left, right = strings.ReplaceAll(left, "  ", "\n"), strings.ReplaceAll(right, "  ", "\n")
	}
	tags := [2]tag{{text: left}, {text: right}}
	for i := range tags {
		t := &tags[i]
		t.w, t.h = 2*padding, padding
		for line := range strings.SplitSeq(t.text, "\n") {
			t.w, t.h = max(t.w, labelWidth(int(unit), line)+2*padding), t.h+glrender.LabelHeight
		}
	}
	tags[0].x, tags[1].x = middle-margin-tags[0].w, middle+margin
	y := float32(margin)
	if v.hud.on && tags[0].x < panelWidth+2*margin && !v.panel.crowds(v.surface) {
		y += hudTall + margin // below the metrics
	}
	tags[0].y, tags[1].y = y, y
	return tags
}

// labels returns the text of each half: how it runs, and how evenly it moves.
func (v *viewer) labels() (left, right string) {
	o := v.stage.right
	var names [2]string
	if v.beside.compare.setup != nil {
		names = [...]string{v.stage.scenes[v.stage.current].listed(), v.beside.compare.name}
	} else if v.beside.compare.branch != nil {
		names = [...]string{"now", v.beside.compare.name}
	}
	steppers := [...]string{v.stage.settings.stepperOf(&v.stage.given).String(), o.settings.stepperOf(&v.stage.given).String()}
	left = halfLabel(names[0], v.stage.player, o.player, &v.stage.settings, &o.settings, steppers[0], steppers[1])
	right = halfLabel(names[1], o.player, v.stage.player, &o.settings, &v.stage.settings, steppers[1], steppers[0])
	if d, ok := v.apart(); ok {
		right += "  " + v.session.tracked[0].label + string(v.figures.Line().Str(" ").Apart(d).Str(" apart"))
	}
	return left, right
}

// halfLabel returns the text for a half: its name if it has one, the settings in which it differs from
// the other half, and how uneven its motion is once that is known. e, s and stepper are those of the
// half; o, other and others those of the other one.
func halfLabel(name string, e, o *player, s, other *settings, stepper, others string) string {
	var says []string
	if name != "" {
		says = append(says, name)
	}
	differs := func(mine, others string) {
		if mine != others {
			says = append(says, mine)
		}
	}
	differs(stepper, others)
	differs(loopLabel(e), loopLabel(o))
	differs(e.View().Smoothing.String(), o.View().Smoothing.String())
	if e.name == "" && o.name == "" { // both run the engine's own loop, which has pacing
		differs(pacedLabel(s.pacing), pacedLabel(other.pacing))
	}
	if len(says) == 0 {
		says = append(says, "the same")
	}
	if m := e.Metrics().Motion; m.Frames > 1 {
		says = append(says, "uneven by "+string(words.Line(nil).Ms(m.RMS)))
	}
	return strings.Join(says, "  ")
}

// loopLabel names the loop of a half, or the sync mode of the engine's own loop.
func loopLabel(e *player) string {
	if e.name != "" {
		return e.name
	}
	return e.engine.Sync().String()
}

func pacedLabel(on bool) string {
	if on {
		return "paced"
	}
	return "not paced"
}

// apart returns how far apart the halves of a comparison show the first tracked body,
// m. ok is false if there is no such body or nothing is compared.
func (s *session) apart() (d float64, ok bool) {
	if s.stage.right == nil || len(s.tracked) == 0 {
		return 0, false
	}
	b := s.tracked[0].body
	p, ok1 := s.stage.player.pose(b)
	q, ok2 := s.stage.right.player.pose(b)
	return math.Hypot(p.CentreX-q.CentreX, p.CentreY-q.CentreY), ok1 && ok2
}
