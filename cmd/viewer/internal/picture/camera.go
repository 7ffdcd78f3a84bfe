package picture

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/scenes"
	"halfstep/internal/privateapi"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// camera is the shown part of the world, and the body that the camera follows.
type camera struct {
	scene.Camera
	Follow world.Body // 0 means none
	paged  bool       // paged makes the camera follow in steps as wide as the view, instead of continuously.

	// Place is the part of the world that the scene shows at first. The action Home shows it again.
	// While the field Home is true, Place is fitted into the window whenever the window changes. When
	// the user moves the view, Home becomes false.
	Place    scenes.View
	Home     bool
	fittedTo framing // fittedTo is the part of the window into which Place was last fitted.

	CursorX, CursorY float64 // the cursor, pixels
	Panning          bool    // Panning says that the user holds a button that moves the view.
}

// framing is the part of a surface that has no text, in pixels from the top left. The scene's place
// is fitted into this part.
type framing struct {
	Half       input.Surface
	X, Y, W, H float64
}

// Start shows the scene's view. If the scene has none, it shows all bodies.
func (c *camera) Start(place scenes.View, v *scene.View[body2d.State]) {
	c.Follow, c.Panning, c.paged = 0, false, place.Paged
	if b := scene.BoundsOf(v); place.Height == 0 && !b.Empty() && !math.IsInf(b.MaxX-b.MinX+b.MaxY-b.MinY, 0) {
		place.X, place.Y = (b.MinX+b.MaxX)/2, (b.MinY+b.MaxY)/2
		place.Width, place.Height = b.MaxX-b.MinX, b.MaxY-b.MinY
	}
	if place.Height <= 0 {
		place.Height = 20 // in m, for the case that all bodies are at one point or there are none
	}
	if place.Width <= 0 {
		place.Width = place.Height * 4 / 3
	}
	c.Place, c.Home, c.fittedTo = place, true, framing{}
}

// fit sets the camera so that c.Place is as large as the part f of the surface, and in its middle.
func (c *camera) fit(f framing) {
	c.fittedTo = f
	scale := min(f.W/c.Place.Width, f.H/c.Place.Height) // pixels per metre
	c.Camera = scene.Camera{X: c.Place.X, Y: c.Place.Y, Height: float64(f.Half.H) / scale}
	x, y := c.aside()
	c.X, c.Y = c.X+x, c.Y+y
}

// Shown returns the part of the world that a part of the surface shows.
func (c *camera) Shown(f framing) scenes.View {
	if c.Home {
		return c.Place
	}
	scale := c.Scale(f.Half.H)
	return scenes.View{
		X: c.X + (f.X+f.W/2-float64(f.Half.W)/2)/scale, Y: c.Y - (f.Y+f.H/2-float64(f.Half.H)/2)/scale,
		Width: f.W / scale, Height: f.H / scale,
	}
}

// aside returns the distance between the middle of the picture and the middle of the place, in m.
func (c *camera) aside() (x, y float64) {
	if f := &c.fittedTo; c.Home && f.W > 0 {
		scale := c.Scale(f.Half.H)
		x, y = (float64(f.Half.W)/2-f.X-f.W/2)/scale, (f.Y+f.H/2-float64(f.Half.H)/2)/scale
	}
	return x, y
}

// After makes the camera follow a body that the user has chosen. If b is 0 it follows no body.
func (c *camera) After(b world.Body) { c.Follow, c.paged = b, false }

// Away is called when the user moves the view. From then on the view neither follows a body nor fits
// itself to the window.
func (c *camera) Away() { c.Follow, c.Home = 0, false }

// Track moves the camera to the shown position of the followed body. A paged camera moves by whole
// widths of the view, until the body is in view.
func (c *camera) Track(e *play.Player) {
	if c.Follow == 0 {
		return
	}
	p, ok := e.Pose(c.Follow)
	if !ok {
		return
	}
	x, y := c.aside()
	if c.paged {
		wide := c.Place.Width
		if half := &c.fittedTo.Half; !c.Home && half.H > 0 {
			wide = float64(half.W) / c.Scale(half.H)
		}
		c.X += wide * math.Round((p.CentreX-c.X+x)/wide)
		return
	}
	c.X, c.Y = p.CentreX+x, p.CentreY+y
}

// Removed stops following a body that has been removed.
func (c *camera) Removed(b world.Body) {
	if c.Follow == b {
		c.Follow = 0
	}
}

// Cursor moves the cursor. During panning, the picture moves with the cursor.
func (c *camera) Cursor(x, y float64, s input.Surface) {
	if c.Panning {
		c.Away()
		c.Camera = c.Pan(x-c.CursorX, y-c.CursorY, s.H)
	}
	c.CursorX, c.CursorY = x, y
}

// PanBy moves the view by fractions of the view's height.
func (c *camera) PanBy(right, up float64, s input.Surface) {
	c.Away()
	h := float64(s.H)
	c.Camera = c.Pan(-right*h, up*h, s.H)
}

// ZoomStep is the factor by which one click of the wheel zooms.
const ZoomStep = 1.15

// Zoom magnifies the view. The point under the cursor stays where it is.
func (c *camera) Zoom(factor float64, s input.Surface) {
	if !s.Empty() {
		c.Home = false
		c.Camera = c.ZoomAt(c.CursorX, c.CursorY, s.W, s.H, factor)
	}
}

// World returns the point of the world under the cursor, in m.
func (c *camera) World(s input.Surface) world.Vec {
	x, y := c.ScreenToWorld(c.CursorX, c.CursorY, s.W, s.H)
	return world.Vec{X: x, Y: y}
}

// Contains reports whether a point of the world is in the picture.
func (c *camera) Contains(x, y float64, s input.Surface) bool {
	px, py := c.WorldToScreen(x, y, s.W, s.H)
	return px >= 0 && py >= 0 && px <= float64(s.W) && py <= float64(s.H)
}

// FitHome fits the scene's place into the part of the window that has no panel and no text. It does
// this only if that part has changed.
func (v *Picture) FitHome() {
	if c := &v.Camera; c.Home && !v.Surface.Empty() {
		if f := v.Framing(); f != c.fittedTo {
			c.fit(f)
			c.Track(v.session.Stage.Player)
		}
	}
}

// isLost reports whether the user has moved the view to a place without bodies. It checks this only
// when the figures are refreshed, four times a second.
func (h *HUD) isLost(v *Picture) bool {
	if f := &v.Figures; h.lost.at != f.Refreshed {
		h.lost.at, h.lost.is = f.Refreshed, !v.Camera.Home && v.Camera.Follow == 0 && v.session.Stage.View.Counts.Bodies > 0
		if half := v.Half(); h.lost.is && !half.Empty() {
			wide := v.Camera.Height * float64(half.W) / float64(half.H)
			view := world.Box(wide/2, v.Camera.Height/2)
			_ = privateapi.World.NewQuery(privateapi.Index(v.session.Stage.View), world.QueryFilter{}).Overlap(view, world.Vec{X: v.Camera.X, Y: v.Camera.Y}, 0, func(world.Body, world.Shape) bool {
				h.lost.is = false
				return false
			})
		}
	}
	return h.lost.is
}

// GoHome shows the scene's place again.
func (v *Picture) GoHome() {
	c := &v.Camera
	c.Home, c.fittedTo, c.Follow = true, framing{}, 0
	v.FollowOwn()
	v.FitHome()
}

// FollowOwn follows the body that the scene names.
func (v *Picture) FollowOwn() {
	if sc := &v.session.Stage.Scenes[v.session.Stage.Current]; sc.Follow != "" {
		if b, ok := v.session.Stage.Player.Find(sc.Follow); ok {
			v.Camera.Follow, v.Camera.paged = b, sc.View.Paged
		}
	}
}

// Framing returns a part of the picture without text, above the message at the bottom. Of the part
// below the metrics and the part beside them, it chooses the one that shows the place larger.
func (v *Picture) Framing() framing {
	half := v.Half()
	unit := float64(glrender.Unit(half.Scale))
	f := framing{half, Margin * unit, Margin * unit, float64(half.W) - 2*Margin*unit, float64(half.H) - 2*Margin*unit}
	if v.HUD.On || !v.session.Stage.Options.Hidden {
		f.H -= footTall * unit
	}
	if v.Timeline.On {
		f.H -= timelineTall * unit
	}
	if v.session.Stage.Right != nil {
		tall := footTall * unit // the height of the labels of the halves, which have more lines in a narrow window
		if f.W < 420*unit {
			tall *= 3.5
		}
		f.Y, f.H = f.Y+tall, f.H-tall
	} else if !v.session.Stage.Options.Hidden && (v.session.Travel.HasPast || v.session.Stage.Shown.Replay() != nil) { // always leave room for the banner of DrawPast, so that the view does not jump
		tall := float64(BannerTall+Padding) * unit
		f.Y, f.H = f.Y+tall, f.H-tall
	}
	if v.HUD.On && !v.controls.Crowds(v.Surface) {
		below, beside := f, f
		below.Y, below.H = f.Y+HudTall*unit, f.H-HudTall*unit
		beside.X, beside.W = f.X+PanelWidth*unit, f.W-PanelWidth*unit
		p := &v.Camera.Place
		if f = below; min(below.W/p.Width, below.H/p.Height) < min(beside.W/p.Width, beside.H/p.Height) {
			f = beside
		}
	}
	if least := 40 * unit; f.W < least || f.H < least { // a very small window
		return framing{half, 0, 0, float64(half.W), float64(half.H)}
	}
	return f
}

// Reach returns the length in the world, in m, of a number of units.
func (v *Picture) Reach(units float64) float64 {
	half := v.Half()
	return units * max(1, half.Scale) / v.Camera.Scale(half.H)
}

func (v *Picture) ToggleFollow() {
	at := v.Camera.World(v.Half())
	b, ok := v.session.Stage.Under().Player.Pick(at)
	switch {
	case ok && b != v.Camera.Follow:
		v.Camera.After(b)
		v.Say("following")
	case v.Camera.Follow != 0:
		v.Camera.Follow = 0
		v.Say("no longer following")
	default:
		v.Say("no body under the cursor to follow")
	}
}
