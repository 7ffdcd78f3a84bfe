package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/articles"
	"halfstep/cmd/viewer/internal/words"
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

// tuner changes how the world is stepped, and how frames wait for steps and show them.
type tuner struct {
	stage  *stage
	host   host
	travel *travel
	follow *follower
	beside *beside
}

// setSmoothing changes how bodies are drawn between two steps.
func (u *tuner) setSmoothing(m body2d.Smoothing) {
	u.stage.settings.smoothing = m
	u.beside.applySettings()
	u.host.say("smoothing: " + m.String())
}

// setSync changes how frames wait for steps.
func (u *tuner) setSync(m renderloop.Sync) {
	if !u.engineLoop() {
		return
	}
	u.stage.settings.sync = m
	u.beside.applySettings()
	u.host.say(m.String())
}

// setRate sets the steps per second. A recording and the past keep their own.
func (u *tuner) setRate(r clock.Rate) error {
	if u.stage.shown.recording != nil {
		u.host.say("the steps of a recording are as long as they were: change the speed instead")
		return nil
	}
	u.stage.settings.rate = r
	u.host.say(r.String() + " steps per second")
	var err error
	u.stage.engines(func(e *player) { err = cmp.Or(err, e.SetRate(r)) })
	return err
}

// setScale sets the time scale. In the past it is for the replay only, and the session keeps its own.
func (u *tuner) setScale(x float64) error {
	if u.stage.shown.what != showsPast {
		u.stage.settings.scale = x
	}
	u.follow.leaveNow()
	u.host.say("time scale: " + words.Short(x))
	var err error
	u.stage.engines(func(e *player) { err = cmp.Or(err, e.SetScale(x)) })
	return err
}

// stepperNames are the names of the steppers, in the order of their values.
var stepperNames = []string{world.FastStep.String(), world.SoftStep.String()}

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
func (s *session) setStepper(stepper world.Stepper) error {
	if !canStep(&s.stage.given, stepper) {
		s.host.say("the recording was made with the stepper " + s.stage.given.World.Stepper.String())
		return nil
	}
	return s.restart("stepper", stepper.String(), func() { s.stage.settings.stepper = stepper.String() })
}

// loopNames are the engine's own loop and the others.
func loopNames() []string { return append([]string{"engine"}, articles.Names()...) }

// setLoop chooses the loop. Only the engine's own can record and replay.
func (s *session) setLoop(name string) error {
	if name == "engine" {
		name = ""
	}
	switch {
	case s.stage.shown.replay() != nil:
		s.host.say("only the engine's own loop can replay")
		return nil
	case name != "" && s.stage.live().recording():
		s.host.say("only the engine's own loop can record; stop the recording first")
		return nil
	case name != "" && s.stage.o.BlackBox.Dir != "":
		s.host.say("only the engine's own loop has a black box")
		return nil
	}
	label := name
	if name == "" {
		label = "the engine's own"
	}
	return s.restart("loop", label, func() { s.stage.settings.loop = name })
}

// restart calls set, which changes a setting that a running world cannot change, and restarts the
// scene. setting is its name, and to its new value, for messages.
func (s *session) restart(setting, to string, set func()) error {
	return s.changes.leaveScene("the choice of "+setting, func() error {
		ended := ""
		if s.stage.live().recording() {
			ended = " and the recording ends"
		}
		paused := s.travel.stopped()
		set()
		if err := s.changeScene(s.stage.current); err != nil {
			return err
		}
		s.stage.engines(func(e *player) { e.SetPaused(paused) })
		s.host.say(setting + ": " + to + "; the scene restarts" + ended)
		return nil
	})
}

func (u *tuner) setRateTo(x float64) error {
	r, err := clock.RateOf(x)
	if err != nil {
		return err
	}
	return u.setRate(r)
}

func (u *tuner) nextSmoothing() {
	u.setSmoothing(smoothings[(slices.Index(smoothings, u.stage.settings.smoothing)+1)%len(smoothings)])
}

// engineLoop reports whether a side runs an engine, and not a loop of the articles,
// which has no sync and pacing. If none does, it tells the user.
func (u *tuner) engineLoop() (ok bool) {
	u.stage.engines(func(e *player) { ok = ok || e.name == "" })
	if !ok {
		u.host.say("the " + u.stage.player.name + " loop does not have this setting")
	}
	return ok
}

func (u *tuner) nextSync() {
	u.setSync(syncs[(slices.Index(syncs, u.stage.settings.sync)+1)%len(syncs)])
}

func (u *tuner) togglePacing() {
	if !u.engineLoop() {
		return
	}
	set := &u.stage.settings
	set.pacing = !set.pacing
	u.beside.applySettings()
	u.host.say("frame pacing: " + words.OnOff(set.pacing))
}

// stepRates are the step rates that keys - and + go through.
var stepRates = []int64{5, 10, 15, 20, 30, 50, 60, 90, 120, 144, 180, 240, 480, 960}

func (u *tuner) changeRate(by int) error {
	return u.setRate(clock.Hz(nextIn(stepRates, u.stage.player.Rate().Float(), by)))
}

// nextIn returns the next entry above x (by > 0) or below x in an ascending list.
func nextIn(list []int64, x float64, by int) int64 {
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

func (u *tuner) changeScale(by int) error {
	return u.setScale(float64(nextIn(timeScales, 100*u.follow.scale(), by)) / 100)
}

// applySettings gives the running engines the settings that need no restart.
func (h *beside) applySettings() {
	if h.stage.right != nil {
		h.stage.right.settings = h.rightSettings()
	}
	h.stage.each(func(o *side) { o.apply() })
}

// smoothings lists the modes in the order in which key M goes through them.
var smoothings = []body2d.Smoothing{body2d.Interpolate, body2d.Newest, body2d.Extrapolate, body2d.Hermite}

var parseSmoothing = byName(body2d.Newest, body2d.Interpolate, body2d.Extrapolate, body2d.Hermite)

// syncs are the sync modes, in the order in which they are offered.
var syncs = []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead}

var parseSync = byName(syncs...)

// byName makes a parser for the names of two or more values.
func byName[T fmt.Stringer](values ...T) func(string) (T, error) {
	return func(s string) (none T, err error) {
		names := namesOf(values)
		if i := slices.Index(names, s); i >= 0 {
			return values[i], nil
		}
		last := len(names) - 1
		return none, errors.New("must be " + strings.Join(names[:last], ", ") + " or " + names[last])
	}
}

func namesOf[T fmt.Stringer](values []T) (names []string) {
	for _, v := range values {
		names = append(names, v.String())
	}
	return names
}

func parseStepper(s string) (string, error) {
	_, err := world.ParseStepper(s)
	return s, err
}
