package main

import (
	"fmt"
	"slices"

	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/renderloop/clock"
	"halfstep/renderloop/glrender"
)

// binding is a key and what it does. The help overlay shows the same table.
type binding struct {
	name   string // for act
	keys   []glfw.Key
	label  string // of the keys, for the help
	does   string
	repeat bool // while the key is held
	do     func(*viewer) error
}

// bindings is filled by init, because its functions refer to it.
var bindings []binding

func init() {
	do := func(f func(v *viewer)) func(*viewer) error {
		return func(v *viewer) error { f(v); return nil }
	}
	bindings = []binding{
		{"help", []glfw.Key{glfw.KeyF1, glfw.KeyH}, "F1 H", "this help", false, do(func(v *viewer) { v.help = !v.help })},
		{"pause", []glfw.Key{glfw.KeySpace}, "Space", "pause or continue", false, do((*viewer).togglePause)},
		{"step", []glfw.Key{glfw.KeyN}, "N", "pause and run a single step", true, do((*viewer).singleStep)},
		{"restart", []glfw.Key{glfw.KeyR}, "R", "restart the scene", false, func(v *viewer) error { return v.change(v.current) }},
		{"next scene", []glfw.Key{glfw.KeyPageDown, glfw.KeyRightBracket}, "PgDn ]", "next scene", false, func(v *viewer) error { return v.changeBy(1) }},
		{"previous scene", []glfw.Key{glfw.KeyPageUp, glfw.KeyLeftBracket}, "PgUp [", "previous scene", false, func(v *viewer) error { return v.changeBy(-1) }},
		{"back", []glfw.Key{glfw.KeySemicolon}, ";", "back one second", true, do(func(v *viewer) { v.skip(-1) })},
		{"forward", []glfw.Key{glfw.KeyApostrophe}, "'", "forward one second", true, do(func(v *viewer) { v.skip(1) })},
		{"backward", []glfw.Key{glfw.KeyBackspace}, "Backspace", "play backward", false, do((*viewer).toggleBackward)},
		{"present", []glfw.Key{glfw.KeyEnd}, "End", "leave the past", false, do((*viewer).toPresent)},
		{"smoothing", []glfw.Key{glfw.KeyM}, "M", "next smoothing mode", false, do((*viewer).nextSmoothing)},
		{"sync", []glfw.Key{glfw.KeyL}, "L", "pipelined, lockstep or auto", false, do((*viewer).nextSync)},
		{"pacing", []glfw.Key{glfw.KeyE}, "E", "frame pacing on or off", false, do((*viewer).togglePacing)},
		{"rate down", []glfw.Key{glfw.KeyMinus, glfw.KeyKPSubtract}, "-", "fewer steps per second", true, func(v *viewer) error { return v.changeRate(-1) }},
		{"rate up", []glfw.Key{glfw.KeyEqual, glfw.KeyKPAdd}, "+", "more steps per second", true, func(v *viewer) error { return v.changeRate(1) }},
		{"cap", []glfw.Key{glfw.KeyV}, "V", "frame cap: vsync, 10, 30, 60, 144, none", false, do((*viewer).nextCap)},
		{"slower", []glfw.Key{glfw.KeyComma}, ",", "slower time", true, func(v *viewer) error { return v.changeScale(-1) }},
		{"faster", []glfw.Key{glfw.KeyPeriod}, ".", "faster time", true, func(v *viewer) error { return v.changeScale(1) }},
		{"left", []glfw.Key{glfw.KeyLeft}, "Left", "pan left", true, do(func(v *viewer) { v.camera.pan(-panStep, 0, v.half()) })},
		{"right", []glfw.Key{glfw.KeyRight}, "Right", "pan right", true, do(func(v *viewer) { v.camera.pan(panStep, 0, v.half()) })},
		{"up", []glfw.Key{glfw.KeyUp}, "Up", "pan up", true, do(func(v *viewer) { v.camera.pan(0, panStep, v.half()) })},
		{"down", []glfw.Key{glfw.KeyDown}, "Down", "pan down", true, do(func(v *viewer) { v.camera.pan(0, -panStep, v.half()) })},
		{"fit", []glfw.Key{glfw.KeyHome, glfw.KeyC}, "Home C", "fit all bodies", false, do(func(v *viewer) { v.camera.fit(v.view, v.half()) })},
		{"follow", []glfw.Key{glfw.KeyF}, "F", "follow the body under the cursor", false, do((*viewer).toggleFollow)},
		{"layer joints", []glfw.Key{glfw.Key1}, "1", "layer: joints", false, layer(glrender.Joints, "joints")},
		{"layer bounding boxes", []glfw.Key{glfw.Key2}, "2", "layer: bounding boxes", false, layer(glrender.Boxes, "bounding boxes")},
		{"layer contacts", []glfw.Key{glfw.Key3}, "3", "layer: contacts", false, layer(glrender.Contacts, "contacts")},
		{"layer centres of mass", []glfw.Key{glfw.Key4}, "4", "layer: centres of mass", false, layer(glrender.Centres, "centres of mass")},
		{"layer previous and current state", []glfw.Key{glfw.Key5}, "5", "layer: previous and current state", false, layer(glrender.Ghosts, "previous and current state")},
		{"layer dim sleeping bodies", []glfw.Key{glfw.Key6}, "6", "layer: dim sleeping bodies", false, layer(glrender.Sleep, "dim sleeping bodies")},
		{"layer grid", []glfw.Key{glfw.Key7}, "7", "layer: grid", false, layer(glrender.Grid, "grid")},
		{"names", []glfw.Key{glfw.Key8}, "8", "layer: names", false, toggleLayer("names", func(m *marks) *bool { return &m.names })},
		{"velocities", []glfw.Key{glfw.Key9}, "9", "layer: velocities", false, toggleLayer("velocities", func(m *marks) *bool { return &m.velocities })},
		{"normals", []glfw.Key{glfw.Key0}, "0", "layer: normals of shapes", false, toggleLayer("normals of shapes", func(m *marks) *bool { return &m.normals })},
		{"islands", []glfw.Key{glfw.KeyF6}, "F6", "layer: islands", false, toggleLayer("islands", func(m *marks) *bool { return &m.islands })},
		{"fast bodies", []glfw.Key{glfw.KeyF7}, "F7", "layer: bodies that continuous collision is for", false, toggleLayer("fast bodies", func(m *marks) *bool { return &m.fast })},
		{"graph colours", []glfw.Key{glfw.KeyF4}, "F4", "layer: colours of the soft step", false, toggleLayer("graph colours", func(m *marks) *bool { return &m.colours })},
		{"screenshot", []glfw.Key{glfw.KeyP, glfw.KeyF12}, "P F12", "screenshot", false, do(func(v *viewer) { v.pictures.want = true })},
		{"record", []glfw.Key{glfw.KeyO, glfw.KeyF9}, "O F9", "begin or end a recording", false, do((*viewer).toggleRecording)},
		{"black box", []glfw.Key{glfw.KeyB}, "B", "write the black box", false, do((*viewer).dumpBlackBox)},
		{"snapshot", []glfw.Key{glfw.KeyF5}, "F5", "take a snapshot of the world", false, do((*viewer).takeSnapshot)},
		{"restore", []glfw.Key{glfw.KeyF8}, "F8", "go back to the snapshot", false, do((*viewer).restoreSnapshot)},
		{"link", []glfw.Key{glfw.KeyK}, "K", "copy a command that leads to this moment", false, do((*viewer).copyLink)},
		{"all", []glfw.Key{glfw.KeyTab}, "Tab", "panel and metrics", false, do((*viewer).toggleAll)},
		{"panel", []glfw.Key{glfw.KeyF2}, "F2", "panel", false, do((*viewer).togglePanel)},
		{"metrics", []glfw.Key{glfw.KeyF3}, "F3", "metrics", false, do(func(v *viewer) { v.hud.on = !v.hud.on })},
		{"find", []glfw.Key{glfw.KeySlash}, "/", "find a scene", false, do((*viewer).findScene)},
		{"timeline", []glfw.Key{glfw.KeyT}, "T", "timeline of both threads", false, do(func(v *viewer) { v.timeline.on = !v.timeline.on })},
		{"quit", []glfw.Key{glfw.KeyEscape, glfw.KeyQ}, "Esc Q", "quit", false, do((*viewer).quit)},
	}
}

// mouseHelp is what the mouse does, for the help overlay.
var mouseHelp = [][2]string{
	{"click", "look into a body"},
	{"left drag", "move a body; elsewhere, pan"},
	{"right drag", "pan"},
	{"wheel", "zoom to the cursor"},
}

const panStep = 0.1 // of the picture's height

// press does what the key is bound to.
func (v *viewer) press(key glfw.Key, repeat bool) error {
	for i := range bindings {
		b := &bindings[i]
		if slices.Contains(b.keys, key) && (b.repeat || !repeat) {
			return v.act(b.name)
		}
	}
	return nil
}

func (v *viewer) togglePause() {
	on := !v.player.Paused()
	v.engines(func(e *player) { e.SetPaused(on) })
	if !on {
		v.steps = 0
	}
}

func (v *viewer) singleStep() {
	v.engines(func(e *player) { e.SetPaused(true) })
	v.steps++
}

func (v *viewer) changeBy(by int) error {
	n := len(v.scenes)
	return v.change((v.current + by + n) % n)
}

func (v *viewer) nextSmoothing() {
	v.setSmoothing(smoothings[(slices.Index(smoothings, v.settings.smoothing)+1)%len(smoothings)])
}

// engineLoop reports whether one of the engines runs its own loop. If none does,
// it shows a notice.
func (v *viewer) engineLoop() (ok bool) {
	v.engines(func(e *player) { ok = ok || e.name == "" })
	if !ok {
		v.say("the " + v.player.name + " loop does not have this setting")
	}
	return ok
}

func (v *viewer) nextSync() {
	v.setSync(syncs[(slices.Index(syncs, v.settings.sync)+1)%len(syncs)])
}

func (v *viewer) togglePacing() {
	if !v.engineLoop() {
		return
	}
	s := &v.settings
	s.pacing = !s.pacing
	v.applySettings()
	v.say("frame pacing: " + onOff(s.pacing))
}

// stepRates are the step rates that keys - and + go through.
var stepRates = []int64{5, 10, 15, 20, 30, 50, 60, 90, 120, 144, 180, 240, 480, 960}

func (v *viewer) changeRate(by int) error {
	return v.setRate(clock.Hz(beside(stepRates, v.player.Rate().Float(), by)))
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

func (v *viewer) changeScale(by int) error {
	return v.setScale(float64(beside(timeScales, 100*v.player.Scale(), by)) / 100)
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
		v.camera.follow = b
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
		v.engines(func(e *player) { e.SetDebugLayers(v.payload()) })
		v.say(name + ": " + onOff(v.layers&l != 0))
		return nil
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
