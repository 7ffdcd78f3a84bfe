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

// loopValue parses the name of a loop.
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
func (v *viewer) openRight(sc *sceneEntry) error {
	if v.o.Compare.name == "" {
		return nil
	}
	if v.right == nil {
		v.right = &rightHalf{}
	}
	s := v.rightSettings()
	v.owner.beginWait()
	e, err := s.engine(sc, sc.config())
	v.owner.endWait()
	if err != nil {
		return err
	}
	v.watchdog.watch(e)
	o := v.right
	o.player, o.drag, o.settings = e, drag{}, s
	o.view = e.View()
	return nil
}

func (v *viewer) rightSettings() settings {
	s := v.settings
	v.o.Compare.apply(&s)
	return s
}

// closeRight closes the engine of the right half, if there is one.
func (v *viewer) closeRight() {
	if o := v.right; o != nil && o.player != nil {
		v.stopEngine(o.player)
	}
}

// start makes the renderer of the right half. On nil it does nothing.
func (o *rightHalf) start() (err error) {
	if o != nil {
		o.gl, err = glrender.New(glrender.Options{})
	}
	return err
}

// closeGL frees the renderer.
func (o *rightHalf) closeGL() {
	if o != nil && o.gl != nil {
		o.gl.Close()
	}
}

// advance advances the clock of the right half.
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

// applySettings gives both engines the settings that keys have changed.
func (v *viewer) applySettings() {
	set := func(e *player, s *settings) {
		e.SetSmoothing(s.smoothing)
		if e.engine != nil {
			e.engine.SetSync(s.sync)
			e.engine.SetPacing(s.pacing)
		}
	}
	set(v.player, &v.settings)
	if v.right != nil {
		s := v.rightSettings()
		v.right.settings = s
		set(v.right.player, &s)
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

// drawRight draws the right half.
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
