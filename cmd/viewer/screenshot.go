package main

import (
	"image"
	"image/png"
	"io"
	"os"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/outfile"
)

// writePicture writes a picture to a new file, and then tells the user. It does so on another goroutine,
// because compressing a picture takes as long as several frames.
func writePicture(to *play.Background, path string, picture image.Image) {
	to.Do(func() {
		err := writePNG(path, picture)
		if err != nil {
			os.Remove(path)
		}
		to.Wrote(path, err)
	})
}

// writePNG writes a picture.
func writePNG(path string, picture image.Image) error {
	return outfile.Replace(path, func(w io.Writer) error { return png.Encode(w, picture) })
}
