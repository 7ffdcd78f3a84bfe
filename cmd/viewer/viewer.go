package main

import (
	"io"
	"maps"
	"os"
	"sync/atomic"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/movie"
	"halfstep/engine"
	"halfstep/engine/hitch"
	"halfstep/engine/profile"
	"halfstep/engine/spans"
	"halfstep/renderloop/frametime"
	"halfstep/renderloop/glrender"
	"halfstep/world"
)

// viewer is the render thread's part of the program. It owns GL, the players and
// everything that a frame needs.
type viewer struct {
	session
	picture
	panel panel
	run
}

// session is the run of a scene: engines, settings, recording, past and the user's hold.
type session struct {
	o     *Options
	queue *queue

	scenes   []sceneEntry
	current  int
	settings settings
	player   *player
	view     *view
	compare  comparison     // what the right half shows
	right    *rightHalf     // of a comparison, or nil
	done     *atomic.Uint64 // the last tick that physics has done
	steps    int            // that the next frame makes in place of its time
	debug    body2d.DebugLayers

	given     engine.Config // of the open scene, as it comes, with the defaults of its world filled in
	world     world.Config  // with what the user has changed
	params    paramValues
	gravities map[string]float64 // that the user has changed, by the scene's row; see gravity
	saved     *savedControls     // with the snapshot to go back to, or nil
	watching  *fileWatch         // of the open scene's file, or nil

	past      *past // that is shown in place of the present, or nil
	keeps     bool  // the engine keeps its past
	playback  playback
	seeking   seeking
	looksBack []lookBackTimes
	scrubs    bool      // the knob of the bar is held
	barMarks  []barMark // marks on the bar, oldest first

	recording *recording // the newest, or nil
	recordErr error      // of an earlier one
	failed    error      // of an engine that was closed before, the first

	shownInstead bool              // the recording differs, and is about to be shown by its states
	replay       *engine.Recording // of the open scene, or nil
	following    following
	recents      []string // files of recordings, the newest first
	files        background

	drag    drag
	menu    menu
	arrows  [4]bool    // that are held: left, right, down, up
	undos   []undoable // oldest first
	handled bool       // the world was changed since the scene began
	changes int        // so far
	inspect inspector
	tracked []tracked
	notice  notice
	used    map[string]int // actions and controls, for -stats

	quitting bool
	closeErr error // a player did not close in time
	owner    ownership
	watchdog *watchdog                     // or nil
	hitches  *hitch.Recorder               // or nil
	newest   *atomic.Pointer[hitch.Report] // hitch, not told yet; or nil
	verdict  string                        // about the last one
	spans    *spans.Recording              // or nil
	profiles *profile.Handler              // or nil

	stdout, stderr io.Writer
}

// picture is everything that is drawn beside the panel.
type picture struct {
	gl       *glrender.Renderer
	surface  surface
	camera   camera
	layers   glrender.Layers
	nameRoom nameRoom
	figures  figures
	hud      hud
	timeline timelineView
	help     help

	movie       *movie.Movie
	wantPicture bool // a key asked for a screenshot
}

// run is the frames: where their times come from, where they go, and what is written
// of them.
type run struct {
	screen   screen
	source   frametime.Source
	limit    limiter
	cap      int // as Options.FPS
	capName  string
	capNames []string // that can be chosen, with that of -fps

	present     presentTimes
	spareEvents []inputEvent
	events      []world.Event // of this frame
	press0      press
	elapsed     time.Duration // of the source's time
	failure     error
	busy        engine.Busy // as of this frame
	lastEpoch   uint32      // of the view that was presented last
	lastShown   time.Time

	log         *frameLog
	collector   *collector
	stats       Stats
	ledgerTaken bool // stats has the ledger's times
	summary     string
}

// screen has the calls that the render thread makes to the window.
type screen interface {
	attach() // makes the context current on the calling thread
	detach()
	swap()
	interval(n int) // 1 waits for the display at each swap, 0 does not
	title(s string)
	clipboard(s string)
	fullscreen() // or back to the window as it was
}

// newViewer makes a viewer that has opened nothing yet. Main thread.
func newViewer(o *Options, on screen, size surface, q *queue, source frametime.Source, all []sceneEntry, first int) *viewer {
	return &viewer{
		session: session{
			o: o, queue: q, scenes: all, current: first, compare: o.Compare, done: new(atomic.Uint64),
			params: paramValues{o.Scene: maps.Clone(o.Params)}, gravities: map[string]float64{}, used: map[string]int{},
			stdout: os.Stdout, stderr: os.Stderr,
			settings: settings{
				rate: o.Rate, maxSteps: o.MaxSteps, scale: o.Scale,
				smoothing: o.Smoothing, sync: o.Sync, loop: o.Loop,
				pacing:    o.Pacing == "auto" || o.Pacing == "" && !source.Simulated(),
				simulated: source.Simulated(), lastTick: o.Ticks, inject: o.Inject,
				stepper: o.Stepper, workers: o.Workers,
			},
		},
		picture: picture{surface: size, layers: glrender.DefaultLayers, hud: hud{on: o.HUD}, timeline: timelineView{on: o.Timeline}},
		panel:   newPanel(o.Panel.on(o.interactive())),
		run:     run{screen: on, source: source, cap: o.FPS, capNames: capNames},
	}
}

// start opens the first scene and the files. The camera has to wait for the
// first frame: see begin.
func (v *viewer) start() (err error) {
	if v.gl, err = glrender.New(); err != nil {
		return err
	}
	if err := v.open(v.current); err != nil {
		return err
	}
	if v.o.interactive() {
		v.hud.hint = time.Now().Add(hintTime)
	}
	v.openPresentTimes()
	if v.o.Log != "" {
		if v.log, err = newFrameLog(v.o.Log, v.queue.quitting, v.o.LogSeen); err != nil {
			return err
		}
	}
	if v.o.GIF != "" {
		v.movie = &movie.Movie{Width: v.o.GIFWidth}
	}
	return nil
}

// begin sets up the camera and the tracked bodies. It is called in the first
// frame of a scene, once the first states are there.
func (v *viewer) begin(first bool) (err error) {
	sc := &v.scenes[v.current]
	if v.camera.start(sc.view, v.view); first && v.o.Camera != nil {
		v.camera.Camera, v.camera.home = *v.o.Camera, false
	} else {
		v.followOwn()
		v.fitHome()
	}
	v.tracked, err = track(v.player, v.o.Track, sc.track, first)
	return err
}

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
	if same && !view.home {
		v.camera.Camera, v.camera.home = view.Camera, false
	}
	v.screen.title(title(v.scenes[index].name))
	return nil
}
