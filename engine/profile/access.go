package profile

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// A profile tells much about a program, and a browser on the same machine runs
// pages of anybody's. Two checks keep those out. A name that its owner points
// at the loopback afterwards (DNS rebinding) arrives in the Host header, and
// what a page of another origin asks for says so in Sec-Fetch-Site or Origin.
// Tools such as curl and go tool pprof send neither of the latter. But browsers send
// Sec-Fetch-Site to the loopback and over TLS only, and Origin not with every
// request. Where other machines can connect, the path must therefore begin with a
// token. A cookie would go along with what a page at another port of the host asks
// for, and relative links lose a query.

// AllowHost has requests answered that name the host of an address host:port,
// beside localhost and loopback addresses. Without a host, or with one that
// stands for all addresses (0.0.0.0, ::), these are all addresses in figures
// and the machine's own name. If the host is not the loopback, every request needs
// the token from then on; see URL. Any goroutine.
func (h *Handler) AllowHost(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("address %q is not host:port or :port", addr)
	}
	if loopback(host) {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.token == "" {
		h.token = rand.Text()
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		h.anyAddress = true
		if name, err := os.Hostname(); err == nil {
			h.hosts = append(h.hosts, name)
		}
		return nil
	}
	h.hosts = append(h.hosts, host)
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// URL is where the live page is at a listener. Profiles and metrics are below it, at
// debug/pprof/ and debug/halfstep. It holds the token where one is needed: show it
// only to those who may see the profiles. Any goroutine.
func (h *Handler) URL(l net.Listener) string {
	addr := l.Addr().String()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.token == "" {
		return "http://" + addr + "/"
	}
	host := "localhost" // localhost works here, whichever address that is
	if !h.anyAddress {
		host = h.hosts[0]
	}
	_, port, _ := net.SplitHostPort(addr)
	return "http://" + net.JoinHostPort(host, port) + "/" + h.token + "/"
}

// prefix is what a path begins with before the paths that this package documents, and
// whether the request may go on. Without a token it is empty.
func (h *Handler) prefix(path string) (prefix string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.token == "" {
		return "", true
	}
	given, _, whole := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return "/" + h.token, whole && subtle.ConstantTimeCompare([]byte(given), []byte(h.token)) == 1
}

// allowed reports whether a request may name a host, with or without a port.
func (h *Handler) allowed(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	} else {
		host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	}
	host = strings.TrimSuffix(host, ".")
	if loopback(host) {
		return true
	}
	ip := net.ParseIP(host)
	h.mu.Lock()
	defer h.mu.Unlock()
	if ip != nil && h.anyAddress {
		return true
	}
	for _, known := range h.hosts {
		if strings.EqualFold(host, known) || ip != nil && ip.Equal(net.ParseIP(known)) {
			return true
		}
	}
	return false
}

// foreign reports whether a browser says that a page of another origin makes the request.
func foreign(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return true
	}
	origin := r.Header.Get("Origin")
	return origin != "" && !strings.EqualFold(origin, "http://"+r.Host) && !strings.EqualFold(origin, "https://"+r.Host)
}

// longest is the greatest length of a profile, s.
const longest = 3600

// alone runs a handler that profiles for some seconds, one at a time: the
// runtime can not do more, and whoever asks shall hear it at once.
func (h *Handler) alone(profile http.HandlerFunc) http.HandlerFunc {
	return timed(func(w http.ResponseWriter, r *http.Request) {
		if !h.profiling.TryLock() {
			http.Error(w, "another profile or trace is being taken; only one runs at a time", http.StatusTooManyRequests)
			return
		}
		defer h.profiling.Unlock()
		profile(w, r)
	})
}

// timed runs a handler that takes as many seconds as asked for, but at most the
// longest. What is no number the handlers of net/http/pprof take for their default.
func timed(profile http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		seconds, err := strconv.ParseFloat(r.FormValue("seconds"), 64)
		if err == nil && !(seconds <= longest) {
			http.Error(w, fmt.Sprintf("seconds must be at most %d", longest), http.StatusBadRequest)
			return
		}
		profile(w, r)
	}
}

// Server returns a server of h with time limits, so that connections that say
// nothing do not stay.
func (h *Handler) Server() *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second, // besides the seconds that a profile takes
		IdleTimeout:  30 * time.Second, MaxHeaderBytes: 16 << 10,
	}
}
