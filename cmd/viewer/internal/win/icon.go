package win

import (
	"image"
	"image/color"
)

// icons returns the window's icon in the usual sizes. It shows a body between
// two states, and the earlier state is faint.
func icons() (all []image.Image) {
	for _, size := range [...]int{16, 32, 48, 64} {
		m := image.NewNRGBA(image.Rect(0, 0, size, size))
		disc := func(cx, cy, r float64, c color.NRGBA) {
			for y := range size {
				for x := range size {
					dx, dy := (float64(x)+.5)/float64(size)-cx, (float64(y)+.5)/float64(size)-cy
					if dx*dx+dy*dy < r*r {
						m.SetNRGBA(x, y, c)
					}
				}
			}
		}
		disc(.5, .5, .5, color.NRGBA{19, 23, 31, 255})
		disc(.36, .40, .2, color.NRGBA{54, 90, 142, 255})
		disc(.58, .58, .24, color.NRGBA{96, 165, 250, 255})
		all = append(all, m)
	}
	return all
}
