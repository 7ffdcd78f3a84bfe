package main

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"halfstep/cmd/viewer/internal/panel"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/outfile"
)

// panelFlag is the value of -panel, and whether the flag was given.
type panelFlag struct{ given, value bool }

func (p *panelFlag) String() string   { return "" }
func (p *panelFlag) IsBoolFlag() bool { return true }
func (p *panelFlag) Set(s string) (err error) {
	p.given = true
	p.value, err = strconv.ParseBool(s)
	return err
}

// on returns whether the panel is shown. The parameter byItself is the result if
// the flag was not given.
func (p panelFlag) on(byItself bool) bool { return p.given && p.value || !p.given && byItself }

// interactive reports whether the run is for a person at the window. Such a run is
// visible, has no end, and writes no picture. Only in such a run does the panel
// open without -panel, and only then is the layout of the window kept for the next
// run.
func (o *Options) interactive() bool {
	return !o.Hidden && !o.limited() && o.Screenshot == "" && o.GIF == "" && o.Clock == (clockSpec{})
}

// layout is the data that an interactive run stores in a file for the next run.
type layout struct {
	Width  int  `json:"width"` // Width is the width of the window, as in -size.
	Height int  `json:"height"`
	Panel  bool `json:"panel"`
	Page   int  `json:"page"`
	HUD    bool `json:"metrics"`
	Time   bool `json:"timeline"`

	Files []string `json:"files"` // Files are the files that were saved and recorded, the newest first.
}

// These are the width and height of the window in the first run.
const defaultWidth, defaultHeight = 1280, 720

// layoutFile returns the path of the file for the layout. It returns "" if the
// system has no folder for such files.
func layoutFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "halfstep", "viewer.json")
}

// layoutMost is the greatest number of bytes that are read from the file.
const layoutMost = 4096

// readLayout returns the layout of the last run. It returns false if there is
// none, or if its values are invalid.
func readLayout() (l layout, ok bool) {
	if outfile.IsDevice(layoutFile()) { // a pipe might have no writer, so that opening it would not return
		return layout{}, false
	}
	f, err := os.Open(layoutFile())
	if err != nil {
		return layout{}, false
	}
	defer f.Close()
	if json.NewDecoder(io.LimitReader(f, layoutMost)).Decode(&l) != nil {
		return layout{}, false
	}
	return l, l.Width >= 64 && l.Width <= 16384 && l.Height >= 64 && l.Height <= 16384 && l.Page >= 0 && l.Page < len(panel.Pages)
}

// recall sets the size of the window to that of the last run, unless -size is
// given.
func (o *Options) recall() {
	if slices.Contains(o.given, "size") || !o.interactive() {
		return
	}
	if l, ok := readLayout(); ok {
		o.Width, o.Height = l.Width, l.Height
	}
}

// recall restores the rest of the layout. Flags take precedence.
func (v *viewer) recall() {
	l, ok := readLayout()
	if !ok || !v.o.interactive() {
		return
	}
	has := func(name string) bool { return slices.Contains(v.o.given, name) }
	v.panel.Page = l.Page
	for _, path := range l.Files[:min(len(l.Files), play.MostRecents)] {
		if _, err := os.Stat(path); err == nil {
			v.Recents.Paths = append(v.Recents.Paths, path)
		}
	}
	if !has("panel") {
		v.panel.On = l.Panel
	}
	if !has("hud") {
		v.picture.HUD.On = l.HUD
	}
	if !has("timeline") {
		v.picture.Timeline.On = l.Time
	}
}

// remember writes the layout for the next run. It ignores errors, because they do
// not affect this run.
func (v *viewer) remember() {
	path := layoutFile()
	if !v.o.interactive() || path == "" || outfile.IsDevice(path) {
		return
	}
	scale := max(v.picture.Surface.Scale, 1)
	w, h := int(math.Round(float64(v.picture.Surface.W)/scale)), int(math.Round(float64(v.picture.Surface.H)/scale))
	if v.picture.Surface.Empty() { // minimised
		w, h = v.o.Width, v.o.Height
	}
	l := layout{w, h, v.panel.On, v.panel.Page, v.picture.HUD.On, v.picture.Timeline.On, v.Recents.Paths}
	o, given := v.o, func(name string) bool { return slices.Contains(v.o.given, name) }
	old, ok := readLayout()
	if !ok { // there was no run before; without flags it would have begun like this
		old = layout{Width: defaultWidth, Height: defaultHeight, Panel: true}
	}
	// If a flag has set a value and the user has not changed it, the value is for this
	// run alone.
	if given("size") && w == o.Width && h == o.Height {
		l.Width, l.Height = old.Width, old.Height
	}
	if given("panel") && l.Panel == o.Panel.value {
		l.Panel = old.Panel
	}
	if given("hud") && l.HUD == o.HUD {
		l.HUD = old.HUD
	}
	if given("timeline") && l.Time == o.Timeline {
		l.Time = old.Time
	}
	data, err := json.Marshal(l)
	if err != nil || os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return
	}
	_ = outfile.Replace(path, func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}
