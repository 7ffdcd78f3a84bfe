package main

import (
	"math"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"halfstep/examples/internal/glwindow"
)

const vertexShader = `#version 410 core
uniform mat4 camera, model;
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 direction;
out vec3 place, normal;
void main() {
	vec4 p = model * vec4(corner, 1);
	place = p.xyz;
	normal = mat3(model) * direction;
	gl_Position = camera * p;
}
`

const fragmentShader = `#version 410 core
uniform vec4 tint;  // w: how much of the light counts
uniform vec3 light; // direction towards the light
uniform float tiles;
in vec3 place, normal;
out vec4 colour;
void main() {
	vec3 n = normalize(normal);
	float lit = 0.42 + 0.14 * n.y + 0.55 * max(dot(n, light), 0);
	vec3 c = tint.rgb * mix(1, lit, tint.w);
	// The tiles of the floor fade where they are smaller than a few pixels.
	vec2 wave = sin(place.xz * 1.5707963);
	vec2 sharp = clamp(wave / (fwidth(place.xz) * 3), -1, 1);
	float far = smoothstep(12, 34, length(place.xz));
	c *= 1 + tiles * 0.07 * sharp.x * sharp.y * (1 - far);
	colour = vec4(mix(c, vec3(.74, .80, .86), tiles * far), 1);
}
`

// painter draws lit blocks on a floor, with their shadows.
type painter struct {
	program, array             uint32
	camera, model, tint, tiles int32
	view                       mgl32.Mat4
	list                       []block
}

type block struct {
	model  mgl32.Mat4 // matrix of a cube with sides of 1 m
	colour mgl32.Vec3
}

var light = mgl32.Vec3{-.65, .80, .55}.Normalize()

// newPainter makes a painter, and sets the OpenGL state on which the program
// relies.
func newPainter() (*painter, error) {
	program, err := glwindow.Link(vertexShader, fragmentShader)
	if err != nil {
		return nil, err
	}
	p := &painter{program: program}
	location := func(name string) int32 { return gl.GetUniformLocation(p.program, gl.Str(name+"\x00")) }
	p.camera, p.model, p.tint, p.tiles = location("camera"), location("model"), location("tint"), location("tiles")
	cube := cubeVertices()
	var buffer uint32
	gl.GenVertexArrays(1, &p.array)
	gl.GenBuffers(1, &buffer)
	gl.BindVertexArray(p.array)
	gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
	gl.BufferData(gl.ARRAY_BUFFER, 4*len(cube), gl.Ptr(cube), gl.STATIC_DRAW)
	for i := range uint32(2) {
		gl.VertexAttribPointerWithOffset(i, 3, gl.FLOAT, false, 24, 12*uintptr(i))
		gl.EnableVertexAttribArray(i)
	}
	gl.UseProgram(p.program)
	gl.Uniform3fv(location("light"), 1, &light[0])
	gl.Enable(gl.DEPTH_TEST)
	gl.Enable(gl.CULL_FACE)
	gl.ClearColor(.74, .80, .86, 1)
	return p, nil
}

func cubeVertices() (v []float32) {
	for axis := range 3 {
		for _, side := range [2]float32{-.5, .5} {
			for _, k := range [6]int{0, 1, 2, 2, 1, 3} {
				var corner, normal [3]float32
				corner[axis], normal[axis] = side, 2*side
				// seen from outside, the corners are in counter-clockwise order
				corner[(axis+1)%3] = (float32(k&1) - .5) * 2 * side
				corner[(axis+2)%3] = float32(k>>1) - .5
				v = append(append(v, corner[:]...), normal[:]...)
			}
		}
	}
	return v
}

// lookAt returns the matrix of the camera at a time. The camera sways a little.
func lookAt(w, h int, seconds float64) mgl32.Mat4 {
	sway := float32(math.Sin(seconds * .3))
	eye := mgl32.Vec3{-4 + 3*sway, 5.2, 13}
	return mgl32.Perspective(mgl32.DegToRad(42), float32(w)/float32(max(h, 1)), .1, 100).
		Mul4(mgl32.LookAtV(eye, mgl32.Vec3{.4, 2.6, 0}, mgl32.Vec3{0, 1, 0}))
}

// begin starts a picture of w by h pixels and draws the floor.
func (p *painter) begin(w, h int, camera mgl32.Mat4) {
	gl.Viewport(0, 0, int32(w), int32(h))
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	p.view = camera
	p.list = p.list[:0]
	gl.UniformMatrix4fv(p.camera, 1, false, &camera[0])
	gl.Uniform1f(p.tiles, 1)
	p.cube(mgl32.Translate3D(0, -.05, 0).Mul4(mgl32.Scale3D(80, .1, 80)), mgl32.Vec4{.66, .68, .70, 1})
	gl.Uniform1f(p.tiles, 0)
}

func (p *painter) add(model mgl32.Mat4, colour mgl32.Vec3) {
	p.list = append(p.list, block{model, colour})
}

// end draws the shadows and then the blocks. A shadow is a block that is
// projected onto the floor along the light.
func (p *painter) end() {
	flat := mgl32.Mat4{0: 1, 4: -light[0] / light[1], 6: -light[2] / light[1], 10: 1, 13: .01, 15: 1}
	gl.Disable(gl.CULL_FACE)
	for _, b := range p.list {
		p.cube(flat.Mul4(b.model), mgl32.Vec4{.42, .45, .49, 0})
	}
	gl.Enable(gl.CULL_FACE)
	for _, b := range p.list {
		p.cube(b.model, b.colour.Vec4(1))
	}
}

func (p *painter) cube(model mgl32.Mat4, tint mgl32.Vec4) {
	gl.UniformMatrix4fv(p.model, 1, false, &model[0])
	gl.Uniform4fv(p.tint, 1, &tint[0])
	gl.DrawArrays(gl.TRIANGLES, 0, 36)
}
