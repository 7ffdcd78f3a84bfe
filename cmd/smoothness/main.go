package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// The exit statuses.
const (
	exitOK = iota
	exitFailed
	exitUsage
)

func main() { os.Exit(program(os.Args[1:], os.Stdout, os.Stderr)) }

// program is main, but returns the exit status. Tests call it.
func program(args []string, stdout, stderr io.Writer) int {
	o, err := parseFlags(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage(stdout)
		return exitOK
	case err != nil:
		complain(stderr, err)
		return exitUsage
	}
	if err := run(o, stdout); err != nil {
		complain(stderr, err)
		return exitFailed
	}
	return exitOK
}

// complain reports an error in one line.
func complain(w io.Writer, err error) {
	fmt.Fprintf(w, "smoothness: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
}

// run reads all traces before it writes anything.
func run(o *options, stdout io.Writer) error {
	recordings := make([]*recording, len(o.Traces))
	for i, path := range o.Traces {
		r, err := readRecording(path)
		if err != nil {
			return err
		}
		if o.Display != "" {
			if err := r.showOn(o.Display); err != nil {
				return err
			}
		}
		recordings[i] = r
	}
	var page []section
	for _, r := range recordings {
		s, err := o.play(r)
		if err != nil {
			return err
		}
		printTable(stdout, s)
		page = append(page, *s)
	}
	return writeReport(o, page)
}
