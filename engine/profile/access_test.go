package profile_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"halfstep/engine/profile"
)

// ask sends a request for the goroutine profile. The request has the given host, and
// headers of the form "Name: value".
func ask(h http.Handler, host string, headers ...string) (int, string) {
	return askAt(h, host, "/", headers...)
}

// askAt sends the same request as ask, but below a path.
func askAt(h http.Handler, host, path string, headers ...string) (int, string) {
	r := httptest.NewRequest("GET", path+"debug/pprof/goroutine?debug=1", nil)
	r.Host = host
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func TestOnlyTheLoopbackMayBeNamedAsTheHost(t *testing.T) {
	h := profile.New()
	for host, want := range map[string]int{
		"localhost": 200, "localhost:6060": 200, "LOCALHOST:1": 200, "localhost.:6060": 200, "127.0.0.1:6060": 200,
		"127.8.8.8": 200, "[::1]:6060": 200, "[::1]": 200,
		"attacker.example": 403, "attacker.example:6060": 403, "localhost.attacker.example": 403,
		"127.0.0.1.attacker.example": 403, "10.0.0.5:6060": 403, "": 403, "[::]:6060": 403,
	} {
		code, body := ask(h, host)
		if code != want || code == 403 && strings.Count(body, "\n") != 1 {
			t.Errorf("%q: %d, %.100q", host, code, body)
		}
	}
}

func TestTheHostThatWasGivenMayBeNamed(t *testing.T) {
	for addr, hosts := range map[string]map[string]int{
		"box.example:6060": {"box.example:6060": 200, "Box.Example": 200, "localhost:6060": 200, "other.example": 403, "10.0.0.5": 403},
		"10.0.0.5:6060":    {"10.0.0.5:6060": 200, "10.0.0.6:6060": 403, "box.example": 403},
		"0.0.0.0:6060":     {"10.0.0.5:6060": 200, "[fe80::1]:6060": 200, "attacker.example:6060": 403},
		"[::]:6060":        {"10.0.0.5:6060": 200, "attacker.example:6060": 403},
		"localhost:6060":   {"localhost:6060": 200, "10.0.0.5:6060": 403},
	} {
		h := profile.New()
		if err := h.AllowHost(addr); err != nil {
			t.Fatal(err)
		}
		_, prefix := urlOf(t, h)
		for host, want := range hosts {
			if code, _ := askAt(h, host, prefix); code != want {
				t.Errorf("given %s, %q: %d, want %d", addr, host, code, want)
			}
		}
	}
	if err := profile.New().AllowHost("6060"); err == nil {
		t.Error("6060 passes for an address")
	}
}

// urlOf returns the host and the path of the handler's address at some listener.
func urlOf(t *testing.T, h *profile.Handler) (host, path string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	u, err := url.Parse(h.URL(l))
	if err != nil {
		t.Fatal(err)
	}
	if u.Port() != strconv.Itoa(l.Addr().(*net.TCPAddr).Port) {
		t.Errorf("%v has another port than %v", u, l.Addr())
	}
	return u.Hostname(), u.Path
}

func TestWhereOtherMachinesCanConnectOnlyTheTokenLetsARequestIn(t *testing.T) {
	seen := map[string]bool{}
	for addr, named := range map[string]string{
		"0.0.0.0:6060": "localhost", "[::]:6060": "localhost", "192.168.1.5:6060": "192.168.1.5", "box.example:6060": "box.example",
		":6060": "localhost", "[fe80::1]:6060": "fe80::1",
	} {
		h := profile.New()
		if err := h.AllowHost(addr); err != nil {
			t.Fatal(err)
		}
		host, path := urlOf(t, h)
		if host != named || len(path) < 22 || seen[path] {
			t.Errorf("given %s: the address is at %s%s", addr, host, path)
		}
		seen[path] = true
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		for at, want := range map[string]int{
			path: 200, "/": 403, path[:len(path)-2] + "/": 403, path[:len(path)-1] + "X/": 403, strings.ToLower(path): 403,
			"/" + path: 403, "//": 403, path + path[1:]: 404,
		} {
			code, body := askAt(h, host, at)
			if code != want || code == 403 && (strings.Count(body, "\n") != 1 || strings.Contains(body, path[1:len(path)-1])) {
				t.Errorf("given %s, %s%s: %d, %.100q", addr, host, at, code, body)
			}
		}
		// A link in another program's page that opens the address is allowed.
		if code, _ := askAt(h, host, path, "Sec-Fetch-Site: cross-site"); code != 200 {
			t.Errorf("given %s, from a link: %d", addr, code)
		}
	}
}

func TestAPageElsewhereHoldsUpNoProfileWhereOtherMachinesCanConnect(t *testing.T) {
	h := profile.New()
	l, err := h.Listen("0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	s := h.Server()
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	mine := h.URL(l)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	// An iframe over plain HTTP sends neither Sec-Fetch-Site nor Origin.
	foreign, err := http.Get("http://127.0.0.1:" + port + "/debug/pprof/trace?seconds=600")
	if err != nil {
		t.Fatal(err)
	}
	defer foreign.Body.Close()
	if foreign.StatusCode != 403 {
		t.Errorf("the page elsewhere gets %d", foreign.StatusCode)
	}
	a, err := http.Get(mine + "debug/pprof/trace?seconds=0.01")
	if err != nil {
		t.Fatal(err)
	}
	if a.Body.Close(); a.StatusCode != 200 {
		t.Errorf("the developer gets %d", a.StatusCode)
	}
}

func TestAnAddressOfOtherMachinesIsNotServedWithoutTellingTheToken(t *testing.T) {
	if err := profile.New().ListenAndServe("0.0.0.0:0"); err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.Contains(err.Error(), "token") {
		t.Error(err)
	}
}

func TestAPageOfAnotherOriginGetsNoProfile(t *testing.T) {
	h := profile.New()
	for header, want := range map[string]int{
		"Accept: */*":                          200, // as curl
		"Sec-Fetch-Site: none":                 200, // typed in
		"Sec-Fetch-Site: same-origin":          200,
		"Origin: http://localhost:6060":        200,
		"Sec-Fetch-Site: cross-site":           403,
		"Sec-Fetch-Site: same-site":            403, // another port
		"Origin: http://attacker.example":      403,
		"Origin: http://localhost:8080":        403,
		"Origin: null":                         403,
		"Origin: http://localhost:6060.a.test": 403,
	} {
		if code, _ := ask(h, "localhost:6060", header); code != want {
			t.Errorf("%s: %d, want %d", header, code, want)
		}
	}
}

// serve serves h on the loopback interface, with time limits for which a test can wait.
func serve(t *testing.T, h *profile.Handler) string {
	t.Helper()
	l, err := profile.New().Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	s := h.Server()
	if s.ReadHeaderTimeout <= 0 || s.ReadTimeout <= 0 || s.WriteTimeout <= 0 || s.IdleTimeout <= 0 {
		t.Fatalf("no time limits: %+v", s)
	}
	s.ReadHeaderTimeout, s.ReadTimeout, s.IdleTimeout = 200*time.Millisecond, 300*time.Millisecond, 300*time.Millisecond
	s.WriteTimeout = 400 * time.Millisecond
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return l.Addr().String()
}

func TestConnectionsThatSayNothingDoNotStay(t *testing.T) {
	addr := serve(t, profile.New())
	var open []net.Conn
	for i := range 60 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		switch i % 3 {
		case 1:
			io.WriteString(c, "GET /debug/pprof/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
		case 2: // the body of the request never comes
			io.WriteString(c, "POST /debug/pprof/symbol HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
		}
		open = append(open, c)
	}
	for i, c := range open {
		c.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := io.Copy(io.Discard, c); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Fatalf("connection %d of %d stays: %v", i, len(open), err)
		}
	}
}

func TestAProfileMayTakeItsSecondsWhateverTheTimeLimits(t *testing.T) {
	addr := serve(t, profile.New())
	start := time.Now()
	r, err := http.Get("http://" + addr + "/debug/pprof/trace?seconds=1")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 || !strings.Contains(string(body[:min(len(body), 40)]), "trace") {
		t.Fatalf("%d, %d bytes: %v", r.StatusCode, len(body), err)
	}
	if took := time.Since(start); took < time.Second {
		t.Errorf("it was cut off after %v", took)
	}
}

func TestOneProfileIsTakenAtATime(t *testing.T) {
	addr := serve(t, profile.New())
	first, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(first, "GET /debug/pprof/trace?seconds=600 HTTP/1.1\r\nHost: localhost\r\n\r\n")
	// the head of the answer comes once the trace is running
	if line, err := bufio.NewReader(first).ReadString('\n'); !strings.Contains(line, "200") {
		t.Fatalf("%q, %v", line, err)
	}
	status := func(path string) (int, string) {
		r, err := http.Get("http://" + addr + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, _ := io.ReadAll(r.Body)
		return r.StatusCode, string(body)
	}
	for _, path := range []string{"/debug/pprof/trace?seconds=1", "/debug/pprof/profile?seconds=1"} {
		if code, body := status(path); code != 429 || strings.Count(body, "\n") != 1 {
			t.Errorf("%s: %d, %.100q", path, code, body)
		}
	}
	if code, _ := status("/debug/pprof/goroutine?debug=1"); code != 200 {
		t.Errorf("a profile that takes no time: %d", code)
	}
	first.Close() // the client has left, so the next client may ask
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if code, _ := status("/debug/pprof/trace?seconds=0.01"); code == 200 {
			break
		} else if time.Now().After(end) {
			t.Fatalf("%d for a minute", code)
		}
	}
}

func TestTheSecondsOfAProfileHaveALimit(t *testing.T) {
	for _, seconds := range []string{"3601", "1e30", "Inf", "NaN"} {
		r := httptest.NewRequest("GET", "http://localhost/debug/pprof/trace?seconds="+seconds, nil)
		w := httptest.NewRecorder()
		profile.New().ServeHTTP(w, r)
		if w.Code != 400 {
			t.Errorf("%s: %d", seconds, w.Code)
		}
	}
}
