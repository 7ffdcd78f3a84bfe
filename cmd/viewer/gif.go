package main

import (
	"image"
	"image/color"
	"image/gif"
	"io"
	"time"
)

// A movie is small enough to be put on a page: its frames are at most this far
// apart and this many, and no wider than this. That bounds its memory, which
// is a byte a pixel and frame, to some 100 MB.
const (
	movieEvery  = 50 * time.Millisecond // of the clock
	movieFrames = 400
	movieWidth  = 640
)

// movie collects frames for an animated GIF.
type movie struct {
	path    string
	picture *image.NRGBA // as read
	small   *image.NRGBA
	palette *palette
	out     gif.GIF
	shown   []time.Duration // when each frame came
	next    time.Duration
	last    *image.Paletted // what is on the screen after the frames so far
}

func newMovie(path string) (*movie, error) {
	if err := checkWhole(path); err != nil {
		return nil, err
	}
	return &movie{path: path}, nil
}

// due reports whether a frame at that time of the clock is to be added.
func (m *movie) due(now time.Duration) bool {
	return now >= m.next && len(m.out.Image) < movieFrames
}

// frame returns a picture of that size to be filled.
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
		by := (w + movieWidth - 1) / movieWidth
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
}

// changes cuts out of a frame what is not on the screen already, and makes
// transparent what is: long runs of one colour take no room in the file.
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
	// Delays are hundredths of a second. Rounding the instants, not the delays,
	// keeps the movie as long as the run.
	for i, at := range m.shown {
		end := at + movieEvery
		if i+1 < len(m.shown) {
			end = m.shown[i+1]
		}
		m.out.Delay = append(m.out.Delay, int(end.Milliseconds()/10-at.Milliseconds()/10))
	}
	return writeWhole(m.path, func(w io.Writer) error { return gif.EncodeAll(w, &m.out) })
}

// shrink averages src down into dst, by a whole factor.
func shrink(dst, src *image.NRGBA) {
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	by := min(src.Rect.Dx()/w, src.Rect.Dy()/h)
	if by < 1 { // the window was made smaller
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
