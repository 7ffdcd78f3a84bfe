//go:build !js

package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
)

var simulated = engine.Config{Time: engine.Time{Simulated: true}}

// Run by scripts/check/test-wasm. HALFSTEP_BROWSER is a Chromium; HALFSTEP_PICTURE, if
// set, is a PNG file for the picture.
func TestAPageInABrowserDrawsTheWorldOfThisMachine(t *testing.T) {
	browser := os.Getenv("HALFSTEP_BROWSER")
	if browser == "" {
		t.Skip("HALFSTEP_BROWSER names no browser")
	}
	dir := t.TempDir()
	if err := build(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	sent := make(chan string, 1)
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("POST /done", func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent <- string(body)
	})
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go http.Serve(listener, mux)

	cmd := exec.Command(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-port=0", "http://"+listener.Addr().String()+"/?frames=120&post=done")
	var said bytes.Buffer
	cmd.Stderr, cmd.WaitDelay = &said, time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	var line, picture string
	select {
	case body := <-sent:
		line, picture, _ = strings.Cut(body, "\n")
	case <-time.After(2 * time.Minute):
		t.Fatalf("the page did not end: %s", said.String())
	}

	data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(picture, "data:image/png;base64,"))
	if err != nil {
		t.Fatal(err)
	}
	if path := os.Getenv("HALFSTEP_PICTURE"); path != "" {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shown, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	pixels := map[string]int{}
	for y := range shown.Bounds().Dy() {
		for x := range shown.Bounds().Dx() {
			r, g, b, _ := shown.At(x, y).RGBA()
			pixels[fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)]++
		}
	}
	for _, c := range colours {
		if pixels[c] < 500 {
			t.Errorf("%d pixels have the colour %s", pixels[c], c)
		}
	}

	if runtime.GOARCH != "amd64" {
		t.Skip("this processor fuses products and sums, so it has other hashes")
	}
	if here := played(t, 120); line != here {
		t.Errorf("%q in the browser, %q here", line, here)
	}
}

// The folder of the page is removed when run returns.
func TestAnInterruptEndsTheServerWithoutAnError(t *testing.T) {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	dir := t.TempDir()
	go func() { ended <- serve(ctx, l, dir) }()
	if r, err := http.Get("http://" + l.Addr().String()); err != nil || r.Body.Close() != nil || r.StatusCode != http.StatusOK {
		t.Fatal(r, err)
	}
	interrupt()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		l.Close()
		t.Fatal("it serves on")
	}
}

// played plays frames here and returns the page's text at their end.
func played(t *testing.T, frames int) string {
	s, err := newScene(simulated)
	if err != nil {
		t.Fatal(err)
	}
	defer s.engine.Close()
	for range frames {
		s.engine.Advance(time.Second / 60)
		s.frame(func(look, float64, float64, float64) {})
	}
	tick, hash := s.hash()
	return fmt.Sprintf("tick %d hash %016x", tick, hash)
}

func TestWhatFallsOffIsForgotten(t *testing.T) {
	s, err := newScene(simulated)
	if err != nil {
		t.Fatal(err)
	}
	defer s.engine.Close()
	before := len(s.looks)
	s.drop(40, 0) // beside the ground
	for range 300 {
		s.engine.Advance(time.Second / 60)
		s.frame(func(look, float64, float64, float64) {})
	}
	if n := len(s.looks); n != before {
		t.Errorf("%d looks, %d before", n, before)
	}
}

func TestTheSceneKeepsAllItsVariables(t *testing.T) {
	c := simulated
	c.Testing.SyncTest = 5
	s, err := newScene(c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.engine.Close()
	for range 200 {
		s.engine.Advance(time.Second / 60)
		s.frame(func(look, float64, float64, float64) {})
		if err := s.engine.Failure(); err != nil {
			t.Fatal(err)
		}
	}
}
