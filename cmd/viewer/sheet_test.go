package main

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/draw"

	"halfstep/cmd/viewer/scenes"
)

// The size of a picture on the contact sheet, pixels, and how many are in a row.
const (
	sheetWide, sheetTall = 640, 360
	sheetRow             = 3
)

// The contact sheet is for people, as TestPicturesOfThePanel is: every scene after
// three seconds, with its line.
func TestPicturesOfEveryScene(t *testing.T) {
	to := os.Getenv("HALFSTEP_PICTURES")
	if to == "" {
		t.Skip("no folder is set")
	}
	needDisplay(t)
	all := scenes.All()
	rows := (len(all) + sheetRow - 1) / sheetRow
	sheet := image.NewRGBA(image.Rect(0, 0, sheetRow*sheetWide, rows*sheetTall))
	for i, s := range all {
		ticks := "180"
		if s.Name == "fall10000" || s.Name == "fall5000" {
			ticks = "60"
		}
		path := filepath.Join(to, "scene-"+s.Name+".png")
		status, _, stderr := viewerRun(t, nil, "-hidden", "-scene", s.Name, "-clock", "fixed:60", "-ticks", ticks, "-size", "960x540", "-screenshot", path)
		if status != exitOK {
			t.Errorf("%s: status %d, %s", s.Name, status, stderr)
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		at := image.Pt(i%sheetRow*sheetWide, i/sheetRow*sheetTall)
		draw.CatmullRom.Scale(sheet, image.Rectangle{at, at.Add(image.Pt(sheetWide, sheetTall))}, p, p.Bounds(), draw.Src, nil)
	}
	f, err := os.Create(filepath.Join(to, "scenes.png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, sheet); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
