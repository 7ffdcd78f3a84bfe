package main

import (
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/ui"
	"halfstep/engine/hitch"
	"halfstep/renderloop"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// newPanelBench returns a viewer with a panel, and with a surface of 960 by 540 pixels.
func newPanelBench(t testing.TB, args string) *bench {
	t.Helper()
	b := newBench(t, "-panel "+args)
	b.picture.Surface = input.Surface{W: 960, H: 540, Scale: 1}
	b.run(3)
	return b
}

// pointAt moves the cursor to a pixel.
func (b *bench) pointAt(x, y float64) {
	b.queue.Put(input.Event{Kind: input.CursorInput, X: x, Y: y})
}

// press1 presses and releases the left button between two frames.
func (b *bench) press1() {
	b.mouse(input.MouseButtonLeft, input.Press)
	b.mouse(input.MouseButtonLeft, input.Release)
	b.run(3)
}

func (b *bench) control(name string) ui.Rect {
	b.t.Helper()
	r, ok := b.panel.Ui.Find(name)
	if !ok {
		b.t.Fatalf("no control %q", name)
	}
	return r
}

// click clicks on a control. If the control is a choice, it clicks on the value.
func (b *bench) click(name string) {
	b.t.Helper()
	r := b.control(name)
	b.pointAt(float64(r.X+.75*r.W), float64(r.Y+r.H/2))
	b.press1()
}

// clickBody clicks on a point of the world.
func (b *bench) clickBody(x, y float64) {
	half := b.picture.Half()
	b.pointAt(b.picture.Camera.WorldToScreen(x, y, half.W, half.H))
	b.press1()
}

func (b *bench) write(text string) {
	for _, c := range text {
		b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.Key(strings.ToUpper(string(c))[0]), Action: input.Press})
		b.queue.Put(input.Event{Kind: input.CharInput, Char: c})
	}
	b.run(1)
}

func TestEveryPageIsLaidOutOnEveryScreen(t *testing.T) {
	for _, s := range []input.Surface{{W: 960, H: 540, Scale: 1}, {W: 1280, H: 720, Scale: 1}, {W: 2560, H: 1440, Scale: 2}, {W: 520, H: 250, Scale: 1}} {
		b := newPanelBench(t, "-scene joints")
		b.picture.Surface = s
		wide := float32(b.panel.Width(s)) / float32(glrender.Unit(s.Scale))
		w, h := float32(s.W)/float32(glrender.Unit(s.Scale)), float32(s.H)/float32(glrender.Unit(s.Scale))
		n, _ := b.Stage.Player.Find("wheel")
		b.Inspect.Choose(n)
		for page := range panel.Pages {
			b.panel.Page = page
			b.run(20)
			for _, shape := range b.panel.Ui.Shapes() {
				if x := shape.X; x < w-wide-1 || x > w || shape.Y < -1 || shape.Y > h+1 {
					t.Errorf("%dx%d, page %s: %+v is not on the panel", s.W, s.H, panel.Pages[page], shape)
					break
				}
			}
			if got := len(b.panel.Ui.Shapes()); got < 30 {
				t.Errorf("page %s: only %d shapes", panel.Pages[page], got)
			}
		}
	}
}

func TestTheWorldIsDrawnBesideThePanel(t *testing.T) {
	b := newPanelBench(t, "-scene pyramid")
	wide := b.panel.Width(b.picture.Surface)
	if half := b.picture.Half(); wide == 0 || half.W+wide != 960 || b.picture.Left().W != half.W {
		t.Errorf("the panel is %d wide, the world %d", wide, half.W)
	}
	// The scene is in the middle of the part of the window beside the panel.
	half := b.picture.Half()
	x, _ := b.picture.Camera.WorldToScreen(0, 0, half.W, half.H)
	if math.Abs(x-float64(half.W)/2) > 1 {
		t.Errorf("the scene's middle is at %v of %d", x, half.W)
	}
	b.press(input.KeyTab)
	if b.panel.On || b.picture.HUD.On || b.picture.Half().W != 960 {
		t.Error("Tab does not hide it")
	}
	b.press(input.KeyTab)
	if !b.panel.On || !b.picture.HUD.On {
		t.Error("Tab does not show it again")
	}
	b.picture.Surface = input.Surface{W: 400, H: 300, Scale: 1}
	if b.panel.Width(b.picture.Surface) != 0 {
		t.Error("a window of 400 by 300 has no room for it")
	}
}

func TestAControlAndItsKeyDoTheSame(t *testing.T) {
	all := []*panel.Action{panel.Named("pause"), panel.Named("step"), panel.Named("metrics"), panel.Named("timeline"), panel.Named("pacing")}
	for _, a := range panel.Actions {
		if a.Layer != 0 {
			all = append(all, a)
		}
	}
	for _, a := range all {
		name := a.Name
		b, c := newPanelBench(t, "-scene drift"), newPanelBench(t, "-scene drift")
		for _, x := range []*bench{b, c} {
			x.picture.Surface = input.Surface{W: 1280, H: 900, Scale: 1}
			x.panel.Page = panel.ViewPage
			x.run(2)
		}
		b.click(name)
		c.press(a.Keys[0])
		c.run(2)
		type state struct {
			paused, hud, time, pacing bool
			layers                    body2d.Layers
			used                      int
		}
		of := func(b *bench) state {
			return state{b.Stage.Player.Paused(), b.picture.HUD.On, b.picture.Timeline.On, b.Stage.Settings.Pacing, b.picture.Layers, b.Uses[name]}
		}
		if x, y := of(b), of(c); x != y || x.used != 1 {
			t.Errorf("%s: the control gives %+v, the key %+v", name, x, y)
		}
	}
}

func TestThePanelChoosesHowFramesWaitForPhysics(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.panel.Page = panel.ViewPage
	b.run(2)
	for _, want := range []renderloop.Sync{renderloop.Lockstep, renderloop.RunAhead, renderloop.Pipelined} {
		r := b.control("sync")
		b.pointAt(float64(r.X+r.W-10), float64(r.Y+r.H/2))
		b.press1()
		b.run(2)
		if b.Stage.Settings.Sync != want || b.Stage.Player.Engine.Sync() != want {
			t.Errorf("%v, the engine %v; want %v", b.Stage.Settings.Sync, b.Stage.Player.Engine.Sync(), want)
		}
	}
}

func TestThePanelShowsTheFrameCapOfTheFlag(t *testing.T) {
	b := newPanelBench(t, "-scene drift -clock wall")
	b.panel.Page = panel.ViewPage
	for fps, want := range map[int]string{75: "75 per second", 60: "60 per second"} {
		b.setCap(fps)
		b.run(2)
		said := false
		for _, s := range b.panel.Ui.Shapes() {
			said = said || s.Kind == ui.Label && b.panel.Ui.Text(&s) == want
		}
		if !said {
			t.Errorf("-fps %d: the panel does not say %q", fps, want)
		}
	}
	b.setCap(75)
	b.run(2)
	b.click("cap") // with a limit of its own there are seven options, which make a list
	if b.click("cap/uncapped"); b.cap != standardCaps[len(standardCaps)-1] {
		t.Errorf("the chosen cap is %d", b.cap)
	}
}

func TestASceneIsFoundByWhatItDoesAndTypingPressesNoKeys(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeySlash, Action: input.Press})
	b.queue.Put(input.Event{Kind: input.CharInput, Char: '/'})
	b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeySlash, Action: input.Release})
	b.run(1)
	b.write("newton q n")
	if b.panel.Scenes.Search != "newton q n" || b.Stage.Quitting || b.Stage.Player.Paused() {
		t.Fatalf("typed %q, quitting %v, paused %v", b.panel.Scenes.Search, b.Stage.Quitting, b.Stage.Player.Paused())
	}
	for range 4 {
		b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeyBackspace, Action: input.Press})
	}
	b.run(2)
	for name := range map[string]bool{"scene cradle": true} {
		b.control(name)
	}
	if _, there := b.panel.Ui.Find("scene drift"); there {
		t.Error("a scene that does not match is in the list")
	}
	b.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeyEnter, Action: input.Press})
	b.run(3)
	if got := b.Stage.Scenes[b.Stage.Current].Name; got != "cradle" {
		t.Errorf("Enter opened %s", got)
	}
	b.press(input.KeySpace)
	if !b.Stage.Player.Paused() {
		t.Error("after that, keys do nothing")
	}
}

func TestASliderIsLetGoOfWhileTheWindowIsTooSmallForIt(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	large := b.picture.Surface
	r := b.control("time scale")
	b.pointAt(float64(r.X+r.W/2), float64(r.Y+r.H-9))
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(2)
	held := b.Stage.Player.Scale()
	b.queue.Put(input.Event{Kind: input.SurfaceInput})
	b.mouse(input.MouseButtonLeft, input.Release)
	b.run(1)
	b.queue.Put(input.Event{Kind: input.SurfaceInput, Surface: large})
	b.pointAt(float64(r.X+r.W-10), float64(r.Y+r.H-9))
	b.run(3)
	if got := b.Stage.Player.Scale(); held == 1 || got != held {
		t.Errorf("without a button it follows the cursor from %v to %v", held, got)
	}
}

func TestTheListOpensScenesByAClick(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.click("scene spin")
	if got := b.Stage.Scenes[b.Stage.Current].Name; got != "spin" || b.Uses["open"] != 1 {
		t.Errorf("now in %s, %v", got, b.Uses)
	}
}

func TestAClickChoosesABodyAndLeavesTheWorldAlone(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.press(input.KeySpace)
	n := b.Sampler.Tracked[0].Body
	b.Stage.Player.SetAwake(n, false)
	b.run(3)
	p, _ := b.Stage.Player.Pose(n)
	b.clickBody(p.X+.2, p.Y)
	if b.Inspect.Body != n || b.panel.Page != panel.BodyPage {
		t.Fatalf("chosen %v, page %d", b.Inspect.Body, b.panel.Page)
	}
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(4)
	if b.joints() != 0 || b.Sketcher.Sketch.Body != n || b.Changes.Moments.Last >= 0 {
		t.Errorf("a press that may become a click made %d joints, holding %v", b.joints(), b.Sketcher.Sketch.Body)
	}
	b.mouse(input.MouseButtonLeft, input.Release)
	b.run(2)
	// The page asks the world about the body even while the world is paused, and the answer
	// about sleep is still correct.
	for range 50 {
		if b.Inspect.Info.Known {
			break
		}
		time.Sleep(10 * time.Millisecond)
		b.run(2)
	}
	i := &b.Inspect.Info
	if !i.Known || i.Body.Name != "drift" || i.Body.Awake || i.Body.Mass != 1 || len(i.Def.Shapes) != 1 || i.Def.Shapes[0].Kind != world.PolygonShape {
		t.Errorf("%+v", i)
	}
	b.clickBody(p.X+3, p.Y+3)
	if b.Inspect.Body != 0 {
		t.Error("a click on nothing keeps it")
	}
	b.clickBody(p.X, p.Y)
	b.click("pin")
	b.clickBody(p.X+3, p.Y+3)
	if b.Inspect.Body != n {
		t.Error("a pinned body is not kept")
	}
	b.Stage.Player.DestroyBody(n)
	b.press(input.KeySpace)
	b.run(5)
	if b.Inspect.Body != 0 || b.Outcome.Failure != nil {
		t.Errorf("a body that is gone is still chosen: %v", b.Outcome.Failure)
	}
}

func TestAClickJustBesideABodyMeansIt(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.press(input.KeySpace)
	b.run(3)
	n := b.Sampler.Tracked[0].Body
	p, _ := b.Stage.Player.Pose(n)
	half := b.picture.Half()
	pixel := 1 / b.picture.Camera.Scale(half.H)
	b.clickBody(p.X+.5+8*pixel, p.Y)
	if b.Inspect.Body != 0 {
		t.Error("a click 8 pixels beside it chooses it")
	}
	b.clickBody(p.X+.5+2*pixel, p.Y)
	if b.Inspect.Body != n {
		t.Error("a click 2 pixels beside it does not")
	}
}

func TestADragIsNoClick(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	n := b.Sampler.Tracked[0].Body
	p, _ := b.Stage.Player.Pose(n)
	half := b.picture.Half()
	b.pointAt(b.picture.Camera.WorldToScreen(p.X, p.Y, half.W, half.H))
	b.mouse(input.MouseButtonLeft, input.Press)
	b.run(1)
	b.pointAt(b.picture.Camera.WorldToScreen(p.X+2, p.Y+1, half.W, half.H))
	b.run(90) // until it is there
	if b.joints() != 1 {
		t.Errorf("%d joints in a drag", b.joints())
	}
	b.mouse(input.MouseButtonLeft, input.Release)
	b.run(3)
	if b.Inspect.Body != 0 || b.joints() != 0 {
		t.Errorf("after it: chosen %v, %d joints", b.Inspect.Body, b.joints())
	}
}

func TestTheBodyPageSaysHowLargeShapesAreAndWhatTheirJointsDo(t *testing.T) {
	for scene, want := range map[string]map[string][]string{
		"joints": {
			"tyre":      {"radius 0.35 m", "wheel, wheel", "translation", "5.00 rad/s, ", " of 3.0 N·m", "4.00 Hz, damping 0.70"},
			"prismatic": {" corners, 2.60 × 0.40 m", "limits", " m to ", " m/s, "},
		},
		"ragdolls": {"bone": {"capsule", "length ", ", radius ", "revolute, bone", "angle", "° to "}},
	} {
		b := newPanelBench(t, "-scene "+scene)
		b.picture.Surface.H, b.panel.Page = 1400, panel.BodyPage // all parts of the page are visible
		for name, texts := range want {
			n, _ := b.Stage.Player.Find(name)
			b.Inspect.Choose(n)
			for deadline := time.Now().Add(time.Minute); !b.Inspect.Info.Known; {
				if time.Now().After(deadline) {
					t.Fatal("the world does not answer")
				}
				b.run(2)
			}
			b.run(1)
			for _, text := range texts {
				if !b.reads(text) {
					t.Errorf("%s, %s: no %q in %q", scene, name, text, b.reading())
				}
			}
		}
	}
}

func TestAParameterIsACommandThatARecordingKeeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	b := newPanelBench(t, "-scene drift -record "+path)
	b.run(5)
	r := b.control("set speed")
	b.pointAt(float64(r.X+r.W-5), float64(r.Y+r.H-8))
	b.press1()
	if got := b.Params.Param(&b.Stage.Scenes[b.Stage.Current], 0); got != 5 {
		t.Fatalf("the slider is at %v", got)
	}
	b.run(20)
	p, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body)
	if p.X < 1 {
		t.Errorf("at 5 m/s it is at %v", p.X)
	}
	b.Session.ChangeScene(b.Stage.Current) // ends the recording
	if err := replays(path); err != nil {
		t.Error(err)
	}
	b.run(60)
	if p, _ := b.Stage.Player.Pose(b.Sampler.Tracked[0].Body); p.X < 4 {
		t.Errorf("the next run begins without it: %v", p.X)
	}
}

func TestTheRecordButtonRecordsAndEndsTheRecording(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newPanelBench(t, "-scene rain")
	b.click("record")
	if !b.Stage.Player.Records() {
		t.Fatal(b.picture.Notice.Text)
	}
	b.run(40)
	b.click("record")
	if b.Stage.Player.Records() {
		t.Error("still recording")
	}
	b.Session.ChangeScene(b.Stage.Current) // closes the file
	if err := replays("halfstep-001.rec"); err != nil {
		t.Error(err)
	}
}

func TestAFrameWithThePanelAllocatesNothing(t *testing.T) {
	perFrame := func(scene string, page int) float64 {
		b := newPanelBench(t, "-scene "+scene)
		b.panel.Page = page
		b.Stage.Player.SetPaused(true)
		canvas := new(glrender.Renderer)
		frame := func() {
			b.run(1)
			c := canvas.BeginHUD(b.picture.Viewport())
			b.picture.DrawMarks(c)
			b.picture.DrawControls(c)
		}
		for range 50 {
			frame()
		}
		return testing.AllocsPerRun(200, frame)
	}
	for page := range panel.Pages {
		few, many := perFrame("drift", page), perFrame("pyramid", page)
		if many != 0 || few != 0 {
			t.Errorf("page %s: %v allocations with one body, %v with 821", panel.Pages[page], few, many)
		}
	}
}

func TestTheAnimationErrorIsZeroForAnEvenPictureAndNotForASteppedOne(t *testing.T) {
	b := newBench(t, "-scene drift -clock fixed:144 -compare none")
	b.run(300)
	smooth, stepped := b.picture.Figures.Motion.RMS, b.Stage.Right.Player.Metrics().Motion.RMS
	if smooth > .1 || stepped < 1 {
		t.Errorf("interpolated: %v ms, newest: %v ms", smooth, stepped)
	}
	if d, ok := b.Sampler.Apart(); !ok || d <= 0 || d > 1./60 {
		t.Errorf("the halves are %v m apart, %v", d, ok)
	}
	c := newBench(t, "-scene drift -clock fixed:144 -loop free")
	c.run(300)
	if got := c.picture.Figures.Motion.RMS; got < 1 {
		t.Errorf("a loop that shows the newest state: %v ms", got)
	}
}

func TestTheTableOfPhasesHasBothThreads(t *testing.T) {
	b := newPanelBench(t, "-scene blocks -clock fixed:60")
	b.panel.Page = panel.FiguresPage
	b.run(30)
	b.picture.Figures.Frame(time.Second, b.Stage.Player)
	for thread := range b.picture.Figures.Phases.Rows {
		all := b.picture.Figures.Phases.Rows[thread][len(b.picture.Figures.Phases.Rows[thread])-1]
		if all.Now <= 0 || all.Most < all.Mean || all.Mean <= 0 {
			t.Errorf("thread %d: %+v", thread, all)
		}
	}
}

func TestTheBarOfTheTimeEndsWithinThePanelAfterSingleSteps(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.panel.Page = panel.FiguresPage
	b.picture.Surface = input.Surface{W: 1280, H: 1200, Scale: 1}
	b.press(input.KeySpace)
	for range 10 {
		b.Travel.Steps = 60
		b.run(1)
	}
	if l := b.Stage.Player.Ledger(); l.Stepped() < 9 || l.Paused() <= 0 {
		t.Fatalf("stepped %v s, paused %v s", l.Stepped(), l.Paused())
	}
	for _, s := range b.panel.Ui.Shapes() {
		if s.Kind == ui.Box && s.X+s.W > 1280 {
			t.Errorf("%+v ends beyond the window", s)
		}
	}
}

func TestTheVerdictOnAHitchIsASentence(t *testing.T) {
	b := newPanelBench(t, "-scene drift")
	b.panel.Page = panel.FiguresPage
	b.newest = new(atomic.Pointer[hitch.Report])
	b.newest.Store(&hitch.Report{Verdict: "Step 60 took 52 ms: most of it went by in a fault that was made on purpose."})
	b.picture.Surface = input.Surface{W: 1280, H: 1000, Scale: 1}
	b.run(3)
	said := b.reading()
	if !strings.Contains(said, "in a fault that was made on purpose.") || !strings.HasPrefix(b.picture.Notice.Text, "Step 60 took 52 ms") {
		t.Errorf("the page does not say it: %s", said)
	}
}

func TestAPressWithoutMotionChoosesAndIsNoChange(t *testing.T) {
	b := newPanelBench(t, "-scene pyramid -sync lockstep")
	slot := b.Stage.View.Counts.Bodies - 1
	body := world.Body(b.Stage.View.Scene.Bodies[slot].Handle)
	p, _ := b.Stage.Player.Pose(body)
	half := b.picture.Half()
	b.pointAt(b.picture.Camera.WorldToScreen(p.CentreX, p.CentreY, half.W, half.H))
	b.queue.Put(input.Event{Kind: input.ButtonInput, Button: input.MouseButtonLeft, Action: input.Press, At: time.Now()})
	b.run(30)
	time.Sleep(300 * time.Millisecond) // this is longer than a quick click
	b.run(30)
	if b.joints() != 0 || b.Changes.Moments.Last >= 0 {
		t.Errorf("%d joints, %d changes", b.joints(), len(b.Changes.Moments.All))
	}
	b.queue.Put(input.Event{Kind: input.ButtonInput, Button: input.MouseButtonLeft, Action: input.Release, At: time.Now()})
	if b.run(3); b.Inspect.Body != body || b.panel.Page != panel.BodyPage {
		t.Errorf("chosen: %v, not %v", b.Inspect.Body, body)
	}
}

func TestTheWheelOverAPageChangesNothing(t *testing.T) {
	b := newPanelBench(t, "-scene cradle -sync lockstep")
	for page := range panel.Pages {
		b.panel.Page = page
		b.run(2)
		for y := 150.; y < 540; y += 9 {
			b.pointAt(960-60, y)
			b.queue.Put(input.Event{Kind: input.ScrollInput, Y: -1})
			b.run(1)
		}
	}
	if len(b.Changes.Moments.All) != 0 || b.Stage.Settings.Loop != "" || b.Stage.View.Tick < 50 {
		t.Errorf("%d changes, loop %q, tick %d", len(b.Changes.Moments.All), b.Stage.Settings.Loop, b.Stage.View.Tick)
	}
}

func TestATurnOfTheWheelAndADragOfASliderAreOneChangeEach(t *testing.T) {
	b := newPanelBench(t, "-scene cradle -sync lockstep")
	b.panel.Page = panel.WorldPage
	b.run(2)
	r := b.control("gravity")
	x, y := float64(r.X+r.W/3), float64(r.Y+r.H-8)
	b.pointAt(x, y)
	b.mouse(input.MouseButtonLeft, input.Press)
	for range 10 {
		x += 3
		b.pointAt(x, y)
		b.run(1)
	}
	b.mouse(input.MouseButtonLeft, input.Release)
	if b.run(2); len(b.Changes.Moments.All) != 1 {
		t.Fatalf("a drag is %d changes", len(b.Changes.Moments.All))
	}
	for range 5 {
		b.queue.Put(input.Event{Kind: input.ScrollInput, Y: 1})
		b.run(1)
	}
	if len(b.Changes.Moments.All) != 2 {
		t.Errorf("a turn of the wheel is %d changes", len(b.Changes.Moments.All)-1)
	}
}
