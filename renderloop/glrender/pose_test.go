package glrender

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
	"halfstep/shaders"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// probe runs the poses of shaders/pose.glsl on the GPU, and reads the results.
type probe struct {
	program, vao, buffer uint32
}

const probeShader = `
#include "pose.glsl"
out vec3 shownAt;
flat out int shownTurns;
void main() {
    Pose p = shownPose(gl_VertexID, currentState(gl_VertexID));
    shownAt = p.at;
    shownTurns = p.turns;
    gl_Position = nowhere;
}
`

func newProbe(t *testing.T) *probe {
	t.Helper()
	source, err := shaders.Expand("probe", probeShader)
	if err != nil {
		t.Fatal(err)
	}
	shader, err := compile(gl.VERTEX_SHADER, source)
	if err != nil {
		t.Fatal(err)
	}
	p := &probe{program: gl.CreateProgram()}
	gl.AttachShader(p.program, shader)
	gl.DeleteShader(shader)
	names, free := gl.Strs("shownAt\x00", "shownTurns\x00")
	defer free()
	gl.TransformFeedbackVaryings(p.program, 2, names, gl.INTERLEAVED_ATTRIBS)
	if err := link(p.program, "probe"); err != nil {
		t.Fatal(err)
	}
	connect(p.program)
	gl.GenVertexArrays(1, &p.vao)
	gl.GenBuffers(1, &p.buffer)
	t.Cleanup(func() {
		gl.DeleteProgram(p.program)
		gl.DeleteVertexArrays(1, &p.vao)
		gl.DeleteBuffers(1, &p.buffer)
	})
	return p
}

// poses uploads a view as Draw does, and returns the pose of each slot.
func (p *probe) poses(r *Renderer, v *view) []scene.CentrePose {
	fb := Viewport{W: 64, H: 64}
	if err := r.Upload(v); err != nil {
		panic(err)
	}
	*r.frame = cameraFrame(v, scene.Camera{}, fb, 0)
	r.bind()
	got := make([]scene.CentrePose, len(v.Cur))
	size := len(got) * int(unsafe.Sizeof(got[0]))
	gl.UseProgram(p.program)
	gl.BindVertexArray(p.vao)
	gl.BindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, p.buffer)
	gl.BufferData(gl.TRANSFORM_FEEDBACK_BUFFER, size, nil, gl.STREAM_READ)
	gl.Enable(gl.RASTERIZER_DISCARD)
	gl.BeginTransformFeedback(gl.POINTS)
	gl.DrawArrays(gl.POINTS, 0, int32(len(got)))
	gl.EndTransformFeedback()
	gl.Disable(gl.RASTERIZER_DISCARD)
	gl.GetBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, size, unsafe.Pointer(&got[0]))
	return got
}

// apart returns the distance of two float32 numbers, counted in neighbouring
// numbers.
func apart(a, b float32) int64 {
	index := func(f float32) int64 {
		i := int64(int32(math.Float32bits(f)))
		if i < 0 {
			i = math.MinInt32 - i
		}
		return i
	}
	return max(index(a)-index(b), index(b)-index(a))
}

// agree compares the GPU's poses with the CPU's. GL guarantees correct rounding of
// `precise` expressions, so not one bit may differ. Only numbers below the normal
// range may be replaced by zero.
func agree(t *testing.T, r *Renderer, p *probe, v *view) {
	t.Helper()
	const smallest = 1.1754944e-38
	for slot, got := range p.poses(r, v) {
		want, ok := scene.PoseOf(v, slot)
		if !ok {
			continue
		}
		for _, d := range [][2]float32{{got.X, want.X}, {got.Y, want.Y}, {got.Angle, want.Angle}} {
			if apart(d[0], d[1]) > 0 && math.Abs(float64(d[0]-d[1])) > smallest {
				t.Fatalf("tick %d alpha %v %v slot %d: shader %+v, Blend %+v", v.Tick, v.Alpha, v.Smoothing, slot, got, want)
			}
		}
		if got.Turns != want.Turns {
			t.Fatalf("slot %d: %d turns, not %d", slot, got.Turns, want.Turns)
		}
	}
}

// randomState returns a random state, which may contain extreme values.
func randomState(rng *rand.Rand) body2d.State {
	size := math.Pow(10, rng.Float64()*7-3)
	s := body2d.State{
		X: float32(rng.NormFloat64() * size), Y: float32(rng.NormFloat64() * size),
		VX: float32(rng.NormFloat64() * 50), VY: float32(rng.NormFloat64() * 50),
		Omega: float32(rng.NormFloat64() * 30),
	}
	s.SetAngle(rng.NormFloat64() * 4)
	if rng.IntN(3) == 0 {
		s.Turns += int32(rng.IntN(4_000_001) - 2_000_000)
	}
	f := body2d.Alive | body2d.Flags(rng.IntN(16)<<1)
	if rng.IntN(3) == 0 {
		f &^= body2d.Jump
	}
	if rng.IntN(2) == 0 {
		f = f.WithSmoothing(body2d.Smoothing(rng.IntN(4)))
	}
	s.SetBits(f, uint32(rng.IntN(2))*body2d.GenerationMask)
	return s
}

// The shader and Blend compute the same formula, in every mode and for every kind
// of pair.
func TestShaderAgreesWithBlend(t *testing.T) {
	r := newRenderer(t, 64, 64)
	p := newProbe(t)
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 4000
	for round := range 40 {
		prev, cur := make([]body2d.State, n), make([]body2d.State, n)
		for i := range cur {
			prev[i] = randomState(rng)
			cur[i] = randomState(rng)
			switch rng.IntN(4) {
			case 0: // at rest
				bits := cur[i].Bits
				cur[i] = prev[i]
				cur[i].Bits = bits
			case 1: // one step on
				bits := cur[i].Bits
				cur[i] = prev[i]
				cur[i].X += cur[i].VX / 60
				cur[i].SetAngle(cur[i].Unwrapped() + float64(cur[i].Omega)/60)
				cur[i].Bits = bits
			}
			if rng.IntN(10) == 0 {
				prev[i].Bits &^= uint32(body2d.Alive)
			}
		}
		v := &view{
			Prev: prev, Cur: cur, PrevSerial: uint64(2 * round), CurSerial: uint64(2*round + 1),
			Alpha: rng.Float32(), Dt: 1 / (10 + 190*rng.Float64()), Smoothing: body2d.Smoothing(round % 4), LateVelocity: round/4%2 == 0,
		}
		for _, alpha := range []float32{v.Alpha, 0, 1, math.Nextafter32(1, 0)} {
			v.Alpha = alpha
			agree(t, r, p, v)
		}
	}
}

// A frame may skip ticks, grow tables or reuse slots. In all cases the two halves
// on the GPU must be the states of the view. The test detects a renderer that
// uploads only the current states after a skipped tick.
func TestSkippedTicksGrowthAndReuseKeepTheHalvesApart(t *testing.T) {
	r := newRenderer(t, 64, 64)
	p := newProbe(t)
	rng := rand.New(rand.NewPCG(7, 8))
	var states [3][]body2d.State // the ticks k-1 and k, and a tick to write
	tick := uint64(0)
	for frame := range 400 {
		for range []int{0, 1, 1, 1, 2, 3}[rng.IntN(6)] {
			tick++
			old := states[1]
			n := len(old)
			switch rng.IntN(6) {
			case 0:
				n = rng.IntN(300)
			case 1:
				n = len(old) + rng.IntN(50)
			}
			next := make([]body2d.State, n)
			for i := range next {
				next[i] = randomState(rng)
				if i >= len(old) {
					next[i].Bits |= uint32(body2d.Jump) // spawned
				}
			}
			states[0], states[1] = old, next
		}
		v := &view{
			Prev: states[0], Cur: states[1], PrevSerial: tick - 1, CurSerial: tick, Tick: tick,
			Alpha: rng.Float32(), Dt: 1.0 / 60, Smoothing: body2d.Smoothing(frame / 5 % 4), LateVelocity: frame%3 == 0,
		}
		if len(v.Cur) > 0 {
			agree(t, r, p, v)
		}
	}
}

// A body without a previous state appears along its velocity, even if its slot is
// new.
func TestABodyInASlotBeyondThePreviousStatesComesAlongItsVelocity(t *testing.T) {
	r := newRenderer(t, 64, 64)
	p := newProbe(t)
	w := newWorld()
	w.body(dynamic, 3, 4, 1, disc(0, 0, 1))
	w.cur[0].VX = 100
	v := w.view(0.3)
	v.Prev = nil
	for m, x := range map[body2d.Smoothing]float64{body2d.Interpolate: 3 - 70*v.Dt, body2d.Newest: 3, body2d.Hermite: 3 - 70*v.Dt} {
		v.Smoothing = m
		if got := p.poses(r, v)[0]; math.Abs(float64(got.X)-x) > 1e-6 || got.Y != 4 || got.Angle != 1 {
			t.Errorf("%v: %+v", m, got)
		}
	}
	agree(t, r, p, v)
}
