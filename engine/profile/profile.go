// Package profile serves profiles and metrics of running engines over HTTP.
//
//	h := profile.New(e.Trace())
//	go h.ListenAndServe(":6060") // the loopback only
//
// The paths below /debug/pprof/ are the handlers of net/http/pprof, for go tool pprof and go
// tool trace. The path /debug/halfstep has the metrics of the engines and of the runtime as
// JSON. The paths / and /debug/halfstep/ are a page for a browser, with the work of both
// threads, frame and step times, counters, hitches and matches as they happen. The path
// /debug/halfstep/recording is the recording of an engine while it is made, which viewer -watch
// shows. A request must name the loopback as its host, or a host that AllowHost allows. Without
// a token it must not come from a web page of another origin. If other machines can connect, a
// path must begin with a token that Handler.URL contains:
//
//	h := profile.New(e.Trace())
//	l, err := h.Listen("0.0.0.0:6060")
//	...
//	fmt.Println(h.URL(l))
//	go h.Server().Serve(l)
//
// CPU profiles and traces are taken one at a time.
//
// Only the Handler serves: neither this package nor the engine registers handlers by itself.
// (This package imports net/http/pprof, which registers itself with http.DefaultServeMux. So a
// program that serves http.DefaultServeMux also serves profiles.)
package profile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"slices"
	"sync"
	"sync/atomic"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/engine/hitch"
	"halfstep/internal/goruntime"
	"halfstep/internal/timing"
)

// Source is an engine.Trace, which documents the methods, or another loop with the same
// methods. Any goroutine may call them.
type Source interface {
	Name() string
	Metrics() engine.Metrics
	Spans(t phase.Thread, dst []timing.Span) []timing.Span
}

// Handler serves profiles and the metrics of its engines. It must be created
// with New.
type Handler struct {
	mux *http.ServeMux

	profiling sync.Mutex // locked while a CPU profile or a trace is taken

	mu         sync.Mutex
	engines    []Source
	matches    []match
	hosts      []string // hosts that requests may name, besides the loopback
	anyAddress bool     // requests may name any numeric address
	token      string   // paths must begin with this token; "" if requests need no token
	hitches    *hitch.Recorder

	pages    atomic.Int32 // open live pages
	watchers atomic.Int32 // readers of recordings
}

// New returns a handler for /debug/pprof/, /debug/halfstep and the live page, with the metrics
// of the given engines. Add adds more engines.
func New(engines ...Source) *Handler {
	h := &Handler{mux: http.NewServeMux()}
	for _, e := range engines {
		h.Add(e)
	}
	h.mux.HandleFunc("/debug/pprof/", timed(pprof.Index))
	h.mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	h.mux.HandleFunc("/debug/pprof/profile", h.alone(pprof.Profile))
	h.mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol) // the tool sends its request with POST
	h.mux.HandleFunc("/debug/pprof/trace", h.alone(pprof.Trace))
	h.mux.HandleFunc("/debug/halfstep", h.serveMetrics)
	h.mux.HandleFunc("/{$}", h.serveLive)
	h.mux.HandleFunc("/debug/halfstep/{$}", h.serveLive)
	h.mux.HandleFunc("/debug/halfstep/events", h.serveEvents)
	h.mux.HandleFunc("/debug/halfstep/recording", h.serveRecording)
	h.mux.HandleFunc("/debug/halfstep/hitches/{name}", h.serveHitch)
	return h
}

// ServeHTTP answers a request to the paths that the package comment lists.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Referrer-Policy", "no-referrer") // other sites must not see the token in the path
	prefix, ok := h.prefix(r.URL.Path)
	switch {
	case !h.allowed(r.Host):
		http.Error(w, fmt.Sprintf("host %q is not known here; use localhost, or the address that was given to listen at", r.Host), http.StatusForbidden)
	case !ok:
		http.Error(w, "other machines can connect to this server, so it needs the token: use the address that the program has printed", http.StatusForbidden)
	case prefix == "" && foreign(r):
		http.Error(w, "a web page of another origin gets no profiles", http.StatusForbidden)
	default:
		http.StripPrefix(prefix, h.mux).ServeHTTP(w, r)
	}
}

// Add publishes an engine's metrics. Repeated calls change nothing. Any goroutine may
// call it.
func (h *Handler) Add(e Source) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Contains(h.engines, e) {
		h.engines = append(h.engines, e)
	}
}

// Remove undoes Add. Any goroutine may call it.
func (h *Handler) Remove(e Source) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.engines = slices.DeleteFunc(h.engines, func(x Source) bool { return x == e })
}

// match is a source of metrics other than an engine, such as a netplay.Session.
type match struct {
	of      any        // the argument of AddMatch
	metrics func() any // metrics returns the Metrics of the engine.
}

// AddMatch makes h publish the metrics of a match, s.Metrics(), as JSON. s can be a
// netplay.Session, for example. The live page shows the metrics with the engine of the same
// name. Any goroutine may call it.
func AddMatch[M any](h *Handler, s interface{ Metrics() M }) {
	h.RemoveMatch(s)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.matches = append(h.matches, match{s, func() any { return s.Metrics() }})
}

// RemoveMatch undoes AddMatch. Any goroutine may call it.
func (h *Handler) RemoveMatch(s any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.matches = slices.DeleteFunc(h.matches, func(m match) bool { return m.of == s })
}

// Metrics is the answer of /debug/halfstep.
type Metrics struct {
	Engines []engine.Metrics   `json:"engines"`
	Matches []any              `json:"matches"` // the result of the method Metrics of each match
	Runtime map[string]float64 `json:"runtime"` // by name in runtime/metrics
}

// Metrics returns the present metrics. Any goroutine may call it.
func (h *Handler) Metrics() Metrics {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := Metrics{Engines: []engine.Metrics{}, Matches: []any{}, Runtime: readRuntime()}
	for _, e := range h.engines {
		m.Engines = append(m.Engines, e.Metrics())
	}
	for _, s := range h.matches {
		m.Matches = append(m.Matches, s.metrics())
	}
	return m
}

func (h *Handler) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	_ = enc.Encode(h.Metrics()) // an error here is a problem of the client
}

// address completes host:port. Without a host the address is the loopback, so that other
// machines do not get profiles by mistake.
func address(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port == "" {
		return "", fmt.Errorf("address %q is not host:port or :port", addr)
	}
	return net.JoinHostPort(cmp.Or(host, "localhost"), port), nil
}

// Listen listens at host:port, or on the loopback if there is no host, and allows requests that
// name this host; see AllowHost. If the address is in use, the error is one line.
func (h *Handler) Listen(addr string) (net.Listener, error) {
	addr, err := address(addr)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return l, h.AllowHost(addr)
}

// ListenAndServe listens at addr, which must be on the loopback, and answers requests until an
// error ends that. It returns the error. For another address, or if the server must end before
// the program, use Listen, URL and Server.
func (h *Handler) ListenAndServe(addr string) error {
	full, err := address(addr)
	if err != nil {
		return err
	}
	if host, _, _ := net.SplitHostPort(full); !loopback(host) {
		return fmt.Errorf("address %q is not of the loopback, so requests need the token that URL tells: use Listen and Server", addr)
	}
	l, err := h.Listen(full)
	if err != nil {
		return err
	}
	return h.Server().Serve(l)
}

// readRuntime reads metrics of the Go runtime.
func readRuntime() map[string]float64 {
	published := []goruntime.Metric{
		goruntime.CollectorCPU, goruntime.CPU, goruntime.Cycles, goruntime.GOGC, goruntime.MemoryLimit,
		goruntime.AllocBytes, goruntime.AllocObjects, goruntime.HeapGoal, goruntime.HeapLive, goruntime.HeapObjects,
		goruntime.Memory, goruntime.MaxProcs, goruntime.Goroutines, goruntime.MutexWait,
	}
	now, values := goruntime.Read(published...), map[string]float64{}
	for _, m := range published {
		values[m] = now.Value(m)
	}
	return values
}
