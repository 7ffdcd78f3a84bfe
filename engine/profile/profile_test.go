package profile_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/engine/profile"
)

func open(t *testing.T, name string) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Config{Name: name, Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	for range 10 {
		e.Advance(time.Second / 60)
	}
	return e
}

func get(t *testing.T, h http.Handler, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+path, nil))
	body, _ := io.ReadAll(w.Result().Body)
	return w.Code, string(body)
}

func TestMetricsOfEveryEngineAreServed(t *testing.T) {
	h := profile.New()
	a, b := open(t, "first"), open(t, "second")
	h.Add(a.Trace())
	h.Add(b.Trace())
	read := func() (f profile.Metrics) {
		code, body := get(t, h, "/debug/halfstep")
		if err := json.Unmarshal([]byte(body), &f); code != 200 || err != nil {
			t.Fatalf("%d, %v", code, err)
		}
		return f
	}
	f := read()
	if len(f.Engines) != 2 || f.Engines[0].Name != "first" || f.Engines[1].Name != "second" || f.Engines[0].Frames != 10 {
		t.Errorf("%+v", f.Engines)
	}
	if f.Runtime["/gc/heap/goal:bytes"] <= 0 || len(f.Runtime) < 14 {
		t.Errorf("%v", f.Runtime)
	}
	h.Remove(a.Trace())
	if f := read(); len(f.Engines) != 1 || f.Engines[0].Name != "second" {
		t.Errorf("%+v", f.Engines)
	}
}

func TestProfilesAreServed(t *testing.T) {
	h := profile.New()
	for path, want := range map[string]string{
		"/debug/pprof/":                    "full goroutine stack dump",
		"/debug/pprof/goroutine?debug=1":   "goroutine profile:",
		"/debug/pprof/cmdline":             "profile.test",
		"/debug/pprof/trace?seconds=0.001": "trace",
	} {
		if code, body := get(t, h, path); code != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d, %.200q", path, code, body)
		}
	}
	if code, _ := get(t, h, "/nothing"); code != 404 {
		t.Errorf("/nothing answers %d", code)
	}
}

func TestWithoutAHostOnlyTheLoopbackListens(t *testing.T) {
	h := profile.New()
	l, err := h.Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a := l.Addr().(*net.TCPAddr); !a.IP.IsLoopback() {
		t.Errorf("listens at %v", a)
	}
	if url := h.URL(l); url != "http://"+l.Addr().String()+"/" {
		t.Error(url)
	}
	for addr, want := range map[string]string{
		":6060": "localhost:6060", "0.0.0.0:6060": "0.0.0.0:6060", "[::1]:1": "[::1]:1", "host:http": "host:http",
	} {
		if got, err := profile.Address(addr); got != want || err != nil {
			t.Errorf("%s: %s, %v", addr, got, err)
		}
	}
}

func TestABadOrBusyAddressIsOneLine(t *testing.T) {
	busy, err := profile.New().Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	for _, addr := range []string{"", "6060", ":", "a:b:c", busy.Addr().String()} {
		l, err := profile.New().Listen(addr)
		if err == nil {
			l.Close()
			t.Errorf("%q: listens at %v", addr, l.Addr())
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", addr, err)
		}
	}
}

// A program that imports the engine must get neither our handlers nor the code of a
// web server.
func TestTheEngineDoesNotImportHTTP(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "halfstep/engine", "halfstep/engine/hitch").Output()
	if err != nil {
		t.Skip("no go tool: ", err)
	}
	for _, p := range strings.Fields(string(out)) {
		if p == "net/http" || p == "expvar" {
			t.Errorf("the engine imports %s", p)
		}
	}
}

func TestAProgramThatIsProfiledContainsNoMatches(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "halfstep/engine/profile").Output()
	if err != nil {
		t.Skip("no go tool: ", err)
	}
	if strings.Contains(string(out), "halfstep/engine/netplay") {
		t.Error("engine/profile imports engine/netplay")
	}
}

func TestTwoLinesServeTheLivePage(t *testing.T) {
	l, err := profile.New().Listen(":0") // finds a port
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	h := profile.New(open(t, "mine").Trace())
	if err := h.ListenAndServe(addr); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("an address that is taken: %v", err)
	}
	l.Close()
	go h.ListenAndServe(addr)
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		r, err := http.Get("http://" + addr + "/debug/halfstep")
		if err == nil {
			body, _ := io.ReadAll(r.Body)
			r.Body.Close()
			if r.StatusCode != 200 || !strings.Contains(string(body), `"mine"`) {
				t.Errorf("%d, %s", r.StatusCode, body)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}
