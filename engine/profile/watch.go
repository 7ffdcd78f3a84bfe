package profile

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"halfstep/engine"
)

const (
	mostWatchers = 8                // the greatest number of requests for a recording at one time
	watchWrite   = 10 * time.Second // watchWrite is the time limit for one write.
	// watchEnded is the name of the HTTP trailer that says why a recording ends.
	watchEnded = "Halfstep-Ended"
	// watchEngines is the name of the headers that list the engines.
	watchEngines = "Halfstep-Engine"
)

// streamer is an engine.Trace. Another Source may not have the method History.
type streamer interface{ History() engine.History }

// serveRecording sends the recording of an engine while it is made. It is the engine with the
// requested name, or otherwise the first one. See engine.History.Stream.
func (h *Handler) serveRecording(w http.ResponseWriter, r *http.Request) {
	e, names := h.streamer(r.URL.Query().Get("engine"))
	switch {
	case r.Method != http.MethodGet:
		http.Error(w, "a recording is read with GET", http.StatusMethodNotAllowed)
		return
	case e == nil && len(names) == 0:
		http.Error(w, "there is no engine to watch now", http.StatusNotFound)
		return
	case e == nil:
		http.Error(w, fmt.Sprintf("there is no engine %.100q; there is %.200q", r.URL.Query().Get("engine"), names), http.StatusNotFound)
		return
	case !admit(w, &h.watchers, mostWatchers, "%d watchers are here; no more are served"):
		return
	}
	defer h.watchers.Add(-1)
	head := w.Header()
	head.Set("Content-Type", "application/octet-stream")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cache-Control", "no-store")
	head.Set("Trailer", watchEnded)
	for _, name := range names {
		head.Add(watchEngines, url.QueryEscape(name))
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // no deadline, because net/http cancels the request when a deadline passes
	_ = control.Flush()                      // sends the headers before there are data
	stream := e.History().Stream
	if r.URL.Query().Has("states") {
		stream = e.History().StreamStates
	}
	if err := stream(r.Context(), &flushed{w, control}); err != nil {
		head.Set(watchEnded, err.Error())
	}
}

// streamer returns the engine with the given name, or otherwise the first one, and the names
// of all engines.
func (h *Handler) streamer(name string) (found streamer, names []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.engines {
		s, ok := e.(streamer)
		if ok && found == nil && (name == "" || e.Name() == name) {
			found = s
		}
		if ok {
			names = append(names, e.Name())
		}
	}
	return found, names
}

// flushed sends each write at once, with the time limit watchWrite. If a watcher does not
// read, its connection is closed.
type flushed struct {
	w       io.Writer
	control *http.ResponseController
}

func (f *flushed) Write(b []byte) (int, error) {
	_ = f.control.SetWriteDeadline(time.Now().Add(watchWrite)) // fails if the connection has no deadlines
	n, err := f.w.Write(b)
	if err == nil {
		err = f.control.Flush()
	}
	return n, err
}
