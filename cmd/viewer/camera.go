package main

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/scenes"
	"halfstep/internal/within"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// camera is the part of the world that the picture shows, and the body that it follows.
type camera struct {
	scene.Camera
	follow world.Body // 0: none
	paged  bool       // it follows in steps as wide as the view, and not continuously

	// place is the part of the world that the scene shows at first and Home shows again. While
	// home is set, it is fitted into the window whenever that changes. It is set until the user
	// moves the view.
	place scenes.View
	home  bool
	into  framing // the part of the window that place was last fitted into

	x, y    float64 // the cursor, pixels
	panning bool    // a button is held that moves the view
}

// framing is the part of a surface that no text covers, in pixels from the top left. The scene's place
// is fitted into it.
type framing struct {
	half       input.Surface
	x, y, w, h float64
}

// start shows the view that the scene names, or all bodies if it names none.
func (c *camera) start(place scenes.View, v *scene.View[body2d.State]) {
	c.follow, c.panning, c.paged = 0, false, place.Paged
	if b := scene.BoundsOf(v); place.Height == 0 && !b.Empty() && !math.IsInf(b.MaxX-b.MinX+b.MaxY-b.MinY, 0) {
		place.X, place.Y = (b.MinX+b.MaxX)/2, (b.MinY+b.MaxY)/2
		place.Width, place.Height = b.MaxX-b.MinX, b.MaxY-b.MinY
	}
	if place.Height <= 0 {
		place.Height = 20 // m: the bodies are one point, or there are none
	}
	if place.Width <= 0 {
		place.Width = place.Height * 4 / 3
	}
	c.place, c.home, c.into = place, true, framing{}
}

// fit shows the place in the middle of a part of the surface.
func (c *camera) fit(f framing) {
	c.into = f
	scale := min(f.w/c.place.Width, f.h/c.place.Height) // pixels per metre
	c.Camera = scene.Camera{X: c.place.X, Y: c.place.Y, Height: float64(f.half.H) / scale}
	x, y := c.aside()
	c.X, c.Y = c.X+x, c.Y+y
}

// shown returns the part of the world that a part of the surface shows.
func (c *camera) shown(f framing) scenes.View {
	if c.home {
		return c.place
	}
	scale := c.Scale(f.half.H)
	return scenes.View{
		X: c.X + (f.x+f.w/2-float64(f.half.W)/2)/scale, Y: c.Y - (f.y+f.h/2-float64(f.half.H)/2)/scale,
		Width: f.w / scale, Height: f.h / scale,
	}
}

// aside returns how far the middle of the picture is from the middle of the place, in m.
func (c *camera) aside() (x, y float64) {
	if f := &c.into; c.home && f.w > 0 {
		scale := c.Scale(f.half.H)
		x, y = (float64(f.half.W)/2-f.x-f.w/2)/scale, (f.y+f.h/2-float64(f.half.H)/2)/scale
	}
	return x, y
}

// after follows a body that the user has chosen; 0 is none.
func (c *camera) after(b world.Body) { c.follow, c.paged = b, false }

// away is called when the user has moved the view: it no longer follows, nor fits itself to the window.
func (c *camera) away() { c.follow, c.home = 0, false }

// track moves the camera to where the followed body is shown. If it is paged, it moves by whole widths
// of the view, until the body is in it.
func (c *camera) track(e *play.Player) {
	if c.follow == 0 {
		return
	}
	p, ok := e.Pose(c.follow)
	if !ok {
		return
	}
	x, y := c.aside()
	if c.paged {
		wide := c.place.Width
		if half := &c.into.half; !c.home && half.H > 0 {
			wide = float64(half.W) / c.Scale(half.H)
		}
		c.X += wide * math.Round((p.CentreX-c.X+x)/wide)
		return
	}
	c.X, c.Y = p.CentreX+x, p.CentreY+y
}

// removed stops following a body that has been removed.
func (c *camera) removed(b world.Body) {
	if c.follow == b {
		c.follow = 0
	}
}

// cursor moves the cursor. While panning, the picture moves with it.
func (c *camera) cursor(x, y float64, s input.Surface) {
	if c.panning {
		c.away()
		c.Camera = c.Pan(x-c.x, y-c.y, s.H)
	}
	c.x, c.y = x, y
}

// pan moves the view by fractions of its height.
func (c *camera) pan(right, up float64, s input.Surface) {
	c.away()
	h := float64(s.H)
	c.Camera = c.Pan(-right*h, up*h, s.H)
}

// zoomStep is one click of the wheel.
const zoomStep = 1.15

// zoom magnifies the view and keeps the point under the cursor.
func (c *camera) zoom(factor float64, s input.Surface) {
	if !s.Empty() {
		c.home = false
		c.Camera = c.ZoomAt(c.x, c.y, s.W, s.H, factor)
	}
}

// world returns the point of the world under the cursor, in m.
func (c *camera) world(s input.Surface) world.Vec {
	x, y := c.ScreenToWorld(c.x, c.y, s.W, s.H)
	return world.Vec{X: x, Y: y}
}

// sees reports whether a point of the world is in the picture.
func (c *camera) sees(x, y float64, s input.Surface) bool {
	px, py := c.WorldToScreen(x, y, s.W, s.H)
	return px >= 0 && py >= 0 && px <= float64(s.W) && py <= float64(s.H)
}

// fitHome fits the scene's place into the part of the window without panel and text, if that part has
// changed.
func (v *picture) fitHome() {
	if c := &v.camera; c.home && !v.surface.Empty() {
		if f := v.framing(); f != c.into {
			c.fit(f)
			c.track(v.session.Stage.Player)
		}
	}
}

// isLost reports whether the user has moved the view to where no body is. It looks only when the
// figures are refreshed, four times a second.
func (h *hud) isLost(v *picture) bool {
	if f := &v.figures; h.lost.at != f.Refreshed {
		h.lost.at, h.lost.is = f.Refreshed, !v.camera.home && v.camera.follow == 0 && v.session.Stage.View.Counts.Bodies > 0
		if half := v.half(); h.lost.is && !half.Empty() {
			wide := v.camera.Height * float64(half.W) / float64(half.H)
			view := world.Box(wide/2, v.camera.Height/2)
			_ = within.World.NewQuery(within.Index(v.session.Stage.View), world.QueryFilter{}).Overlap(view, world.Vec{X: v.camera.X, Y: v.camera.Y}, 0, func(world.Body, world.Shape) bool {
				h.lost.is = false
				return false
			})
		}
	}
	return h.lost.is
}

// goHome shows the scene's place again.
func (v *picture) goHome() {
	c := &v.camera
	c.home, c.into, c.follow = true, framing{}, 0
	v.followOwn()
	v.fitHome()
}

// followOwn follows the body that the scene names.
func (v *picture) followOwn() {
	if sc := &v.session.Stage.Scenes[v.session.Stage.Current]; sc.Follow != "" {
		if b, ok := v.session.Stage.Player.Find(sc.Follow); ok {
			v.camera.follow, v.camera.paged = b, sc.View.Paged
		}
	}
}

// framing returns the part of the picture that text leaves free: above the message at the bottom, and
// below or beside the metrics, wherever the place is shown larger.
func (v *picture) framing() framing {
	half := v.half()
	unit := float64(glrender.Unit(half.Scale))
	f := framing{half, margin * unit, margin * unit, float64(half.W) - 2*margin*unit, float64(half.H) - 2*margin*unit}
	if v.hud.on || !v.session.Stage.O.Hidden {
		f.h -= footTall * unit
	}
	if v.timeline.on {
		f.h -= timelineTall * unit
	}
	if v.session.Stage.Right != nil {
		tall := footTall * unit // the height of the halves' labels, which have more lines in a narrow window
		if f.w < 420*unit {
			tall *= 3.5
		}
		f.y, f.h = f.y+tall, f.h-tall
	} else if !v.session.Stage.O.Hidden && (v.session.Travel.HasPast || v.session.Stage.Shown.Replay() != nil) { // room for the banner of drawPast, always, so that the view does not jump
		tall := float64(bannerTall+padding) * unit
		f.y, f.h = f.y+tall, f.h-tall
	}
	if v.hud.on && !v.controls.crowds(v.surface) {
		below, beside := f, f
		below.y, below.h = f.y+hudTall*unit, f.h-hudTall*unit
		beside.x, beside.w = f.x+panelWidth*unit, f.w-panelWidth*unit
		p := &v.camera.place
		if f = below; min(below.w/p.Width, below.h/p.Height) < min(beside.w/p.Width, beside.h/p.Height) {
			f = beside
		}
	}
	if least := 40 * unit; f.w < least || f.h < least { // a very small window
		return framing{half, 0, 0, float64(half.W), float64(half.H)}
	}
	return f
}

// reach is how long some units are in the world, m.
func (v *picture) reach(units float64) float64 {
	half := v.half()
	return units * max(1, half.Scale) / v.camera.Scale(half.H)
}

func (v *picture) toggleFollow() {
	at := v.camera.world(v.half())
	b, ok := v.session.Stage.Under().Player.Pick(at)
	switch {
	case ok && b != v.camera.follow:
		v.camera.after(b)
		v.Say("following")
	case v.camera.follow != 0:
		v.camera.follow = 0
		v.Say("no longer following")
	default:
		v.Say("no body under the cursor to follow")
	}
}
