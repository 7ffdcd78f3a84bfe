package main

import (
	"halfstep/cmd/viewer/outfile"
)

// capture reads the picture just drawn, if the movie or a screenshot needs it.
// It must come before the swap, after which the back buffer is undefined.
func (v *viewer) capture(last bool) {
	if v.movie != nil && v.movie.Due(v.elapsed) {
		v.picture.pixels(v.movie.Frame(v.picture.surface.W, v.picture.surface.H))
		v.movie.Add(v.elapsed)
	}
	if last && v.o.Screenshot != "" {
		if err := writePNG(v.o.Screenshot, v.picture.image()); err != nil {
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
		writePicture(v.Files, path, v.picture.image())
	}
}

// noScreenshot keeps the error of -screenshot for the end of the run, whose summary does not tell of
// the picture then. The other files are written.
func (v *viewer) noScreenshot(err error) {
	v.Files.Failed(err)
	v.o.Screenshot = ""
}
