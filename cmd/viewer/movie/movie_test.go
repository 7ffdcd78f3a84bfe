package movie

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"testing"
	"time"
)

// paint fills the movie's next picture: a square at x on a shaded ground.
func paint(p *image.NRGBA, x int) {
	w, h := p.Rect.Dx(), p.Rect.Dy()
	for y := range h {
		for i := range w {
			p.SetNRGBA(i, y, color.NRGBA{20, uint8(20 + 40*y/h), 30, 255})
		}
	}
	for y := h / 4; y < h/2; y++ {
		for i := x; i < min(x+w/8, w); i++ {
			p.SetNRGBA(i, y, color.NRGBA{220, 120, 40, 255})
		}
	}
}

func TestAMovieShowsWhatWasDrawn(t *testing.T) {
	m, file := Movie{Width: 640}, bytes.Buffer{}
	for i := range 60 { // this is a second at 60 frames a second
		now := time.Duration(i) * time.Second / 60
		if m.Due(now) {
			paint(m.Frame(960, 480), 10*i)
			m.Add(now)
		}
	}
	if err := m.Encode(&file); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&file)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(g.Image); n != 20 || g.Config.Width != 480 || g.Config.Height != 240 {
		t.Fatalf("%d frames of %d by %d", n, g.Config.Width, g.Config.Height)
	}
	sum := 0
	for _, d := range g.Delay {
		sum += d
	}
	if sum < 99 || sum > 101 {
		t.Errorf("a second lasts %d hundredths", sum)
	}
	screen := image.NewNRGBA(image.Rect(0, 0, 480, 240))
	for _, f := range g.Image {
		for y := f.Rect.Min.Y; y < f.Rect.Max.Y; y++ {
			for x := f.Rect.Min.X; x < f.Rect.Max.X; x++ {
				if _, _, _, a := f.At(x, y).RGBA(); a > 0 {
					screen.Set(x, y, f.At(x, y))
				}
			}
		}
	}
	full := image.NewNRGBA(image.Rect(0, 0, 960, 480))
	paint(full, 570) // this is the frame at 57/60 s
	want := image.NewNRGBA(screen.Rect)
	shrink(want, full)
	for i := range want.Pix {
		if d := int(want.Pix[i]) - int(screen.Pix[i]); d > 24 || d < -24 {
			t.Fatalf("byte %d is %d, not %d", i, screen.Pix[i], want.Pix[i])
		}
	}
}

func TestAMovieIsBounded(t *testing.T) {
	var m Movie
	n := 0
	for i := range 2 * mostFrames {
		now := time.Duration(i) * every
		if m.Due(now) {
			n++
			m.Frame(32, 16)
			m.Add(now)
		}
	}
	if n != mostFrames {
		t.Errorf("%d frames", n)
	}
}

func TestAMovieOfNothingIsStillAGIF(t *testing.T) {
	var m Movie
	var file bytes.Buffer
	if err := m.Encode(&file); err != nil {
		t.Fatal(err)
	}
	if _, err := gif.DecodeAll(&file); err != nil {
		t.Error(err)
	}
}

func TestAMovieSurvivesAWindowThatChangesSize(t *testing.T) {
	var m Movie
	for i, size := range []int{640, 64, 1280, 8, 640} {
		paint(m.Frame(size, size/2), 0)
		m.Add(time.Duration(i) * every)
	}
	if err := m.Encode(new(bytes.Buffer)); err != nil {
		t.Error(err)
	}
}

func TestAMovieKeepsTheSizeOfThePictureUnlessToldOtherwise(t *testing.T) {
	for width, want := range map[int]int{0: 900, 450: 450, 640: 450, 2000: 900} {
		m, file := Movie{Width: width}, bytes.Buffer{}
		paint(m.Frame(900, 300), 10)
		m.Add(0)
		if err := m.Encode(&file); err != nil {
			t.Fatal(err)
		}
		c, err := gif.DecodeConfig(&file)
		if err != nil || c.Width != want || c.Height != want/3 {
			t.Errorf("told %d: %dx%d, %v", width, c.Width, c.Height, err)
		}
	}
}
