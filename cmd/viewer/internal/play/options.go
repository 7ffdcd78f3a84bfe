package play

import (
	"sync/atomic"
	"time"
)

// Options are the parts of the run's flags that the session uses.
type Options struct {
	Scene   string             // the built-in scene with which the run begins
	Params  map[string]float64 // its parameters by name
	Compare Comparison         // the first comparison in the right half (-compare, -diff)

	Hidden         bool   // there is no window
	Limited        bool   // the run ends by itself, for example after -ticks
	Interactive    bool   // the run is for a person
	ReportsHitches bool   // late frames are reported (-hitch)
	Strict         bool   // refuse a scene file with fixtures that would be left out
	Ticks          uint64 // the run ends at that tick; 0: it does not

	Seek *uint64 // the run begins at that tick; nil: at the start

	Begun      *atomic.Bool // the first scene is open and has all that flags name: from then on older files may be replaced
	AskedToEnd func() bool  // whether the run was asked to end

	Record      string // the file of the first scene's recording, or ""
	RecordFrom  uint64 // a tick; 0: from the start
	BlackBox    BlackBox
	Track       []string // the names of bodies; "#3" is the one in slot 3
	LogsSamples bool     // the values of the first tracked body are kept after each step of the run (-plot)
}

// BlackBox says where and how long a recording of the last seconds is kept, which the engine writes when
// something goes wrong.
type BlackBox struct {
	Dir    string        // "": none is written
	Length time.Duration // 0: the engine's default
}
