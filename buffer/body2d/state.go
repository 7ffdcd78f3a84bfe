package body2d

import "math"

// State is the state of one body at one tick: 32 bytes in the layout that the GPU reads (two
// RGBA32UI texels). The physics goroutine writes it once and the renderer uploads it
// unchanged.
//
// Positions are float32, whose spacing is 2^-23 of the value. Within 1,000 m of the origin a
// position is exact to 0.06 mm, within 10 km to 1 mm. Velocities are those after the step.
// Angle and Turns together are the unwrapped angle, which is equally exact after a million
// turns.
type State struct {
	X, Y   float32 // centre of mass, m
	Angle  float32 // rad, in [-π, π); the unwrapped angle is Angle + 2π·Turns
	VX, VY float32 // velocity of the centre of mass, m/s
	Omega  float32 // angular velocity, rad/s
	Turns  int32   // whole turns
	Bits   uint32  // Flags in the low 8 bits, the generation of the slot in the high 24
}

// Flags are the low 8 bits of State.Bits.
type Flags uint8

const (
	// Alive marks a slot that has a body. Skip all other slots.
	Alive Flags = 1 << iota
	// Jump marks a body that was teleported in this tick, or created while time stood still. The
	// picture shows the body at its new place, without a blend. A body that is created while time
	// passes has no Jump, and moves along its velocity from the start.
	Jump
	// Impact marks a body whose velocity was changed by a contact in this step.
	// A curve through both velocities would bend the wrong way.
	Impact
	// Awake marks a body that is not asleep.
	Awake
	// Disabled marks a body that takes no part in the simulation.
	Disabled

	smoothingShift = 5 // bits 5..7 have Smoothing + 1; 0 stands for Inherit
)

// GenerationMask has the bits of a generation. It is also the largest generation, after which
// the next is 0.
const GenerationMask = 1<<24 - 1

// Flags returns the low 8 bits.
func (s *State) Flags() Flags { return Flags(s.Bits) }

// Generation distinguishes the bodies that use the same slot one after another.
func (s *State) Generation() uint32 { return s.Bits >> 8 }

// SetBits packs flags and the low 24 bits of the generation.
func (s *State) SetBits(f Flags, generation uint32) {
	s.Bits = uint32(f) | generation<<8
}

// SetAngle stores an unwrapped angle in radians. It separates the turns in
// float64, so that they cost no precision.
func (s *State) SetAngle(a float64) {
	if a > -nearPi && a < nearPi {
		s.Turns, s.Angle = 0, float32(a) // the usual case
	} else {
		s.Turns, s.Angle = turned(a)
	}
}

// turned divides an unwrapped angle into whole turns and a rest in [-π, π). The conversion of
// the product keeps the compiler from fusing the product with the difference, so that every
// processor computes the same bits.
func turned(a float64) (turns int32, rest float32) {
	whole := 0.
	if !(a >= -math.Pi && a < math.Pi) {
		whole = math.Floor((a + math.Pi) / (2 * math.Pi))
	}
	return int32(whole), belowPi(a - float64(whole*2*math.Pi))
}

// Unwrapped returns the unwrapped angle in rad.
func (s *State) Unwrapped() float64 {
	return float64(s.Angle) + 2*math.Pi*float64(s.Turns)
}

// nearPi is the largest float32 below π; float32(π) is above it.
const nearPi = 3.1415925

// belowPi rounds to float32 without leaving [-π, π).
func belowPi(a float64) float32 {
	f := float32(a)
	if f > nearPi {
		return nearPi
	}
	if f < -nearPi {
		return -nearPi
	}
	return f
}

// Smoothing is the way in which the picture computes a pose between two ticks from the states
// at both.
type Smoothing uint8

const (
	// Interpolate (the default) blends the previous and the current state. The picture is one
	// tick late, but never wrong.
	Interpolate Smoothing = iota
	// Newest shows the newest state without a blend.
	Newest
	// Extrapolate moves the newest state on along its velocity (dead
	// reckoning). It is one tick ahead of Interpolate, and wrong whenever the
	// velocity changes.
	Extrapolate
	// Hermite follows a cubic through both positions with the velocities there, and a
	// straight line in a step with an impact.
	Hermite

	// Inherit is the mode of a body that has no mode of its own, and gets the mode of the engine.
	Inherit Smoothing = 1<<8 - 1
)

var smoothingNames = [...]string{"interpolate", "none", "extrapolate", "hermite"}

// String returns the mode's name as in flags and files. Newest is "none".
func (m Smoothing) String() string {
	if int(m) < len(smoothingNames) {
		return smoothingNames[m]
	}
	if m == Inherit {
		return "inherit"
	}
	return "unknown"
}

// WithSmoothing returns f with a smoothing mode for this body.
func (f Flags) WithSmoothing(m Smoothing) Flags {
	return f&(1<<smoothingShift-1) | Flags(m+1)<<smoothingShift
}

// Smoothing returns the body's own smoothing mode, or Inherit.
func (f Flags) Smoothing() Smoothing { return Smoothing(f>>smoothingShift) - 1 }

// Counts describes the size of a simulation, for the HUD and for metrics.
type Counts struct {
	Bodies   int32 `json:"bodies"`
	Awake    int32 `json:"awake_bodies"` // bodies that are not asleep
	Contacts int32 `json:"contacts"`     // pairs of shapes whose bounding boxes overlap
	Joints   int32 `json:"joints"`
}
