package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/panel"
)

func TestOnlyRunsForAPersonRememberTheWindow(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	t.Setenv("AppData", dir)
	parse := func(args string) *Options {
		t.Helper()
		o, err := ParseFlags(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	run := func(args string) *bench {
		b := newBench(t, args)
		b.viewer.run.o.given = parse(args).given // these are the flags without those of the bench
		b.recall()
		return b
	}
	b := run("-scene drift -panel")
	b.picture.Surface = input.Surface{W: 1800, H: 1000, Scale: 2}
	b.panel.Page, b.picture.Timeline.On, b.picture.HUD.On = panel.ViewPage, true, true
	b.remember()
	if got, ok := readLayout(); !ok || got.Width != 900 || got.Height != 500 {
		t.Fatalf("kept %+v, %v", got, ok)
	}
	small := b.picture.Surface
	b.picture.Surface, b.o.Width, b.o.Height = input.Surface{}, 700, 400 // the window is minimised, so the size at the beginning of the run counts
	b.Recents.Paths = []string{"a.rec"}
	b.remember()
	if got, ok := readLayout(); !ok || got.Width != 700 || got.Height != 400 || len(got.Files) != 1 {
		t.Fatalf("minimised: kept %+v, %v", got, ok)
	}
	b.picture.Surface, b.Recents.Paths = small, nil
	b.remember()

	o := parse("-scene drift")
	o.recall()
	c := run("-scene drift")
	if o.Width != 900 || o.Height != 500 || c.panel.Page != panel.ViewPage || !c.picture.Timeline.On || !c.picture.HUD.On || !c.panel.On {
		t.Errorf("recalled %dx%d, page %d, timeline %v, metrics %v, panel %v", o.Width, o.Height, c.panel.Page, c.picture.Timeline.On, c.picture.HUD.On, c.panel.On)
	}
	// The command line takes precedence. A run that has an end or an output ignores the
	// layout.
	for _, args := range []string{"-size 320x240", "-hidden", "-frames 3", "-ticks 3", "-duration 1s", "-screenshot x.png", "-gif x.gif", "-clock fixed:60"} {
		o := parse(args)
		w, h := o.Width, o.Height
		if o.recall(); o.Width != w || o.Height != h {
			t.Errorf("%s: the window is %dx%d", args, o.Width, o.Height)
		}
		if args != "-size 320x240" {
			v := run(args)
			if v.picture.Timeline.On || v.picture.HUD.On || o.Panel.on(o.interactive()) {
				t.Errorf("%s: timeline %v, metrics %v", args, v.picture.Timeline.On, v.picture.HUD.On)
			}
			v.picture.Surface = input.Surface{W: 111, H: 111, Scale: 1}
			v.remember()
		}
	}
	if l, _ := readLayout(); l.Width != 900 {
		t.Errorf("such a run changed it to %+v", l)
	}
	if v := run("-hud=true -timeline=false"); v.picture.Timeline.On || !v.picture.HUD.On {
		t.Error("flags do not go first")
	}

	// an invalid file has the same effect as no file
	for _, text := range []string{"", "{", `{"width":-1,"height":5}`, `{"width":1e9,"height":700}`, `{"width":900,"height":700,"page":77}`} {
		os.WriteFile(layoutFile(), []byte(text), 0o600)
		if l, ok := readLayout(); ok {
			t.Errorf("%q is %+v", text, l)
		}
		run("-scene drift")
	}
	if filepath.Dir(filepath.Dir(layoutFile())) == "" {
		t.Error("no folder")
	}
}
