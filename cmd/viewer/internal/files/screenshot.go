package files

import (
	"image"
	"image/png"
	"io"
	"os"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/outfile"
)

// WritePicture writes a picture to a new file and then shows the user a message. It works on another
// goroutine, because compressing the picture takes as long as several frames.
func WritePicture(to *play.Background, path string, picture image.Image) {
	to.Do(func() {
		err := WritePNG(path, picture)
		if err != nil {
			os.Remove(path)
		}
		to.ReportWritten(path, err)
	})
}

// WritePNG writes a picture.
func WritePNG(path string, picture image.Image) error {
	return outfile.Replace(path, func(w io.Writer) error { return png.Encode(w, picture) })
}
