package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/scenes"
	"halfstep/engine/fault"
	"halfstep/internal/otherloop"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
)

// Options are what the flags say. What is zero was not given, unless the field
// says otherwise.
type Options struct {
	List  bool
	Scene string // a built-in scene, or
	File  string // a scene file

	Rate      clock.Rate // steps per second
	MaxSteps  int
	Scale     clock.Rate // time scale; 1 by default
	Smoothing body2d.Smoothing
	Sync      renderloop.Sync
	Loop      string // "" is the engine's own
	Compare   comparison
	FPS       int // frame cap; 0 is vsync, -1 uncapped
	Pacing    string
	Clock     clockSpec

	Frames   uint64
	Ticks    uint64
	Duration time.Duration
	ToEnd    bool // Ticks is where a recording ends, be it 0

	Hidden        bool
	Width, Height int // of the window, screen coordinates
	HUD           bool
	Timeline      bool
	RenderOnMain  bool
	Verbose       bool

	Screenshot, GIF, Log, Stats string // files to write
	Track                       []string

	Stepper string // "" and "fast" are the same
	Workers int    // 0: the engine's choice

	Record, Replay string // files

	PprofAddr                              string
	CPUProfile, MemProfile, ExecutionTrace string

	Inject   []fault.Fault
	Hitch    time.Duration // how long a frame or a step may take
	HitchDir string
}

// limited reports whether the run ends by itself.
func (o *Options) limited() bool {
	return o.Frames > 0 || o.Ticks > 0 || o.ToEnd || o.Duration > 0 || o.Clock.trace != ""
}

// lastTick is the tick that ends the run, where there is one.
func (o *Options) lastTick() (tick uint64, ok bool) { return o.Ticks, o.Ticks > 0 || o.ToEnd }

const defaultScene = "pyramid"

// ParseFlags reads the command line: flags and a scene file, in any order. Its
// errors are one line; flag.ErrHelp is returned where help is asked for.
func ParseFlags(args []string) (*Options, error) {
	o := &Options{}
	fs := flagSet(o)
	var files []string
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		if fs.NArg() == 0 {
			break
		}
		files = append(files, fs.Arg(0))
		args = fs.Args()[1:]
	}
	switch {
	case len(files) > 1:
		return nil, fmt.Errorf("%s and %s: only one scene can be opened", files[0], files[1])
	case len(files) == 1 && o.Scene != "":
		return nil, fmt.Errorf("-scene %s and %s: only one scene can be opened", o.Scene, files[0])
	case len(files) == 1:
		o.File = files[0]
	case o.Replay != "" && o.Scene != "":
		return nil, fmt.Errorf("-replay %s and -scene %s: a recording knows its scene", o.Replay, o.Scene)
	case o.Scene == "" && o.Replay == "":
		o.Scene = defaultScene
	}
	switch {
	case o.Replay != "" && o.File != "":
		return nil, fmt.Errorf("-replay %s and %s: a recording knows its scene", o.Replay, o.File)
	case o.Replay != "" && o.Record != "":
		return nil, fmt.Errorf("-replay and -record: only one of them")
	}
	if err := o.checkLoop(); err != nil {
		return nil, err
	}
	if err := o.checkHitch(); err != nil {
		return nil, err
	}
	return o, o.checkFiles()
}

func flagSet(o *Options) *flag.FlagSet {
	fs := flag.NewFlagSet("viewer", flag.ContinueOnError)
	fs.SetOutput(io.Discard)

	fs.BoolVar(&o.List, "list", false, "list the built-in scenes and quit")
	fs.Func("scene", "`NAME` of a built-in scene (default "+defaultScene+")", func(s string) error {
		if _, ok := scenes.Lookup(s); !ok {
			return fmt.Errorf("no such scene; -list names them")
		}
		o.Scene = s
		return nil
	})

	fs.Func("hz", "steps per second, a decimal `RATE` (default 60, or what the scene says)", rateValue(&o.Rate))
	fs.Func("max-steps", "at most `N` steps asked for and not yet done (default 5)", intValue(&o.MaxSteps, 1, clock.MaxStepsLimit))
	o.Scale = clock.Hz(1)
	fs.Func("scale", "time scale, a decimal `FACTOR` up to 1000 (default 1)", scaleValue(&o.Scale))
	fs.Func("smoothing", "`MODE`: none, interpolate, extrapolate or hermite (default interpolate)", smoothingValue(&o.Smoothing))
	fs.Func("sync", "`MODE`: pipelined or lockstep (default pipelined)", syncValue(&o.Sync))
	fs.Func("loop", "another loop in place of the engine's own, `NAME`: "+strings.Join(otherloop.Names(), ", "), loopValue(&o.Loop))
	fs.Func("compare", "draw the same world twice, on the right with `WHAT` in place of what the other flags say: a smoothing mode, a sync mode, pacing, nopacing or a loop", o.Compare.parse)
	fs.Func("fps", "at most `N` frames per second; 0 is vsync, -1 uncapped (default 0)", intValue(&o.FPS, -1, 1_000_000))
	fs.Func("pacing", "`MODE`: off or auto (default auto on the wall clock, off otherwise)", choiceValue(&o.Pacing, "off", "auto"))
	fs.Func("clock", "`SOURCE` of frame times: wall, fixed:HZ or trace:FILE.csv (default wall)", o.Clock.parse)

	fs.Func("frames", "quit after `N` frames", countValue(&o.Frames))
	fs.Func("ticks", "quit after exactly `N` steps", countValue(&o.Ticks))
	fs.Func("duration", "quit after a `TIME` of the clock, as 10s", durationValue(&o.Duration))

	fs.BoolVar(&o.Hidden, "hidden", false, "open no visible window")
	o.Width, o.Height = 1280, 720
	fs.Func("size", "size of the window, `WxH` (default 1280x720)", sizeValue(&o.Width, &o.Height))
	fs.BoolVar(&o.HUD, "hud", true, "show figures in the picture")
	fs.BoolVar(&o.Timeline, "timeline", false, "show the timeline of both threads in the picture")
	o.RenderOnMain = runtime.GOOS == "darwin"
	fs.Func("render-thread", "`THREAD` that draws: own or main (default own, main on macOS)", func(s string) error {
		where := ""
		err := choiceValue(&where, "own", "main")(s)
		o.RenderOnMain = where == "main"
		return err
	})
	fs.BoolVar(&o.Verbose, "v", false, "say more, as the stack of a failure")

	fs.StringVar(&o.Screenshot, "screenshot", "", "write the last frame to `FILE.png`")
	fs.StringVar(&o.GIF, "gif", "", "write the run to `FILE.gif`, up to 20 seconds")
	fs.StringVar(&o.Log, "log", "", "write a row per frame and tracked body to `FILE.csv`")
	fs.Func("track", "bodies to log, `NAME,...` (default the first dynamic one)", func(s string) error {
		for _, name := range strings.Split(s, ",") {
			if name == "" {
				return fmt.Errorf("an empty name")
			}
			if len(o.Track) == mostListed {
				return fmt.Errorf("more than %d names", mostListed)
			}
			o.Track = append(o.Track, name)
		}
		return nil
	})
	fs.StringVar(&o.Stats, "stats", "", "write the run in figures to `FILE.json`")

	fs.Func("stepper", "`WHICH` steps Box2D: fast or stock, with the same results (default fast)", choiceValue(&o.Stepper, "fast", "stock"))
	fs.Func("workers", "`N` goroutines compute a step (default one less than there are processors)", intValue(&o.Workers, 1, 256))

	fs.StringVar(&o.Record, "record", "", "record commands and state hashes to `FILE`")
	fs.StringVar(&o.Replay, "replay", "", "replay a recorded `FILE` and check that nothing differs")

	fs.Func("pprof", "serve profiles at `ADDR` (host:port; without a host, loopback)", addrValue(&o.PprofAddr))
	fs.StringVar(&o.CPUProfile, "cpuprofile", "", "write a CPU profile to `FILE`")
	fs.StringVar(&o.MemProfile, "memprofile", "", "write a heap profile at the end to `FILE`")
	fs.StringVar(&o.ExecutionTrace, "trace", "", "write an execution trace to `FILE`")
	fs.Func("hitch", "write a trace when a frame or a step takes longer than a `TIME`, as 20ms", durationValue(&o.Hitch))
	fs.StringVar(&o.HitchDir, "hitch-dir", "", "where -hitch writes, a `DIR` (default "+defaultHitchDir+")")
	fs.Func("inject", "make a fault, `SPEC`: step:50ms@60 (a tick), frame:30ms@100, gc@200 (frames); may be repeated", injectValue(&o.Inject))
	return fs
}

func usage(w io.Writer) error {
	b := bytes.NewBufferString("usage: viewer [flags] [scene.json]\n\n")
	fs := flagSet(&Options{})
	fs.SetOutput(b)
	fs.PrintDefaults()
	_, err := w.Write(b.Bytes())
	return err
}

// list prints the built-in scenes for scripts: name, tab, description.
func list(w io.Writer) error {
	for _, s := range scenes.All() {
		if _, err := fmt.Fprintf(w, "%s\t%s\n", s.Name, s.Description); err != nil {
			return err
		}
	}
	return nil
}
