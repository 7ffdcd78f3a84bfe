package play

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
)

// growing returns a file to which an engine records, and a function that waits
// until the file contains a tick.
func growing(t *testing.T) (path string, e *engine.Engine, written func(tick uint64)) {
	t.Helper()
	s, _ := scenes.Lookup("cradle")
	path = filepath.Join(t.TempDir(), "growing.rec")
	to, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { to.Close() })
	c := s.Config()
	c.History.Record = &engine.RecordOptions{W: to, Scene: "cradle"}
	if e, err = engine.New(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	written = func(tick uint64) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			if r, err := engine.OpenRecording(path); err == nil && r.Ticks == tick {
				return
			} else if time.Now().After(end) {
				t.Fatalf("tick %d is not written: %v", tick, err)
			}
		}
	}
	return path, e, written
}

func TestAFileGrowsWhileItIsShown(t *testing.T) {
	path, e, written := growing(t)
	e.Step(30)
	written(30)
	sc, err := followFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, "")
	if err := b.Session.OpenFile(&sc); err != nil {
		t.Fatal(err)
	}
	b.until("its end so far", func() bool { return b.Stage.View.Tick >= 30 })
	e.Step(30)
	b.until("what was added", func() bool { return b.Stage.View.Tick == 60 })
	e.Close()
	b.until("its end", func() bool { return b.Travel.ReplayVerdict() == "identical to tick 60, the end" })
}

// A program answers, and then sends nothing. Earlier, the viewer said "use of
// closed network connection".
func TestAProgramThatSendsNoWorldIsGivenUpInPlainWords(t *testing.T) {
	was := joinTime
	joinTime = 200 * time.Millisecond
	defer func() { joinTime = was }()
	end := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-end
	}))
	defer s.Close()
	defer close(end)
	_, err := WatchScene(s.URL)
	if err == nil || !strings.Contains(err.Error(), "has not sent its world within") || strings.Contains(err.Error(), "closed") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

func TestNobodyToWatchIsOneLine(t *testing.T) {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	other := http.Server{Handler: http.NotFoundHandler()}
	with, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = other.Serve(with) }()
	defer other.Close()
	for _, addr := range []string{l.Addr().String(), with.Addr().String()} {
		if _, err := WatchScene("http://" + addr); err == nil || strings.Count(err.Error(), addr) == 0 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v", err)
		}
	}
}
