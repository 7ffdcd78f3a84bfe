package main

import (
	"math"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/scenes"
	"halfstep/world"
)

func TestTheWheelZoomsToTheCursor(t *testing.T) {
	b := newBench(t, "-scene spring")
	b.run(1)
	b.cursor(3, 2)
	b.queue.Put(input.Event{Kind: input.ScrollInput, Y: 3})
	h := b.picture.Camera.Height
	b.run(1)
	at := b.picture.Camera.World(b.picture.Surface)
	if math.Abs(at.X-3) > 1e-9 || math.Abs(at.Y-2) > 1e-9 || b.picture.Camera.Height >= h {
		t.Errorf("under the cursor now %v, height %v", at, b.picture.Camera.Height)
	}
}

func TestPanningKeepsThePointUnderTheCursor(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(1)
	b.cursor(3, 2)
	b.run(1)
	b.mouse(input.MouseButtonRight, input.Press)
	b.queue.Put(input.Event{Kind: input.CursorInput, X: 100, Y: 400})
	b.run(1)
	if at := b.picture.Camera.World(b.picture.Surface); math.Abs(at.X-3) > 1e-9 || math.Abs(at.Y-2) > 1e-9 {
		t.Errorf("under the cursor now %v", at)
	}
	b.mouse(input.MouseButtonRight, input.Release)
	x := b.picture.Camera.X
	b.queue.Put(input.Event{Kind: input.CursorInput, X: 500, Y: 400})
	b.run(1)
	if b.picture.Camera.X != x {
		t.Error("still panning after the button was let go")
	}
}

// middle returns the point of the world in the middle of the area that has no text and no
// panel.
func (b *bench) middle() world.Vec {
	f := b.picture.Framing()
	x, y := b.picture.Camera.ScreenToWorld(f.X+f.W/2, f.Y+f.H/2, f.Half.W, f.Half.H)
	return world.Vec{X: x, Y: y}
}

func TestTheCameraFollowsTheInterpolatedCentre(t *testing.T) {
	b := newBench(t, "-scene spring -clock fixed:144")
	b.run(10)
	p, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body)
	b.cursor(p.CentreX, p.CentreY)
	b.press(input.KeyF)
	for range 50 {
		b.run(1)
		p, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body)
		if at := b.middle(); math.Abs(at.X-p.CentreX) > 1e-9 || math.Abs(at.Y-p.CentreY) > 1e-9 {
			t.Fatalf("in the middle is %v, body at %v", at, p.CentreX)
		}
	}
	b.press(input.KeyRight)
	if b.picture.Camera.Follow != 0 {
		t.Error("panning by hand must end the following")
	}
}

func TestFitShowsEveryBody(t *testing.T) {
	b := newBench(t, "-scene pyramid")
	b.run(1)
	b.picture.Camera.X = 1e6
	b.press(input.KeyHome)
	for _, p := range b.Stage.Player.Engine.Poses() {
		x, y := b.picture.Camera.WorldToScreen(p.X, p.Y, b.picture.Surface.W, b.picture.Surface.H)
		if x < 0 || y < 0 || x > float64(b.picture.Surface.W) || y > float64(b.picture.Surface.H) {
			t.Errorf("the body at %v, %v is not in the picture", p.X, p.Y)
			break
		}
	}
}

// These are sizes of windows in pixels, with their scales.
var windows = []input.Surface{{W: 800, H: 600, Scale: 1}, {W: 1280, H: 720, Scale: 1}, {W: 1280, H: 720, Scale: 1.5}, {W: 3840, H: 2160, Scale: 1}, {W: 3840, H: 2160, Scale: 2}, {W: 600, H: 900, Scale: 1}}

func TestEverySceneIsFittedIntoWhatPanelAndTextLeaveFree(t *testing.T) {
	for _, sc := range scenes.All() {
		if strings.HasPrefix(sc.Name, "fall") || sc.Name == "largeworld" || sc.Name == "islands" {
			continue // these scenes take long to build
		}
		b := newBench(t, "-scene "+sc.Name)
		b.run(1)
		b.Stage.Player.SetPaused(true) // only the picture matters
		p := b.picture.Camera.Place
		for _, s := range windows {
			for _, with := range []struct{ panel, hud, timeline bool }{{}, {true, false, false}, {true, true, false}, {false, true, true}} {
				b.picture.Surface, b.panel.On, b.picture.HUD.On, b.picture.Timeline.On = s, with.panel, with.hud, with.timeline
				b.run(1)
				f := b.picture.Framing()
				if f.H < 60 {
					continue // no room
				}
				at := b.middle()
				if sc.Follow == "" && math.Hypot(at.X-p.X, at.Y-p.Y) > 1e-6*(1+math.Abs(p.X)) {
					t.Errorf("%s in %+v with %+v: %v is in the middle, not %v, %v", sc.Name, s, with, at, p.X, p.Y)
				}
				k := b.picture.Camera.Scale(f.Half.H)
				wide, tall := p.Width*k/f.W, p.Height*k/f.H
				if max(wide, tall) > 1+1e-9 || max(wide, tall) < 1-1e-9 {
					t.Errorf("%s in %+v with %+v: its place fills %.2f by %.2f of what is free", sc.Name, s, with, wide, tall)
				}
			}
		}
		b.Close()
	}
}

func TestAViewThatTheUserMovedStaysWhenTheWindowChanges(t *testing.T) {
	b := newBench(t, "-scene arch")
	b.run(1)
	b.press(input.KeyRight)
	was := b.picture.Camera.Camera
	b.picture.Surface = input.Surface{W: 700, H: 700, Scale: 1}
	if b.run(1); b.picture.Camera.Camera != was {
		t.Errorf("%+v became %+v", was, b.picture.Camera.Camera)
	}
	for _, key := range []input.Key{input.KeyHome, input.KeyR} {
		b.press(input.KeyRight, key)
		if at := b.middle(); math.Abs(at.X) > 1e-9 || !b.picture.Camera.Home {
			t.Errorf("key %d shows %v in the middle", key, at)
		}
	}
}

func TestTheViewOfABodyThatLeavesMovesOnByAPage(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(2)
	was := b.picture.Camera.X
	b.run(600) // 10 s
	if b.picture.Camera.X != was {
		t.Errorf("at %v m it has moved from %v to %v", 10, was, b.picture.Camera.X)
	}
	b.run(400)
	p, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body)
	if d := b.picture.Camera.X - was; math.Abs(d-b.picture.Camera.Place.Width) > 1e-9 || math.Abs(p.X-b.middle().X) > b.picture.Camera.Place.Width/2 {
		t.Errorf("the body is at %v, and the view has moved by %v", p.X, d)
	}
}

func TestASceneWithoutAViewIsShownWholeAsItBegan(t *testing.T) {
	b := newBench(t, "-scene arch")
	b.Stage.Scenes[b.Stage.Current].View = scenes.View{}
	if err := b.Session.ChangeScene(b.Stage.Current); err != nil {
		t.Fatal(err)
	}
	b.run(1)
	for _, p := range b.Stage.Player.Engine.Poses() {
		x, y := b.picture.Camera.WorldToScreen(p.CentreX, p.CentreY, b.picture.Surface.W, b.picture.Surface.H)
		if x < 0 || y < 0 || x > float64(b.picture.Surface.W) || y > float64(b.picture.Surface.H) {
			t.Errorf("the body at %v, %v is not in the picture", p.X, p.Y)
		}
	}
	height := b.picture.Camera.Height
	stray, _ := b.Stage.Player.Find("ground")
	b.Stage.Player.Teleport(stray, world.Vec{X: 1e5}, 0)
	b.run(3)
	if b.press(input.KeyHome); b.picture.Camera.Height != height {
		t.Errorf("with a stray it shows %v m, not %v", b.picture.Camera.Height, height)
	}
}

func TestTheBannerOfThePastHidesNothingOfTheSceneAndDoesNotMoveIt(t *testing.T) {
	b := newPanelBench(t, "-scene tower")
	b.run(120)
	b.press(input.KeySpace)
	if f := b.picture.Framing(); f.Y < picture.Margin+picture.BannerTall {
		t.Errorf("the scene begins %v units below the top, and the banner ends at %v", f.Y, picture.Margin+picture.BannerTall)
	}
	was := b.picture.Camera.Camera
	b.Travel.Seek(60)
	b.run(3)
	if b.Stage.Shown.What != play.ShowsPast || b.picture.Camera.Camera != was {
		t.Errorf("in the past (%v) the view is %+v, not %+v", b.Stage.Shown.What == play.ShowsPast, b.picture.Camera.Camera, was)
	}
}

func TestAnEmptyViewSaysHowToComeBack(t *testing.T) {
	b := newBench(t, "-scene drift -hidden -hud=false")
	b.run(3)
	b.picture.Camera.Away()
	b.picture.Camera.X += 1e4
	b.picture.Figures.Refreshed++
	if text, _, _ := b.picture.HUD.Footnote(b.picture); !strings.Contains(text, "Home") {
		t.Errorf("it says %q", text)
	}
}
