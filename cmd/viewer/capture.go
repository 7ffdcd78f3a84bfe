package main

import (
	"halfstep/cmd/viewer/internal/files"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/outfile"
)

// capture reads the picture that was just drawn, if the movie or a screenshot needs the picture.
// It must be called before the swap, after which the back buffer is undefined.
func (v *viewer) capture(last bool) {
	if v.movie != nil && v.movie.Due(v.elapsed) {
		v.picture.Pixels(v.movie.Frame(v.picture.Surface.W, v.picture.Surface.H))
		v.movie.Add(v.elapsed)
	}
	if last && v.o.Screenshot != "" {
		if err := files.WritePNG(v.o.Screenshot, v.picture.Image()); err != nil {
			v.noScreenshot(err)
		}
		return
	}
	if v.wantPicture {
		v.wantPicture = false
		path, err := outfile.Free("halfstep-%03d.png", "screenshots")
		if err != nil {
			v.picture.Warn(play.NotSaved(err))
			return
		}
		files.WritePicture(v.Files, path, v.picture.Image())
	}
}

// noScreenshot keeps the error of -screenshot until the end of the run. The summary then omits
// the picture, and the other files are written.
func (v *viewer) noScreenshot(err error) {
	v.Files.Failed(err)
	v.o.Screenshot = ""
}
