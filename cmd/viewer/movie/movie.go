// Package movie makes animated GIFs.
package movie

import (
	"image"
	"image/color"
	"image/gif"
	"io"
	"slices"
	"time"
)

// The limits of a movie keep it small enough for a web page and for memory. Each changed pixel of a
// frame takes a byte.
const (
	every      = 50 * time.Millisecond // every is the time between frames, on the clock.
	mostFrames = 400
	mostBytes  = 512 << 20
)

// Movie collects frames for an animated GIF.
type Movie struct {
	Width int // Width is the greatest width of the movie in pixels. The value 0 means the width of the pictures.

	picture *image.NRGBA // picture is the picture that Frame returned, in full size.
	small   *image.NRGBA // small is picture in the size of the movie.
	palette *palette     // from the first picture
	out     gif.GIF
	shown   []time.Duration // shown is when each frame was shown.
	next    time.Duration   // next is when the next frame is due.
	last    *image.Paletted // last is the picture that a movie player shows after the last frame.
	bytes   int             // bytes is the size of all frames so far.
}

// Due reports whether a frame at that time should be added. Frames are about 50 ms apart, until the
// movie has reached its limits.
func (m *Movie) Due(now time.Duration) bool {
	return now >= m.next && len(m.out.Image) < mostFrames && m.bytes < mostBytes
}

// Frame returns a picture of that size, which the caller fills.
func (m *Movie) Frame(w, h int) *image.NRGBA {
	if m.picture == nil || m.picture.Rect.Dx() != w || m.picture.Rect.Dy() != h {
		m.picture = image.NewNRGBA(image.Rect(0, 0, w, h))
	}
	return m.picture
}

// Add adds the picture that Frame returned as a frame. The picture was shown at that time.
func (m *Movie) Add(now time.Duration) {
	m.next += every
	if m.next <= now {
		m.next = now + every
	}
	if m.small == nil {
		w, h := m.picture.Rect.Dx(), m.picture.Rect.Dy()
		by := 1
		if m.Width > 0 {
			by = (w + m.Width - 1) / m.Width
		}
		m.small = image.NewNRGBA(image.Rect(0, 0, max(w/by, 1), max(h/by, 1)))
	}
	shrink(m.small, m.picture)
	if m.palette == nil {
		m.palette = newPalette(m.small)
		m.last = image.NewPaletted(m.small.Rect, m.palette.colours) // all pixels are transparent, so that the first frame is drawn completely
	}
	frame := image.NewPaletted(m.small.Rect, m.palette.colours)
	m.palette.apply(frame, m.small)
	m.append(m.changes(frame), now)
}

func (m *Movie) append(frame *image.Paletted, now time.Duration) {
	m.out.Image = append(m.out.Image, frame)
	m.out.Disposal = append(m.out.Disposal, gif.DisposalNone)
	m.shown = append(m.shown, now)
	m.bytes += len(frame.Pix)
}

// changes returns the changed part of a frame. Unchanged pixels in that part become transparent,
// because long runs of one value compress well.
func (m *Movie) changes(frame *image.Paletted) *image.Paletted {
	box := image.Rectangle{}
	for y := range frame.Rect.Dy() {
		for x := range frame.Rect.Dx() {
			i := y*frame.Stride + x
			if frame.Pix[i] != m.last.Pix[i] {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if box.Empty() {
		box = image.Rect(0, 0, 1, 1)
	}
	part := image.NewPaletted(box, m.palette.colours)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			i := y*frame.Stride + x
			c := frame.Pix[i]
			if c == m.last.Pix[i] {
				c = transparent
			}
			part.SetColorIndex(x, y, c)
		}
	}
	copy(m.last.Pix, frame.Pix)
	return part
}

// Encode writes the movie. It is called once, at the end.
func (m *Movie) Encode(w io.Writer) error {
	if len(m.out.Image) == 0 { // a GIF has at least one frame
		one := image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.Black, color.White})
		m.append(one, 0)
	}
	// Delays are in hundredths of a second. The times are rounded, and not the delays, so that the
	// movie is as long as the run.
	for i, at := range m.shown {
		end := at + every
		if i+1 < len(m.shown) {
			end = m.shown[i+1]
		}
		m.out.Delay = append(m.out.Delay, int(end.Milliseconds()/10-at.Milliseconds()/10))
	}
	return gif.EncodeAll(w, &m.out)
}

// shrink scales src down into dst by a whole factor. Each pixel of dst is the mean of a square of
// pixels of src. Pixels at the right and at the bottom that fill no square are ignored.
func shrink(dst, src *image.NRGBA) {
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	by := min(src.Rect.Dx()/w, src.Rect.Dy()/h)
	if by < 1 { // the window has become smaller than the movie
		return
	}
	for y := range h {
		for x := range w {
			var r, g, b int
			for j := range by {
				row := src.Pix[(y*by+j)*src.Stride+4*x*by:]
				for i := range by {
					r, g, b = r+int(row[4*i]), g+int(row[4*i+1]), b+int(row[4*i+2])
				}
			}
			n := by * by
			p := dst.Pix[y*dst.Stride+4*x:]
			p[0], p[1], p[2], p[3] = uint8(r/n), uint8(g/n), uint8(b/n), 255
		}
	}
}

// transparent is the palette entry that leaves a pixel unchanged.
const transparent = 0

// palette maps colours to a transparent entry and at most 254 colours. The colours are chosen by
// median cut (Heckbert 1982) from a picture with fewer bits per channel.
type palette struct {
	colours color.Palette
	nearest [reducedColours]uint8 // nearest gives the index of the nearest of the colours for each reduced colour. The value transparent means that it is not computed yet.
}

// A reduced colour has channelBits bits for each of red, green and blue.
const (
	channelBits    = 6
	reducedColours = 1 << (3 * channelBits)
)

func reduced(r, g, b uint8) int {
	const drop = 8 - channelBits
	return (int(r>>drop)<<channelBits|int(g>>drop))<<channelBits | int(b>>drop)
}

// channel returns the red, the green or the blue of a reduced colour.
func channel(c, which int) int { return c >> ((2 - which) * channelBits) & (1<<channelBits - 1) }

// pixels has the number of pixels with one reduced colour, and the sums of their channels.
type pixels struct{ n, r, g, b int }

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
	for len(boxes) < 200 { // the other 54 entries are for colours of later pictures
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
	for i := range 54 { // these colours are evenly spread: 3 reds, 6 greens, 3 blues
		out.colours = append(out.colours, color.NRGBA{uint8(i % 3 * 127), uint8(i / 9 * 51), uint8(i / 3 % 3 * 127), 255})
	}
	return out
}

// widest finds the box with the widest channel. The result box is -1 if no box can be cut.
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

func (p *palette) apply(dst *image.Paletted, src *image.NRGBA) {
	for i := range dst.Pix {
		r, g, b := src.Pix[4*i], src.Pix[4*i+1], src.Pix[4*i+2]
		c := reduced(r, g, b)
		if p.nearest[c] == transparent {
			// the first colour that is reduced to c decides the entry for all such colours
			p.nearest[c] = uint8(1 + p.colours[1:].Index(color.NRGBA{r, g, b, 255}))
		}
		dst.Pix[i] = p.nearest[c]
	}
}
