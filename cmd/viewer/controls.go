package main

import (
	"cmp"
	"runtime"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/articles"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// The functions below are what keys and controls do with values.

func (v *viewer) setSmoothing(m body2d.Smoothing) {
	v.settings.smoothing = m
	v.applySettings()
	v.say("smoothing: " + m.String())
}

func (v *viewer) setSync(m renderloop.Sync) {
	if !v.engineLoop() {
		return
	}
	v.settings.sync = m
	v.applySettings()
	v.say(m.String())
}

// setRate sets the steps per second. In the past that is for looking at it only.
func (v *viewer) setRate(r clock.Rate) error {
	if v.past == nil {
		v.settings.rate = r
	}
	v.say(r.String() + " steps per second")
	var err error
	v.engines(func(e *player) { err = cmp.Or(err, e.SetRate(r)) })
	return err
}

// setScale sets the time scale. In the past that is for looking at it only.
func (v *viewer) setScale(x float64) error {
	if v.past == nil {
		v.settings.scale = x
	}
	v.say("time scale: " + short(x))
	var err error
	v.engines(func(e *player) { err = cmp.Or(err, e.SetScale(x)) })
	return err
}

// restartWith changes settings that a running world cannot change, and restarts the
// scene with them.
func (v *viewer) restartWith(what string, change func(*settings)) error {
	ended := ""
	if v.session().recording() {
		ended = " and the recording ends"
	}
	paused := v.player.Paused()
	change(&v.settings)
	if err := v.change(v.current); err != nil {
		return err
	}
	v.engines(func(e *player) { e.SetPaused(paused) })
	v.say(what + "; the scene restarts" + ended)
	return nil
}

// stepperNames are the ways to step a world, in the order of their values.
var stepperNames = []string{world.FastStep.String(), world.StockStep.String(), world.SoftStep.String()}

// stepper is how the open scene is stepped. A recording by the soft stepper is
// played by it, and another by one of the others.
func (v *viewer) stepper() world.Stepper {
	stepper, _ := world.ParseStepper(v.settings.stepper) // FastStep for ""
	if v.otherBits(stepper) {
		return v.given.World.Stepper
	}
	return stepper
}

// otherBits is whether the recording that plays was made with other bits.
func (v *viewer) otherBits(stepper world.Stepper) bool {
	return v.given.Replay != nil && (v.given.World.Stepper == world.SoftStep) != (stepper == world.SoftStep)
}

// setStepper chooses how the world is stepped.
func (v *viewer) setStepper(stepper world.Stepper) error {
	if v.otherBits(stepper) {
		v.say("the recording was made with the stepper " + v.given.World.Stepper.String())
		return nil
	}
	return v.restartWith("stepper: "+stepper.String(), func(s *settings) { s.stepper = stepper.String() })
}

// loopNames are the engine's own loop and the others.
func loopNames() []string { return append([]string{"engine"}, articles.Names()...) }

// setLoop chooses the loop. Only the engine's own can record and replay.
func (v *viewer) setLoop(name string) error {
	if name == "engine" {
		name = ""
	}
	switch {
	case v.replay != nil:
		v.say("only the engine's own loop can replay")
		return nil
	case name != "" && v.session().recording():
		v.say("only the engine's own loop can record; stop the recording first")
		return nil
	case name != "" && v.o.BlackBox.dir != "":
		v.say("only the engine's own loop has a black box")
		return nil
	}
	label := name
	if name == "" {
		label = "the engine's own"
	}
	return v.restartWith("loop: "+label, func(s *settings) { s.loop = name })
}

// onOffUnset is a setting of the world that the user may have changed.
type onOffUnset int8

const (
	unset onOffUnset = iota
	turnedOn
	turnedOff
)

func (o onOffUnset) or(scene bool) bool {
	if o == unset {
		return scene
	}
	return o == turnedOn
}

// worldSettings are what the user has changed in the configuration of worlds.
// Zero values leave a scene's own.
type worldSettings struct {
	velocityIterations, positionIterations int
	subSteps                               int
	sleep, warm, continuous                onOffUnset
}

// applied is a configuration with the changes. That of a replay stays as it is.
func (s *worldSettings) applied(c engine.Config) world.Config {
	w := c.World
	if c.Replay != nil {
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

// filledIn is a configuration with the defaults that a world takes for zeros.
func filledIn(c world.Config) world.Config {
	s := world.NewSimulation(c)
	defer s.Close()
	return s.Config()
}

// These commands change a running world.
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

// switchWorld turns one of the settings above on or off, without a restart.
func (v *viewer) switchWorld(command string, setting *onOffUnset, on bool) {
	*setting = turnedOff
	arg := 0.0
	if on {
		*setting, arg = turnedOn, 1
	}
	v.engines(func(e *player) { e.DoNamed(command, arg) })
	v.world = v.settings.world.applied(v.given)
}

// ownWorkers is how many goroutines compute a step if the user has not said.
func ownWorkers() int { return max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))-1) }
