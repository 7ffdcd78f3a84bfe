package main

import (
	"cmp"
	"math"
	"slices"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
	"halfstep/internal/box/workers"
	"halfstep/world"
)

// layView lays out the page View of the panel: how frames are made, what is compared in the right half,
// and which layers and windows are shown.
func (v *viewer) layView(c *ui.Context, area ui.Rect) {
	c.BeginScroll(&v.panel.scroll[viewPage], area)
	c.Heading(c.Next(20), "Frames")
	v.choice("smoothing", "smoothing", "smoothing", v.panel.keys.first("smoothing"), smoothingNames, slices.Index(play.Smoothings, v.Stage.Settings.Smoothing),
		words.Plain[v.Stage.Settings.Smoothing.String()], func(i int) error { v.Tune.SetSmoothing(play.Smoothings[i]); return nil })
	at := slices.Index(frameCaps, v.cap)
	if at < 0 { // the rate that -fps gave
		at = len(frameCaps)
	}
	v.choice("cap", "cap", "frames", v.panel.keys.first("cap"), v.capNames, at,
		"how many pictures are made; vsync: as many as the display shows", func(i int) error { v.setCap(frameCaps[i]); return nil })
	v.choice("sync", "sync", "sync", v.panel.keys.first("sync"), syncNames, slices.Index(play.Syncs, v.Stage.Settings.Sync),
		words.Plain[v.Stage.Settings.Sync.String()], func(i int) error { v.Tune.SetSync(play.Syncs[i]); return nil })
	v.actionToggle("pacing", "even out frame times", v.Stage.Settings.Pacing)
	c.Tip("motion stays even where frames come unevenly", noKey)
	c.Space(6)
	v.layCompare(c)
	c.Space(3)

	c.Heading(c.Next(20), "Layers")
	for _, a := range actions {
		if a.layer != 0 {
			v.actionToggle(a.name, a.does, v.picture.layers&a.layer != 0)
		}
	}
	c.Space(6)

	c.Heading(c.Next(20), "Window")
	v.actionToggle("metrics", "figures", v.picture.hud.on)
	v.actionToggle("timeline", "timeline of both threads", v.picture.timeline.on)
	c.Space(4)
	row := c.Next(24)
	for i, name := range [...]string{"fit", "screenshot"} {
		v.actionButton(name, row.Column(i, 2, ui.Gap), ui.NoIcon, [...]string{"Home", "Picture"}[i], named(name).does, notChosen)
	}
	c.Space(4)
	row = c.Next(24)
	for i, name := range [...]string{"save", "save as go"} {
		v.actionButton(name, row.Column(i, 2, ui.Gap), ui.NoIcon, [...]string{"Save scene", "Save as Go"}[i], named(name).does, notChosen)
	}
	c.EndScroll()
}

func init() {
	for _, n := range frameCaps {
		capNames = append(capNames, capName(n))
	}
}

// layWorld lays out the page World of the panel: how the world is stepped.
func (v *viewer) layWorld(c *ui.Context, area ui.Rect) {
	c.BeginScroll(&v.panel.scroll[worldPage], area)
	c.Heading(c.Next(20), "Step")
	v.slider("rate", "steps per second", v.panel.keys.labels["rate"], v.Stage.Player.Rate().Float(), &rateRange, v.Tune.SetRateTo)
	if v.Stage.Shown.Replay() == nil {
		gravityRange.Default = v.Stage.Given.World.Gravity.Y
		v.slider("gravity", "gravity", noKey, v.Params.Gravity(), &gravityRange, func(x float64) error {
			if v.Changes.BeginControlChange("gravity", "gravity") {
				v.Params.SetGravity(x)
			}
			return nil
		})
	}
	s := &v.Stage.Settings.World
	v.worldSwitch("sleep", "bodies at rest sleep", "off: every body is solved in every step", play.SetSleep, &s.Sleep, !v.Stage.World.NoSleep)
	v.worldSwitch("warm starting", "warm starting", "begin with the impulses of the last step", play.SetWarm, &s.Warm, !v.Stage.World.NoWarmStarting)
	v.worldSwitch("continuous", "continuous collision", "off: fast bodies tunnel", play.SetContinuous, &s.Continuous, !v.Stage.World.NoContinuous)
	c.Space(6)

	c.Heading(c.Next(20), "These restart the scene")
	stepper := v.Stage.Stepper()
	v.choice("stepper", "stepper", "stepper", noKey, play.StepperNames, int(stepper),
		words.Plain[stepper.String()], func(i int) error { return v.Session.SetStepper(world.Stepper(i)) })
	loops := v.panel.loops
	at := max(0, slices.Index(loops, v.Stage.Settings.Loop))
	v.choice("loop", "loop", "loop", noKey, loops, at, words.Plain[loops[at]], func(i int) error { return v.Session.SetLoop(loops[i]) })
	own, held := &v.Stage.Given.World, &v.panel.dragged // own are the scene's settings
	switch {
	case v.Stage.Shown.Replay() != nil: // its iterations are those of the recording
	case v.Stage.Stepper() == world.SoftStep:
		v.restartSlider("sub-steps", &held[3], v.Stage.World.SubSteps, own.SubSteps, &s.SubSteps)
	default:
		v.restartSlider("velocity iterations", &held[0], v.Stage.World.VelocityIterations, own.VelocityIterations, &s.VelocityIterations)
		v.restartSlider("position iterations", &held[1], v.Stage.World.PositionIterations, own.PositionIterations, &s.PositionIterations)
	}
	v.restartSlider("workers", &held[2], cmp.Or(v.Stage.Settings.Workers, workers.Default()), workers.Default(), &v.Stage.Settings.Workers)
	c.EndScroll()
}

// worldSwitch lays out a switch for a setting of the world, which is now on or off. A command changes
// it in the running world, and *setting keeps what the user has chosen.
func (v *viewer) worldSwitch(name, text, tip, command string, setting *play.OnOffUnset, on bool) {
	c := v.panel.ui
	if c.Toggle(name, c.Next(ui.RowHeight), text, noKey, on) {
		if v.Stage.LetGo(); v.Changes.BeginChange(name) {
			v.Tune.SwitchWorld(command, setting, !on)
		}
	}
	c.Tip(tip, noKey)
}

var (
	rateRange    = ui.Range{Min: 5, Max: 960, Default: 60, Log: true, Unit: "Hz", TypedMin: 1, TypedMax: 10000}
	gravityRange = ui.Range{Min: -30, Max: 30, Step: .5, Unit: "m/s²", TypedMin: -1000, TypedMax: 1000}
	countRange   = ui.Range{Min: 1, Max: 32, Step: 1}
)

// restartSlider lays out a slider for a whole number that a running world cannot change: the scene
// restarts with it when the user lets go. Until then *held is what the slider shows. now is the value
// in use, own the scene's own, and setting where the user's is kept.
func (v *viewer) restartSlider(name string, held *int, now, own int, setting *int) {
	c, g := v.panel.ui, countRange
	g.Default = float64(own)
	shown := cmp.Or(*held, now)
	x, changed, done := c.Slider(name, c.Next(ui.SliderHeight), name, noKey, float64(shown), &g)
	n := int(math.Round(x))
	if changed {
		*held = n
	}
	if !done && c.Held(name) || *held == 0 {
		return
	}
	if *held = 0; n != now {
		v.Uses.Count(name)
		v.panel.keepError(v.Session.Restart(name, words.Short(x), func() { *setting = n }))
	}
}
