// Package phase names the phases into which each step and each frame of an engine is
// divided.
package phase

// Phase is a part of a step or of a frame.
type Phase uint8

// The phases of a step, in order, and those of a frame.
const (
	Other Phase = iota // none of the phases below

	Commands
	Controllers
	Step
	Contacts
	Capture
	Publish

	Acquire
	Events
	Upload
	Draw
	HUD
	Swap

	count
)

// PerThread is the number of phases of a thread, including Other.
const PerThread = 7

var names = [count]string{
	"other",
	"commands", "controllers", "step", "contacts", "capture", "publish",
	"acquire", "events", "upload", "draw", "hud", "swap",
}

// String returns the name of the phase in profile labels.
func (p Phase) String() string {
	if p >= count {
		return "unknown"
	}
	return names[p]
}

// Index returns the number of the phase among the phases of its thread. Other has 0.
func (p Phase) Index() int {
	if p == Other {
		return 0
	}
	return int(p-1)%(PerThread-1) + 1
}

// Thread is one of the two threads of an engine.
type Thread uint8

// The threads.
const (
	Physics Thread = iota
	Render
)

// String returns the name of the thread in profile labels.
func (t Thread) String() string {
	if t == Render {
		return "render"
	}
	return "physics"
}

// Phase returns the phase of this thread with the given Phase.Index.
func (t Thread) Phase(index int) Phase {
	if index == 0 {
		return Other
	}
	return Phase(int(t)*(PerThread-1) + index)
}
