package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/internal/otherloop"
	"halfstep/renderloop"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// comparison is the value of -compare: what the right half of the picture does
// another way.
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
	case slices.Contains(otherloop.Names(), name):
		c.apply = func(s *settings) { s.loop = name }
	default:
		return errors.New("must be a smoothing mode, a sync mode, pacing, nopacing or a loop: " + strings.Join(otherloop.Names(), ", "))
	}
	c.name = name
	return nil
}

// loopValue reads the name of a loop.
func loopValue(to *string) func(string) error { return choiceValue(to, otherloop.Names()...) }

// checkLoop reports flags that can not go together.
func (o *Options) checkLoop() error {
	what := ""
	switch {
	case o.Loop != "":
		what = "-loop"
	case o.Compare.name != "":
		what = "-compare"
	}
	switch {
	case o.Loop != "" && o.Record != "":
		return errors.New("-record and -loop: only the engine's own loop can be recorded")
	case what != "" && o.Replay != "":
		return fmt.Errorf("-replay and %s: a recording is replayed by the engine's own loop", what)
	}
	return nil
}

// other is the right half of a comparison: the same scene in an engine of its
// own, which gets the frame times and commands of the left one.
type other struct {
	engine *engine.Engine
	view   *scene.View[body2d.State]
	gl     *glrender.Renderer
	drag   drag
	pacing bool
	// under is the half that the cursor is in; it stays the same while a button
	// is down.
	under int
}

// openOther opens the right half, if there is one.
func (v *viewer) openOther(sc *sceneEntry) error {
	if v.o.Compare.name == "" {
		return nil
	}
	if v.other == nil {
		v.other = &other{}
	}
	s := v.otherSettings()
	v.baton.wait()
	e, err := s.engine(sc, sc.config())
	v.baton.resume()
	if err != nil {
		return err
	}
	v.dog.watch(e)
	o := v.other
	o.engine, o.drag, o.pacing = e, drag{}, s.pacing
	o.view = e.View()
	return nil
}

func (v *viewer) otherSettings() settings {
	s := v.settings
	v.o.Compare.apply(&s)
	return s
}

// closeOther ends the right half's engine, if there is one.
func (v *viewer) closeOther() {
	if o := v.other; o != nil && o.engine != nil {
		v.stopEngine(o.engine)
	}
}

// start makes the renderer for the right half; nil does nothing.
func (o *other) start() (err error) {
	if o != nil {
		o.gl, err = glrender.New(glrender.Options{})
	}
	return err
}

// closeGL frees the renderer.
func (o *other) closeGL() {
	if o != nil && o.gl != nil {
		o.gl.Close()
	}
}

// advance lets time pass in the right half too.
func (o *other) advance(d time.Duration) {
	if o == nil {
		return
	}
	o.view = o.engine.Advance(d)
	for ev := range o.engine.Events() {
		if ev.Kind == world.BodyRemoved {
			o.drag.removed(ev.A)
		}
	}
}

// failure is what ended physics in the right half, or nil.
func (o *other) failure() error {
	if o == nil {
		return nil
	}
	if err := o.engine.Failure(); err != nil {
		return fmt.Errorf("-compare: %w", err)
	}
	return nil
}

// engines calls f for each engine.
func (v *viewer) engines(f func(*engine.Engine)) {
	f(v.engine)
	if v.other != nil {
		f(v.other.engine)
	}
}

// settle makes what keys have changed count in both halves.
func (v *viewer) settle() {
	set := func(e *engine.Engine, s *settings) {
		e.SetSmoothing(s.smoothing)
		e.SetSync(s.sync)
		e.SetPacing(s.pacing)
	}
	set(v.engine, &v.settings)
	if v.other != nil {
		s := v.otherSettings()
		v.other.pacing = s.pacing
		set(v.other.engine, &s)
	}
}

// half is what one world is drawn on: all, or the left half.
func (v *viewer) half() surface {
	s := v.surface
	if v.other != nil {
		s.w = (s.w + 1) / 2
	}
	return s
}

// cursor moves the cursor to a point of the window. In both halves the same
// point of the world lies under the same point of the half.
func (v *viewer) cursor(x, y float64) {
	half := v.half()
	if o := v.other; o != nil {
		if v.drag.body == 0 && o.drag.body == 0 && !v.camera.panning {
			o.under = 0
			if x >= float64(half.w) {
				o.under = 1
			}
		}
		x -= float64(o.under * half.w)
	}
	v.camera.cursor(x, y, half)
}

// grab takes hold of the body under the cursor, in both halves: it is picked
// where it is shown, and known by the same handle in the other world.
func (v *viewer) grab() bool {
	at := v.camera.world(v.half())
	o := v.other
	if o == nil {
		return v.drag.grab(v.engine, at)
	}
	if o.under == 0 {
		if !v.drag.grab(v.engine, at) {
			return false
		}
		o.drag.hold(o.engine, v.drag.body, at)
		return true
	}
	if !o.drag.grab(o.engine, at) {
		return false
	}
	v.drag.hold(v.engine, o.drag.body, at)
	return true
}

// pull has the bodies held follow the cursor, which stands still on the screen
// while the camera moves.
func (v *viewer) pull() {
	at := v.camera.world(v.half())
	v.drag.move(v.engine, at)
	if v.other != nil {
		v.other.drag.move(v.other.engine, at)
	}
}

func (v *viewer) letGo() {
	v.drag.release(v.engine)
	if v.other != nil {
		v.other.drag.release(v.other.engine)
	}
}

// left is where the usual world is drawn.
func (v *viewer) left() glrender.Viewport {
	s := v.half()
	return glrender.Viewport{W: s.w, H: s.h, Scale: s.scale}
}

// drawOther draws the right half.
func (v *viewer) drawOther() error {
	o := v.other
	if o == nil {
		return nil
	}
	o.gl.BeginFrame()
	fb := v.left()
	fb.X, fb.W = fb.W, v.surface.w-fb.W
	// The camera's scale follows from the height, and its centre is that of the
	// viewport: both halves are framed alike.
	return o.gl.Draw(o.view, v.camera.Camera, fb, v.layers)
}

var dividerColour = colour{255, 255, 255, 120}

// label draws the line between the halves and, to either side of it, what they
// show.
func (v *viewer) label(c *glrender.HUD) {
	if v.other == nil {
		return
	}
	_, height := c.Size()
	middle := float32(v.half().w) / c.Unit()
	c.Rect(middle-.5, 0, 1, height, dividerColour)
	if !v.hud.on {
		return
	}
	tag := func(x, side float32, text string) {
		w, h := glrender.TextSize(text)
		x += side*margin + (side-1)/2*(w+2*padding)
		c.Panel(x, margin, w+2*padding, h+2*padding, 5, panelColour)
		c.Text(x+padding, margin+padding, textColour, text)
	}
	tag(middle, -1, loopLabel(v.engine, v.settings.pacing))
	tag(middle, 1, loopLabel(v.other.engine, v.other.pacing))
}

// loopLabel says how an engine's world is shown.
func loopLabel(e *engine.Engine, pacing bool) string {
	smoothing := e.View().Smoothing.String()
	if name := e.Metrics().Loop; name != "" {
		return name + "  " + smoothing
	}
	if pacing {
		smoothing += "  paced"
	}
	return e.Sync().String() + "  " + smoothing
}
