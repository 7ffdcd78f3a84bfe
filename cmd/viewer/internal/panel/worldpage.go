package panel

import (
	"cmp"
	"math"
	"slices"

	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
	"halfstep/internal/box/workers"
	"halfstep/world"
)

// worldPane is the page World.
type worldPane struct {
	panel   *Panel
	session *play.Session
	picture *picture.Picture

	// the values of restartSlider's sliders while the user holds them, or 0
	heldSubSteps, heldVelocity, heldPosition, heldWorkers int

	loops []string // loops are the loops that the user can choose.
}

// LayWorld lays out the page World of the panel, which has the settings of steps.
func (v *worldPane) LayWorld(c *ui.Context, area ui.Rect) {
	c.BeginScroll(&v.panel.scroll[WorldPage], area)
	if v.session.Stage.Shown.Watched() {
		c.Say(c.Next(20), ui.Start, ui.Faint, noChange)
		c.EndScroll()
		return
	}
	c.Heading(c.Next(20), "Step")
	v.panel.slider("rate", "steps per second", v.panel.Keys.Labels["rate"], v.session.Stage.Player.Rate().Float(), &rateRange, v.session.Tune.SetRateTo)
	if v.session.Stage.Shown.Replay() == nil {
		ofScene, now := v.session.Stage.SceneConfig.World.Gravity, v.session.Params.Gravity()
		v.gravity("gravity", "gravity y", now.Y, ofScene.Y, func(y float64) world.Vec { return world.Vec{X: now.X, Y: y} })
		v.gravity("gravity x", "gravity x", now.X, ofScene.X, func(x float64) world.Vec { return world.Vec{X: x, Y: now.Y} })
	}
	changed := &v.session.Stage.Settings.Overrides
	v.worldSwitch("sleep", "bodies at rest sleep", "off: every body is solved in every step", play.SleepCommand, &changed.Sleep, !v.session.Stage.World.NoSleep)
	v.worldSwitch("warm starting", "warm starting", "begin with the impulses of the last step", play.WarmCommand, &changed.Warm, !v.session.Stage.World.NoWarmStarting)
	v.worldSwitch("continuous", "continuous collision", "off: fast bodies tunnel", play.ContinuousCommand, &changed.Continuous, !v.session.Stage.World.NoContinuous)
	c.Space(6)

	c.Heading(c.Next(20), "These restart the scene")
	stepper := v.session.Stage.Stepper()
	v.panel.layChoice(choice{
		control: "stepper", label: "stepper", key: noKey,
		options: play.StepperNames, at: int(stepper), tip: words.Plain[stepper.String()],
	}, func(i int) error { return v.session.SetStepper(world.Stepper(i)) })
	at := max(0, slices.Index(v.loops, v.session.Stage.Settings.Loop))
	v.panel.layChoice(choice{
		control: "loop", label: "loop", key: noKey,
		options: v.loops, at: at, tip: words.Plain[v.loops[at]],
	}, func(i int) error { return v.session.SetLoop(v.loops[i]) })
	ofScene := &v.session.Stage.SceneConfig.World
	switch {
	case v.session.Stage.Shown.Replay() != nil: // a recording has its own iterations
	case v.session.Stage.Stepper() == world.SoftStep:
		v.restartSlider("sub-steps", &v.heldSubSteps, v.session.Stage.World.SubSteps, ofScene.SubSteps, &changed.SubSteps)
	default:
		v.restartSlider("velocity iterations", &v.heldVelocity, v.session.Stage.World.VelocityIterations, ofScene.VelocityIterations, &changed.VelocityIterations)
		v.restartSlider("position iterations", &v.heldPosition, v.session.Stage.World.PositionIterations, ofScene.PositionIterations, &changed.PositionIterations)
	}
	v.restartSlider("workers", &v.heldWorkers, cmp.Or(v.session.Stage.Settings.Workers, workers.Default()), workers.Default(), &v.session.Stage.Settings.Workers)
	c.EndScroll()
}

// gravity lays out a slider for gravity in one direction. The parameter ofScene is the scene's value.
// The function with returns the gravity with the slider's value in that direction.
func (v *worldPane) gravity(name, text string, now, ofScene float64, with func(x float64) world.Vec) {
	gravityRange.Default = ofScene
	v.panel.slider(name, text, noKey, now, &gravityRange, func(x float64) error {
		if v.session.Changes.BeginHeldChange(name, text) {
			v.session.Params.SetGravity(with(x))
		}
		return nil
	})
}

// worldSwitch lays out a switch for a setting of the world. The setting is now on or off. A command
// changes the setting in the running world, and *setting stores the user's choice.
func (v *worldPane) worldSwitch(name, text, tip, command string, setting *play.OnOffUnset, on bool) {
	c := v.panel.Ui
	if c.Toggle(name, c.Next(ui.RowHeight), text, noKey, on) {
		v.session.Stage.EndDrag() // otherwise undo would bring back the joint of a drag
		if v.session.Changes.BeginChange(text) {
			v.session.Tune.SwitchWorld(command, setting, !on)
		}
	}
	c.Tip(tip, noKey)
}

var (
	rateRange    = ui.Range{Min: 5, Max: 960, Default: 60, Log: true, Unit: "Hz", TypedMin: 1, TypedMax: 10000}
	gravityRange = ui.Range{Min: -30, Max: 30, Step: .5, Unit: "m/s²", TypedMin: -1000, TypedMax: 1000}
	countRange   = ui.Range{Min: 1, Max: 32, Step: 1}
)

// restartSlider lays out a slider for a whole number that cannot change in a running world. When
// the user releases the slider, the scene restarts. Until then the slider shows *held. The
// parameter now is the value in use, ofScene is the value of the scene, and *setting is the user's
// value.
func (v *worldPane) restartSlider(name string, held *int, now, ofScene int, setting *int) {
	c, g := v.panel.Ui, countRange
	g.Default = float64(ofScene)
	shown := cmp.Or(*held, now)
	x, changed, done := c.Slider(name, c.Next(ui.SliderHeight), name, noKey, float64(shown), &g)
	n := int(math.Round(x))
	if changed {
		*held = n
	}
	if !done && c.Held(name) || *held == 0 {
		return // the user still holds the slider, or has not touched it
	}
	if *held = 0; n != now {
		v.session.Uses.Count(name)
		v.panel.keepError(v.session.Restart(name, words.Short(x), func() { *setting = n }))
	}
}
