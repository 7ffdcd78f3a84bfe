package main

import (
	"cmp"
	"fmt"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/articles"
	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// settings say how a scene runs. Flags and keys set them, and they stay when the
// scene changes.
type settings struct {
	rate      clock.Rate // steps per second; zero: what the scene says
	maxSteps  int
	scale     float64 // the time scale; 1 is usual
	smoothing body2d.Smoothing
	sync      renderloop.Sync
	loop      string // "": the engine's own loop
	pacing    bool
	simulated bool   // frame times do not come from the wall clock
	lastTick  uint64 // 0: none
	stepper   string // "": what the scene or the recording says
	workers   int    // goroutines of a step; 0: the default
	inject    []fault.Fault
	world     worldSettings
}

// engine starts a player of a scene with configuration c and these settings.
func (s *settings) engine(sc *sceneEntry, c engine.Config) (*player, error) {
	if s.rate != (clock.Rate{}) && c.History.Replay == nil {
		c.Time.Rate = s.rate
	}
	if s.maxSteps > 0 {
		c.Time.MaxSteps = s.maxSteps
	}
	c.World = s.world.applied(c)
	c.World.Workers = s.workers
	if stepper := s.stepperOf(&c); canStep(&c, stepper) {
		c.World.Stepper = stepper
	}
	c.Time.Sync, c.Time.Smoothing, c.Time.Simulated = s.sync, s.smoothing, s.simulated
	c.Time.Pacing = engine.PacingOff
	if s.pacing {
		c.Time.Pacing = engine.PacingOn
	}
	c.Name, c.Testing.Faults = sc.Name, s.inject
	e, err := play(s.loop, c)
	if err != nil {
		return nil, sc.named(err)
	}
	if err := e.SetScale(s.scale); err != nil {
		e.Close()
		return nil, err
	}
	if s.lastTick > 0 {
		e.SetLastTick(s.lastTick)
	}
	return e, nil
}

// setSmoothing changes how bodies are drawn between two steps.
func (s *session) setSmoothing(m body2d.Smoothing) {
	s.settings.smoothing = m
	s.applySettings()
	s.say("smoothing: " + m.String())
}

// setSync changes how frames wait for steps.
func (s *session) setSync(m renderloop.Sync) {
	if !s.engineLoop() {
		return
	}
	s.settings.sync = m
	s.applySettings()
	s.say(m.String())
}

// setRate sets the steps per second. A recording and the past keep their own.
func (s *session) setRate(r clock.Rate) error {
	if s.playedRecording() != nil {
		s.say("the steps of a recording are as long as they were: change the speed instead")
		return nil
	}
	s.settings.rate = r
	s.say(r.String() + " steps per second")
	var err error
	s.engines(func(e *player) { err = cmp.Or(err, e.SetRate(r)) })
	return err
}

// setScale sets the time scale. In the past it is for the replay only, and the session keeps its own.
func (s *session) setScale(x float64) error {
	if s.past == nil {
		s.settings.scale = x
	}
	s.leaveNow()
	s.say("time scale: " + short(x))
	var err error
	s.engines(func(e *player) { err = cmp.Or(err, e.SetScale(x)) })
	return err
}

// stepperNames are the names of the steppers, in the order of their values.
var stepperNames = []string{world.FastStep.String(), world.SoftStep.String()}

// stepper returns the stepper of the open scene: the one that the user has chosen, if
// it can step that (see canStep), or else the scene's own.
func (s *session) stepper() world.Stepper {
	if stepper := s.settings.stepperOf(&s.given); canStep(&s.given, stepper) {
		return stepper
	}
	return s.given.World.Stepper
}

// stepperOf returns the stepper that is chosen, or else that of the configuration.
func (s *settings) stepperOf(c *engine.Config) world.Stepper {
	if s.stepper == "" {
		return c.World.Stepper
	}
	stepper, _ := world.ParseStepper(s.stepper)
	return stepper
}

// canStep reports whether a stepper can run a configuration. A recording needs the stepper that made
// it.
func canStep(c *engine.Config, stepper world.Stepper) bool {
	return c.History.Replay == nil || stepper == c.World.Stepper
}

// setStepper chooses how the world is stepped.
func (v *viewer) setStepper(stepper world.Stepper) error {
	if !canStep(&v.given, stepper) {
		v.say("the recording was made with the stepper " + v.given.World.Stepper.String())
		return nil
	}
	return v.restart("stepper", stepper.String(), func() { v.settings.stepper = stepper.String() })
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
	case name != "" && v.live().recording():
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
	return v.restart("loop", label, func() { v.settings.loop = name })
}

// restart calls set, which changes a setting that a running world cannot change, and restarts the
// scene. setting is its name, and to its new value, for messages.
func (v *viewer) restart(setting, to string, set func()) error {
	return v.leaveScene("the choice of "+setting, func() error {
		ended := ""
		if v.live().recording() {
			ended = " and the recording ends"
		}
		paused := v.stopped()
		set()
		if err := v.changeScene(v.current); err != nil {
			return err
		}
		v.engines(func(e *player) { e.SetPaused(paused) })
		v.say(setting + ": " + to + "; the scene restarts" + ended)
		return nil
	})
}

func (s *session) setRateTo(x float64) error {
	r, err := clock.RateOf(x)
	if err != nil {
		return err
	}
	return s.setRate(r)
}

func (s *session) nextSmoothing() {
	s.setSmoothing(smoothings[(slices.Index(smoothings, s.settings.smoothing)+1)%len(smoothings)])
}

// engineLoop reports whether a side runs an engine, and not a loop of the articles,
// which has no sync and pacing. If none does, it tells the user.
func (s *session) engineLoop() (ok bool) {
	s.engines(func(e *player) { ok = ok || e.name == "" })
	if !ok {
		s.say("the " + s.player.name + " loop does not have this setting")
	}
	return ok
}

func (s *session) nextSync() {
	s.setSync(syncs[(slices.Index(syncs, s.settings.sync)+1)%len(syncs)])
}

func (s *session) togglePacing() {
	if !s.engineLoop() {
		return
	}
	set := &s.settings
	set.pacing = !set.pacing
	s.applySettings()
	s.say("frame pacing: " + onOff(set.pacing))
}

// stepRates are the step rates that keys - and + go through.
var stepRates = []int64{5, 10, 15, 20, 30, 50, 60, 90, 120, 144, 180, 240, 480, 960}

func (s *session) changeRate(by int) error {
	return s.setRate(clock.Hz(beside(stepRates, s.player.Rate().Float(), by)))
}

// beside returns the next entry above x (by > 0) or below x in an ascending list.
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

func (s *session) changeScale(by int) error {
	return s.setScale(float64(beside(timeScales, 100*s.scale(), by)) / 100)
}

// frameCaps are the caps that key V goes through; see setCap.
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

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// applySettings gives the running engines the settings that need no restart.
func (s *session) applySettings() {
	if s.right != nil {
		s.right.settings = s.rightSettings()
	}
	s.each((*side).apply)
}

// setCap sets the frame cap: 0 is vsync, -1 is uncapped. With a simulated clock
// frames are never capped.
func (r *run) setCap(fps int) {
	r.cap, r.capName = fps, capName(fps)
	r.capNames = capNames
	if !slices.Contains(frameCaps, fps) {
		r.capNames = append(slices.Clone(capNames), r.capName)
	}
	if r.source.Simulated() {
		fps, r.capName = -1, "simulated clock"
	}
	r.limit.Set(fps)
	if fps == 0 {
		r.screen.interval(1)
	} else {
		r.screen.interval(0)
	}
}
