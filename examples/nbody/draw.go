//go:build cgo

package main

import (
	"math"
	"os"
	"runtime"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"halfstep/engine/core"
	"halfstep/examples/internal/glwindow"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/frametime"
)

func canDraw() bool { return runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" }

// The vertex shader computes the corners of a box, six faces of two triangles,
// from the number of the vertex.
const vertexShader = `#version 410 core
uniform mat4 camera;
layout(location = 0) in vec3 place;
layout(location = 1) in vec4 facing; // w, x, y, z
layout(location = 2) in vec3 extent;
out vec3 normal;
out vec3 paint;
vec3 turn(vec4 q, vec3 v) {
	vec3 t = 2 * cross(q.yzw, v);
	return v + q.x * t + cross(q.yzw, t);
}
void main() {
	int face = gl_VertexID / 6, k = face >> 1;
	float side = (face & 1) == 0 ? 1 : -1;
	int corner = gl_VertexID % 6;
	vec2 uv = vec2(corner == 1 || corner == 2 || corner == 4 ? 1 : -1, corner == 2 || corner == 4 || corner == 5 ? 1 : -1);
	vec3 n = vec3(0), p = vec3(0);
	n[k] = side;
	p[k] = side;
	p[(k + 1) % 3] = uv.x;
	p[(k + 2) % 3] = uv.y;
	normal = turn(facing, n);
	paint = gl_InstanceID == 0 ? vec3(1, 0.8, 0.4) : mix(vec3(0.4, 0.6, 0.85), vec3(0.85, 0.45, 0.4), fract(gl_InstanceID * 0.618));
	gl_Position = camera * vec4(place + turn(facing, p * extent), 1);
}
`

const fragmentShader = `#version 410 core
in vec3 normal;
in vec3 paint;
out vec4 colour;
void main() { colour = vec4(paint * (0.35 + 0.65 * max(dot(normalize(normal), vec3(0.36, 0.8, 0.48)), 0)), 1); }
`

const floats = 10 // number of floats of an instance: place, facing, extent

func draw(o options) error {
	glwindow.Processors(2)
	window, err := glwindow.Open(960, 540, "halfstep: n bodies", o.frames == 0, 4)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	camera, err := prepare()
	if err != nil {
		return err
	}
	w, err := newWorld(newSystem(o.bodies), core.Config{Simulated: o.frames > 0})
	if err != nil {
		return err
	}
	defer w.Close()
	window.SetKeyCallback(func(_ *glfw.Window, key glfw.Key, _ int, action glfw.Action, _ glfw.ModifierKey) {
		switch {
		case action == glfw.Release:
		case key == glfw.KeyEscape:
			window.SetShouldClose(true)
		case key == glfw.KeySpace:
			w.Clock().SetPaused(!w.Clock().Paused())
		case key == glfw.KeyLeft:
			w.Send(command{kick: [3]float64{-1, 0, 0}})
		case key == glfw.KeyRight:
			w.Send(command{kick: [3]float64{1, 0, 0}})
		}
	})
	var source frametime.Source = frametime.NewWallSource()
	if o.frames > 0 {
		if source, err = frametime.NewFixedSource(clock.Hz(60)); err != nil {
			return err
		}
	}
	var boxes []float32
	for frame := 1; ; frame++ {
		glfw.PollEvents()
		ns, _ := source.Next()
		v := w.Advance(time.Duration(ns))
		if err := w.Failure(); err != nil {
			return err
		}
		boxes = boxes[:0]
		for i := range v.Cur {
			s := shown(v, i)
			boxes = append(append(append(boxes, s.place[:]...), s.facing[:]...), w.extents[i][:]...)
		}
		width, height := window.GetFramebufferSize()
		gl.Viewport(0, 0, int32(width), int32(height))
		gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
		m := look(float64(width) / float64(max(height, 1)))
		gl.UniformMatrix4fv(camera, 1, false, &m[0])
		gl.BufferData(gl.ARRAY_BUFFER, 4*len(boxes), gl.Ptr(boxes), gl.STREAM_DRAW)
		gl.DrawArraysInstanced(gl.TRIANGLES, 0, 36, int32(len(boxes)/floats))
		last := window.ShouldClose() || frame == o.frames
		if last && o.screenshot != "" {
			if err := glwindow.Save(o.screenshot, glwindow.Picture(width, height)); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
		window.SwapBuffers()
	}
}

// look returns the matrix of the camera, column by column. The camera is 24 m away
// from the star and a little above it.
func look(aspect float64) [16]float32 {
	const near, far, distance = 1.0, 100.0, 24.0
	sin, cos := math.Sincos(.5)
	f := 1 / math.Tan(.4)
	a, b := (far+near)/(near-far), 2*far*near/(near-far)
	return [16]float32{
		float32(f / aspect), 0, 0, 0,
		0, float32(f * cos), float32(a * sin), float32(-sin),
		0, float32(-f * sin), float32(a * cos), float32(-cos),
		0, 0, float32(b - a*distance), distance,
	}
}

func prepare() (camera int32, err error) {
	program, err := glwindow.Link(vertexShader, fragmentShader)
	if err != nil {
		return 0, err
	}
	gl.UseProgram(program)
	var array, buffer uint32
	gl.GenVertexArrays(1, &array)
	gl.BindVertexArray(array)
	gl.GenBuffers(1, &buffer)
	gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
	for i, n := range [...]int32{3, 4, 3} {
		offset := [...]uintptr{0, 12, 28}[i]
		gl.VertexAttribPointerWithOffset(uint32(i), n, gl.FLOAT, false, 4*floats, offset)
		gl.VertexAttribDivisor(uint32(i), 1)
		gl.EnableVertexAttribArray(uint32(i))
	}
	gl.Enable(gl.DEPTH_TEST)
	gl.ClearColor(.04, .05, .08, 1)
	return gl.GetUniformLocation(program, gl.Str("camera\x00")), nil
}
