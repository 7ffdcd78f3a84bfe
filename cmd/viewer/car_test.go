package main

import (
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
)

// The test builds a car with the pointer alone. To the viewer the pointer and the
// keys are real.
func TestACarWithMotorWheelsIsBuiltWithThePointer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	h := newHand(t, 1280, 720, 1, "-scene empty")
	begun, clicks := time.Now(), 0
	drag := func(x0, y0, x1, y1 float64) { h.drag(x0, y0, x1, y1); clicks++ }
	click := func(name string) { h.click(name); clicks++ }
	h.both(' ', input.KeySpace)
	click("page/Body")
	click("tool box")
	drag(-5, 1, -1, 1.6)
	click("tool ball")
	drag(-4.5, .75, -4.5, 1.35)
	drag(-1.5, .75, -1.5, 1.35)
	click("tool joint")
	click("joint kind")
	click("joint kind/wheel")
	for _, x := range []float64{-4.5, -1.5} {
		drag(-3, 1.3, x, .7) // from the chassis to the wheel
		h.settle()
		if h.twin.Inspect.Joint == 0 {
			t.Fatalf("no joint is chosen: %q", h.twin.picture.Notice.Text)
		}
		h.until("the joint is described", func() bool { h.twin.run(1); return h.twin.Inspect.Info.Joint.Handle == h.twin.Inspect.Joint })
		click("change motor")
	}
	h.forPeople("car-1.png")
	h.both(' ', input.KeySpace)
	body, _ := h.twin.Stage.Player.Find("box")
	was, _ := h.twin.Stage.Player.Pose(body)
	h.twin.run(120)
	time.Sleep(2 * time.Second)
	now, _ := h.twin.Stage.Player.Pose(body)
	h.forPeople("car-2.png")
	t.Logf("%d clicks and drags, %.1f s; from %.2f to %.2f", clicks, time.Since(begun).Seconds(), was.X, now.X)
	if now.X < was.X+2 {
		t.Errorf("the car goes from %v to %v", was.X, now.X)
	}
}
