package play

import (
	"cmp"

	"halfstep/engine"
	"halfstep/world"
)

// OnOffUnset is a setting of the world that the user may have changed.
type OnOffUnset int8

const (
	unset OnOffUnset = iota
	turnedOn
	turnedOff
)

// orElse returns the setting. If the user has not changed it, orElse returns the scene's own setting.
func (o OnOffUnset) orElse(scene bool) bool {
	if o == unset {
		return scene
	}
	return o == turnedOn
}

// worldOverrides are the user's changes to the configuration of worlds. A zero value leaves the
// scene's own value.
type worldOverrides struct {
	VelocityIterations, PositionIterations int
	SubSteps                               int // SubSteps is the number of sub-steps of the soft stepper.
	Sleep, Warm, Continuous                OnOffUnset
}

// applied returns the world's configuration with the user's changes. A replay keeps its own
// configuration.
func (s *worldOverrides) applied(c engine.Config) world.Config {
	w := c.World
	if c.History.Replay != nil {
		return w
	}
	w.VelocityIterations = cmp.Or(s.VelocityIterations, w.VelocityIterations)
	w.PositionIterations = cmp.Or(s.PositionIterations, w.PositionIterations)
	w.SubSteps = cmp.Or(s.SubSteps, w.SubSteps)
	w.NoSleep = !s.Sleep.orElse(!w.NoSleep)
	w.NoWarmStarting = !s.Warm.orElse(!w.NoWarmStarting)
	w.NoContinuous = !s.Continuous.orElse(!w.NoContinuous)
	return w
}

// filledIn returns a configuration in which the defaults of a world replace zeros. The panel shows it.
func filledIn(c world.Config) world.Config {
	s := world.NewSimulation(c)
	defer s.Close()
	return s.Config()
}

// These are the names of commands that turn a setting of a running world on or off.
const (
	SleepCommand      = "viewer: allow sleep"
	WarmCommand       = "viewer: warm starting"
	ContinuousCommand = "viewer: continuous collision"
)

func init() {
	register := func(name string, f func(w *world.World, on bool)) {
		world.Register(name, func(w *world.World, args []float64) {
			if len(args) == 1 {
				f(w, args[0] != 0)
			}
		})
	}
	register(SleepCommand, func(w *world.World, on bool) { w.Box2D().SetAllowSleeping(on) })
	register(WarmCommand, func(w *world.World, on bool) { w.Box2D().M_warmStarting = on })
	register(ContinuousCommand, func(w *world.World, on bool) { w.Box2D().M_continuousPhysics = on })
}

// SwitchWorld turns a setting on or off in the running worlds, by a command with one of the names
// above. It also stores the value in *setting, a field of the overrides, for the next world.
func (u *Tuner) SwitchWorld(command string, setting *OnOffUnset, on bool) {
	*setting = turnedOff
	arg := 0.0
	if on {
		*setting, arg = turnedOn, 1
	}
	u.stage.EachPlayer(func(p *Player) { p.DoNamed(command, arg) })
	u.stage.World = u.stage.Settings.Overrides.applied(u.stage.SceneConfig)
}
