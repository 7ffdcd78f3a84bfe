//go:build !js

// Web is a page with physics in it. The program has two sides. Built for js/wasm
// it is the page (page_js.go). Built for other systems it builds the page and
// serves it:
//
//	go run .                  serve the page on localhost:8080
//	go run . -out DIR         write its files, for any web server
//
// The physics is in scene.go, which does not depend on browsers.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

//go:embed index.html
var index []byte

func main() {
	address := flag.String("address", "localhost:8080", "where to serve the page")
	out := flag.String("out", "", "write the files of the page into this folder, and serve nothing")
	flag.Parse()
	// otherwise an interrupt would leave the folder of the page behind
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *address, *out); err != nil {
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(1)
	}
}

// run builds the page and serves it until ctx is done.
func run(ctx context.Context, address, out string) error {
	if out != "" {
		return build(ctx, out)
	}
	dir, err := os.MkdirTemp("", "halfstep-web")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := build(ctx, dir); err != nil {
		return err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Println("http://" + address)
	return serve(ctx, l, dir)
}

// serve serves the files of a folder until ctx is done.
func serve(ctx context.Context, l net.Listener, dir string) error {
	server := &http.Server{Handler: http.FileServer(http.Dir(dir))}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// build writes the files of the page: the program, Go's script that loads it, and
// the page itself. It builds the module in the current folder.
func build(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	program, err := filepath.Abs(filepath.Join(dir, "web.wasm"))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-trimpath", "-o", program, ".")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, strings.TrimSpace(string(text)))
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	loader, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "wasm_exec.js"), loader, 0o644),
		os.WriteFile(filepath.Join(dir, "index.html"), index, 0o644))
}
