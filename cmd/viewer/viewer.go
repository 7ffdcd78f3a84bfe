package main

import (
	"time"

	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/limit"
	"halfstep/cmd/viewer/movie"
	"halfstep/renderloop/frametime"
	"halfstep/renderloop/scene"
)

// viewer is the part of the program that the render thread uses. It has GL, the engines,
// and all other state of a frame.
type viewer struct {
	*play.Session
	picture *picture.Picture
	panel   *panel.Panel
	run
}

// run makes the frames. It has the source of frame times, the screen, and the logs.
type run struct {
	o     *Options
	queue *input.Queue
	observers

	screen   screen
	source   frametime.Source
	limit    limit.Limiter
	cap      int      // cap is the limit for frames per second, as in Options.FPS.
	otherCap []string // otherCap is the result of Caps while none of the standard limits is set.

	present     presentTimes
	spareEvents []input.Event // spareEvents is an empty list for the queue (see takeInput).
	elapsed     time.Duration // elapsed is the sum of the frame times of the source.
	wantPicture bool          // wantPicture says that a key asked for a screenshot.
	cross       bool          // cross says that the cursor is a crosshair.
	movie       *movie.Movie
	cameraUsed  bool          // cameraUsed says that the view of -camera was shown. That view is for the first scene only.
	viewToKeep  *scene.Camera // viewToKeep is the view that stays when the open scene is opened again, or nil.
	lastEpoch   uint32        // lastEpoch is the epoch of the view that was presented last.
	lastShown   time.Time     // when that was

	stats      files.Stats
	ledgerRead bool // ledgerRead says that stats already has the times of the clock's ledger.

	log     *files.FrameLog
	summary string // printed at the end
}

// screen has the calls that the render thread makes to the window. Tests have another
// implementation.
type screen interface {
	Attach() // Attach makes the context current on the calling thread.
	Detach()
	Swap()
	Interval(n int) // Interval sets the swap interval. With 1 each swap waits for the display, and with 0 it does not.
	Title(s string)
	Cursor(cross bool) // Cursor shows a crosshair, or the arrow.
	Fullscreen()       // Fullscreen makes the window fill the screen, or restores the window.
}

// newViewer makes a viewer without an open scene. The main thread calls it.
func newViewer(o *Options, on screen, size input.Surface, q *input.Queue, source frametime.Source, all []play.SceneEntry, first int) *viewer {
	with := o.Settings
	with.Simulated, with.LastTick = source.Simulated(), o.Ticks
	with.Pacing = o.Pacing == "auto" || o.Pacing == "" && !with.Simulated
	o.Limited, o.Interactive, o.ReportsHitches, o.LogsSamples = o.limited(), o.interactive(), o.Hitch > 0, o.Plot != ""
	o.Begun, o.AskedToEnd = &q.Begun, q.Asked
	v := &viewer{
		picture: picture.New(size, o.HUD, o.Timeline),
		run:     run{o: o, queue: q, screen: on, source: source, cap: o.FPS},
	}
	v.panel = panel.New(v.picture, v, o.Panel.on(o.interactive()))
	v.Session = play.NewSession(&o.Options, v, with, all, first)
	v.picture.Plays(v.Session, v.panel)
	v.panel.Plays(v.Session)
	v.Recorder.PanelShown = v.panel.On
	return v
}

// start opens the first scene and the files. The camera is set later, by begin, because it
// needs the first states.
func (v *viewer) start() (err error) {
	if err = v.picture.Open(); err != nil {
		return err
	}
	if err := v.Session.Open(v.Stage.Current); err != nil {
		return err
	}
	if v.o.interactive() {
		v.picture.HUD.Hint = time.Now().Add(picture.HintTime)
	}
	v.openPresentTimes()
	if v.o.Log != "" {
		if v.log, err = files.NewFrameLog(v.o.Log, v.o.LogSeen); err != nil {
			return err
		}
	}
	if v.o.GIF != "" {
		v.movie = &movie.Movie{Width: v.o.GIFWidth}
	}
	return nil
}
