package profile

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/engine/hitch"
	"halfstep/internal/timeline"
	"halfstep/internal/timing"
)

//go:embed live.html
var liveText []byte

// livePage is live.html with the names and colours of phases and stages.
var livePage = func() []byte {
	frames, steps, stages := timeline.Names()
	legend, err := json.Marshal(map[string]any{
		"names": map[string][]string{"frames": frames, "steps": steps, "stages": stages}, "colours": timeline.CSSColours(),
	})
	if err != nil {
		panic(err)
	}
	return bytes.Replace(liveText, []byte("/*legend*/null"), legend, 1)
}()

// The limits of the live page.
const (
	liveEvery  = 250 * time.Millisecond
	liveMost   = 8                // pages at a time
	liveWrite  = 10 * time.Second // liveWrite is the time limit for writing one message.
	livePolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; frame-ancestors 'none'"
	filePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
)

// ShowHitches lists the hitches of rec on the live page, and serves their reports. Any
// goroutine may call it.
func (h *Handler) ShowHitches(rec *hitch.Recorder) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hitches = rec
}

func (h *Handler) serveLive(w http.ResponseWriter, _ *http.Request) {
	writePage(w, livePolicy, livePage)
}

func writePage(w http.ResponseWriter, policy string, page []byte) {
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Security-Policy", policy)
	head.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(page) // an error here is a problem of the client
}

// serveHitch sends the report of a hitch. It sends no other file, whatever name is in the
// request.
func (h *Handler) serveHitch(w http.ResponseWriter, r *http.Request) {
	for _, f := range h.found() {
		if filepath.Base(f.page) != r.PathValue("name") {
			continue
		}
		if data, err := os.ReadFile(f.page); err == nil {
			writePage(w, filePolicy, data)
			return
		}
	}
	http.Error(w, "there is no such report; the oldest are deleted", http.StatusNotFound)
}

// liveHitch is a hitch in the list of the page.
type liveHitch struct {
	Engine  string  `json:"engine"`
	From    float64 `json:"from"` // ms since timing.Epoch, as in spans
	At      float64 `json:"at"`   // At is the end of the span. It is counted like From.
	Time    string  `json:"time"`
	Verdict string  `json:"verdict"`
	Link    string  `json:"link"` // below the root

	page string // the report's file
}

// found lists the hitches of the recorder that ShowHitches has set, if there is one.
func (h *Handler) found() []liveHitch {
	h.mu.Lock()
	rec := h.hitches
	h.mu.Unlock()
	list := []liveHitch{}
	if rec == nil {
		return list
	}
	for _, w := range rec.Written() {
		page := filepath.Join(filepath.Dir(w.Path()), w.Page)
		list = append(list, liveHitch{
			w.Engine, millis(w.Start()), millis(w.End()), w.Time.Format("15:04:05.000"), w.Verdict,
			"debug/halfstep/hitches/" + w.Page, page,
		})
	}
	return list
}

// millis converts a time to ms, to the microsecond.
func millis(ns int64) float64 { return float64(ns/1e3) / 1e3 }

// liveMessage is sent to the page several times a second. In the JSON, its field Engines
// replaces that of Metrics.
type liveMessage struct {
	Metrics
	Now     float64      `json:"now"` // ms since timing.Epoch, as in spans
	Engines []liveEngine `json:"engines"`
	Hitches []liveHitch  `json:"hitches"`
}

type liveEngine struct {
	engine.Metrics
	Frames [][]float64 `json:"frame_spans"` // the frames since the last message
	Steps  [][]float64 `json:"step_spans"`
}

// row is a span for the page: start, end and planned sleep in ms, number, tick, whether it is
// the first frame of the tick, and after that all phases and all stages in ms.
func row(s *timing.Span) []float64 {
	fresh := 0.0
	if s.Fresh {
		fresh = 1
	}
	list := make([]float64, 0, 6+phase.PerThread+int(timing.Stages))
	list = append(list, millis(s.Start), millis(s.End), millis(s.PlannedSleep), float64(s.Number), float64(s.Tick), fresh)
	for _, ns := range s.Spent {
		list = append(list, millis(ns))
	}
	for _, ns := range s.Stages {
		list = append(list, millis(ns))
	}
	return list
}

// message makes the next message for a page. The page's tapes, one for each engine, record
// which spans the page has got.
func (h *Handler) message(tapes map[Source]*timeline.Tape) liveMessage {
	m := liveMessage{Metrics: h.Metrics(), Now: millis(timing.Now()), Engines: []liveEngine{}, Hitches: h.found()}
	h.mu.Lock()
	engines := slices.Clone(h.engines)
	h.mu.Unlock()
	maps.DeleteFunc(tapes, func(e Source, _ *timeline.Tape) bool { return !slices.Contains(engines, e) }) // keeps no spans, because each is sent when it is collected
	for _, e := range engines {
		if tapes[e] == nil {
			tapes[e] = timeline.NewTape(e, 0) // keeps no span, because each is sent when it is collected
		}
		live := liveEngine{e.Metrics(), [][]float64{}, [][]float64{}}
		tapes[e].Collect(func(s *timing.Span) {
			if s.Thread == phase.Render {
				live.Frames = append(live.Frames, row(s))
			} else {
				live.Steps = append(live.Steps, row(s))
			}
		})
		m.Engines = append(m.Engines, live)
	}
	return m
}

// admit adds 1 to n and returns true. But if n has reached most, it answers the request with
// the message full and returns false. The caller subtracts 1 from n when the request has
// ended.
func admit(w http.ResponseWriter, n *atomic.Int32, most int32, full string) bool {
	if n.Add(1) <= most {
		return true
	}
	n.Add(-1)
	http.Error(w, fmt.Sprintf(full, most), http.StatusServiceUnavailable)
	return false
}

// serveEvents sends new messages to a page, as server-sent events, until the page is closed.
func (h *Handler) serveEvents(w http.ResponseWriter, r *http.Request) {
	if !admit(w, &h.pages, liveMost, "%d pages are open; no more are served") {
		return
	}
	defer h.pages.Add(-1)
	head := w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	tapes := map[Source]*timeline.Tape{}
	tick := time.NewTicker(liveEvery)
	defer tick.Stop()
	for {
		data, err := json.Marshal(h.message(tapes))
		if err != nil {
			return
		}
		// The connection to a page that does not read is closed. A writer without deadlines returns an
		// error here.
		_ = control.SetWriteDeadline(time.Now().Add(liveWrite))
		if _, err := fmt.Fprintf(w, "data: %s\n\n", data); err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}
