package main

import (
	"halfstep/cmd/viewer/internal/play"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A program answers, and then says nothing: the viewer said "use of closed network
// connection".
func TestAProgramThatSendsNoWorldIsGivenUpInPlainWords(t *testing.T) {
	was := play.JoinTime
	play.JoinTime = 200 * time.Millisecond
	defer func() { play.JoinTime = was }()
	end := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-end
	}))
	defer s.Close()
	defer close(end)
	_, err := play.WatchScene(s.URL)
	if err == nil || !strings.Contains(err.Error(), "has not sent its world within") || strings.Contains(err.Error(), "closed") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}
