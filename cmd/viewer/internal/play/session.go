// Package play is the viewer's player. It opens one scene after the other, and handles their pasts,
// recordings and comparisons, and the user's changes. It neither draws nor handles keys. It calls
// the program around it through one interface, Host. A Session consists of parts, and each part has
// one job.
package play

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

// Session plays one scene after the other, with the user's settings. Each of its parts has one job.
// Session itself opens and closes scenes.
type Session struct {
	Stage    *Stage      // Stage is the open scene, and the players that run it.
	Travel   *Travel     // Travel handles the past, seeks, and the passing of time.
	Follow   *Follower   // a recording in progress
	Outcome  *Outcome    // Outcome tells about failures, and whether a replay had the same result.
	Tune     *Tuner      // Tune changes how the world is stepped and how frames show it.
	Comparer *Comparer   // Comparer opens and closes the right half of the picture.
	Params   *Params     // Params are gravity and the parameters of scenes.
	Wheel    *Wheel      // Wheel handles the arrow keys of a scene that the user can drive.
	Changes  *Changes    // Changes handles undo, and the snapshot that the user takes with a key.
	Inspect  *Inspector  // the chosen body
	Build    *Builder    // Build creates, joins and deletes bodies.
	Edit     *Editor     // Edit changes the values of chosen bodies, shapes and joints.
	Sketcher *Sketcher   // Sketcher has the shape that a tool draws while the button is held.
	Recorder *Recorder   // Recorder handles recordings and the black box.
	Notes    *BarNotes   // Notes are the marks on the time bar.
	Sampler  *Sampler    // Sampler has values of the chosen body over time.
	Uses     Uses        // Uses counts how often each action and control was used, for -stats.
	Files    *Background // Files are the files that are being written.

	Host     Host
	begins   history.Saved // begins is the state with which the next scene begins (see ContinueFromPast). If it has no Snapshot, the scene is built.
	Recents  *Recents      // Recents are the files that were saved and opened.
	Arrived  int           // Arrived counts the scenes that were opened from files and programs.
	Watching *fileWatch    // Watching watches the scene's file. It may be nil.
}

// NewSession makes a session without an open scene. The parameter with has the settings of the first
// scene.
func NewSession(o *Options, h Host, with Settings, scenes []SceneEntry, first int) *Session {
	g := &Stage{host: h, Options: o, Scenes: scenes, Current: first, Side: Side{Settings: with}, Stdout: os.Stdout, Stderr: os.Stderr}
	g.Done = new(atomic.Uint64)
	s := &Session{Stage: g, Host: h, Uses: Uses{}, Files: &Background{}, Recents: &Recents{}}
	s.Files.tell = func(text string) { h.Later(func() error { h.Warn(text); return nil }) }
	s.Comparer = &Comparer{stage: g, Compare: o.Compare}
	s.Inspect = &Inspector{stage: g}
	s.Params = &Params{stage: g, values: paramValues{o.Scene: maps.Clone(o.Params)}, gravities: map[string]world.Vec{}}
	s.Travel = &Travel{stage: g, host: h, comparer: s.Comparer, inspect: s.Inspect}
	s.Comparer.travel = s.Travel
	s.Follow = &Follower{stage: g, host: h, travel: s.Travel}
	s.Outcome = &Outcome{stage: g}
	s.Follow.outcome, s.Follow.arrive = s.Outcome, s.Arrive
	s.Tune = &Tuner{stage: g, host: h, follow: s.Follow, comparer: s.Comparer}
	s.Wheel = &Wheel{stage: g, host: h, uses: s.Uses}
	s.Travel.follow, s.Travel.wheel = s.Follow, s.Wheel
	s.Changes = &Changes{stage: g, host: h, travel: s.Travel, params: s.Params, wheel: s.Wheel, inspect: s.Inspect, uses: s.Uses, Moments: newMoments()}
	s.Build = &Builder{stage: g, host: h, changes: s.Changes, inspect: s.Inspect, Repeats: Repetition{Times: 10, Gap: .1}}
	s.Edit = &Editor{stage: g, host: h, changes: s.Changes, inspect: s.Inspect}
	s.Sketcher = &Sketcher{stage: g, host: h, travel: s.Travel, changes: s.Changes, inspect: s.Inspect, build: s.Build}
	s.Recorder = &Recorder{stage: g, host: h, comparer: s.Comparer, files: s.Files, recents: s.Recents, begun: o.Begun}
	s.Notes = &BarNotes{stage: g, inspect: s.Inspect}
	s.Sampler = &Sampler{stage: g, travel: s.Travel, comparer: s.Comparer, inspect: s.Inspect}
	return s
}

// Open closes the open scene and starts the scene at that index.
func (s *Session) Open(index int) error {
	s.Close()
	if s.Stage.CloseErr != nil { // the old scene did not end in time, so continue without it
		s.Host.Say(s.Stage.CloseErr.Error())
		s.Stage.CloseErr = nil
	}
	sc := &s.Stage.Scenes[index]
	if err := sc.followAgain(); err != nil {
		s.Host.Warn(err.Error())
	}
	config := sc.Config()
	if sc.Replay != nil { // only the engine's own loop can replay
		s.Stage.Settings.Loop = ""
	}
	first, withState := s.Stage.Player == nil, s.begins.Snapshot != nil
	if !s.Comparer.Compare.outlives(sc, first, withState) {
		s.Comparer.Compare = Comparison{}
	}
	config.History.Watch = engine.WatchOptions{Scene: sc.Name, Data: sc.data} // this is for a viewer that watches this viewer
	config.History.Snapshot = s.begins.Snapshot
	beginWith(&config.History, s.begins.Kept)
	s.begins = history.Saved{}
	next := openScene{SceneConfig: config, Shown: shownOf(sc), Done: new(atomic.Uint64), Steps: figures.NewTimes(figures.Collected)}
	next.SceneConfig.World = filledIn(config.World)
	next.World = s.Stage.Settings.Overrides.applied(next.SceneConfig)
	if r := config.History.Replay; r != nil {
		next.Done.Store(r.First)
	}
	steps, done := next.Steps, next.Done // an engine that did not close in time still uses the old values, so a later scene gets new ones
	config.OnStep = func(tick uint64, cost time.Duration) {
		steps.Add(cost)
		done.Store(tick)
	}
	hasPast := s.Recorder.giveBlackBox(sc, &config)
	if err := s.Recorder.record(sc, &config); err != nil {
		return err
	}
	old := s.Stage.Player
	s.Stage.Player, s.Stage.Done = nil, done // if the setup hangs, another goroutine may end the run, and there is then no player to close
	s.Stage.Owner.physicsMayBlock()
	p, err := s.Stage.Settings.startPlayer(sc, config)
	s.Stage.Owner.physicsReturned()
	if err != nil {
		s.Stage.Player = old
		if r := s.Recorder.Recording; r != nil && !r.closed {
			r.file.Close()
		}
		return err
	}
	s.Stage.openScene, s.Stage.Player, s.Stage.Drag, s.Stage.Current = next, p, Drag{}, index
	s.Stage.View = p.View() // a key may come before the first frame
	s.Travel.begin(hasPast)
	s.Changes.begin()
	s.Wheel.begin()
	s.Sketcher.Sketch, s.Notes.All, s.Sampler.Tracked = Sketch{}, nil, nil
	s.Sketcher.Tool = HandTool
	s.Inspect.forget()
	s.Host.Started(p, inLeft)
	s.Host.Scene(SceneOpened, sc)
	if err := s.Comparer.openRight(sc); err != nil {
		return err
	}
	s.Stage.SetDebug(s.Stage.Debug)
	if config.History.Snapshot == nil { // a world that begins with a snapshot already has them
		s.Params.sendParams(sc)
	}
	s.watchFile()
	s.Follow.startFollowing(sc.watch)
	return nil
}

// Close closes all engines, and stops watching files and programs.
func (s *Session) Close() {
	s.unwatchFile()
	s.Follow.stopWatching()
	s.Travel.ToPresent()
	s.Comparer.CloseRight()
	if s.Stage.Player != nil {
		s.endRun()
	}
}

// endRun closes the player and its recording, and keeps the failure of physics, if there is one. It
// does not count as a failure if the viewer lacks a function of the program, or if states replace a
// replay.
func (s *Session) endRun() {
	if s.Outcome.UnknownFunction() == nil && !s.Stage.Shown.replaced {
		s.Outcome.FailedBefore = cmp.Or(s.Outcome.FailedBefore, s.Outcome.PhysicsFailure())
	}
	s.Stage.Shown.replaced = false
	err := s.Stage.closePlayer(s.Stage.Player)
	s.Recorder.Recording.close(err)
}

// firstScene and laterScene are arguments of begin.
const firstScene, laterScene = true, false

// begin finds the tracked bodies, whose positions -log and -plot write. It is called in the first frame of
// a scene that has states. The parameter first marks the first scene of the run. In that scene a missing
// body of -track is an error.
func (s *Session) begin(first bool) (err error) {
	sc := s.Stage.Scene()
	s.Host.Scene(SceneBegun, sc)
	s.Sampler.Tracked, err = track(s.Stage.Player, s.Stage.Options.Track, sc.Track, first)
	if s.Stage.Options.LogsSamples && len(s.Sampler.Tracked) > 0 {
		s.Stage.Player.Samples.logs.Store(uint64(s.Sampler.Tracked[0].Body))
	}
	return err
}

// ChangeScene opens the scene at an index instead of the open scene, together with its first frame. If
// it is the same scene again, a pause continues.
func (s *Session) ChangeScene(index int) error {
	paused := index == s.Stage.Current && s.Travel.Stopped() && !s.Travel.ReplayEnded()
	s.Host.Scene(SceneChosen, &s.Stage.Scenes[index])
	if err := s.Open(index); err != nil {
		return err
	}
	s.Travel.advance(0) // a frame in which no time passes shows the first states
	if err := s.begin(laterScene); err != nil {
		return err
	}
	if paused {
		s.Stage.EachPlayer(func(p *Player) { p.SetPaused(true) })
	}
	s.Host.Scene(SceneShown, s.Stage.Scene())
	return nil
}

// LastState is the state of the world when CloseAndInspect is called.
type LastState struct {
	Hash   string
	Counts body2d.Counts
	OK     bool // OK is false if physics has failed. The other fields are then unknown.
}

// CloseAndInspect closes the player once all demanded steps are done, and returns the last state of the
// player's world. If look is not nil, it is called with the world on the physics goroutine.
func (s *Session) CloseAndInspect(look func(*world.World)) LastState {
	p := s.Stage.Player
	done := make(chan LastState, 1) // the channel stays empty if physics has failed
	p.Inspect(func(w *world.World) {
		last := LastState{Hash: fmt.Sprintf("%016x", w.Hash()), Counts: w.Counts(), OK: true}
		if look != nil {
			look(w)
		}
		done <- last
	})
	// A paused frame demands no more steps. On a simulated clock it also gives physics time to finish
	// the steps that were demanded before.
	p.SetPaused(true)
	s.Stage.Owner.physicsMayBlock()
	p.Advance(time.Minute)
	s.Stage.Owner.physicsReturned()
	s.endRun()
	select {
	case last := <-done:
		return last
	default:
		return LastState{}
	}
}
