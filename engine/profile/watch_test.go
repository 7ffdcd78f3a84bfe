package profile_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/engine/profile"
)

// recordingOf serves an engine, and returns the address of the engine's recording.
func recordingOf(t *testing.T, e ...profile.Source) (url, addr string) {
	t.Helper()
	h := profile.New(e...)
	l, err := h.Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	s := h.Server()
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { s.Close() })
	return h.URL(l) + "debug/halfstep/recording", l.Addr().String()
}

func join(t *testing.T, url string) *http.Response {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Body.Close() })
	return r
}

func TestARecordingIsServedWhileItIsMade(t *testing.T) {
	e := running(t, "watched", nil)
	url, _ := recordingOf(t, e.Trace())
	for range 3 {
		r, err := engine.FollowRecording(join(t, url+"?engine=watched").Body)
		if err != nil {
			t.Fatal(err)
		}
		f, err := engine.New(r.Config(nil))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for deadline := time.Now().Add(30 * time.Second); f.View().Tick < r.First+60; time.Sleep(time.Millisecond) {
			if f.Step(1); f.Failure() != nil || time.Now().After(deadline) {
				t.Fatalf("at tick %d: %v", f.View().Tick, f.Failure())
			}
		}
	}
	if r := join(t, url+"?engine=another"); r.StatusCode != http.StatusNotFound {
		t.Error(r.Status)
	}
	if r, err := http.Post(url, "", strings.NewReader("x")); err != nil || r.StatusCode != http.StatusMethodNotAllowed {
		t.Error(r, err)
	}
}

func TestWatchersAreLimitedAndThoseWhoLeaveMakeRoom(t *testing.T) {
	e := running(t, "watched", nil)
	url, _ := recordingOf(t, e.Trace())
	var all []*http.Response
	for range 8 {
		r := join(t, url)
		if r.StatusCode != http.StatusOK {
			t.Fatal(r.Status)
		}
		all = append(all, r)
	}
	line, _ := io.ReadAll(join(t, url).Body)
	if !strings.Contains(string(line), "8 watchers are here") {
		t.Errorf("%q", line)
	}
	all[0].Body.Close()
	for deadline := time.Now().Add(10 * time.Second); join(t, url).StatusCode != http.StatusOK; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("there is no room")
		}
	}
}

// Clients that do not read, that leave at once, or that send nonsense must not cost
// memory for long.
func TestWatchersOfAllKindsLeaveNothingBehind(t *testing.T) {
	e := running(t, "watched", nil)
	_, addr := recordingOf(t, e.Trace())
	before := runtime.NumGoroutine()
	times := 1000
	if testing.Short() {
		times = 50
	}
	for n := range times {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "GET /debug/halfstep/recording HTTP/1.1\r\nHost: localhost\r\n\r\n")
		switch n % 4 {
		case 0:
			fmt.Fprint(c, strings.Repeat("\x00rubbish\r\n", 200))
		case 1:
			_, _ = bufio.NewReader(c).ReadString('\n')
		case 2:
			_ = c.(*net.TCPConn).SetLinger(0) // it is killed
		}
		c.Close()
	}
	for deadline := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before+2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
	if e.Failure() != nil {
		t.Error(e.Failure())
	}
}

func TestARecordingIsForWhoeverMaySeeProfiles(t *testing.T) {
	e := running(t, "watched", nil)
	url, _ := recordingOf(t, e.Trace())
	for _, header := range [][2]string{{"Origin", "http://elsewhere.example"}, {"Sec-Fetch-Site", "cross-site"}} {
		q, _ := http.NewRequest(http.MethodGet, url, nil)
		q.Header.Set(header[0], header[1])
		if r, err := http.DefaultClient.Do(q); err != nil || r.StatusCode != http.StatusForbidden {
			t.Errorf("%v: %v, %v", header, r, err)
		}
	}
	q, _ := http.NewRequest(http.MethodGet, url, nil)
	q.Host = "elsewhere.example"
	if r, err := http.DefaultClient.Do(q); err != nil || r.StatusCode != http.StatusForbidden {
		t.Errorf("%v, %v", r, err)
	}
}
