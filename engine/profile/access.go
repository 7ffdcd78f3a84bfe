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

// A profile reveals much about a program, and a browser on the same machine runs foreign web pages.
// Two checks keep these out. A page whose domain name is redirected to the loopback (DNS rebinding)
// has that name in the Host header, and a request by a page of another origin has Sec-Fetch-Site or
// Origin. Tools such as curl and go tool pprof send neither. But browsers send Sec-Fetch-Site to
// the loopback and over TLS only, and do not send Origin with every request. Where other machines
// can connect, the path must therefore begin with a token. A cookie would also be sent with
// requests of a page at another port of the host, and relative links drop a query.

// AllowHost allows requests that name the host of an address host:port, beside localhost and loopback addresses. An address
// without a host, or with the host 0.0.0.0 or ::, allows all numeric addresses and the machine's own name. If the host is not
// the loopback, every request needs the token from then on; see URL. Any goroutine.
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

// URL is the address of the live page at a listener. Profiles and metrics are below
// it, at debug/pprof/ and debug/halfstep. It contains the token if one is needed:
// show it only to those who may see the profiles. Any goroutine.
func (h *Handler) URL(l net.Listener) string {
	addr := l.Addr().String()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.token == "" {
		return "http://" + addr + "/"
	}
	host := "localhost" // a server at all addresses can be reached by localhost
	if !h.anyAddress {
		host = h.hosts[0]
	}
	_, port, _ := net.SplitHostPort(addr)
	return "http://" + net.JoinHostPort(host, port) + "/" + h.token + "/"
}

// prefix is the part of a path with the token, before the documented paths, or empty if no
// token is needed. ok says that the path has the right token or needs none.
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

// foreign reports whether the request comes from a page of another origin, as browsers say in headers.
func foreign(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return true
	}
	origin := r.Header.Get("Origin")
	return origin != "" && !strings.EqualFold(origin, "http://"+r.Host) && !strings.EqualFold(origin, "https://"+r.Host)
}

// longest is the greatest duration of a profile, s.
const longest = 3600

// alone wraps a handler that profiles for some seconds, so that only one runs at a time, as the
// runtime requires. A second request gets an error at once.
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

// timed wraps a handler that takes the number of seconds in the request, and refuses more than
// longest. The handlers of net/http/pprof replace an invalid number by their default.
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

// Server returns a server of h with time limits, so that silent connections are closed.
func (h *Handler) Server() *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second, // plus the seconds that a profile takes
		IdleTimeout:  30 * time.Second, MaxHeaderBytes: 16 << 10,
	}
}
