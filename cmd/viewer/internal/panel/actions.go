package panel

import (
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
)

// Action is something that the user can do with a key or with a control of the panel. The help
// overlay lists all actions.
type Action struct {
	Name   string // Name is the name of the action's control. In -stats the uses are counted under this name.
	Keys   []input.Key
	does   string    // does is the text for the help. It is "" if the line of another action covers this action as well.
	group  string    // group is the heading in the help under which the action stands.
	ctrl   input.Key // ctrl is the key that does it together with Ctrl, or 0.
	repeat bool      // repeat makes the action repeat while the key is held.
	do     func(*Panel) error
	Layer  body2d.Layers // Layer is the layer that the action shows or hides instead of calling do, or 0.
}

type keys = []input.Key

// on makes an action with keys.
func on(name string, keys []input.Key, does string, do func(*Panel) error) *Action {
	return &Action{Name: name, Keys: keys, does: does, do: do}
}

// held makes an action that repeats while its key is held.
func held(name string, keys []input.Key, does string, do func(*Panel) error) *Action {
	a := on(name, keys, does, do)
	a.repeat = true
	return a
}

// ctrl makes an action with a key that is pressed together with Ctrl.
func ctrl(name string, key input.Key, does string, do func(*Panel) error) *Action {
	a := on(name, nil, does, do)
	a.ctrl = key
	return a
}

// shows makes an action whose key shows or hides a layer.
func shows(name string, key input.Key, does string, l body2d.Layers) *Action {
	return &Action{Name: name, Keys: keys{key}, does: does, Layer: l}
}

// do converts a function without an error for the field do of an action.
func do(f func(v *Panel)) func(*Panel) error {
	return func(v *Panel) error { f(v); return nil }
}

// Actions are all actions, in the order of the help. The function init fills them in, because
// some of the actions' functions read the list.
var Actions []*Action

func init() {
	group := func(title string, all ...*Action) {
		for _, a := range all {
			a.group = title
		}
		Actions = append(Actions, all...)
	}
	group("Time",
		on("pause", keys{input.KeySpace}, "pause or continue", do(func(v *Panel) { v.session.Travel.TogglePause() })),
		held("step", keys{input.KeyN}, "pause and run a single step", do(func(v *Panel) { v.session.Travel.SingleStep() })),
		on("restart", keys{input.KeyR}, "restart the scene, in its own view", func(v *Panel) error { return v.session.Again() }),
		on("next scene", keys{input.KeyPageDown, input.KeyRightBracket}, "next scene", func(v *Panel) error { return v.session.ChangeSceneBy(1) }),
		on("previous scene", keys{input.KeyPageUp, input.KeyLeftBracket}, "previous scene", func(v *Panel) error { return v.session.ChangeSceneBy(-1) }),
	)
	group("The past",
		held("back", keys{input.KeySemicolon}, "back one second", do(func(v *Panel) { v.session.Travel.Skip(-1) })),
		held("forward", keys{input.KeyApostrophe}, "forward one second", do(func(v *Panel) { v.session.Travel.Skip(1) })),
		on("backward", keys{input.KeyBackspace}, "play backward", do(func(v *Panel) { v.session.Travel.ToggleBackward() })),
		on("present", keys{input.KeyEnd}, "leave the past", do(func(v *Panel) { v.session.Follow.ToNow() })),
		on("go on", keys{input.KeyG}, "go on from the moment of the past that is shown", do(func(v *Panel) { v.session.ContinueFromPast(play.WithoutBranch) })),
	)
	group("Frames and steps",
		on("smoothing", keys{input.KeyM}, "next smoothing: bodies between two steps", do(func(v *Panel) { v.session.Tune.NextSmoothing() })),
		on("sync", keys{input.KeyL}, "next sync: how pictures wait for steps", do(func(v *Panel) { v.session.Tune.NextSync() })),
		on("pacing", keys{input.KeyE}, "even out frame times, or not", do(func(v *Panel) { v.session.Tune.TogglePacing() })),
		held("rate down", keys{input.KeyMinus, input.KeyKPSubtract}, "fewer steps per second", func(v *Panel) error { return v.session.Tune.ChangeRate(-1) }),
		held("rate up", keys{input.KeyEqual, input.KeyKPAdd}, "more steps per second", func(v *Panel) error { return v.session.Tune.ChangeRate(1) }),
		on("cap", keys{input.KeyV}, "frame cap: vsync, 10, 30, 60, 144, none", do(func(v *Panel) { v.runner.NextCap() })),
		held("slower", keys{input.KeyComma}, "slower time", func(v *Panel) error { return v.session.Tune.ChangeScale(-1) }),
		held("faster", keys{input.KeyPeriod}, "faster time", func(v *Panel) error { return v.session.Tune.ChangeScale(1) }),
	)
	group("View",
		held("left", keys{input.KeyLeft}, "pan; drive in car and platformer", do(func(v *Panel) { v.picture.Camera.PanBy(-panStep, 0, v.picture.Half()) })),
		held("right", keys{input.KeyRight}, "", do(func(v *Panel) { v.picture.Camera.PanBy(panStep, 0, v.picture.Half()) })),
		held("up", keys{input.KeyUp}, "", do(func(v *Panel) { v.picture.Camera.PanBy(0, panStep, v.picture.Half()) })),
		held("down", keys{input.KeyDown}, "", do(func(v *Panel) { v.picture.Camera.PanBy(0, -panStep, v.picture.Half()) })),
		on("fit", keys{input.KeyHome, input.KeyC}, "the scene's own view", do(func(v *Panel) { v.picture.GoHome() })),
		on("follow", keys{input.KeyF}, "follow the body under the cursor", do(func(v *Panel) { v.picture.ToggleFollow() })),
		on("screenshot", keys{input.KeyP, input.KeyF12}, "screenshot", do(func(v *Panel) { v.runner.Screenshot() })),
	)
	group("Layers",
		shows("layer joints", input.Key1, "joints", body2d.JointsLayer),
		shows("layer bounding boxes", input.Key2, "bounding boxes", body2d.BoxesLayer),
		shows("layer contacts", input.Key3, "contacts and impulses", body2d.ContactsLayer),
		shows("layer centres of mass", input.Key4, "centres and axes", body2d.CentresLayer),
		shows("layer previous and current state", input.Key5, "previous and current state", body2d.GhostsLayer),
		shows("layer dim sleeping bodies", input.Key6, "dim sleeping bodies", body2d.SleepLayer),
		shows("layer grid", input.Key7, "grid", body2d.GridLayer),
		shows("names", input.Key8, "names", body2d.NamesLayer),
		shows("velocities", input.Key9, "velocities", body2d.VelocitiesLayer),
		shows("normals", input.Key0, "normals of shapes", body2d.NormalsLayer),
		shows("islands", input.KeyF6, "islands", body2d.IslandsLayer),
		shows("fast bodies", input.KeyF7, "fast bodies", body2d.FastLayer),
		shows("graph colours", input.KeyF4, "colours of the soft step", body2d.ColoursLayer),
		shows("drawn", input.KeyD, "what the program draws", body2d.DrawnLayer),
	)
	group("Building and files",
		on("undo", keys{input.KeyZ}, "undo the last change of the world", do(func(v *Panel) { v.session.Changes.Undo() })),
		on("redo", keys{input.KeyY}, "redo what was undone", do(func(v *Panel) { v.session.Changes.Redo() })),
		on("tool", keys{input.KeyA}, "next tool: hand, turn, box, ball, capsule, joint", do(func(v *Panel) { v.session.Sketcher.UseTool((v.session.Sketcher.Tool + 1) % play.Tool(len(play.Tools))) })),
		ctrl("copy", input.KeyC, "copy; V paste, D beside, A choose all", do(func(v *Panel) { v.session.Build.Copy() })),
		ctrl("paste", input.KeyV, "", do(func(v *Panel) { v.session.Build.Paste(v.picture.Camera.World(v.picture.Half())) })),
		ctrl("duplicate", input.KeyD, "", do(func(v *Panel) { v.session.Build.Duplicate() })),
		ctrl("choose all", input.KeyA, "", do(func(v *Panel) { v.session.Inspect.ChooseEach() })),
		on("delete", keys{input.KeyDelete}, "delete the chosen bodies, shape or joint", do(func(v *Panel) { v.session.Build.DeleteChosen() })),
		on("record", keys{input.KeyO, input.KeyF9}, "begin or end a recording", do(func(v *Panel) { v.session.Recorder.ToggleRecording() })),
		on("black box", keys{input.KeyB}, "write the last seconds to a file", do(func(v *Panel) { v.session.Recorder.DumpBlackBox() })),
		on("snapshot", keys{input.KeyF5}, "take a snapshot of the world", do(func(v *Panel) { v.session.Changes.TakeSnapshot() })),
		on("restore", keys{input.KeyF8}, "go back to the snapshot", do(func(v *Panel) { v.session.Changes.RestoreSnapshot() })),
		on("save", keys{input.KeyS}, "save the world as a scene file, as Go code", do(func(v *Panel) { v.runner.SaveScene(".json") })),
		on("save as go", keys{input.KeyX}, "", do(func(v *Panel) { v.runner.SaveScene(".go") })),
	)
	group("Window",
		on("help", keys{input.KeyF1, input.KeyH}, "this help", do(func(v *Panel) { v.picture.NextHelp() })),
		on("all", keys{input.KeyTab}, "panel and figures", do(func(v *Panel) { v.toggleAll() })),
		on("panel", keys{input.KeyF2}, "panel", do(func(v *Panel) { v.togglePanel() })),
		on("metrics", keys{input.KeyF3}, "figures", do(func(v *Panel) { v.picture.ToggleFigures() })),
		on("find", keys{input.KeySlash, input.KeyF10}, "find a scene", do(func(v *Panel) { v.findScene() })),
		on("timeline", keys{input.KeyT}, "timeline of both threads", do(func(v *Panel) { v.picture.Timeline.On = !v.picture.Timeline.On })),
		on("full screen", keys{input.KeyF11}, "full screen", do(func(v *Panel) { v.runner.Fullscreen() })),
		on("close", keys{input.KeyEscape}, "close the help, the past or what is chosen", do(func(v *Panel) { v.closeOpen() })),
		on("quit", keys{input.KeyQ}, "quit", func(v *Panel) error {
			// If unsaved work of the user would be lost, the action first asks.
			return v.session.Changes.LeaveScene(v.Keys.First("quit"), func() error { v.runner.Quit(); return nil })
		}),
	)
}

// Named returns the action of that name, which must exist.
func Named(name string) *Action {
	return Actions[slices.IndexFunc(Actions, func(a *Action) bool { return a.Name == name })]
}

// press runs the action of a key. The parameter repeat says that the key is held and repeats.
func (v *Panel) press(key input.Key, repeat bool) error {
	for _, a := range Actions {
		if slices.Contains(a.Keys, key) && (a.repeat || !repeat) {
			return v.act(a)
		}
	}
	return nil
}

// act runs an action for a key or a control.
func (v *Panel) act(a *Action) error {
	v.session.Uses.Count(a.Name)
	if a.Layer != 0 {
		v.picture.ToggleLayer(a.Layer, a.does)
		return nil
	}
	return a.do(v)
}
