package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
)

// The window system wants the main thread, which init runs on.
func init() { runtime.LockOSThread() }

// The exit statuses.
const (
	exitOK = iota
	exitFailed
	exitUsage
)

func main() { os.Exit(program(os.Args[1:], os.Stdout, os.Stderr)) }

// program is main without the process.
func program(args []string, stdout, stderr io.Writer) int {
	o, err := ParseFlags(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage(stdout)
		return exitOK
	case err != nil:
		complain(stderr, err)
		return exitUsage
	}
	if o.List {
		list(stdout)
		return exitOK
	}
	if err := Run(o, stdout, stderr); err != nil {
		complain(stderr, err)
		return exitFailed
	}
	return exitOK
}

func complain(w io.Writer, err error) { fmt.Fprintf(w, "viewer: %v\n", err) }
