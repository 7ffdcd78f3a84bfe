package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
)

func TestBadUsageIsOneLineAndStatus2(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-hz NaN", "-hz: not a number"},
		{"-hz -5", "-hz: must be above 0"},
		{"-hz 0", "-hz: must be above 0"},
		{"-hz Inf", "-hz: not a number"},
		{"-hz 1e9", "-hz: must be from 0.001 to 1000000"},
		{"-hz 1e-9", "-hz: must be from 0.001"},
		{"-hz fast", "-hz: not a number"},
		{"-scale 0", "-scale: must be above 0"},
		{"-scale NaN", "-scale: not a number"},
		{"-scale 1e9", "-scale: must be at most 1000"},
		{"-scale 1e-9", "-scale: must be at least 0.000001"},
		{"-scale 1001", "-scale: must be at most 1000"},
		{"-max-steps 0", "-max-steps: must be from 1"},
		{"-max-steps 1.5", "-max-steps: not a whole number"},
		{"-smoothing soft", "-smoothing: must be none"},
		{"-log-seen", "-log-seen needs -log"},
		{"-sync maybe", "-sync: must be pipelined, lockstep or run-ahead"},
		{"-fps -2", "-fps: must be from -1"},
		{"-fps 59.9", "-fps: not a whole number"},
		{"-pacing on", "-pacing: must be off or auto"},
		{"-clock sun", "-clock: must be wall"},
		{"-clock wall:1", "-clock: must be wall"},
		{"-clock fixed", "-clock: not a number"},
		{"-clock fixed:0", "-clock: must be above 0"},
		{"-clock fixed:NaN", "-clock: not a number"},
		{"-clock trace:", "-clock: must be wall"},
		{"-frames 0", "-frames: must be"},
		{"-frames -1", "-frames: must be"},
		{"-ticks 0", "-ticks: must be"},
		{"-ticks 99999999999999999999", "-ticks: must be"},
		{"-ticks 1000000000001", "-ticks: must be a whole number from 1 to 1000000000000"},
		{"-frames 1000000000001", "-frames: must be a whole number from 1 to"},
		{"-max-steps 1000001", "-max-steps: must be from 1 to 1000000"},
		{"-workers 257", "-workers: must be from 1 to 256"},
		{"-fps 1000001", "-fps: must be from -1 to 1000000"},
		{"-size 16385x100", "-size: must be"},
		{"-duration 8761h", "-duration: must be at most 8760h"},
		{"-hitch 8761h", "-hitch: must be at most 8760h"},
		{"-inject step:2m@5", "-inject: fault: a delay of 2m0s"},
		{strings.Repeat("-inject gc@1 ", 1001), "-inject: more than 1000 faults"},
		{"-track " + strings.Repeat("a,", 1000) + "a", "-track: more than 1000 names"},
		{"-duration 5", "-duration: not a time"},
		{"-duration 0s", "-duration: must be above 0"},
		{"-duration -1s", "-duration: must be above 0"},
		{"-size 10x10", "-size: must be"},
		{"-size 100", "-size: must be"},
		{"-render-thread both", "-render-thread: must be own or main"},
		{"-scene nope", "-scene: no such scene"},
		{"-track a,,b", "-track: an empty name"},
		{"-pprof 6060", "-pprof: must be"},
		{"-inject step:5@60", `-inject: fault: "5" is not a delay`},
		{"-inject disk@60", "-inject: fault: must be step:DELAY@TICK"},
		{"-inject step:5ms@0", "-inject: fault: the first step"},
		{"-inject gc", "-inject: fault: must be step:DELAY@TICK"},
		{"-hitch 0s", "-hitch: must be above 0"},
		{"-hitch 60", "-hitch: not a time"},
		{"-hitch-dir d", "-hitch-dir needs -hitch"},
		{"-nosuch", "not defined: -nosuch"},
		{"-hz", "needs an argument: -hz"},
		{"-hidden=maybe", "-hidden: parse error"},
		{"a.json b.json", "a.json and b.json: only one scene"},
		{"a.json -hz 0", "-hz: must be above 0"},
		{"-scene drift a.json", "only one scene"},
		{"-loop threaded", "-loop: must be single or fixed or"},
		{"-compare maybe", "-compare: must be a smoothing mode"},
		{"-loop single -record f", "-record and -loop"},
		{"-replay f -loop naive", "-replay and -loop"},
		{"-replay f -compare none", "-replay and -compare"},
		{"-record-from 300", "-record-from needs -record"},
		{"-record f -record-from 0", "-record-from: must be"},
		{"-black-box d,soon", `-black-box: "soon" after the folder: not a time`},
		{"-gif-width 100", "-gif-width needs -gif"},
		{"-screenshot x.jpg", "-screenshot: must end in .png"},
		{"-black-box ,30s", "-black-box: no folder"},
		{"-black-box d -loop naive", "-black-box and -loop"},
	} {
		var stdout, stderr bytes.Buffer
		status := program(strings.Fields(c.args), &stdout, &stderr)
		got := stderr.String()
		if status != exitUsage || !strings.Contains(got, c.want) || strings.Count(got, "\n") != 1 || stdout.Len() != 0 {
			t.Errorf("%s: status %d, %q; want %q", c.args, status, got, c.want)
		}
	}
}

func TestTheRatesThatFlagsTakeAreThoseOfAClock(t *testing.T) {
	for x, fits := range map[float64]bool{leastHz * .999: false, leastHz: true, mostHz: true, mostHz + 1: false} {
		rate, err := clock.RateOf(x)
		if err == nil {
			_, err = clock.New(rate)
		}
		if _, said := parseHz(fmt.Sprint(x)); (err == nil) != fits || (said == nil) != fits {
			t.Errorf("%v: the clock says %v, the flag %v", x, err, said)
		}
	}
}

func TestFlagsMayFollowTheScene(t *testing.T) {
	o, err := ParseFlags(strings.Fields("-hidden car.json -ticks 5 -stats s.json"))
	if err != nil || o.File != "car.json" || o.Ticks != 5 || o.Stats != "s.json" || o.Scene != "" || !o.Hidden {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestWithoutFlagsTheDefaultsHold(t *testing.T) {
	o, err := ParseFlags(nil)
	if err != nil {
		t.Fatal(err)
	}
	if o.Scene != defaultScene || o.Scale != 1 || o.Rate != (clock.Rate{}) || o.limited() || o.HUD ||
		o.FPS != 0 || o.Sync != renderloop.Pipelined || o.Smoothing != body2d.Interpolate {
		t.Errorf("%+v", o)
	}
}

func TestValuesAreRead(t *testing.T) {
	o, err := ParseFlags(strings.Fields("-hz 59.94 -scale .5 -max-steps 3 -sync lockstep -smoothing hermite " +
		"-fps -1 -pacing auto -clock fixed:144 -frames 7 -duration 1m30s -track a,b -size 640x480 -render-thread main -scene drift " +
		"-inject step:50ms@60 -hitch 60ms -hitch-dir d -inject gc@7"))
	if err != nil {
		t.Fatal(err)
	}
	if o.Rate != (clock.Rate{Num: 2997, Den: 50}) || o.Scale != .5 || o.MaxSteps != 3 ||
		o.Sync != renderloop.Lockstep || o.Smoothing != body2d.Hermite || o.FPS != -1 || o.Pacing != "auto" ||
		o.Clock.fixed != clock.Hz(144) || o.Frames != 7 || o.Duration != 90*time.Second ||
		len(o.Inject) != 2 || o.Inject[1].String() != "gc@7" || o.Hitch != 60*time.Millisecond || o.HitchDir != "d" ||
		len(o.Track) != 2 || o.Width != 640 || o.Height != 480 || !o.RenderOnMain || o.Scene != "drift" || !o.limited() {
		t.Errorf("%+v", o)
	}
}

func TestEveryRunWithAnEndIsLimited(t *testing.T) {
	for args, want := range map[string]bool{
		"-frames 1": true, "-ticks 1": true, "-duration 1s": true, "-clock trace:x.csv": true,
		"-clock fixed:60": false, "-hidden": false,
	} {
		if o, err := ParseFlags(strings.Fields(args)); err != nil || o.limited() != want {
			t.Errorf("%s: limited %v, %v", args, o.limited(), err)
		}
	}
}

func TestHelpAndListNeedNoDisplay(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if _, err := ParseFlags([]string{"-h"}); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
	for args, want := range map[string]string{"-h": "-max-steps N", "-list": "drift\tone body"} {
		var stdout, stderr bytes.Buffer
		if status := program([]string{args}, &stdout, &stderr); status != exitOK || !strings.Contains(stdout.String(), want) || stderr.Len() != 0 {
			t.Errorf("%s: status %d, %q, %q", args, status, stdout.String(), stderr.String())
		}
	}
}

// -h must list every flag.
func TestEveryFlagIsDescribed(t *testing.T) {
	flagSet(&Options{}).VisitAll(func(f *flag.Flag) {
		if f.Usage == "" {
			t.Errorf("-%s has no description", f.Name)
		}
	})
}

func TestBadParametersAndViewsAreRefusedInOneLine(t *testing.T) {
	for args, want := range map[string]string{
		"-scene drift -param speed":     "NAME=VALUE",
		"-scene drift -param speed=x":   "NAME=VALUE",
		"-scene drift -param speed=NaN": "NAME=VALUE",
		"-scene drift -param speed=99":  "from -5 to 5",
		"-scene drift -param weight=1":  "it has speed",
		"-scene leak -param weight=1":   "has no parameters",
		"-param speed=1 x.json":         "only built-in scenes",
		"-camera 1,2":                   "X,Y,HEIGHT",
		"-camera 1,2,0":                 "X,Y,HEIGHT",
		"-camera 1,2,NaN":               "X,Y,HEIGHT",
		"-seek -1":                      "whole number",
		"-gif movie.png":                "must end in .gif",
		"-gif-width 1":                  "from 16",
		"-panel=perhaps":                "panel",
	} {
		_, err := ParseFlags(strings.Fields(args))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", args, err)
		}
	}
	o, err := ParseFlags(strings.Fields("-scene drift -param speed=2.52 -camera=-1,2.5,3"))
	if err != nil || o.Params["speed"] != 2.5 || o.Camera.X != -1 || o.Camera.Height != 3 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestARunBeginsWithTheMomentTheParametersAndTheViewOfItsFlags(t *testing.T) {
	b := newBench(t, "-scene teleport -param speed=.3 -seek 130 -camera 1.25,-2,9")
	b.run(1)
	b.press(input.KeySpace)
	sc := &b.Stage.Scenes[b.Stage.Current]
	if at := b.picture.Camera.Camera; b.Stage.View.Tick != 130 || at.X != 1.25 || at.Y != -2 || at.Height != 9 || b.Params.Param(sc, 0) != .3 {
		t.Errorf("at tick %d, %+v, speed %v", b.Stage.View.Tick, at, b.Params.Param(sc, 0))
	}
}

func TestAWatchedProgramAndARecordingAreTooMuch(t *testing.T) {
	file := recordSession(t, "-scene drift", 20)
	if _, err := ParseFlags([]string{"-watch", ":6060", file}); err == nil {
		t.Error("the recording is left out without a word")
	}
}

func TestAFlagIsForItsRunAlone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} {
		t.Setenv(name, dir)
	}
	run := func(args string, change func(b *bench)) layout {
		o, err := ParseFlags(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		b := newBench(t, args)
		b.viewer.run.o.given = o.given
		b.recall()
		b.picture.Surface = input.Surface{W: b.o.Width, H: b.o.Height, Scale: 1}
		change(b)
		b.remember()
		l, _ := readLayout()
		return l
	}
	if l := run("-scene drift -size 500x300 -timeline -hud -panel=false", func(*bench) {}); l.Width != 1280 || l.Time || l.HUD || !l.Panel {
		t.Errorf("flags of the first run are remembered: %+v", l)
	}
	run("-scene drift", func(b *bench) { b.picture.Surface.W = 800; b.picture.Timeline.On = true })
	if l := run("-scene drift -size 500x300 -timeline=false -hud", func(*bench) {}); l.Width != 800 || !l.Time || l.HUD {
		t.Errorf("flags are remembered: %+v", l)
	}
	if l := run("-scene drift -size 500x300 -hud", func(b *bench) { b.picture.Surface.W = 600; b.picture.HUD.On = false }); l.Width != 600 || l.HUD {
		t.Errorf("what the user did is not remembered: %+v", l)
	}
}
