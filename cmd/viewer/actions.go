package main

import (
	"slices"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
)

// action is something that the user can do with a key or a control of the panel. The help overlay
// lists all actions. A viewer (viewer.go) is all of the program's state on the render thread.
type action struct {
	name   string // of its control; -stats counts its uses under it
	keys   []input.Key
	does   string // for the help; "" if the line of another action speaks of both
	group  string // the heading in the help above it
	repeat bool   // again and again while the key is held
	do     func(*panel) error
	layer  layers // the layer that the action shows or hides, in place of do; or 0
}

type keys = []input.Key

// on binds keys to an action.
func on(name string, keys []input.Key, does string, do func(*panel) error) *action {
	return &action{name: name, keys: keys, does: does, do: do}
}

// held is on for an action that repeats while its key is held.
func held(name string, keys []input.Key, does string, do func(*panel) error) *action {
	a := on(name, keys, does, do)
	a.repeat = true
	return a
}

// shows binds a key to a layer.
func shows(name string, key input.Key, does string, l layers) *action {
	return &action{name: name, keys: keys{key}, does: does, layer: l}
}

// do adapts a function without an error to the field do of an action.
func do(f func(v *panel)) func(*panel) error {
	return func(v *panel) error { f(v); return nil }
}

// actions are all actions in the order of the help. They are filled in by init, because
// some of the functions read them.
var actions []*action

func init() {
	group := func(title string, all ...*action) {
		for _, a := range all {
			a.group = title
		}
		actions = append(actions, all...)
	}
	group("Time",
		on("pause", keys{input.KeySpace}, "pause or continue", do(func(v *panel) { v.session.Travel.TogglePause() })),
		held("step", keys{input.KeyN}, "pause and run a single step", do(func(v *panel) { v.session.Travel.SingleStep() })),
		on("restart", keys{input.KeyR}, "restart the scene, in its own view", func(v *panel) error { return v.session.Again() }),
		on("next scene", keys{input.KeyPageDown, input.KeyRightBracket}, "next scene", func(v *panel) error { return v.session.ChangeSceneBy(1) }),
		on("previous scene", keys{input.KeyPageUp, input.KeyLeftBracket}, "previous scene", func(v *panel) error { return v.session.ChangeSceneBy(-1) }),
	)
	group("The past",
		held("back", keys{input.KeySemicolon}, "back one second", do(func(v *panel) { v.session.Travel.Skip(-1) })),
		held("forward", keys{input.KeyApostrophe}, "forward one second", do(func(v *panel) { v.session.Travel.Skip(1) })),
		on("backward", keys{input.KeyBackspace}, "play backward", do(func(v *panel) { v.session.Travel.ToggleBackward() })),
		on("present", keys{input.KeyEnd}, "leave the past", do(func(v *panel) { v.session.Follow.ToNow() })),
		on("go on", keys{input.KeyG}, "go on from the moment of the past that is shown", do(func(v *panel) { v.session.GoOn(play.WithoutBranch) })),
	)
	group("Frames and steps",
		on("smoothing", keys{input.KeyM}, "next smoothing: bodies between two steps", do(func(v *panel) { v.session.Tune.NextSmoothing() })),
		on("sync", keys{input.KeyL}, "next sync: how pictures wait for steps", do(func(v *panel) { v.session.Tune.NextSync() })),
		on("pacing", keys{input.KeyE}, "even out frame times, or not", do(func(v *panel) { v.session.Tune.TogglePacing() })),
		held("rate down", keys{input.KeyMinus, input.KeyKPSubtract}, "fewer steps per second", func(v *panel) error { return v.session.Tune.ChangeRate(-1) }),
		held("rate up", keys{input.KeyEqual, input.KeyKPAdd}, "more steps per second", func(v *panel) error { return v.session.Tune.ChangeRate(1) }),
		on("cap", keys{input.KeyV}, "frame cap: vsync, 10, 30, 60, 144, none", do(func(v *panel) { v.runner.nextCap() })),
		held("slower", keys{input.KeyComma}, "slower time", func(v *panel) error { return v.session.Tune.ChangeScale(-1) }),
		held("faster", keys{input.KeyPeriod}, "faster time", func(v *panel) error { return v.session.Tune.ChangeScale(1) }),
	)
	group("View",
		held("left", keys{input.KeyLeft}, "pan; drive in car and platformer", do(func(v *panel) { v.picture.camera.pan(-panStep, 0, v.picture.half()) })),
		held("right", keys{input.KeyRight}, "", do(func(v *panel) { v.picture.camera.pan(panStep, 0, v.picture.half()) })),
		held("up", keys{input.KeyUp}, "", do(func(v *panel) { v.picture.camera.pan(0, panStep, v.picture.half()) })),
		held("down", keys{input.KeyDown}, "", do(func(v *panel) { v.picture.camera.pan(0, -panStep, v.picture.half()) })),
		on("fit", keys{input.KeyHome, input.KeyC}, "the scene's own view", do(func(v *panel) { v.picture.goHome() })),
		on("follow", keys{input.KeyF}, "follow the body under the cursor", do(func(v *panel) { v.picture.toggleFollow() })),
		on("screenshot", keys{input.KeyP, input.KeyF12}, "screenshot", do(func(v *panel) { v.runner.screenshot() })),
	)
	group("Layers",
		shows("layer joints", input.Key1, "joints", jointsLayer),
		shows("layer bounding boxes", input.Key2, "bounding boxes", boxesLayer),
		shows("layer contacts", input.Key3, "contacts and impulses", contactsLayer),
		shows("layer centres of mass", input.Key4, "centres and axes", centresLayer),
		shows("layer previous and current state", input.Key5, "previous and current state", ghostsLayer),
		shows("layer dim sleeping bodies", input.Key6, "dim sleeping bodies", sleepLayer),
		shows("layer grid", input.Key7, "grid", gridLayer),
		shows("names", input.Key8, "names", namesLayer),
		shows("velocities", input.Key9, "velocities", velocitiesLayer),
		shows("normals", input.Key0, "normals of shapes", normalsLayer),
		shows("islands", input.KeyF6, "islands", islandsLayer),
		shows("fast bodies", input.KeyF7, "fast bodies", fastLayer),
		shows("graph colours", input.KeyF4, "colours of the soft step", coloursLayer),
		shows("drawn", input.KeyD, "what the program draws", drawnLayer),
	)
	group("Files and snapshots",
		on("record", keys{input.KeyO, input.KeyF9}, "begin or end a recording", do(func(v *panel) { v.session.Recorder.ToggleRecording() })),
		on("black box", keys{input.KeyB}, "write the last seconds to a file", do(func(v *panel) { v.session.Recorder.DumpBlackBox() })),
		on("snapshot", keys{input.KeyF5}, "take a snapshot of the world", do(func(v *panel) { v.session.Changes.TakeSnapshot() })),
		on("restore", keys{input.KeyF8}, "go back to the snapshot", do(func(v *panel) { v.session.Changes.RestoreSnapshot() })),
		on("undo", keys{input.KeyZ}, "undo the last change of the world", do(func(v *panel) { v.session.Changes.Undo() })),
		on("redo", keys{input.KeyY}, "redo what was undone", do(func(v *panel) { v.session.Changes.Redo() })),
		on("tool", keys{input.KeyA}, "next tool: hand, turn, box, ball, capsule, joint", do(func(v *panel) { v.session.Sketcher.UseTool((v.session.Sketcher.Tool + 1) % play.Tool(len(play.Tools))) })),
		on("delete", keys{input.KeyDelete}, "delete the chosen body, shape or joint", do(func(v *panel) { v.session.Build.DeleteChosen() })),
		on("save", keys{input.KeyS}, "save the world as a scene file, as Go code", do(func(v *panel) { v.runner.saveScene(".json") })),
		on("save as go", keys{input.KeyX}, "", do(func(v *panel) { v.runner.saveScene(".go") })),
	)
	group("Window",
		on("help", keys{input.KeyF1, input.KeyH}, "this help", do(func(v *panel) { v.picture.nextHelp() })),
		on("all", keys{input.KeyTab}, "panel and figures", do(func(v *panel) { v.toggleAll() })),
		on("panel", keys{input.KeyF2}, "panel", do(func(v *panel) { v.togglePanel() })),
		on("metrics", keys{input.KeyF3}, "figures", do(func(v *panel) { v.picture.toggleFigures() })),
		on("find", keys{input.KeySlash, input.KeyF10}, "find a scene", do(func(v *panel) { v.findScene() })),
		on("timeline", keys{input.KeyT}, "timeline of both threads", do(func(v *panel) { v.picture.timeline.on = !v.picture.timeline.on })),
		on("full screen", keys{input.KeyF11}, "full screen", do(func(v *panel) { v.runner.fullscreen() })),
		on("close", keys{input.KeyEscape}, "close the help, the past or what is chosen", do(func(v *panel) { v.closeOpen() })),
		on("quit", keys{input.KeyQ}, "quit", func(v *panel) error {
			// It asks first if that would give up something that the user has built and not saved.
			return v.session.Changes.LeaveScene(v.keys.first("quit"), func() error { v.runner.quit(); return nil })
		}),
	)
}

// named returns the action of that name, which must exist.
func named(name string) *action {
	return actions[slices.IndexFunc(actions, func(a *action) bool { return a.name == name })]
}

// press runs the action of a key. repeat says that the key is held and repeats.
func (v *panel) press(key input.Key, repeat bool) error {
	for _, a := range actions {
		if slices.Contains(a.keys, key) && (a.repeat || !repeat) {
			return v.act(a)
		}
	}
	return nil
}

// act runs an action, for a key or a control.
func (v *panel) act(a *action) error {
	v.session.Uses.Count(a.name)
	if a.layer != 0 {
		v.picture.toggleLayer(a.layer, a.does)
		return nil
	}
	return a.do(v)
}
