package glrender

import (
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var regen = flag.Bool("regen", false, "write the golden pictures anew")

// differing counts the pixels that differ by more than a shade, and marks them
// red in a picture.
func differing(a, b *image.NRGBA) (n int, marked *image.NRGBA) {
	const shade = 24
	marked = image.NewNRGBA(a.Rect)
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			p, q := a.NRGBAAt(x, y), b.NRGBAAt(x, y)
			far := func(s, t uint8) bool { return max(s, t)-min(s, t) > shade }
			if far(p.R, q.R) || far(p.G, q.G) || far(p.B, q.B) {
				n++
				marked.SetNRGBA(x, y, color.NRGBA{255, 0, 0, 255})
			} else {
				marked.SetNRGBA(x, y, color.NRGBA{p.R / 4, p.G / 4, p.B / 4, 255})
			}
		}
	}
	return n, marked
}

func writePNG(t *testing.T, name string, m image.Image) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// golden compares a picture with testdata/name. Drivers differ in the last bit
// of sines and of blending, so half a percent of the pixels may differ.
func golden(t *testing.T, name string, got *image.NRGBA) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *regen {
		writePNG(t, path, got)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatalf("%v (write it with -regen)", err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	want := image.NewNRGBA(m.Bounds())
	for y := range want.Rect.Dy() {
		for x := range want.Rect.Dx() {
			want.Set(x, y, m.At(x, y))
		}
	}
	if want.Rect != got.Rect {
		t.Fatalf("%s is %v, the picture %v", name, want.Rect, got.Rect)
	}
	if n, marked := differing(got, want); n > got.Rect.Dx()*got.Rect.Dy()/200 {
		base := filepath.Join(os.TempDir(), "halfstep-"+strings.TrimSuffix(name, ".png"))
		writePNG(t, base+"-got.png", got)
		writePNG(t, base+"-diff.png", marked)
		t.Errorf("%d pixels differ from %s: see %s-diff.png", n, name, base)
	}
}
