package main

import (
	"cmp"
	"image"
	"image/png"
	"io"
	"os"
	"sync"

	"halfstep/cmd/viewer/outfile"
)

// background counts the files that are being written on other goroutines, such as screenshots.
type background struct {
	tell func(text string) // tells the user that a file was written, or why not; on any goroutine

	wg  sync.WaitGroup
	mu  sync.Mutex
	err error // the first
}

// capture reads the picture just drawn, if the movie or a screenshot needs it.
// It must come before the swap, after which the back buffer is undefined.
func (v *viewer) capture(last bool) {
	if v.movie != nil && v.movie.Due(v.elapsed) {
		v.gl[onLeft].ReadPixels(v.viewport(), v.movie.Frame(v.surface.W, v.surface.H))
		v.movie.Add(v.elapsed)
	}
	if last && v.o.Screenshot != "" {
		if err := writePNG(v.o.Screenshot, v.gl[onLeft].Screenshot(v.viewport())); err != nil {
			v.noScreenshot(err)
		}
		return
	}
	if v.wantPicture {
		v.wantPicture = false
		path, err := outfile.Free("halfstep-%03d.png", "screenshots")
		if err != nil {
			v.say(err.Error())
			return
		}
		v.writePicture(path, v.gl[onLeft].Screenshot(v.viewport()))
	}
}

// noScreenshot keeps the error of -screenshot for the end of the run, whose summary does not tell of
// the picture then. The other files are written.
func (v *viewer) noScreenshot(err error) {
	v.files.failed(err)
	v.o.Screenshot = ""
}

// writePicture writes a picture to a new file, and then tells the user. It does so on another goroutine,
// because compressing a picture takes as long as several frames.
func (v *viewer) writePicture(path string, picture image.Image) {
	v.files.do(func() {
		err := writePNG(path, picture)
		if err != nil {
			os.Remove(path)
		}
		v.files.wrote(path, err)
	})
}

// wrote tells the user that a file was written, or the error. Any goroutine may call it.
func (p *background) wrote(path string, err error) {
	text := "wrote " + path
	if err != nil {
		p.failed(err)
		text = err.Error()
	}
	p.tell(text)
}

// do writes a file on another goroutine: a disk may be slow.
func (p *background) do(write func()) {
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		write()
	}()
}

// failed keeps the first error for the end of the run. Any goroutine may call it.
func (p *background) failed(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = cmp.Or(p.err, err)
}

// wait waits until all files are written, and returns the first error.
func (p *background) wait() error {
	p.wg.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// writePNG writes a picture.
func writePNG(path string, picture image.Image) error {
	return outfile.Replace(path, func(w io.Writer) error { return png.Encode(w, picture) })
}
