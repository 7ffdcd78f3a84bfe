package body2d

import "math"

// BodyState is what one body looks like at one tick: 32 bytes in the layout the
// GPU reads (two RGBA32UI texels). The physics goroutine writes it once; the
// renderer uploads it as it is.
//
// Centres are float32. Their spacing is 2^-23 of their size, so within 1,000 m
// of the origin a centre is exact to 0.06 mm, within 10 km to 1 mm. Velocities
// are those after the step. Angle and Turns together are the unwrapped angle,
// which therefore stays as exact after a million turns as after none.
type State struct {
	X, Y   float32 // centre of mass, m
	Angle  float32 // rad, in [-π, π); the unwrapped angle is Angle + 2π·Turns
	VX, VY float32 // velocity of the centre of mass, m/s
	Omega  float32 // angular velocity, rad/s
	Turns  int32   // whole turns
	Bits   uint32  // Flags in the low 8 bits, generation in the high 24
}

// Flags are the low 8 bits of BodyState.Bits.
type Flags uint8

const (
	// Alive marks a slot that holds a body. All other slots are skipped.
	Alive Flags = 1 << iota
	// Jump marks a body that was spawned or teleported in this tick: it is
	// shown where it is, not blended from where it was.
	Jump
	// Impact marks a step in which a contact changed the velocity, so that a
	// curve through both velocities would bend the wrong way.
	Impact
	// Awake marks a body that the solver still moves.
	Awake
	// Disabled marks a body that takes no part in the simulation.
	Disabled

	smoothingShift = 5 // bits 5..7: Smoothing + 1, or 0 for the global mode
)

// GenerationMask is the largest generation; the next one wraps to 0.
const GenerationMask = 1<<24 - 1

// Flags returns the low 8 bits.
func (s *State) Flags() Flags { return Flags(s.Bits) }

// Generation tells apart the bodies that use one slot after another.
func (s *State) Generation() uint32 { return s.Bits >> 8 }

// SetBits packs flags and generation; of the generation the low 24 bits count.
func (s *State) SetBits(f Flags, generation uint32) {
	s.Bits = uint32(f) | generation<<8
}

// SetAngle stores an unwrapped angle in radians, split in float64 so that no
// precision is lost to the number of turns.
func (s *State) SetAngle(a float64) {
	if a >= -math.Pi && a < math.Pi {
		s.Turns = 0
		s.Angle = belowPi(a)
		return
	}
	turns := math.Floor((a + math.Pi) / (2 * math.Pi))
	s.Turns = int32(turns)
	s.Angle = belowPi(a - turns*2*math.Pi)
}

// Unwrapped returns the unwrapped angle in radians.
func (s *State) Unwrapped() float64 {
	return float64(s.Angle) + 2*math.Pi*float64(s.Turns)
}

// belowPi rounds to float32 without leaving [-π, π): float32(π) is above π.
func belowPi(a float64) float32 {
	const limit = 3.1415925 // the largest float32 below π
	f := float32(a)
	if f > limit {
		return limit
	}
	if f < -limit {
		return -limit
	}
	return f
}

// Smoothing says how the state between two ticks is made from the states at
// both.
type Smoothing uint8

const (
	// Interpolate blends previous and current (the default). One tick late,
	// never wrong.
	Interpolate Smoothing = iota
	// None shows the newest state as it is.
	Newest
	// Extrapolate carries the newest state on along its velocity (dead
	// reckoning): a tick ahead of Interpolate, and wrong whenever the velocity
	// changes.
	Extrapolate
	// Hermite draws a cubic through both positions and both velocities, and a
	// straight line over a step with an impact.
	Hermite
)

var smoothingNames = [...]string{"interpolate", "none", "extrapolate", "hermite"}

// String returns the mode's name as flags and files spell it.
func (m Smoothing) String() string {
	if int(m) < len(smoothingNames) {
		return smoothingNames[m]
	}
	return "unknown"
}

// ParseSmoothing is the inverse of Smoothing.String.
func ParseSmoothing(name string) (Smoothing, bool) {
	for i, n := range smoothingNames {
		if n == name {
			return Smoothing(i), true
		}
	}
	return 0, false
}

// WithSmoothing returns f with a mode of its own for the body.
func (f Flags) WithSmoothing(m Smoothing) Flags {
	return f&(1<<smoothingShift-1) | Flags(m+1)<<smoothingShift
}

// Smoothing returns the body's own mode, and false where it follows the global
// one.
func (f Flags) Smoothing() (Smoothing, bool) {
	m := f >> smoothingShift
	return Smoothing(m - 1), m != 0
}

// Counts are figures about a simulation for the HUD and the stats.
type Counts struct {
	Bodies   int32 `json:"bodies"` // that exist
	Awake    int32 `json:"awake_bodies"`
	Contacts int32 `json:"contacts"` // touching or about to
	Joints   int32 `json:"joints"`
}
