package forces

import (
	"encoding/binary"
	"errors"
	"math"

	"halfstep/world"
)

// errState is returned for bytes that AppendBinary has not made.
var errState = errors.New("forces: not the state of this controller")

// none is the length of a nil slice.
const none = math.MaxUint32

// AppendBinary appends all that later steps depend on, so that the Fluid goes back
// in time with the world; see [world.Stateful].
func (f *Fluid) AppendBinary(b []byte) ([]byte, error) {
	for _, n := range f.numbers() {
		b = appendFloat(b, *n)
	}
	b = binary.LittleEndian.AppendUint64(b, f.was.outline)
	b = binary.LittleEndian.AppendUint32(b, length(f.Outline))
	for _, p := range f.Outline {
		b = appendFloat(appendFloat(b, p.X), p.Y)
	}
	return appendBodies(b, f.Bodies), nil
}

// UnmarshalBinary takes on a state that AppendBinary has appended.
func (f *Fluid) UnmarshalBinary(b []byte) error {
	r := reader{b: b}
	for _, n := range f.numbers() {
		*n = r.float()
	}
	f.was.outline = r.uint64()
	n, some := r.length(16)
	if f.Outline = f.Outline[:0]; !some {
		f.Outline = nil
	}
	for range n {
		f.Outline = append(f.Outline, world.Vec{X: r.float(), Y: r.float()})
	}
	f.Bodies = r.bodies(f.Bodies)
	return r.end()
}

func (f *Fluid) numbers() [12]*float64 {
	w := &f.was
	return [...]*float64{
		&f.Level, &f.Density, &f.Drag, &f.Flow.X, &f.Flow.Y,
		&w.level, &w.density, &w.drag, &w.flow.X, &w.flow.Y, &w.gravity.X, &w.gravity.Y,
	}
}

// AppendBinary appends all that later steps depend on but Gust, so that the Wind
// goes back in time with the world; see [world.Stateful].
func (a *Wind) AppendBinary(b []byte) ([]byte, error) {
	for _, n := range a.numbers() {
		b = appendFloat(b, *n)
	}
	wakes := byte(0)
	if a.Wakes {
		wakes = 1
	}
	return appendBodies(append(b, wakes), a.Bodies), nil
}

// UnmarshalBinary takes on a state that AppendBinary has appended.
func (a *Wind) UnmarshalBinary(b []byte) error {
	r := reader{b: b}
	for _, n := range a.numbers() {
		*n = r.float()
	}
	a.Wakes = r.take(1)[0] != 0
	a.Bodies = r.bodies(a.Bodies)
	return r.end()
}

func (a *Wind) numbers() [4]*float64 {
	return [...]*float64{&a.Velocity.X, &a.Velocity.Y, &a.Density, &a.Seconds}
}

func appendFloat(b []byte, f float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
}

func length[T any](s []T) uint32 {
	if s == nil {
		return none
	}
	return uint32(len(s))
}

func appendBodies(b []byte, bodies []world.Body) []byte {
	b = binary.LittleEndian.AppendUint32(b, length(bodies))
	for _, n := range bodies {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return b
}

// reader reads a state. After the end it reads zeros and remembers that.
type reader struct {
	b     []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if len(r.b) < n {
		r.short = true
		return make([]byte, n)
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) uint64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }
func (r *reader) float() float64 { return math.Float64frombits(r.uint64()) }

// length reads the length of a slice whose elements take size bytes each, and
// whether there is a slice.
func (r *reader) length(size int) (n int, some bool) {
	l := binary.LittleEndian.Uint32(r.take(4))
	if l == none {
		return 0, false
	}
	if uint64(l)*uint64(size) > uint64(len(r.b)) {
		r.short = true
		return 0, true
	}
	return int(l), true
}

func (r *reader) bodies(to []world.Body) []world.Body {
	n, some := r.length(8)
	if !some {
		return nil
	}
	if to = to[:0]; to == nil {
		to = []world.Body{}
	}
	for range n {
		to = append(to, world.Body(r.uint64()))
	}
	return to
}

func (r *reader) end() error {
	if r.short || len(r.b) > 0 {
		return errState
	}
	return nil
}
