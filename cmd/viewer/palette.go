package main

import (
	"image"
	"image/color"
	"slices"
)

// transparent is the palette entry that leaves a pixel unchanged.
const transparent = 0

// palette maps colours to 255 colours and transparent. It is chosen by median cut
// (Heckbert 1982) from a picture with fewer bits per channel.
type palette struct {
	colours color.Palette
	nearest [reducedColours]uint8 // by reduced colour; transparent: not computed yet
}

const (
	channelBits    = 6
	reducedColours = 1 << (3 * channelBits)
)

func reduced(r, g, b uint8) int {
	const drop = 8 - channelBits
	return (int(r>>drop)<<channelBits|int(g>>drop))<<channelBits | int(b>>drop)
}

// channel is the red, green or blue of a reduced colour.
func channel(c, which int) int { return c >> ((2 - which) * channelBits) & (1<<channelBits - 1) }

// pixels counts the pixels of one reduced colour and sums their channels.
type pixels struct{ n, r, g, b int }

// newPalette chooses a palette for a picture and others like it.
func newPalette(p *image.NRGBA) *palette {
	found := make([]pixels, reducedColours)
	for i := 0; i+3 < len(p.Pix); i += 4 {
		r, g, b := p.Pix[i], p.Pix[i+1], p.Pix[i+2]
		f := &found[reduced(r, g, b)]
		f.n, f.r, f.g, f.b = f.n+1, f.r+int(r), f.g+int(g), f.b+int(b)
	}
	all := make([]int, 0, 1<<10)
	for c := range found {
		if found[c].n > 0 {
			all = append(all, c)
		}
	}
	boxes := [][]int{all}
	for len(boxes) < 200 { // the rest is for colours that come later
		i, ch := widest(boxes)
		if i < 0 {
			break
		}
		b := boxes[i]
		slices.SortFunc(b, func(x, y int) int { return channel(x, ch) - channel(y, ch) })
		boxes[i] = b[:len(b)/2]
		boxes = append(boxes, b[len(b)/2:])
	}
	out := &palette{colours: color.Palette{color.NRGBA{}}}
	for _, b := range boxes {
		if len(b) > 0 {
			out.colours = append(out.colours, mean(b, found))
		}
	}
	for i := range 54 { // an even spread: 3 reds, 6 greens, 3 blues
		out.colours = append(out.colours, color.NRGBA{uint8(i % 3 * 127), uint8(i / 9 * 51), uint8(i / 3 % 3 * 127), 255})
	}
	return out
}

// widest finds the box with the widest channel. box is -1 if none can be cut.
func widest(boxes [][]int) (box, ch int) {
	box, most := -1, 0
	for i, b := range boxes {
		for k := range 3 {
			low, high := 1<<channelBits, 0
			for _, c := range b {
				low, high = min(low, channel(c, k)), max(high, channel(c, k))
			}
			if high-low > most {
				box, ch, most = i, k, high-low
			}
		}
	}
	return box, ch
}

func mean(box []int, found []pixels) color.NRGBA {
	var s pixels
	for _, c := range box {
		f := found[c]
		s = pixels{s.n + f.n, s.r + f.r, s.g + f.g, s.b + f.b}
	}
	half := s.n / 2
	return color.NRGBA{uint8((s.r + half) / s.n), uint8((s.g + half) / s.n), uint8((s.b + half) / s.n), 255}
}

// apply converts src to dst, which has the same size.
func (p *palette) apply(dst *image.Paletted, src *image.NRGBA) {
	for i := range dst.Pix {
		r, g, b := src.Pix[4*i], src.Pix[4*i+1], src.Pix[4*i+2]
		c := reduced(r, g, b)
		if p.nearest[c] == transparent {
			p.nearest[c] = uint8(1 + p.colours[1:].Index(color.NRGBA{r, g, b, 255}))
		}
		dst.Pix[i] = p.nearest[c]
	}
}
