package play

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

// Settings say how a scene runs. Flags and keys set them, and they stay when the
// scene changes.
type Settings struct {
	Rate      clock.Rate // steps per second; zero: what the scene says
	MaxSteps  int
	Scale     float64 // the time scale; 1 is usual
	Smoothing body2d.Smoothing
	Sync      renderloop.Sync
	Loop      string // "": the engine's own loop
	Pacing    bool
	Simulated bool   // frame times do not come from the wall clock
	LastTick  uint64 // 0: none
	Stepper   string // "": what the scene or the recording says
	Workers   int    // goroutines of a step; 0: the default
	Inject    []fault.Fault
	World     worldSettings
}

// engine starts a player of a scene with configuration c and these settings.
func (s *Settings) engine(sc *SceneEntry, c engine.Config) (*Player, error) {
	if s.Rate != (clock.Rate{}) && c.History.Replay == nil {
		c.Time.Rate = s.Rate
	}
	if s.MaxSteps > 0 {
		c.Time.MaxSteps = s.MaxSteps
	}
	c.World = s.World.applied(c)
	c.World.Workers = s.Workers
	if stepper := s.StepperOf(&c); canStep(&c, stepper) {
		c.World.Stepper = stepper
	}
	c.Time.Sync, c.Time.Smoothing, c.Time.Simulated = s.Sync, s.Smoothing, s.Simulated
	c.Time.Pacing = engine.PacingOff
	if s.Pacing {
		c.Time.Pacing = engine.PacingOn
	}
	c.Name, c.Testing.Faults = sc.Name, s.Inject
	e, err := play(s.Loop, c)
	if err != nil {
		return nil, sc.named(err)
	}
	if err := e.SetScale(s.Scale); err != nil {
		e.Close()
		return nil, err
	}
	if s.LastTick > 0 {
		e.SetLastTick(s.LastTick)
	}
	return e, nil
}

// Tuner changes how the world is stepped, and how frames wait for steps and show them.
type Tuner struct {
	stage  *Stage
	host   Host
	travel *Travel
	follow *Follower
	beside *Beside
}

// SetSmoothing changes how bodies are drawn between two steps.
func (u *Tuner) SetSmoothing(m body2d.Smoothing) {
	u.stage.Settings.Smoothing = m
	u.beside.applySettings()
	u.host.Say("smoothing: " + m.String())
}

// SetSync changes how frames wait for steps.
func (u *Tuner) SetSync(m renderloop.Sync) {
	if !u.engineLoop() {
		return
	}
	u.stage.Settings.Sync = m
	u.beside.applySettings()
	u.host.Say("sync: " + m.String())
}

// setRate sets the steps per second. A recording and the past keep their own.
func (u *Tuner) setRate(r clock.Rate) error {
	if u.stage.Shown.Recording != nil {
		u.host.Say("the steps of a recording are as long as they were: change the speed instead")
		return nil
	}
	u.stage.Settings.Rate = r
	u.host.Say("steps per second: " + r.String())
	var err error
	u.stage.Engines(func(e *Player) { err = cmp.Or(err, e.SetRate(r)) })
	return err
}

// SetScale sets the time scale. In the past it is for the replay only, and the session keeps its own.
func (u *Tuner) SetScale(x float64) error {
	if u.stage.Shown.What != ShowsPast {
		u.stage.Settings.Scale = x
	}
	u.follow.leaveNow()
	u.host.Say("time scale: " + words.Short(x))
	var err error
	u.stage.Engines(func(e *Player) { err = cmp.Or(err, e.SetScale(x)) })
	return err
}

// StepperNames are the names of the steppers, in the order of their values.
var StepperNames = []string{world.FastStep.String(), world.SoftStep.String()}

// StepperOf returns the stepper that is chosen, or else that of the configuration.
func (s *Settings) StepperOf(c *engine.Config) world.Stepper {
	if s.Stepper == "" {
		return c.World.Stepper
	}
	stepper, _ := world.ParseStepper(s.Stepper)
	return stepper
}

// canStep reports whether a stepper can run a configuration. A recording needs the stepper that made
// it.
func canStep(c *engine.Config, stepper world.Stepper) bool {
	return c.History.Replay == nil || stepper == c.World.Stepper
}

// SetStepper chooses how the world is stepped.
func (s *Session) SetStepper(stepper world.Stepper) error {
	if !canStep(&s.Stage.Given, stepper) {
		s.Host.Say("the recording was made with the stepper " + s.Stage.Given.World.Stepper.String())
		return nil
	}
	return s.Restart("stepper", stepper.String(), func() { s.Stage.Settings.Stepper = stepper.String() })
}

// LoopNames are the engine's own loop and the others.
func LoopNames() []string { return append([]string{"engine"}, articles.Names()...) }

// SetLoop chooses the loop. Only the engine's own can record and replay.
func (s *Session) SetLoop(name string) error {
	if name == "engine" {
		name = ""
	}
	switch {
	case s.Stage.Shown.Replay() != nil:
		s.Host.Say("only the engine's own loop can replay")
		return nil
	case name != "" && s.Stage.Live().Recording():
		s.Host.Say("only the engine's own loop can record; stop the recording first")
		return nil
	case name != "" && s.Stage.O.BlackBox.Dir != "":
		s.Host.Say("only the engine's own loop has a black box")
		return nil
	}
	label := name
	if name == "" {
		label = "the engine's own"
	}
	return s.Restart("loop", label, func() { s.Stage.Settings.Loop = name })
}

// Restart calls set, which changes a setting that a running world cannot change, and restarts the
// scene. setting is its name, and to its new value, for messages.
func (s *Session) Restart(setting, to string, set func()) error {
	return s.Changes.LeaveScene("the choice of "+setting, func() error {
		ended := ""
		if s.Stage.Live().Recording() {
			ended = " and the recording ends"
		}
		set()
		if err := s.ChangeScene(s.Stage.Current); err != nil {
			return err
		}
		s.Host.Say(setting + ": " + to + "; the scene restarts" + ended)
		return nil
	})
}

func (u *Tuner) SetRateTo(x float64) error {
	r, err := clock.RateOf(x)
	if err != nil {
		return err
	}
	return u.setRate(r)
}

func (u *Tuner) NextSmoothing() {
	u.SetSmoothing(Smoothings[(slices.Index(Smoothings, u.stage.Settings.Smoothing)+1)%len(Smoothings)])
}

// engineLoop reports whether a side runs an engine, and not a loop of the articles,
// which has no sync and pacing. If none does, it tells the user.
func (u *Tuner) engineLoop() (ok bool) {
	u.stage.Engines(func(e *Player) { ok = ok || e.Name == "" })
	if !ok {
		u.host.Say("the " + u.stage.Player.Name + " loop does not have this setting")
	}
	return ok
}

func (u *Tuner) NextSync() {
	u.SetSync(Syncs[(slices.Index(Syncs, u.stage.Settings.Sync)+1)%len(Syncs)])
}

func (u *Tuner) TogglePacing() {
	if !u.engineLoop() {
		return
	}
	set := &u.stage.Settings
	set.Pacing = !set.Pacing
	u.beside.applySettings()
	u.host.Say("even out frame times: " + words.OnOff(set.Pacing))
}

// stepRates are the step rates that keys - and + go through.
var stepRates = []int64{5, 10, 15, 20, 30, 50, 60, 90, 120, 144, 180, 240, 480, 960}

func (u *Tuner) ChangeRate(by int) error {
	return u.setRate(clock.Hz(nextIn(stepRates, u.stage.Player.Rate().Float(), by)))
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

func (u *Tuner) ChangeScale(by int) error {
	return u.SetScale(float64(nextIn(timeScales, 100*u.follow.Scale(), by)) / 100)
}

// applySettings gives the running engines the settings that need no restart.
func (h *Beside) applySettings() {
	if h.stage.Right != nil {
		h.stage.Right.Settings = h.rightSettings()
	}
	h.stage.each(func(o *Side) { o.apply() })
}

// Smoothings lists the modes in the order in which key M goes through them.
var Smoothings = []body2d.Smoothing{body2d.Interpolate, body2d.Newest, body2d.Extrapolate, body2d.Hermite}

var ParseSmoothing = byName(body2d.Newest, body2d.Interpolate, body2d.Extrapolate, body2d.Hermite)

// Syncs are the sync modes, in the order in which they are offered.
var Syncs = []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead}

var ParseSync = byName(Syncs...)

// byName makes a parser for the names of two or more values.
func byName[T fmt.Stringer](values ...T) func(string) (T, error) {
	return func(s string) (none T, err error) {
		names := NamesOf(values)
		if i := slices.Index(names, s); i >= 0 {
			return values[i], nil
		}
		last := len(names) - 1
		return none, errors.New("must be " + strings.Join(names[:last], ", ") + " or " + names[last])
	}
}

func NamesOf[T fmt.Stringer](values []T) (names []string) {
	for _, v := range values {
		names = append(names, v.String())
	}
	return names
}

func ParseStepper(s string) (string, error) {
	_, err := world.ParseStepper(s)
	return s, err
}
