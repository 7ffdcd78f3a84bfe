package main

import (
	"github.com/go-gl/gl/v4.1-core/gl"

	"halfstep/examples/internal/glwindow"
)

const vertexShader = `#version 410 core
uniform vec2 scale;
layout(location = 0) in vec4 box; // centre, half extents, m
layout(location = 1) in float light;
out float shade;
void main() {
	vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2 - 1;
	shade = light;
	gl_Position = vec4((box.xy + corner * box.zw) * scale, 0, 1);
}
`

const fragmentShader = `#version 410 core
in float shade;
out vec4 colour;
void main() { colour = vec4(shade * vec3(0.82, 0.95, 0.86), 1); }
`

// painter draws any number of rectangles with one draw call.
type painter struct {
	program, buffer uint32
	scale           int32
	boxes           []float32 // x, y, half width, half height, light
}

const boxFloats = 5

func newPainter() (*painter, error) {
	program, err := glwindow.Link(vertexShader, fragmentShader)
	if err != nil {
		return nil, err
	}
	p := &painter{program: program}
	p.scale = gl.GetUniformLocation(p.program, gl.Str("scale\x00"))
	var array uint32
	gl.GenVertexArrays(1, &array)
	gl.BindVertexArray(array)
	gl.GenBuffers(1, &p.buffer)
	gl.BindBuffer(gl.ARRAY_BUFFER, p.buffer)
	gl.VertexAttribPointerWithOffset(0, 4, gl.FLOAT, false, 4*boxFloats, 0)
	gl.VertexAttribPointerWithOffset(1, 1, gl.FLOAT, false, 4*boxFloats, 16)
	for i := range uint32(2) {
		gl.EnableVertexAttribArray(i)
		gl.VertexAttribDivisor(i, 1)
	}
	gl.UseProgram(p.program)
	return p, nil
}

func (p *painter) begin(w, h int) {
	gl.Viewport(0, 0, int32(w), int32(h))
	gl.ClearColor(.05, .07, .06, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	fit := min(float64(w)/halfWidth, float64(h)/halfHeight) // pixels per two metres
	gl.Uniform2f(p.scale, float32(fit/float64(max(w, 1))), float32(fit/float64(max(h, 1))))
	p.boxes = p.boxes[:0]
}

// add draws a rectangle with its centre at (x, y). w and h are half the width
// and half the height. All four are in m.
func (p *painter) add(x, y, w, h, light float64) {
	p.boxes = append(p.boxes, float32(x), float32(y), float32(w), float32(h), float32(light))
}

// segments has a bit for each of the seven bars of a digit: top, upper left,
// upper right, middle, lower left, lower right, bottom.
var segments = [10]uint8{0b1110111, 0b0100100, 0b1011101, 0b1101101, 0b0101110, 0b1101011, 0b1111011, 0b0100101, 0b1111111, 0b1101111}

func (p *painter) digit(x, y float64, n int, light float64) {
	bars := [7][4]float64{
		{0, .6, .3, .07}, {-.3, .3, .07, .3}, {.3, .3, .07, .3}, {0, 0, .3, .07},
		{-.3, -.3, .07, .3}, {.3, -.3, .07, .3}, {0, -.6, .3, .07},
	}
	for i, b := range bars {
		if segments[n%10]>>i&1 != 0 {
			p.add(x+b[0], y+b[1], b[2], b[3], light)
		}
	}
}

func (p *painter) end() {
	gl.BufferData(gl.ARRAY_BUFFER, 4*len(p.boxes), gl.Ptr(p.boxes), gl.STREAM_DRAW)
	gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(len(p.boxes)/boxFloats))
}
