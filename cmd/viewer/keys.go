package main

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/renderloop/clock"
	"halfstep/renderloop/glrender"
)

// action is shared by a key and a control. The help overlay lists them all.
type action struct {
	name   string // for -stats
	keys   []glfw.Key
	label  string // of the keys, for the help; "" if another action's names them
	does   string
	group  string // its title in the help
	repeat bool   // while the key is held
	do     func(*viewer) error
	shows  func(*viewer) bool // whether the layer that it toggles is shown; nil for other actions
}

var actions []*action

// group is the title of the actions that follow.
var group string

// on binds keys to an action; held ones repeat it while the key is held.
func on(name string, keys []glfw.Key, label, does string, do func(*viewer) error) *action {
	a := &action{name: name, keys: keys, label: label, does: does, group: group, do: do}
	actions = append(actions, a)
	return a
}

func held(name string, keys []glfw.Key, label, does string, do func(*viewer) error) *action {
	a := on(name, keys, label, does, do)
	a.repeat = true
	return a
}

// drawnLayer binds a key to a layer that the renderer draws.
func drawnLayer(name string, key glfw.Key, label, what string, l glrender.Layers) {
	a := on(name, keys{key}, label, "layer: "+what, layer(l, what))
	a.shows = func(v *viewer) bool { return v.layers&l != 0 }
}

// markedLayer binds a key to a layer that is drawn with the HUD.
func markedLayer(name string, key glfw.Key, label, what string, of func(*marks) *bool) {
	a := on(name, keys{key}, label, "layer: "+what, toggleLayer(what, of))
	a.shows = func(v *viewer) bool { return *of(&v.marks) }
}

func do(f func(v *viewer)) func(*viewer) error {
	return func(v *viewer) error { f(v); return nil }
}

type keys = []glfw.Key

var (
	pauseAction, stepAction, restartAction, backAction            *action
	forwardAction, backwardAction, presentAction, smoothingAction *action
	syncAction, pacingAction, rateDownAction, rateUpAction        *action
	capAction, slowerAction, fasterAction, fitAction              *action
	followAction, screenshotAction, recordAction                  *action
	snapshotAction, restoreAction, linkAction, metricsAction      *action
	findAction, timelineAction                                    *action
)

// In a function they come in this order.
func init() {
	group = "Time"
	pauseAction = on("pause", keys{glfw.KeySpace}, "Space", "pause or continue", do((*viewer).togglePause))
	stepAction = held("step", keys{glfw.KeyN}, "N", "pause and run a single step", do((*viewer).singleStep))
	restartAction = on("restart", keys{glfw.KeyR}, "R", "restart the scene, in its own view", (*viewer).restart)
	on("next scene", keys{glfw.KeyPageDown, glfw.KeyRightBracket}, "PgDn ]", "next scene", func(v *viewer) error { return v.changeBy(1) })
	on("previous scene", keys{glfw.KeyPageUp, glfw.KeyLeftBracket}, "PgUp [", "previous scene", func(v *viewer) error { return v.changeBy(-1) })
	group = "The past"
	backAction = held("back", keys{glfw.KeySemicolon}, ";", "back one second", do(func(v *viewer) { v.skip(-1) }))
	forwardAction = held("forward", keys{glfw.KeyApostrophe}, "'", "forward one second", do(func(v *viewer) { v.skip(1) }))
	backwardAction = on("backward", keys{glfw.KeyBackspace}, "Backspace", "play backward", do((*viewer).toggleBackward))
	presentAction = on("present", keys{glfw.KeyEnd}, "End", "leave the past", do((*viewer).toNow))
	group = "Frames and steps"
	smoothingAction = on("smoothing", keys{glfw.KeyM}, "M", "next smoothing: bodies between two steps", do((*viewer).nextSmoothing))
	syncAction = on("sync", keys{glfw.KeyL}, "L", "next sync: how pictures wait for steps", do((*viewer).nextSync))
	pacingAction = on("pacing", keys{glfw.KeyE}, "E", "even out frame times, or not", do((*viewer).togglePacing))
	rateDownAction = held("rate down", keys{glfw.KeyMinus, glfw.KeyKPSubtract}, "-", "fewer steps per second", func(v *viewer) error { return v.changeRate(-1) })
	rateUpAction = held("rate up", keys{glfw.KeyEqual, glfw.KeyKPAdd}, "+", "more steps per second", func(v *viewer) error { return v.changeRate(1) })
	capAction = on("cap", keys{glfw.KeyV}, "V", "frame cap: vsync, 10, 30, 60, 144, none", do((*viewer).nextCap))
	slowerAction = held("slower", keys{glfw.KeyComma}, ",", "slower time", func(v *viewer) error { return v.changeScale(-1) })
	fasterAction = held("faster", keys{glfw.KeyPeriod}, ".", "faster time", func(v *viewer) error { return v.changeScale(1) })
	group = "View"
	held("left", keys{glfw.KeyLeft}, "arrows", "pan; drive in car and platformer", do(func(v *viewer) { v.camera.pan(-panStep, 0, v.half()) }))
	held("right", keys{glfw.KeyRight}, "", "", do(func(v *viewer) { v.camera.pan(panStep, 0, v.half()) }))
	held("up", keys{glfw.KeyUp}, "", "", do(func(v *viewer) { v.camera.pan(0, panStep, v.half()) }))
	held("down", keys{glfw.KeyDown}, "", "", do(func(v *viewer) { v.camera.pan(0, -panStep, v.half()) }))
	fitAction = on("fit", keys{glfw.KeyHome, glfw.KeyC}, "Home C", "the scene's own view", do((*viewer).goHome))
	followAction = on("follow", keys{glfw.KeyF}, "F", "follow the body under the cursor", do((*viewer).toggleFollow))
	group = "Layers"
	drawnLayer("layer joints", glfw.Key1, "1", "joints", glrender.Joints)
	drawnLayer("layer bounding boxes", glfw.Key2, "2", "bounding boxes", glrender.Boxes)
	drawnLayer("layer contacts", glfw.Key3, "3", "contacts and impulses", glrender.Contacts)
	drawnLayer("layer centres of mass", glfw.Key4, "4", "centres and axes", glrender.Centres)
	drawnLayer("layer previous and current state", glfw.Key5, "5", "previous and current state", glrender.Ghosts)
	drawnLayer("layer dim sleeping bodies", glfw.Key6, "6", "dim sleeping bodies", glrender.Sleep)
	drawnLayer("layer grid", glfw.Key7, "7", "grid", glrender.Grid)
	markedLayer("names", glfw.Key8, "8", "names", func(m *marks) *bool { return &m.names })
	markedLayer("velocities", glfw.Key9, "9", "velocities", func(m *marks) *bool { return &m.velocities })
	markedLayer("normals", glfw.Key0, "0", "normals of shapes", func(m *marks) *bool { return &m.normals })
	markedLayer("islands", glfw.KeyF6, "F6", "islands", func(m *marks) *bool { return &m.islands })
	markedLayer("fast bodies", glfw.KeyF7, "F7", "fast bodies", func(m *marks) *bool { return &m.fast })
	markedLayer("graph colours", glfw.KeyF4, "F4", "colours of the soft step", func(m *marks) *bool { return &m.colours })
	group = "Files and snapshots"
	screenshotAction = on("screenshot", keys{glfw.KeyP, glfw.KeyF12}, "P F12", "screenshot", do(func(v *viewer) { v.wantPicture = true }))
	recordAction = on("record", keys{glfw.KeyO, glfw.KeyF9}, "O F9", "begin or end a recording", do((*viewer).toggleRecording))
	on("black box", keys{glfw.KeyB}, "B", "write the last seconds to a file", do((*viewer).dumpBlackBox))
	snapshotAction = on("snapshot", keys{glfw.KeyF5}, "F5", "take a snapshot of the world", do((*viewer).takeSnapshot))
	restoreAction = on("restore", keys{glfw.KeyF8}, "F8", "go back to the snapshot", do((*viewer).restoreSnapshot))
	on("undo", keys{glfw.KeyZ}, "Z", "undo the last change of the world", do((*viewer).undo))
	on("delete", keys{glfw.KeyDelete}, "Del", "delete the chosen body", do(func(v *viewer) { v.deleteBody(v.inspect.body) }))
	linkAction = on("link", keys{glfw.KeyK}, "K", "copy a command that leads to this moment", do((*viewer).copyLink))
	group = "Window"
	on("help", keys{glfw.KeyF1, glfw.KeyH}, "F1 H", "this help", do((*viewer).nextHelp))
	on("all", keys{glfw.KeyTab}, "Tab", "panel and figures", do((*viewer).toggleAll))
	on("panel", keys{glfw.KeyF2}, "F2", "panel", do((*viewer).togglePanel))
	metricsAction = on("metrics", keys{glfw.KeyF3}, "F3", "figures", do((*viewer).toggleFigures))
	findAction = on("find", keys{glfw.KeySlash}, "/", "find a scene", do((*viewer).findScene))
	timelineAction = on("timeline", keys{glfw.KeyT}, "T", "timeline of both threads", do(func(v *viewer) { v.timeline.on = !v.timeline.on }))
	on("full screen", keys{glfw.KeyF11}, "F11", "full screen", do(func(v *viewer) { v.screen.fullscreen() }))
	on("close", keys{glfw.KeyEscape}, "Esc", "close the help, the past or what is chosen", do((*viewer).closeOpen))
	on("quit", keys{glfw.KeyQ}, "Q", "quit", do((*viewer).quit))
}

// key is the first key of an action, as the panel shows it.
func (a *action) key() string {
	first, _, _ := strings.Cut(a.label, " ")
	return first
}

// layer is the name of the layer that an action shows or hides.
func (a *action) layer() string { return strings.TrimPrefix(a.does, "layer: ") }

// act runs an action, for a key or a control.
func (v *viewer) act(a *action) error {
	v.count(a.name)
	return a.do(v)
}

// count adds to how often the user has used an action or a control, for -stats.
func (s *session) count(name string) { s.used[name]++ }

const panStep = 0.1 // of the picture's height

func (v *viewer) press(key glfw.Key, repeat bool) error {
	for _, a := range actions {
		if slices.Contains(a.keys, key) && (a.repeat || !repeat) {
			return v.act(a)
		}
	}
	return nil
}

// stopped reports whether time stands still. To play backward is to be paused and to
// seek in every frame.
func (s *session) stopped() bool { return s.player.Paused() && !s.playback.backward }

// stopBackward stays where playing backward has come to. It reports whether it did.
func (s *session) stopBackward() bool {
	if !s.playback.backward {
		return false
	}
	s.playback.backward = false
	s.engines(func(e *player) { e.SetPaused(true) })
	return true
}

func (s *session) togglePause() {
	if s.stopBackward() {
		return
	}
	if s.replayEnded() {
		s.seek(s.replay.First)
		s.engines(func(e *player) { e.SetPaused(false) })
		return
	}
	s.leaveNow()
	on := !s.player.Paused()
	s.engines(func(e *player) { e.SetPaused(on) })
	if !on {
		s.steps = 0
	}
}

func (s *session) singleStep() {
	if s.stopBackward() {
		return
	}
	s.leaveNow()
	s.engines(func(e *player) { e.SetPaused(true) })
	if r := s.playedRecording(); s.seeking.on && r != nil {
		s.seek(s.seeking.to + 1)
		return
	}
	s.steps++
}

// closeOpen closes what was opened last, one thing at a time. It does not quit. A field
// that is typed into has Esc for itself.
func (v *viewer) closeOpen() {
	switch {
	case v.menu.open:
		v.menu.open = false
	case v.help.on:
		v.help = help{}
	case v.giveUpSeek():
	case v.past != nil:
		v.toPresent()
	case v.panel.search != "":
		v.panel.search = ""
	case v.inspect.body != 0:
		v.inspect.choose(0)
	default:
		v.say("Q quits")
	}
}

// toggleFigures shows or hides the figures.
func (v *viewer) toggleFigures() {
	if v.hud.on = !v.hud.on; v.hud.on && v.panel.crowds(v.surface) {
		v.say("no room for the figures beside the panel: its page Figures has them")
	}
}

// restart restarts the scene in its own view.
func (v *viewer) restart() error {
	v.camera.home = true
	return v.change(v.current)
}

func (v *viewer) changeBy(by int) error {
	n := len(v.scenes)
	return v.change((v.current + by + n) % n)
}

func (s *session) nextSmoothing() {
	s.setSmoothing(smoothings[(slices.Index(smoothings, s.settings.smoothing)+1)%len(smoothings)])
}

// engineLoop reports whether one of the engines runs its own loop. If none does,
// it shows a notice.
func (s *session) engineLoop() (ok bool) {
	s.engines(func(e *player) { ok = ok || e.name == "" })
	if !ok {
		s.say("the " + s.player.name + " loop does not have this setting")
	}
	return ok
}

func (s *session) nextSync() {
	s.setSync(syncs[(slices.Index(syncs, s.settings.sync)+1)%len(syncs)])
}

func (s *session) togglePacing() {
	if !s.engineLoop() {
		return
	}
	set := &s.settings
	set.pacing = !set.pacing
	s.applySettings()
	s.say("frame pacing: " + onOff(set.pacing))
}

// stepRates are the step rates that keys - and + go through.
var stepRates = []int64{5, 10, 15, 20, 30, 50, 60, 90, 120, 144, 180, 240, 480, 960}

func (s *session) changeRate(by int) error {
	return s.setRate(clock.Hz(beside(stepRates, s.player.Rate().Float(), by)))
}

// beside is the next entry above x (by > 0) or below x in an ascending list.
func beside(list []int64, x float64, by int) int64 {
	if by > 0 {
		for _, n := range list {
			if float64(n) > x {
				return n
			}
		}
		return list[len(list)-1]
	}
	for i := len(list) - 1; i >= 0; i-- {
		if float64(list[i]) < x {
			return list[i]
		}
	}
	return list[0]
}

// timeScales are the time scales that keys , and . go through, in percent.
var timeScales = []int64{1, 5, 10, 25, 50, 100, 200, 400}

func (s *session) changeScale(by int) error {
	return s.setScale(float64(beside(timeScales, 100*s.scale(), by)) / 100)
}

var frameCaps = []int{0, 10, 30, 60, 144, -1}

func (v *viewer) nextCap() {
	v.setCap(frameCaps[(slices.Index(frameCaps, v.cap)+1)%len(frameCaps)])
	v.say("frames: " + capName(v.cap))
}

func capName(fps int) string {
	switch {
	case fps == 0:
		return "vsync"
	case fps < 0:
		return "uncapped"
	}
	return fmt.Sprintf("%d per second", fps)
}

func (v *viewer) toggleFollow() {
	at := v.camera.world(v.half())
	b, ok := v.picked().pick(at)
	switch {
	case ok && b != v.camera.follow:
		v.camera.after(b)
		v.say("following")
	case v.camera.follow != 0:
		v.camera.follow = 0
		v.say("no longer following")
	default:
		v.say("no body under the cursor to follow")
	}
}

func layer(l glrender.Layers, name string) func(*viewer) error {
	return func(v *viewer) error {
		v.layers ^= l
		v.setDebug(v.payload())
		on := v.layers&l != 0
		v.say(name + ": " + onOff(on) + v.notShown(on && l.Payload() != 0))
		return nil
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// link is a command that leads to this moment: the scene, its rate, stepper and
// parameters, the tick and the camera. What the user did in the world is not in it,
// which copyLink says.
// It fails if no shell here takes the name of the file as it is.
func (v *viewer) link() (string, error) {
	var b strings.Builder
	b.WriteString("viewer")
	sc := &v.scenes[v.current]
	quoted, ok := quoteArg(sc.path, runtime.GOOS)
	switch {
	case !ok:
		return "", fmt.Errorf("the name %s cannot be written in a command; rename the file", printable(sc.path))
	case sc.address() != "":
		b.WriteString(" -watch " + quoted)
	case v.replay != nil:
		b.WriteString(" -replay " + quoted)
	case sc.path != "":
		b.WriteString(" " + quoted)
	default:
		b.WriteString(" -scene " + sc.name)
	}
	s := &v.settings
	if s.rate.Num != 0 && v.replay == nil {
		b.WriteString(" -hz " + exact(s.rate.Float()))
	}
	if v.replay == nil {
		if s.stepper != "" {
			b.WriteString(" -stepper " + s.stepper)
		}
		if s.loop != "" {
			b.WriteString(" -loop " + s.loop)
		}
		for i := range sc.params {
			if p := &sc.params[i]; v.param(sc, i) != p.Default {
				value, _ := quoteArg(p.Name+"="+exact(v.param(sc, i)), runtime.GOOS)
				b.WriteString(" -param " + value)
			}
		}
	}
	if v.view.Tick > 0 && sc.address() == "" {
		fmt.Fprintf(&b, " -seek %d", v.view.Tick)
	}
	c := v.camera.Camera
	fmt.Fprintf(&b, " -camera %s,%s,%s", short6(c.X), short6(c.Y), short6(c.Height))
	return b.String(), nil
}

func exact(x float64) string  { return strconv.FormatFloat(x, 'g', -1, 64) }
func short6(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// quoteArg quotes an argument for the shells of a system, if that is needed. ok is
// false if it cannot be quoted: a terminal acts on control characters, and the shells
// of Windows expand some characters between quotes, each others.
func quoteArg(s, goos string) (quoted string, ok bool) {
	windows := goos == "windows"
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/=,:", r) && !(windows && r == ',')
	}
	switch {
	case s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0:
		return s, true
	case strings.ContainsFunc(s, unicode.IsControl):
		return "", false
	case windows: // cmd.exe and PowerShell
		return `"` + s + `"`, !strings.ContainsAny(s, "\"%!$`“”„") && !strings.HasSuffix(s, `\`)
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'", true
}

func (v *viewer) copyLink() {
	text, err := v.link()
	if err != nil {
		v.warn(err.Error())
		return
	}
	v.screen.clipboard(text)
	if v.handled || len(v.undos) > 0 || v.replay == nil && v.settings.world != (worldSettings{}) {
		v.say("copied, without what you have changed by hand, which a recording would have: " + text)
		return
	}
	v.say("copied: " + text)
}
