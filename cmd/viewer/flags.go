package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/loops"
	"halfstep/cmd/viewer/outfile"
	"halfstep/cmd/viewer/scenes"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
)

// Options are the values of the flags. Unless the comment on a field says otherwise,
// a zero value means that the flag was not given.
type Options struct {
	List bool
	File string // File is a scene file that replaces a built-in scene.

	play.Options      // the flags of the session
	play.Settings     // the first settings of a scene; newViewer sets Settings.Pacing from Pacing and Clock
	FPS           int // FPS is the limit for frames per second. The value 0 is vsync, and -1 is no limit.
	Pacing        string
	AtOnce        bool // AtOnce makes frames begin right after the last present, instead of as late as possible.
	Clock         clockSpec
	Process       string // Process is the process whose frame times are read from a trace. If it is "", the process with the most frames is used.

	Frames   uint64
	Duration time.Duration
	ToEnd    bool // ToEnd says that Ticks is the end of a recording, even if Ticks is 0.

	Camera *scene.Camera // nil means the scene's

	Width, Height int // Width and Height are the size of the window in screen coordinates.
	Panel         panelFlag
	GIFWidth      int // GIFWidth is the width of the movie in pixels. The value 0 means the width of the window.
	HUD           bool
	Timeline      bool
	RenderOnMain  bool
	Verbose       bool

	given []string // given are the names of the flags that were given.

	Screenshot, GIF, Log, Stats string // files to write
	Plot                        string // Plot is the file for values of the first tracked body.
	Save                        string // Save is the file to which the world is written as a scene file or as Go code.
	LogSeen                     bool   // LogSeen adds a column to the log: the time at which each frame was seen.

	Replay string // a recording
	Diff   string // Diff is the first of two recordings to compare. File is the second.
	Watch  string // Watch is the address of a running program.

	PprofAddr                              string
	CPUProfile, MemProfile, ExecutionTrace string

	Hitch    time.Duration // Hitch is how long a frame or a step may take.
	HitchDir string
}

// limited reports whether the run ends by itself.
func (o *Options) limited() bool {
	return o.Frames > 0 || o.Ticks > 0 || o.ToEnd || o.Duration > 0 || o.Clock.trace != ""
}

// lastTick returns the tick at which the run ends. The result ok is false if there
// is no such tick.
func (o *Options) lastTick() (tick uint64, ok bool) { return o.Ticks, o.Ticks > 0 || o.ToEnd }

const defaultScene = "rain"

// ParseFlags parses the command line: flags and a scene file, in any order. The text
// of an error has one line. For -h it returns flag.ErrHelp.
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
	fs.Visit(func(f *flag.Flag) { o.given = append(o.given, f.Name) })
	switch {
	case len(files) > 1:
		return nil, fmt.Errorf("%s and %s: only one scene can be open", files[0], files[1])
	case len(files) == 1 && o.Scene != "":
		return nil, fmt.Errorf("-scene %s and %s: only one scene can be open", o.Scene, files[0])
	case len(files) == 1 && o.Diff == "" && o.Replay == "" && play.IsRecording(files[0]):
		o.Replay = files[0]
	case len(files) == 1:
		o.File = files[0]
	case o.Scene == "" && o.Replay == "" && o.Watch == "" && o.Diff == "":
		o.Scene = defaultScene
	}
	return o, cmp.Or(o.checkTogether(), o.checkParams(), o.checkFiles())
}

// checkTogether returns an error for flags that cannot be combined, and for flags that need
// another flag.
func (o *Options) checkTogether() error {
	replays, loops := o.Replay != "", o.Loop != ""
	for _, c := range []struct {
		wrong bool
		why   string
	}{
		{replays && o.Scene != "", "-replay " + o.Replay + " and -scene " + o.Scene + ": the recording says which scene it is"},
		{replays && o.File != "", "-replay " + o.Replay + " and " + o.File + ": the recording says which scene it is"},
		{replays && o.Record != "", "-replay and -record cannot be combined"},
		{o.RecordFrom > 0 && o.Record == "", "-record-from needs -record"},
		{o.Process != "" && o.Clock.trace == "", "-process needs -clock trace:FILE"},
		{o.GIFWidth > 0 && o.GIF == "", "-gif-width needs -gif"},
		{o.LogSeen && o.Log == "", "-log-seen needs -log"},
		{o.HitchDir != "" && o.Hitch == 0, "-hitch-dir needs -hitch"},
		{loops && o.Record != "", "-record and -loop: only the engine's own loop can record"},
		{loops && o.BlackBox.Dir != "", "-black-box and -loop: only the engine's own loop can record"},
		{loops && replays, "-replay and -loop: only the engine's own loop can replay"},
		{o.Compare.Name != "" && replays, "-replay and -compare: a recording has no second half to compare with"},
		{o.Diff != "" && o.File == "", "-diff " + o.Diff + ": a second recording is missing: viewer -diff A.rec B.rec"},
		{o.Watch != "" && o.File+o.Replay != "", "-watch " + o.Watch + " and " + o.File + o.Replay + ": the program says which scene it is"},
	} {
		if c.wrong {
			return errors.New(c.why)
		}
	}
	for _, name := range []string{"scene", "replay", "record", "seek", "loop", "compare", "param", "black-box", "clock", "hz", "scale"} {
		if o.Watch != "" && slices.Contains(o.given, name) {
			return fmt.Errorf("-watch and -%s cannot be combined", name)
		}
		// two recordings that are compared can still be shown more slowly, and by another
		// clock
		if o.Diff != "" && name != "clock" && name != "scale" && slices.Contains(o.given, name) {
			return fmt.Errorf("-diff and -%s cannot be combined", name)
		}
	}
	return nil
}

func flagSet(o *Options) *flag.FlagSet {
	fs := flag.NewFlagSet("viewer", flag.ContinueOnError)
	fs.SetOutput(io.Discard)

	fs.BoolVar(&o.List, "list", false, "list the built-in scenes and exit")
	fs.Func("scene", "`NAME` of a built-in scene (default "+defaultScene+")", func(s string) error {
		if _, ok := scenes.Lookup(s); !ok {
			return fmt.Errorf("no such scene; -list lists them")
		}
		o.Scene = s
		return nil
	})

	fs.BoolVar(&o.Strict, "strict", false, "refuse a scene file with a fixture that Box2D cannot make, or a dump without all of its world, in place of leaving that out")

	fs.Func("hz", "steps per second: a decimal `RATE` (default: the scene's rate, usually 60)", into(&o.Rate, parseHz))
	fs.Func("max-steps", "let physics be at most `N` steps behind; time beyond that is dropped (default: what can be done in a frame, at least 5)", into(&o.MaxSteps, intBetween(1, clock.MaxStepsLimit)))
	o.Scale = 1
	fs.Func("scale", "time scale: a decimal `FACTOR` up to 1000 (default 1)", into(&o.Scale, parseScale))
	fs.Func("smoothing", "smoothing `MODE`: none, interpolate, extrapolate or hermite (default interpolate)", into(&o.Smoothing, play.ParseSmoothing))
	fs.Func("sync", "sync `MODE`: pipelined, lockstep or run-ahead (default pipelined)", into(&o.Sync, play.ParseSync))
	fs.Func("loop", "use another loop instead of the engine's own. Its `NAME` is one of "+strings.Join(loops.Names(), ", "), into(&o.Loop, oneOf(loops.Names()...)))
	fs.Func("compare", "draw the world twice, and change one `SETTING` on the right: a smoothing mode, a sync mode, pacing, nopacing, a stepper or a loop", o.Compare.Parse)
	fs.Func("fps", "cap frames at `N` per second; 0 is vsync, -1 is uncapped (default 0)", into(&o.FPS, intBetween(-1, 1_000_000)))
	fs.BoolVar(&o.AtOnce, "at-once", false, "begin each frame right after the last present, and not as late as it can")
	fs.Func("pacing", "frame pacing `MODE`: off or auto (default auto on the wall clock, otherwise off)", into(&o.Pacing, oneOf("off", "auto")))
	fs.Func("clock", "`SOURCE` of frame times: wall, fixed:HZ or trace:FILE (default wall)", o.Clock.parse)
	fs.StringVar(&o.Process, "process", "", "of a trace with the frames of several programs, take those of `NAME`, of a process number, or of a swap chain (default: those with the most frames, but no compositor's)")

	fs.Func("frames", "exit after `N` frames", into(&o.Frames, count(1)))
	fs.Func("ticks", "exit at tick `N`, or at the end of a recording", into(&o.Ticks, count(1)))
	fs.Func("duration", "exit after this `TIME` on the clock, such as 10s", into(&o.Duration, parseTime))

	fs.BoolVar(&o.Hidden, "hidden", false, "do not show the window")
	o.Width, o.Height = defaultWidth, defaultHeight
	fs.Func("size", "window size, `WxH` (default: as the last run for a person left it; at first, and in other runs, 1280x720)", sizeValue(&o.Width, &o.Height))
	fs.Var(&o.Panel, "panel", "show the panel with the controls (default true if the window is visible, and the run has no end, the wall clock and no picture to write)")
	fs.Func("camera", "`X,Y,HEIGHT`: begin with a view of HEIGHT metres about the point (X, Y)", into(&o.Camera, parseCamera))
	fs.Func("param", "`NAME=VALUE`: begin with this value of a parameter of the scene; can be repeated", paramValue(&o.Params))
	fs.BoolVar(&o.HUD, "hud", false, "show figures in the picture")
	fs.BoolVar(&o.Timeline, "timeline", false, "show the timeline of both threads in the picture")
	o.RenderOnMain = runtime.GOOS == "darwin"
	fs.Func("render-thread", "`THREAD` that draws: own or main (default own; on macOS main)", func(s string) error {
		where, err := oneOf("own", "main")(s)
		o.RenderOnMain = where == "main"
		return err
	})
	fs.BoolVar(&o.Verbose, "v", false, "print details, such as the stack of a failure")

	fs.Func("screenshot", "write the last frame to `FILE.png`", into(&o.Screenshot, fileName(".png")))
	fs.Func("gif", "write an animation of the run to `FILE.gif`, up to 20 seconds", into(&o.GIF, fileName(".gif")))
	fs.Func("gif-width", "scale the animation down to about `N` pixels in width (default: as wide as the window)", into(&o.GIFWidth, intBetween(16, 16384)))
	fs.StringVar(&o.Log, "log", "", "write a row per frame and tracked body to `FILE.csv`")
	fs.BoolVar(&o.LogSeen, "log-seen", false, "give -log a last column seen_s: when the frame was on the display, nan if unknown, inf if never")
	fs.Func("track", "`NAME,...`: the bodies to log (default: the scene's choice, or the first dynamic body)", func(s string) error {
		for _, name := range strings.Split(s, ",") {
			if name == "" {
				return errors.New("an empty name")
			}
			if len(o.Track) == maxListed {
				return fmt.Errorf("more than %d names", maxListed)
			}
			o.Track = append(o.Track, name)
		}
		return nil
	})
	fs.Func("plot", "write values of the first body of -track after each step to `FILE.csv`: place, speed, angle, energy, force and angle of its newest joint, and the energy of all", into(&o.Plot, fileName(".csv")))
	fs.Func("save", "write the world at the end as a scene, to `FILE.json`, which R.U.B.E. and b2dJson read, or as Go code to FILE.go", into(&o.Save, files.SavedAs))
	fs.StringVar(&o.Stats, "stats", "", "write the metrics of the run to `FILE.json`")

	fs.Func("stepper", "which `STEPPER` steps Box2D: fast, with the results of Box2D 2.3; or soft, by soft constraints in sub-steps, with its own (default: the scene's own; of those that are built in, soft where there are piles, ropes and bridges, else fast)", into(&o.Stepper, play.ParseStepper))
	fs.Func("workers", "compute each step on `N` goroutines (default: one less than the number of processors)", into(&o.Workers, intBetween(1, 256)))

	fs.StringVar(&o.Record, "record", "", "record commands and state hashes to `FILE`")
	fs.Func("record-from", "begin the recording of -record at `TICK`, with a snapshot of the world", into(&o.RecordFrom, count(1)))
	fs.StringVar(&o.Replay, "replay", "", "replay the recording in `FILE` and check that nothing differs")

	fs.StringVar(&o.Diff, "diff", "", "say where the recordings in `FILE` and in a second one, which is named without a flag, begin to differ, and show both side by side")
	fs.Func("watch", "watch the program that serves profiles at `URL`, such as http://localhost:6060, while it runs", into(&o.Watch, play.ParseAddress))

	fs.Func("seek", "begin at `TICK` of the replay or the scene", into(&o.Seek, parseTick))
	fs.Func("black-box", "`DIR[,TIME]`: keep the last TIME (default 30s), and write it as a recording to the folder DIR at a failure or a mismatch, and for key B or a QUIT signal; with -hitch also beside each report", parseBox(&o.BlackBox))

	fs.Func("pprof", "serve profiles at `ADDR`: :port (only on this machine) or host:port (others need the token that is printed)", into(&o.PprofAddr, parseAddr))
	fs.StringVar(&o.CPUProfile, "cpuprofile", "", "write a CPU profile to `FILE`")
	fs.StringVar(&o.MemProfile, "memprofile", "", "write a heap profile at the end to `FILE`")
	fs.StringVar(&o.ExecutionTrace, "trace", "", "write an execution trace to `FILE`")
	fs.Func("hitch", "write a report and a trace when a frame or a step takes longer than `TIME`, such as 20ms", into(&o.Hitch, parseTime))
	fs.StringVar(&o.HitchDir, "hitch-dir", "", "write the reports of -hitch to `DIR` (default "+files.DefaultHitchDir+")")
	fs.Func("inject", "inject a fault; `SPEC` is step:TIME@TICK, frame:TIME@FRAME or gc@FRAME, such as step:50ms@60; can be repeated", injectValue(&o.Inject))
	return fs
}

func usage(w io.Writer) error {
	b := bytes.NewBufferString("usage: viewer [flags] [scene.json or recording]\n\n")
	fs := flagSet(&Options{})
	fs.SetOutput(b)
	fs.PrintDefaults()
	_, err := w.Write(b.Bytes())
	return err
}

func list(w io.Writer) error {
	for _, s := range scenes.All() {
		if _, err := fmt.Fprintf(w, "%s\t%s\n", s.Name, s.Description); err != nil {
			return err
		}
	}
	return nil
}

// namedFile is a file that a flag names.
type namedFile struct {
	flag, path string
	written    bool // written says that the viewer writes the file. Otherwise the viewer reads it.
}

func (f namedFile) String() string { return strings.TrimSpace(f.flag + " " + f.path) }

// files returns all files that flags name.
func (o *Options) files() []namedFile {
	all := []namedFile{
		{"", o.File, false}, {"-diff", o.Diff, false}, {"-replay", o.Replay, false}, {"-clock", o.Clock.trace, false},
		{"-record", o.Record, true}, {"-log", o.Log, true}, {"-stats", o.Stats, true},
		{"-screenshot", o.Screenshot, true}, {"-gif", o.GIF, true}, {"-save", o.Save, true}, {"-plot", o.Plot, true},
		{"-cpuprofile", o.CPUProfile, true}, {"-memprofile", o.MemProfile, true}, {"-trace", o.ExecutionTrace, true},
	}
	return slices.DeleteFunc(all, func(f namedFile) bool { return f.path == "" })
}

// checkFiles returns an error for a file that would be overwritten: a written file
// that is also read, or that two flags name.
func (o *Options) checkFiles() error {
	files := o.files()
	for i, f := range files {
		for _, g := range files[:i] {
			if (f.written || g.written) && outfile.Same(f.path, g.path) {
				return fmt.Errorf("%v and %v are the same file, which would be overwritten", g, f)
			}
		}
	}
	return nil
}
