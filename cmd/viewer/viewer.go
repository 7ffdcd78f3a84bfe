package main

import (
	"maps"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"halfstep/cmd/viewer/limit"
	"halfstep/cmd/viewer/movie"
	"halfstep/engine"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/frametime"
	"halfstep/renderloop/glrender"
)

// viewer is the render thread's part of the program. It owns GL, the engines and all other
// state of a frame.
type viewer struct {
	session
	picture
	panel panel
	run
}

// picture is what is drawn besides the panel.
type picture struct {
	surface  surface
	camera   camera
	layers   glrender.Layers
	pen      pen    // draws the marks of one half
	tagged   tagged // the canvas of pen
	painter  *draw.Painter
	figures  figures
	hud      hud
	timeline timelineView
	help     help

	movie       *movie.Movie
	wantPicture bool // a key asked for a screenshot
}

// run makes the frames: where their times come from, where they are presented, and what is logged of
// them.
type run struct {
	screen   screen
	source   frametime.Source
	limit    limit.Limiter
	cap      int // the frame cap, as in Options.FPS
	capName  string
	capNames []string // the caps that can be chosen: frameCaps, and that of -fps

	present     presentTimes
	spareEvents []inputEvent  // an empty list for the queue; see takeInput
	elapsed     time.Duration // the sum of the source's frame times
	failure     error         // why physics has ended, or nil
	busy        engine.Busy   // what physics is doing in this frame
	lastEpoch   uint32        // the epoch of the view that was presented last
	lastShown   time.Time     // when that was

	log     *frameLog
	summary string // printed at the end
}

// screen has the calls that the render thread makes to the window. Tests have another one.
type screen interface {
	attach() // makes the context current on the calling thread
	detach()
	swap()
	interval(n int) // 1 waits for the display at each swap, 0 does not
	title(s string)
	fullscreen() // or back to the window as it was
}

// newViewer makes a viewer that has opened nothing yet. The main thread calls it.
func newViewer(o *Options, on screen, size surface, q *queue, source frametime.Source, all []sceneEntry, first int) *viewer {
	with := o.settings
	with.simulated, with.lastTick = source.Simulated(), o.Ticks
	with.pacing = o.Pacing == "auto" || o.Pacing == "" && !with.simulated
	return &viewer{
		session: session{
			o: o, queue: q, keys: newKeyboard(usLayout), scenes: all, current: first, compare: o.Compare,
			side: side{settings: with}, sceneRun: sceneRun{done: new(atomic.Uint64), moments: newMoments()},
			params: paramValues{o.Scene: maps.Clone(o.Params)}, gravities: map[string]float64{}, used: map[string]int{},
			stdout: os.Stdout, stderr: os.Stderr,
		},
		picture: picture{surface: size, layers: defaultLayers, painter: draw.NewPainter(0), hud: hud{on: o.HUD}, timeline: timelineView{on: o.Timeline}},
		panel:   newPanel(o.Panel.on(o.interactive())),
		run:     run{screen: on, source: source, cap: o.FPS, capNames: capNames},
	}
}

// start opens the first scene and the files. The camera is set later, by begin, because
// it needs the first states.
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
		if v.log, err = newFrameLog(v.o.Log, v.o.LogSeen); err != nil {
			return err
		}
	}
	if v.o.GIF != "" {
		v.movie = &movie.Movie{Width: v.o.GIFWidth}
	}
	return nil
}

// Values of begin's parameter first.
const firstScene, laterScene = true, false

// begin sets up the camera and the tracked bodies. It is called in the first frame of a
// scene, when the first states are there. first says that it is the run's first scene:
// -camera applies to it, and it is an error if it lacks a body of -track.
func (v *viewer) begin(first bool) (err error) {
	sc := &v.scenes[v.current]
	v.camera.start(sc.View, v.view)
	if first && v.o.Camera != nil {
		v.camera.Camera, v.camera.home = *v.o.Camera, false
	} else {
		v.followOwn()
		v.fitHome()
	}
	v.tracked, err = track(v.player, v.o.Track, sc.Track, first)
	if v.o.Plot != "" && len(v.tracked) > 0 {
		v.player.samples.logs.Store(uint64(v.tracked[0].body))
	}
	return err
}

// changeScene opens the scene at an index in place of the open one. If it is the same scene, and the
// user has moved the view, the view stays.
func (v *viewer) changeScene(index int) error {
	same := index == v.current
	view := v.camera
	if sc := &v.scenes[index]; v.panel.width(v.surface) == 0 { // the panel shows them too
		v.say(strings.TrimSuffix(sc.Name+": "+sc.Description, ": "))
	}
	if err := v.open(index); err != nil {
		return err
	}
	v.pass(0)
	if err := v.begin(laterScene); err != nil {
		return err
	}
	if same && !view.home {
		v.camera.Camera, v.camera.home = view.Camera, false
	}
	v.screen.title(title(v.scenes[index].Name))
	return nil
}
