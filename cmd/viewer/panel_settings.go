package main

import (
	"cmp"
	"math"
	"slices"

	"halfstep/box/workers"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// layView is the page with how frames are made and what they show.
func (v *viewer) layView(c *ui.Context, area ui.Rect) error {
	var err error
	try := func(e error) { err = cmp.Or(err, e) }
	c.BeginScroll(&v.panel.scroll[viewPage], area)
	c.Heading(c.Next(20), "Frames")
	if i, changed := c.Choice("smoothing", c.Next(ui.RowHeight), "smoothing", smoothingAction.key(), smoothingNames, slices.Index(smoothings, v.settings.smoothing)); changed {
		v.count("smoothing")
		v.setSmoothing(smoothings[i])
	}
	c.Tip(plainWords[v.settings.smoothing.String()], "")
	c.Space(3)
	at := slices.Index(frameCaps, v.cap)
	if at < 0 { // that of -fps
		at = len(frameCaps)
	}
	if i, changed := c.Choice("cap", c.Next(ui.RowHeight), "frames", capAction.key(), v.capNames, at); changed {
		v.count("cap")
		v.setCap(frameCaps[i])
	}
	c.Tip("how many pictures are made; vsync: as many as the display shows", "")
	c.Space(3)
	if i, changed := c.Choice("sync", c.Next(ui.RowHeight), "sync", syncAction.key(), syncNames, slices.Index(syncs, v.settings.sync)); changed {
		v.count("sync")
		v.setSync(syncs[i])
	}
	c.Tip(plainWords[v.settings.sync.String()], "")
	c.Space(3)
	toggle := func(a *action, text string, on bool) {
		if c.Toggle(a.name, c.Next(ui.RowHeight), text, a.key(), on) {
			try(v.act(a))
		}
	}
	toggle(pacingAction, "even out frame times", v.settings.pacing)
	c.Tip("motion stays even where frames come unevenly", "")
	c.Space(6)
	try(v.layCompare(c))
	c.Space(3)

	c.Heading(c.Next(20), "Layers")
	for _, a := range actions {
		if a.shows != nil {
			toggle(a, a.layer(), a.shows(v))
		}
	}
	c.Space(6)

	c.Heading(c.Next(20), "Window")
	toggle(metricsAction, "figures", v.hud.on)
	toggle(timelineAction, "timeline of both threads", v.timeline.on)
	c.Space(4)
	row := c.Next(24)
	for i, a := range [...]*action{fitAction, screenshotAction, linkAction} {
		if c.Button(a.name, row.Column(i, 3, ui.Gap), ui.NoIcon, [...]string{"Home", "Picture", "Link"}[i], false) {
			try(v.act(a))
		}
		c.Tip(a.does, a.key())
	}
	c.EndScroll()
	return err
}

var (
	smoothingNames = namesOf(smoothings)
	syncNames      = namesOf(syncs)
	capNames       []string
)

func init() {
	for _, n := range frameCaps {
		capNames = append(capNames, capName(n))
	}
}

// layWorld is the page with how the world is stepped.
func (v *viewer) layWorld(c *ui.Context, area ui.Rect) error {
	var err error
	try := func(e error) { err = cmp.Or(err, e) }
	c.BeginScroll(&v.panel.scroll[worldPage], area)
	c.Heading(c.Next(20), "Step")
	if x, changed, _ := c.Slider("rate", c.Next(ui.SliderHeight), "steps per second", rateKeys(), v.player.Rate().Float(), &rateRange); changed {
		v.count("rate")
		try(v.setRateTo(x))
	}
	if v.replay == nil {
		g := &gravityRange
		g.Default = v.given.World.Gravity.Y
		if x, changed, _ := c.Slider("gravity", c.Next(ui.SliderHeight), "gravity", "", v.gravity(), g); changed && !v.isPast() {
			v.count("gravity")
			v.setGravity(x)
		}
	}
	toggle := func(name, text, tip, command string, setting *onOffUnset, on bool) {
		if c.Toggle(name, c.Next(ui.RowHeight), text, "", on) {
			if v.count(name); !v.isPast() {
				v.switchWorld(command, setting, !on)
			}
		}
		c.Tip(tip, "")
	}
	s := &v.settings.world
	toggle("sleep", "bodies at rest sleep", "off: every body is solved in every step", setSleep, &s.sleep, !v.world.NoSleep)
	toggle("warm starting", "warm starting", "begin with the impulses of the last step", setWarm, &s.warm, !v.world.NoWarmStarting)
	toggle("continuous", "continuous collision", "off: fast bodies tunnel", setContinuous, &s.continuous, !v.world.NoContinuous)
	c.Space(6)

	c.Heading(c.Next(20), "These restart the scene")
	if i, changed := c.Choice("stepper", c.Next(ui.RowHeight), "stepper", "", stepperNames, int(v.stepper())); changed {
		v.count("stepper")
		try(v.setStepper(world.Stepper(i)))
	}
	c.Tip(plainWords[v.stepper().String()], "")
	c.Space(4)
	loops := v.panel.loops
	at := max(0, slices.Index(loops, v.settings.loop))
	if i, changed := c.Choice("loop", c.Next(ui.RowHeight), "loop", "", loops, at); changed {
		v.count("loop")
		try(v.setLoop(loops[i]))
	}
	c.Tip(plainWords[loops[at]], "")
	c.Space(4)
	switch {
	case v.replay != nil:
	case v.stepper() == world.SoftStep:
		try(v.iterations(c, "sub-steps", &v.panel.dragged[3], v.world.SubSteps, v.given.World.SubSteps,
			func(s *settings, n int) { s.world.subSteps = n }))
	default:
		try(v.iterations(c, "velocity iterations", &v.panel.dragged[0], v.world.VelocityIterations, v.given.World.VelocityIterations,
			func(s *settings, n int) { s.world.velocityIterations = n }))
		try(v.iterations(c, "position iterations", &v.panel.dragged[1], v.world.PositionIterations, v.given.World.PositionIterations,
			func(s *settings, n int) { s.world.positionIterations = n }))
	}
	try(v.iterations(c, "workers", &v.panel.dragged[2], cmp.Or(v.settings.workers, workers.Default()), workers.Default(),
		func(s *settings, n int) { s.workers = n }))
	c.EndScroll()
	return err
}

var (
	rateRange    = ui.Range{Min: 5, Max: 960, Default: 60, Log: true, Unit: "Hz", TypedMin: 1, TypedMax: 10000}
	gravityRange = ui.Range{Min: -30, Max: 30, Step: .5, Unit: "m/s²", TypedMin: -1000, TypedMax: 1000}
	countRange   = ui.Range{Min: 1, Max: 32, Step: 1}
)

// iterations is a slider of a whole number that a running world cannot change. It
// takes effect when the user lets go; until then *held is what the slider shows.
func (v *viewer) iterations(c *ui.Context, name string, held *int, now, own int, set func(*settings, int)) error {
	g := countRange
	g.Default = float64(own)
	shown := cmp.Or(*held, now)
	x, changed, done := c.Slider(name, c.Next(ui.SliderHeight), name, "", float64(shown), &g)
	n := int(math.Round(x))
	if changed {
		*held = n
	}
	if !done && c.Held(name) || *held == 0 {
		return nil
	}
	*held = 0
	if n == now {
		return nil
	}
	v.count(name)
	return v.restartWith(name+": "+short(x), func(s *settings) { set(s, n) })
}

func (s *session) setRateTo(x float64) error {
	r, err := clock.RateOf(x)
	if err != nil {
		return err
	}
	return s.setRate(r)
}
