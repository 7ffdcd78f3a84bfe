package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/outfile"
	"halfstep/engine/fault"
	"halfstep/internal/frametrace"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/frametime"
	"halfstep/renderloop/scene"
)

// a value above one of these limits is a mistake
const (
	maxCount  = 1_000_000_000_000 // frames, ticks
	maxTime   = 365 * 24 * time.Hour
	maxListed = 1000 // maxListed is the greatest number of names to log and of faults to inject.
)

// into returns a function for flag.Func that parses a value and stores it in *to.
// Package flag puts the value and the name of the flag before the parser's error.
func into[T any](to *T, parse func(string) (T, error)) func(string) error {
	return func(s string) error {
		x, err := parse(s)
		if err == nil {
			*to = x
		}
		return err
	}
}

// These are the lowest and the highest rate of a clock, in Hz.
const leastHz, mostHz = .001, 1_000_000

func parsePositive(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || math.IsNaN(x) || math.IsInf(x, 0):
		return 0, errors.New("not a number")
	case x <= 0:
		return 0, errors.New("must be above 0")
	}
	return x, nil
}

func parseHz(s string) (clock.Rate, error) {
	x, err := parsePositive(s)
	if err != nil {
		return clock.Rate{}, err
	}
	if x < leastHz || x > mostHz {
		return clock.Rate{}, fmt.Errorf("must be from %v to %v", leastHz, mostHz)
	}
	return clock.RateOf(x)
}

func parseScale(s string) (float64, error) {
	x, err := parsePositive(s)
	switch {
	case err != nil:
		return 0, err
	case x > 1000:
		return 0, errors.New("must be at most 1000")
	case x < 1e-6:
		return 0, errors.New("must be at least 0.000001")
	}
	r, err := clock.RateOf(x)
	return r.Float(), err
}

// intBetween returns a parser for a whole number in a range.
func intBetween(low, high int) func(string) (int, error) {
	return func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		switch {
		case err != nil:
			return 0, errors.New("not a whole number")
		case n < low || n > high:
			return 0, fmt.Errorf("must be from %d to %d", low, high)
		}
		return n, nil
	}
}

// count returns a parser for a number of frames or ticks.
func count(least uint64) func(string) (uint64, error) {
	return func(s string) (uint64, error) {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil || n < least || n > maxCount {
			return 0, fmt.Errorf("must be a whole number from %d to %d", least, uint64(maxCount))
		}
		return n, nil
	}
}

func parseTick(s string) (*uint64, error) {
	n, err := count(0)(s)
	return &n, err
}

func parseTime(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return 0, errors.New("not a time such as 10s or 1m30s")
	case d <= 0:
		return 0, errors.New("must be above 0")
	case d > maxTime:
		return 0, fmt.Errorf("must be at most %v", maxTime)
	}
	return d, nil
}

// oneOf returns a parser that accepts one of the given words.
func oneOf(words ...string) func(string) (string, error) {
	return func(s string) (string, error) {
		if !slices.Contains(words, s) {
			return "", fmt.Errorf("must be %s", strings.Join(words, " or "))
		}
		return s, nil
	}
}

func sizeValue(w, h *int) func(string) error {
	return func(s string) error {
		side := intBetween(16, 16384)
		a, b, ok := strings.Cut(s, "x")
		if !ok || into(w, side)(a) != nil || into(h, side)(b) != nil {
			return errors.New("must be like 1280x720, each number from 16 to 16384")
		}
		return nil
	}
}

// fileName returns a parser for the name of a file that must end in a suffix such as
// ".png". A device may have any name.
func fileName(ending string) func(string) (string, error) {
	return func(s string) (string, error) {
		if !strings.EqualFold(filepath.Ext(s), ending) && !outfile.IsDevice(s) {
			return "", errors.New("must end in " + ending)
		}
		return s, nil
	}
}

func parseAddr(s string) (string, error) {
	host, port, err := net.SplitHostPort(s)
	if err != nil || port == "" {
		return "", errors.New("must be host:port or :port")
	}
	return net.JoinHostPort(cmp.Or(host, "localhost"), port), nil
}

// clockSpec is the value of -clock. Its zero value is the wall clock.
type clockSpec struct {
	fixed clock.Rate // frames per second
	trace string     // trace is a file with frame times.
}

func (c *clockSpec) parse(s string) error {
	kind, value, _ := strings.Cut(s, ":")
	switch {
	case s == "wall":
		*c = clockSpec{}
		return nil
	case kind == "fixed":
		r, err := parseHz(value)
		*c = clockSpec{fixed: r}
		return err
	case kind == "trace" && value != "":
		*c = clockSpec{trace: value}
		return nil
	}
	return errors.New("must be wall, fixed:HZ or trace:FILE")
}

// source returns the source of frame times. If that is a trace file, the parameter
// process chooses the frames. The result note is a message about the trace for the
// user, or "".
func (c *clockSpec) source(process string) (s frametime.Source, note string, err error) {
	switch {
	case c.trace != "":
		t, err := frametrace.ReadTraceFile(c.trace, process)
		if err != nil {
			return nil, "", err
		}
		if note = t.Note; note != "" {
			note = c.trace + ": " + note
		}
		if len(t.Streams) > 1 {
			note += "; -process chooses another"
		}
		return frametrace.NewTraceSource(t), note, nil
	case c.fixed != clock.Rate{}:
		s, err = frametime.NewFixedSource(c.fixed)
		return s, "", err
	}
	return frametime.NewWallSource(), "", nil
}

func injectValue(to *[]fault.Fault) func(string) error {
	return func(s string) error {
		i, err := fault.Parse(s)
		if err == nil && len(*to) == maxListed {
			err = fmt.Errorf("more than %d faults", maxListed)
		}
		if err == nil {
			*to = append(*to, i)
		}
		return err
	}
}

func parseCamera(s string) (*scene.Camera, error) {
	parts := strings.Split(s, ",")
	var n [3]float64
	ok := len(parts) == len(n)
	for i := 0; ok && i < len(n); i++ {
		x, err := strconv.ParseFloat(parts[i], 64)
		n[i], ok = x, err == nil && !math.IsNaN(x) && math.Abs(x) <= 1e9
	}
	if !ok || n[2] <= 0 {
		return nil, errors.New("must be X,Y,HEIGHT in metres, such as 0,5,20")
	}
	return &scene.Camera{X: n[0], Y: n[1], Height: n[2]}, nil
}

// parseBox returns a parser that reads DIR[,TIME]. If the name of the folder has a
// comma, the TIME must be given.
func parseBox(b *play.BlackBox) func(string) error {
	return func(s string) error {
		dir, length := s, time.Duration(0)
		if i := strings.LastIndexByte(s, ','); i >= 0 {
			if err := into(&length, parseTime)(s[i+1:]); err != nil {
				return fmt.Errorf("%q after the folder: %w", s[i+1:], err)
			}
			dir = s[:i]
		}
		if dir == "" {
			return errors.New("no folder")
		}
		b.Dir, b.Length = dir, length
		return nil
	}
}
