package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/articles"
	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// open closes the open scene and starts the one at that index.
func (v *viewer) open(index int) error {
	v.close()
	if v.closeErr != nil { // the old scene did not end in time; go on without it
		v.say(v.closeErr.Error())
		v.closeErr = nil
	}
	sc := &v.scenes[index]
	if err := sc.followAgain(); err != nil {
		v.warn(err.Error())
	}
	config := sc.config()
	if v.replay = sc.replay; v.replay != nil { // only the engine's own loop can replay
		v.settings.loop, v.compare = "", comparison{}
	}
	collector := newCollector()
	done := new(atomic.Uint64)
	v.done = done // an engine that was left behind keeps its own
	config.History.Watch = engine.WatchOptions{Scene: sc.name, Data: sc.data}
	config.OnStep = func(tick uint64, cost time.Duration) {
		collector.step(tick, cost)
		done.Store(tick)
	}
	v.given = config
	v.given.World = filledIn(config.World)
	if r := config.History.Replay; r != nil {
		done.Store(r.First)
	}
	v.blackBox(sc, &config, v.panel.on)
	if err := v.record(sc, &config); err != nil {
		return err
	}
	old := v.player
	v.player = nil // while the next one is set up
	v.owner.beginWait()
	e, err := v.settings.engine(sc, config)
	v.owner.endWait()
	if err != nil {
		v.player = old
		if r := v.recording; r != nil && !r.closed {
			r.file.Close()
		}
		return err
	}
	v.player, v.collector, v.current = e, collector, index
	v.stats, v.ledgerTaken = Stats{}, false
	v.drag, v.press0, v.menu, v.arrows = drag{}, press{}, menu{}, [4]bool{}
	v.undos, v.handled = v.undos[:0], false
	v.inspect.choose(0)
	v.saved = nil
	v.barMarks = v.barMarks[:0]
	v.playback = playback{}
	v.world = v.settings.world.applied(v.given)
	v.figures.reset()
	v.watch(e)
	if err := v.openRight(sc); err != nil {
		return err
	}
	v.setDebug(payload(v.layers))
	v.sendParams(sc)
	v.watchFile()
	v.startFollowing(sc.watch)
	return nil
}

// setDebug asks physics for the debug data of the layers.
func (s *session) setDebug(d body2d.DebugLayers) {
	s.debug = d
	s.engines(func(p *player) { p.SetDebugLayers(d) })
}

// engines calls f with the engine, and with that of the right half if there is
// one.
func (s *session) engines(f func(*player)) {
	f(s.player)
	if s.right != nil {
		f(s.right.player)
	}
}

// close closes all engines, and ends what goes on beside them.
func (s *session) close() {
	s.unwatchFile()
	s.stopWatching()
	s.toPresent()
	s.closeRight()
	if s.player != nil {
		s.closeEngine()
	}
}

// closeEngine closes the engine and its recording.
func (s *session) closeEngine() {
	if s.unknownFunction() == nil && !s.shownInstead {
		s.failed = cmp.Or(s.failed, s.physicsFailure())
	}
	s.shownInstead = false
	s.unwatch(s.player)
	err := s.stopEngine(s.player)
	s.recording.close(err)
}

// stopEngine closes an engine. A run with an end finishes the steps that were
// demanded, however long they take. If the user quits or opens another scene,
// they have closeTime.
func (s *session) stopEngine(e *player) error {
	defer s.watchdog.forget(e)
	s.owner.beginWait()
	defer s.owner.endWait()
	if !s.quitting && s.o.limited() {
		return e.Close()
	}
	limit := closeTime
	if s.closeErr != nil {
		limit = 0 // another engine has used the time up
	}
	err := e.CloseWithin(limit)
	if errors.Is(err, engine.ErrStuck) {
		s.closeErr = err
	}
	return err
}

// watch makes a player known to the watchdog, -hitch, -pprof and -perfetto.
func (s *session) watch(p *player) {
	s.watchdog.watch(p)
	if s.hitches != nil {
		s.hitches.Watch(p.tracer)
	}
	if s.profiles != nil {
		s.profiles.Add(p.tracer)
	}
	s.spans.Watch(p.tracer)
}

// unwatch ends what watch began. The watchdog goes on until the engine is
// closed.
func (s *session) unwatch(p *player) {
	if s.hitches != nil {
		s.hitches.Forget(p.tracer)
	}
	if s.profiles != nil {
		s.profiles.Remove(p.tracer)
	}
	s.spans.Forget(p.tracer)
}

// The functions below are what keys and controls do with values.

func (s *session) setSmoothing(m body2d.Smoothing) {
	s.settings.smoothing = m
	s.applySettings()
	s.say("smoothing: " + m.String())
}

func (s *session) setSync(m renderloop.Sync) {
	if !s.engineLoop() {
		return
	}
	s.settings.sync = m
	s.applySettings()
	s.say(m.String())
}

// setRate sets the steps per second, but for what has been.
func (s *session) setRate(r clock.Rate) error {
	if s.playedRecording() != nil {
		s.say("the steps of a recording are as long as they were: change the speed instead")
		return nil
	}
	s.settings.rate = r
	s.handled = s.handled || s.player.Demanded() > 0
	s.say(r.String() + " steps per second")
	var err error
	s.engines(func(e *player) { err = cmp.Or(err, e.SetRate(r)) })
	return err
}

// setScale sets the time scale. In the past that is for looking at it only.
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

// restart restarts the scene with settings that a running world cannot change. what says
// which.
func (v *viewer) restart(what string) error {
	ended := ""
	if v.live().recording() {
		ended = " and the recording ends"
	}
	paused := v.stopped()
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
func (s *session) stepper() world.Stepper {
	stepper, _ := world.ParseStepper(s.settings.stepper) // FastStep for ""
	if !canStep(&s.given, stepper) {
		return s.given.World.Stepper
	}
	return stepper
}

// canStep reports whether a stepper can step that. A recording by the soft stepper, or one
// that begins with a snapshot, needs the stepper that made it.
func canStep(c *engine.Config, stepper world.Stepper) bool {
	made := c.World.Stepper
	switch {
	case c.History.Replay == nil:
		return true
	case c.History.Replay.Snapshot:
		return stepper == made
	}
	return (stepper == world.SoftStep) == (made == world.SoftStep)
}

// setStepper chooses how the world is stepped.
func (v *viewer) setStepper(stepper world.Stepper) error {
	if !canStep(&v.given, stepper) {
		v.say("the recording was made with the stepper " + v.given.World.Stepper.String())
		return nil
	}
	v.settings.stepper = stepper.String()
	return v.restart("stepper: " + v.settings.stepper)
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
	v.settings.loop = name
	return v.restart("loop: " + label)
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

// worldSettings are the user's changes to the configuration of worlds.
// Zero values leave a scene's own.
type worldSettings struct {
	velocityIterations, positionIterations int
	subSteps                               int
	sleep, warm, continuous                onOffUnset
}

// applied is a configuration with the changes. That of a replay stays as it is.
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
func (s *session) switchWorld(command string, setting *onOffUnset, on bool) {
	*setting = turnedOff
	s.handled = true
	arg := 0.0
	if on {
		*setting, arg = turnedOn, 1
	}
	s.engines(func(e *player) { e.DoNamed(command, arg) })
	s.world = s.settings.world.applied(s.given)
}

// paramValues are the parameters that the user has changed, by scene and name.
type paramValues map[string]map[string]float64

// param is the value of a parameter of the open scene.
func (s *session) param(sc *sceneEntry, i int) float64 {
	p := &sc.params[i]
	if x, ok := s.params[sc.name][p.Name]; ok {
		return x
	}
	return p.Default
}

// setParam changes a parameter of the open scene by a command, which a recording
// keeps.
func (s *session) setParam(i int, x float64) {
	sc := &s.scenes[s.current]
	p := &sc.params[i]
	x = p.Fix(x)
	if s.params[sc.name] == nil {
		s.params[sc.name] = map[string]float64{}
	}
	s.params[sc.name][p.Name] = x
	s.handled = s.handled || s.player.Demanded() > 0
	s.engines(func(e *player) { e.DoNamed(p.Command(), x) })
}

// gravity is that of the open scene, in m/s², upwards.
func (s *session) gravity() float64 {
	if y, ok := s.gravities[s.scenes[s.current].row]; ok {
		return y
	}
	return s.given.World.Gravity.Y
}

// keepGravity remembers the gravity of the open scene, for the panel and for a restart.
func (s *session) keepGravity(y float64) {
	row := s.scenes[s.current].row
	if s.gravities[row] = y; y == s.given.World.Gravity.Y {
		delete(s.gravities, row) // so that a change of the scene's file counts
	}
}

func (s *session) setGravity(y float64) {
	s.keepGravity(y)
	s.handled = true
	s.engines(func(e *player) { e.SetGravity(world.Vec{X: s.given.World.Gravity.X, Y: y}) })
}

// sendParams gives a world that was just built the parameters and the gravity that
// the user has changed before.
func (s *session) sendParams(sc *sceneEntry) {
	if s.replay != nil {
		return
	}
	for i := range sc.params {
		p := &sc.params[i]
		if x := s.param(sc, i); x != p.Default {
			s.engines(func(e *player) { e.DoNamed(p.Command(), x) })
		}
	}
	if y := s.gravity(); y != s.given.World.Gravity.Y {
		s.setGravity(y)
	}
}

// paramValue parses NAME=VALUE and adds it.
func paramValue(to *map[string]float64) func(string) error {
	return func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		x, err := strconv.ParseFloat(value, 64)
		if !ok || name == "" || err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return errors.New("must be NAME=VALUE, such as speed=2.5")
		}
		if *to == nil {
			*to = map[string]float64{}
		}
		if len(*to) == maxListed {
			return fmt.Errorf("more than %d parameters", maxListed)
		}
		(*to)[name] = x
		return nil
	}
}

// checkParams reports a parameter that the scene does not have, and returns the
// values as the scene takes them.
func (o *Options) checkParams() error {
	if len(o.Params) == 0 {
		return nil
	}
	if o.Replay != "" || o.File != "" {
		return errors.New("-param: only built-in scenes have parameters, and a replay has those of its recording")
	}
	s, _ := scenes.Lookup(o.Scene)
	if len(s.Params) == 0 {
		return fmt.Errorf("-param: scene %s has no parameters", o.Scene)
	}
	for name, x := range o.Params {
		at := slices.IndexFunc(s.Params, func(p scenes.Param) bool { return p.Name == name })
		if at < 0 {
			var names []string
			for _, p := range s.Params {
				names = append(names, p.Name)
			}
			return fmt.Errorf("-param: scene %s has no parameter %s; it has %s", o.Scene, quoteName(name), strings.Join(names, ", "))
		}
		p := &s.Params[at]
		if x < p.Min || x > p.Max {
			return fmt.Errorf("-param %s=%v: must be from %v to %v", name, x, p.Min, p.Max)
		}
		o.Params[name] = p.Fix(x)
	}
	return nil
}

// viewerSnapshot is the number of the snapshot that the user takes.
const viewerSnapshot = 1

// savedControls are the controls whose values lie in the world, as of the snapshot.
type savedControls struct {
	params  map[string]float64 // of the scene
	gravity float64            // m/s², upwards
	world   worldSettings
}

// takeSnapshot keeps the world as it is, for restoreSnapshot.
func (s *session) takeSnapshot() {
	switch {
	case s.isPast():
		return
	case s.settings.loop != "":
		s.say("only the engine's own loop takes snapshots")
		return
	}
	s.letGo() // or the restore would bring back what pulls
	s.engines(func(e *player) { e.KeepSnapshot(viewerSnapshot) })
	saved := s.controls()
	s.saved = &saved
	s.say("snapshot at tick " + strconv.FormatUint(s.view.Tick, 10))
}

// restoreSnapshot puts the world back to what it was then.
func (s *session) restoreSnapshot() {
	switch {
	case s.isPast():
		return
	case s.saved == nil:
		s.say("there is no snapshot of this run")
		return
	}
	s.letGo()
	s.engines(func(e *player) { e.RestoreSnapshot(viewerSnapshot) })
	s.restoreControls(s.saved)
	s.say("back at the snapshot")
}

// controls are the values of the controls that a snapshot brings back.
func (s *session) controls() savedControls {
	return savedControls{maps.Clone(s.params[s.scenes[s.current].name]), s.gravity(), s.settings.world}
}

func (s *session) restoreControls(saved *savedControls) {
	s.handled = true
	if name := s.scenes[s.current].name; s.params[name] != nil {
		s.params[name] = maps.Clone(saved.params)
	}
	if s.scenes[s.current].driven { // by the keys that are held now
		s.steer(s.arrows)
	}
	s.keepGravity(saved.gravity)
	s.settings.world = saved.world
	s.world = saved.world.applied(s.given)
}
