package body2d

import "math"

// State is the state of one body at one tick: 32 bytes in the layout that the GPU reads (two
// RGBA32UI texels). The physics goroutine writes a State once, and the renderer uploads the State
// unchanged.
//
// Within 1,000 m of the origin a position is exact to 0.06 mm, and within 10 km to 1 mm. Velocities
// are those after the step. Angle and Turns together are the unwrapped angle, which is as exact
// after a million turns as at first.
type State struct {
	X, Y   float32 // the centre of mass, in m
	Angle  float32 // in rad, from -π to below π; the unwrapped angle is Angle + 2π·Turns
	VX, VY float32 // the velocity of the centre of mass, in m/s
	Omega  float32 // the angular velocity, in rad/s
	Turns  int32   // whole turns
	Bits   uint32  // Flags in the low 8 bits, the generation of the slot in the high 24 bits
}

// Flags are the low 8 bits of State.Bits.
type Flags uint8

const (
	// Alive marks a slot that has a body. Ignore a slot without Alive.
	Alive Flags = 1 << iota
	// Jump marks a body that was teleported in this tick, or created while time stood still. The
	// picture shows the body at its new place, without a blend. A body that is created while time
	// passes has no Jump.
	Jump
	// Impact marks a body whose velocity was changed by a contact in this step. Hermite shows such
	// a body on a straight line.
	Impact
	// Awake marks a body that is not asleep.
	Awake
	// Disabled marks a body that takes no part in the simulation.
	Disabled

	smoothingShift = 5 // bits 5..7 have Smoothing + 1; 0 stands for Inherit
)

// GenerationMask has the bits of a generation. It is also the largest generation. The generation
// after it is 0.
const GenerationMask = 1<<24 - 1

// Flags returns the low 8 bits.
func (s *State) Flags() Flags { return Flags(s.Bits) }

// Generation returns a number that distinguishes successive bodies in the same slot.
func (s *State) Generation() uint32 { return s.Bits >> 8 }

// SetBits sets Bits from flags and the low 24 bits of a generation.
func (s *State) SetBits(f Flags, generation uint32) {
	s.Bits = uint32(f) | generation<<8
}

// SetAngle stores an unwrapped angle in radians. It computes the whole turns in float64, so turns
// do not reduce the precision of Angle.
func (s *State) SetAngle(a float64) {
	if a > -nearPi && a < nearPi {
		s.Turns, s.Angle = 0, float32(a) // the usual case
	} else {
		s.Turns, s.Angle = turned(a)
	}
}

// turned divides an unwrapped angle into whole turns and a rest from -π to below π. The conversion
// of the product to float64 prevents that a compiler fuses the product and the difference, so every
// processor computes the same bits.
func turned(a float64) (turns int32, rest float32) {
	whole := 0.
	if !(a >= -math.Pi && a < math.Pi) {
		whole = math.Floor((a + math.Pi) / (2 * math.Pi))
	}
	return int32(whole), belowPi(a - float64(whole*2*math.Pi))
}

// Unwrapped returns the unwrapped angle, in rad.
func (s *State) Unwrapped() float64 {
	return float64(s.Angle) + 2*math.Pi*float64(s.Turns)
}

// nearPi is the largest float32 below π; float32(π) is greater than π.
const nearPi = 3.1415925

// belowPi rounds an angle to a float32 from -π to below π.
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

// Smoothing says how the picture computes the pose of a body between two ticks from the states at
// these ticks.
type Smoothing uint8

const (
	// Interpolate, the default, blends the previous and the current state. The picture is one tick
	// late.
	Interpolate Smoothing = iota
	// Newest shows the newest state without a blend.
	Newest
	// Extrapolate moves the newest state on along its velocity (dead reckoning). The picture is one
	// tick ahead of Interpolate, and wrong when the velocity changes.
	Extrapolate
	// Hermite moves a body on a cubic curve from the positions and velocities of both states, or on
	// a straight line in a step with an impact.
	Hermite

	// Inherit is the mode of a body that uses the mode of the engine.
	Inherit Smoothing = 1<<8 - 1
)

var smoothingNames = [...]string{"interpolate", "none", "extrapolate", "hermite"}

// String returns the name of the mode in flags and files, such as "hermite". The name of Newest is
// "none".
func (m Smoothing) String() string {
	if int(m) < len(smoothingNames) {
		return smoothingNames[m]
	}
	if m == Inherit {
		return "inherit"
	}
	return "unknown"
}

// WithSmoothing returns f with a smoothing mode of the body.
func (f Flags) WithSmoothing(m Smoothing) Flags {
	return f&(1<<smoothingShift-1) | Flags(m+1)<<smoothingShift
}

// Smoothing returns the body's own smoothing mode, or Inherit.
func (f Flags) Smoothing() Smoothing { return Smoothing(f>>smoothingShift) - 1 }

// Counts describes the size of a simulation.
type Counts struct {
	Bodies   int32 `json:"bodies"`
	Awake    int32 `json:"awake_bodies"` // bodies that are not asleep
	Contacts int32 `json:"contacts"`     // pairs of shapes whose bounding boxes overlap
	Joints   int32 `json:"joints"`
}
