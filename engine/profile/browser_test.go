package profile_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// page is a page in a headless Chromium that runs for this page alone. It uses the DevTools protocol over a
// pipe, so that it needs no network and no other package. While it waits for an answer, it reads the events
// of the page.
type page struct {
	t        *testing.T
	to       *os.File
	from     *os.File
	in       *bufio.Reader
	session  string
	asked    int // number of calls so far
	errors   []string
	requests []string
}

// browserTime is the time after which a test stops waiting for the browser.
const browserTime = 90 * time.Second

// openBrowser starts Chromium with an empty page, which is closed at the end of the test. If there
// is no Chromium it skips the test.
func openBrowser(t *testing.T, wide, tall int) *page {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium to open the page in")
	}
	in, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
		"--disable-background-networking", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{in, out} // 3 and 4
	if err := cmd.Start(); err != nil {
		t.Skip("Chromium does not start: ", err)
	}
	in.Close()
	out.Close()
	p := &page{t: t, to: to, from: from, in: bufio.NewReader(from)}
	t.Cleanup(func() {
		p.send("Browser.close", nil)
		cmd.Wait()
		to.Close()
		from.Close()
	})
	var target struct{ TargetID, SessionID string }
	p.ask(&target, "Target.createTarget", map[string]any{"url": "about:blank"})
	p.ask(&target, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true})
	p.session = target.SessionID
	for _, domain := range []string{"Runtime", "Log", "Network", "Page"} {
		p.ask(nil, domain+".enable", nil)
	}
	p.ask(nil, "Emulation.setDeviceMetricsOverride", map[string]any{"width": wide, "height": tall, "deviceScaleFactor": 1, "mobile": false})
	return p
}

// dark selects dark colours if on is true, and light colours otherwise.
func (p *page) dark(on bool) {
	p.t.Helper()
	scheme := map[bool]string{false: "light", true: "dark"}[on]
	p.ask(nil, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}})
}

// browserMessage is a message from the browser: an answer or an event.
type browserMessage struct {
	ID     int
	Method string
	Result json.RawMessage
	Error  *struct{ Message string }
	Params struct {
		Type             string
		Args             []struct{ Value any }
		Entry            struct{ Level, Text, URL string }
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
		Request struct{ URL string }
	}
}

// note keeps an event if it is an error, a warning or a request.
func (p *page) note(m *browserMessage) {
	switch m.Method {
	case "Runtime.consoleAPICalled":
		if m.Params.Type == "error" || m.Params.Type == "warning" {
			p.errors = append(p.errors, fmt.Sprint(m.Params.Args))
		}
	case "Runtime.exceptionThrown":
		d := m.Params.ExceptionDetails
		p.errors = append(p.errors, d.Text+" "+d.Exception.Description)
	case "Log.entryAdded":
		if e := m.Params.Entry; e.Level == "error" || e.Level == "warning" {
			p.errors = append(p.errors, e.Text+" "+e.URL)
		}
	case "Network.requestWillBeSent":
		p.requests = append(p.requests, m.Params.Request.URL)
	}
}

// send calls a method. It returns the number that the answer will have.
func (p *page) send(method string, params any) (number int) {
	p.asked++
	m := map[string]any{"id": p.asked, "method": method}
	if params != nil {
		m["params"] = params
	}
	if p.session != "" && !strings.HasPrefix(method, "Browser.") && !strings.HasPrefix(method, "Target.") {
		m["sessionId"] = p.session
	}
	data, _ := json.Marshal(m)
	p.to.Write(append(data, 0))
	return p.asked
}

// ask calls a method and waits for the answer.
func (p *page) ask(to any, method string, params any) {
	p.t.Helper()
	number := p.send(method, params)
	p.from.SetReadDeadline(time.Now().Add(browserTime))
	for {
		text, err := p.in.ReadString(0)
		if err != nil {
			p.t.Fatalf("%s: no answer: %v", method, err)
		}
		var m browserMessage
		if err := json.Unmarshal([]byte(strings.TrimSuffix(text, "\x00")), &m); err != nil {
			p.t.Fatalf("%s: %v: %.300s", method, err, text)
		}
		if p.note(&m); m.ID != number {
			continue
		}
		if m.Error != nil {
			p.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if to != nil {
			if err := json.Unmarshal(m.Result, to); err != nil {
				p.t.Fatalf("%s: %v: %.300s", method, err, m.Result)
			}
		}
		return
	}
}

// visit opens an address.
func (p *page) visit(url string) {
	p.t.Helper()
	p.ask(nil, "Page.navigate", map[string]any{"url": url})
}

// value returns the value of an expression as JSON. If there is no value it returns null.
func (p *page) value(expression string) string {
	p.t.Helper()
	var v struct {
		Result struct{ Value json.RawMessage }
	}
	p.ask(&v, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true})
	if v.Result.Value == nil {
		return "null"
	}
	return string(v.Result.Value)
}

// wait waits until an expression becomes true.
func (p *page) wait(expression string) {
	p.t.Helper()
	for end := time.Now().Add(browserTime); p.value(expression) != "true"; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("it never became true: %s", expression)
		}
	}
}

// screenshot returns a picture of the page as PNG.
func (p *page) screenshot() []byte {
	p.t.Helper()
	var v struct{ Data string }
	p.ask(&v, "Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true})
	data, err := base64.StdEncoding.DecodeString(v.Data)
	if err != nil {
		p.t.Fatal(err)
	}
	return data
}

// allErrors returns the errors and warnings in the page's console.
func (p *page) allErrors() []string {
	p.t.Helper()
	p.value("0") // this reads all messages before its answer
	return p.errors
}

// allRequests returns the addresses of the page's requests.
func (p *page) allRequests() []string {
	p.t.Helper()
	p.value("0")
	return p.requests
}
