package main

import (
	"image"
	"image/png"
	"io"
	"os"

	"halfstep/cmd/viewer/outfile"
)

// capture reads the picture just drawn, if the movie or a screenshot needs it.
// It must come before the swap, after which the back buffer is undefined.
func (v *viewer) capture(last bool) {
	if v.movie != nil && v.movie.Due(v.elapsed) {
		v.picture.gl[onLeft].ReadPixels(v.picture.viewport(), v.movie.Frame(v.picture.surface.W, v.picture.surface.H))
		v.movie.Add(v.elapsed)
	}
	if last && v.o.Screenshot != "" {
		if err := writePNG(v.o.Screenshot, v.picture.gl[onLeft].Screenshot(v.picture.viewport())); err != nil {
			v.noScreenshot(err)
		}
		return
	}
	if v.wantPicture {
		v.wantPicture = false
		path, err := outfile.Free("halfstep-%03d.png", "screenshots")
		if err != nil {
			v.picture.Say(err.Error())
			return
		}
		v.writePicture(path, v.picture.gl[onLeft].Screenshot(v.picture.viewport()))
	}
}

// noScreenshot keeps the error of -screenshot for the end of the run, whose summary does not tell of
// the picture then. The other files are written.
func (v *viewer) noScreenshot(err error) {
	v.Files.Failed(err)
	v.o.Screenshot = ""
}

// writePicture writes a picture to a new file, and then tells the user. It does so on another goroutine,
// because compressing a picture takes as long as several frames.
func (v *viewer) writePicture(path string, picture image.Image) {
	v.Files.Do(func() {
		err := writePNG(path, picture)
		if err != nil {
			os.Remove(path)
		}
		v.Files.Wrote(path, err)
	})
}

// writePNG writes a picture.
func writePNG(path string, picture image.Image) error {
	return outfile.Replace(path, func(w io.Writer) error { return png.Encode(w, picture) })
}
