package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/articles"
	"halfstep/renderloop"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// comparison is the value of -compare: the setting that differs in the right
// half of the picture.
type comparison struct {
	name  string // as given; "" compares nothing
	apply func(*settings)
}

func (c *comparison) parse(name string) error {
	var (
		smoothing body2d.Smoothing
		sync      renderloop.Sync
	)
	switch {
	case smoothingValue(&smoothing)(name) == nil:
		c.apply = func(s *settings) { s.smoothing = smoothing }
	case syncValue(&sync)(name) == nil:
		c.apply = func(s *settings) { s.sync, s.loop = sync, "" }
	case name == "pacing" || name == "nopacing":
		c.apply = func(s *settings) { s.pacing, s.loop = name == "pacing", "" }
	case slices.Contains(articles.Names(), name):
		c.apply = func(s *settings) { s.loop = name }
	case stepperValue(new(string))(name) == nil:
		c.apply = func(s *settings) { s.stepper = name }
	default:
		return errors.New("must be a smoothing mode, a sync mode, pacing, nopacing, a stepper or a loop: " + strings.Join(articles.Names(), ", "))
	}
	c.name = name
	return nil
}

func loopValue(to *string) func(string) error { return choiceValue(to, articles.Names()...) }

// rightHalf is the right half of a comparison. It shows the same scene in a
// second engine, which gets the frame times and commands of the first.
type rightHalf struct {
	player   *player
	view     *view
	gl       *glrender.Renderer
	drag     drag
	events   []world.Event // of this frame
	settings settings      // that it runs with
	// underCursor says that the cursor is in the right half. It does not change
	// while a button is down.
	underCursor bool
}

// openRight starts the engine of the right half, if there is one.
func (s *session) openRight(sc *sceneEntry) error {
	if s.o.Compare.name == "" {
		return nil
	}
	if s.right == nil {
		s.right = &rightHalf{}
	}
	with := s.rightSettings()
	s.owner.beginWait()
	e, err := with.engine(sc, sc.config())
	s.owner.endWait()
	if err != nil {
		return err
	}
	s.watchdog.watch(e)
	o := s.right
	o.player, o.drag, o.settings = e, drag{}, with
	o.view = e.View()
	return nil
}

func (s *session) rightSettings() settings {
	with := s.settings
	s.o.Compare.apply(&with)
	return with
}

func (s *session) closeRight() {
	if o := s.right; o != nil && o.player != nil {
		s.stopEngine(o.player)
	}
}

// start makes the renderer of the right half. On nil it does nothing.
func (o *rightHalf) start() (err error) {
	if o != nil {
		o.gl, err = glrender.New(glrender.Options{})
	}
	return err
}

func (o *rightHalf) closeGL() {
	if o != nil && o.gl != nil {
		o.gl.Close()
	}
}

func (o *rightHalf) advance(by func(*player) *view) {
	if o == nil {
		return
	}
	o.view = by(o.player)
	o.events = o.player.events(o.events[:0])
	for i := range o.events {
		if ev := &o.events[i]; ev.Kind == world.BodyRemoved {
			o.drag.removed(ev.A)
		}
	}
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

func (s *session) applySettings() {
	set := func(e *player, with *settings) {
		e.SetSmoothing(with.smoothing)
		if e.engine != nil {
			e.engine.SetSync(with.sync)
			e.engine.SetPacing(with.pacing)
		}
	}
	set(s.player, &s.settings)
	if s.right != nil {
		with := s.rightSettings()
		s.right.settings = with
		set(s.right.player, &with)
	}
}

// half is the surface that the world is drawn on: all of it, or its left half.
func (v *viewer) half() surface {
	s := v.surface
	s.w -= v.panel.width(s)
	if v.right != nil {
		s.w = (s.w + 1) / 2
	}
	return s
}

// left is the viewport of the world that is not the comparison.
func (v *viewer) left() glrender.Viewport {
	s := v.half()
	return glrender.Viewport{W: s.w, H: s.h, Scale: s.scale}
}

func (v *viewer) drawRight() error {
	o := v.right
	if o == nil {
		return nil
	}
	o.gl.BeginFrame()
	fb := v.left()
	fb.X, fb.W = fb.W, v.surface.w-v.panel.width(v.surface)-fb.W
	// Both viewports have the same height and the camera is centred in each, so
	// both halves show the same part of the world.
	return o.gl.Draw(o.view, v.camera.Camera, fb, v.layers)
}

var dividerColour = colour{255, 255, 255, 120}

// label draws the line between the halves and, beside it, their settings.
func (v *viewer) label(c *glrender.HUD) {
	if v.right == nil {
		return
	}
	_, height := c.Size()
	c.Rect(float32(v.half().w)/c.Unit()-.5, 0, 1, height, dividerColour)
	if !v.hud.on {
		return
	}
	for _, t := range v.tags() {
		c.Panel(t.x, t.y, t.w, t.h, 5, panelColour)
		c.Text(t.x+padding, t.y+padding, textColour, t.text)
	}
}

// tag is a label and where it is drawn, in units of the HUD.
type tag struct {
	text       string
	x, y, w, h float32
}

// tags are the labels of the left and the right half, beside the line between them.
// If one of them is too wide for its half, both have a line for each thing they say.
func (v *viewer) tags() [2]tag {
	unit := float32(glrender.Unit(v.surface.scale))
	middle, width := float32(v.half().w)/unit, float32(v.surface.w-v.panel.width(v.surface))/unit
	left, right := v.labels()
	wl, _ := glrender.TextSize(left)
	wr, _ := glrender.TextSize(right)
	if max(wl, wr) > min(middle, width-middle)-2*(margin+padding) {
		left, right = strings.ReplaceAll(left, "  ", "\n"), strings.ReplaceAll(right, "  ", "\n")
	}
	tags := [2]tag{{text: left}, {text: right}}
	for i := range tags {
		w, h := glrender.TextSize(tags[i].text)
		tags[i].w, tags[i].h = w+2*padding, h+2*padding
	}
	tags[0].x, tags[1].x = middle-margin-tags[0].w, middle+margin
	y := float32(margin)
	if tags[0].x < panelWidth+2*margin && !v.panel.crowds(v.surface) {
		y += hudTall + margin // below the metrics
	}
	tags[0].y, tags[1].y = y, y
	return tags
}

// labels say how each half runs, and how evenly it moves.
func (v *viewer) labels() (left, right string) {
	o := v.right
	left = halfLabel(v.player, &v.settings, &o.settings)
	right = halfLabel(o.player, &o.settings, &v.settings)
	if d, ok := v.apart(); ok {
		right += "  " + v.tracked[0].label + string(v.figures.line().str(" off ").length(d))
	}
	return left, right
}

// halfLabel names the loop and the smoothing mode of a half, what else differs from the
// other half, and the animation error once there is one.
func halfLabel(e *player, s, other *settings) (label string) {
	defer func() {
		if m := e.Metrics().Motion; m.Frames > 1 {
			label += "  error " + string(text(nil).num(m.RMS, 2)) + " ms"
		}
	}()
	stepper, _ := world.ParseStepper(s.stepper) // FastStep for ""
	if o, _ := world.ParseStepper(other.stepper); o != stepper {
		label = stepper.String() + "  "
	}
	smoothing := e.View().Smoothing.String()
	if e.name != "" {
		return label + e.name + "  " + smoothing
	}
	label += e.engine.Sync().String() + "  " + smoothing
	switch {
	case s.pacing:
		label += "  paced"
	case other.pacing && other.loop == "":
		label += "  not paced"
	}
	return label
}
