package draw

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// SVG is a [Canvas] that writes a picture as SVG. It must be made by [NewSVG].
type SVG struct {
	out      bytes.Buffer
	camera   scene.Camera
	w, h     int
	scale    float64 // pixels per metre
	outlined []Vec   // scratch memory
}

var _ Canvas = (*SVG)(nil)

// NewSVG begins a picture of w by h pixels that shows the view of a camera, on a
// background colour.
func NewSVG(camera scene.Camera, w, h int, background body2d.Colour) *SVG {
	s := &SVG{camera: camera, w: w, h: h, scale: camera.Scale(h)}
	fmt.Fprintf(&s.out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", w, h, w, h)
	s.out.WriteString("<rect width=\"100%\" height=\"100%\"")
	s.paint("fill", background)
	s.out.WriteString("/>\n")
	return s
}

// Bytes ends the picture, and returns its text.
func (s *SVG) Bytes() []byte { return append(bytes.Clone(s.out.Bytes()), "</svg>\n"...) }

func (s *SVG) number(name string, x float64) {
	s.out.WriteByte(' ')
	s.out.WriteString(name)
	s.out.WriteString("=\"")
	s.out.Write(strconv.AppendFloat(s.out.AvailableBuffer(), x, 'f', 1, 64))
	s.out.WriteByte('"')
}

func (s *SVG) point(x, y string, at Vec) {
	px, py := s.camera.WorldToScreen(at.X, at.Y, s.w, s.h)
	s.number(x, px)
	s.number(y, py)
}

// paint writes a colour as the attribute fill or stroke.
func (s *SVG) paint(what string, c body2d.Colour) {
	fmt.Fprintf(&s.out, " %s=\"#%02x%02x%02x\"", what, c[0], c[1], c[2])
	if c[3] < 255 {
		fmt.Fprintf(&s.out, " %s-opacity=\"%.2f\"", what, float64(c[3])/255)
	}
}

func (s *SVG) look(l Look) {
	s.paint("fill", l.Fill)
	s.paint("stroke", l.Edge)
	s.out.WriteString("/>\n")
}

// Polygon draws a convex polygon of corners in m.
func (s *SVG) Polygon(corners []Vec, radius float64, l Look) {
	s.outlined = Rounded(s.outlined[:0], corners, radius)
	s.out.WriteString("<polygon points=\"")
	for i, v := range s.outlined {
		if i > 0 {
			s.out.WriteByte(' ')
		}
		x, y := s.camera.WorldToScreen(v.X, v.Y, s.w, s.h)
		fmt.Fprintf(&s.out, "%.1f,%.1f", x, y)
	}
	s.out.WriteByte('"')
	s.look(l)
}

// Circle draws a disc. The centre and the radius are in m.
func (s *SVG) Circle(centre Vec, radius float64, l Look) {
	s.out.WriteString("<circle")
	s.point("cx", "cy", centre)
	s.number("r", radius*s.scale)
	s.look(l)
}

// Capsule draws a line rounded by radius, all in m.
func (s *SVG) Capsule(a, b Vec, radius float64, l Look) { s.Polygon([]Vec{a, b}, radius, l) }

// Line draws a thin line between two points, m.
func (s *SVG) Line(a, b Vec, c body2d.Colour) {
	s.out.WriteString("<line")
	s.point("x1", "y1", a)
	s.point("x2", "y2", b)
	s.paint("stroke", c)
	s.out.WriteString(" stroke-width=\"1.5\" stroke-linecap=\"round\"/>\n")
}

// Point draws a dot at a point, m.
func (s *SVG) Point(at Vec, c body2d.Colour) {
	s.out.WriteString("<circle")
	s.point("cx", "cy", at)
	s.number("r", 2.5)
	s.paint("fill", c)
	s.out.WriteString("/>\n")
}

// Text writes text with its middle at a point of the world, m.
func (s *SVG) Text(at Vec, text string, c body2d.Colour) {
	s.out.WriteString("<text")
	s.point("x", "y", at)
	s.paint("fill", c)
	s.out.WriteString(" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\" dominant-baseline=\"central\">")
	_ = xml.EscapeText(&s.out, []byte(text))
	s.out.WriteString("</text>\n")
}
