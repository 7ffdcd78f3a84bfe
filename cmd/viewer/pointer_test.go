package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

// hand uses a viewer in a window with a real pointer and keyboard. It does the same
// with a second viewer that has no window. The second viewer tells the positions of
// the controls.
type hand struct {
	*xserver
	twin  *bench
	cmd   *exec.Cmd
	out   *bufio.Reader
	where string // where is the address of the metrics.
	dir   string
	scale float32 // pixels per unit
}

// newHand starts a viewer with a window of w by h units, on a display with scale
// pixels per unit. The viewer without a window does not get the flags in more.
func newHand(t *testing.T, w, h int, scale float64, args string, more ...string) *hand {
	t.Helper()
	x := startX(t, int(float64(w)*scale), int(float64(h)*scale))
	x.setDPI(int(96 * scale))
	return x.open(w, h, scale, args, more...)
}

func (x *xserver) open(width, height int, scale float64, args string, more ...string) *hand {
	t := x.t
	t.Helper()
	h := &hand{xserver: x, dir: t.TempDir(), scale: float32(glrender.Unit(scale))}
	h.twin = newBench(t, "-panel "+args)
	h.twin.picture.Surface = input.Surface{W: int(float64(width) * scale), H: int(float64(height) * scale), Scale: scale}
	h.twin.run(2)
	h.cmd = viewerCommand(t, append([]string{"-panel", "-size", fmt.Sprintf("%dx%d", width, height), "-fps", "60", "-stats", "s.json", "-pprof", "localhost:0"}, append(strings.Fields(args), more...)...)...)
	h.cmd.Dir = h.dir
	h.cmd.Env = append(h.cmd.Env, "DISPLAY="+x.display, "XAUTHORITY=", "XDG_CONFIG_HOME="+h.dir)
	h.cmd.Stderr = os.Stderr
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.cmd.Process.Kill(); h.cmd.Wait() })
	h.out = bufio.NewReader(out)
	line, err := h.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(line, "http")
	if at < 0 {
		t.Fatalf("no address in %q", line)
	}
	h.where = strings.TrimSuffix(strings.Fields(line[at:])[0], "/debug/pprof/") + "/debug/halfstep"
	h.settle()
	return h
}

// shown returns the number of frames of the newest engine, and the number of ticks of
// the oldest.
func (h *hand) shown() (frames, ticks uint64) {
	r, err := http.Get(h.where)
	if err != nil {
		return 0, 0
	}
	defer r.Body.Close()
	var m struct {
		Engines []struct {
			Frames   uint64 `json:"frames"`
			Demanded uint64 `json:"demanded_ticks"`
		} `json:"engines"`
	}
	if json.NewDecoder(r.Body).Decode(&m) != nil || len(m.Engines) == 0 {
		return 0, 0
	}
	return m.Engines[len(m.Engines)-1].Frames, m.Engines[0].Demanded
}

func (h *hand) frames() uint64 { n, _ := h.shown(); return n }
func (h *hand) tick() uint64   { _, n := h.shown(); return n }

// settle waits for some frames. A scene that restarts counts its frames from 0 again.
func (h *hand) settle() {
	h.t.Helper()
	time.Sleep(50 * time.Millisecond) // frames that wait for the past are short, and events take some time
	begun := h.frames()
	for deadline := time.Now().Add(30 * time.Second); ; {
		time.Sleep(10 * time.Millisecond)
		n := h.frames()
		if n < begun {
			begun = 0
		}
		if n >= begun+5 {
			break
		}
		if time.Now().After(deadline) {
			h.t.Fatal("the viewer makes no frames")
		}
	}
	h.twin.run(3)
}

func (h *hand) goTo(px, py float32) {
	h.move(int(px), int(py))
	h.twin.queue.Put(input.Event{Kind: input.CursorInput, X: float64(int(px)), Y: float64(int(py))})
	h.settle()
}

func (h *hand) left(down bool) {
	h.button(1, down)
	action := input.Release
	if down {
		action = input.Press
	}
	h.twin.mouse(input.MouseButtonLeft, action)
	h.settle()
}

func (h *hand) clickAt(px, py float32) {
	h.goTo(px, py)
	// press and release without a pause, because a click may be shorter than a frame
	h.button(1, true)
	h.button(1, false)
	h.twin.mouse(input.MouseButtonLeft, input.Press)
	h.twin.mouse(input.MouseButtonLeft, input.Release)
	h.settle()
}

// control returns the rectangle of a control.
func (h *hand) control(name string) ui.Rect {
	h.t.Helper()
	r, ok := h.twin.panel.Ui.Find(name)
	if !ok {
		h.t.Fatalf("no control %q", name)
	}
	return r
}

func (h *hand) click(name string) {
	h.t.Helper()
	r := h.control(name)
	h.clickAt(h.scale*(r.X+r.W/2), h.scale*(r.Y+r.H/2))
}

func (h *hand) write(text string) {
	h.t.Helper()
	for _, c := range text {
		h.key(uint32(c))
		h.twin.queue.Put(input.Event{Kind: input.CharInput, Char: c})
	}
	h.settle()
}

// end quits the viewer with a key, and returns the viewer's statistics.
func (h *hand) end() (s files.Stats) {
	h.t.Helper()
	h.key('q')
	time.Sleep(100 * time.Millisecond) // without this pause the key would count as a key that repeats
	h.key('q')                         // the key confirms the question about unsaved work
	rest, _ := io.ReadAll(h.out)
	if err := h.cmd.Wait(); err != nil {
		h.t.Fatalf("%v: %s", err, rest)
	}
	data, err := os.ReadFile(filepath.Join(h.dir, "s.json"))
	if err != nil {
		h.t.Fatal(err)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		h.t.Fatal(err)
	}
	return s
}

// picture saves the content of the window for a person.
func (h *hand) picture(to string) {
	h.key(symF12)
	var path string
	for range 500 {
		time.Sleep(20 * time.Millisecond)
		if names, _ := filepath.Glob(filepath.Join(h.dir, "halfstep-*.png")); len(names) > 0 {
			path = names[len(names)-1]
			if f, err := os.Open(path); err == nil {
				_, err = png.Decode(f)
				f.Close()
				if err == nil {
					break
				}
			}
		}
	}
	os.Rename(path, to)
}

// The test walks through the viewer once, with a pointer and a keyboard that are real
// to the viewer. The statistics prove each step.
func TestARealPointerOpensDragsPausesStepsChoosesAndChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	h := newHand(t, 960, 540, 1, "-scene drift")

	h.click("search") // open a scene by searching for it
	h.write("newton")
	h.key(symReturn)
	h.twin.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeyEnter, Action: input.Press})
	h.settle()
	if name := h.twin.Stage.Scenes[h.twin.Stage.Current].Name; name != "cradle" {
		t.Fatalf("the viewer without a window is in %s", name)
	}

	h.click("pause")
	track := h.control("set balls lifted") // drag a slider
	y := track.Y + track.H - 8
	h.goTo(track.X+5, y)
	h.left(true)
	h.goTo(track.X+track.W/2, y)
	h.goTo(track.X+track.W-3, y+40)
	h.left(false)
	h.click("step")
	h.click("step")

	// choose a body: the third ball hangs straight down
	b, _ := h.twin.Stage.Player.Find("ball5")
	p, ok := h.twin.Stage.Player.Pose(b)
	if !ok {
		t.Fatal("no ball5")
	}
	half := h.twin.picture.Half()
	px, py := h.twin.picture.Camera.WorldToScreen(p.X, p.Y, half.W, half.H)
	h.clickAt(float32(px), float32(py))
	h.click("path")

	h.click("page/World")
	h.click("stepper")
	h.until("the beginning", func() bool { return h.tick() == 0 })
	for n := range uint64(3) { // a key that is pressed again at once counts as held
		h.key('n')
		h.until("a step more", func() bool { return h.tick() == n+1 })
		h.settle()
	}
	s := h.end()

	if s.Scene != "cradle" || s.Used["open"] != 1 || s.Used["search"] == 0 {
		t.Errorf("searching opened %s: %v", s.Scene, s.Used)
	}
	if s.Parameters["balls lifted"] != 4 || s.Used["balls lifted"] == 0 {
		t.Errorf("dragging the slider gave %v", s.Parameters)
	}
	if s.Used["pause"] != 1 || s.Used["step"] != 5 || s.Ticks != 3 {
		t.Errorf("three steps since the restart, paused: %d ticks, %v", s.Ticks, s.Used)
	}
	if s.Used["select"] != 1 || s.Used["path"] != 1 {
		t.Errorf("a click on a body: %v", s.Used)
	}
	if s.Stepper != "soft" || s.Used["stepper"] != 1 {
		t.Errorf("the stepper is %s", s.Stepper)
	}
}

func TestARealPointerScrubsTheSessionBack(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	h := newHand(t, 960, 540, 1, "-scene spin")
	for deadline := time.Now().Add(time.Minute); h.tick() < 200; {
		if time.Sleep(20 * time.Millisecond); time.Now().After(deadline) {
			t.Fatalf("only at tick %d", h.tick())
		}
	}
	h.click("pause")
	h.settle()
	now := h.tick()
	r := h.control("scrub")
	tick := func(n uint64) float32 { return r.X + 5 + (r.W-10)*float32(n)/float32(now) }
	y := r.Y + r.H - 9
	h.goTo(tick(now)-1, y)
	h.left(true)
	h.goTo(tick(now-50), y)
	h.goTo(tick(now-100), y+30)
	h.left(false)
	h.click("step")
	s := h.end()
	if s.PastTick == nil {
		t.Fatalf("it is in the present: %v", s.Used)
	}
	if d := now + 1 - *s.PastTick; d < 96 || d > 104 {
		t.Errorf("from tick %d back by 100 and a step on is tick %d", now, *s.PastTick)
	}
	if s.Ticks != now || s.Used["scrub"] != 1 || s.Used["step"] != 1 {
		t.Errorf("the session is at tick %d, not %d: %v", s.Ticks, now, s.Used)
	}
}

// rightClickAt clicks with the right button.
func (h *hand) rightClickAt(px, py float32) {
	h.goTo(px, py)
	h.button(3, true)
	h.button(3, false)
	h.twin.mouse(input.MouseButtonRight, input.Press)
	h.twin.mouse(input.MouseButtonRight, input.Release)
	h.settle()
}

// both presses a key in the viewer and in its twin.
func (h *hand) both(sym uint32, key input.Key) {
	h.key(sym)
	h.twin.queue.Put(input.Event{Kind: input.KeyInput, Key: key, Action: input.Press})
	h.twin.queue.Put(input.Event{Kind: input.KeyInput, Key: key, Action: input.Release})
	h.settle()
}

// The test creates, pins, edits and undoes with a real pointer, and replays a
// recording of that.
func TestARealPointerCreatesPinsUndoesAndTheRecordingReplays(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	file := filepath.Join(t.TempDir(), "run.rec")
	h := newHand(t, 960, 540, 1, "-scene arch")
	h.both(' ', input.KeySpace)
	h.key('o') // the other viewer would record into this folder
	h.settle()
	at := func(x, y float64) (float32, float32) {
		half := h.twin.picture.Half()
		px, py := h.twin.picture.Camera.WorldToScreen(x, y, half.W, half.H)
		return float32(px), float32(py)
	}
	h.rightClickAt(at(-8, 3))
	h.click("menu box")
	h.rightClickAt(at(-8, 3))
	h.click("menu pin")
	h.rightClickAt(at(-8, 3))
	h.click("menu delete")
	h.both('z', input.KeyZ)
	h.both(' ', input.KeySpace)
	h.settle()
	h.key('o') // the other viewer would record into this folder
	h.settle()
	s := h.end()
	names, _ := filepath.Glob(filepath.Join(h.dir, "*.rec"))
	if len(names) != 1 {
		t.Fatalf("recordings %v, used %v", names, s.Used)
	}
	if err := os.Rename(names[0], file); err != nil {
		t.Fatal(err)
	}
	if err := replays(file); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"create box", "pin", "delete", "undo"} {
		if s.Used[name] != 1 {
			t.Errorf("%s: used %v", name, s.Used)
		}
	}
}

// The test looks back, loops, leaves the past by the banner, compares, searches, and
// presses Esc.
func TestARealPointerLeavesThePastByItsBannerComparesAndSearches(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	h := newHand(t, 960, 720, 1, "-scene drift")
	for h.tick() < 130 {
		time.Sleep(20 * time.Millisecond)
	}
	h.click("pause")
	h.key(';')
	h.settle()
	r := bannerButton(h)
	h.clickAt(r.X+r.W/2, r.Y+r.H/2)
	h.key(symEscape) // the key closes nothing, and does not quit
	h.settle()
	h.click("page/View")
	h.click("compare stepper")
	h.click("compare nothing")
	h.click("page/Scene")
	h.click("search")
	h.write("car")
	h.key(symReturn)
	h.twin.queue.Put(input.Event{Kind: input.KeyInput, Key: input.KeyEnter, Action: input.Press})
	h.settle()
	s := h.end()
	if s.PastTick != nil || s.Used["now"] != 1 || s.Used["compare"] != 1 || s.Used["compare nothing"] != 1 || s.Scene != "car" {
		t.Errorf("scene %s, past %v, used %v", s.Scene, s.PastTick, s.Used)
	}
}

// bannerButton returns the rectangle of the button in a banner such as "1.0 s ago".
func bannerButton(h *hand) ui.Rect {
	v := h.twin
	v.Travel.Seek(v.Stage.Player.Demanded() - min(v.Stage.Player.Demanded(), 2))
	v.run(2)
	v.picture.DrawPast(new(glrender.Renderer).BeginHUD(v.picture.Viewport()))
	r := v.picture.HUD.Now
	v.Travel.ToPresent()
	v.run(1)
	v.picture.HUD.Now = ui.Rect{}
	return r
}

// drag draws from one place in the world to another with the left button.
func (h *hand) drag(x0, y0, x1, y1 float64) {
	half := h.twin.picture.Half()
	at := func(x, y float64) {
		px, py := h.twin.picture.Camera.WorldToScreen(x, y, half.W, half.H)
		h.goTo(float32(px), float32(py))
	}
	at(x0, y0)
	h.left(true)
	at((x0+x1)/2, (y0+y1)/2)
	at(x1, y1)
	h.left(false)
}

// forPeople writes a picture to the folder HALFSTEP_PICTURES, if that is set.
func (h *hand) forPeople(name string) {
	if to := os.Getenv("HALFSTEP_PICTURES"); to != "" {
		h.picture(filepath.Join(to, name))
	}
}

// These pictures are for people. Set HALFSTEP_PICTURES to a folder.
func TestPicturesOfThePanel(t *testing.T) {
	to := os.Getenv("HALFSTEP_PICTURES")
	if to == "" {
		t.Skip("no folder is set")
	}
	for _, size := range []struct {
		w, h  int
		scale float64
	}{{800, 600, 1}, {1280, 720, 1}, {1280, 720, 1.5}, {1280, 720, 2}} {
		picturePages(t, to, size.w, size.h, size.scale)
	}
}

func picturePages(t *testing.T, to string, w, h int, scale float64) {
	picture := func(page string) string {
		return filepath.Join(to, fmt.Sprintf("panel-%dx%d@%.0f%%-%s.png", w, h, 100*scale, page))
	}
	x := newHand(t, w, h, scale, "-scene pyramid -timeline")
	for _, page := range panel.Pages {
		if page == "Body" {
			half := x.twin.picture.Half()
			px, py := x.twin.picture.Camera.WorldToScreen(.3, 20.4, half.W, half.H)
			x.clickAt(float32(px), float32(py))
			for range 4 {
				x.settle()
			}
		}
		x.click("page/" + page)
		x.picture(picture(page))
	}
	x.both(symF1, input.KeyF1)
	x.picture(picture("Help"))
	x.both(symEscape, input.KeyEscape)
	half := x.twin.picture.Half()
	px, py := x.twin.picture.Camera.WorldToScreen(-14, 30, half.W, half.H)
	x.rightClickAt(float32(px), float32(py))
	x.picture(picture("Edit"))
	x.both(symEscape, input.KeyEscape)
	x.key(';') // back by a second
	x.settle()
	x.key(' ')
	x.picture(picture("Past"))
	x.end()

	x = newHand(t, w, h, scale, "-scene tower -compare soft")
	for x.tick() < 240 {
		x.settle()
	}
	x.picture(picture("Compare"))
	x.end()
}
