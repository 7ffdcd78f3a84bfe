package main

import (
	"cmp"
	"math"
	"slices"

	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

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
	if v.tape() == nil {
		g := &gravityRange
		g.Default = v.given.World.Gravity.Y
		if x, changed, _ := c.Slider("gravity", c.Next(ui.SliderHeight), "gravity", "", v.gravity(), g); changed {
			v.count("gravity")
			v.setGravity(x)
		}
	}
	toggle := func(name, text, tip, command string, setting *onOffUnset, on bool) {
		if c.Toggle(name, c.Next(ui.RowHeight), text, "", on) {
			v.count(name)
			if v.tape() != nil {
				v.say("a replay has the settings of its recording")
				return
			}
			v.switchWorld(command, setting, !on)
		}
		c.Tip(tip, "")
	}
	s := &v.settings.world
	toggle("sleep", "bodies at rest sleep", "off: every body is solved in every step", setSleep, &s.sleep, !v.world.NoSleep)
	toggle("warm starting", "warm starting", "begin with the impulses of the last step", setWarm, &s.warm, !v.world.NoWarmStarting)
	toggle("continuous", "continuous collision", "off: fast bodies tunnel", setContinuous, &s.continuous, !v.world.NoContinuous)
	c.Space(6)

	c.Heading(c.Next(20), "These restart the scene")
	switch {
	case v.tape() != nil:
	case v.stepper() == world.SoftStep:
		try(v.iterations(c, "sub-steps", &v.dragged[3], v.world.SubSteps, v.given.World.SubSteps,
			func(s *settings, n int) { s.world.subSteps = n }))
	default:
		try(v.iterations(c, "velocity iterations", &v.dragged[0], v.world.VelocityIterations, v.given.World.VelocityIterations,
			func(s *settings, n int) { s.world.velocityIterations = n }))
		try(v.iterations(c, "position iterations", &v.dragged[1], v.world.PositionIterations, v.given.World.PositionIterations,
			func(s *settings, n int) { s.world.positionIterations = n }))
	}
	try(v.iterations(c, "workers", &v.dragged[2], cmp.Or(v.settings.workers, ownWorkers()), ownWorkers(),
		func(s *settings, n int) { s.workers = n }))
	if err != nil {
		c.EndScroll()
		return err
	}
	if i, changed := c.Choice("stepper", c.Next(ui.RowHeight), "stepper", "", stepperNames, int(v.stepper())); changed {
		v.count("stepper")
		try(v.setStepper(world.Stepper(i)))
	}
	c.Tip("fast and stock: the same results; soft: sub-steps, results of its own", "")
	c.Space(4)
	loops := v.loops
	at := max(0, slices.Index(loops, v.settings.loop))
	if i, changed := c.Choice("loop", c.Next(ui.RowHeight), "loop", "", loops, at); changed {
		v.count("loop")
		try(v.setLoop(loops[i]))
	}
	c.Tip("another loop than the engine's own, to compare", "")
	c.EndScroll()
	return err
}

var (
	rateRange    = ui.Range{Min: 5, Max: 960, Default: 60, Log: true, Unit: "Hz"}
	gravityRange = ui.Range{Min: -30, Max: 30, Step: .5, Unit: "m/s²"}
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

func (v *viewer) setRateTo(x float64) error {
	r, err := clock.RateOf(x)
	if err != nil {
		return err
	}
	return v.setRate(r)
}
