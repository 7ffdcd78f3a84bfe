package glrender

import "github.com/go-gl/gl/v4.1-core/gl"

// timer measures what the graphics processor does for a frame, with timer queries
// (GL 3.3). A result comes some frames later; nobody waits for it. If more frames
// are under way than there are queries, frames in between are not measured.
type timer struct {
	queries [4]uint32
	frames  [4]uint64 // by query
	next    int       // of queries
	waiting int       // queries without a result yet
	open    bool
	got     *queryAnswer
}

// queryAnswer is apart from the timer, so that cgo may be given it.
type queryAnswer struct {
	ready int32
	ns    uint64
}

func (t *timer) create() {
	gl.GenQueries(int32(len(t.queries)), &t.queries[0])
	t.got = new(queryAnswer)
}

func (t *timer) close() {
	if t.queries[0] != 0 {
		gl.DeleteQueries(int32(len(t.queries)), &t.queries[0])
	}
}

// mostCalls is how many GL calls a frame may make, without structure, layers and HUD.
const mostCalls = 20

// BeginTimer starts to measure what the graphics processor does, up to EndTimer,
// for the frame of that number. Both together make at most four GL calls. No other
// query of the kind TIME_ELAPSED may be active.
func (r *Renderer) BeginTimer(frame uint64) {
	t := &r.timer
	if t.open || t.waiting == len(t.queries) {
		return
	}
	if t.queries[0] == 0 {
		t.create()
	}
	t.open = true
	t.frames[t.next] = frame
	r.gl.work = &r.gl.stats.Core
	r.gl.beginQuery(t.queries[t.next])
}

// EndTimer ends BeginTimer. It returns the number of the oldest frame whose time is
// known by now and was not returned before, and the time in nanoseconds. ok is
// false if there is none.
func (r *Renderer) EndTimer() (frame uint64, ns int64, ok bool) {
	t := &r.timer
	r.gl.work = &r.gl.stats.Core
	if t.open {
		t.open = false
		r.gl.endQuery()
		t.next = (t.next + 1) % len(t.queries)
		t.waiting++
	}
	// A frame with much to do asks in a later one.
	if t.waiting == 0 || r.gl.stats.Core.Calls > mostCalls-2 {
		return 0, 0, false
	}
	oldest := (t.next + len(t.queries) - t.waiting) % len(t.queries)
	if !r.gl.queryReady(t.queries[oldest], &t.got.ready) {
		return 0, 0, false
	}
	t.waiting--
	return t.frames[oldest], int64(r.gl.queryResult(t.queries[oldest], &t.got.ns)), true
}
