package main

import (
	"fmt"
	"image"
	"image/png"
	"math"
	"os"

	"github.com/go-gl/gl/v4.1-core/gl"
)

const vertexShader = `#version 410 core
uniform vec4 view; // centre, m; metres to clip space
layout(location = 0) in vec4 box;   // centre, half extents, m
layout(location = 1) in vec4 paint; // colour, angle
layout(location = 2) in float round;
out vec3 tint;
out vec2 place; // -1 to 1
flat out float disc;
void main() {
	place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2 - 1;
	tint = paint.rgb;
	disc = round;
	float s = sin(paint.w), c = cos(paint.w);
	vec2 p = place * box.zw;
	p = box.xy + vec2(c * p.x - s * p.y, s * p.x + c * p.y);
	gl_Position = vec4((p - view.xy) * view.zw, 0, 1);
}
` + "\x00"

const fragmentShader = `#version 410 core
in vec3 tint;
in vec2 place;
flat in float disc;
out vec4 colour;
void main() {
	float r = length(place);
	if (disc > 0.5 && r > 1) discard;
	float shade = disc > 0.5 ? 1.08 - 0.3 * r * r : 0.94 + 0.08 * place.y;
	if (disc > 0.5 && abs(place.x) < 0.07 && place.y > 0) shade *= 0.75; // shows that it turns
	colour = vec4(tint * shade, 1);
}
` + "\x00"

// painter draws any number of boxes and discs with one draw call.
type painter struct {
	program, buffer uint32
	view            int32
	w, h            int
	list            []float32
}

const itemFloats = 9 // x, y, half width, half height, red, green, blue, angle, round

func newPainter() (*painter, error) {
	if err := gl.Init(); err != nil {
		return nil, err
	}
	p := &painter{program: gl.CreateProgram()}
	for kind, source := range map[uint32]string{gl.VERTEX_SHADER: vertexShader, gl.FRAGMENT_SHADER: fragmentShader} {
		shader := gl.CreateShader(kind)
		text, free := gl.Strs(source)
		gl.ShaderSource(shader, 1, text, nil)
		free()
		gl.CompileShader(shader)
		gl.AttachShader(p.program, shader)
	}
	gl.LinkProgram(p.program)
	var ok int32
	if gl.GetProgramiv(p.program, gl.LINK_STATUS, &ok); ok != gl.TRUE {
		var log [1024]uint8
		gl.GetProgramInfoLog(p.program, int32(len(log)), nil, &log[0])
		return nil, fmt.Errorf("shader: %s", gl.GoStr(&log[0]))
	}
	p.view = gl.GetUniformLocation(p.program, gl.Str("view\x00"))
	var array uint32
	gl.GenVertexArrays(1, &array)
	gl.BindVertexArray(array)
	gl.GenBuffers(1, &p.buffer)
	gl.BindBuffer(gl.ARRAY_BUFFER, p.buffer)
	for i, part := range [...]struct {
		size   int32
		offset uintptr
	}{{4, 0}, {4, 16}, {1, 32}} {
		gl.VertexAttribPointerWithOffset(uint32(i), part.size, gl.FLOAT, false, 4*itemFloats, part.offset)
		gl.EnableVertexAttribArray(uint32(i))
		gl.VertexAttribDivisor(uint32(i), 1)
	}
	gl.UseProgram(p.program)
	return p, nil
}

// begin starts a picture of w by h pixels.
func (p *painter) begin(w, h int) {
	gl.Viewport(0, 0, int32(w), int32(h))
	gl.ClearColor(.67, .81, .90, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	p.w, p.h = max(w, 1), max(h, 1)
	p.list = p.list[:0]
}

// camera shows 20 m by 11.25 m, or more, round a point of the world.
func (p *painter) camera(x, y float64) {
	fit := min(float64(p.w)/10, float64(p.h)/5.625) // pixels per two metres
	gl.Uniform4f(p.view, float32(x), float32(y), float32(fit/float64(p.w)), float32(fit/float64(p.h)))
}

// add draws a body at (x, y), m, turned by an angle, rad.
func (p *painter) add(x, y, angle float64, l look) {
	round := float32(0)
	if l.round {
		round = 1
	}
	p.list = append(p.list, float32(x), float32(y), float32(l.w), float32(l.h),
		l.colour[0], l.colour[1], l.colour[2], float32(math.Remainder(angle, 2*math.Pi)), round)
}

func (p *painter) end() {
	if len(p.list) == 0 {
		return
	}
	gl.BufferData(gl.ARRAY_BUFFER, 4*len(p.list), gl.Ptr(p.list), gl.STREAM_DRAW)
	gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(len(p.list)/itemFloats))
}

// screenshot writes the picture to a PNG file. Call it before the swap.
func screenshot(path string, w, h int) error {
	picture := image.NewRGBA(image.Rect(0, 0, w, h))
	if len(picture.Pix) == 0 {
		return fmt.Errorf("%s: the window has no size", path)
	}
	row := make([]uint8, picture.Stride)
	gl.ReadPixels(0, 0, int32(w), int32(h), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(picture.Pix))
	for y := range h / 2 { // OpenGL has the lowest row first
		a, b := picture.Pix[y*len(row):][:len(row)], picture.Pix[(h-1-y)*len(row):][:len(row)]
		copy(row, a)
		copy(a, b)
		copy(b, row)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(f, picture); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
