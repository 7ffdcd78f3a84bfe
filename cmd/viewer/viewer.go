package main

import (
	"io"
	"os"
	"sync/atomic"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/ui"
	"halfstep/engine"
	"halfstep/engine/hitch"
	"halfstep/engine/profile"
	"halfstep/engine/spans"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// viewer is the render thread's part of the program. It owns GL, the engine and
// everything that a frame needs.
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
	capNames []string // that can be chosen, with that of -fps
	player   *player
	view     *scene.View[body2d.State]
	right    *rightHalf     // of -compare, or nil
	done     *atomic.Uint64 // the last tick that physics has done

	present     presentTimes
	spareEvents []inputEvent
	events      []world.Event // of this frame
	surface     surface
	camera      camera
	drag        drag
	layers      glrender.Layers
	marks       marks
	panel       panel
	inspect     inspector
	press0      press
	figures     figures
	verdict     string // of -hitch about the last late frame or step
	hud         hud
	timeline    timeline
	help        bool
	notice      notice

	given     engine.Config // of the open scene, as it comes, with the defaults of its world filled in
	world     world.Config  // with what the user has changed
	params    paramValues
	gravities map[string]float64 // that the user has changed, by the scene's row; see gravity
	dragged   [4]int             // counts that sliders show until they are let go
	loops     []string
	travel    travel
	past      *past // that is shown in place of the present, or nil
	keeps     bool  // the engine keeps its past
	barRange  ui.Range
	scrubs    bool           // the knob of the bar is held
	happened  []happening    // marks on the bar, oldest first
	scrub     uint64         // the tick that the bar of a replay was dragged to
	saved     *savedControls // with the snapshot to go back to, or nil
	watching  *fileWatch     // of the open scene's file, or nil
	used      map[string]int // actions and controls, for -stats

	elapsed  time.Duration // of the source's time
	steps    int           // that the next frame makes in place of its time
	quitting bool
	failure  error
	busy     engine.Busy // as of this frame
	closeErr error       // an engine did not close in time

	tracked   []tracked
	log       *frameLog
	movie     *movie
	pictures  pictures
	collector *collector

	stdout   io.Writer
	stderr   io.Writer
	owner    ownership
	hitches  *hitch.Recorder               // or nil
	newest   *atomic.Pointer[hitch.Report] // hitch, not told yet; or nil
	spans    *spans.Recording              // or nil
	profiles *profile.Handler              // or nil
	watchdog *watchdog                     // or nil

	recording   *recording        // the newest, or nil
	recordErr   error             // of an earlier one
	replay      *engine.Recording // what -replay reads, or nil
	stats       Stats
	ledgerTaken bool // stats has the ledger's times
	summary     string
}

// screen is what the render thread asks of the window.
type screen interface {
	attach() // makes the context current on the calling thread
	detach()
	swap()
	interval(n int) // 1 waits for the display at each swap, 0 does not
	title(s string)
	clipboard(s string)
}

// newViewer makes a viewer that has opened nothing yet. Main thread.
func newViewer(o *Options, on screen, size surface, q *queue, source clock.Source, all []sceneEntry, first int) *viewer {
	return &viewer{
		o: o, screen: on, surface: size, queue: q, source: source, scenes: all, current: first,
		stdout: os.Stdout, stderr: os.Stderr, done: new(atomic.Uint64),
		settings: settings{
			rate: o.Rate, maxSteps: o.MaxSteps, scale: o.Scale,
			smoothing: o.Smoothing, sync: o.Sync, loop: o.Loop,
			pacing:    o.Pacing == "auto" || o.Pacing == "" && !source.Simulated(),
			simulated: source.Simulated(), lastTick: o.Ticks, inject: o.Inject,
			stepper: o.Stepper, workers: o.Workers,
		},
		cap: o.FPS, capNames: capNames, layers: glrender.DefaultLayers,
		hud: hud{on: o.HUD}, timeline: timeline{on: o.Timeline},
		params: o.startParams(), panel: newPanel(o.Panel.on(o.interactive())), loops: loopNames(),
	}
}

// start opens the first scene and the files. The camera has to wait for the
// first frame: see begin.
func (v *viewer) start() (err error) {
	if v.gl, err = glrender.New(glrender.Options{}); err != nil {
		return err
	}
	if err := v.open(v.current); err != nil {
		return err
	}
	if err := v.right.start(); err != nil {
		return err
	}
	v.openPresentTimes()
	if v.o.Log != "" {
		if v.log, err = newFrameLog(v.o.Log, v.queue.quitting, v.o.LogSeen); err != nil {
			return err
		}
	}
	if v.o.GIF != "" {
		if v.movie, err = newMovie(v.o.GIF, v.queue.quitting, v.o.GIFWidth); err != nil {
			return err
		}
	}
	return nil
}

// begin sets up the camera and the tracked bodies. It is called in the first
// frame of a scene, once the first states are there.
func (v *viewer) begin(first bool) (err error) {
	sc := &v.scenes[v.current]
	v.camera.start(sc.view, v.view, v.half())
	if v.right != nil && sc.view.Height != 0 {
		v.camera.Height *= 2 // so that a scene made for the window fits into half its width
	}
	v.fitBeside(sc.view)
	switch {
	case first && v.o.Camera != nil:
		v.camera.Camera = *v.o.Camera
	case sc.follow != "":
		if b, ok := v.player.find(sc.follow); ok {
			v.camera.follow = b
			v.camera.track(v.player)
		}
	}
	if first {
		v.tracked, err = track(v.player, v.o.Track, sc.track)
		return err
	}
	v.tracked = retrack(v.player, v.o.Track, sc.track)
	return nil
}

// change replaces the open scene by another one, or restarts it.
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
