package main

import (
	"image"
	"image/color"
	"slices"
)

// transparent is the palette entry that leaves a pixel as it is.
const transparent = 0

// palette maps colours to 255 of them and transparent, chosen by median cut
// (Heckbert 1982) of a picture reduced to 5 bits a channel.
type palette struct {
	colours color.Palette
	nearest [1 << 15]uint8 // by reduced colour; 0 is not yet known
}

// reduced is a colour with 5 bits a channel.
func reduced(r, g, b uint8) int { return int(r>>3)<<10 | int(g>>3)<<5 | int(b>>3) }

// channel is 0 to 31: red, green or blue of a reduced colour.
func channel(c, which int) int { return c >> (10 - 5*which) & 31 }

// newPalette chooses the palette for a picture and others like it.
func newPalette(p *image.NRGBA) *palette {
	var count [1 << 15]int
	for i := 0; i+3 < len(p.Pix); i += 4 {
		count[reduced(p.Pix[i], p.Pix[i+1], p.Pix[i+2])]++
	}
	all := make([]int, 0, 1<<10)
	for c, n := range count {
		if n > 0 {
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
			out.colours = append(out.colours, mean(b, &count))
		}
	}
	for i := range 54 { // an even spread: 3 reds, 6 greens, 3 blues
		out.colours = append(out.colours, color.NRGBA{uint8(i % 3 * 127), uint8(i / 9 * 51), uint8(i / 3 % 3 * 127), 255})
	}
	return out
}

// widest finds the box with the widest channel, -1 where none can be cut.
func widest(boxes [][]int) (box, ch int) {
	box, most := -1, 0
	for i, b := range boxes {
		for k := range 3 {
			low, high := 31, 0
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

func mean(b []int, count *[1 << 15]int) color.NRGBA {
	var sum [3]int
	n := 0
	for _, c := range b {
		for k := range 3 {
			sum[k] += channel(c, k) * count[c]
		}
		n += count[c]
	}
	at := func(k int) uint8 { return uint8((sum[k]*255/31 + n/2) / n) }
	return color.NRGBA{at(0), at(1), at(2), 255}
}

// apply maps a picture of the same size.
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
