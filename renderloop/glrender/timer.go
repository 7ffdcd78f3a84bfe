package glrender

import "github.com/go-gl/gl/v4.1-core/gl"

// timer measures how long the graphics processor works on a frame, with timer
// queries (GL 3.3). A result is ready some frames later, and no frame waits for
// it. If there are more unfinished frames than queries, some frames are not
// measured.
type timer struct {
	queries [4]uint32
	frames  [4]uint64 // by query
	next    int       // index of the next query
	waiting int       // the number of queries without a result
	open    bool      // between BeginTimer and EndTimer
	answer  *queryAnswer
}

// queryAnswer is allocated apart from the timer, so that a pointer to it can be
// passed to cgo.
type queryAnswer struct {
	ready int32
	ns    uint64
}

func (t *timer) close() {
	if t.queries[0] != 0 {
		gl.DeleteQueries(int32(len(t.queries)), &t.queries[0])
	}
}

// mostCalls is the greatest number of GL calls in a frame, without those for
// structure, layers and HUD.
const mostCalls = 20

// BeginTimer begins to measure how long the graphics processor works on a frame.
// frame is the number of the frame. EndTimer ends the measurement. Both together
// make at most four GL calls. No other query of the kind TIME_ELAPSED may be
// active.
func (r *Renderer) BeginTimer(frame uint64) {
	t := &r.timer
	if t.open || t.waiting == len(t.queries) {
		return
	}
	if t.queries[0] == 0 {
		gl.GenQueries(int32(len(t.queries)), &t.queries[0])
		t.answer = new(queryAnswer)
	}
	t.open = true
	t.frames[t.next] = frame
	r.gl.stats.Core.Calls++
	gl.BeginQuery(gl.TIME_ELAPSED, t.queries[t.next])
}

// EndTimer ends the measurement. It returns the number of the oldest frame whose
// time is known and was not returned before, and the time in nanoseconds. ok is
// false if there is no such frame.
func (r *Renderer) EndTimer() (frame uint64, ns int64, ok bool) {
	t, calls := &r.timer, &r.gl.stats.Core.Calls
	if t.open {
		t.open = false
		*calls++
		gl.EndQuery(gl.TIME_ELAPSED)
		t.next = (t.next + 1) % len(t.queries)
		t.waiting++
	}
	// a frame with many GL calls asks no further question, and a later frame does
	if t.waiting == 0 || *calls > mostCalls-2 {
		return 0, 0, false
	}
	oldest := (t.next + len(t.queries) - t.waiting) % len(t.queries)
	*calls++
	if gl.GetQueryObjectiv(t.queries[oldest], gl.QUERY_RESULT_AVAILABLE, &t.answer.ready); t.answer.ready == 0 {
		return 0, 0, false
	}
	t.waiting--
	*calls++
	gl.GetQueryObjectui64v(t.queries[oldest], gl.QUERY_RESULT, &t.answer.ns)
	return t.frames[oldest], int64(t.answer.ns), true
}
