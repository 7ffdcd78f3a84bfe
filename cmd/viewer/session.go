package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"sync/atomic"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/figures"
	"halfstep/engine"
	"halfstep/internal/history"
	"halfstep/world"
)

// session is what the user plays: one scene after the other, with his settings. Its parts have one job
// each; session itself opens and closes scenes.
type session struct {
	stage    *stage     // the open scene, and the engines that run it
	travel   *travel    // the past, seeks, and how time goes on
	follow   *follower  // a recording that is still being written
	outcome  *outcome   // failures, and whether a replay was the same
	tune     *tuner     // how the world is stepped, and how frames show it
	beside   *beside    // what the right half shows
	params   *params    // parameters of scenes, and gravity
	wheel    *wheel     // the arrow keys of a scene that the user can drive
	changes  *changes   // undo, and the snapshot of a key
	inspect  *inspector // the chosen body
	build    *builder   // creates, joins and deletes bodies
	sketcher *sketcher  // what a tool draws while the button is held
	recorder *recorder  // recordings and the black box
	notes    *barNotes  // marks on the time bar
	sampler  *sampler   // values of the chosen body over time
	uses     uses       // how often each action and control was used, for -stats
	files    *background

	host     host
	begins   history.Saved // the next scene that is opened begins with it; without a Snapshot with its own (see goOn)
	recents  *recents
	arrived  int        // how many scenes were opened from files and programs
	watching *fileWatch // watches the scene's file; or nil
	tracked  []tracked
}

// newSession makes a session that has opened nothing yet. with are the settings of its first
// scene.
func newSession(o *playOptions, h host, with settings, scenes []sceneEntry, first int) *session {
	g := &stage{host: h, o: o, scenes: scenes, current: first, side: side{settings: with}, stdout: os.Stdout, stderr: os.Stderr}
	g.done = new(atomic.Uint64)
	s := &session{stage: g, host: h, uses: uses{}, files: &background{}, recents: &recents{}}
	s.files.tell = func(text string) { h.later(func() error { h.warn(text); return nil }) }
	s.beside = &beside{stage: g, compare: o.Compare}
	s.inspect = &inspector{stage: g}
	s.params = &params{stage: g, values: paramValues{o.Scene: maps.Clone(o.Params)}, gravities: map[string]float64{}}
	s.travel = &travel{stage: g, host: h, beside: s.beside, inspect: s.inspect, uses: s.uses}
	s.beside.travel = s.travel
	s.follow = &follower{stage: g, host: h, travel: s.travel}
	s.outcome = &outcome{stage: g, follow: s.follow}
	s.follow.outcome, s.follow.arrive = s.outcome, s.arrive
	s.tune = &tuner{stage: g, host: h, travel: s.travel, follow: s.follow, beside: s.beside}
	s.wheel = &wheel{stage: g, host: h, travel: s.travel, uses: s.uses}
	s.travel.follow, s.travel.wheel = s.follow, s.wheel
	s.changes = &changes{stage: g, host: h, travel: s.travel, params: s.params, wheel: s.wheel, inspect: s.inspect, uses: s.uses, moments: newMoments()}
	s.build = &builder{stage: g, host: h, changes: s.changes, inspect: s.inspect}
	s.sketcher = &sketcher{stage: g, host: h, travel: s.travel, changes: s.changes, inspect: s.inspect, build: s.build}
	s.recorder = &recorder{stage: g, host: h, travel: s.travel, beside: s.beside, files: s.files, recents: s.recents, begun: o.Begun}
	s.notes = &barNotes{stage: g, inspect: s.inspect}
	s.sampler = &sampler{stage: g, travel: s.travel, inspect: s.inspect}
	return s
}

// open closes the open scene and starts the one at that index.
func (s *session) open(index int) error {
	s.close()
	if s.stage.closeErr != nil { // the old scene did not end in time; go on without it
		s.host.say(s.stage.closeErr.Error())
		s.stage.closeErr = nil
	}
	sc := &s.stage.scenes[index]
	if err := sc.followAgain(); err != nil {
		s.host.warn(err.Error())
	}
	config := sc.Config()
	if sc.replay != nil { // only the engine's own loop can replay
		s.stage.settings.loop = ""
	}
	if !s.beside.compare.outlives(sc, s.stage.player == nil, s.begins.Snapshot != nil) {
		s.beside.compare = comparison{}
	}
	config.History.Watch = engine.WatchOptions{Scene: sc.Name, Data: sc.data}
	config.History.Snapshot = s.begins.Snapshot
	beginWith(&config.History, s.begins.Kept)
	s.begins = history.Saved{}
	next := openScene{given: config, shown: shownOf(sc), done: new(atomic.Uint64), steps: figures.NewTimes(figures.Collected)}
	next.given.World = filledIn(config.World)
	next.world = s.stage.settings.world.applied(next.given)
	if r := config.History.Replay; r != nil {
		next.done.Store(r.First)
	}
	steps, done := next.steps, next.done // an engine that is left behind keeps its own
	config.OnStep = func(tick uint64, cost time.Duration) {
		steps.Add(cost)
		done.Store(tick)
	}
	hasPast := s.recorder.box(sc, &config)
	if err := s.recorder.record(sc, &config); err != nil {
		return err
	}
	old := s.stage.player
	s.stage.player, s.stage.done = nil, done // for abandon, which may have to end the run during the setup
	s.stage.owner.beginWait()
	e, err := s.stage.settings.engine(sc, config)
	s.stage.owner.endWait()
	if err != nil {
		s.stage.player = old
		if r := s.recorder.recording; r != nil && !r.closed {
			r.file.Close()
		}
		return err
	}
	s.stage.openScene, s.stage.player, s.stage.drag, s.stage.current = next, e, drag{}, index
	s.travel.begin(hasPast)
	s.changes.begin()
	s.wheel.begin()
	s.sketcher.sketch, s.notes.all, s.tracked = sketch{}, nil, nil
	s.inspect.forget()
	s.host.started(e, true)
	s.host.scene(sceneOpened, sc)
	if err := s.beside.openRight(sc); err != nil {
		return err
	}
	s.stage.setDebug(s.stage.debug)
	if config.History.Snapshot == nil { // a snapshot has the parameters
		s.params.sendParams(sc)
	}
	s.watchFile()
	s.follow.startFollowing(sc.watch)
	return nil
}

// close closes all engines, and stops watching files and programs.
func (s *session) close() {
	s.unwatchFile()
	s.follow.stopWatching()
	s.travel.toPresent()
	s.beside.closeRight()
	if s.stage.player != nil {
		s.closeEngine()
	}
}

// closeEngine closes the engine and its recording.
func (s *session) closeEngine() {
	if s.outcome.unknownFunction() == nil && !s.stage.shown.replaced {
		s.outcome.failed = cmp.Or(s.outcome.failed, s.outcome.physicsFailure())
	}
	s.stage.shown.replaced = false
	err := s.stage.stopEngine(s.stage.player)
	s.recorder.recording.close(err)
}

// Values of begin's parameter first.
const firstScene, laterScene = true, false

// begin finds the tracked bodies. It is called in the first frame of a scene, when the first states are
// there. first says that it is the run's first scene: it is an error if that lacks a body of -track.
func (s *session) begin(first bool) (err error) {
	sc := s.stage.scene()
	s.host.scene(sceneBegun, sc)
	s.tracked, err = track(s.stage.player, s.stage.o.Track, sc.Track, first)
	if s.stage.o.Notes && len(s.tracked) > 0 {
		s.stage.player.samples.logs.Store(uint64(s.tracked[0].body))
	}
	return err
}

// changeScene opens the scene at an index in place of the open one.
func (s *session) changeScene(index int) error {
	s.host.scene(sceneChosen, &s.stage.scenes[index])
	if err := s.open(index); err != nil {
		return err
	}
	s.travel.pass(0)
	if err := s.begin(laterScene); err != nil {
		return err
	}
	s.host.scene(sceneShown, s.stage.scene())
	return nil
}

// lastState is what closeAndInspect finds out.
type lastState struct {
	hash   string
	counts body2d.Counts
	ok     bool // false if physics has failed, so that the rest is unknown
}

// closeAndInspect closes the engine, once all demanded steps are done, and
// returns the state that its world was left in. look, which may be nil, is called with the world, on the
// physics goroutine.
func (s *session) closeAndInspect(look func(*world.World)) lastState {
	e := s.stage.player
	done := make(chan lastState, 1)
	e.Inspect(func(w *world.World) {
		last := lastState{hash: fmt.Sprintf("%016x", w.Hash()), counts: w.Counts(), ok: true}
		if look != nil {
			look(w)
		}
		done <- last
	})
	// A paused frame demands no more steps. On a simulated clock it gives physics
	// the time to finish those that were demanded before.
	e.SetPaused(true)
	s.stage.owner.beginWait()
	e.Advance(time.Minute)
	s.stage.owner.endWait()
	s.closeEngine()
	select {
	case last := <-done:
		return last
	default:
		return lastState{}
	}
}
