package main

import (
	"github.com/go-gl/gl/v4.1-core/gl"

	"halfstep/examples/internal/glwindow"
)

// the part of the world that the picture shows
const (
	visible = 14.0 // height of the picture, m
	bottom  = -2.0 // height of the picture's lower edge, m
)

func toWorld(x, y float64, w, h int) (wx, wy float64) {
	scale := visible / float64(max(h, 1))
	return (x - float64(w)/2) * scale, bottom + visible - y*scale
}

type colour [4]uint8

var colours = []colour{{222, 122, 92, 255}, {120, 168, 120, 255}, {106, 142, 190, 255}, {214, 180, 92, 255}, {160, 128, 184, 255}}

// lighter mixes c with white: 0 gives c, 1 gives white.
func (c colour) lighter(t float64) colour {
	for i := range 3 {
		c[i] += uint8(t * float64(255-c[i]))
	}
	return c
}

const vertexShader = `#version 410 core
uniform vec2 scale;     // clip space per metre
uniform float middle;   // y of the middle of the picture, m
layout(location = 0) in vec4 place;  // x, y, angle; 1 for a ball, 0 for a box
layout(location = 1) in vec2 extent; // half the width and half the height, m
layout(location = 2) in vec4 tint;
out vec2 local;   // m
flat out vec2 size;
flat out float ball;
out vec4 paint;
void main() {
	const float margin = 0.05; // for the smooth edge
	vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2 - 1;
	local = corner * (extent + margin);
	size = extent;
	ball = place.w;
	paint = tint;
	float s = sin(place.z), c = cos(place.z);
	vec2 world = place.xy + vec2(c * local.x - s * local.y, s * local.x + c * local.y);
	gl_Position = vec4((world - vec2(0, middle)) * scale, 0, 1);
}
`

const fragmentShader = `#version 410 core
in vec2 local;
flat in vec2 size;
flat in float ball;
in vec4 paint;
out vec4 colour;
void main() {
	vec2 d = abs(local) - size;
	float outside = ball > 0.5 ? length(local) - size.x : max(d.x, d.y);
	float pixel = fwidth(local.x) + fwidth(local.y);
	// A spoke shows how a ball turns.
	float mark = ball > 0.5 && local.x > 0 ? 1 - smoothstep(0.03, 0.03 + pixel, abs(local.y)) : 0;
	float rim = smoothstep(-0.06 - pixel, -0.06, outside);
	colour = vec4(mix(paint.rgb, paint.rgb * 0.6, max(mark, rim)), paint.a * (1 - smoothstep(-pixel, 0, outside)));
}
`

// instance is a box or a ball in the GPU's buffer.
type instance struct {
	x, y, angle, ball float32
	w, h              float32
	colour            colour
}

const instanceSize = 28 // bytes

// painter draws any number of boxes and balls with one draw call.
type painter struct {
	program, array, buffer uint32
	scale, middle          int32
	list                   []instance
}

func newPainter() (*painter, error) {
	program, err := glwindow.Link(vertexShader, fragmentShader)
	if err != nil {
		return nil, err
	}
	p := &painter{program: program}
	p.scale = gl.GetUniformLocation(p.program, gl.Str("scale\x00"))
	p.middle = gl.GetUniformLocation(p.program, gl.Str("middle\x00"))
	gl.GenVertexArrays(1, &p.array)
	gl.GenBuffers(1, &p.buffer)
	gl.BindVertexArray(p.array)
	gl.BindBuffer(gl.ARRAY_BUFFER, p.buffer)
	for i, a := range []struct {
		n      int32
		kind   uint32
		offset uintptr
	}{{4, gl.FLOAT, 0}, {2, gl.FLOAT, 16}, {4, gl.UNSIGNED_BYTE, 24}} {
		gl.VertexAttribPointerWithOffset(uint32(i), a.n, a.kind, a.kind == gl.UNSIGNED_BYTE, instanceSize, a.offset)
		gl.VertexAttribDivisor(uint32(i), 1)
		gl.EnableVertexAttribArray(uint32(i))
	}
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
	return p, nil
}

// begin starts a picture of w by h pixels.
func (p *painter) begin(w, h int) {
	gl.Viewport(0, 0, int32(w), int32(h))
	gl.ClearColor(.11, .12, .15, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	gl.UseProgram(p.program)
	gl.Uniform2f(p.scale, float32(2/visible*float64(h)/float64(max(w, 1))), 2/visible)
	gl.Uniform1f(p.middle, bottom+visible/2)
	p.list = p.list[:0]
}

// add adds a box or a ball to the picture. Lengths are in m, the angle in rad.
func (p *painter) add(x, y, angle, w, h float64, ball bool, c colour) {
	i := instance{float32(x), float32(y), float32(angle), 0, float32(w), float32(h), c}
	if ball {
		i.ball = 1
	}
	p.list = append(p.list, i)
}

func (p *painter) end() {
	if len(p.list) == 0 {
		return
	}
	gl.BindVertexArray(p.array)
	gl.BindBuffer(gl.ARRAY_BUFFER, p.buffer)
	gl.BufferData(gl.ARRAY_BUFFER, instanceSize*len(p.list), gl.Ptr(p.list), gl.STREAM_DRAW)
	gl.DrawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, int32(len(p.list)))
}
