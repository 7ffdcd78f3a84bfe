package main

import (
	"image"
	"image/color"
	"image/gif"
	"io"
	"time"
)

// Limits of a movie, which keep it small enough for a web page and for the memory,
// where each changed pixel of a frame takes a byte.
const (
	movieEvery  = 50 * time.Millisecond // between frames, on the clock
	movieFrames = 400                   // at most
	movieBytes  = 512 << 20             // at most
)

// movie collects frames for an animated GIF.
type movie struct {
	path    string
	ending  <-chan struct{} // see openOutput
	picture *image.NRGBA    // full size
	small   *image.NRGBA
	palette *palette
	out     gif.GIF
	shown   []time.Duration // when each frame came
	next    time.Duration
	last    *image.Paletted // what a player shows after the frames so far
	width   int             // at most, pixels; 0 is that of the picture
	bytes   int             // of the frames so far
}

// newMovie begins a movie of at most that width in pixels; 0 keeps the size.
func newMovie(path string, ending <-chan struct{}, width int) (*movie, error) {
	if err := checkWritable(path); err != nil {
		return nil, err
	}
	return &movie{path: path, ending: ending, width: width}, nil
}

// due reports whether a frame at that time should be added.
func (m *movie) due(now time.Duration) bool {
	return now >= m.next && len(m.out.Image) < movieFrames && m.bytes < movieBytes
}

// frame returns a picture of that size for the caller to fill.
func (m *movie) frame(w, h int) *image.NRGBA {
	if m.picture == nil || m.picture.Rect.Dx() != w || m.picture.Rect.Dy() != h {
		m.picture = image.NewNRGBA(image.Rect(0, 0, w, h))
	}
	return m.picture
}

// add adds the picture from frame.
func (m *movie) add(now time.Duration) {
	m.next += movieEvery
	if m.next <= now {
		m.next = now + movieEvery
	}
	if m.small == nil {
		w, h := m.picture.Rect.Dx(), m.picture.Rect.Dy()
		by := 1
		if m.width > 0 {
			by = (w + m.width - 1) / m.width
		}
		m.small = image.NewNRGBA(image.Rect(0, 0, max(w/by, 1), max(h/by, 1)))
		shrink(m.small, m.picture)
		m.palette = newPalette(m.small)
		m.last = image.NewPaletted(m.small.Rect, m.palette.colours)
		m.palette.apply(m.last, m.small)
		m.append(clone(m.last), now)
		return
	}
	shrink(m.small, m.picture)
	frame := image.NewPaletted(m.small.Rect, m.palette.colours)
	m.palette.apply(frame, m.small)
	m.append(m.changes(frame), now)
}

func (m *movie) append(frame *image.Paletted, now time.Duration) {
	m.out.Image = append(m.out.Image, frame)
	m.out.Disposal = append(m.out.Disposal, gif.DisposalNone)
	m.shown = append(m.shown, now)
	m.bytes += len(frame.Pix)
}

// changes cuts out the part of a frame that changed, and makes the unchanged
// pixels in it transparent: long runs of one colour compress well.
func (m *movie) changes(frame *image.Paletted) *image.Paletted {
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

func clone(p *image.Paletted) *image.Paletted {
	q := *p
	q.Pix = append([]uint8(nil), p.Pix...)
	return &q
}

// close writes the file.
func (m *movie) close() error {
	if len(m.out.Image) == 0 { // a GIF has at least one frame
		one := image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.Black, color.White})
		m.append(one, 0)
	}
	// Delays are in hundredths of a second. To keep the movie as long as the run,
	// the times are rounded, not the delays.
	for i, at := range m.shown {
		end := at + movieEvery
		if i+1 < len(m.shown) {
			end = m.shown[i+1]
		}
		m.out.Delay = append(m.out.Delay, int(end.Milliseconds()/10-at.Milliseconds()/10))
	}
	return writeAtomic(m.path, m.ending, func(w io.Writer) error { return gif.EncodeAll(w, &m.out) })
}

// shrink scales src down into dst by a whole factor, by averaging.
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
