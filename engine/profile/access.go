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
// Two checks keep such pages out. If the domain name of a page leads to the loopback (DNS
// rebinding), its requests have that name in the Host header. And a request by a page of another
// origin has the header Sec-Fetch-Site or Origin, which tools such as curl and go tool pprof do not
// send. But browsers send Sec-Fetch-Site only to the loopback and over TLS, and do not send Origin
// with every request. So if other machines can connect, the path must begin with a token. A cookie
// would also be sent with requests of a page at another port of the host, and relative links drop a
// query.

// AllowHost allows requests that name the host of an address host:port. Requests to localhost and loopback addresses are
// always allowed. An address without a host, or with the host 0.0.0.0 or ::, allows all numeric addresses and the machine's
// own name. If the host is not the loopback, every request needs the token from then on; see URL. Any goroutine may call
// AllowHost.
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

// URL is the address of the live page at a listener. Profiles and metrics are below it, at
// debug/pprof/ and debug/halfstep. The URL contains the token if requests need one, so show it only
// to people who may see the profiles. Any goroutine may call URL.
func (h *Handler) URL(l net.Listener) string {
	addr := l.Addr().String()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.token == "" {
		return "http://" + addr + "/"
	}
	host := "localhost" // a server at all addresses can be reached as localhost
	if !h.anyAddress {
		host = h.hosts[0]
	}
	_, port, _ := net.SplitHostPort(addr)
	return "http://" + net.JoinHostPort(host, port) + "/" + h.token + "/"
}

// prefix returns the first part of a path with the token, or "" if requests need no token. The
// documented paths come after this part. ok says that the path has the right token or needs none.
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

// foreign reports whether a request comes from a page of another origin, according to its headers.
func foreign(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return true
	}
	origin := r.Header.Get("Origin")
	return origin != "" && !strings.EqualFold(origin, "http://"+r.Host) && !strings.EqualFold(origin, "https://"+r.Host)
}

// longest is the longest allowed profile, s.
const longest = 3600

// alone wraps a handler that profiles for some seconds. Only one such handler runs at a time, as
// the runtime requires, and a second request gets an error at once.
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

// timed wraps a handler whose request contains a number of seconds. It rejects more than longest.
// For an invalid number, the handlers of net/http/pprof use their default.
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
		WriteTimeout: 30 * time.Second, // to this is added the time that a profile takes
		IdleTimeout:  30 * time.Second, MaxHeaderBytes: 16 << 10,
	}
}
