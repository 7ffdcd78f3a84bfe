package main

import (
	"encoding/json"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/loops"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// shown returns the shown position of the drifting body in each half.
func (b *bench) shown(name string) (left, right float64) {
	b.t.Helper()
	for e, x := range map[*play.Player]*float64{b.Stage.Player: &left, b.Stage.Right.Player: &right} {
		body, ok := e.Find(name)
		p, shown := e.Pose(body)
		if !ok || !shown {
			b.t.Fatalf("no %s", name)
		}
		*x = p.X
	}
	return left, right
}

func TestKeyFFollowsTheBodyThatTheHalfUnderTheCursorShows(t *testing.T) {
	b := newBench(t, "-scene drift -compare none")
	b.run(5)
	n := b.Sampler.Tracked[0].Body
	b.Stage.Right.Player.Teleport(n, world.Vec{X: 6, Y: 3}, 0)
	b.press(input.KeySpace)
	b.run(5)
	half := b.picture.Half()
	x, y := b.picture.Camera.WorldToScreen(6, 3, half.W, half.H)
	for _, right := range []float64{0, float64(half.W)} {
		b.picture.Camera.Follow = 0
		b.queue.Put(input.Event{Kind: input.CursorInput, X: x + right, Y: y})
		b.press(input.KeyF)
		if follows := b.picture.Camera.Follow == n; follows != (right > 0) {
			t.Errorf("the cursor is at %v: it follows %v", x+right, b.picture.Camera.Follow)
		}
	}
}

func TestADragCountsInBothHalvesFromEither(t *testing.T) {
	for half, offset := range map[string]float64{"left": 0, "right": 500} {
		b := newBench(t, "-scene drift -compare single") // the window is 1000 units wide
		b.run(1)
		at := func(x, y float64) {
			px, py := b.picture.Camera.WorldToScreen(x, y, 500, 500)
			b.queue.Put(input.Event{Kind: input.CursorInput, X: px + offset, Y: py})
		}
		at(0, 0)
		b.mouse(input.MouseButtonLeft, input.Press)
		b.run(2)
		if b.Stage.Drag.Body == 0 || b.Stage.Right.Drag.Body == 0 {
			t.Fatalf("%s: holding %v and %v", half, b.Stage.Drag.Body, b.Stage.Right.Drag.Body)
		}
		at(4, 3)
		b.run(120)
		if l, r := b.shown("drift"); math.Abs(l-4) > .1 || math.Abs(r-4) > .1 {
			t.Errorf("%s: the bodies are at %v and %v", half, l, r)
		}
		b.mouse(input.MouseButtonLeft, input.Release)
		b.run(3)
		if b.Stage.Drag.Body != 0 || b.Stage.Right.Drag.Body != 0 || b.joints() != 0 || len(b.Stage.Right.View.Scene.Joints) != 0 {
			t.Errorf("%s: not let go", half)
		}
	}
}

func TestPanningAcrossTheDividerDoesNotJump(t *testing.T) {
	b := newBench(t, "-scene drift -compare none")
	b.run(1)
	b.queue.Put(input.Event{Kind: input.CursorInput, X: 490, Y: 250})
	b.mouse(input.MouseButtonRight, input.Press)
	b.run(1)
	x, scale := b.picture.Camera.X, b.picture.Camera.Scale(500)
	b.queue.Put(input.Event{Kind: input.CursorInput, X: 510, Y: 250})
	b.run(1)
	if got := (x - b.picture.Camera.X) * scale; math.Abs(got-20) > 1e-6 {
		t.Errorf("20 pixels moved the picture by %v", got)
	}
}

func TestAFailureOfTheRightHalfEndsTheRunToo(t *testing.T) {
	b := newBench(t, "-scene drift -compare fixed -ticks 100")
	b.Stage.Right.Player.Do(func(*world.World) { panic("boom") })
	b.run(3)
	if b.Outcome.Failure == nil || !strings.Contains(b.Outcome.Failure.Error(), "-compare: physics stopped") || !b.ended(3) {
		t.Errorf("failure %v", b.Outcome.Failure)
	}
}

// halves decodes a picture, and returns its two halves without the labels.
func halves(t *testing.T, path string) (left, right [][3]uint32) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	w, h := picture.Bounds().Dx(), picture.Bounds().Dy()
	half := func(from int) (pixels [][3]uint32) {
		for y := 70; y < h; y++ {
			for x := 2; x < w/2-2; x++ {
				r, g, b, _ := picture.At(from+x, y).RGBA()
				pixels = append(pixels, [3]uint32{r, g, b})
			}
		}
		return pixels
	}
	if picture.Bounds() != image.Rect(0, 0, 400, 200) {
		t.Fatalf("size %v", picture.Bounds())
	}
	return half(0), half(w / 2)
}

func differing(a, b [][3]uint32) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

func TestThePictureOfAComparisonHasTwoHalves(t *testing.T) {
	t.Parallel()
	needDisplay(t)
	path := filepath.Join(t.TempDir(), "c.png")
	for _, c := range []struct {
		what string
		same bool
	}{{"none", false}, {"interpolate", true}, {"free", false}, {"fixed", false}} {
		// there are 12 frames at 144 Hz, so physics is between two ticks at the end
		status, _, stderr := viewerRun(t, nil, "-hidden", "-scene", "drift", "-clock", "fixed:144", "-frames", "12",
			"-size", "400x200", "-hud=false", "-compare", c.what, "-screenshot", path)
		if status != exitOK || stderr != "" {
			t.Fatalf("%s: status %d, %q", c.what, status, stderr)
		}
		left, right := halves(t, path)
		colours := map[[3]uint32]bool{}
		for _, p := range right {
			colours[p] = true
		}
		if n := differing(left, right); (n == 0) != c.same || len(colours) < 5 {
			t.Errorf("%s: the halves differ in %d pixels; %d colours", c.what, n, len(colours))
		}
	}
}

func TestEveryLoopRunsInTheProgram(t *testing.T) {
	t.Parallel()
	needDisplay(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	hashes := map[string]string{}
	for _, loop := range append([]string{""}, loops.Names()...) {
		args := []string{"-hidden", "-scene", "cradle", "-clock", "fixed:144", "-ticks", "25", "-size", "64x64",
			"-stats", at("s.json"), "-log", at("l.csv"), "-screenshot", at("p.png")}
		if loop != "" {
			args = append(args, "-loop", loop)
		}
		status, stdout, stderr := viewerRun(t, nil, args...)
		if status != exitOK || stderr != "" || !strings.Contains(stdout, "cradle: 25 ticks") || !strings.Contains(stdout, loop) {
			t.Fatalf("%s: status %d, %q, %q", loop, status, stdout, stderr)
		}
		var s files.Stats
		data, _ := os.ReadFile(at("s.json"))
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		if s.Ticks != 25 || s.Loop != loop || len(s.StateHash) != 16 || s.Frames == 0 || s.Bodies == 0 {
			t.Errorf("%s: %+v", loop, s)
		}
		hashes[loop] = s.StateHash
		log, _ := os.ReadFile(at("l.csv"))
		if rows := strings.Count(string(log), "\n") - 1; uint64(rows) != s.Frames {
			t.Errorf("%s: %d rows for %d frames", loop, rows, s.Frames)
		}
	}
	for _, loop := range []string{"single", "free", "fixed", "naive"} {
		if hashes[loop] != hashes[""] {
			t.Errorf("%s leads to %s, the engine's own loop to %s", loop, hashes[loop], hashes[""])
		}
	}
}

func TestThePanelComparesAndTheTowerIsItsFirstSuggestion(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.picture.Surface = input.Surface{W: 1280, H: 1400, Scale: 1}
	b.panel.Page = panel.ViewPage
	b.run(2)
	b.click("compare tower")
	b.run(3)
	if name := b.Stage.Scenes[b.Stage.Current].Name; name != "tower" || b.Stage.Right == nil || b.Stage.Right.Settings.Stepper != "fast" || b.Stage.Stepper() != world.SoftStep {
		t.Fatalf("%s, right half %v", name, b.Stage.Right)
	}
	b.click("compare sync") // the next one: lockstep
	b.run(3)
	if b.Stage.Right == nil || b.Comparer.Compare.Name != "lockstep" {
		t.Errorf("compares with %q", b.Comparer.Compare.Name)
	}
	b.click("compare nothing")
	b.run(30)
	if b.Stage.Right != nil || b.picture.Half().W != 1280-panel.PanelWide || !b.Travel.HasPast {
		t.Errorf("right half %v, left %d wide, keeps its past %v", b.Stage.Right, b.picture.Half().W, b.Travel.HasPast)
	}
}

func TestNothingThatIsDrawnOfAHalfReachesIntoTheOther(t *testing.T) {
	b := newPanelBench(t, "-scene joints -compare soft")
	b.picture.Layers |= body2d.VelocitiesLayer | body2d.NormalsLayer | body2d.IslandsLayer | body2d.CentresLayer | body2d.NamesLayer
	b.Stage.SetDebug(b.picture.Layers)
	b.run(20)
	b.Inspect.Choose(b.Sampler.Tracked[0].Body)
	b.picture.Camera.X += 5 // the world moves into the other half
	c := new(glrender.Renderer).BeginHUD(b.picture.Viewport())
	b.picture.DrawMarks(c)
	marks := reflect.ValueOf(c).Elem().FieldByName("list")
	middle, halves := float64(b.picture.Half().W), map[bool]int{}
	for i := range marks.Len() {
		clip := marks.Index(i).FieldByName("clip")
		left, right := clip.Index(0).Float(), clip.Index(2).Float()
		if right != middle && left != middle || right-left != middle {
			t.Fatalf("a mark is drawn from %v to %v", left, right)
		}
		halves[left == middle]++
	}
	if halves[true] == 0 || halves[false] == 0 {
		t.Errorf("marks of both halves: %v", halves)
	}
}

func TestAClickOnTheRightHalfShowsTheBodyOfThatHalf(t *testing.T) {
	b := newPanelBench(t, "-scene drift -compare soft")
	b.run(5)
	body := b.Sampler.Tracked[0].Body
	b.Stage.Right.Player.SetVelocity(body, world.Vec{X: .5}) // this makes the halves differ
	b.run(60)
	for i, e := range []*play.Player{b.Stage.Player, b.Stage.Right.Player} {
		p, _ := e.Pose(body)
		half := b.picture.Half()
		x, y := b.picture.Camera.WorldToScreen(p.X, p.Y, half.W, half.H)
		b.pointAt(x+float64(i*half.W), y)
		b.mouse(input.MouseButtonLeft, input.Press)
		b.mouse(input.MouseButtonLeft, input.Release)
		b.run(20)
		b.Inspect.Last = time.Time{} // it asks at once
		b.run(5)
		want := []string{"left half", "right half"}[i]
		s := e.View().Cur[0]
		if slot, ok := e.View().Scene.Slot(uint64(body)); ok {
			s = e.View().Cur[slot]
		}
		speed := string(words.Line(nil).Pair(float64(s.VX), float64(s.VY)).Str(" m/s"))
		if b.Inspect.Body != body || !b.reads(want) || !b.reads(speed) || b.Inspect.Info.Body.Velocity.X != float64(s.VX) {
			t.Errorf("%s: %v is chosen, its velocity is %s, the world says %v, the page says %s", want, b.Inspect.Body, speed, b.Inspect.Info.Body.Velocity, b.reading())
		}
	}
}
