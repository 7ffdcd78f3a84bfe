package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/engine/hitch"
	"halfstep/engine/profile"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/scene"
)

// viewer is the render thread's side of the program: it owns GL, the engine
// and everything that a frame needs.
type viewer struct {
	o      *Options
	screen screen
	queue  *queue
	gl     *glrender.Renderer
	source clock.Source
	limit  limiter

	scenes   []sceneEntry
	current  int
	settings settings
	cap      int // as Options.FPS
	capName  string
	engine   *engine.Engine
	view     *scene.View[body2d.State]
	other    *other        // or nil
	done     atomic.Uint64 // the last tick done, stored by physics

	spare   []inputEvent
	surface surface
	camera  camera
	drag    drag
	layers  glrender.Layers
	hud     hud
	lanes   timeline
	help    bool
	notice  notice

	elapsed  time.Duration // of the source's time
	quitting bool
	failure  error
	busy     engine.Busy // as of this frame
	closing  error       // what could not be ended

	tracked  []tracked
	log      *frameLog
	movie    *movie
	pictures pictures
	recorder *recorder

	stderr  io.Writer
	baton   baton
	hitches *hitch.Recorder  // or nil
	served  *profile.Handler // or nil
	dog     *watchdog        // or nil

	recording *recording        // what -record writes, or nil
	replay    *engine.Recording // what -replay reads, or nil
	stats     Stats
	balanced  bool // stats has the ledger's figures
	summary   string
}

// screen is what the render thread asks of the window.
type screen interface {
	attach() // makes the context current on the calling thread
	detach()
	swap()
	interval(n int) // 1 waits for the display at each swap, 0 does not
	title(s string)
}

// newViewer prepares a viewer; nothing is opened yet. Main thread.
func newViewer(o *Options, on screen, size surface, q *queue, source clock.Source, all []sceneEntry, first int) *viewer {
	return &viewer{
		o: o, screen: on, surface: size, queue: q, source: source, scenes: all, current: first,
		stderr: os.Stderr,
		settings: settings{
			rate: o.Rate, maxSteps: o.MaxSteps, scale: o.Scale,
			smoothing: o.Smoothing, sync: o.Sync, loop: o.Loop,
			pacing:   o.Pacing == "auto" || o.Pacing == "" && !source.Simulated(),
			injected: source.Simulated(), lastTick: o.Ticks, inject: o.Inject,
			stock: o.Stepper == "stock", workers: o.Workers,
		},
		cap: o.FPS, layers: glrender.DefaultLayers,
		hud: hud{on: o.HUD}, lanes: timeline{on: o.Timeline},
	}
}

// open starts the scene at the index; the engine before is closed.
func (v *viewer) open(index int) error {
	v.close()
	if v.closing != nil { // the scene that is left is left behind
		v.say(v.closing.Error())
		v.closing = nil
	}
	sc := &v.scenes[index]
	config := sc.config()
	recorder := newRecorder()
	v.done.Store(0)
	config.OnStep = func(tick uint64, cost time.Duration) {
		recorder.step(tick, cost)
		v.done.Store(tick)
	}
	if err := v.record(sc, &config); err != nil {
		return err
	}
	v.baton.wait()
	e, err := v.settings.engine(sc, config)
	v.baton.resume()
	if err != nil {
		if r := v.recording; r != nil && r.file != nil {
			r.file.Close()
		}
		return err
	}
	v.engine, v.recorder, v.current = e, recorder, index
	v.stats, v.balanced = Stats{}, false
	v.drag = drag{}
	v.hud.reset()
	v.lanes.reset()
	v.watch(e)
	if err := v.openOther(sc); err != nil {
		return err
	}
	v.engines(func(e *engine.Engine) { e.SetDebugLayers(v.layers.Payload()) })
	return nil
}

func (v *viewer) close() {
	v.closeOther()
	if v.engine != nil {
		v.closeEngine()
	}
}

// start opens the first scene and the files. What comes first in the picture
// is known once the first frame has advanced; see begin.
func (v *viewer) start() (err error) {
	if v.gl, err = glrender.New(glrender.Options{}); err != nil {
		return err
	}
	if err := v.open(v.current); err != nil {
		return err
	}
	if err := v.other.start(); err != nil {
		return err
	}
	if v.o.Log != "" {
		if v.log, err = newFrameLog(v.o.Log); err != nil {
			return err
		}
	}
	if v.o.GIF != "" {
		if v.movie, err = newMovie(v.o.GIF); err != nil {
			return err
		}
	}
	return nil
}

// begin is called in the first frame of a scene, with the first states in hand.
func (v *viewer) begin(first bool) (err error) {
	sc := &v.scenes[v.current]
	v.camera.start(sc.view, v.view, v.half())
	if v.other != nil && sc.view.Height != 0 {
		v.camera.Height *= 2 // what fills a window fits into half its width
	}
	if first {
		v.tracked, err = track(v.engine, v.o.Track, sc.track)
		return err
	}
	v.tracked = retrack(v.engine, v.o.Track, sc.track)
	return nil
}

// change opens another scene, or the same anew, in place of the present one.
func (v *viewer) change(index int) error {
	same := index == v.current
	view := v.camera
	if err := v.open(index); err != nil {
		return err
	}
	v.pass(0)
	if err := v.begin(false); err != nil {
		return err
	}
	if same {
		v.camera.Camera = view.Camera
	}
	v.screen.title(title(v.scenes[index].name))
	return nil
}

// finish ends the engine and writes what was asked for.
func (v *viewer) finish() error {
	if v.engine == nil {
		return nil
	}
	s := &v.stats
	counts := v.view.Counts
	metrics := v.engine.Metrics()
	s.Scene = v.scenes[v.current].name
	s.Sync, s.Smoothing = v.settings.sync.String(), v.settings.smoothing.String()
	if s.Loop = metrics.Loop; s.Loop != "" {
		s.Sync, s.Smoothing = s.Loop, v.view.Smoothing.String()
	}
	s.Pacing = map[bool]string{false: "off", true: "auto"}[v.settings.pacing && s.Loop == ""]
	s.Hz = v.engine.Rate().String()
	s.Ticks = v.engine.Demanded()
	s.HeldFrames, s.BackwardFrames, s.MaxBacklog = metrics.HeldFrames, metrics.BackwardFrames, metrics.MaxBacklog
	if !v.balanced {
		s.balance(v.engine.Ledger())
	}
	end := v.end()
	v.closeOther()
	s.Bodies, s.Contacts = counts.Bodies, counts.Contacts
	s.StateHash = end.hash
	if end.ok {
		s.Bodies, s.Contacts = end.counts.Bodies, end.counts.Contacts
	}
	v.failure = v.engine.Failure()
	if v.failure != nil {
		s.Failure = v.failure.Error()
		s.Ticks = v.done.Load()
	} else if s.Loop != "" {
		s.Ticks = v.engine.Demanded() // naive physics does not wait to be asked
	}
	if v.closing == nil {
		s.fill(v.recorder)
	} else { // physics may still write to it
		s.Failure, s.Ticks = v.closing.Error(), v.done.Load()
		s.frames(v.recorder)
	}
	v.summary = v.summarise()

	errs := []error{v.closing, v.failure, v.other.failure(), v.replayed(end.hash)}
	if v.recording != nil {
		errs = append(errs, v.recording.err)
	}
	v.baton.keep()
	return cmp.Or(append(errs, v.write())...)
}

// write writes the files that are written at the end.
func (v *viewer) write() error {
	var errs []error
	if v.o.Stats != "" {
		errs = append(errs, v.stats.write(v.o.Stats))
	}
	if v.log != nil {
		errs = append(errs, v.log.close())
	}
	if v.movie != nil {
		errs = append(errs, v.movie.close())
	}
	return cmp.Or(append(errs, v.pictures.wait())...)
}

func (v *viewer) summarise() string {
	s := &v.stats
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d ticks, %d frames, %s, %d bodies\n", s.Scene, s.Ticks, s.Frames, s.Sync, s.Bodies)
	fmt.Fprintf(&b, "frame %.2f ms (p99 %.2f), step %.2f ms (p99 %.2f)\n", s.Frame.P50, s.Frame.P99, s.Step.P50, s.Step.P99)
	fmt.Fprintf(&b, "held frames %d, dropped %.3f s\n", s.HeldFrames, s.Dropped)
	if s.StateHash != "" {
		fmt.Fprintf(&b, "state hash %s\n", s.StateHash)
	}
	for _, path := range []string{v.o.Screenshot, v.o.GIF} {
		if path != "" {
			fmt.Fprintf(&b, "picture %s\n", path)
		}
	}
	return b.String()
}
