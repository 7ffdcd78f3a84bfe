package profile_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/engine/hitch"
	"halfstep/engine/netplay"
	"halfstep/engine/profile"
	"halfstep/internal/owner"
	"halfstep/test/norace"
	"halfstep/world"
)

// running returns an engine that draws frames until the test ends. If faults
// contains a late step, a step is late.
func running(t *testing.T, name string, watch func(*engine.Engine), faults ...fault.Fault) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Config{Name: name, Testing: engine.Testing{Faults: faults}, Setup: func(w *world.World) error {
		w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Box(40, 1)}})
		for i := range 20 {
			w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i % 5), Y: float64(2 + i/5)}, Shapes: []world.ShapeDef{world.Box(.9, .9)}})
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if watch != nil {
		watch(e)
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			default:
			}
			e.Frame()
			e.Trace().PlanSleep(4 * time.Millisecond)
			time.Sleep(4 * time.Millisecond)
		}
	}()
	t.Cleanup(func() { close(quit); <-done; e.Close() })
	return e
}

// messages reads n messages of the live page's stream.
func messages(t *testing.T, url string, n int) (list []map[string]any) {
	t.Helper()
	r, err := http.Get(url + "/debug/halfstep/events")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if kind := r.Header.Get("Content-Type"); r.StatusCode != 200 || kind != "text/event-stream" {
		t.Fatalf("%d, %s", r.StatusCode, kind)
	}
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(nil, 1<<20)
	for len(list) < n && lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			m := map[string]any{}
			if err := json.Unmarshal([]byte(data), &m); err != nil {
				t.Fatalf("%v: %.300s", err, data)
			}
			list = append(list, m)
		}
	}
	if len(list) < n {
		t.Fatalf("%d messages: %v", len(list), lines.Err())
	}
	return list
}

func TestTheLiveStreamOutlastsTheTimeLimitsAndTellsEachSpanOnce(t *testing.T) {
	h := profile.New()
	h.Add(running(t, "live", nil).Trace())
	url := "http://" + serve(t, h) // a write may take 0.4 s
	seen := map[float64]bool{}
	for i, m := range messages(t, url, 6) {
		e := m["engines"].([]any)[0].(map[string]any)
		if e["name"] != "live" || m["runtime"].(map[string]any)["/gc/heap/goal:bytes"].(float64) <= 0 {
			t.Fatalf("%v", m)
		}
		for _, s := range e["frame_spans"].([]any) {
			row := s.([]any)
			if n := row[3].(float64); seen[n] {
				t.Errorf("message %d tells frame %v again", i, n)
			} else {
				seen[n] = true
			}
			if len(row) != 20 || row[1].(float64) < row[0].(float64) {
				t.Fatalf("%v", row)
			}
		}
	}
	if len(seen) < 5 {
		t.Errorf("%d frames", len(seen))
	}
}

func TestTheLivePageIsAsGuardedAsProfiles(t *testing.T) {
	h := profile.New()
	url := "http://" + serve(t, h)
	for _, path := range []string{"/", "/debug/halfstep/", "/debug/halfstep/events", "/debug/halfstep/hitches/x.html"} {
		for header, value := range map[string]string{"Host": "attacker.example", "Origin": "http://attacker.example", "Sec-Fetch-Site": "cross-site"} {
			r, _ := http.NewRequest("GET", url+path, nil)
			r.Header.Set(header, value)
			if header == "Host" {
				r.Host = value
			}
			a, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			if a.Body.Close(); a.StatusCode != 403 {
				t.Errorf("%s with %s %s: %d", path, header, value, a.StatusCode)
			}
		}
	}
}

func TestOnlySoManyLivePagesAreServed(t *testing.T) {
	url := "http://" + serve(t, profile.New())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	codes := map[int]int{}
	for range 12 {
		r, _ := http.NewRequestWithContext(ctx, "GET", url+"/debug/halfstep/events", nil)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		codes[a.StatusCode]++
	}
	if codes[200] != 8 || codes[503] != 4 {
		t.Errorf("%v", codes)
	}
	cancel()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) { // places become free
		a, err := http.Get(url + "/debug/halfstep/events")
		if err == nil {
			a.Body.Close()
			if a.StatusCode == 200 {
				break
			}
		}
		if time.Now().After(end) {
			t.Fatal("no page is served after the others have gone")
		}
	}
}

// hitching returns a recorder that has recorded one hitch.
func hitching(t *testing.T, h *profile.Handler, name string) *hitch.Recorder {
	t.Helper()
	found := make(chan string, 8)
	rec, err := hitch.Start(hitch.Options{
		Dir: t.TempDir(), Threshold: 250 * time.Millisecond, StartUp: time.Millisecond, StartUpFrames: 5,
		OnReport: func(r *hitch.Report, _ error) { found <- r.Path() },
	})
	if err != nil {
		t.Skip(err) // another flight recorder runs
	}
	t.Cleanup(func() { rec.Close() })
	h.ShowHitches(rec)
	h.Add(running(t, name, func(e *engine.Engine) { rec.Watch(e.Trace()) }, fault.Fault{Kind: fault.LateStep, Delay: 400 * time.Millisecond, At: 20}).Trace())
	select {
	case <-found:
	case <-time.After(time.Minute):
		t.Fatal("no hitch")
	}
	return rec
}

func TestReportsAreServedAndNoOtherFiles(t *testing.T) {
	h := profile.New()
	rec := hitching(t, h, "late")
	w := rec.Written()
	page := strings.TrimSuffix(filepath.Base(w[0].Path()), ".json") + ".html"
	code, body := get(t, h, "/debug/halfstep/hitches/"+page)
	if code != 200 || !strings.Contains(body, "he step to tick 20 took") {
		t.Errorf("%d, %.200s", code, body)
	}
	os.WriteFile(filepath.Join(filepath.Dir(w[0].Path()), "secret.html"), []byte("secret"), 0o644)
	for _, name := range []string{"secret.html", strings.TrimSuffix(page, ".html") + ".json", "..%2f" + page, "x.html"} {
		if code, body := get(t, h, "/debug/halfstep/hitches/"+name); code == 200 {
			t.Errorf("%s is served: %.100s", name, body)
		}
	}
	os.Remove(filepath.Join(filepath.Dir(w[0].Path()), page))
	if code, _ := get(t, h, "/debug/halfstep/hitches/"+page); code != 404 {
		t.Errorf("a report that is gone: %d", code)
	}
}

func TestTheLivePageShowsTheMatchOfAnEngine(t *testing.T) {
	h := profile.New()
	var network netplay.Memory
	hostAt, guestAt := netip.MustParseAddrPort("127.0.0.1:1"), netip.MustParseAddrPort("127.0.0.1:2")
	o := netplay.Options{Players: 2, InputSize: 1, Apply: func(world.Commands, uint64, [][]byte) {}}
	c := engine.Config{Name: "ours", Setup: func(w *world.World) error { return nil }}
	host, err := netplay.Host(network.Line(hostAt), c, o)
	if err != nil {
		t.Fatal(err)
	}
	c.Name = "theirs"
	line := netplay.Conditions{Delay: 30 * time.Millisecond}.Worsen(network.Line(guestAt))
	guest, err := netplay.Join(line, hostAt, c, o)
	if err != nil {
		t.Fatal(err)
	}
	h.Add(host.Engine().Trace())
	profile.AddMatch(h, host)
	profile.AddMatch(h, guest)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			select {
			case <-quit:
				return
			case <-time.After(8 * time.Millisecond):
			}
			for _, s := range []*netplay.Session{host, guest} {
				if err := s.Update([]byte{byte(n / 16)}); err != nil {
					t.Error(err)
					return
				}
				if e := s.Engine(); e != nil {
					e.Frame()
				}
			}
		}
	}()
	defer func() {
		close(quit)
		<-done
		guest.Close()
		host.Close()
	}()
	url := "http://" + serve(t, h)
	of := func(n int) netplay.Metrics { return h.Metrics().Matches[n].(netplay.Metrics) }
	for len(h.Metrics().Matches) != 2 || of(0).Rollbacks == 0 || !of(1).Players[0].Here {
		time.Sleep(10 * time.Millisecond)
	}
	m := messages(t, url, 1)[0]["matches"].([]any)
	if ours := m[0].(map[string]any); ours["name"] != "ours" || ours["rollbacks"].(float64) == 0 || ours["players"].([]any)[1].(map[string]any)["round_trip_ns"].(float64) < 6e7 {
		t.Errorf("the stream has %v", ours)
	}
	if !testing.Short() && !owner.Checked { // a browser finds no data race
		p := openBrowser(t, 1060, 1750)
		p.visit(url + "/")
		p.wait(`document.body.dataset.drawn === 'yes' && document.getElementById('match').hidden === false`)
		p.wait(`document.getElementById('matchTable').textContent.includes('round trip, player 1')`)
		if path := os.Getenv("HALFSTEP_SCREENSHOTS"); path != "" {
			os.WriteFile(filepath.Join(path, "match.png"), p.screenshot(), 0o644)
		}
		for _, e := range p.allErrors() {
			t.Errorf("the console says %s", e)
		}
	}
	h.RemoveMatch(host)
	if got := h.Metrics().Matches; len(got) != 1 || of(0).Name != "theirs" {
		t.Errorf("%v are left", got)
	}
}

func TestTheLivePageWorksInABrowser(t *testing.T) {
	norace.Only(t)
	if testing.Short() {
		t.Skip("starts a browser")
	}
	h := profile.New()
	name := `<b onclick="x">late</b>`
	hitching(t, h, name)
	addr := serve(t, h)
	if err := h.AllowHost("0.0.0.0:1"); err != nil { // for a token
		t.Fatal(err)
	}
	_, token := urlOf(t, h)
	url := "http://" + addr + strings.TrimSuffix(token, "/")
	p := openBrowser(t, 1060, 1750)
	p.dark(true)
	p.visit(url + "/")
	// a busy machine can cause additional hitches
	const listed = `[...document.querySelectorAll('#hitches li')].some(li => li.textContent.includes('the step to tick 20 took'))`
	p.wait(`document.body.dataset.drawn === 'yes' && kept.size === 1 && ` + listed)
	p.wait(`[...kept.values()][0].frames.length > 20 && document.getElementById('frameText').textContent.includes('p99.9')`)
	if got := p.value(`document.getElementById('title').textContent`); got != fmt.Sprintf("%q", name) && !strings.Contains(got, "onclick") {
		t.Errorf("the title is %s", got)
	}
	if got := p.value(`document.querySelectorAll('main b[onclick]').length`); got != "0" {
		t.Error("the engine's name became part of the page")
	}
	// a page that becomes visible again has one stream, and shows each span once
	if got := p.value(`(was => (document.dispatchEvent(new Event('visibilitychange')), was.readyState === EventSource.CLOSED && source !== was))(source)`); got != "true" {
		t.Errorf("the stream before is closed: %s", got)
	}
	p.wait(`source.readyState === EventSource.OPEN && !anew && [...kept.values()][0].frames.length > 20`)
	if got := p.value(`(f => new Set(f.map(s => s[0])).size === f.length)([...kept.values()][0].frames)`); got != "true" {
		t.Errorf("each frame is there once: %s", got)
	}
	if path := os.Getenv("HALFSTEP_SCREENSHOTS"); path != "" {
		os.WriteFile(filepath.Join(path, "live.png"), p.screenshot(), 0o644)
	}
	if got := p.value(`document.querySelector('#commands code').textContent`); !strings.Contains(got, url+"/debug/pprof/profile") {
		t.Errorf("a command is %s", got)
	}
	href := func(selector string) string {
		return strings.Trim(p.value(`document.querySelector('`+selector+`').href`), `"`)
	}
	profiles, metrics := href("p a:first-child"), href("p a:last-child")
	p.visit(metrics)
	p.wait(`document.body && document.body.textContent.includes('awake_bodies')`)
	p.visit(profiles)
	p.wait(`[...document.links].some(a => a.href.includes('goroutine?debug=1'))`)
	p.visit(href(`a[href="goroutine?debug=1"]`))
	p.wait(`document.body && document.body.textContent.includes('goroutine profile:')`)
	p.visit(url + "/debug/halfstep/")
	p.wait(listed)
	p.visit(href("#hitches a"))
	p.wait(`document.querySelectorAll('svg').length === 2`)
	for _, e := range p.allErrors() {
		if !strings.HasSuffix(e, "/favicon.ico") { // the browser's own request
			t.Errorf("the console says %s", e)
		}
	}
	for _, r := range p.allRequests() {
		if !strings.HasPrefix(r, "http://"+addr) && !strings.HasPrefix(r, "data:") && r != "about:blank" {
			t.Errorf("it asks for %s", r)
		}
	}
}

func TestTheReportOfAHitchWorksInABrowser(t *testing.T) {
	norace.Only(t)
	if testing.Short() {
		t.Skip("starts a browser")
	}
	hitches := hitching(t, profile.New(), "late").Written()
	report := strings.TrimSuffix(hitches[len(hitches)-1].Path(), ".json") // this is the first hitch; a busy machine can cause others
	p := openBrowser(t, 1060, 1800)
	for _, dark := range []bool{false, true} {
		p.dark(dark)
		p.visit("file://" + report + ".html")
		p.wait(`document.querySelectorAll('svg').length === 2 && document.readyState === 'complete'`)
		if got := p.value(`document.querySelector('h1').textContent.includes('he step to tick 20 took')`); got != "true" {
			t.Error("the verdict is not the heading")
		}
		if got := p.value(`(lanes => lanes.querySelector('.late').getBBox().width > 100 && lanes.querySelectorAll('.edge').length > 1)(document.querySelector('svg'))`); got != "true" {
			t.Error("the timeline does not show the hitch")
		}
		want := map[bool]string{false: `"rgb(255, 255, 255)"`, true: `"rgb(18, 22, 28)"`}[dark]
		if got := p.value(`getComputedStyle(document.body).backgroundColor`); got != want {
			t.Errorf("dark %v: the background is %s", dark, got)
		}
		if wide := p.value(`document.documentElement.scrollWidth <= innerWidth`); wide != "true" {
			t.Error("it is wider than the window")
		}
		if path := os.Getenv("HALFSTEP_SCREENSHOTS"); path != "" {
			os.WriteFile(filepath.Join(path, map[bool]string{false: "report-light.png", true: "report-dark.png"}[dark]), p.screenshot(), 0o644)
		}
	}
	for _, e := range p.allErrors() {
		t.Errorf("the console says %s", e)
	}
	for _, r := range p.allRequests() {
		if !strings.HasPrefix(r, "file://"+report) && !strings.HasPrefix(r, "data:") && r != "about:blank" {
			t.Errorf("it asks for %s", r)
		}
	}
}
