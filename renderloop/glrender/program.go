package glrender

import (
	"fmt"
	"strings"

	"halfstep/shaders"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// loadProgram links a program of two shaders. vertex and fragment are the names of their
// files.
func loadProgram(vertex, fragment string) (uint32, error) {
	v, err := shaders.Load(vertex)
	if err != nil {
		return 0, err
	}
	f, err := shaders.Load(fragment)
	if err != nil {
		return 0, err
	}
	vs, err := compile(gl.VERTEX_SHADER, v)
	if err != nil {
		return 0, err
	}
	defer gl.DeleteShader(vs)
	fs, err := compile(gl.FRAGMENT_SHADER, f)
	if err != nil {
		return 0, err
	}
	defer gl.DeleteShader(fs)
	p := gl.CreateProgram()
	gl.AttachShader(p, vs)
	gl.AttachShader(p, fs)
	if err := link(p, vertex+" + "+fragment); err != nil {
		gl.DeleteProgram(p)
		return 0, err
	}
	gl.DetachShader(p, vs)
	gl.DetachShader(p, fs)
	return p, nil
}

func compile(kind uint32, s shaders.Source) (uint32, error) {
	id := gl.CreateShader(kind)
	text, free := gl.Strs(s.Text + "\x00")
	defer free()
	gl.ShaderSource(id, 1, text, nil)
	gl.CompileShader(id)
	var ok int32
	if gl.GetShaderiv(id, gl.COMPILE_STATUS, &ok); ok == gl.TRUE {
		return id, nil
	}
	var n int32
	gl.GetShaderiv(id, gl.INFO_LOG_LENGTH, &n)
	log := make([]byte, n+1)
	gl.GetShaderInfoLog(id, n, nil, &log[0])
	gl.DeleteShader(id)
	return 0, fmt.Errorf("glrender: %s", s.Explain(string(log)))
}

func link(p uint32, name string) error {
	gl.LinkProgram(p)
	var ok int32
	if gl.GetProgramiv(p, gl.LINK_STATUS, &ok); ok == gl.TRUE {
		return nil
	}
	var n int32
	gl.GetProgramiv(p, gl.INFO_LOG_LENGTH, &n)
	log := make([]byte, n+1)
	gl.GetProgramInfoLog(p, n, nil, &log[0])
	reason := strings.Trim(string(log), "\x00 \n")
	return fmt.Errorf("glrender: linking %s: %s", name, strings.SplitN(reason, "\n", 2)[0])
}

// The texture units, and the binding of the uniform block. They are the same in all
// programs. The HUD's program reads no states, so its glyphs can use the unit of a state
// buffer.
const (
	previousUnit = 0
	currentUnit  = 1
	glyphsUnit   = 0
	frameBinding = 0
)

// connect connects the textures and the frame block of a program to their units. The
// program stays in use.
func connect(p uint32) {
	gl.UseProgram(p)
	if i := gl.GetUniformBlockIndex(p, gl.Str("Frame\x00")); i != gl.INVALID_INDEX {
		gl.UniformBlockBinding(p, i, frameBinding)
	}
	for name, unit := range map[string]int32{"previousStates\x00": previousUnit, "currentStates\x00": currentUnit, "glyphs\x00": glyphsUnit} {
		if l := gl.GetUniformLocation(p, gl.Str(name)); l >= 0 {
			gl.Uniform1i(l, unit)
		}
	}
}
