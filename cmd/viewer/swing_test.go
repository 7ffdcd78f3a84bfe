package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/engine"
	"halfstep/engine/rube"
)

// The test works as a user does who has not read the pages. To the viewer the pointer and
// the keys are real. The viewer and a program open the saved file again.
func TestASwingOfTwoBoxesIsMadeUndoneSavedAndOpened(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	h := newHand(t, 1280, 720, 1, "-scene empty")
	begun := time.Now()
	said := func(what string) { t.Logf("%4.1f s: %s", time.Since(begun).Seconds(), what) }
	is := func(what string, bodies, joints int32) {
		t.Helper()
		h.settle()
		if n := h.twin.Stage.View.Counts; n.Bodies != bodies || n.Joints != joints {
			t.Fatalf("%s: %d bodies and %d joints, not %d and %d; says %q", what, n.Bodies, n.Joints, bodies, joints, h.twin.picture.Notice.Text)
		}
		said(what)
	}
	h.both(' ', input.KeySpace)
	h.click("page/Body")
	h.click("tool box")
	h.drag(-3, 7.5, 3, 8)
	is("the beam is drawn", 2, 0)
	r := h.control("change kind") // the next kind after dynamic is static
	h.clickAt(r.X+r.W-10, r.Y+r.H/2)
	h.drag(-2, 2.5, 2, 3)
	is("the seat is drawn", 3, 0)
	h.click("tool joint")
	h.click("joint kind")
	h.click("joint kind/rope")
	h.drag(-1.8, 7.75, -1.8, 2.75)
	h.drag(1.8, 7.75, 1.8, 2.75)
	is("two ropes hold it", 3, 2)
	h.both('z', input.KeyZ)
	is("one of them is undone", 3, 1)
	h.both('y', input.KeyY)
	is("and made again", 3, 2)
	h.forPeople("swing.png")
	h.both(symEscape, input.KeyEscape)
	h.both(' ', input.KeySpace)
	h.drag(0, 2.75, 3, 4)
	said("it has been pushed")
	h.both(' ', input.KeySpace)
	h.key('s')
	path := filepath.Join(h.dir, "halfstep-001.json")
	h.until("the file is there", func() bool { _, err := os.Stat(path); return err == nil })
	said("it is saved")
	h.end()
	if status, out, complaint := viewerRun(t, []string{"DISPLAY=" + h.display, "XAUTHORITY="}, "-hidden", "-clock", "fixed:60", "-ticks", "60", path); status != exitOK {
		t.Fatalf("the viewer opens it with status %d: %s%s", status, out, complaint)
	}
	said("the viewer has opened it")

	// In a program:
	scene, err := rube.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Config{World: scene.World, Setup: scene.Build, Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Step(600)
	for body, p := range e.Poses() {
		info, _ := e.Body(body)
		said(fmt.Sprintf("after 10 s %q is at %.2f, %.2f", info.Name, p.X, p.Y))
		if info.Name == "box" && p.Y < 2.4 {
			t.Error("it has fallen down")
		}
	}
}
