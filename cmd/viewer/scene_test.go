package main

import (
	"errors"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/world"
	"math"
	"os"
	"strings"
	"testing"

	"halfstep/cmd/viewer/scenes"
)

func TestWhatASceneShowsIsOnScreenUnlessThePanelHasIt(t *testing.T) {
	b := newBench(t, "-scene cradle -hud -hidden")
	b.run(1)
	s, _ := scenes.Lookup("cradle")
	if text, _, _ := b.picture.HUD.Footnote(b.picture); text != s.Description {
		t.Errorf("it says %q", text)
	}
	b.panel.On = true
	if text, _, _ := b.picture.HUD.Footnote(b.picture); text == s.Description {
		t.Error("it is there twice")
	}
	b.panel.On, b.picture.HUD.On = false, false
	if text, _, _ := b.picture.HUD.Footnote(b.picture); text != "" {
		t.Errorf("without metrics it says %q", text)
	}
}

func TestTheCameraFollowsTheCarFromTheStart(t *testing.T) {
	b := newBench(t, "-scene car")
	for _, frames := range []int{1, 120} {
		b.run(frames)
		car, ok := b.Stage.Player.Find("car")
		if !ok {
			t.Fatal("no car")
		}
		p, _ := b.Stage.Player.Pose(car)
		if f := b.picture.Framing(); math.Abs(b.picture.Camera.X-p.CentreX) > .5 || math.Abs(b.picture.Camera.Y-p.CentreY) > 1 || f.W <= 0 {
			t.Errorf("the camera is at %v, %v, the car at %v, %v", b.picture.Camera.X, b.picture.Camera.Y, p.CentreX, p.CentreY)
		}
	}
	b.picture.Camera.PanBy(.1, 0, b.picture.Surface)
	x := b.picture.Camera.X
	if b.run(60); b.picture.Camera.X != x {
		t.Error("the camera goes on after the user has moved it")
	}
}

func TestTheManualNamesEverySceneUnderItsCategory(t *testing.T) {
	page, err := os.ReadFile("../../docs/viewer.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenes.All() {
		found := false
		for line := range strings.Lines(string(page)) {
			found = found || strings.HasPrefix(line, "| "+string(s.Category)+" |") && strings.Contains(line, "`"+s.Name+"`")
		}
		if !found {
			t.Errorf("%s is not named beside %q", s.Name, s.Category)
		}
	}
}

func TestAFailureIsNotForgottenWhenTheSceneIsOpenedAgain(t *testing.T) {
	b := newBench(t, "-scene drift")
	b.run(3)
	gaveUp := errors.New("the solver gave up")
	b.Stage.Player.Do(func(*world.World) { panic(gaveUp) })
	for range 100 {
		if b.run(1); b.Outcome.Failure != nil {
			break
		}
	}
	b.press(input.KeyR)
	if b.run(30); b.Outcome.Failure != nil {
		t.Fatal(b.Outcome.Failure)
	}
	if err := b.finish(); err == nil || !strings.Contains(err.Error(), gaveUp.Error()) {
		t.Errorf("the run ends with %v", err)
	}
}
