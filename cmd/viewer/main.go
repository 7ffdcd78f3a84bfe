package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
)

// The window system needs the main thread, which init runs on.
func init() { runtime.LockOSThread() }

// The exit statuses.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitSignal = 128 // plus the number of the second signal
)

func main() { os.Exit(program(os.Args[1:], os.Stdout, os.Stderr)) }

// program is main, but returns the exit status. Tests call it.
func program(args []string, stdout, stderr io.Writer) int {
	o, err := ParseFlags(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return printed(usage(stdout), stderr)
	case err != nil:
		complain(stderr, err)
		return exitUsage
	}
	if o.List {
		return printed(list(stdout), stderr)
	}
	if err := Run(o, stdout, stderr); err != nil {
		complain(stderr, err)
		return exitFailed
	}
	return exitOK
}

// printed is the exit status of a run that only prints something.
func printed(err error, stderr io.Writer) int {
	if err != nil {
		complain(stderr, err)
		return exitFailed
	}
	return exitOK
}

// complain reports an error in one line.
func complain(w io.Writer, err error) { fmt.Fprintf(w, "viewer: %s\n", printable(err.Error())) }
