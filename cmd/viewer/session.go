package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
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
	config := sc.config()
	collector := newCollector()
	done := new(atomic.Uint64)
	v.done = done // an engine that was left behind keeps its own
	config.OnStep = func(tick uint64, cost time.Duration) {
		collector.step(tick, cost)
		done.Store(tick)
	}
	v.given = config
	v.given.World = filledIn(config.World)
	if r := config.Replay; r != nil {
		done.Store(r.First)
	}
	v.blackBox(sc, &config)
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
		if v.recording != nil {
			v.recording.file.Close()
		}
		return err
	}
	v.player, v.collector, v.current = e, collector, index
	v.stats, v.ledgerTaken = Stats{}, false
	v.drag, v.press0 = drag{}, press{}
	v.inspect.choose(0)
	v.saved = nil
	v.happened = v.happened[:0]
	v.travel = travel{}
	v.world = v.settings.world.applied(v.given)
	v.figures.reset()
	v.watch(e)
	if err := v.openRight(sc); err != nil {
		return err
	}
	v.engines(func(e *player) { e.SetDebugLayers(v.payload()) })
	v.sendParams(sc)
	v.watchFile()
	return nil
}

// engines calls f with the engine, and with that of the right half if there is
// one.
func (v *viewer) engines(f func(*player)) {
	f(v.player)
	if v.right != nil {
		f(v.right.player)
	}
}

// close closes all engines, and ends what goes on beside them.
func (v *viewer) close() {
	v.unwatchFile()
	v.toPresent()
	v.closeRight()
	if v.player != nil {
		v.closeEngine()
	}
}

// closeEngine closes the engine and its recording.
func (v *viewer) closeEngine() {
	v.unwatch(v.player)
	err := v.stopEngine(v.player)
	v.recording.close(err)
}

// stopEngine closes an engine. A run with an end finishes the steps that were
// demanded, however long they take. If the user quits or opens another scene,
// they have closeTime.
func (v *viewer) stopEngine(e *player) error {
	defer v.watchdog.forget(e)
	v.owner.beginWait()
	defer v.owner.endWait()
	if !v.quitting && v.o.limited() {
		return e.Close()
	}
	limit := closeTime
	if v.closeErr != nil {
		limit = 0 // another engine has used the time up
	}
	err := e.CloseWithin(limit)
	if errors.Is(err, engine.ErrStuck) {
		v.closeErr = err
	}
	return err
}

// watch makes a player known to the watchdog, and an engine to -hitch, -pprof and
// -perfetto.
func (v *viewer) watch(p *player) {
	v.watchdog.watch(p)
	e := p.engine
	if e == nil {
		return
	}
	if v.hitches != nil {
		v.hitches.Watch(e)
	}
	if v.profiles != nil {
		v.profiles.Add(e)
	}
	v.spans.Watch(e)
}

// unwatch ends what watch began. The watchdog goes on until the engine is
// closed.
func (v *viewer) unwatch(p *player) {
	e := p.engine
	if e == nil {
		return
	}
	if v.hitches != nil {
		v.hitches.Forget(e)
	}
	if v.profiles != nil {
		v.profiles.Remove(e)
	}
	v.spans.Forget(e)
}

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

// paramValues are the parameters that the user has changed, by scene and name.
type paramValues map[string]map[string]float64

// startParams are the parameters of -param.
func (o *Options) startParams() paramValues {
	if len(o.Params) == 0 {
		return nil
	}
	return paramValues{o.Scene: maps.Clone(o.Params)}
}

// param is the value of a parameter of the open scene.
func (v *viewer) param(sc *sceneEntry, i int) float64 {
	p := &sc.params[i]
	if x, ok := v.params[sc.name][p.Name]; ok {
		return x
	}
	return p.Default
}

// setParam changes a parameter of the open scene by a command, which a recording
// keeps.
func (v *viewer) setParam(i int, x float64) {
	sc := &v.scenes[v.current]
	p := &sc.params[i]
	x = p.Fix(x)
	if v.params == nil {
		v.params = paramValues{}
	}
	if v.params[sc.name] == nil {
		v.params[sc.name] = map[string]float64{}
	}
	v.params[sc.name][p.Name] = x
	v.engines(func(e *player) { e.DoNamed(p.Command(), x) })
}

// gravity is that of the open scene, in m/s², upwards.
func (v *viewer) gravity() float64 {
	if y, ok := v.gravities[v.scenes[v.current].row]; ok {
		return y
	}
	return v.given.World.Gravity.Y
}

// keepGravity remembers the gravity of the open scene, for the panel and for a restart.
func (v *viewer) keepGravity(y float64) {
	if v.gravities == nil {
		v.gravities = map[string]float64{}
	}
	row := v.scenes[v.current].row
	if v.gravities[row] = y; y == v.given.World.Gravity.Y {
		delete(v.gravities, row) // so that a change of the scene's file counts
	}
}

// setGravity changes the gravity of the open scene by a command.
func (v *viewer) setGravity(y float64) {
	v.keepGravity(y)
	v.engines(func(e *player) { e.SetGravity(world.Vec{X: v.given.World.Gravity.X, Y: y}) })
}

// sendParams gives a world that was just built the parameters and the gravity that
// the user has changed before.
func (v *viewer) sendParams(sc *sceneEntry) {
	if v.replay != nil {
		return
	}
	for i := range sc.params {
		p := &sc.params[i]
		if x := v.param(sc, i); x != p.Default {
			v.engines(func(e *player) { e.DoNamed(p.Command(), x) })
		}
	}
	if y := v.gravity(); y != v.given.World.Gravity.Y {
		v.setGravity(y)
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
	var names []string
	for name, x := range o.Params {
		found := false
		names = names[:0]
		for i := range s.Params {
			p := &s.Params[i]
			names = append(names, p.Name)
			if p.Name != name {
				continue
			}
			found = true
			if x < p.Min || x > p.Max {
				return fmt.Errorf("-param %s=%v: must be from %v to %v", name, x, p.Min, p.Max)
			}
			o.Params[name] = p.Fix(x)
		}
		switch {
		case !found && len(names) == 0:
			return fmt.Errorf("-param: scene %s has no parameters", o.Scene)
		case !found:
			return fmt.Errorf("-param: scene %s has no parameter %s; it has %s", o.Scene, quoteName(name), strings.Join(names, ", "))
		}
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
func (v *viewer) takeSnapshot() {
	if v.tape() != nil || v.settings.loop != "" {
		v.say("only the engine's own loop takes snapshots, and not in a replay")
		return
	}
	v.engines(func(e *player) { e.Snapshot(viewerSnapshot) })
	v.saved = &savedControls{maps.Clone(v.params[v.scenes[v.current].name]), v.gravity(), v.settings.world}
	v.say("snapshot at tick " + strconv.FormatUint(v.view.Tick, 10))
}

// restoreSnapshot puts the world back to what it was then.
func (v *viewer) restoreSnapshot() {
	switch {
	case v.past != nil:
		v.say("the past stays as it was; leave it first (End)")
		return
	case v.saved == nil:
		v.say("there is no snapshot of this run")
		return
	}
	v.letGo()
	v.engines(func(e *player) { e.Restore(viewerSnapshot) })
	s := v.saved
	if name := v.scenes[v.current].name; v.params[name] != nil {
		v.params[name] = maps.Clone(s.params)
	}
	v.keepGravity(s.gravity)
	v.settings.world = s.world
	v.world = s.world.applied(v.given)
	v.say("back at the snapshot")
}
