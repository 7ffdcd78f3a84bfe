package main

import (
	"image/png"
	"os"

	"halfstep/renderloop/glrender"
)

// screenshot writes the picture to a PNG file. Call it before the swap.
func (p *program) screenshot(path string, w, h int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(f, p.debug.Screenshot(glrender.Viewport{W: w, H: h})); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
