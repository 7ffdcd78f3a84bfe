package main

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/image/draw"

	"halfstep/cmd/viewer/scenes"
)

// the size of a picture on a contact sheet in pixels, and the number of pictures in a row and
// in a column
const (
	sheetWide, sheetTall = 640, 400
	sheetRow, sheetRows  = 3, 4
)

// The contact sheets are for people, as in TestPicturesOfThePanel. They show every scene
// with its line after 2 and after 10 seconds, in three windows, at 100 and at 200 %.
func TestPicturesOfEveryScene(t *testing.T) {
	to := os.Getenv("HALFSTEP_PICTURES")
	if to == "" {
		t.Skip("no folder is set")
	}
	for _, size := range []image.Point{{1280, 720}, {640, 400}, {2560, 1440}} {
		for scale := 1; scale <= 2; scale++ {
			for _, seconds := range []int{2, 10} {
				name := fmt.Sprintf("%dx%d@%d00%%-%ds", size.X, size.Y, scale, seconds)
				t.Run(name, func(t *testing.T) { pictureScenes(t, to, name, size, scale, seconds) })
			}
		}
	}
}

func pictureScenes(t *testing.T, to, name string, size image.Point, scale, seconds int) {
	x := startX(t, 640, 400)
	x.setDPI(96 * scale)
	var pictures []string
	for _, s := range scenes.All() {
		if slices.Contains([]string{"fall5000", "fall10000"}, s.Name) && (seconds > 2 || size.X != 1280) {
			continue // these scenes would take as long as all others together
		}
		path := filepath.Join(to, s.Name+"-"+name+".png")
		status, _, stderr := viewerRun(t, []string{"DISPLAY=" + x.display, "XAUTHORITY="}, "-hidden", "-scene", s.Name, "-clock", "fixed:60",
			"-seek", strconv.Itoa(60*seconds), "-frames", "3", "-size", fmt.Sprintf("%dx%d", size.X, size.Y), "-screenshot", path)
		if status != exitOK {
			t.Errorf("%s: status %d, %s", path, status, stderr)
			continue
		}
		pictures = append(pictures, path)
	}
	for i := 1; len(pictures) > 0; i++ {
		n := min(len(pictures), sheetRow*sheetRows)
		if err := writeSheet(filepath.Join(to, fmt.Sprintf("sheet-%s-%d.png", name, i)), pictures[:n]); err != nil {
			t.Fatal(err)
		}
		pictures = pictures[n:]
	}
}

func writeSheet(path string, pictures []string) error {
	rows := (len(pictures) + sheetRow - 1) / sheetRow
	sheet := image.NewRGBA(image.Rect(0, 0, sheetRow*sheetWide, rows*sheetTall))
	for i, picture := range pictures {
		f, err := os.Open(picture)
		if err != nil {
			return err
		}
		p, err := png.Decode(f)
		f.Close()
		if err != nil {
			return err
		}
		at := image.Pt(i%sheetRow*sheetWide, i/sheetRow*sheetTall)
		size := p.Bounds().Size()
		tall := min(sheetTall, sheetWide*size.Y/size.X)
		draw.CatmullRom.Scale(sheet, image.Rectangle{at, at.Add(image.Pt(sheetWide, tall))}, p, p.Bounds(), draw.Src, nil)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, sheet), f.Close())
}
