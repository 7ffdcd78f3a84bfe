package play

import (
	"sync/atomic"
	"time"
)

// Options are the values of flags that the session uses.
type Options struct {
	Scene   string             // Scene is the built-in scene with which the run begins.
	Params  map[string]float64 // Params are the parameters of the scene, by name.
	Compare Comparison         // Compare is the first comparison in the right half (-compare, -diff).

	Hidden         bool   // there is no window
	Limited        bool   // Limited says that the run ends by itself, for example after -ticks.
	Interactive    bool   // Interactive says that the run is for a person.
	ReportsHitches bool   // ReportsHitches says that late frames are reported (-hitch).
	Strict         bool   // Strict refuses a scene file if some of its fixtures would be left out.
	Ticks          uint64 // Ticks is the tick at which the run ends. With 0 it does not end at a tick.

	Seek *uint64 // Seek is the tick at which the run begins. With nil it begins at the start.

	Begun      *atomic.Bool // Begun says that the first scene is open and has everything that flags name. From then on older files may be replaced.
	AskedToEnd func() bool  // AskedToEnd reports whether the run was asked to end.

	Record      string // Record is the file for the recording of the first scene, or "".
	RecordFrom  uint64 // RecordFrom is the tick at which the recording begins. With 0 it begins at the start.
	BlackBox    BlackBox
	Track       []string // Track are the names of bodies. The name "#3" means the body in slot 3.
	LogsSamples bool     // LogsSamples keeps the values of the first tracked body after each step of the run (-plot).
}

// BlackBox says in which folder the engine writes a recording of the last seconds when something goes
// wrong, and how long that recording is.
type BlackBox struct {
	Dir    string        // "": none is written
	Length time.Duration // 0 means the engine's default
}
