package main

import (
	"cmp"

	"halfstep/engine"
	"halfstep/world"
)

// onOffUnset is a setting of the world that the user may have changed.
type onOffUnset int8

const (
	unset onOffUnset = iota
	turnedOn
	turnedOff
)

// or returns the setting, or the scene's own if the user has not changed it.
func (o onOffUnset) or(scene bool) bool {
	if o == unset {
		return scene
	}
	return o == turnedOn
}

// worldSettings are the user's changes to the configuration of worlds.
// Zero values leave a scene's own.
type worldSettings struct {
	velocityIterations, positionIterations int
	subSteps                               int // of the soft stepper
	sleep, warm, continuous                onOffUnset
}

// applied returns the world's configuration with the changes. A replay keeps its own.
func (s *worldSettings) applied(c engine.Config) world.Config {
	w := c.World
	if c.History.Replay != nil {
		return w
	}
	w.VelocityIterations = cmp.Or(s.velocityIterations, w.VelocityIterations)
	w.PositionIterations = cmp.Or(s.positionIterations, w.PositionIterations)
	w.SubSteps = cmp.Or(s.subSteps, w.SubSteps)
	w.NoSleep = !s.sleep.or(!w.NoSleep)
	w.NoWarmStarting = !s.warm.or(!w.NoWarmStarting)
	w.NoContinuous = !s.continuous.or(!w.NoContinuous)
	return w
}

// filledIn returns a configuration in which the defaults of a world stand for zeros.
func filledIn(c world.Config) world.Config {
	s := world.NewSimulation(c)
	defer s.Close()
	return s.Config()
}

// The names of commands that change a running world.
const (
	setSleep      = "viewer: allow sleep"
	setWarm       = "viewer: warm starting"
	setContinuous = "viewer: continuous collision"
)

func init() {
	register := func(name string, f func(w *world.World, on bool)) {
		world.Register(name, func(w *world.World, args []float64) {
			if len(args) == 1 {
				f(w, args[0] != 0)
			}
		})
	}
	register(setSleep, func(w *world.World, on bool) { w.Box2D().SetAllowSleeping(on) })
	register(setWarm, func(w *world.World, on bool) { w.Box2D().M_warmStarting = on })
	register(setContinuous, func(w *world.World, on bool) { w.Box2D().M_continuousPhysics = on })
}

// switchWorld turns a setting on or off in the running worlds, with one of the commands above, and keeps
// it in *setting for the next world.
func (u *tuner) switchWorld(command string, setting *onOffUnset, on bool) {
	*setting = turnedOff
	arg := 0.0
	if on {
		*setting, arg = turnedOn, 1
	}
	u.stage.engines(func(e *player) { e.DoNamed(command, arg) })
	u.stage.world = u.stage.settings.world.applied(u.stage.given)
}
