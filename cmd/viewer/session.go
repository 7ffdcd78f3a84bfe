package main

import (
	"cmp"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/internal/history"
	"halfstep/world"
)

// session is what the user plays: one scene after the other, with his settings. It is a part of the
// viewer (viewer.go); its side has the player, an engine that runs the open scene.
type session struct {
	side                 // the whole picture, or its left half
	right     *rightHalf // nil without a comparison
	compare   comparison // the setting that differs in the right half
	sceneRun             // what ends with the open scene
	observers            // watch all engines

	o       *Options
	queue   *queue
	keys    keyboard
	scenes  []sceneEntry
	current int                // index of the open scene
	debug   body2d.DebugLayers // the debug data that engines add to their states

	params    paramValues
	tool      tool
	joint     int                // what the tool Joint makes, an index of joints
	gravities map[string]float64 // gravities that the user has changed, by sceneEntry.row; see gravity

	begins history.Saved // the next scene that is opened begins with it; without a Snapshot with its own (see goOn)

	recording *recording // the newest, or nil
	recordErr error      // the first error of an earlier recording
	failed    error      // the first failure of an engine that is closed
	looksBack []lookBackTimes
	recents   []string // files of scenes and recordings, the newest first
	files     background

	notice  notice
	verdict string         // the cause of the last hitch
	used    map[string]int // how often each action and control was used, for -stats

	quitting bool
	closeErr error // a player did not close in time
	owner    ownership

	stdout, stderr io.Writer
}

// sceneRun is the state that ends with the open scene: open replaces it.
type sceneRun struct {
	given     engine.Config     // the scene's own, with the defaults of its world filled in
	world     world.Config      // given.World with what the user has changed
	replay    *engine.Recording // the recording that is played, or nil
	done      *atomic.Uint64    // the last tick that physics has done
	watching  *fileWatch        // watches the scene's file; or nil
	following following
	tracked   []tracked

	past         *past // the past that is shown in place of the present, or nil
	hasPast      bool  // the engine keeps its last seconds, so that the user can look back
	playback     playback
	seeking      seeking
	steps        int       // the steps that the next frame makes in place of its time
	scrubs       bool      // the knob of the time bar is held
	barMarks     []barMark // marks on the time bar, oldest first
	shownInstead bool      // the replay differs, and the states of the recording are about to be opened

	press0  press // of the left or right button
	sketch  sketch
	menu    menu
	inspect inspector
	arrows  [4]bool        // the arrow keys that are held: left, right, down, up
	drives  bool           // the user drives, and not the scene
	steered uint64         // the tick of his last arrow key
	saved   *savedControls // the controls as of the user's snapshot; nil: there is none
	moments moments        // for undo

	collector   *collector
	stats       Stats
	ledgerTaken bool // stats already has the times of the clock's ledger
}

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
	config := sc.Config()
	if sc.replay != nil { // only the engine's own loop can replay
		v.settings.loop = ""
	}
	// A branch in the right half is kept only if this is the run that was just begun beside it (see
	// goOn), or the first recording of -diff. A recording cannot be compared with another setting.
	beside := v.begins.Snapshot != nil || v.player == nil && v.compare.setup != nil
	if v.compare.branch != nil && !beside || v.compare.branch == nil && sc.replay != nil {
		v.compare = comparison{}
	}
	config.History.Watch = engine.WatchOptions{Scene: sc.Name, Data: sc.data}
	config.History.Snapshot = v.begins.Snapshot
	beginWith(&config.History, v.begins.Kept)
	v.begins = history.Saved{}
	next := sceneRun{given: config, replay: sc.replay, moments: newMoments(), done: new(atomic.Uint64), collector: newCollector()}
	next.given.World = filledIn(config.World)
	next.world = v.settings.world.applied(next.given)
	if r := config.History.Replay; r != nil {
		next.done.Store(r.First)
	}
	collector, done := next.collector, next.done // an engine that is left behind keeps its own
	config.OnStep = func(tick uint64, cost time.Duration) {
		collector.step(tick, cost)
		done.Store(tick)
	}
	next.hasPast = v.blackBox(sc, &config, v.panel.on)
	if err := v.record(sc, &config); err != nil {
		return err
	}
	old := v.player
	v.player, v.done = nil, done // for abandon, which may have to end the run during the setup
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
	v.sceneRun, v.player, v.drag, v.current = next, e, drag{}, index
	v.figures.reset()
	v.watch(e)
	if err := v.openRight(sc); err != nil {
		return err
	}
	v.setDebug(payload(v.layers))
	if config.History.Snapshot == nil { // a snapshot has the parameters
		v.sendParams(sc)
	}
	v.watchFile()
	v.startFollowing(sc.watch)
	return nil
}

// setDebug asks physics for the debug data of the layers.
func (s *session) setDebug(d body2d.DebugLayers) {
	s.debug = d
	s.engines(func(p *player) { p.SetDebugLayers(d) })
}

// each calls f with the one side of the picture, or with both halves of a comparison.
func (s *session) each(f func(*side)) {
	f(&s.side)
	if s.right != nil {
		f(&s.right.side)
	}
}

// engines calls f with the engine of each side.
func (s *session) engines(f func(*player)) { s.each(func(o *side) { f(o.player) }) }

// close closes all engines, and stops watching files and programs.
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

// stopEngine closes an engine. In a run with an end it waits until all demanded
// steps are done. If the user quits or opens another scene, it waits for them for
// at most closeTime.
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
